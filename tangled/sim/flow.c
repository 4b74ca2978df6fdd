/* The control flow of one warp: splits, branches, meetings, exits. */
#include <string.h>

#include "collective.h"
#include "runner.h"

/* Backward branches, and splits, that a warp may run before another does. */
enum { TURN = 1 << 10 };

static uint32_t read_mask(const struct warp *warp, uint32_t offset) {
  uint32_t bits;
  memcpy(&bits, warp->regs + offset, sizeof bits);
  return bits;
}

static uint32_t read_lane(const struct warp *warp, uint32_t offset,
                          uint32_t lane) {
  return read_mask(warp, offset + 4 * lane);
}

void flow_add(struct flow *flow, uint32_t pc, uint32_t lanes,
              enum split_state state, uint32_t members) {
  if (lanes)
    flow->split[flow->count++] = (struct split){.pc = pc,
                                                .lanes = lanes,
                                                .state = state,
                                                .members = members,
                                                .turn = flow->turns};
}

static void flow_remove(struct flow *flow, uint32_t index) {
  flow->split[index] = flow->split[--flow->count];
}

bool flow_ready(const struct flow *flow) {
  for (uint32_t i = 0; i < flow->count; i++)
    if (flow->split[i].state == SPLIT_READY)
      return true;
  return false;
}

/* Meetings. */

static uint32_t gather(const struct flow *flow, const struct op *ops,
                       const struct split *first, struct arrival *arrivals,
                       uint32_t *count) {
  uint32_t lanes = 0;
  *count = 0;
  for (uint32_t i = 0; i < flow->count; i++) {
    const struct split *other = &flow->split[i];
    if (other->state != SPLIT_MEETING || other->members != first->members ||
        !collective_same(&ops[other->pc], &ops[first->pc]))
      continue;
    arrivals[(*count)++] =
        (struct arrival){.op = &ops[other->pc], .lanes = other->lanes};
    lanes |= other->lanes;
  }
  return lanes;
}

static void release(struct flow *flow, uint32_t lanes) {
  for (uint32_t i = 0; i < flow->count; i++)
    if (flow->split[i].lanes & lanes) {
      flow->split[i].state = SPLIT_READY;
      flow->split[i].pc++;
    }
}

/* Does what the lanes came for; bar.warp.sync orders their accesses too. */
static void meet(const struct runner *runner, struct warp *warp,
                 const struct op *op, const struct arrival *arrivals,
                 uint32_t count, uint32_t lanes) {
  collective_meet(warp, arrivals, count, lanes);
  if (runner->race && strcmp(op->source->opcode, "bar") == 0)
    race_warp_sync(runner->race, warp->index, lanes);
}

static void flow_settle(const struct runner *runner, struct warp *warp,
                        struct flow *flow) {
  const struct op *ops = runner->program->ops;
  for (uint32_t i = 0; i < flow->count; i++) {
    const struct split *split = &flow->split[i];
    if (split->state != SPLIT_MEETING)
      continue;
    struct arrival arrivals[LANES];
    uint32_t count;
    uint32_t come = gather(flow, ops, split, arrivals, &count);
    uint32_t needed = (split->members | come) & live_lanes(warp);
    if (needed & ~come)
      continue;
    meet(runner, warp, &ops[split->pc], arrivals, count, needed);
    for (uint32_t k = 0; k < count && runner->launch->observer; k++)
      warp_watch(runner, warp, arrivals[k].op, arrivals[k].lanes, true);
    release(flow, come);
  }
}

static void complain_mask(const struct warp *warp, const struct op *op,
                          uint32_t lanes, uint32_t members) {
  finding_add(warp, op, lanes & ~members, "mask-without-caller",
              "lane %d runs %.60s but its own bit is off in the member mask "
              "0x%08x: a mask has one bit for each lane that takes part",
              __builtin_ctz(lanes & ~members), op->source->text, members);
}

/* Lanes come to a collective one member mask at a time. */
static void park(struct warp *warp, struct flow *flow, const struct op *op,
                 uint32_t pc, uint32_t lanes) {
  while (lanes) {
    uint32_t members = read_lane(warp, op->f, (uint32_t)__builtin_ctz(lanes));
    uint32_t group = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (lanes >> lane & 1 && read_lane(warp, op->f, lane) == members)
        group |= 1u << lane;
    if (group & ~members)
      complain_mask(warp, op, group, members);
    flow_add(flow, pc, group, SPLIT_MEETING, members);
    lanes &= ~group;
  }
}

/* The usual case: all the lanes that the mask names are here, in one split. */
static bool meet_at_once(const struct runner *runner, struct warp *warp,
                         const struct op *op, uint32_t lanes) {
  uint32_t members = read_lane(warp, op->f, (uint32_t)__builtin_ctz(lanes));
  uint32_t others = 0;
  for (uint32_t lane = 0; lane < LANES && !op->absolute; lane++)
    others |= (uint32_t)(read_lane(warp, op->f, lane) != members) << lane;
  if (others & lanes)
    return false;
  if ((members & live_lanes(warp)) != lanes)
    return false;
  struct arrival arrival = {.op = op, .lanes = lanes};
  meet(runner, warp, op, &arrival, 1, lanes);
  return true;
}

/* Returns. */

static void return_lanes(const struct warp *warp, struct flow *flow,
                         const struct op *op, uint32_t lanes) {
  while (lanes) {
    uint32_t pc = read_lane(warp, op->d, (uint32_t)__builtin_ctz(lanes));
    uint32_t group = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (lanes >> lane & 1 && read_lane(warp, op->d, lane) == pc)
        group |= 1u << lane;
    flow_add(flow, pc, group, SPLIT_READY, 0);
    lanes &= ~group;
  }
}

static void remember_return(const struct warp *warp, const struct op *op,
                            uint32_t lanes, uint32_t pc) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1)
      memcpy(warp->regs + op->d + 4 * lane, &pc, sizeof pc);
}

/* Running one split. */

struct cursor { /* of the split that runs; it is in no list meanwhile */
  uint32_t pc, lanes;
  uint32_t stop; /* where the next split waits to be rejoined */
};

static uint32_t next_stop(const struct runner *runner,
                          const struct flow *flow) {
  uint32_t stop = UINT32_MAX;
  if (runner->schedule == SIM_SIDE)
    return stop;
  for (uint32_t i = 0; i < flow->count; i++)
    if (flow->split[i].state == SPLIT_READY && flow->split[i].pc < stop)
      stop = flow->split[i].pc;
  return stop;
}

static void branch(struct runner *runner, struct flow *flow, struct cursor *at,
                   const struct op *op, uint32_t taken) {
  uint32_t next = at->pc + 1, target = op->target;
  uint32_t rest = at->lanes & ~taken;
  if (target <= at->pc && taken)
    flow->left--;
  if (!rest || !taken) {
    at->pc = rest ? next : target;
    return;
  }
  bool jump = runner->schedule == SIM_SIDE || target < next;
  flow_add(flow, jump ? next : target, jump ? rest : taken, SPLIT_READY, 0);
  at->pc = jump ? target : next;
  at->lanes = jump ? taken : rest;
  at->stop = next_stop(runner, flow);
}

static void call(const struct warp *warp, struct flow *flow, struct cursor *at,
                 const struct op *op, uint32_t lanes) {
  remember_return(warp, op, lanes, at->pc + 1);
  flow_add(flow, at->pc + 1, at->lanes & ~lanes, SPLIT_READY, 0);
  at->pc = op->target;
  at->lanes = lanes;
  at->stop = UINT32_MAX; /* the callee may lie past where others wait */
}

static bool trap(const struct warp *warp, const struct op *op, uint32_t lanes) {
  if (strcmp(op->source->opcode, "trap") != 0)
    return fault_raise(warp, op, lanes, FAULT_ASSERT, "assert",
                       "an assertion of the kernel does not hold");
  return fault_raise(warp, op, lanes, FAULT_ILLEGAL_INSTRUCTION, "trap",
                     "the kernel ran `trap`");
}

/* Lanes of a barrier wait; those whose guard was false go on. */
static void wait_barrier(const struct warp *warp, struct flow *flow,
                         struct cursor *at, const struct op *op,
                         uint32_t lanes) {
  flow_add(flow, at->pc + 1, at->lanes & ~lanes, SPLIT_READY, 0);
  uint32_t id = read_lane(warp, op->a, (uint32_t)__builtin_ctz(lanes));
  flow_add(flow, at->pc, lanes, SPLIT_AT_BARRIER, id);
  warp->counters->barriers++;
  at->lanes = 0;
}

static void come_together(const struct runner *runner, struct warp *warp,
                          struct flow *flow, struct cursor *at,
                          const struct op *op, uint32_t lanes) {
  if (!lanes || meet_at_once(runner, warp, op, lanes)) {
    at->pc++;
    return;
  }
  flow_add(flow, at->pc + 1, at->lanes & ~lanes, SPLIT_READY, 0);
  park(warp, flow, op, at->pc, lanes);
  at->lanes = 0;
}

static void leave(struct warp *warp, struct cursor *at, uint32_t lanes) {
  warp->exited |= lanes;
  at->lanes &= ~lanes;
  at->pc++;
}

static void give_back(const struct warp *warp, struct flow *flow,
                      struct cursor *at, const struct op *op, uint32_t lanes) {
  flow_add(flow, at->pc + 1, at->lanes & ~lanes, SPLIT_READY, 0);
  return_lanes(warp, flow, op, lanes);
  at->lanes = 0;
}

/* An op that moves control or waits. False after a fault. */
static bool divert(struct runner *runner, struct warp *warp, struct flow *flow,
                   struct cursor *at, const struct op *op, uint32_t lanes) {
  if (op->kind == OP_BRANCH) {
    branch(runner, flow, at, op, lanes);
  } else if (op->kind == OP_COLLECTIVE) {
    come_together(runner, warp, flow, at, op, lanes);
  } else if (!lanes) {
    at->pc++;
  } else if (op->kind == OP_EXIT) {
    leave(warp, at, lanes);
  } else if (op->kind == OP_BARRIER) {
    wait_barrier(warp, flow, at, op, lanes);
  } else if (op->kind == OP_CALL) {
    call(warp, flow, at, op, lanes);
  } else if (op->kind == OP_RETURN) {
    give_back(warp, flow, at, op, lanes);
  } else {
    return trap(warp, op, lanes);
  }
  return true;
}

void warp_watch(const struct runner *runner, const struct warp *warp,
                const struct op *op, uint32_t lanes, bool done) {
  const struct sim_observer *observer = runner->launch->observer;
  if (done && observer->after)
    observer->after(observer->self, warp, op, lanes);
  if (!done && observer->step)
    observer->step(observer->self, warp, op, lanes);
}

/* True where the lanes that ran the op wait for others now. */
static bool parked(const struct op *op, const struct cursor *at) {
  return !at->lanes && (op->kind == OP_COLLECTIVE || op->kind == OP_BARRIER);
}

/* One op that goes on to the next. False after a fault. */
static inline __attribute__((always_inline)) bool
advance(const struct runner *runner, struct warp *warp, const struct op *op,
        uint32_t lanes) {
  if (!lanes)
    return true;
  if (op->kind == OP_LANES) {
    op->run.lanes(warp->regs, op, lanes);
    return true;
  }
  if (op->access && runner->race)
    race_access(runner->race, warp, op, lanes);
  return op->run.warp(warp, op, lanes);
}

static void count_run(struct runner *runner, struct warp *warp,
                      struct flow *flow, uint64_t instructions,
                      uint64_t lane_instructions) {
  flow->instructions += instructions;
  runner->executed += instructions;
  warp->counters->instructions += instructions;
  warp->counters->lane_instructions += lane_instructions;
}

static bool goes_on(const struct op *op) {
  return op->kind == OP_LANES || op->kind == OP_WARP || op->kind == OP_HIDDEN;
}

/* Runs until the lanes are gone, meet others, or their turn is over. */
static inline __attribute__((always_inline)) bool
run_split(struct runner *runner, struct warp *warp, struct flow *flow,
          struct cursor *at, bool watched) {
  const struct op *ops = runner->program->ops;
  uint64_t instructions = 0, lane_instructions = 0;
  bool good = true;
  while (good && at->lanes && at->pc < at->stop && flow->left) {
    const struct op *op = &ops[at->pc];
    uint32_t lanes = at->lanes & (read_mask(warp, op->guard) ^ op->flip);
    uint32_t counted = op->kind != OP_HIDDEN;
    instructions += counted;
    lane_instructions += counted * (uint32_t)__builtin_popcount(lanes);
    if (watched && counted)
      warp_watch(runner, warp, op, lanes, false);
    if (goes_on(op)) {
      good = advance(runner, warp, op, lanes);
      at->pc++;
    } else {
      good = divert(runner, warp, flow, at, op, lanes);
    }
    if (watched && counted && good && !parked(op, at))
      warp_watch(runner, warp, op, lanes, true);
  }
  count_run(runner, warp, flow, instructions, lane_instructions);
  return good;
}

/* Choosing what runs next. */

uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static bool better(const struct runner *runner, const struct flow *flow,
                   const struct split *one, const struct split *best) {
  if (flow->rotate && one->turn != best->turn)
    return one->turn < best->turn;
  if (runner->schedule == SIM_SIDE)
    return one->turn > best->turn;
  return one->pc < best->pc;
}

static uint32_t choose(struct runner *runner, struct flow *flow) {
  uint32_t best = LANES, seen = 0;
  for (uint32_t i = 0; i < flow->count; i++) {
    if (flow->split[i].state != SPLIT_READY)
      continue;
    seen++;
    if (best == LANES)
      best = i;
    else if (runner->schedule == SIM_SEED && !flow->rotate) {
      if (random_next(&runner->random) % seen == 0)
        best = i;
    } else if (better(runner, flow, &flow->split[i], &flow->split[best])) {
      best = i;
    }
  }
  return best;
}

/* Takes the split at `index` out, and every ready split at the same place. */
static struct cursor take(struct runner *runner, struct flow *flow,
                          uint32_t index) {
  struct cursor at = {.pc = flow->split[index].pc,
                      .lanes = flow->split[index].lanes};
  flow_remove(flow, index);
  for (uint32_t i = 0; i < flow->count;)
    if (flow->split[i].state == SPLIT_READY && flow->split[i].pc == at.pc) {
      at.lanes |= flow->split[i].lanes;
      flow_remove(flow, i);
    } else {
      i++;
    }
  at.stop = next_stop(runner, flow);
  if (at.stop <= at.pc) /* an older split runs first, out of order */
    at.stop = UINT32_MAX;
  return at;
}

static bool waits(const struct flow *flow) {
  for (uint32_t i = 0; i < flow->count; i++)
    if (flow->split[i].state == SPLIT_MEETING)
      return true;
  return false;
}

/* Adds what was run to the launch's total, now and then. */
static uint64_t count_up(struct runner *runner) {
  if (runner->executed < 1u << 16)
    return 0;
  uint64_t executed = runner->executed;
  runner->executed = 0;
  return executed +
         __atomic_fetch_add(runner->total, executed, __ATOMIC_RELAXED);
}

static bool check_limit(struct runner *runner, const struct warp *warp,
                        const struct flow *flow, const struct cursor *at) {
  uint64_t limit = runner->warp_limit;
  if (count_up(runner) > runner->launch_limit)
    limit = runner->launch_limit;
  else if (flow->instructions <= limit)
    return true;
  return fault_raise(warp, &runner->program->ops[at->pc],
                     at->lanes ? at->lanes : live_lanes(warp), FAULT_LIMIT,
                     "endless-loop",
                     "over %llu warp instructions and no end: an endless "
                     "loop? (SIM_LIMIT=n allows more)",
                     (unsigned long long)limit);
}

bool warp_run(struct runner *runner, struct warp *warp, struct flow *flow) {
  bool watched = runner->launch->observer != NULL;
  flow->left = TURN;
  for (uint32_t index; (index = choose(runner, flow)) < LANES;) {
    struct cursor at = take(runner, flow, index);
    bool good = watched ? run_split(runner, warp, flow, &at, true)
                        : run_split(runner, warp, flow, &at, false);
    flow->turns++;
    flow->left -= flow->left > 0;
    flow->rotate = !flow->left;
    flow_add(flow, at.pc, at.lanes, SPLIT_READY, 0);
    if (!good || !check_limit(runner, warp, flow, &at))
      return false;
    if (waits(flow))
      flow_settle(runner, warp, flow);
    if (!flow->left)
      return true;
  }
  return true;
}
