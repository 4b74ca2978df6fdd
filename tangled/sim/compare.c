/* setp and set for integers, and what both do with a comparison's bits. Source:
 * PTX ISA, "Comparison and Selection Instructions". */
#include "comparing.h"

static uint32_t join(uint8_t flags, uint32_t bits, uint32_t with) {
  switch ((flags & HOW_BOOL) >> HOW_BOOL_SHIFT) {
  case 1:
    return bits & with;
  case 2:
    return bits | with;
  case 3:
    return bits ^ with;
  default:
    return bits;
  }
}

void compare_join(unsigned char *regs, const struct op *op, uint32_t mask,
                  uint32_t bits) {
  uint32_t with = lanes_predicate(regs, op->c);
  lanes_set_predicate(regs, op->d, join(op->flags, bits, with), mask);
  if (op->flags & HOW_PAIR)
    lanes_set_predicate(regs, op->e, join(op->flags, ~bits, with), mask);
}

void compare_set(unsigned char *regs, const struct op *op, uint32_t mask,
                 uint32_t bits) {
  uint32_t yes = op->type == PTX_F32 ? 0x3f800000 : 0xffffffff;
  uint32_t *to = (void *)(regs + op->d);
  bits = join(op->flags, bits, lanes_predicate(regs, op->c));
  for (int i = 0; i < LANES; i++) {
    uint32_t value = bits >> i & 1 ? yes : 0;
    to[i] = mask >> i & 1 ? value : to[i];
  }
}

#define COMPARISONS(W, U, S)                                                   \
  COMPARE(eq_##W, U, a == b)                                                   \
  COMPARE(ne_##W, U, a != b)                                                   \
  COMPARE(lt_u##W, U, a < b)                                                   \
  COMPARE(le_u##W, U, a <= b)                                                  \
  COMPARE(gt_u##W, U, a > b)                                                   \
  COMPARE(ge_u##W, U, a >= b)                                                  \
  COMPARE(lt_s##W, U, (S)a < (S)b)                                             \
  COMPARE(le_s##W, U, (S)a <= (S)b)                                            \
  COMPARE(gt_s##W, U, (S)a > (S)b)                                             \
  COMPARE(ge_s##W, U, (S)a >= (S)b)

COMPARISONS(16, uint16_t, int16_t)
COMPARISONS(32, uint32_t, int32_t)
COMPARISONS(64, uint64_t, int64_t)

#define ORDER_ROWS(T)                                                          \
  COMPARE_ROWS("lt", #T, lt_##T), COMPARE_ROWS("le", #T, le_##T),              \
      COMPARE_ROWS("gt", #T, gt_##T), COMPARE_ROWS("ge", #T, ge_##T)
#define UNSIGNED_ROWS(T)                                                       \
  COMPARE_ROWS("lo", #T, lt_##T), COMPARE_ROWS("ls", #T, le_##T),              \
      COMPARE_ROWS("hi", #T, gt_##T), COMPARE_ROWS("hs", #T, ge_##T)
#define EQUAL_ROWS(W)                                                          \
  COMPARE_ROWS("eq", "b" #W "/u" #W "/s" #W, eq_##W),                          \
      COMPARE_ROWS("ne", "b" #W "/u" #W "/s" #W, ne_##W)

const struct row compare_rows[] = {
    EQUAL_ROWS(16),  EQUAL_ROWS(32),     EQUAL_ROWS(64),     ORDER_ROWS(u16),
    ORDER_ROWS(u32), ORDER_ROWS(u64),    ORDER_ROWS(s16),    ORDER_ROWS(s32),
    ORDER_ROWS(s64), UNSIGNED_ROWS(u16), UNSIGNED_ROWS(u32), UNSIGNED_ROWS(u64),
    END_OF_ROWS};
