/* f16, bf16 and their pairs. Source: PTX ISA, "Half Precision Floating-Point
 * Instructions" and "Half Precision Comparison Instructions". */
#include <math.h>

#include "comparing.h"
#include "rounding.h"
#include "values.h"

#define OF_f16 &format_f16
#define OF_bf16 &format_bf16

static uint16_t half_flush(uint32_t how, uint16_t bits,
                           const struct format *format) {
  int field = (1 << format->exponent) - 1;
  bool subnormal = (bits >> format->fraction & field) == 0;
  return how & HOW_FTZ && subnormal ? bits & 0x8000 : bits;
}

static double half_in(uint32_t how, uint16_t bits,
                      const struct format *format) {
  return rounding_widen(half_flush(how, bits, format), format);
}

static uint16_t half_out(uint32_t how, double value,
                         const struct format *format) {
  if (how & HOW_SAT)
    value = value > 0 ? fmin(value, 1) : 0;
  if (how & HOW_FTZ && rounding_is_tiny(value, format, ROUND_NEAREST))
    value = copysign(0, value);
  return (uint16_t)rounding_narrow(value, format, ROUND_NEAREST);
}

typedef const struct format *format;

static uint16_t add_half(uint32_t how, uint16_t a, uint16_t b, format f) {
  double sum =
      rounding_add(half_in(how, a, f), half_in(how, b, f), ROUND_NEAREST);
  return half_out(how, sum, f);
}

static uint16_t sub_half(uint32_t how, uint16_t a, uint16_t b, format f) {
  double sum =
      rounding_add(half_in(how, a, f), -half_in(how, b, f), ROUND_NEAREST);
  return half_out(how, sum, f);
}

static uint16_t mul_half(uint32_t how, uint16_t a, uint16_t b, format f) {
  return half_out(how, half_in(how, a, f) * half_in(how, b, f), f);
}

static uint16_t fma_half(uint32_t how, uint16_t a, uint16_t b, uint16_t c,
                         format f) {
  double product = half_in(how, a, f) * half_in(how, b, f);
  double sum = rounding_add(product, half_in(how, c, f), ROUND_NEAREST);
  return half_out(how, sum, f);
}

static bool half_is_nan(uint16_t bits, format f) {
  return (bits & 0x7fff) > ((1 << f->exponent) - 1) << f->fraction;
}

static int half_order(uint16_t bits) {
  return bits & 0x8000 ? ~(bits & 0x7fff) : bits;
}

static uint16_t choose(uint16_t a, uint16_t b, uint16_t best, format f) {
  best = half_is_nan(a, f) ? b : half_is_nan(b, f) ? a : best;
  return half_is_nan(best, f) ? (uint16_t)HALF_NAN : best;
}

static uint16_t min_half(uint32_t how, uint16_t a, uint16_t b, format f) {
  a = half_flush(how, a, f);
  b = half_flush(how, b, f);
  return choose(a, b, half_order(a) < half_order(b) ? a : b, f);
}

static uint16_t max_half(uint32_t how, uint16_t a, uint16_t b, format f) {
  a = half_flush(how, a, f);
  b = half_flush(how, b, f);
  return choose(a, b, half_order(a) < half_order(b) ? b : a, f);
}

#define NAN_OR(a, b, VALUE, f)                                                 \
  return half_is_nan(a, f) || half_is_nan(b, f) ? (uint16_t)HALF_NAN : VALUE
static uint16_t minnan_half(uint32_t how, uint16_t a, uint16_t b, format f) {
  NAN_OR(a, b, min_half(how, a, b, f), f);
}

static uint16_t maxnan_half(uint32_t how, uint16_t a, uint16_t b, format f) {
  NAN_OR(a, b, max_half(how, a, b, f), f);
}

static uint16_t neg_half(uint32_t how, uint16_t a, format f) {
  a = half_flush(how, a, f);
  return half_is_nan(a, f) ? (uint16_t)HALF_NAN : (uint16_t)(a ^ 0x8000);
}

static uint16_t abs_half(uint32_t how, uint16_t a, format f) {
  a = half_flush(how, a, f);
  return half_is_nan(a, f) ? (uint16_t)HALF_NAN : (uint16_t)(a & 0x7fff);
}

#define LOW(x) (uint16_t)(x)
#define HIGH(x) (uint16_t)((x) >> 16)
#define JOIN(L, H) ((uint32_t)(H) << 16 | (L))
#define ONE_SOURCE(OP, T, F)                                                   \
  static uint16_t OP##_##T(uint32_t how, uint16_t a) {                         \
    return OP##_half(how, a, F);                                               \
  }                                                                            \
  static uint32_t OP##_##T##x2(uint32_t how, uint32_t a) {                     \
    return JOIN(OP##_##T(how, LOW(a)), OP##_##T(how, HIGH(a)));                \
  }                                                                            \
  LANES_SLOW_1(lanes_##OP##_##T, uint16_t, uint16_t, OP##_##T)                 \
  LANES_SLOW_1(lanes_##OP##_##T##x2, uint32_t, uint32_t, OP##_##T##x2)

#define TWO_SOURCES(OP, T, F)                                                  \
  static uint16_t OP##_##T(uint32_t how, uint16_t a, uint16_t b) {             \
    return OP##_half(how, a, b, F);                                            \
  }                                                                            \
  static uint32_t OP##_##T##x2(uint32_t how, uint32_t a, uint32_t b) {         \
    return JOIN(OP##_##T(how, LOW(a), LOW(b)),                                 \
                OP##_##T(how, HIGH(a), HIGH(b)));                              \
  }                                                                            \
  LANES_SLOW_2(lanes_##OP##_##T, uint16_t, uint16_t, uint16_t, OP##_##T)       \
  LANES_SLOW_2(lanes_##OP##_##T##x2, uint32_t, uint32_t, uint32_t, OP##_##T##x2)

#define FUSED(T, F)                                                            \
  static uint16_t fma_##T(uint32_t how, uint16_t a, uint16_t b, uint16_t c) {  \
    return fma_half(how, a, b, c, F);                                          \
  }                                                                            \
  static uint32_t fma_##T##x2(uint32_t how, uint32_t a, uint32_t b,            \
                              uint32_t c) {                                    \
    return JOIN(fma_##T(how, LOW(a), LOW(b), LOW(c)),                          \
                fma_##T(how, HIGH(a), HIGH(b), HIGH(c)));                      \
  }                                                                            \
  LANES_SLOW_3(lanes_fma_##T, uint16_t, uint16_t, uint16_t, uint16_t, fma_##T) \
  LANES_SLOW_3(lanes_fma_##T##x2, uint32_t, uint32_t, uint32_t, uint32_t,      \
               fma_##T##x2)

#define FORMAT(T, F)                                                           \
  TWO_SOURCES(add, T, F)                                                       \
  TWO_SOURCES(sub, T, F)                                                       \
  TWO_SOURCES(mul, T, F)                                                       \
  TWO_SOURCES(min, T, F)                                                       \
  TWO_SOURCES(max, T, F)                                                       \
  TWO_SOURCES(minnan, T, F)                                                    \
  TWO_SOURCES(maxnan, T, F)                                                    \
  ONE_SOURCE(neg, T, F) ONE_SOURCE(abs, T, F) FUSED(T, F)

FORMAT(f16, &format_f16)
FORMAT(bf16, &format_bf16)

static double f16_value(uint16_t bits) {
  return rounding_widen(bits, &format_f16);
}

static double ftz_value(uint16_t bits) {
  return half_in(HOW_FTZ, bits, &format_f16);
}

static double bf16_value(uint16_t bits) {
  return rounding_widen(bits, &format_bf16);
}

FLOAT_COMPARISONS(f16, uint16_t, f16_value)
FLOAT_COMPARISONS(ftz, uint16_t, ftz_value)
FLOAT_COMPARISONS(bf16, uint16_t, bf16_value)

#define SUM_ROWS(OP, T)                                                        \
  ROW(#OP, "rn? ftz? sat?", #T, "ttt", lanes_##OP##_##T),                      \
      ROW(#OP, "rn? ftz? sat?", #T "x2", "ttt", lanes_##OP##_##T##x2)
#define BEST_ROWS(OP, T)                                                       \
  ROW(#OP, "ftz?", #T, "ttt", lanes_##OP##_##T),                               \
      ROW(#OP, "ftz?", #T "x2", "ttt", lanes_##OP##_##T##x2),                  \
      ROW(#OP, "ftz? NaN", #T, "ttt", lanes_##OP##nan_##T),                    \
      ROW(#OP, "ftz? NaN", #T "x2", "ttt", lanes_##OP##nan_##T##x2)
#define SIGN_ROWS(OP, T)                                                       \
  ROW(#OP, "ftz?", #T, "tt", lanes_##OP##_##T),                                \
      ROW(#OP, "ftz?", #T "x2", "tt", lanes_##OP##_##T##x2)
#define FORMAT_ROWS(T)                                                         \
  SUM_ROWS(add, T), SUM_ROWS(sub, T), SUM_ROWS(mul, T), BEST_ROWS(min, T),     \
      BEST_ROWS(max, T), SIGN_ROWS(neg, T), SIGN_ROWS(abs, T),                 \
      ROW("fma", "rn ftz? sat?", #T, "tttt", lanes_fma_##T),                   \
      ROW("fma", "rn ftz? sat?", #T "x2", "tttt", lanes_fma_##T##x2)

const struct row half_rows[] = {FORMAT_ROWS(f16),
                                FORMAT_ROWS(bf16),
                                FLOAT_ROWS("", "f16", f16),
                                FLOAT_ROWS(" ftz", "f16", ftz),
                                FLOAT_ROWS("", "bf16", bf16),
                                END_OF_ROWS};
