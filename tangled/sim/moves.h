/* Moving elements between registers and the host bytes behind the lanes.
 * Source: PTX ISA, "Operand Size Exceeding Instruction-Type Size". */
#ifndef SHUFFLE_LADDER_MOVES_H
#define SHUFFLE_LADDER_MOVES_H

#include "address.h"
#include "memory.h"

/* op->variant of elements of 4 bytes in registers of 4, and of 8 in 8. */
enum { MOVE_WORD = 2 | 2 << 2, MOVE_LONG = 3 | 3 << 2 };

/* Moves all elements of an op for the lanes of `mask`. The reach may be spread
 * on the way. Lanes store in ascending order. */
void load_elements(unsigned char *regs, const struct op *op, uint32_t mask,
                   struct reach *reach);
void store_elements(unsigned char *regs, const struct op *op, uint32_t mask,
                    struct reach *reach);

/* Copies lane 0 of a register of `bytes` bytes a lane to all the others. */
void fill_lanes(unsigned char *slot, uint32_t bytes);

#endif
