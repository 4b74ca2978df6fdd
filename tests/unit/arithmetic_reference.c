/* The arithmetic unit against references of its own kind: the host's rounding
 * modes, 128-bit integers, and a search through all 16-bit numbers. */
#include "arithmetic.h"

#include <fenv.h>
#include <math.h>

__extension__ typedef __int128 wide_t;
__extension__ typedef unsigned __int128 uwide_t;

enum { ROUNDS = 4000 }; /* of 32 lanes */

static _Alignas(64) unsigned char regs[FILE_BYTES];

static bool prepare(const char *text, const char *kinds, struct op *op) {
  static struct decoder stub;
  stub_parse(&stub, text, kinds);
  return stub_decode(&stub, op) == DECODE_DONE;
}

typedef uint64_t reference(const uint64_t *in);

/* Runs an instruction on random inputs; counts what a reference contradicts. */
static void agree(const char *text, const char *kinds, reference *want) {
  struct op op;
  uint32_t wrong = 0;
  if (!tap_ok(prepare(text, kinds, &op), "%s is decoded", text))
    return;
  for (uint32_t n = 4096; n < 4096 + ROUNDS; n++) {
    uint64_t in[LANES][4] = {{0}};
    for (int i = 0; i < LANES; i++)
      for (uint32_t j = 0; kinds[j + 1]; j++) {
        in[i][j] = trial_input(kinds[j + 1], j, n * LANES + (uint32_t)i);
        lane_put(regs, j + 1, kinds[j + 1], i, in[i][j]);
        in[i][j] = lane_get(regs, j + 1, kinds[j + 1], i);
      }
    op.run.lanes(regs, &op, 0xffffffff);
    for (int i = 0; i < LANES; i++)
      wrong += lane_get(regs, 0, kinds[0], i) != want(in[i]);
  }
  tap_is_u64(wrong, 0, "%s agrees with its reference", text);
}

/* Products and quotients by 128-bit integers. */
static uint64_t high_u64(const uint64_t *in) {
  return (uint64_t)((uwide_t)in[0] * in[1] >> 64);
}

static uint64_t high_s64(const uint64_t *in) {
  return (uint64_t)((wide_t)(int64_t)in[0] * (int64_t)in[1] >> 64);
}

static uint64_t fused_high_s64(const uint64_t *in) {
  return high_s64(in) + in[2];
}

static uint64_t wide_s32(const uint64_t *in) {
  return (uint64_t)((wide_t)(int32_t)in[0] * (int32_t)in[1]);
}

static uint64_t sum_saturated(const uint64_t *in) {
  wide_t sum = (wide_t)(int32_t)in[0] + (int32_t)in[1];
  sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  return (uint32_t)sum;
}

static uint64_t field_s64(const uint64_t *in) { /* bit by bit, as PTX has it */
  uint64_t at = in[1] > 255 ? 255 : in[1], length = in[2] > 255 ? 255 : in[2];
  uint64_t top = at + length - 1 < 63 ? at + length - 1 : 63, result = 0;
  uint64_t sign = length ? in[0] >> top & 1 : 0;
  for (uint64_t i = 0; i < 64; i++)
    result |= (i < length && at + i < 64 ? in[0] >> (at + i) & 1 : sign) << i;
  return result;
}

static void test_integers(void) {
  agree("mul.hi.u64", "lll", high_u64);
  agree("mul.hi.s64", "lll", high_s64);
  agree("mad.hi.s64", "llll", fused_high_s64);
  agree("mul.wide.s32", "lii", wide_s32);
  agree("add.sat.s32", "iii", sum_saturated);
  agree("bfe.s64", "llss", field_s64);
}

/* 32-bit arithmetic by the host, in the rounding mode `host_mode`. */
static int host_mode;

static float value(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float result;
  memcpy(&result, &low, sizeof result);
  return result;
}

static uint64_t bits_of(float result) {
  uint32_t bits;
  memcpy(&bits, &result, sizeof bits);
  return isnan(result) ? 0x7fffffff : bits;
}

#define HOST(NAME, VALUE)                                                      \
  static uint64_t NAME(const uint64_t *in) {                                   \
    volatile float a = value(in[0]), b = value(in[1]), c = value(in[2]);       \
    fesetround(host_mode);                                                     \
    volatile float result = VALUE;                                             \
    fesetround(FE_TONEAREST);                                                  \
    (void)a, (void)b, (void)c;                                                 \
    return bits_of(result);                                                    \
  }
HOST(host_sum, a + b)
HOST(host_difference, a - b)
HOST(host_product, a *b)
HOST(host_quotient, a / b)
HOST(host_fused, fmaf(a, b, c))
HOST(host_root, sqrtf(a))
HOST(host_reciprocal, 1 / a)

static void test_modes(void) {
  static const struct {
    const char *name;
    int mode;
  } modes[] = {{"rn", FE_TONEAREST},
               {"rz", FE_TOWARDZERO},
               {"rm", FE_DOWNWARD},
               {"rp", FE_UPWARD}};
  static const struct {
    const char *opcode, *kinds;
    reference *want;
  } cases[] = {{"add", "fff", host_sum},      {"sub", "fff", host_difference},
               {"mul", "fff", host_product},  {"div", "fff", host_quotient},
               {"fma", "ffff", host_fused},   {"sqrt", "ff", host_root},
               {"rcp", "ff", host_reciprocal}};
  for (size_t m = 0; m < 4; m++)
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
      char text[32];
      host_mode = modes[m].mode;
      snprintf(text, sizeof text, "%s.%s.f32", cases[c].opcode, modes[m].name);
      agree(text, cases[c].kinds, cases[c].want);
    }
}

/* f16 in units of 2^-48, so that sums of products are integers. The nearest
 * number is found by bisection in the list of all positive ones. */
static wide_t half_units(uint64_t bits) {
  int exponent = (int)(bits >> 10 & 31);
  wide_t fraction = (wide_t)(bits & 1023) | (wide_t)(exponent > 0) << 10;
  wide_t units = fraction * ((wide_t)1 << (24 + (exponent ? exponent - 1 : 0)));
  return bits & 0x8000 ? -units : units;
}

static bool half_finite(uint64_t bits) { return (bits & 0x7c00) != 0x7c00; }

static uint64_t half_nearest(wide_t units) {
  wide_t size = units < 0 ? -units : units;
  uint64_t sign = units < 0 ? 0x8000 : 0, low = 0, high = 0x7c00;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    *(half_units(middle) <= size ? &low : &high) = middle;
  }
  wide_t above = (low == 0x7bff ? (wide_t)1 << 64 : half_units(low + 1)) - size;
  wide_t below = size - half_units(low);
  bool up = above < below || (above == below && (low & 1));
  return sign | (low + up);
}

/* Compares where all operands and the sum are finite and not zero; signs of
 * zero and the rest are in the recording. */
static void half_agree(const char *text, const char *kinds,
                       wide_t (*exact)(const uint64_t *in)) {
  struct op op;
  uint32_t wrong = 0, seen = 0;
  tap_ok(prepare(text, kinds, &op), "%s is decoded", text);
  for (uint32_t n = 0; n < ROUNDS; n++) {
    uint64_t in[LANES][3];
    for (int i = 0; i < LANES; i++)
      for (uint32_t j = 0; j < 3; j++) {
        in[i][j] = trial_mix(n * 96ull + (uint64_t)i * 3 + j) >> 5 & 0xffff;
        lane_put(regs, j + 1, 'H', i, in[i][j]);
      }
    op.run.lanes(regs, &op, 0xffffffff);
    for (int i = 0; i < LANES; i++) {
      if (!half_finite(in[i][0]) || !half_finite(in[i][1]) ||
          !half_finite(in[i][2]) || exact(in[i]) == 0)
        continue;
      wrong += lane_get(regs, 0, 'H', i) != half_nearest(exact(in[i]));
      seen++;
    }
  }
  tap_ok(seen > ROUNDS, "%s: %u finite cases", text, seen);
  tap_is_u64(wrong, 0, "%s rounds once, to the nearest", text);
}

static wide_t half_sum(const uint64_t *in) {
  return half_units(in[0]) + half_units(in[1]);
}

static wide_t half_product(const uint64_t *in) {
  return (half_units(in[0]) >> 24) * (half_units(in[1]) >> 24);
}

static wide_t half_fused(const uint64_t *in) {
  return half_product(in) + half_units(in[2]);
}

/* Ties that only a sum rounded to odd can break: a bf16 product halfway between
 * two numbers, and a third operand some 2^-100 times as large. */
static void test_ties(void) {
  static const uint64_t cases[][4] = {
      {0x3f8c, 0x3fb0, 0x0d00, 0x3fc1}, /* 1.09375 * 1.375 = 1.50390625 */
      {0x3f8c, 0x3fb0, 0x0000, 0x3fc0}, {0x3f8c, 0x3fb0, 0x8d00, 0x3fc0},
      {0x3f81, 0x3fc0, 0x0d00, 0x3fc2}, /* 1.0078125 * 1.5 = 1.51171875 */
      {0x3f81, 0x3fc0, 0x0000, 0x3fc2}, {0x3f81, 0x3fc0, 0x8d00, 0x3fc1}};
  struct op op;
  tap_ok(prepare("fma.rn.bf16", "BBBB", &op), "fma.rn.bf16 is decoded");
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    for (uint32_t j = 0; j < 3; j++)
      lane_put(regs, j + 1, 'B', 0, cases[c][j]);
    op.run.lanes(regs, &op, 1);
    tap_is_u64(lane_get(regs, 0, 'B', 0), cases[c][3],
               "fma.rn.bf16 of %04x, %04x, %04x", (unsigned)cases[c][0],
               (unsigned)cases[c][1], (unsigned)cases[c][2]);
  }
}

int main(void) {
  test_integers();
  test_modes();
  half_agree("add.f16", "HHH", half_sum);
  half_agree("mul.f16", "HHH", half_product);
  half_agree("fma.rn.f16", "HHHH", half_fused);
  test_ties();
  return tap_done();
}
