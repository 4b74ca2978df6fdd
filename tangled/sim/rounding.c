/* Rounding by hand: see rounding.h. */
#include "rounding.h"

#include <math.h>

#include "values.h"

const struct format format_f16 = {5, 10}, format_bf16 = {8, 7},
                    format_f32 = {8, 23}, format_f64 = {11, 52};

static bool rounds_away(bool negative, uint64_t kept, uint64_t rest,
                        enum rounding mode) {
  const uint64_t half = 1ull << 63;
  switch (mode) {
  case ROUND_NEAREST:
    return rest > half || (rest == half && (kept & 1));
  case ROUND_DOWN:
    return negative && rest;
  case ROUND_UP:
    return !negative && rest;
  default:
    return false;
  }
}

static uint64_t pack_overflow(bool negative, const struct format *format,
                              enum rounding mode) {
  uint64_t infinity = ((1ull << format->exponent) - 1) << format->fraction;
  bool stays = mode == ROUND_ZERO || mode == (negative ? ROUND_UP : ROUND_DOWN);
  return infinity - stays;
}

static uint64_t pack_sign(bool negative, const struct format *format) {
  return (uint64_t)negative << (format->exponent + format->fraction);
}

uint64_t rounding_pack(bool negative, uint64_t significand, int power,
                       const struct format *format, enum rounding mode) {
  if (significand == 0)
    return pack_sign(negative, format);
  int up = __builtin_clzll(significand);
  significand <<= up;
  int field = power - up + 63 + (1 << (format->exponent - 1)) - 1;
  if (field >= (1 << format->exponent) - 1)
    return pack_sign(negative, format) | pack_overflow(negative, format, mode);
  int drop = 63 - format->fraction + (field < 1 ? 1 - field : 0);
  uint64_t kept = drop > 63 ? 0 : significand >> drop;
  uint64_t rest = drop > 64   ? 1
                  : drop > 63 ? significand
                              : significand << (64 - drop);
  kept += rounds_away(negative, kept, rest, mode);
  uint64_t above = field < 1 ? 0 : (uint64_t)(field - 1);
  return pack_sign(negative, format) | ((above << format->fraction) + kept);
}

uint64_t rounding_narrow(double value, const struct format *format,
                         enum rounding mode) {
  uint64_t bits = f64_bits(value);
  bool negative = bits >> 63;
  int field = (int)(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & 0xfffffffffffffull;
  uint64_t infinity = ((1ull << format->exponent) - 1) << format->fraction;
  if (value != value)
    return (1ull << (format->exponent + format->fraction)) - 1;
  if (field == 0x7ff)
    return pack_sign(negative, format) | infinity;
  uint64_t significand = fraction | (uint64_t)(field > 0) << 52;
  return rounding_pack(negative, significand, (field ? field : 1) - 1075,
                       format, mode);
}

static double power_of_two(int exponent) { /* of a normal double */
  return f64_value((uint64_t)(exponent + 1023) << 52);
}

double rounding_widen(uint16_t bits, const struct format *format) {
  int field = bits >> format->fraction & ((1 << format->exponent) - 1);
  int fraction = bits & ((1 << format->fraction) - 1);
  int bias = (1 << (format->exponent - 1)) - 1;
  double sign = bits >> 15 ? -1 : 1;
  if (field == (1 << format->exponent) - 1)
    return fraction ? (double)NAN : sign * (double)INFINITY;
  int significand = field ? fraction | 1 << format->fraction : fraction;
  int exponent = (field ? field : 1) - bias - format->fraction;
  return sign * significand * power_of_two(exponent);
}

bool rounding_is_tiny(double value, const struct format *format,
                      enum rounding mode) {
  double least = power_of_two(2 - (1 << (format->exponent - 1)));
  if (!(fabs(value) < least) || fabs(value) < least / 2)
    return fabs(value) < least;
  uint64_t twice = rounding_narrow(value * 2, format, mode);
  uint64_t exponent = twice >> format->fraction;
  return (exponent & 3) < 2;
}

static double to_odd(double value, double missing) {
  uint64_t bits = f64_bits(value);
  if (!(missing < 0 || missing > 0) || isinf(value))
    return value;
  if ((missing < 0) != (value < 0))
    bits--;
  return f64_value(bits | 1);
}

double rounding_add(double a, double b, enum rounding mode) {
  double sum = a + b, part = sum - a;
  double missing = (a - (sum - part)) + (b - part);
  if (sum == 0 && mode == ROUND_DOWN && (signbit(a) || signbit(b)))
    return -0.0;
  return to_odd(sum, missing);
}

double rounding_divide(double a, double b) {
  double quotient = a / b;
  double missing = fma(-quotient, b, a);
  return to_odd(quotient,
                (b < 0) != (missing < 0) ? -fabs(missing) : fabs(missing));
}

double rounding_root(double a) {
  double root = sqrt(a);
  return to_odd(root, fma(-root, root, a));
}
