/* What one block of a launch does, written down: an observer (sim.h) that
 * writes JSON, an object a line. All launches of a process go into one file.
 * Chapter 15 lists the events and their members. */
#ifndef SHUFFLE_LADDER_TRACE_H
#define SHUFFLE_LADDER_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim.h"

enum { TRACE_ALL_WARPS = -1, TRACE_LIMIT = 100000 };

struct trace_setup {
  const char *path; /* NULL: no trace is wanted */
  uint64_t block;   /* of the grid, x fastest */
  int64_t warp;     /* of the block, or TRACE_ALL_WARPS */
  uint64_t limit;   /* events in the file */
};

struct trace;

/* Makes the file. NULL: `message` says in one line why that cannot be. */
struct trace *trace_open(const struct trace_setup *setup, char *message,
                         size_t size);
void trace_close(struct trace *trace); /* NULL is allowed */

/* Before a launch: makes the trace its observer, unless it has been cut. False
 * where the launch has no such block or warp, which `message` says. */
bool trace_begin(struct trace *trace, const struct sim_kernel *kernel,
                 const struct sim_module *module, struct sim_launch *launch,
                 char *message, size_t size);
/* After it. False where the file could not be written. */
bool trace_end(struct trace *trace, const struct sim_result *result);
#endif
