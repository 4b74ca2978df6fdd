/* setp, set and testp for f32 and f64. Source: PTX ISA, "Comparison and
 * Selection Instructions", "Floating-Point Comparisons"; testp. */
#include "comparing.h"
#include "values.h"

FLOAT_COMPARISONS(f32, uint32_t, f32_value)
FLOAT_COMPARISONS(f64, uint64_t, f64_value)

static inline float flushed(uint32_t bits) {
  return f32_value(f32_flush(bits));
}

FLOAT_COMPARISONS(ftz, uint32_t, flushed)

#define TESTS(T, U, MAGNITUDE, LARGE, LEAST)                                   \
  LANES_TEST(finite_##T, U, (a & MAGNITUDE) < LARGE)                           \
  LANES_TEST(infinite_##T, U, (a & MAGNITUDE) == LARGE)                        \
  LANES_TEST(number_##T, U, (a & MAGNITUDE) <= LARGE)                          \
  LANES_TEST(notanumber_##T, U, (a & MAGNITUDE) > LARGE)                       \
  LANES_TEST(normal_##T, U,                                                    \
             (a & MAGNITUDE) < LARGE && (a & MAGNITUDE) - 1 >= LEAST - 1)      \
  LANES_TEST(subnormal_##T, U, (a & MAGNITUDE) - 1 < LEAST - 1)

TESTS(f32, uint32_t, 0x7fffffffu, 0x7f800000u, 0x00800000u)
TESTS(f64, uint64_t, 0x7fffffffffffffffull, 0x7ff0000000000000ull,
      0x0010000000000000ull)

#define TEST_ROWS(T)                                                           \
  ROW("testp", "finite", #T, "pt", finite_##T),                                \
      ROW("testp", "infinite", #T, "pt", infinite_##T),                        \
      ROW("testp", "number", #T, "pt", number_##T),                            \
      ROW("testp", "notanumber", #T, "pt", notanumber_##T),                    \
      ROW("testp", "normal", #T, "pt", normal_##T),                            \
      ROW("testp", "subnormal", #T, "pt", subnormal_##T)

const struct row compare_float_rows[] = {FLOAT_ROWS("", "f32", f32),
                                         FLOAT_ROWS("", "f64", f64),
                                         FLOAT_ROWS(" ftz", "f32", ftz),
                                         TEST_ROWS(f32),
                                         TEST_ROWS(f64),
                                         END_OF_ROWS};
