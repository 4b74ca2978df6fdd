/* Integer arithmetic but for products. Source: PTX ISA, "Integer Arithmetic
 * Instructions". */
#include "lanes.h"

#define SUMS(W, U)                                                             \
  LANES_2(add_##W, U, U, U, a + b)                                             \
  LANES_2(sub_##W, U, U, U, a - b)                                             \
  LANES_1(neg_##W, U, U, 0u - a)

#define QUOTIENTS(W, U, S)                                                     \
  static inline U quotient_u##W(uint32_t how, U a, U b) {                      \
    (void)how;                                                                 \
    return b == 0 ? (U)~0ull : (U)(a / b);                                     \
  }                                                                            \
  static inline U quotient_s##W(uint32_t how, U a, U b) {                      \
    (void)how;                                                                 \
    if ((S)b == -1)                                                            \
      return (U)(0u - a);                                                      \
    return b == 0 ? (U)~0ull : (U)((S)a / (S)b);                               \
  }                                                                            \
  LANES_SLOW_2(div_u##W, U, U, U, quotient_u##W)                               \
  LANES_SLOW_2(div_s##W, U, U, U, quotient_s##W)

#define REMAINDERS(W, U)                                                       \
  static inline U remainder_u##W(uint32_t how, U a, U b) {                     \
    return b == 0 ? (U)~0ull : (U)(a - 1u * quotient_u##W(how, a, b) * b);     \
  }                                                                            \
  static inline U remainder_s##W(uint32_t how, U a, U b) {                     \
    return b == 0 ? (U)~0ull : (U)(a - 1u * quotient_s##W(how, a, b) * b);     \
  }                                                                            \
  LANES_SLOW_2(rem_u##W, U, U, U, remainder_u##W)                              \
  LANES_SLOW_2(rem_s##W, U, U, U, remainder_s##W)

#define CHOICES(W, U, S)                                                       \
  LANES_2(min_u##W, U, U, U, a < b ? a : b)                                    \
  LANES_2(max_u##W, U, U, U, a > b ? a : b)                                    \
  LANES_2(min_s##W, U, U, U, (S)a < (S)b ? a : b)                              \
  LANES_2(max_s##W, U, U, U, (S)a > (S)b ? a : b)                              \
  LANES_1(abs_s##W, U, U, (S)a < 0 ? 0u - a : a)                               \
  LANES_3(sad_u##W, U, U, U, U, c + (a < b ? b - a : a - b))                   \
  LANES_3(sad_s##W, U, U, U, U, c + ((S)a < (S)b ? b - a : a - b))

#define INTEGERS(W, U, S)                                                      \
  SUMS(W, U) QUOTIENTS(W, U, S) REMAINDERS(W, U) CHOICES(W, U, S)

INTEGERS(16, uint16_t, int16_t)
INTEGERS(32, uint32_t, int32_t)
INTEGERS(64, uint64_t, int64_t)

static inline uint32_t saturate(int64_t sum) {
  return (uint32_t)(sum > INT32_MAX   ? INT32_MAX
                    : sum < INT32_MIN ? INT32_MIN
                                      : sum);
}

LANES_2(add_sat, uint32_t, uint32_t, uint32_t,
        saturate((int64_t)(int32_t)a + (int32_t)b))
LANES_2(sub_sat, uint32_t, uint32_t, uint32_t,
        saturate((int64_t)(int32_t)a - (int32_t)b))

#define BOTH(OP, LETTERS)                                                      \
  ROW(#OP, "", "u16/s16", LETTERS, OP##_16),                                   \
      ROW(#OP, "", "u32/s32", LETTERS, OP##_32),                               \
      ROW(#OP, "", "u64/s64", LETTERS, OP##_64)
#define SIGNED(OP, LETTERS)                                                    \
  ROW(#OP, "", "s16", LETTERS, OP##_s16),                                      \
      ROW(#OP, "", "s32", LETTERS, OP##_s32),                                  \
      ROW(#OP, "", "s64", LETTERS, OP##_s64)
#define EACH(OP, LETTERS)                                                      \
  SIGNED(OP, LETTERS), ROW(#OP, "", "u16", LETTERS, OP##_u16),                 \
      ROW(#OP, "", "u32", LETTERS, OP##_u32),                                  \
      ROW(#OP, "", "u64", LETTERS, OP##_u64)

const struct row integer_rows[] = {BOTH(add, "ttt"),
                                   BOTH(sub, "ttt"),
                                   BOTH(neg, "tt"),
                                   EACH(div, "ttt"),
                                   EACH(rem, "ttt"),
                                   EACH(min, "ttt"),
                                   EACH(max, "ttt"),
                                   SIGNED(abs, "tt"),
                                   EACH(sad, "tttt"),
                                   ROW("add", "sat", "s32", "ttt", add_sat),
                                   ROW("sub", "sat", "s32", "ttt", sub_sat),
                                   END_OF_ROWS};
