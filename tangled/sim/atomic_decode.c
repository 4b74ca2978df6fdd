/* Decoding of atom and red. Source: PTX ISA, "atom" and "red". */
#include <string.h>

#include "atomic_decode.h"
#include "operands.h"

enum {
  ON_U32 = 1,
  ON_S32 = 2,
  ON_U64 = 4,
  ON_S64 = 8,
  ON_F32 = 16,
  ON_F64 = 32,
  ON_B16 = 64,
  ON_B32 = 128,
  ON_B64 = 256
};

static const uint32_t atomic_types[] = {
    [ATOMIC_ADD] = ON_U32 | ON_S32 | ON_U64 | ON_F32 | ON_F64,
    [ATOMIC_MIN] = ON_U32 | ON_S32 | ON_U64 | ON_S64,
    [ATOMIC_MAX] = ON_U32 | ON_S32 | ON_U64 | ON_S64,
    [ATOMIC_AND] = ON_B32 | ON_B64,
    [ATOMIC_OR] = ON_B32 | ON_B64,
    [ATOMIC_XOR] = ON_B32 | ON_B64,
    [ATOMIC_EXCH] = ON_B32 | ON_B64,
    [ATOMIC_CAS] = ON_B16 | ON_B32 | ON_B64,
    [ATOMIC_INC] = ON_U32,
    [ATOMIC_DEC] = ON_U32,
};

static uint32_t type_bit(enum ptx_type type) {
  static const uint16_t bits[PTX_PRED + 1] = {
      [PTX_U32] = ON_U32, [PTX_S32] = ON_S32, [PTX_U64] = ON_U64,
      [PTX_S64] = ON_S64, [PTX_F32] = ON_F32, [PTX_F64] = ON_F64,
      [PTX_B16] = ON_B16, [PTX_B32] = ON_B32, [PTX_B64] = ON_B64};
  return bits[type];
}

static bool check_atomic(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct modifiers *modifiers, bool reduction) {
  if (!modifiers_seen(modifiers, KIND_OPERATION))
    return decoder_refuse(decoder, in, "no operation is given");
  enum atomic what = modifiers->operation;
  if (!(atomic_types[what] & type_bit(modifiers->type)))
    return decoder_refuse(decoder, in, "the operation does not take %s",
                          ptx_type_name(modifiers->type));
  if (reduction && (what == ATOMIC_EXCH || what == ATOMIC_CAS))
    return decoder_refuse(decoder, in, "red has no exch and no cas");
  bool ordered = modifiers_seen(modifiers, KIND_ORDER);
  if (ordered && (modifiers->order == WEAK || modifiers->order == VOLATILE))
    return decoder_refuse(decoder, in,
                          "an atomic is neither weak nor"
                          " volatile");
  if (reduction && (modifiers->order == ACQUIRE || modifiers->order == ACQ_REL))
    return decoder_refuse(decoder, in, "red returns nothing to acquire");
  return true;
}

enum {
  ATOMIC_WORDS = 1u << KIND_SPACE | 1u << KIND_ORDER | 1u << KIND_SCOPE |
                 1u << KIND_OPERATION | 1u << KIND_TYPE
};

static op_warp *atomic_handler(enum ptx_space space) {
  if (space == PTX_GENERIC)
    return atomic_generic;
  return space == PTX_SHARED ? atomic_shared : atomic_global;
}

static bool decode_operands(struct decoder *decoder,
                            const struct ptx_instruction *in, uint32_t first,
                            const struct modifiers *modifiers, struct op *op) {
  bool swap = modifiers->operation == ATOMIC_CAS;
  if (!operands_count(decoder, in, first + (swap ? 3 : 2)))
    return false;
  const struct ptx_operand *b = &in->operand[first + 1];
  if (!operands_exact(decoder, in, b, modifiers->type, false, &op->b))
    return false;
  if (swap &&
      !operands_exact(decoder, in, b + 1, modifiers->type, false, &op->c))
    return false;
  return first == 0 || operands_exact(decoder, in, &in->operand[0],
                                      modifiers->type, true, &op->d);
}

bool atomic_decode(struct decoder *decoder, const struct ptx_instruction *in,
                   struct op *op) {
  bool reduction = strcmp(in->opcode, "red") == 0;
  struct modifiers modifiers;
  uint32_t first = reduction ? 0 : 1; /* the operand that is the address */
  if (!modifiers_read(decoder, in, ATOMIC_WORDS, &modifiers) ||
      !check_atomic(decoder, in, &modifiers, reduction) ||
      !decode_operands(decoder, in, first, &modifiers, op) ||
      !operands_address(decoder, in, &in->operand[first], &modifiers, op))
    return false;
  if (modifiers.space != PTX_GENERIC && modifiers.space != PTX_GLOBAL &&
      modifiers.space != PTX_SHARED)
    return decoder_refuse(decoder, in, "no atomics in %s memory",
                          operands_space_name(modifiers.space));
  modifiers_fill(op, &modifiers, ACCESS_ATOMIC);
  op->variant = (uint8_t)modifiers.operation;
  op->flags |= MEMORY_ATOMIC | MEMORY_WRITES | MEMORY_STRONG;
  op->flags |= reduction ? 0 : MEMORY_READS;
  op->run.warp = atomic_handler(modifiers.space);
  return true;
}
