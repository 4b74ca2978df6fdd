/* Rounding to floating-point formats in any mode, and operations on doubles
 * that are rounded to odd, so that rounding them again is right: S. Boldo and
 * G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008. */
#ifndef SHUFFLE_LADDER_ROUNDING_H
#define SHUFFLE_LADDER_ROUNDING_H

#include "rows.h"

struct format {
  int exponent, fraction; /* bits of each */
};

extern const struct format format_f16, format_bf16, format_f32, format_f64;

/* The bits of significand * 2^power, rounded. What was lost from the
 * significand before must show as its lowest bit being 1. */
uint64_t rounding_pack(bool negative, uint64_t significand, int power,
                       const struct format *format, enum rounding mode);

/* The same for a double. A NaN gives all ones but for the sign. */
uint64_t rounding_narrow(double value, const struct format *format,
                         enum rounding mode);

/* Whether a result is flushed by .ftz: rounded to the format's precision but
 * with any exponent, it is below the smallest normal number. */
bool rounding_is_tiny(double value, const struct format *format,
                      enum rounding mode);

/* The value of a 16-bit format; exact. */
double rounding_widen(uint16_t bits, const struct format *format);

/* Operations rounded to odd. The operands are values of formats of at most 24
 * significant bits (for rounding_add, one may be a product of two). The mode
 * decides the sign of a sum that is exactly zero. */
double rounding_add(double a, double b, enum rounding mode);
double rounding_divide(double a, double b);
double rounding_root(double a);

#endif
