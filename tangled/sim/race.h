/* Races on shared memory: two threads touch the same bytes, one of them writes,
 * and nothing orders them. Barriers order warps, bar.warp.sync orders lanes of
 * a warp; shuffles and votes order nothing (PTX ISA, "shfl.sync").
 *
 * A shadow holds for each 4-byte word the last write and the last reads, with
 * the time they were made at. Time is a vector clock, one tick a barrier. One
 * write and two reads a word are kept, so a race can be missed; but accesses
 * that are ordered are never called a race. */
#ifndef SHUFFLE_LADDER_RACE_H
#define SHUFFLE_LADDER_RACE_H

#include "core.h"

struct race;

/* A shadow of `bytes` of shared memory; NULL when there is no memory. */
struct race *race_create(uint64_t bytes);
void race_free(struct race *race);

/* A new block begins: all that was done before is ordered before it. */
void race_start(struct race *race);

/* A barrier was completed by the warps of the mask. */
void race_barrier(struct race *race, uint32_t warps);

/* bar.warp.sync was completed by these lanes of a warp. */
void race_warp_sync(struct race *race, uint32_t warp, uint32_t lanes);

/* One warp instruction touches shared memory; op->access says how. Adds the
 * finding "shared-race" for the first conflict that it sees. */
void race_access(struct race *race, const struct warp *warp,
                 const struct op *op, uint32_t mask);

#endif
