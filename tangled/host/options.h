/* The command line of the host program. */
#ifndef SHUFFLE_LADDER_OPTIONS_H
#define SHUFFLE_LADDER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct options {
  const char *ptx;
  const char *report; /* NULL: write none */
  const char *ncu;    /* counters by Nsight Compute, NULL for none */
  const char *kernel; /* NULL: the stage's */
  size_t n;           /* 0 to INT_MAX */
  unsigned block;     /* a multiple of 32, 32 to 1024 */
  bool built;         /* the PTX: by nvcc in this build, or recorded */
  bool compiled;      /* ptxas made machine code of it */
  bool show_counts;   /* counts are shown, and assert nothing */
};

/* Reads argv. False after one line on standard error that says what is wrong;
 * the status of the program is then 2. */
bool options_read(struct options *options, int argc, char **argv);

#endif
