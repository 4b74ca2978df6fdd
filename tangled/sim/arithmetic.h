/* Arithmetic, logic, comparison, selection and conversion: the instructions
 * that touch registers alone. arithmetic_decode (code.h) turns one into an op
 * of kind OP_LANES. Source: PTX ISA, "Instructions": the sections on integer,
 * floating-point, half-precision, comparison, logic, shift, mov and cvt. */
#ifndef SHUFFLE_LADDER_ARITHMETIC_H
#define SHUFFLE_LADDER_ARITHMETIC_H

#include "code.h"

/* Set in op->flags where the GPU's bits cannot be promised (sin.approx and its
 * kind): the launch counts every execution of such an op. */
enum { ARITHMETIC_APPROXIMATE = 1 };

#endif
