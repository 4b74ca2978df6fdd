/* The settings that the environment may give the simulator:
 *   SIM_THREADS=n   host threads, 0 = one for each core (the default)
 *   SIM_LIMIT=n     warp instructions a launch may run, at least 1
 *   SIM_SCHEDULE=eager|side|first|last|seed:N
 *   SIM_CHECK=0|1   the mistake finder
 *   SIM_REPORT=FILE append one JSON object a line for each launch
 *   SIM_TRACE=FILE  write what one block does, a JSON object a line (trace.h)
 *   SIM_TRACE_BLOCK=n, SIM_TRACE_WARP=n, SIM_TRACE_LIMIT=n  which, how much
 * A variable that is empty counts as not set. */
#ifndef SHUFFLE_LADDER_SETTINGS_H
#define SHUFFLE_LADDER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim.h"
#include "trace.h"

struct settings { /* paths: NULL for none; they live in the environment */
  struct sim_options options;
  const char *report;
  struct trace_setup trace;
};

/* Reads all of them. False for a bad value: `message` then says in one line
 * which, and what would be right. */
bool settings_read(struct settings *settings, char *message, size_t size);

#endif
