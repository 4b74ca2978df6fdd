/* Chapter 1 on the host: the elements of a block added one by one, and the
 * counts that a run must show. */
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

static void expect(size_t n, unsigned block, struct expectation *e) {
  const uint64_t blocks = (n + block - 1) / block;
  e->global_load_sectors = n;
  e->global_load_requests = n;
  e->global_store_sectors = blocks;
  e->global_store_requests = blocks;
  e->shuffles = 0;
  e->barriers = 0;
  e->shared_load_wavefronts = 0;
  e->shared_store_wavefronts = 0;
}

const struct stage stage = {.chapter = 1,
                            .title = "One lane",
                            .kernel = "reduce",
                            .model = model,
                            .expect = expect};
