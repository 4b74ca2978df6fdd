/* What the lanes of a warp do together: shfl.sync, vote.sync, match.sync,
 * redux.sync, bar.warp.sync and activemask. Chapter 14.
 * Source: PTX ISA, "Data Movement and Conversion Instructions: shfl.sync" and
 * "Parallel Synchronization and Communication Instructions". */
#ifndef SHUFFLE_LADDER_COLLECTIVE_H
#define SHUFFLE_LADDER_COLLECTIVE_H

#include "core.h"

/* op->variant of an OP_COLLECTIVE, and what op->flags says beside it. */
enum collective_family {
  COLLECTIVE_SHUFFLE,   /* enum shuffle_mode (shuffle.h) */
  COLLECTIVE_VOTE,      /* enum vote_question (vote.h) */
  COLLECTIVE_BALLOT,    /* 0 */
  COLLECTIVE_MATCH_ANY, /* 0 */
  COLLECTIVE_MATCH_ALL, /* 0 */
  COLLECTIVE_REDUX,     /* enum redux_operation (redux.h) */
  COLLECTIVE_WARP_SYNC  /* 0: bar.warp.sync moves no values */
};

/* Operands: op->d the destination, op->e the predicate of `d|p` (a slot that
 * nobody reads where there is none), op->a, b, c the sources, op->f the member
 * mask, and op->absolute = 1 where that is a constant. op->type is the type of
 * the source. */

/* Lanes that have come to one collective instruction. Two instructions at
 * different places may meet, so one rendezvous can have several of these. */
struct arrival {
  const struct op *op;
  uint32_t lanes;
};

/* True where lanes at `x` and lanes at `y` may meet: the same operation with
 * the same qualifiers (registers may differ). */
bool collective_same(const struct op *x, const struct op *y);

/* All lanes of `members` that are to take part have come: does the operation
 * for all of them at once. All sources are read before anything is written.
 * `members` is the member mask without exited lanes; lanes in no arrival have
 * no value to give (a shuffle from such a lane reads 0). Counts warp->counters:
 * one shuffle, vote or redux for each arrival. No arrival is without lanes. */
void collective_meet(struct warp *warp, const struct arrival *arrivals,
                     uint32_t count, uint32_t members);

/* activemask.b32, an OP_WARP: writes `mask` to op->d in each of its lanes. */
bool collective_activemask(struct warp *warp, const struct op *op,
                           uint32_t mask);

#endif
