/* Decoding: a parsed instruction becomes a struct op. Each execution unit
 * decodes its own opcodes with the help of the decoder. */
#ifndef SHUFFLE_LADDER_CODE_H
#define SHUFFLE_LADDER_CODE_H

#include "core.h"
#include "ptx.h"

struct decoder; /* one function being decoded */

enum decode {
  DECODE_OTHER,  /* not an opcode of this unit */
  DECODE_DONE,   /* *op is filled */
  DECODE_REFUSED /* decoder_refuse was called */
};

/* The units. Each looks at in->opcode first and gives DECODE_OTHER for an
 * opcode that is not its own; it must refuse every modifier, type and operand
 * shape that it does not know. `op` arrives zeroed but for guard, flip and
 * source. Chapter H, 13 and 14. */
enum decode arithmetic_decode(struct decoder *decoder,
                              const struct ptx_instruction *in, struct op *op);
enum decode memory_decode(struct decoder *decoder,
                          const struct ptx_instruction *in, struct op *op);
enum decode collective_decode(struct decoder *decoder,
                              const struct ptx_instruction *in, struct op *op);

/* Reports that an instruction cannot be run: the error names in->text and its
 * line, followed by the message. Always returns false. */
bool decoder_refuse(struct decoder *decoder, const struct ptx_instruction *in,
                    const char *format, ...);

/* Finds the register-file offset of an operand read as `type`: a register of
 * the same size (PTX_PRED for predicates; `negated` is then honoured), an
 * immediate, a special register, or a symbol's address. Refuses otherwise.
 * _wide also takes a register wider than the type (ld, st, cvt). */
bool decoder_source(struct decoder *decoder, const struct ptx_instruction *in,
                    const struct ptx_operand *operand, enum ptx_type type,
                    uint32_t *offset);
bool decoder_source_wide(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset);

/* Likewise for an operand that is written: a register, or the sink `_`, for
 * which a slot that nobody reads is given. */
bool decoder_destination(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset);
bool decoder_destination_wide(struct decoder *decoder,
                              const struct ptx_instruction *in,
                              const struct ptx_operand *operand,
                              enum ptx_type type, uint32_t *offset);

/* Bytes a lane takes in the register file for this operand: 2, 4 or 8 for a
 * register (8-bit types take 2); 0 for anything else, and for predicates. */
uint32_t decoder_register_bytes(const struct decoder *decoder,
                                const struct ptx_operand *operand);
/* The declared type of a register operand; PTX_NO_TYPE for anything else. */
enum ptx_type decoder_register_type(const struct decoder *decoder,
                                    const struct ptx_operand *operand);

/* Fills op->a, op->offset and op->absolute from an address operand. The base
 * register may be 32 or 64 bits wide; op->flags bit 7 (ADDRESS_64) is set for
 * 64. A symbol base is folded into the offset: the device address of a global
 * or const variable, the offset within shared memory, the offset within the
 * lane's local memory (call parameters live there too), or the offset within
 * the kernel's parameters. *symbol_space is the symbol's space, PTX_GENERIC
 * where the base is no symbol: ld.param reads kernel parameters when the symbol
 * is one, and the lane's local memory when it is a parameter of a .func or a
 * call; *kernel_parameter tells the two apart. */
enum { ADDRESS_64 = 0x80 };
bool decoder_address(struct decoder *decoder, const struct ptx_instruction *in,
                     const struct ptx_operand *operand, struct op *op,
                     enum ptx_space *symbol_space, bool *kernel_parameter);

/* True where an instruction has this modifier. */
bool instruction_has(const struct ptx_instruction *in, const char *modifier);

#endif
