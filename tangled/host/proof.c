/* Proves the partial sums and their sum right, or shows where they are not. */
#include "proof.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "device.h"
#include "input.h"

_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic must round to float");

double proof_gamma(double d, double u) { return d * u / (1 - d * u); }

uint32_t proof_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double add_magnitudes(const float *x, size_t count) {
  int64_t units = 0;
  for (size_t i = 0; i < count; ++i)
    units += input_units(fabsf(x[i]));
  return (double)units * INPUT_UNIT;
}

static void compare_block(struct proof *proof, size_t b, float got, float want,
                          double slack) {
  if (proof_bits(got) == proof_bits(want))
    return;
  if (proof->different++ == 0) {
    proof->first = b;
    proof->got = got;
    proof->want = want;
  }
  proof->silent += proof_bits(got) == DEVICE_POISON;
  proof->near += fabs((double)got - (double)want) <= slack;
}

static void compare_blocks(struct proof *proof, const float *x, size_t n,
                           unsigned block, const float *partial,
                           const float *model) {
  const double gamma = proof_gamma(block - 1, 0x1p-24);
  for (size_t b = 0; b < proof->blocks; ++b) {
    const size_t first = b * block;
    const size_t count = n - first < block ? n - first : block;
    const double slack = 2 * gamma * add_magnitudes(x + first, count);
    compare_block(proof, b, partial[b], model[b], slack);
  }
}

static double add_exactly(const float *x, size_t n) {
  int64_t units = 0;
  for (size_t i = 0; i < n; ++i)
    units += input_units(x[i]);
  return (double)units * INPUT_UNIT;
}

static double bound_error(double magnitudes, double reference, unsigned depth,
                          size_t blocks) {
  const double kernel = proof_gamma(depth, 0x1p-24);
  const double host = proof_gamma(blocks > 0 ? (double)blocks - 1 : 0, 0x1p-53);
  return magnitudes * (kernel + (1 + kernel) * host) +
         0x1p-53 * fabs(reference);
}

void proof_make(struct proof *proof, const float *x, size_t n, unsigned block,
                unsigned depth, const float *partial, const float *model) {
  *proof = (struct proof){.blocks = (n + block - 1) / block};
  compare_blocks(proof, x, n, block, partial, model);
  for (size_t b = 0; b < proof->blocks; ++b)
    proof->sum += (double)partial[b];
  proof->reference = add_exactly(x, n);
  proof->bound =
      bound_error(add_magnitudes(x, n), proof->reference, depth, proof->blocks);
  proof->within = fabs(proof->sum - proof->reference) <= proof->bound;
}
