/* The host program of every chapter: makes the numbers, runs the chapter's
 * kernel, and says whether the partial sums are right. Exit status: 0 judged
 * and passed, 1 judged and failed, 2 it could not be judged. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "file.h"
#include "input.h"
#include "judge.h"
#include "options.h"
#include "report.h"
#include "screen.h"
#include "stage.h"

struct arrays {
  float *x, *model, *partial;
};

static bool arrays_make(struct arrays *a, size_t n, size_t blocks) {
  a->x = calloc(n + 1, sizeof(float));
  a->model = calloc(blocks + 1, sizeof(float));
  a->partial = calloc(blocks + DEVICE_GUARD, sizeof(float));
  if (a->x && a->model && a->partial) {
    input_fill(a->x, n);
    return true;
  }
  (void)fprintf(stderr, "there is too little memory for %zu elements\n", n);
  return false;
}

static void arrays_free(struct arrays *a) {
  free(a->x);
  free(a->model);
  free(a->partial);
}

static void begin(struct judgement *j, const struct options *options) {
  *j = (struct judgement){.stage = &stage, .options = options};
  j->kernel = options->kernel ? options->kernel : stage.kernel;
  j->blocks = (options->n + options->block - 1) / options->block;
  memset(&j->expectation, 0xff, sizeof j->expectation);
  stage.expect(options->n, options->block, &j->expectation);
  counts_clear(&j->counts);
  (void)setenv("SIM_CHECK", "1", 0);
  const char *check = getenv("SIM_CHECK");
  j->finder = check && strcmp(check, "1") == 0;
}

static void read_counts(struct judgement *j, const char *launches, long from) {
  if (j->options->ncu) {
    if (!counts_read_ncu(&j->counts, j->options->ncu, j->kernel))
      (void)fprintf(stderr, "%s has no counts of %s\n", j->options->ncu,
                    j->kernel);
  } else if (launches) {
    (void)counts_read_launch(&j->counts, launches, from, j->kernel);
  }
}

static bool run_kernel(struct judgement *j, struct device *device,
                       const struct arrays *a) {
  const char *launches = getenv("SIM_REPORT");
  const long from = launches ? file_size(launches) : 0;
  const size_t n = j->options->n;
  j->launched = j->blocks > 0;
  j->ended = !j->launched;
  if (!j->launched)
    return true;
  if (!device_prepare(device, a->x, n, j->blocks))
    return false;
  j->run.partial = a->partial;
  j->ended = device_launch(device, n, j->blocks, j->options->block, &j->run);
  if (!j->ended)
    (void)snprintf(j->failure, sizeof j->failure, "%s", device->problem);
  read_counts(j, launches, from);
  return !j->ended || device_fetch(device, a->x, n, j->blocks, &j->run);
}

static void compare(struct judgement *j, const struct arrays *a) {
  const size_t n = j->options->n;
  const unsigned block = j->options->block;
  const unsigned depth = stage.depth ? stage.depth(block) : block - 1;
  if (!j->ended)
    return;
  stage.model(a->x, n, block, a->model);
  proof_make(&j->proof, a->x, n, block, depth, a->partial, a->model);
}

static int judge(struct judgement *j, struct device *device,
                 const struct arrays *a) {
  const char *report = j->options->report;
  if (!device_open(device, j->options->ptx, j->kernel, stage.min_arch) ||
      !run_kernel(j, device, a)) {
    (void)fprintf(stderr, "%s", device->problem);
    return 2;
  }
  (void)snprintf(j->device, sizeof j->device, "%s", device->name);
  j->arch = device->arch;
  j->simulator = strcmp(device->name, "simulator") == 0;
  compare(j, a);
  judge_decide(j);
  screen_print(j);
  if (report && !report_write(j, report)) {
    (void)fprintf(stderr, "%s: %s\n", report, strerror(errno));
    return 2;
  }
  return j->pass ? 0 : 1;
}

int main(int argc, char **argv) {
  struct options options;
  struct judgement j;
  struct arrays arrays;
  struct device device = {0};
  int status = 2;
  if (!options_read(&options, argc, argv))
    return status;
  begin(&j, &options);
  if (arrays_make(&arrays, options.n, j.blocks))
    status = judge(&j, &device, &arrays);
  const bool ended = j.ended && status != 2;
  if (!device_close(&device) && ended) {
    (void)fprintf(stderr, "%s", device.problem);
    status = 2;
  }
  counts_free(&j.counts);
  arrays_free(&arrays);
  return status;
}
