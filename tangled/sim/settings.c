/* Reads the simulator's settings from the environment; see settings.h. */
#include "settings.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static bool read_number(const char *text, uint64_t most, uint64_t *number) {
  uint64_t sum = 0;
  if (*text == '\0')
    return false;
  for (; *text != '\0'; text++) {
    unsigned digit = (unsigned)*text - '0';
    if (digit > 9 || digit > most || sum > (most - digit) / 10)
      return false;
    sum = sum * 10 + digit;
  }
  *number = sum;
  return true;
}

static bool read_schedule(const char *text, struct sim_options *options) {
  static const char *const names[] = {"eager", "side", "first", "last"};
  static const enum sim_schedule schedules[] = {SIM_EAGER, SIM_SIDE, SIM_FIRST,
                                                SIM_LAST};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(text, names[i]) == 0) {
      options->schedule = schedules[i];
      return true;
    }
  options->schedule = SIM_SEED;
  return strncmp(text, "seed:", 5) == 0 &&
         read_number(text + 5, UINT64_MAX, &options->seed);
}

static bool read_setting(const char *name, uint64_t least, uint64_t most,
                         uint64_t *number, char *message, size_t size) {
  const char *text = setting(name);
  if (text == NULL || (read_number(text, most, number) && *number >= least))
    return true;
  snprintf(message, size, "%s=%s is not a whole number from %llu to %llu", name,
           text, (unsigned long long)least, (unsigned long long)most);
  return false;
}

static bool read_trace(struct trace_setup *trace, char *message, size_t size) {
  uint64_t warp = 0;
  trace->path = setting("SIM_TRACE");
  trace->limit = TRACE_LIMIT;
  if (!read_setting("SIM_TRACE_BLOCK", 0, INT64_MAX, &trace->block, message,
                    size) ||
      !read_setting("SIM_TRACE_WARP", 0, 31, &warp, message, size) ||
      !read_setting("SIM_TRACE_LIMIT", 1, INT64_MAX, &trace->limit, message,
                    size))
    return false;
  bool one = setting("SIM_TRACE_WARP") != NULL;
  trace->warp = one ? (int64_t)warp : TRACE_ALL_WARPS;
  return true;
}

bool settings_read(struct settings *settings, char *message, size_t size) {
  uint64_t threads = 0, limit = 0, check = 0;
  const char *schedule = setting("SIM_SCHEDULE");
  *settings = (struct settings){.report = setting("SIM_REPORT")};
  if (!read_setting("SIM_THREADS", 0, 1024, &threads, message, size) ||
      !read_setting("SIM_LIMIT", 1, INT64_MAX, &limit, message, size) ||
      !read_setting("SIM_CHECK", 0, 1, &check, message, size) ||
      !read_trace(&settings->trace, message, size))
    return false;
  settings->options.threads = (uint32_t)threads;
  settings->options.limit = limit;
  settings->options.check = check != 0;
  if (schedule == NULL || read_schedule(schedule, &settings->options))
    return true;
  snprintf(message, size,
           "SIM_SCHEDULE=%s is none of eager, side, first, last, seed:N",
           schedule);
  return false;
}
