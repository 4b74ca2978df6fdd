/* The command line of the host program. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(const char *option, const char *value, const char *why) {
  fprintf(stderr, "%s%s%s: %s\n", option, *value ? " " : "", value, why);
  return false;
}

static bool read_whole(const char *option, const char *value, long long *out) {
  char *end;
  const char *digits = value + (*value == '-');
  if (!isdigit((unsigned char)*digits))
    return refuse(option, value, "not a whole number");
  errno = 0;
  *out = strtoll(value, &end, 10);
  if (*end != '\0')
    return refuse(option, value, "not a whole number");
  if (errno == ERANGE)
    *out = *value == '-' ? LLONG_MIN : LLONG_MAX;
  return true;
}

static bool read_n(struct options *options, const char *value) {
  long long n;
  if (!read_whole("--n", value, &n))
    return false;
  if (n < 0)
    return refuse("--n", value, "there cannot be fewer than 0 elements");
  if (n > INT_MAX)
    return refuse("--n", value, "the kernel's int holds at most 2147483647");
  options->n = (size_t)n;
  return true;
}

static bool read_block(struct options *options, const char *value) {
  long long block;
  if (!read_whole("--block", value, &block))
    return false;
  if (block < 1)
    return refuse("--block", value,
                  "a block has at least one warp, 32 threads");
  if (block > 1024)
    return refuse("--block", value, "a block has at most 1024 threads");
  if (block % 32 != 0)
    return refuse("--block", value, "a block is whole warps: a multiple of 32");
  options->block = (unsigned)block;
  return true;
}

static bool read_word(const char *option, const char *value, const char *yes,
                      const char *no, bool *out) {
  *out = strcmp(value, yes) == 0;
  if (*out || strcmp(value, no) == 0)
    return true;
  fprintf(stderr, "%s %s: must be %s or %s\n", option, value, yes, no);
  return false;
}

static bool set(struct options *o, const char *name, const char *value) {
  if (strcmp(name, "--n") == 0)
    return read_n(o, value);
  if (strcmp(name, "--block") == 0)
    return read_block(o, value);
  if (strcmp(name, "--ptx-origin") == 0)
    return read_word(name, value, "built", "recorded", &o->built);
  if (strcmp(name, "--compiled") == 0)
    return read_word(name, value, "yes", "no", &o->compiled);
  if (strcmp(name, "--counts") == 0)
    return read_word(name, value, "show", "assert", &o->show_counts);
  const char **path = strcmp(name, "--ptx") == 0      ? &o->ptx
                      : strcmp(name, "--report") == 0 ? &o->report
                      : strcmp(name, "--ncu") == 0    ? &o->ncu
                      : strcmp(name, "--kernel") == 0 ? &o->kernel
                                                      : NULL;
  if (!path)
    return refuse(name, value, "there is no such option");
  *path = value;
  return true;
}

bool options_read(struct options *options, int argc, char **argv) {
  *options = (struct options){.n = 4194304, .block = 256};
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc)
      return refuse(argv[i], "",
                    "needs a value after it; appendix A lists the options");
    if (!set(options, argv[i], argv[i + 1]))
      return false;
  }
  if (!options->ptx)
    return refuse("--ptx", "", "is missing: there is no kernel to load");
  return true;
}
