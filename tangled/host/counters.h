/* What a launch counted, from the simulator or from Nsight Compute. */
#ifndef SHUFFLE_LADDER_COUNTERS_H
#define SHUFFLE_LADDER_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"
#include "stage.h"

enum counter {
  COUNTER_GLOBAL_LOAD_SECTORS,
  COUNTER_GLOBAL_STORE_SECTORS,
  COUNTER_GLOBAL_LOAD_REQUESTS,
  COUNTER_GLOBAL_STORE_REQUESTS,
  COUNTER_SHARED_LOAD_WAVEFRONTS,
  COUNTER_SHARED_STORE_WAVEFRONTS,
  COUNTER_SHARED_BANK_CONFLICTS,
  COUNTER_SHUFFLES,
  COUNTER_VOTES,
  COUNTER_REDUXES,
  COUNTER_BARRIERS,
  COUNTER_INSTRUCTIONS,
  COUNTER_LANE_INSTRUCTIONS,
  COUNTER_COUNT
};

#define COUNTER_UNKNOWN UINT64_MAX /* not counted, or not stated */

enum counts_source { COUNTS_NONE, COUNTS_SIMULATOR, COUNTS_NCU };

struct counts {
  enum counts_source source;
  uint64_t value[COUNTER_COUNT];
  bool approximate;      /* an instruction was not exact on the simulator */
  char *text;            /* what the two below are spans of */
  struct json diagnoses; /* an array, or no value */
  struct json fault;     /* an object, null, or no value */
};

/* The name as in the report. */
const char *counter_name(enum counter c);

/* What a chapter states about a counter, or COUNTER_UNKNOWN. */
uint64_t counter_stated(const struct expectation *e, enum counter c);

/* All unknown. */
void counts_clear(struct counts *counts);

/* The last launch of the kernel that the simulator wrote to the file at `path`
 * beyond byte `from`. False, and all unknown: there is none. */
bool counts_read_launch(struct counts *counts, const char *path, long from,
                        const char *kernel);

/* The last launch of the kernel in a table that `ncu --csv` wrote. False, and
 * all unknown: there is none. */
bool counts_read_ncu(struct counts *counts, const char *path,
                     const char *kernel);

void counts_free(struct counts *counts);

#endif
