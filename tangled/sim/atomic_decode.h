/* Decoding of atom and red. */
#ifndef SHUFFLE_LADDER_ATOMIC_DECODE_H
#define SHUFFLE_LADDER_ATOMIC_DECODE_H

#include "code.h"

/* False after decoder_refuse: a type or an operation that is not known. */
bool atomic_decode(struct decoder *decoder, const struct ptx_instruction *in,
                   struct op *op);

#endif
