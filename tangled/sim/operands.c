/* Operands of loads, stores and atomics. */
#include "operands.h"

static const char *const space_names[] = {
    [PTX_GENERIC] = "generic", [PTX_PARAM] = ".param",
    [PTX_CONST] = ".const",    [PTX_GLOBAL] = ".global",
    [PTX_SHARED] = ".shared",  [PTX_LOCAL] = ".local"};

const char *operands_space_name(enum ptx_space space) {
  return space_names[space];
}

bool operands_count(struct decoder *decoder, const struct ptx_instruction *in,
                    uint32_t count) {
  if (in->operand_count == count)
    return true;
  return decoder_refuse(decoder, in, "%u operands where %u are wanted",
                        in->operand_count, count);
}

bool operands_address(struct decoder *decoder, const struct ptx_instruction *in,
                      const struct ptx_operand *operand,
                      struct modifiers *modifiers, struct op *op) {
  enum ptx_space symbol;
  bool kernel;
  if (!decoder_address(decoder, in, operand, op, &symbol, &kernel))
    return false;
  if (symbol != PTX_GENERIC && modifiers->space == PTX_GENERIC)
    modifiers->space = symbol;
  if (symbol != PTX_GENERIC && modifiers->space != symbol)
    return decoder_refuse(decoder, in, "a %s access to a %s variable",
                          space_names[modifiers->space], space_names[symbol]);
  if (modifiers->space == PTX_PARAM && symbol == PTX_PARAM && !kernel)
    modifiers->space = PTX_LOCAL;
  op->space = (uint8_t)modifiers->space;
  return true;
}

enum register_class { CLASS_BITS, CLASS_INTEGER, CLASS_FLOAT };

static enum register_class class_of(enum ptx_type type) {
  if (type >= PTX_U8 && type <= PTX_S64)
    return CLASS_INTEGER;
  return type >= PTX_F16 && type <= PTX_F64 ? CLASS_FLOAT : CLASS_BITS;
}

static bool classes_agree(enum ptx_type have, enum ptx_type want) {
  enum register_class a = class_of(have), b = class_of(want);
  return a == b || a == CLASS_BITS || b == CLASS_BITS;
}

static bool decode_register(struct decoder *decoder,
                            const struct ptx_instruction *in,
                            const struct ptx_operand *operand,
                            enum ptx_type type, bool write, uint32_t *offset,
                            uint32_t *slot) {
  enum ptx_type have = decoder_register_type(decoder, operand);
  bool wider = have != PTX_NO_TYPE && have != PTX_PRED &&
               ptx_type_size(have) > ptx_type_size(type);
  bool both_float =
      class_of(have) == CLASS_FLOAT && class_of(type) == CLASS_FLOAT;
  if (!classes_agree(have, type) || (wider && both_float))
    return decoder_refuse(decoder, in, "a %s register for %s",
                          ptx_type_name(have), ptx_type_name(type));
  uint32_t natural = ptx_type_size(type) < 2 ? 2 : ptx_type_size(type);
  uint32_t bytes = decoder_register_bytes(decoder, operand);
  *slot = bytes ? bytes : natural; /* an immediate, or the sink */
  return write ? decoder_destination_wide(decoder, in, operand, type, offset)
               : decoder_source_wide(decoder, in, operand, type, offset);
}

bool operands_exact(struct decoder *decoder, const struct ptx_instruction *in,
                    const struct ptx_operand *operand, enum ptx_type type,
                    bool write, uint32_t *offset) {
  enum ptx_type have = decoder_register_type(decoder, operand);
  if (!classes_agree(have, type))
    return decoder_refuse(decoder, in, "a %s register for %s",
                          ptx_type_name(have), ptx_type_name(type));
  return write ? decoder_destination(decoder, in, operand, type, offset)
               : decoder_source(decoder, in, operand, type, offset);
}

bool operands_vector(struct decoder *decoder, const struct ptx_instruction *in,
                     const struct ptx_operand *operand,
                     const struct modifiers *modifiers, bool write,
                     struct op *op, uint32_t *slot) {
  bool vector = operand->kind == PTX_VECTOR;
  uint32_t count = vector ? operand->count : 1;
  if (count != modifiers->elements || vector != (modifiers->elements > 1))
    return decoder_refuse(decoder, in, "%u registers for %u elements", count,
                          modifiers->elements);
  *slot = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct ptx_operand *one = vector ? &operand->elements[i] : operand;
    uint32_t bytes = 0;
    if (!decode_register(decoder, in, one, modifiers->type, write,
                         &op->vector[i], &bytes))
      return false;
    bool sink = one->kind == PTX_SINK;
    if (*slot && !sink && bytes != *slot)
      return decoder_refuse(decoder, in,
                            "the registers of a vector differ in width");
    *slot = sink ? *slot : bytes;
  }
  return true;
}
