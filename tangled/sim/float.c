/* 32-bit floating-point arithmetic. Source: PTX ISA, "Floating-Point
 * Instructions". */
#include <math.h>

#include "rounding.h"
#include "values.h"

#define U uint32_t
#define NEAREST(NAME, V, OUT)                                                  \
  LANES_2(add_##NAME, U, U, U, OUT(f32_bits(V(a) + V(b))))                     \
  LANES_2(sub_##NAME, U, U, U, OUT(f32_bits(V(a) - V(b))))                     \
  LANES_1(neg_##NAME, U, U, OUT(f32_bits(-V(a))))                              \
  LANES_1(abs_##NAME, U, U, OUT(f32_bits(fabsf(V(a)))))

static inline float flushed(uint32_t bits) {
  return f32_value(f32_flush(bits));
}

NEAREST(f32, f32_value, )
NEAREST(ftz, flushed, f32_flush)
LANES_2(mul_f32, U, U, U, f32_bits(f32_value(a) * f32_value(b)))
LANES_3(fma_f32, U, U, U, U,
        f32_bits(fmaf(f32_value(a), f32_value(b), f32_value(c))))

LANES_2(div_f32, U, U, U, f32_bits(f32_value(a) / f32_value(b)))
LANES_1(rcp_f32, U, U, f32_bits(1.0f / f32_value(a)))
LANES_1(sqrt_f32, U, U, f32_bits(sqrtf(f32_value(a))))

static double wide(uint32_t how, uint32_t bits) {
  return f32_value(f32_input(how, bits));
}

static enum rounding mode(uint32_t how) {
  return (enum rounding)((how & HOW_ROUND) >> HOW_ROUND_SHIFT);
}

static uint32_t narrow(uint32_t how, double value) {
  if (how & HOW_FTZ && rounding_is_tiny(value, &format_f32, mode(how)))
    value = copysign(0, value);
  uint64_t bits = rounding_narrow(value, &format_f32, mode(how));
  return f32_output(how, (uint32_t)bits);
}

static uint32_t sum(uint32_t how, uint32_t a, uint32_t b) {
  return narrow(how, rounding_add(wide(how, a), wide(how, b), mode(how)));
}

static uint32_t difference(uint32_t how, uint32_t a, uint32_t b) {
  return narrow(how, rounding_add(wide(how, a), -wide(how, b), mode(how)));
}

static uint32_t product(uint32_t how, uint32_t a, uint32_t b) {
  return narrow(how, wide(how, a) * wide(how, b));
}

static uint32_t fused(uint32_t how, uint32_t a, uint32_t b, uint32_t c) {
  double exact = wide(how, a) * wide(how, b);
  return narrow(how, rounding_add(exact, wide(how, c), mode(how)));
}

static uint32_t quotient(uint32_t how, uint32_t a, uint32_t b) {
  return narrow(how, rounding_divide(wide(how, a), wide(how, b)));
}

static uint32_t reciprocal(uint32_t how, uint32_t a) {
  return narrow(how, rounding_divide(1, wide(how, a)));
}

static uint32_t root(uint32_t how, uint32_t a) {
  return narrow(how, rounding_root(wide(how, a)));
}

LANES_SLOW_2(add_any, U, U, U, sum)
LANES_SLOW_2(sub_any, U, U, U, difference)
LANES_SLOW_2(mul_any, U, U, U, product)
LANES_SLOW_3(fma_any, U, U, U, U, fused)
LANES_SLOW_2(div_any, U, U, U, quotient)
LANES_SLOW_1(rcp_any, U, U, reciprocal)
LANES_SLOW_1(sqrt_any, U, U, root)

#define RARELY_CAREFUL(NAME, CAREFUL, C, VALUE)                                \
  static void NAME(unsigned char *regs, const struct op *op, uint32_t mask) {  \
    LANES_TO(U)                                                                \
    LANES_FROM(U, as, a)                                                       \
    LANES_FROM(U, bs, b) LANES_FROM(U, cs, C) U values[LANES], doubtful = 0;   \
    for (int i = 0; i < LANES; i++) {                                          \
      float a = flushed(as[i]), b = flushed(bs[i]), c = flushed(cs[i]);        \
      values[i] = f32_flush(f32_bits(VALUE));                                  \
      doubtful |= (values[i] & 0x7fffffff) == 0x00800000;                      \
      (void)c;                                                                 \
    }                                                                          \
    if (doubtful) {                                                            \
      CAREFUL(regs, op, mask);                                                 \
      return;                                                                  \
    }                                                                          \
    for (int i = 0; i < LANES; i++)                                            \
      to[i] = mask >> i & 1 ? values[i] : to[i];                               \
  }

RARELY_CAREFUL(mul_ftz, mul_any, b, a *b)
RARELY_CAREFUL(fma_ftz, fma_any, c, fmaf(a, b, c))

LANES_2(copysign_f32, U, U, U, (a & 0x80000000) | (b & 0x7fffffff))

static inline uint32_t nan_or(uint32_t a, uint32_t b, uint32_t value) {
  return f32_is_nan(a) || f32_is_nan(b) ? (uint32_t)F32_NAN : value;
}

static inline uint32_t signed_as(uint32_t a, uint32_t b, uint32_t value) {
  return f32_is_nan(value) ? value : value | ((a ^ b) & 0x80000000);
}

#define IN(x) f32_input(how, x)
#define ABS(x) (f32_input(how, x) & 0x7fffffff)
#define BEST(OP)                                                               \
  LANES_2(OP##_f32, U, U, U, f32_##OP(a, b))                                   \
  LANES_2(OP##_ftz, U, U, U, f32_##OP(IN(a), IN(b)))                           \
  LANES_2(OP##_nan, U, U, U, nan_or(a, b, f32_##OP(IN(a), IN(b))))             \
  LANES_2(OP##_xor, U, U, U, signed_as(a, b, f32_##OP(ABS(a), ABS(b))))        \
  LANES_2(OP##_nan_xor, U, U, U,                                               \
          nan_or(a, b, signed_as(a, b, f32_##OP(ABS(a), ABS(b)))))

BEST(min)
BEST(max)

#define ARITHMETIC_ROWS(OP)                                                    \
  ROW(#OP, "rn?", "f32", "ttt", OP##_f32),                                     \
      ROW(#OP, "rn? ftz", "f32", "ttt", OP##_ftz),                             \
      ROW(#OP, "rn? rz? rm? rp? ftz? sat?", "f32", "ttt", OP##_any)
#define MODE_ROWS(OP, MARKS, LETTERS, RUN)                                     \
  ROW(OP, "rn " MARKS, "f32", LETTERS, RUN),                                   \
      ROW(OP, "rz " MARKS, "f32", LETTERS, RUN),                               \
      ROW(OP, "rm " MARKS, "f32", LETTERS, RUN),                               \
      ROW(OP, "rp " MARKS, "f32", LETTERS, RUN)
#define IEEE_ROWS(OP, LETTERS, RUN) MODE_ROWS(OP, "ftz?", LETTERS, RUN)
#define FUSED_ROWS(OP)                                                         \
  ROW(OP, "rn", "f32", "tttt", fma_f32),                                       \
      ROW(OP, "rn ftz", "f32", "tttt", fma_ftz),                               \
      MODE_ROWS(OP, "ftz? sat?", "tttt", fma_any)
#define BEST_ROWS(OP)                                                          \
  ROW(#OP, "", "f32", "ttt", OP##_f32),                                        \
      ROW(#OP, "ftz", "f32", "ttt", OP##_ftz),                                 \
      ROW(#OP, "ftz? NaN", "f32", "ttt", OP##_nan),                            \
      ROW(#OP, "ftz? xorsign abs", "f32", "ttt", OP##_xor),                    \
      ROW(#OP, "ftz? NaN xorsign abs", "f32", "ttt", OP##_nan_xor)

const struct row float_rows[] = {
    ARITHMETIC_ROWS(add),
    ARITHMETIC_ROWS(sub),
    ARITHMETIC_ROWS(mul),
    FUSED_ROWS("fma"),
    FUSED_ROWS("mad"),
    ROW("div", "rn", "f32", "ttt", div_f32),
    IEEE_ROWS("div", "ttt", div_any),
    ROW("rcp", "rn", "f32", "tt", rcp_f32),
    IEEE_ROWS("rcp", "tt", rcp_any),
    ROW("sqrt", "rn", "f32", "tt", sqrt_f32),
    IEEE_ROWS("sqrt", "tt", sqrt_any),
    ROW("neg", "", "f32", "tt", neg_f32),
    ROW("neg", "ftz", "f32", "tt", neg_ftz),
    ROW("abs", "", "f32", "tt", abs_f32),
    ROW("abs", "ftz", "f32", "tt", abs_ftz),
    ROW("copysign", "", "f32", "ttt", copysign_f32),
    BEST_ROWS(min),
    BEST_ROWS(max),
    END_OF_ROWS};
