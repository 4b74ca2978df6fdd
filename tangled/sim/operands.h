/* The operands of loads, stores and atomics. Every function is false after
 * decoder_refuse. Source: PTX ISA, "Operand Size Exceeding Instruction-Type
 * Size". */
#ifndef SHUFFLE_LADDER_OPERANDS_H
#define SHUFFLE_LADDER_OPERANDS_H

#include "modifiers.h"

/* ".shared" for PTX_SHARED, "generic" for PTX_GENERIC; for messages. */
const char *operands_space_name(enum ptx_space space);

bool operands_count(struct decoder *decoder, const struct ptx_instruction *in,
                    uint32_t count);

/* Fills in the address and op->space, and modifiers->space where it follows
 * from the variable that is named. */
bool operands_address(struct decoder *decoder, const struct ptx_instruction *in,
                      const struct ptx_operand *operand,
                      struct modifiers *modifiers, struct op *op);

/* Fills op->vector from a register or a vector of them. *slot is the bytes a
 * lane takes in each; registers may be wider than the type. */
bool operands_vector(struct decoder *decoder, const struct ptx_instruction *in,
                     const struct ptx_operand *operand,
                     const struct modifiers *modifiers, bool write,
                     struct op *op, uint32_t *slot);

/* The offset of one register, which must be as wide as the type. */
bool operands_exact(struct decoder *decoder, const struct ptx_instruction *in,
                    const struct ptx_operand *operand, enum ptx_type type,
                    bool write, uint32_t *offset);

#endif
