/* Bitwise logic and shifts. Source: PTX ISA, "Logic and Shift Instructions". */
#include "lanes.h"

#define LOGIC(W, U)                                                            \
  LANES_2(and_##W, U, U, U, a &b)                                              \
  LANES_2(or_##W, U, U, U, a | b)                                              \
  LANES_2(xor_##W, U, U, U, a ^ b)                                             \
  LANES_1(not_##W, U, U, ~a)                                                   \
  LANES_1(cnot_##W, U, U, a == 0)

LOGIC(16, uint16_t)
LOGIC(32, uint32_t)
LOGIC(64, uint64_t)

#define PREDICATES(NAME, VALUE)                                                \
  static void NAME##_pred(unsigned char *regs, const struct op *op,            \
                          uint32_t mask) {                                     \
    uint32_t a = lanes_predicate(regs, op->a);                                 \
    uint32_t b = lanes_predicate(regs, op->b);                                 \
    (void)b;                                                                   \
    lanes_set_predicate(regs, op->d, VALUE, mask);                             \
  }

PREDICATES(and, a &b)
PREDICATES(or, a | b)
PREDICATES(xor, a ^ b)
PREDICATES(not, ~a)

static inline uint32_t table_bit(uint32_t how, uint32_t which) {
  return 0u - (how >> (HOW_VARIANT_SHIFT + which) & 1);
}

static inline uint32_t lookup(uint32_t how, uint32_t a, uint32_t b,
                              uint32_t c) {
  return (table_bit(how, 0) & ~a & ~b & ~c) |
         (table_bit(how, 1) & ~a & ~b & c) | (table_bit(how, 2) & ~a & b & ~c) |
         (table_bit(how, 3) & ~a & b & c) | (table_bit(how, 4) & a & ~b & ~c) |
         (table_bit(how, 5) & a & ~b & c) | (table_bit(how, 6) & a & b & ~c) |
         (table_bit(how, 7) & a & b & c);
}

LANES_3(lop3_lut, uint32_t, uint32_t, uint32_t, uint32_t, lookup(how, a, b, c))

#define SHIFTS(W, U, S)                                                        \
  LANES_2(shl_##W, U, U, uint32_t, b >= W ? 0 : (U)a << (b & (W - 1)))         \
  LANES_2(shr_u##W, U, U, uint32_t, b >= W ? 0 : a >> (b & (W - 1)))           \
  LANES_2(shr_s##W, U, U, uint32_t, (S)a >> (b >= W ? W - 1 : b))

SHIFTS(16, uint16_t, int16_t)
SHIFTS(32, uint32_t, int32_t)
SHIFTS(64, uint64_t, int64_t)

static inline uint64_t joined(uint32_t a, uint32_t b) {
  return (uint64_t)b << 32 | a;
}

static inline uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t amount) {
  uint64_t shifted = joined(a, b) << amount;
  return (uint32_t)(shifted >> 32);
}

static inline uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t amount) {
  return (uint32_t)(joined(a, b) >> amount);
}

#define FUNNEL(NAME, VALUE)                                                    \
  LANES_3(NAME, uint32_t, uint32_t, uint32_t, uint32_t, VALUE)
FUNNEL(shf_l_wrap, funnel_left(a, b, c & 31))
FUNNEL(shf_r_wrap, funnel_right(a, b, c & 31))
FUNNEL(shf_l_clamp, funnel_left(a, b, c > 32 ? 32 : c))
FUNNEL(shf_r_clamp, funnel_right(a, b, c > 32 ? 32 : c))

#define WIDTHS(OP, LETTERS)                                                    \
  ROW(#OP, "", "b16", LETTERS, OP##_16),                                       \
      ROW(#OP, "", "b32", LETTERS, OP##_32),                                   \
      ROW(#OP, "", "b64", LETTERS, OP##_64)
#define SHIFT_ROWS(W)                                                          \
  ROW("shl", "", "b" #W, "ttu", shl_##W),                                      \
      ROW("shr", "", "u" #W "/b" #W, "ttu", shr_u##W),                         \
      ROW("shr", "", "s" #W, "ttu", shr_s##W)

const struct row logic_rows[] = {
    WIDTHS(and, "ttt"),
    WIDTHS(or, "ttt"),
    WIDTHS(xor, "ttt"),
    WIDTHS(not, "tt"),
    WIDTHS(cnot, "tt"),
    ROW("and", "", "pred", "ttt", and_pred),
    ROW("or", "", "pred", "ttt", or_pred),
    ROW("xor", "", "pred", "ttt", xor_pred),
    ROW("not", "", "pred", "tt", not_pred),
    ROW("lop3", "", "b32", "tttti", lop3_lut),
    SHIFT_ROWS(16),
    SHIFT_ROWS(32),
    SHIFT_ROWS(64),
    ROW("shf", "l wrap", "b32", "tttu", shf_l_wrap),
    ROW("shf", "r wrap", "b32", "tttu", shf_r_wrap),
    ROW("shf", "l clamp", "b32", "tttu", shf_l_clamp),
    ROW("shf", "r clamp", "b32", "tttu", shf_r_clamp),
    END_OF_ROWS};
