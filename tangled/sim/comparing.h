/* Families of comparisons. COMPARE(lt, T, VALUE) defines setp_lt and set_lt for
 * registers of T; VALUE says whether the comparison of a and b holds. */
#ifndef SHUFFLE_LADDER_COMPARING_H
#define SHUFFLE_LADDER_COMPARING_H

#include "lanes.h"

/* What follows a comparison that gave `bits`: setp's and set's part. */
void compare_set(unsigned char *regs, const struct op *op, uint32_t mask,
                 uint32_t bits);
void compare_join(unsigned char *regs, const struct op *op, uint32_t mask,
                  uint32_t bits);

#define COMPARE(NAME, T, VALUE)                                                \
  static inline uint32_t bits_##NAME(const unsigned char *regs,                \
                                     const struct op *op) {                    \
    LANES_FROM(T, as, a) LANES_FROM(T, bs, b) uint32_t bits = 0;               \
    for (int i = 0; i < LANES; i++) {                                          \
      T a = as[i], b = bs[i];                                                  \
      bits |= (uint32_t)(VALUE) << i;                                          \
    }                                                                          \
    return bits;                                                               \
  }                                                                            \
  static void setp_##NAME(unsigned char *regs, const struct op *op,            \
                          uint32_t mask) {                                     \
    uint32_t bits = bits_##NAME(regs, op);                                     \
    if (op->flags & (HOW_BOOL | HOW_PAIR))                                     \
      compare_join(regs, op, mask, bits);                                      \
    else                                                                       \
      lanes_set_predicate(regs, op->d, bits, mask);                            \
  }                                                                            \
  static void set_##NAME(unsigned char *regs, const struct op *op,             \
                         uint32_t mask) {                                      \
    compare_set(regs, op, mask, bits_##NAME(regs, op));                        \
  }

#define JOIN_MARKS " and? or? xor?"
#define COMPARE_ROWS(MARKS, TYPES, NAME)                                       \
  ROW("setp", MARKS JOIN_MARKS, TYPES, "Ptto", setp_##NAME),                   \
      ROW("set", MARKS JOIN_MARKS, "u32/s32 " TYPES, "uvvo", set_##NAME),      \
      ROW("set", MARKS JOIN_MARKS, "f32 " TYPES, "uvvo", set_##NAME)
#define FLOAT_COMPARISONS(T, U, F)                                             \
  COMPARE(eq_##T, U, F(a) == F(b))                                             \
  COMPARE(ne_##T, U, F(a) < F(b) || F(a) > F(b))                               \
  COMPARE(lt_##T, U, F(a) < F(b))                                              \
  COMPARE(le_##T, U, F(a) <= F(b))                                             \
  COMPARE(gt_##T, U, F(a) > F(b))                                              \
  COMPARE(ge_##T, U, F(a) >= F(b))                                             \
  COMPARE(equ_##T, U, !(F(a) < F(b) || F(a) > F(b)))                           \
  COMPARE(neu_##T, U, F(a) != F(b))                                            \
  COMPARE(ltu_##T, U, !(F(a) >= F(b)))                                         \
  COMPARE(leu_##T, U, !(F(a) > F(b)))                                          \
  COMPARE(gtu_##T, U, !(F(a) <= F(b)))                                         \
  COMPARE(geu_##T, U, !(F(a) < F(b)))                                          \
  COMPARE(num_##T, U, F(a) == F(a) && F(b) == F(b))                            \
  COMPARE(nan_##T, U, F(a) != F(a) || F(b) != F(b))

#define FLOAT_ROWS(FTZ, TYPE, T)                                               \
  COMPARE_ROWS("eq" FTZ, TYPE, eq_##T), COMPARE_ROWS("ne" FTZ, TYPE, ne_##T),  \
      COMPARE_ROWS("lt" FTZ, TYPE, lt_##T),                                    \
      COMPARE_ROWS("le" FTZ, TYPE, le_##T),                                    \
      COMPARE_ROWS("gt" FTZ, TYPE, gt_##T),                                    \
      COMPARE_ROWS("ge" FTZ, TYPE, ge_##T),                                    \
      COMPARE_ROWS("equ" FTZ, TYPE, equ_##T),                                  \
      COMPARE_ROWS("neu" FTZ, TYPE, neu_##T),                                  \
      COMPARE_ROWS("ltu" FTZ, TYPE, ltu_##T),                                  \
      COMPARE_ROWS("leu" FTZ, TYPE, leu_##T),                                  \
      COMPARE_ROWS("gtu" FTZ, TYPE, gtu_##T),                                  \
      COMPARE_ROWS("geu" FTZ, TYPE, geu_##T),                                  \
      COMPARE_ROWS("num" FTZ, TYPE, num_##T),                                  \
      COMPARE_ROWS("nan" FTZ, TYPE, nan_##T)
#endif
