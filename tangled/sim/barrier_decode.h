/* Decoding bar and barrier; called by collective_decode. */
#ifndef SHUFFLE_LADDER_BARRIER_DECODE_H
#define SHUFFLE_LADDER_BARRIER_DECODE_H

#include "code.h"

/* DECODE_OTHER for any opcode but `bar` and `barrier`. Fills op->kind =
 * OP_BARRIER and the fields that barrier.h names. */
enum decode barrier_decode(struct decoder *decoder,
                           const struct ptx_instruction *in, struct op *op);

#endif
