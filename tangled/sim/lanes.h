/* Families of lane-wise handlers. LANES_1(add, D, A, VALUE) defines a handler
 * `add` that sets each selected lane of a destination of D to VALUE, in which
 * `a` is that lane of a source of type A and `how` is HOW_ bits (rows.h).
 * LANES_2 and LANES_3 have b and c too. VALUE must be defined for all bits that
 * a and b may hold: it is computed for lanes that are not selected as well. */
#ifndef SHUFFLE_LADDER_LANES_H
#define SHUFFLE_LADDER_LANES_H

#include <string.h>

#include "rows.h"

#define ALL_LANES 0xffffffffu

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* not at every level */
#define LANES_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define LANES_INDEPENDENT _Pragma("GCC ivdep")
#else
#define LANES_INDEPENDENT
#endif

#define LANES_TO(D) D *to = (void *)(regs + op->d);
#define LANES_FROM(A, as, field) const A *as = (const void *)(regs + op->field);
#define LANES_HOW                                                              \
  uint32_t how = op->flags | (uint32_t)op->variant << HOW_VARIANT_SHIFT;

#define LANES_1(NAME, D, A, VALUE)                                             \
  static inline D NAME##_lane(uint32_t how, A a) {                             \
    (void)how;                                                                 \
    return (D)(VALUE);                                                         \
  }                                                                            \
  static void NAME(unsigned char *regs, const struct op *op, uint32_t mask) {  \
    LANES_TO(D) LANES_FROM(A, as, a) LANES_HOW if (mask == ALL_LANES) {        \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = NAME##_lane(how, as[i]);                                       \
    }                                                                          \
    else {                                                                     \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = mask >> i & 1 ? NAME##_lane(how, as[i]) : to[i];               \
    }                                                                          \
  }

#define LANES_2(NAME, D, A, B, VALUE)                                          \
  static inline D NAME##_lane(uint32_t how, A a, B b) {                        \
    (void)how;                                                                 \
    return (D)(VALUE);                                                         \
  }                                                                            \
  static void NAME(unsigned char *regs, const struct op *op, uint32_t mask) {  \
    LANES_TO(D)                                                                \
    LANES_FROM(A, as, a)                                                       \
    LANES_FROM(B, bs, b) LANES_HOW if (mask == ALL_LANES) {                    \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = NAME##_lane(how, as[i], bs[i]);                                \
    }                                                                          \
    else {                                                                     \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = mask >> i & 1 ? NAME##_lane(how, as[i], bs[i]) : to[i];        \
    }                                                                          \
  }

#define LANES_3(NAME, D, A, B, C, VALUE)                                       \
  static inline D NAME##_lane(uint32_t how, A a, B b, C c) {                   \
    (void)how;                                                                 \
    return (D)(VALUE);                                                         \
  }                                                                            \
  static void NAME(unsigned char *regs, const struct op *op, uint32_t mask) {  \
    LANES_TO(D)                                                                \
    LANES_FROM(A, as, a)                                                       \
    LANES_FROM(B, bs, b)                                                       \
    LANES_FROM(C, cs, c) LANES_HOW if (mask == ALL_LANES) {                    \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = NAME##_lane(how, as[i], bs[i], cs[i]);                         \
    }                                                                          \
    else {                                                                     \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = mask >> i & 1 ? NAME##_lane(how, as[i], bs[i], cs[i]) : to[i]; \
    }                                                                          \
  }

#define LANES_SLOW(NAME, D, VALUE)                                             \
  static void NAME(unsigned char *regs, const struct op *op, uint32_t mask) {  \
    LANES_TO(D)                                                                \
    LANES_HOW for (int i = 0; i < LANES; i++) if (mask >> i & 1) to[i] =       \
        (D)(VALUE);                                                            \
  }
#define LANE(T, field) (((const T *)(const void *)(regs + op->field))[i])
#define LANES_SLOW_1(NAME, D, A, F) LANES_SLOW(NAME, D, F(how, LANE(A, a)))
#define LANES_SLOW_2(NAME, D, A, B, F)                                         \
  LANES_SLOW(NAME, D, F(how, LANE(A, a), LANE(B, b)))
#define LANES_SLOW_3(NAME, D, A, B, C, F)                                      \
  LANES_SLOW(NAME, D, F(how, LANE(A, a), LANE(B, b), LANE(C, c)))

static inline uint32_t lanes_predicate(const unsigned char *regs,
                                       uint32_t offset) {
  uint32_t bits;
  memcpy(&bits, regs + offset, sizeof bits);
  return bits;
}

static inline void lanes_set_predicate(unsigned char *regs, uint32_t offset,
                                       uint32_t bits, uint32_t mask) {
  bits = (lanes_predicate(regs, offset) & ~mask) | (bits & mask);
  memcpy(regs + offset, &bits, sizeof bits);
}

#define LANES_TEST(NAME, A, VALUE)                                             \
  static void NAME(unsigned char *regs, const struct op *op, uint32_t mask) {  \
    LANES_FROM(A, as, a)                                                       \
    uint32_t bits = 0;                                                         \
    for (int i = 0; i < LANES; i++) {                                          \
      A a = as[i];                                                             \
      bits |= (uint32_t)(VALUE) << i;                                          \
    }                                                                          \
    lanes_set_predicate(regs, op->d, bits, mask);                              \
  }

#endif
