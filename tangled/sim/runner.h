/* A runner: all that one host thread needs to run blocks of one launch. */
#ifndef SHUFFLE_LADDER_RUNNER_H
#define SHUFFLE_LADDER_RUNNER_H

#include "barrier.h"
#include "core.h"
#include "program.h"
#include "race.h"
#include "sim.h"

enum split_state { SPLIT_READY, SPLIT_MEETING, SPLIT_AT_BARRIER };

/* Lanes of a warp that share a place in the program. */
struct split {
  uint32_t pc; /* index of an op */
  uint32_t lanes;
  enum split_state state;
  uint32_t members; /* member mask of a meeting, id of a barrier */
  uint64_t turn;    /* when it last ran: the oldest is never starved */
};

/* The control flow of a warp: its splits. No lane is in two of them; an exited
 * lane is in none. */
struct flow {
  struct split split[LANES];
  uint32_t count;
  uint64_t instructions; /* run by this warp */
  uint64_t turns;
  bool arrived;  /* at a block barrier that is not complete */
  uint32_t left; /* of the turn that it has now */
  bool rotate;   /* next time, the split that waited longest */
};

struct runner {
  const struct program *program;
  const struct sim_launch *launch;
  struct block block;
  struct warp warps[MAX_WARPS];
  struct flow flows[MAX_WARPS];
  struct barrier barriers[MAX_BARRIERS];
  struct counters counters;
  struct fault fault;
  struct findings findings;
  struct race *race;    /* NULL: races are not looked for */
  unsigned char *files; /* register files, one a warp */
  unsigned char *locals;
  uint32_t order[MAX_WARPS]; /* in which warps get their turn */
  enum sim_schedule schedule;
  uint64_t seed;         /* of SIM_SEED */
  uint64_t random;       /* the state of its generator, in this block */
  uint64_t warp_limit;   /* instructions one warp may run */
  uint64_t launch_limit; /* that all warps may run together */
  uint64_t executed;     /* since it was last added to *total */
  uint64_t *total;       /* of all runners of the launch; atomic */
};

/* Warp instructions one warp may run when no limit is given. */
#define DEFAULT_WARP_LIMIT (1ULL << 28)

struct runner_setup {
  const struct program *program;
  const struct sim_launch *launch;
  const struct sim_options *options;
  const struct region *regions;
  uint32_t region_count;
  uint64_t *total;
};

/* Makes a runner; NULL when there is no memory. */
struct runner *runner_create(const struct runner_setup *setup);
void runner_free(struct runner *runner);

/* Runs one block, `index` counting x fastest. False: runner->fault says why. */
bool runner_block(struct runner *runner, uint64_t index);

/* Lets one warp run until it waits, ends or has had its turn (flow.c). */
bool warp_run(struct runner *runner, struct warp *warp, struct flow *flow);
/* True where a split of the warp can run. */
bool flow_ready(const struct flow *flow);
/* Adds a split. */
void flow_add(struct flow *flow, uint32_t pc, uint32_t lanes,
              enum split_state state, uint32_t members);
/* Tells the observer, which there must be, of an op: before, or done. */
void warp_watch(const struct runner *runner, const struct warp *warp,
                const struct op *op, uint32_t lanes, bool done);

/* The lanes of a warp that were launched and have not exited. */
static inline uint32_t live_lanes(const struct warp *warp) {
  return warp->exists & ~warp->exited;
}

/* The next number of the generator behind SIM_SEED (splitmix64). */
uint64_t random_next(uint64_t *state);

/* Reports that no lane of the block can run: who waits for whom. */
bool deadlock_raise(struct runner *runner);

#endif
