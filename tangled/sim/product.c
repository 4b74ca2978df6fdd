/* Products of integers. Source: PTX ISA, "Integer Arithmetic Instructions":
 * mul, mad, mul24, mad24, dp4a, dp2a. */
#include "lanes.h"

static inline uint64_t high_u64(uint64_t a, uint64_t b) {
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  uint64_t other = a0 * b1 + (uint32_t)middle;
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

static inline uint64_t high_s64(uint64_t a, uint64_t b) {
  return high_u64(a, b) - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0);
}

#define HIGH_u16(a, b) ((uint32_t)(a) * (b) >> 16)
#define HIGH_s16(a, b) ((int16_t)(a) * (int16_t)(b) >> 16)
#define HIGH_u32(a, b) ((uint64_t)(a) * (b) >> 32)
#define HIGH_s32(a, b) ((int64_t)(int32_t)(a) * (int32_t)(b) >> 32)
#define HIGH_u64(a, b) high_u64(a, b)
#define HIGH_s64(a, b) high_s64(a, b)

#define PRODUCTS(W, U)                                                         \
  LANES_2(mul_lo_##W, U, U, U, 1u * a * b)                                     \
  LANES_3(mad_lo_##W, U, U, U, U, 1u * a * b + c)                              \
  LANES_2(mul_hi_u##W, U, U, U, HIGH_u##W(a, b))                               \
  LANES_2(mul_hi_s##W, U, U, U, HIGH_s##W(a, b))                               \
  LANES_3(mad_hi_u##W, U, U, U, U, (U)HIGH_u##W(a, b) + c)                     \
  LANES_3(mad_hi_s##W, U, U, U, U, (U)HIGH_s##W(a, b) + c)

PRODUCTS(16, uint16_t)
PRODUCTS(32, uint32_t)
PRODUCTS(64, uint64_t)

static inline uint32_t saturated(int64_t sum) {
  return (uint32_t)(sum > INT32_MAX   ? INT32_MAX
                    : sum < INT32_MIN ? INT32_MIN
                                      : sum);
}

LANES_3(mad_hi_sat, uint32_t, uint32_t, uint32_t, uint32_t,
        saturated(HIGH_s32(a, b) + (int32_t)c))

#define WIDE(W, U, S, U2, S2)                                                  \
  LANES_2(mul_wide_u##W, U2, U, U, (U2)a *b)                                   \
  LANES_2(mul_wide_s##W, U2, U, U, (S2)(S)a *(S)b)                             \
  LANES_3(mad_wide_u##W, U2, U, U, U2, (U2)a *b + c)                           \
  LANES_3(mad_wide_s##W, U2, U, U, U2, (U2)((S2)(S)a * (S)b) + c)

WIDE(16, uint16_t, int16_t, uint32_t, int32_t)
WIDE(32, uint32_t, int32_t, uint64_t, int64_t)

static inline uint64_t product24_u(uint32_t a, uint32_t b) {
  return (uint64_t)(a & 0xffffff) * (b & 0xffffff);
}

static inline int64_t extended24(uint32_t a) {
  int32_t top = (int32_t)(a << 8);
  return top >> 8;
}

static inline uint64_t product24_s(uint32_t a, uint32_t b) {
  return (uint64_t)(extended24(a) * extended24(b));
}

#define PRODUCTS24(S)                                                          \
  LANES_2(mul24_lo_##S, uint32_t, uint32_t, uint32_t, product24_##S(a, b))     \
  LANES_2(mul24_hi_##S, uint32_t, uint32_t, uint32_t,                          \
          product24_##S(a, b) >> 16)                                           \
  LANES_3(mad24_lo_##S, uint32_t, uint32_t, uint32_t, uint32_t,                \
          product24_##S(a, b) + c)                                             \
  LANES_3(mad24_hi_##S, uint32_t, uint32_t, uint32_t, uint32_t,                \
          (product24_##S(a, b) >> 16) + c)

PRODUCTS24(u)
PRODUCTS24(s)

#define BYTE_u(x, k) ((uint32_t)(uint8_t)((x) >> 8 * (k)))
#define BYTE_s(x, k) ((uint32_t)(int8_t)((x) >> 8 * (k)))
#define HALF_u(x, k) ((uint32_t)(uint16_t)((x) >> 16 * (k)))
#define HALF_s(x, k) ((uint32_t)(int16_t)((x) >> 16 * (k)))

#define DOTS(A, B)                                                             \
  LANES_3(                                                                     \
      dp4a_##A##B, uint32_t, uint32_t, uint32_t, uint32_t,                     \
      c + BYTE_##A(a, 0) * BYTE_##B(b, 0) + BYTE_##A(a, 1) * BYTE_##B(b, 1) +  \
          BYTE_##A(a, 2) * BYTE_##B(b, 2) + BYTE_##A(a, 3) * BYTE_##B(b, 3))   \
  LANES_3(dp2a_lo_##A##B, uint32_t, uint32_t, uint32_t, uint32_t,              \
          c + HALF_##A(a, 0) * BYTE_##B(b, 0) +                                \
              HALF_##A(a, 1) * BYTE_##B(b, 1))                                 \
  LANES_3(dp2a_hi_##A##B, uint32_t, uint32_t, uint32_t, uint32_t,              \
          c + HALF_##A(a, 0) * BYTE_##B(b, 2) +                                \
              HALF_##A(a, 1) * BYTE_##B(b, 3))

DOTS(u, u)
DOTS(u, s)
DOTS(s, u)
DOTS(s, s)

#define LOW(W)                                                                 \
  ROW("mul", "lo", "u" #W "/s" #W, "ttt", mul_lo_##W),                         \
      ROW("mad", "lo", "u" #W "/s" #W, "tttt", mad_lo_##W)
#define HIGH(T)                                                                \
  ROW("mul", "hi", #T, "ttt", mul_hi_##T),                                     \
      ROW("mad", "hi", #T, "tttt", mad_hi_##T)
#define WIDER(T)                                                               \
  ROW("mul", "wide", #T, "wtt", mul_wide_##T),                                 \
      ROW("mad", "wide", #T, "wttw", mad_wide_##T)
#define SMALL24(S)                                                             \
  ROW("mul24", "lo", #S "32", "ttt", mul24_lo_##S),                            \
      ROW("mul24", "hi", #S "32", "ttt", mul24_hi_##S),                        \
      ROW("mad24", "lo", #S "32", "tttt", mad24_lo_##S),                       \
      ROW("mad24", "hi", #S "32", "tttt", mad24_hi_##S)
#define DOT(A, B)                                                              \
  ROW("dp4a", "", #A "32 " #B "32", "utvu", dp4a_##A##B),                      \
      ROW("dp2a", "lo", #A "32 " #B "32", "utvu", dp2a_lo_##A##B),             \
      ROW("dp2a", "hi", #A "32 " #B "32", "utvu", dp2a_hi_##A##B)

const struct row product_rows[] = {
    LOW(16),    LOW(32),
    LOW(64),    HIGH(u16),
    HIGH(u32),  HIGH(u64),
    HIGH(s16),  HIGH(s32),
    HIGH(s64),  WIDER(u16),
    WIDER(u32), WIDER(s16),
    WIDER(s32), SMALL24(u),
    SMALL24(s), DOT(u, u),
    DOT(u, s),  DOT(s, u),
    DOT(s, s),  ROW("mad", "hi sat", "s32", "tttt", mad_hi_sat),
    END_OF_ROWS};
