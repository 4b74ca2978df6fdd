/* One of a block's sixteen barriers: a state machine that knows warps and
 * counts, and nothing of registers or memory. Chapter 14.
 * Source: PTX ISA, "Parallel Synchronization and Communication Instructions:
 * bar, barrier". */
#ifndef SHUFFLE_LADDER_BARRIER_H
#define SHUFFLE_LADDER_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

/* What a warp does at the barrier: op->variant of an OP_BARRIER. */
enum barrier_kind {
  BARRIER_SYNC,     /* counts the warp and waits */
  BARRIER_ARRIVE,   /* counts the warp, which goes on */
  BARRIER_RED_POPC, /* sync; then in how many threads was the predicate true? */
  BARRIER_RED_AND,  /* sync; then was it true in all threads? */
  BARRIER_RED_OR    /* sync; then was it true in any thread? */
};

/* op->flags of an OP_BARRIER. op->a is the barrier's number, op->b the thread
 * count, op->c the predicate of a reduction, op->d its result. */
enum {
  BARRIER_COUNTED = 1, /* op->b is given */
  BARRIER_ALIGNED = 2  /* the whole warp must execute it together */
};

enum barrier_outcome {
  BARRIER_WAITING,        /* more warps have to come */
  BARRIER_COMPLETE,       /* release barrier->waiting, then barrier_reset */
  BARRIER_BAD_COUNT,      /* no multiple of 32, more threads than the block
                             has, or 0 for BARRIER_ARRIVE */
  BARRIER_COUNT_MISMATCH, /* others wait here for another number of threads */
  BARRIER_KIND_MISMATCH,  /* a reduction with anything but its own kind */
  BARRIER_WARP_TWICE      /* this warp already waits here */
};

/* One warp comes to the barrier, with all of its lanes that have not exited. */
struct barrier_arrival {
  uint32_t warp;       /* its index in the block, below 32 */
  uint32_t warps;      /* of the block, exited ones included */
  uint32_t live_warps; /* mask of the warps with a lane that has not exited */
  enum barrier_kind kind;
  uint32_t count;  /* threads to wait for; 0 = none given: all of the block */
  uint32_t lanes;  /* mask of the lanes that came */
  uint32_t truths; /* mask of the lanes whose source predicate is true */
};

/* The barrier between two resets. All zero is a barrier at rest. */
struct barrier {
  uint32_t waiting;       /* mask of the warps that wait */
  uint32_t arrived;       /* mask of the warps that came and went on */
  uint32_t threads;       /* counted so far; a warp counts as 32 */
  uint32_t expected;      /* threads */
  bool whole;             /* the whole block: exited warps are not missed */
  enum barrier_kind kind; /* of the first to come */
  uint32_t population;    /* popc: lanes whose predicate was true */
  bool every;             /* and: so far true in every lane */
};

/* Forgets everything: the barrier is at rest and can be used again. */
void barrier_reset(struct barrier *barrier);

/* One warp arrives. An outcome that is an error leaves the barrier as it was.
 * BARRIER_COMPLETE does not reset: barrier->waiting, barrier_popc and the like
 * are still to be read. */
enum barrier_outcome barrier_arrive(struct barrier *barrier,
                                    const struct barrier_arrival *arrival);

/* Looks again, after warps exited: BARRIER_COMPLETE or BARRIER_WAITING. A
 * barrier at rest waits. */
enum barrier_outcome barrier_check(const struct barrier *barrier,
                                   uint32_t live_warps);

/* Results of a reduction that is complete. */
uint32_t barrier_popc(const struct barrier *barrier);
bool barrier_and(const struct barrier *barrier);
bool barrier_or(const struct barrier *barrier);

#endif
