/* Counting, finding and rearranging bits. Source: PTX ISA, "Integer Arithmetic
 * Instructions" (popc to bfi) and "Data Movement" (prmt). */
#include "lanes.h"

static inline uint32_t leading_32(uint32_t a) {
  return a ? (uint32_t)__builtin_clz(a) : 32;
}

static inline uint32_t leading_64(uint64_t a) {
  return a ? (uint32_t)__builtin_clzll(a) : 64;
}

#define FINDING(W, U, S, POPULATION)                                           \
  LANES_1(popc_##W, uint32_t, U, POPULATION(a))                                \
  LANES_1(clz_##W, uint32_t, U, leading_##W(a))                                \
  LANES_1(bfind_u##W, uint32_t, U, W - 1u - leading_##W(a))                    \
  LANES_1(bfind_s##W, uint32_t, U, W - 1u - leading_##W((S)a < 0 ? ~a : a))    \
  LANES_1(bfind_shift_u##W, uint32_t, U, a ? leading_##W(a) : ~0u)             \
  LANES_1(bfind_shift_s##W, uint32_t, U,                                       \
          a + 1 > 1 ? leading_##W((S)a < 0 ? ~a : a) : ~0u)

FINDING(32, uint32_t, int32_t, __builtin_popcount)
FINDING(64, uint64_t, int64_t, __builtin_popcountll)

static inline uint32_t reverse_32(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
  return a >> 16 | a << 16;
}

static inline uint64_t reverse_64(uint64_t a) {
  return (uint64_t)reverse_32((uint32_t)a) << 32 |
         reverse_32((uint32_t)(a >> 32));
}

LANES_1(brev_32, uint32_t, uint32_t, reverse_32(a))
LANES_1(brev_64, uint64_t, uint64_t, reverse_64(a))

#define LIMIT_32(x) ((x)&255)
#define LIMIT_64(x) ((x) > 255 ? 255 : (x))
#define FIELDS(W, U, S)                                                        \
  static inline U ones_##W(uint32_t length) {                                  \
    return (U)(length >= W ? ~0ull : (1ull << (length & 63)) - 1);             \
  }                                                                            \
  static inline U extract_u##W(U a, uint32_t at, uint32_t length) {            \
    return at >= W ? 0 : (a >> (at & (W - 1))) & ones_##W(length);             \
  }                                                                            \
  static inline U extract_s##W(U a, uint32_t at, uint32_t length) {            \
    uint32_t top = at + length > W ? W - 1 : at + length - 1;                  \
    U sign = length && a >> (top & (W - 1)) & 1 ? ~(U)0 : 0;                   \
    U field = extract_u##W(a, at, length);                                     \
    uint32_t have = at >= W ? 0 : W - at < length ? W - at : length;           \
    return field | (sign & ~ones_##W(have));                                   \
  }                                                                            \
  LANES_3(bfe_u##W, U, U, uint32_t, uint32_t,                                  \
          extract_u##W(a, LIMIT_##W(b), LIMIT_##W(c)))                         \
  LANES_3(bfe_s##W, U, U, uint32_t, uint32_t,                                  \
          extract_s##W(a, LIMIT_##W(b), LIMIT_##W(c)))                         \
  static inline U insert_##W(U a, U b, uint32_t at, uint32_t length) {         \
    U field = at >= W ? 0 : (U)(ones_##W(length) << (at & (W - 1)));           \
    return (b & ~field) | ((a << (at & (W - 1))) & field);                     \
  }                                                                            \
  static void bfi_##W(unsigned char *regs, const struct op *op,                \
                      uint32_t mask) {                                         \
    LANES_TO(U)                                                                \
    LANES_FROM(uint32_t, fs, f)                                                \
    LANES_FROM(U, as, a)                                                       \
    LANES_FROM(U, bs, b)                                                       \
    LANES_FROM(uint32_t, cs, c)                                                \
    for (int i = 0; i < LANES; i++)                                            \
      if (mask >> i & 1)                                                       \
        to[i] = insert_##W(as[i], bs[i], LIMIT_##W(cs[i]), LIMIT_##W(fs[i]));  \
  }

FIELDS(32, uint32_t, int32_t)
FIELDS(64, uint64_t, int64_t)

static inline uint32_t permute_byte(uint64_t both, uint32_t nibble) {
  uint32_t byte = both >> 8 * (nibble & 7) & 255;
  return nibble & 8 ? (byte & 128 ? 255 : 0) : byte;
}

static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t both = (uint64_t)b << 32 | a;
  return permute_byte(both, c & 15) | permute_byte(both, c >> 4 & 15) << 8 |
         permute_byte(both, c >> 8 & 15) << 16 |
         permute_byte(both, c >> 12 & 15) << 24;
}

#define PERMUTE(NAME, C)                                                       \
  LANES_3(prmt_##NAME, uint32_t, uint32_t, uint32_t, uint32_t, permute(a, b, C))
#define PATTERN(NAME, C0, C1, C2, C3)                                          \
  PERMUTE(NAME, (c & 2) ? ((c & 1) ? C3 : C2) : ((c & 1) ? C1 : C0))

PERMUTE(any, c)
PATTERN(f4e, 0x3210u, 0x4321u, 0x5432u, 0x6543u)
PATTERN(b4e, 0x5670u, 0x6701u, 0x7012u, 0x0123u)
PATTERN(rc8, 0x0000u, 0x1111u, 0x2222u, 0x3333u)
PATTERN(ecl, 0x3210u, 0x3211u, 0x3222u, 0x3333u)
PATTERN(ecr, 0x0000u, 0x1110u, 0x2210u, 0x3210u)
PATTERN(rc16, 0x1010u, 0x3232u, 0x1010u, 0x3232u)

#define BIT_ROWS(W)                                                            \
  ROW("popc", "", "b" #W, "ut", popc_##W),                                     \
      ROW("clz", "", "b" #W, "ut", clz_##W),                                   \
      ROW("brev", "", "b" #W, "tt", brev_##W),                                 \
      ROW("bfind", "", "u" #W, "ut", bfind_u##W),                              \
      ROW("bfind", "", "s" #W, "ut", bfind_s##W),                              \
      ROW("bfind", "shiftamt", "u" #W, "ut", bfind_shift_u##W),                \
      ROW("bfind", "shiftamt", "s" #W, "ut", bfind_shift_s##W),                \
      ROW("bfe", "", "u" #W, "ttuu", bfe_u##W),                                \
      ROW("bfe", "", "s" #W, "ttuu", bfe_s##W),                                \
      ROW("bfi", "", "b" #W, "tttuu", bfi_##W)
#define PERMUTE_ROW(NAME) ROW("prmt", #NAME, "b32", "tttu", prmt_##NAME)

const struct row bit_rows[] = {BIT_ROWS(32),
                               BIT_ROWS(64),
                               PERMUTE_ROW(f4e),
                               PERMUTE_ROW(b4e),
                               PERMUTE_ROW(rc8),
                               PERMUTE_ROW(ecl),
                               PERMUTE_ROW(ecr),
                               PERMUTE_ROW(rc16),
                               ROW("prmt", "", "b32", "tttu", prmt_any),
                               END_OF_ROWS};
