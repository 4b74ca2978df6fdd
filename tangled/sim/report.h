/* What a launch has to say for itself: JSON for programs, a few lines for
 * people. Nothing here keeps state; all writing goes to the stream given. */
#ifndef SHUFFLE_LADDER_REPORT_H
#define SHUFFLE_LADDER_REPORT_H

#include <stdio.h>

#include "sim.h"

struct report {
  const struct sim_kernel *kernel;
  const struct sim_launch *launch;
  const struct sim_result *result;
  double seconds; /* of sim_run, by the host's clock */
};

/* The members of the JSON object, without braces: kernel, grid, block,
 * seconds, counters, approximate, fault, diagnoses. */
void report_members(FILE *out, const struct report *report);

/* A string as JSON, quotes included. */
void report_string(FILE *out, const char *text);

/* The counters as a table of two columns. */
void report_counters(FILE *out, const struct counters *counters);

/* What happened, where and what to do, for a launch that has a fault. */
void report_fault(FILE *out, const struct report *report);

/* The mistakes that did not stop the launch. */
void report_findings(FILE *out, const struct report *report);

/* Where in the book to read about a fault or a finding. */
const char *report_section(const struct fault *fault);

/* The name of the Driver API's error for a fault: a cuda.h enumerator. */
const char *report_error(const struct fault *fault);

#endif
