/* Instructions whose bits are the hardware's own: computed in double precision
 * and flagged. Source: PTX ISA, "Floating-Point Instructions". */
#include <math.h>

#include "values.h"

#define APPROXIMATE(NAME, VALUE)                                               \
  static uint32_t NAME(uint32_t how, uint32_t a) {                             \
    double x = f32_value(f32_input(how, a));                                   \
    return f32_output(how, f32_bits((float)(VALUE)));                          \
  }                                                                            \
  LANES_SLOW_1(lanes_##NAME, uint32_t, uint32_t, NAME)

APPROXIMATE(sine, sin(x))
APPROXIMATE(cosine, cos(x))
APPROXIMATE(power, exp2(x))
APPROXIMATE(logarithm, log2(x))
APPROXIMATE(tangent, tanh(x))
APPROXIMATE(root, sqrt(x))
APPROXIMATE(reciprocal, 1 / x)
APPROXIMATE(reciprocal_root, 1 / sqrt(x))

static uint32_t quotient(uint32_t how, uint32_t a, uint32_t b) {
  double x = f32_value(f32_input(how, a)), y = f32_value(f32_input(how, b));
  return f32_output(how, f32_bits((float)(x / y)));
}

LANES_SLOW_2(lanes_quotient, uint32_t, uint32_t, uint32_t, quotient)
LANES_1(lanes_root_f64, uint64_t, uint64_t,
        f64_result(a, 0, 1 / sqrt(f64_value(a))))

#define APPROXIMATE_ROW(OP, NAME)                                              \
  ROW(OP, "approx ftz?", "f32", "tt", lanes_##NAME)

const struct row approximate_rows[] = {
    APPROXIMATE_ROW("sin", sine),
    APPROXIMATE_ROW("cos", cosine),
    APPROXIMATE_ROW("ex2", power),
    APPROXIMATE_ROW("lg2", logarithm),
    APPROXIMATE_ROW("sqrt", root),
    APPROXIMATE_ROW("rcp", reciprocal),
    APPROXIMATE_ROW("rsqrt", reciprocal_root),
    ROW("tanh", "approx", "f32", "tt", lanes_tangent),
    ROW("div", "approx ftz?", "f32", "ttt", lanes_quotient),
    ROW("div", "full ftz?", "f32", "ttt", lanes_quotient),
    ROW("rsqrt", "approx", "f64", "tt", lanes_root_f64),
    END_OF_ROWS};
