/* Floating-point values and their bits. */
#ifndef SHUFFLE_LADDER_VALUES_H
#define SHUFFLE_LADDER_VALUES_H

#include "lanes.h"

enum { F32_NAN = 0x7fffffff, HALF_NAN = 0x7fff };

static inline float f32_value(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t f32_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return value != value ? (uint32_t)F32_NAN : bits;
}

static inline double f64_value(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t f64_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline uint32_t f32_flush(uint32_t bits) {
  return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static inline uint32_t f32_input(uint32_t how, uint32_t bits) {
  return how & HOW_FTZ ? f32_flush(bits) : bits;
}

static inline uint32_t f32_output(uint32_t how, uint32_t bits) {
  if (how & HOW_SAT) {
    float value = f32_value(bits);
    bits = value > 0 ? (value < 1 ? bits : 0x3f800000) : 0;
  }
  return how & HOW_FTZ ? f32_flush(bits) : bits;
}

static inline int32_t f32_order(uint32_t bits) {
  int32_t number = (int32_t)bits;
  return number ^ ((number >> 31) & 0x7fffffff);
}

static inline bool f32_is_nan(uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}

static inline uint32_t f32_min(uint32_t a, uint32_t b) {
  uint32_t best = f32_order(a) < f32_order(b) ? a : b;
  best = f32_is_nan(a) ? b : f32_is_nan(b) ? a : best;
  return f32_is_nan(best) ? (uint32_t)F32_NAN : best;
}

static inline uint32_t f32_max(uint32_t a, uint32_t b) {
  uint32_t best = f32_order(a) < f32_order(b) ? b : a;
  best = f32_is_nan(a) ? b : f32_is_nan(b) ? a : best;
  return f32_is_nan(best) ? (uint32_t)F32_NAN : best;
}

#define F64_QUIET 0x0008000000000000ull
#define F64_NAN 0xfff8000000000000ull

static inline bool f64_is_nan(uint64_t bits) {
  return (bits & ~(1ull << 63)) > 0x7ff0000000000000ull;
}

static inline uint64_t f64_keep(uint64_t operand, uint64_t bits) {
  return f64_is_nan(operand) ? operand | F64_QUIET : bits;
}

static inline uint64_t f64_canonical(double value) {
  return value != value ? F64_NAN : f64_bits(value);
}

static inline uint64_t f64_result(uint64_t first, uint64_t second,
                                  double value) {
  return f64_keep(first, f64_keep(second, f64_canonical(value)));
}
#endif
