/* Running one block: its warps in turn, its barriers, its memory. */
#include <stdlib.h>
#include <string.h>

#include "runner.h"

/* Unwritten shared memory reads as NaN: that shows where zeros would hide. */
enum { UNWRITTEN = 0xff };

static uint32_t read_word(const struct warp *warp, uint32_t offset) {
  uint32_t word;
  memcpy(&word, warp->regs + offset, sizeof word);
  return word;
}

static void fill_lanes(const struct warp *warp, uint32_t offset,
                       uint32_t value) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    memcpy(warp->regs + offset + 4 * lane, &value, sizeof value);
}

/* Special registers. */

static uint32_t thread_part(const struct sim_launch *launch, uint32_t thread,
                            uint8_t part) {
  const uint32_t *block = launch->block;
  if (part == 0)
    return thread % block[0];
  if (part == 1)
    return thread / block[0] % block[1];
  return thread / block[0] / block[1];
}

static uint32_t lane_mask(enum ptx_special which, uint32_t lane) {
  uint32_t own = 1u << lane;
  switch (which) {
  case PTX_LANEMASK_EQ:
    return own;
  case PTX_LANEMASK_LT:
    return own - 1;
  case PTX_LANEMASK_LE:
    return own | (own - 1);
  case PTX_LANEMASK_GT:
    return ~(own | (own - 1));
  default: /* PTX_LANEMASK_GE */
    return ~(own - 1);
  }
}

static uint32_t special_value(const struct runner *runner,
                              const struct special *special, uint32_t warp,
                              uint32_t lane) {
  const struct sim_launch *launch = runner->launch;
  switch (special->which) {
  case PTX_TID:
    return thread_part(launch, warp * LANES + lane, special->part);
  case PTX_NTID:
    return launch->block[special->part];
  case PTX_NCTAID:
    return launch->grid[special->part];
  case PTX_CTAID:
    return runner->block.id[special->part];
  case PTX_LANEID:
    return lane;
  case PTX_WARPID:
    return warp;
  case PTX_NWARPID:
    return LANES;
  case PTX_NSMID:
    return 1;
  case PTX_LANEMASK_EQ:
  case PTX_LANEMASK_LT:
  case PTX_LANEMASK_LE:
  case PTX_LANEMASK_GT:
  case PTX_LANEMASK_GE:
    return lane_mask(special->which, lane);
  case PTX_DYNAMIC_SMEM_SIZE:
    return launch->shared_bytes;
  case PTX_TOTAL_SMEM_SIZE:
    return (uint32_t)runner->block.shared_size;
  default: /* %smid, %gridid and the clocks, which read_clock refreshes */
    return 0;
  }
}

static void fill_special(const struct runner *runner,
                         const struct special *special, uint32_t warp) {
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t value = special_value(runner, special, warp, lane);
    memcpy(runner->warps[warp].regs + special->offset + 4 * lane, &value,
           sizeof value);
  }
}

/* Before the first block: what stays the same from block to block. */

static void fill_constant(const struct warp *warp,
                          const struct constant *constant) {
  unsigned char *slot = warp->regs + constant->offset;
  if (!constant->bytes)
    memcpy(slot, &constant->bits, 4);
  for (uint32_t lane = 0; lane < LANES && constant->bytes; lane++)
    memcpy(slot + lane * constant->bytes, &constant->bits, constant->bytes);
}

static void prepare_warp(struct runner *runner, uint32_t index) {
  const struct program *program = runner->program;
  struct warp *warp = &runner->warps[index];
  size_t stride = ((size_t)program->file_bytes + 63) / 64 * 64;
  uint32_t left = runner->block.threads - index * LANES;
  *warp = (struct warp){.regs = runner->files + index * stride,
                        .block = &runner->block,
                        .counters = &runner->counters,
                        .index = index,
                        .exists = left < LANES ? (1u << left) - 1 : ~0u,
                        .local = runner->locals +
                                 (size_t)index * LANES * program->local_bytes};
  uint32_t always = ~0u;
  memcpy(warp->regs, &always, sizeof always);
  for (uint32_t i = 0; i < program->constant_count; i++)
    fill_constant(warp, &program->constants[i]);
  for (uint32_t i = 0; i < program->special_count; i++)
    fill_special(runner, &program->specials[i], index);
}

static void order_warps(struct runner *runner) {
  uint32_t count = runner->block.warp_count;
  for (uint32_t i = 0; i < count; i++)
    runner->order[i] = runner->schedule == SIM_LAST ? count - 1 - i : i;
  for (uint32_t i = count; runner->schedule == SIM_SEED && i-- > 1;) {
    uint32_t other = (uint32_t)(random_next(&runner->random) % (i + 1));
    uint32_t kept = runner->order[i];
    runner->order[i] = runner->order[other];
    runner->order[other] = kept;
  }
}

static uint64_t shared_size(const struct program *program,
                            const struct sim_launch *launch) {
  uint64_t fixed = program->shared_bytes;
  if (!launch->shared_bytes)
    return fixed;
  return (fixed + 15) / 16 * 16 + launch->shared_bytes;
}

static bool take_memory(struct runner *runner) {
  const struct program *program = runner->program;
  size_t stride = ((size_t)program->file_bytes + 63) / 64 * 64;
  size_t warps = runner->block.warp_count;
  runner->files = aligned_alloc(64, stride * warps);
  runner->locals = malloc(warps * LANES * program->local_bytes + 1);
  runner->block.shared = malloc(runner->block.shared_size + 1);
  if (!runner->files || !runner->locals || !runner->block.shared)
    return false;
  memset(runner->files, 0, stride * warps);
  if (!runner->block.findings || !runner->block.shared_size)
    return true;
  runner->race = race_create(runner->block.shared_size);
  return runner->race != NULL;
}

static void fill_runner(struct runner *runner,
                        const struct runner_setup *setup) {
  const struct sim_launch *launch = setup->launch;
  const struct sim_options *options = setup->options;
  uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
  runner->program = setup->program;
  runner->launch = launch;
  runner->total = setup->total;
  runner->schedule = options->schedule;
  runner->seed = options->seed;
  runner->launch_limit = options->limit ? options->limit : UINT64_MAX;
  runner->warp_limit = options->limit ? options->limit : DEFAULT_WARP_LIMIT;
  runner->block =
      (struct block){.shared_size = shared_size(setup->program, launch),
                     .params = launch->parameters,
                     .params_size = setup->program->parameter_bytes,
                     .local_size = setup->program->local_bytes,
                     .regions = setup->regions,
                     .region_count = setup->region_count,
                     .threads = threads,
                     .warps = runner->warps,
                     .warp_count = (threads + LANES - 1) / LANES,
                     .fault = &runner->fault,
                     .findings = options->check ? &runner->findings : NULL};
}

struct runner *runner_create(const struct runner_setup *setup) {
  struct runner *runner = calloc(1, sizeof *runner);
  if (!runner)
    return NULL;
  fill_runner(runner, setup);
  if (!take_memory(runner)) {
    runner_free(runner);
    return NULL;
  }
  for (uint32_t i = 0; i < runner->block.warp_count; i++)
    prepare_warp(runner, i);
  return runner;
}

void runner_free(struct runner *runner) {
  if (!runner)
    return;
  free(runner->files);
  free(runner->locals);
  free(runner->block.shared);
  race_free(runner->race);
  free(runner);
}

/* Before each block. */

static void start_warp(struct runner *runner, uint32_t index) {
  const struct program *program = runner->program;
  struct warp *warp = &runner->warps[index];
  struct flow *flow = &runner->flows[index];
  for (uint32_t i = 0; i < program->zeroed_count; i++)
    memset(warp->regs + program->zeroed[i].offset, 0, program->zeroed[i].bytes);
  for (uint32_t i = 0; i < program->special_count; i++)
    if (program->specials[i].which == PTX_CTAID)
      fill_lanes(warp, program->specials[i].offset,
                 runner->block.id[program->specials[i].part]);
  if (program->local_bytes)
    memset(warp->local, UNWRITTEN, (size_t)LANES * program->local_bytes);
  warp->exited = 0;
  flow->count = 0;
  flow->instructions = 0;
  flow->arrived = false;
  flow->rotate = false;
  flow_add(flow, 0, warp->exists, SPLIT_READY, 0);
}

static void start_block(struct runner *runner, uint64_t index) {
  const uint32_t *grid = runner->launch->grid;
  runner->block.id[0] = (uint32_t)(index % grid[0]);
  runner->block.id[1] = (uint32_t)(index / grid[0] % grid[1]);
  runner->block.id[2] = (uint32_t)(index / grid[0] / grid[1]);
  memset(runner->block.shared, UNWRITTEN, runner->block.shared_size);
  for (uint32_t i = 0; i < MAX_BARRIERS; i++)
    barrier_reset(&runner->barriers[i]);
  for (uint32_t i = 0; i < runner->block.warp_count; i++)
    start_warp(runner, i);
  runner->random = runner->seed + index * 0xd1342543de82ef95u;
  order_warps(runner);
  if (runner->race)
    race_start(runner->race);
  const struct sim_observer *observer = runner->launch->observer;
  if (observer && observer->block)
    observer->block(observer->self, &runner->block);
}

/* Barriers. */

static uint32_t live_warps(const struct runner *runner) {
  uint32_t warps = 0;
  for (uint32_t i = 0; i < runner->block.warp_count; i++)
    if (live_lanes(&runner->warps[i]))
      warps |= 1u << i;
  return warps;
}

/* True where every live lane of the warp waits at the same barrier. */
static bool gathered(const struct warp *warp, const struct flow *flow) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < flow->count; i++)
    if (flow->split[i].state == SPLIT_AT_BARRIER &&
        flow->split[i].members == flow->split[0].members)
      lanes |= flow->split[i].lanes;
  return lanes && lanes == live_lanes(warp);
}

static const struct op *op_of(const struct runner *runner,
                              const struct split *split) {
  return &runner->program->ops[split->pc];
}

static void report_divergence(const struct runner *runner,
                              const struct warp *warp,
                              const struct flow *flow) {
  for (uint32_t i = 1; i < flow->count; i++) {
    const struct op *here = op_of(runner, &flow->split[0]);
    const struct op *there = op_of(runner, &flow->split[i]);
    const unsigned flags = here->flags | there->flags;
    if (here != there && flags & BARRIER_ALIGNED)
      finding_add(warp, here, flow->split[0].lanes, "barrier-divergence",
                  "lanes 0x%08x of warp %u wait at the barrier of PTX line %u, "
                  "lanes 0x%08x at that of line %u: all threads must reach the "
                  "same one",
                  flow->split[0].lanes, warp->index, here->source->line,
                  flow->split[i].lanes, there->source->line);
  }
}

static uint32_t true_lanes(const struct runner *runner, const struct warp *warp,
                           const struct flow *flow) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < flow->count; i++)
    lanes |= flow->split[i].lanes &
             read_word(warp, op_of(runner, &flow->split[i])->c);
  return lanes;
}

/* Gives a reduction's result to the lanes of one split. */
static void deliver(const struct barrier *barrier, const struct op *op,
                    const struct warp *warp, uint32_t lanes) {
  if (op->variant == BARRIER_RED_POPC) {
    uint32_t count = barrier_popc(barrier);
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (lanes >> lane & 1)
        memcpy(warp->regs + op->d + 4 * lane, &count, sizeof count);
  } else if (op->variant == BARRIER_RED_AND || op->variant == BARRIER_RED_OR) {
    bool all = op->variant == BARRIER_RED_AND;
    bool value = all ? barrier_and(barrier) : barrier_or(barrier);
    uint32_t bits = read_word(warp, op->d);
    bits = value ? bits | lanes : bits & ~lanes;
    memcpy(warp->regs + op->d, &bits, sizeof bits);
  }
}

static void release_warp(struct runner *runner, uint32_t index,
                         const struct barrier *barrier) {
  struct flow *flow = &runner->flows[index];
  for (uint32_t i = 0; i < flow->count; i++) {
    struct split *split = &flow->split[i];
    const struct op *op = op_of(runner, split);
    deliver(barrier, op, &runner->warps[index], split->lanes);
    if (runner->launch->observer)
      warp_watch(runner, &runner->warps[index], op, split->lanes, true);
    split->state = SPLIT_READY;
    split->pc++;
  }
  flow->arrived = false;
}

static void release_all(struct runner *runner, struct barrier *barrier) {
  uint32_t waiting = barrier->waiting;
  if (runner->race)
    race_barrier(runner->race, waiting | barrier->arrived);
  for (uint32_t i = 0; i < runner->block.warp_count; i++)
    if (waiting >> i & 1)
      release_warp(runner, i, barrier);
  barrier_reset(barrier);
}

static bool misuse(const struct warp *warp, const struct op *op, uint32_t id,
                   enum barrier_outcome outcome) {
  static const char *const why[] = {
      [BARRIER_BAD_COUNT] = "the thread count must be a multiple of 32, not 0, "
                            "and no more than the block has",
      [BARRIER_COUNT_MISMATCH] = "other warps wait here for another number of "
                                 "threads",
      [BARRIER_KIND_MISMATCH] = "bar.red meets another kind of bar",
      [BARRIER_WARP_TWICE] = "the warp waits here already"};
  return fault_raise(warp, op, live_lanes(warp), FAULT_ILLEGAL_INSTRUCTION,
                     "barrier-misuse", "barrier %u: %s", id, why[outcome]);
}

static struct barrier_arrival describe(const struct runner *runner,
                                       const struct warp *warp,
                                       const struct flow *flow) {
  const struct op *op = op_of(runner, &flow->split[0]);
  uint32_t lane = (uint32_t)__builtin_ctz(flow->split[0].lanes);
  bool counted = op->flags & BARRIER_COUNTED;
  return (struct barrier_arrival){
      .warp = warp->index,
      .warps = runner->block.warp_count,
      .live_warps = live_warps(runner),
      .kind = (enum barrier_kind)op->variant,
      .count = counted ? read_word(warp, op->b + 4 * lane) : 0,
      .lanes = live_lanes(warp),
      .truths = true_lanes(runner, warp, flow)};
}

static bool arrive(struct runner *runner, struct warp *warp,
                   struct flow *flow) {
  const struct op *op = op_of(runner, &flow->split[0]);
  uint32_t id = flow->split[0].members;
  if (id >= MAX_BARRIERS)
    return fault_raise(warp, op, flow->split[0].lanes,
                       FAULT_ILLEGAL_INSTRUCTION, "barrier-id",
                       "barrier %u: a block has barriers 0 to 15", id);
  report_divergence(runner, warp, flow);
  struct barrier *barrier = &runner->barriers[id];
  struct barrier_arrival arrival = describe(runner, warp, flow);
  enum barrier_outcome outcome = barrier_arrive(barrier, &arrival);
  if (outcome != BARRIER_WAITING && outcome != BARRIER_COMPLETE)
    return misuse(warp, op, id, outcome);
  flow->arrived = true;
  if (arrival.kind == BARRIER_ARRIVE)
    release_warp(runner, warp->index, barrier);
  if (outcome == BARRIER_COMPLETE)
    release_all(runner, barrier);
  return true;
}

/* A warp that ends may complete a barrier that waits for the others. */
static void recheck_barriers(struct runner *runner) {
  uint32_t live = live_warps(runner);
  for (uint32_t i = 0; i < MAX_BARRIERS; i++)
    if (barrier_check(&runner->barriers[i], live) == BARRIER_COMPLETE)
      release_all(runner, &runner->barriers[i]);
}

/* The block. */

static bool step_warp(struct runner *runner, uint32_t index) {
  struct warp *warp = &runner->warps[index];
  struct flow *flow = &runner->flows[index];
  if (!warp_run(runner, warp, flow))
    return false;
  if (!live_lanes(warp))
    recheck_barriers(runner);
  else if (!flow->arrived && gathered(warp, flow))
    return arrive(runner, warp, flow);
  return true;
}

bool runner_block(struct runner *runner, uint64_t index) {
  start_block(runner, index);
  for (bool alive = true; alive;) {
    bool moved = false;
    alive = false;
    for (uint32_t i = 0; i < runner->block.warp_count; i++) {
      uint32_t warp = runner->order[i];
      if (!runner->flows[warp].count)
        continue;
      alive = true;
      if (!flow_ready(&runner->flows[warp]))
        continue;
      moved = true;
      if (!step_warp(runner, warp))
        return false;
    }
    if (alive && !moved)
      return deadlock_raise(runner);
  }
  return true;
}
