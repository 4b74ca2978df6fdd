/* The numbers that are summed. Element i depends on i alone. */
#ifndef SHUFFLE_LADDER_INPUT_H
#define SHUFFLE_LADDER_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* Every element is a whole number of units of 2^-29, and its magnitude is at
 * least 2^-6 and less than 8: less than 2^32 units. So sums of up to 2^31 of
 * them, in units, are exact in an int64_t. */
#define INPUT_UNIT 0x1p-29

float input_element(uint64_t i);
void input_fill(float *x, size_t n);

/* An element as a number of units. Exact. */
int64_t input_units(float x);

#endif
