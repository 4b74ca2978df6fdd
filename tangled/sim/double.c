/* 64-bit floating-point arithmetic. Source: PTX ISA, "Floating-Point
 * Instructions". */
#include <fenv.h>
#include <math.h>

#include "values.h"

#define U uint64_t
#define V f64_value

static inline U fused(U a, U b, U c) {
  U bits = f64_canonical(fma(V(a), V(b), V(c)));
  return f64_keep(b, f64_keep(c, f64_keep(a, bits)));
}

LANES_2(add_f64, U, U, U, f64_result(b, a, V(a) + V(b)))
LANES_2(sub_f64, U, U, U, f64_result(b, a, V(a) - V(b)))
LANES_2(mul_f64, U, U, U, f64_result(b, a, V(a) * V(b)))
LANES_3(fma_f64, U, U, U, U, fused(a, b, c))
LANES_2(div_f64, U, U, U, f64_result(a, b, V(a) / V(b)))
LANES_1(rcp_f64, U, U, f64_result(a, 0, 1 / V(a)))
LANES_1(sqrt_f64, U, U, f64_result(a, 0, sqrt(V(a))))
LANES_1(neg_f64, U, U, f64_keep(a, a ^ 1ull << 63))
LANES_1(abs_f64, U, U, f64_keep(a, a & ~(1ull << 63)))
LANES_2(copysign_f64, U, U, U, (a & 1ull << 63) | (b & ~(1ull << 63)))

static int host_mode(uint32_t how) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                              FE_UPWARD};
  return modes[(how & HOW_ROUND) >> HOW_ROUND_SHIFT];
}

#define IN_MODE(NAME, PARAMETERS, NAN_A, NAN_B, READ, VALUE)                   \
  static U NAME PARAMETERS {                                                   \
    READ;                                                                      \
    int before = fegetround();                                                 \
    fesetround(host_mode(how));                                                \
    volatile double result = VALUE;                                            \
    fesetround(before);                                                        \
    return f64_result(NAN_A, NAN_B, result);                                   \
  }
#define READ_1 volatile double x = V(a)
#define READ_2 volatile double x = V(a), y = V(b)
#define READ_3 volatile double x = V(a), y = V(b), z = V(c)
#define OF_1 (uint32_t how, U a)
#define OF_2 (uint32_t how, U a, U b)
#define OF_3 (uint32_t how, U a, U b, U c)

IN_MODE(sum, OF_2, b, a, READ_2, x + y)
IN_MODE(difference, OF_2, b, a, READ_2, x - y)
IN_MODE(product, OF_2, b, a, READ_2, x *y)
IN_MODE(quotient, OF_2, a, b, READ_2, x / y)
IN_MODE(reciprocal, OF_1, a, 0, READ_1, 1 / x)
IN_MODE(root, OF_1, a, 0, READ_1, sqrt(x))
IN_MODE(fused_in_mode, OF_3, a, b, READ_3, fma(x, y, z))

static U fused_any(uint32_t how, U a, U b, U c) {
  bool operand = f64_is_nan(a) || f64_is_nan(b) || f64_is_nan(c);
  return operand ? fused(a, b, c) : fused_in_mode(how, a, b, c);
}

LANES_SLOW_2(add_any, U, U, U, sum)
LANES_SLOW_2(sub_any, U, U, U, difference)
LANES_SLOW_2(mul_any, U, U, U, product)
LANES_SLOW_3(fma_any, U, U, U, U, fused_any)
LANES_SLOW_2(div_any, U, U, U, quotient)
LANES_SLOW_1(rcp_any, U, U, reciprocal)
LANES_SLOW_1(sqrt_any, U, U, root)

static inline int64_t order(U bits) {
  int64_t number = (int64_t)bits;
  return number ^ ((number >> 63) & INT64_MAX);
}

static inline U choose(U a, U b, U best) {
  bool none = f64_is_nan(a) && f64_is_nan(b);
  best = f64_is_nan(a) ? b : f64_is_nan(b) ? a : best;
  return none ? b | F64_QUIET : best;
}

LANES_2(min_f64, U, U, U, choose(a, b, order(a) < order(b) ? a : b))
LANES_2(max_f64, U, U, U, choose(a, b, order(a) < order(b) ? b : a))

#define IN_MODES(OP, LETTERS, NEAREST, ANY)                                    \
  ROW(OP, "rn", "f64", LETTERS, NEAREST), ROW(OP, "rz", "f64", LETTERS, ANY),  \
      ROW(OP, "rm", "f64", LETTERS, ANY), ROW(OP, "rp", "f64", LETTERS, ANY)

const struct row double_rows[] = {
    ROW("add", "", "f64", "ttt", add_f64),
    ROW("sub", "", "f64", "ttt", sub_f64),
    ROW("mul", "", "f64", "ttt", mul_f64),
    ROW("neg", "", "f64", "tt", neg_f64),
    ROW("abs", "", "f64", "tt", abs_f64),
    ROW("min", "", "f64", "ttt", min_f64),
    ROW("max", "", "f64", "ttt", max_f64),
    ROW("copysign", "", "f64", "ttt", copysign_f64),
    IN_MODES("add", "ttt", add_f64, add_any),
    IN_MODES("sub", "ttt", sub_f64, sub_any),
    IN_MODES("mul", "ttt", mul_f64, mul_any),
    IN_MODES("fma", "tttt", fma_f64, fma_any),
    IN_MODES("mad", "tttt", fma_f64, fma_any),
    IN_MODES("div", "ttt", div_f64, div_any),
    IN_MODES("rcp", "tt", rcp_f64, rcp_any),
    IN_MODES("sqrt", "tt", sqrt_f64, sqrt_any),
    END_OF_ROWS};
