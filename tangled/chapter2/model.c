/* Chapter 2 on the host: the sums of chapter 1, at another cost. */
#include <stddef.h>
#include <stdint.h>

#include "../host/stage.h"

static float add_serially(const float *x, size_t count) {
  float sum = 0.0f;
  for (size_t i = 0; i < count; ++i)
    sum += x[i];
  return sum;
}

static void model(const float *x, size_t n, unsigned block, float *partial) {
  for (size_t first = 0; first < n; first += block) {
    const size_t count = n - first < block ? n - first : block;
    partial[first / block] = add_serially(x + first, count);
  }
}

enum { LANES = 32, SECTOR_FLOATS = 8 };

static void expect(size_t n, unsigned block, struct expectation *e) {
  const uint64_t blocks = (n + block - 1) / block;
  const uint64_t warps = blocks * (block / LANES);
  e->global_load_sectors = (n + SECTOR_FLOATS - 1) / SECTOR_FLOATS;
  e->global_load_requests = (n + LANES - 1) / LANES;
  e->global_store_sectors = blocks;
  e->global_store_requests = blocks;
  e->shuffles = 0;
  e->barriers = warps;
  e->shared_store_wavefronts = warps;
  e->shared_load_wavefronts = blocks * block;
}

const struct stage stage = {.chapter = 2,
                            .title = "Thirty-two lanes load",
                            .kernel = "reduce",
                            .model = model,
                            .expect = expect};
