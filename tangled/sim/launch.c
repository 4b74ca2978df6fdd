/* Running a grid: blocks are handed out in order to host threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"
#include "simulator.h"

struct work {      /* shared by the threads of one launch */
  uint64_t next;   /* block to hand out; atomic */
  uint64_t blocks; /* of the grid */
  uint64_t stop;   /* no block from here on is run; atomic */
  uint64_t total;  /* warp instructions so far; atomic */
};

struct worker {
  struct work *work;
  struct runner *runner;
  uint64_t fault_block;
  pthread_t thread;
  bool started;
};

static void lower(uint64_t *value, uint64_t candidate) {
  uint64_t now = __atomic_load_n(value, __ATOMIC_RELAXED);
  while (candidate < now &&
         !__atomic_compare_exchange_n(value, &now, candidate, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void *worker_main(void *argument) {
  struct worker *worker = argument;
  struct work *work = worker->work;
  for (;;) {
    uint64_t block = __atomic_fetch_add(&work->next, 1, __ATOMIC_RELAXED);
    if (block >= work->blocks ||
        block >= __atomic_load_n(&work->stop, __ATOMIC_RELAXED))
      return NULL;
    if (!runner_block(worker->runner, block)) {
      worker->fault_block = block;
      lower(&work->stop, block);
      return NULL;
    }
  }
}

static uint32_t thread_count(const struct sim *sim,
                             const struct sim_kernel *kernel,
                             const struct sim_launch *launch, uint64_t blocks) {
  if (kernel->program->has_atomics || launch->observer)
    return 1; /* the order of atomics decides float sums: keep it fixed */
  uint64_t threads = sim->options.threads;
  if (!threads) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    threads = cores > 0 ? (uint64_t)cores : 1;
  }
  if (threads > blocks)
    threads = blocks;
  return threads > 256 ? 256 : (uint32_t)threads;
}

static void add_counters(struct counters *sum, const struct counters *part) {
  sum->global_load_sectors += part->global_load_sectors;
  sum->global_store_sectors += part->global_store_sectors;
  sum->global_load_requests += part->global_load_requests;
  sum->global_store_requests += part->global_store_requests;
  sum->shared_load_wavefronts += part->shared_load_wavefronts;
  sum->shared_store_wavefronts += part->shared_store_wavefronts;
  sum->shared_bank_conflicts += part->shared_bank_conflicts;
  sum->shuffles += part->shuffles;
  sum->votes += part->votes;
  sum->reduxes += part->reduxes;
  sum->barriers += part->barriers;
  sum->instructions += part->instructions;
  sum->lane_instructions += part->lane_instructions;
  sum->approximate += part->approximate;
}

static uint64_t place_of(const struct sim_launch *launch,
                         const struct fault *fault) {
  return ((uint64_t)fault->block[2] * launch->grid[1] + fault->block[1]) *
             launch->grid[0] +
         fault->block[0];
}

static struct finding *same_finding(struct findings *sum,
                                    const struct finding *finding) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->finding[i].op == finding->op &&
        strcmp(sum->finding[i].first.id, finding->first.id) == 0)
      return &sum->finding[i];
  return NULL;
}

static void add_findings(struct findings *sum, const struct findings *part,
                         const struct sim_launch *launch) {
  for (uint32_t i = 0; i < part->count; i++) {
    const struct finding *finding = &part->finding[i];
    struct finding *known = same_finding(sum, finding);
    if (!known) {
      if (sum->count < MAX_FINDINGS)
        sum->finding[sum->count++] = *finding;
      continue;
    }
    known->count += finding->count;
    if (place_of(launch, &finding->first) < place_of(launch, &known->first))
      known->first = finding->first;
  }
}

static int by_place(const void *one, const void *other) {
  const struct finding *a = one, *b = other;
  if (a->first.ptx_line != b->first.ptx_line)
    return a->first.ptx_line < b->first.ptx_line ? -1 : 1;
  return strcmp(a->first.id, b->first.id);
}

static void collect(const struct worker *workers, uint32_t count,
                    const struct sim_launch *launch,
                    struct sim_result *result) {
  uint64_t first = UINT64_MAX;
  for (uint32_t i = 0; i < count; i++) {
    const struct runner *runner = workers[i].runner;
    add_counters(&result->counters, &runner->counters);
    add_findings(&result->findings, &runner->findings, launch);
    if (runner->fault.kind != FAULT_NONE && workers[i].fault_block < first) {
      first = workers[i].fault_block;
      result->fault = runner->fault;
    }
  }
  qsort(result->findings.finding, result->findings.count,
        sizeof result->findings.finding[0], by_place);
}

static void start(struct worker *workers, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    workers[i].started =
        pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]) == 0;
  worker_main(&workers[0]);
  for (uint32_t i = 1; i < count; i++)
    if (workers[i].started)
      pthread_join(workers[i].thread, NULL);
}

static bool starve(struct sim_result *result) {
  result->fault = (struct fault){
      .kind = FAULT_MEMORY,
      .id = "out-of-memory",
      .message = "the host has too little memory for this launch"};
  return false;
}

static bool run_workers(struct worker *workers, uint32_t count,
                        struct work *work, const struct runner_setup *setup,
                        struct sim_result *result) {
  bool good = true;
  for (uint32_t i = 0; i < count; i++) {
    workers[i] = (struct worker){.work = work, .runner = runner_create(setup)};
    good = good && workers[i].runner;
  }
  if (good && count) {
    start(workers, count);
    collect(workers, count, setup->launch, result);
  }
  for (uint32_t i = 0; i < count; i++)
    runner_free(workers[i].runner);
  return good;
}

bool sim_run(struct sim *sim, struct sim_kernel *kernel,
             const struct sim_launch *launch, struct sim_result *result) {
  *result = (struct sim_result){.counters = {0}};
  struct work work = {.blocks = (uint64_t)launch->grid[0] * launch->grid[1] *
                                launch->grid[2],
                      .stop = UINT64_MAX};
  struct runner_setup setup = {.program = kernel->program,
                               .launch = launch,
                               .options = &sim->options,
                               .regions = sim->regions,
                               .region_count = sim->region_count,
                               .total = &work.total};
  uint32_t count = thread_count(sim, kernel, launch, work.blocks);
  struct worker *workers = calloc(count + 1, sizeof *workers);
  bool good = workers && run_workers(workers, count, &work, &setup, result);
  free(workers);
  return good ? result->fault.kind == FAULT_NONE : starve(result);
}
