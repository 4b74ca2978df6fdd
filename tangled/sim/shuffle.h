/* shfl.sync as plain functions of 32 values: no warp, no registers.
 * Source: PTX ISA, "Data Movement and Conversion Instructions: shfl.sync". */
#ifndef SHUFFLE_LADDER_SHUFFLE_H
#define SHUFFLE_LADDER_SHUFFLE_H

#include "core.h"

enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

/* For every lane: which lane does it read, given its own b and c operands?
 * from[lane] is below 32, and the lane itself where the lane it wants is out of
 * range. Returns the predicates, a bit a lane: 1 = in range. */
uint32_t shuffle_plan(enum shuffle_mode mode, const uint32_t b[LANES],
                      const uint32_t c[LANES], uint32_t from[LANES]);

/* d[lane] = a[from[lane]]. d may be a: all is read before any is written. */
void shuffle_move(const uint32_t a[LANES], const uint32_t from[LANES],
                  uint32_t d[LANES]);

#endif
