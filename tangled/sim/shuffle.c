/* shfl.sync: who reads whom, and the move itself. */
#include <string.h>

#include "shuffle.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

static inline int32_t wanted(enum shuffle_mode mode, int32_t lane, int32_t b,
                             int32_t segment) {
  switch (mode) {
  case SHUFFLE_UP:
    return lane - b;
  case SHUFFLE_DOWN:
    return lane + b;
  case SHUFFLE_BFLY:
    return lane ^ b;
  default:
    return (lane & segment) | (b & ~segment);
  }
}

static inline __attribute__((always_inline)) uint32_t
plan(enum shuffle_mode mode, const uint32_t *b, const uint32_t *c,
     uint32_t *restrict from) {
  uint32_t bits = 0;
  for (int32_t lane = 0; lane < LANES; lane++) {
    int32_t clamp = (int32_t)(c[lane] & 31);
    int32_t segment = (int32_t)(c[lane] >> 8 & 31);
    int32_t high = (lane & segment) | (clamp & ~segment);
    int32_t j = wanted(mode, lane, (int32_t)(b[lane] & 31), segment);
    bool good = mode == SHUFFLE_UP ? j >= high : j <= high;
    from[lane] = (uint32_t)(good ? j : lane);
    bits |= (uint32_t)good << lane;
  }
  return bits;
}

uint32_t shuffle_plan(enum shuffle_mode mode, const uint32_t b[LANES],
                      const uint32_t c[LANES], uint32_t from[LANES]) {
  switch (mode) {
  case SHUFFLE_UP:
    return plan(SHUFFLE_UP, b, c, from);
  case SHUFFLE_DOWN:
    return plan(SHUFFLE_DOWN, b, c, from);
  case SHUFFLE_BFLY:
    return plan(SHUFFLE_BFLY, b, c, from);
  default:
    return plan(SHUFFLE_IDX, b, c, from);
  }
}

#if defined(__AVX512F__)
void shuffle_move(const uint32_t a[LANES], const uint32_t from[LANES],
                  uint32_t d[LANES]) {
  __m512i low = _mm512_loadu_si512(a), high = _mm512_loadu_si512(a + 16);
  for (int half = 0; half < LANES; half += 16) {
    __m512i pick = _mm512_loadu_si512(from + half);
    _mm512_storeu_si512(d + half, _mm512_permutex2var_epi32(low, pick, high));
  }
}
#elif defined(__AVX2__)
static inline __m256 load_eight(const uint32_t *from) {
  return _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)from));
}

static inline __m256 pick_eight(const __m256 all[4], __m256i pick) {
  __m256 bit3 = _mm256_castsi256_ps(_mm256_slli_epi32(pick, 28));
  __m256 bit4 = _mm256_castsi256_ps(_mm256_slli_epi32(pick, 27));
  __m256 part[4];
  for (int i = 0; i < 4; i++)
    part[i] = _mm256_permutevar8x32_ps(all[i], pick);
  __m256 low = _mm256_blendv_ps(part[0], part[1], bit3);
  __m256 high = _mm256_blendv_ps(part[2], part[3], bit3);
  return _mm256_blendv_ps(low, high, bit4);
}

void shuffle_move(const uint32_t a[LANES], const uint32_t from[LANES],
                  uint32_t d[LANES]) {
  __m256 all[4];
  for (int i = 0; i < 4; i++)
    all[i] = load_eight(a + 8 * i);
  for (int i = 0; i < LANES; i += 8) {
    __m256i pick = _mm256_castps_si256(load_eight(from + i));
    __m256i picked = _mm256_castps_si256(pick_eight(all, pick));
    _mm256_storeu_si256((__m256i *)(d + i), picked);
  }
}
#else
void shuffle_move(const uint32_t a[LANES], const uint32_t from[LANES],
                  uint32_t d[LANES]) {
  uint32_t copy[LANES];
  memcpy(copy, a, sizeof copy);
  for (int lane = 0; lane < LANES; lane++)
    d[lane] = copy[from[lane]];
}
#endif
