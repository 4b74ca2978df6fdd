/* Chapter 3 on the host: the ladder in C, in the kernel's own order, and the
 * counts that a run must show. */
#include <stddef.h>
#include <stdint.h>

#include "../host/stage.h"

enum { LANES = 32, RUNGS = 5, SECTOR_FLOATS = 8 };

static void fold_warp(float value[LANES]) {
  for (unsigned delta = LANES / 2; delta > 0; delta /= 2) {
    float received[LANES];
    for (unsigned lane = 0; lane < LANES; ++lane) {
      const unsigned source = lane + delta;
      received[lane] = value[source < LANES ? source : lane];
    }
    for (unsigned lane = 0; lane < LANES; ++lane)
      value[lane] += received[lane];
  }
}

static float sum_block(const float *x, size_t n, size_t first, unsigned block) {
  float sum = 0.0f;
  for (size_t start = first; start < first + block; start += LANES) {
    float value[LANES];
    for (size_t lane = 0; lane < LANES; ++lane)
      value[lane] = start + lane < n ? x[start + lane] : 0.0f;
    fold_warp(value);
    sum += value[0];
  }
  return sum;
}

static void model(const float *x, size_t n, unsigned block, float *partial) {
  for (size_t first = 0; first < n; first += block)
    partial[first / block] = sum_block(x, n, first, block);
}

static void expect(size_t n, unsigned block, struct expectation *e) {
  const uint64_t blocks = (n + block - 1) / block;
  const uint64_t warps = blocks * (block / LANES);
  e->global_load_sectors = (n + SECTOR_FLOATS - 1) / SECTOR_FLOATS;
  e->global_load_requests = (n + LANES - 1) / LANES;
  e->global_store_sectors = blocks;
  e->global_store_requests = blocks;
  e->shuffles = RUNGS * warps;
  e->barriers = warps;
  e->shared_store_wavefronts = warps;
  e->shared_load_wavefronts = warps;
}

static unsigned depth(unsigned block) { return RUNGS + block / LANES; }

const struct stage stage = {.chapter = 3,
                            .title = "The shuffle ladder",
                            .kernel = "reduce",
                            .model = model,
                            .expect = expect,
                            .depth = depth};
