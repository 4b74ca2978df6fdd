/* The rows of the instruction table, and what a handler learns of its row. */
#ifndef SHUFFLE_LADDER_ROWS_H
#define SHUFFLE_LADDER_ROWS_H

#include "arithmetic.h"

/* operands: the destination, then the sources a, b, c, f. A letter each:
 *   t v     the first, the second type of the instruction
 *   w       twice as wide as the first type
 *   u q     .u32, .u64
 *   p       a predicate
 *   P       a predicate destination that may be a pair p|q
 *   o       a predicate that is there if .and, .or or .xor is
 *   i       a constant from 0 to 255, for op->variant */
struct row {
  const char *opcode;
  const char *marks; /* modifiers that are no types: "rn? ftz" */
  const char *types; /* "u32/s32 f32": alternatives, then the next type */
  const char *operands;
  op_lanes *run;
};

#define ROW(OPCODE, MARKS, TYPES, OPERANDS, RUN)                               \
  { OPCODE, MARKS, TYPES, OPERANDS, RUN }
#define END_OF_ROWS ROW(NULL, NULL, NULL, NULL, NULL)

extern const struct row integer_rows[];
extern const struct row product_rows[];
extern const struct row logic_rows[];
extern const struct row bit_rows[];
extern const struct row move_rows[];
extern const struct row compare_rows[];
extern const struct row compare_float_rows[];
extern const struct row float_rows[];
extern const struct row double_rows[];
extern const struct row half_rows[];
extern const struct row approximate_rows[];

/* op->flags of an arithmetic op, and op->variant << 8: `how` in a handler. */
enum {
  HOW_APPROXIMATE = ARITHMETIC_APPROXIMATE,
  HOW_FTZ = 2,        /* .ftz: subnormals are taken and given as zero */
  HOW_SAT = 4,        /* .sat */
  HOW_ROUND = 3 << 3, /* enum rounding */
  HOW_ROUND_SHIFT = 3,
  HOW_BOOL = 3 << 5, /* 0 none, 1 .and, 2 .or, 3 .xor */
  HOW_BOOL_SHIFT = 5,
  HOW_PAIR = 1 << 7, /* a second predicate is written */
  HOW_VARIANT_SHIFT = 8
};

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };

enum decode move_decode(struct decoder *decoder,
                        const struct ptx_instruction *in, struct op *op);
enum decode convert_decode(struct decoder *decoder,
                           const struct ptx_instruction *in, struct op *op);

/* The HOW_ bits of an instruction's modifiers. False where two exclude each
 * other; that has then been refused. */
bool rows_flags(struct decoder *decoder, const struct ptx_instruction *in,
                uint8_t *flags);

#endif
