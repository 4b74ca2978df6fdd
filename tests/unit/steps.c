/* The worked examples of chapters 12 and 14, step by step. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "simulator.h"
#include "tap.h"

struct step {
  uint32_t op, lanes;
};

struct trace {
  const struct program *program;
  struct step steps[64];
  uint32_t count;
};

static void note(void *self, const struct warp *warp, const struct op *op,
                 uint32_t mask) {
  (void)warp;
  struct trace *trace = self;
  if (trace->count < 64)
    trace->steps[trace->count++] =
        (struct step){(uint32_t)(op - trace->program->ops), mask};
}

static char *text_of(const char *name, size_t *length) {
  char path[200];
  static char text[1 << 16];
  snprintf(path, sizeof path, "tests/ptx/run/%s.ptx", name);
  FILE *file = fopen(path, "r");
  *length = file ? fread(text, 1, sizeof text, file) : 0;
  if (file)
    fclose(file);
  return text;
}

/* Runs one block of a file's kernel; the caller destroys *sim. */
static struct sim_kernel *run(const char *name, uint32_t threads,
                              enum sim_schedule schedule, struct sim **sim,
                              struct trace *trace, struct sim_result *result) {
  struct sim_options options = {
      .threads = 1, .check = true, .schedule = schedule};
  size_t length;
  const char *ptx = text_of(name, &length);
  struct ptx_error error;
  *sim = sim_create(&options);
  struct sim_module *module = sim_module_load(*sim, ptx, length, &error);
  if (!module)
    return NULL;
  struct sim_kernel *kernel = sim_module_kernel_at(module, 0);
  *trace = (struct trace){.program = kernel->program};
  struct sim_observer observer = {.self = trace, .step = note};
  uint64_t out = sim_allocate(*sim, 128);
  struct sim_launch launch = {.grid = {1, 1, 1},
                              .block = {threads, 1, 1},
                              .parameters = &out,
                              .observer = &observer};
  sim_run(*sim, kernel, &launch, result);
  return kernel;
}

static void same_steps(const struct trace *trace, const struct step *want,
                       uint32_t count, const char *name) {
  bool good = trace->count == count &&
              memcmp(trace->steps, want, count * sizeof *want) == 0;
  tap_ok(good, "%s", name);
}

static void test_layout(void) {
  struct sim *sim;
  struct trace trace;
  struct sim_result result;
  struct sim_kernel *kernel = run("part", 32, SIM_EAGER, &sim, &trace, &result);
  const struct op *ops = kernel->program->ops;
  tap_is_u64(kernel->program->op_count, 12, "part: twelve ops");
  tap_ok(ops[1].d == 512 && ops[1].a == 1792, "part: mov");
  tap_ok(ops[2].d == 324 && ops[2].a == 512 && ops[2].b == 1920, "part: setp");
  tap_ok(ops[3].guard == 324 && ops[3].target == 6, "part: bra");
  tap_ok(ops[4].d == 640 && ops[4].a == 512 && ops[4].b == 2048, "part: mul");
  tap_is_u64(ops[5].target, 7, "part: bra to the join");
  tap_ok(ops[6].d == 640 && ops[6].a == 512 && ops[6].b == 2176, "part: add");
  tap_is_u64(kernel->program->file_bytes, 2432, "part: the register file");
  sim_destroy(sim);
}

static void test_part(void) {
  static const struct step eager[] = {
      {0, ~0u},         {1, ~0u},         {2, ~0u},  {3, 0xff},
      {4, 0xffffff00u}, {5, 0xffffff00u}, {6, 0xff}, {7, ~0u},
      {8, ~0u},         {9, ~0u},         {10, ~0u}};
  struct sim *sim;
  struct trace trace;
  struct sim_result result;
  run("part", 32, SIM_EAGER, &sim, &trace, &result);
  same_steps(&trace, eager, 11, "part: splits and meets again");
  tap_is_u64(result.counters.global_store_requests, 1, "part: one store");
  sim_destroy(sim);
  run("part", 32, SIM_SIDE, &sim, &trace, &result);
  tap_is_u64(result.counters.instructions, 15, "part: one side to its end");
  tap_is_u64(result.counters.global_store_requests, 2, "part: two stores");
  tap_is_u64(result.counters.lane_instructions, 288, "part: the same lanes");
  sim_destroy(sim);
}

static void test_arms(void) {
  static const struct step steps[] = {
      {0, 15}, {1, 15}, {2, 15}, {3, 3},   {4, 12},  {5, 12}, {7, 3},
      {8, 3},  {6, 12}, {9, 15}, {10, 15}, {11, 15}, {12, 15}};
  struct sim *sim;
  struct trace trace;
  struct sim_result result;
  run("arms", 4, SIM_EAGER, &sim, &trace, &result);
  same_steps(&trace, steps, 13, "arms: the two shuffles meet");
  uint32_t *out = (uint32_t *)(void *)sim_host(sim, GLOBAL_BASE, 16);
  tap_ok(out[0] == 22 && out[1] == 23 && out[2] == 10 && out[3] == 11,
         "arms: each lane gets its partner's value");
  tap_is_u64(result.findings.count, 0, "arms: and no rule is broken");
  sim_destroy(sim);
}

static void test_alone(void) {
  struct sim *sim;
  struct trace trace;
  struct sim_result result;
  run("alone", 4, SIM_EAGER, &sim, &trace, &result);
  tap_is_u64(result.fault.kind, FAULT_DEADLOCK, "alone: a wait without end");
  sim_destroy(sim);
}

int main(void) {
  test_layout();
  test_part();
  test_arms();
  test_alone();
  return tap_done();
}
