/* Decoding of the memory unit: ld, ldu, st, cvta, fences and prefetch; atom and
 * red are in atomic_decode.c. Sources: PTX ISA, the sections of these
 * instructions. */
#include <string.h>

#include "address.h"
#include "atomic_decode.h"
#include "operands.h"

static op_warp *load_handler(enum ptx_space space) {
  switch (space) {
  case PTX_GLOBAL:
    return load_global;
  case PTX_CONST:
    return load_const;
  case PTX_SHARED:
    return load_shared;
  case PTX_LOCAL:
    return load_local;
  case PTX_PARAM:
    return load_param;
  default:
    return load_generic;
  }
}

static op_warp *store_handler(enum ptx_space space) {
  switch (space) {
  case PTX_GLOBAL:
    return store_global;
  case PTX_SHARED:
    return store_shared;
  case PTX_LOCAL:
    return store_local;
  default:
    return store_generic;
  }
}

enum {
  MOVE_WORDS = 1u << KIND_SPACE | 1u << KIND_ORDER | 1u << KIND_SCOPE |
               1u << KIND_CACHE | 1u << KIND_HINT | 1u << KIND_VECTOR |
               1u << KIND_TYPE,
  LOAD_WORDS = MOVE_WORDS | 1u << KIND_CONSTANT | 1u << KIND_PREFETCH,
  LDU_WORDS = 1u << KIND_SPACE | 1u << KIND_VECTOR | 1u << KIND_TYPE
};

static bool decode_load(struct decoder *decoder,
                        const struct ptx_instruction *in, struct op *op) {
  bool uniform = strcmp(in->opcode, "ldu") == 0;
  struct modifiers modifiers;
  uint32_t slot = 0;
  if (!modifiers_read(decoder, in, uniform ? LDU_WORDS : LOAD_WORDS,
                      &modifiers) ||
      !modifiers_check_load(decoder, in, &modifiers) ||
      !modifiers_check_type(decoder, in, &modifiers) ||
      !operands_count(decoder, in, 2) ||
      !operands_address(decoder, in, &in->operand[1], &modifiers, op) ||
      !operands_vector(decoder, in, &in->operand[0], &modifiers, true, op,
                       &slot))
    return false;
  if (uniform && modifiers.space != PTX_GLOBAL &&
      modifiers.space != PTX_GENERIC)
    return decoder_refuse(decoder, in, "ldu is for .global");
  modifiers_fill(op, &modifiers, ACCESS_READ);
  uint32_t natural = op->bytes < 2 ? 2 : op->bytes;
  bool is_signed = modifiers.type >= PTX_S8 && modifiers.type <= PTX_S64;
  op->variant = load_move(op->bytes, slot ? slot : natural, is_signed);
  op->flags |= MEMORY_READS;
  if (modifiers.constant || uniform)
    op->flags |= MEMORY_READ_ONLY;
  op->run.warp =
      modifiers.order == ACQUIRE ? load_ordered : load_handler(modifiers.space);
  return true;
}

static bool decode_store(struct decoder *decoder,
                         const struct ptx_instruction *in, struct op *op) {
  struct modifiers modifiers;
  uint32_t slot = 0;
  if (!modifiers_read(decoder, in, MOVE_WORDS, &modifiers) ||
      !modifiers_check_store(decoder, in, &modifiers) ||
      !modifiers_check_type(decoder, in, &modifiers) ||
      !operands_count(decoder, in, 2) ||
      !operands_address(decoder, in, &in->operand[0], &modifiers, op) ||
      !operands_vector(decoder, in, &in->operand[1], &modifiers, false, op,
                       &slot))
    return false;
  if (modifiers.space == PTX_PARAM || modifiers.space == PTX_CONST)
    return decoder_refuse(decoder, in, "%s memory cannot be stored to",
                          operands_space_name(modifiers.space));
  modifiers_fill(op, &modifiers, ACCESS_WRITE);
  op->variant = store_move(op->bytes, slot);
  op->flags |= MEMORY_WRITES;
  op->run.warp = modifiers.order == RELEASE ? store_ordered
                                            : store_handler(modifiers.space);
  return true;
}

static void shift_lanes(unsigned char *regs, const struct op *op,
                        uint32_t mask) {
  uint64_t *to = (uint64_t *)(void *)(regs + op->d);
  const uint64_t *from = (const uint64_t *)(const void *)(regs + op->a);
  uint64_t shift = (uint64_t)op->offset;
  for (int lane = 0; lane < LANES; lane++)
    if (mask >> lane & 1)
      to[lane] = from[lane] + shift;
}

static bool decode_cvta(struct decoder *decoder,
                        const struct ptx_instruction *in, struct op *op) {
  bool back = in->modifier_count > 0 && strcmp(in->modifier[0], "to") == 0;
  uint32_t first = back ? 1 : 0;
  if (in->modifier_count != first + 2 ||
      strcmp(in->modifier[first + 1], "u64") != 0)
    return decoder_refuse(decoder, in, "cvta wants a space and .u64");
  enum ptx_space space = modifiers_space(in->modifier[first]);
  if (space == PTX_GENERIC)
    return decoder_refuse(decoder, in, "space .%.40s is not known",
                          in->modifier[first]);
  uint64_t base = window_base(space);
  op->kind = OP_LANES;
  op->run.lanes = shift_lanes;
  op->offset = (int64_t)(back ? -base : base);
  return operands_count(decoder, in, 2) &&
         decoder_source(decoder, in, &in->operand[1], PTX_U64, &op->a) &&
         decoder_destination(decoder, in, &in->operand[0], PTX_U64, &op->d);
}

static bool is_one_of(const char *name, const char *a, const char *b) {
  return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

static bool is_scope(const char *name) {
  return is_one_of(name, "cta", "gpu") || is_one_of(name, "sys", "cluster");
}

static bool is_fence_order(const char *name) {
  return is_one_of(name, "sc", "acq_rel") ||
         is_one_of(name, "acquire", "release");
}

static bool decode_fence(struct decoder *decoder,
                         const struct ptx_instruction *in, struct op *op) {
  uint32_t count = in->modifier_count;
  bool fence = strcmp(in->opcode, "fence") == 0;
  bool good = false;
  if (fence && count == 1)
    good = is_scope(in->modifier[0]);
  else if (fence && count == 2)
    good = is_fence_order(in->modifier[0]) && is_scope(in->modifier[1]);
  else if (count == 1)
    good = is_one_of(in->modifier[0], "cta", "gl") ||
           strcmp(in->modifier[0], "sys") == 0;
  if (!good)
    return decoder_refuse(decoder, in, "a fence of a kind that is not known");
  op->kind = OP_WARP;
  op->run.warp = fence_all;
  return operands_count(decoder, in, 0);
}

static bool is_level(const char *name, bool uniform, enum ptx_space space) {
  if (strcmp(name, "L1") == 0)
    return true;
  if (space == PTX_GLOBAL &&
      is_one_of(name, "L2::evict_last", "L2::evict_normal"))
    return true;
  return !uniform && strcmp(name, "L2") == 0;
}

static bool decode_prefetch(struct decoder *decoder,
                            const struct ptx_instruction *in, struct op *op) {
  bool uniform = strcmp(in->opcode, "prefetchu") == 0;
  uint32_t count = in->modifier_count;
  struct modifiers modifiers = {.elements = 1};
  if (!uniform && count == 2 && strcmp(in->modifier[0], "global") == 0)
    modifiers.space = PTX_GLOBAL;
  else if (!uniform && count == 2 && strcmp(in->modifier[0], "local") == 0)
    modifiers.space = PTX_LOCAL;
  else if (count != 1)
    return decoder_refuse(decoder, in, "a prefetch of an unknown kind");
  const char *level = in->modifier[count - 1];
  if (!is_level(level, uniform, modifiers.space))
    return decoder_refuse(decoder, in, "level .%.40s is not known", level);
  op->kind = OP_WARP;
  op->run.warp = prefetch_nothing;
  return operands_count(decoder, in, 1) &&
         operands_address(decoder, in, &in->operand[0], &modifiers, op);
}

typedef bool decode_one(struct decoder *decoder,
                        const struct ptx_instruction *in, struct op *op);

static const struct {
  const char *opcode;
  decode_one *decode;
} opcodes[] = {
    {"ld", decode_load},           {"ldu", decode_load},
    {"st", decode_store},          {"atom", atomic_decode},
    {"red", atomic_decode},        {"cvta", decode_cvta},
    {"fence", decode_fence},       {"membar", decode_fence},
    {"prefetch", decode_prefetch}, {"prefetchu", decode_prefetch},
};

enum decode memory_decode(struct decoder *decoder,
                          const struct ptx_instruction *in, struct op *op) {
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    if (strcmp(opcodes[i].opcode, in->opcode) == 0)
      return opcodes[i].decode(decoder, in, op) ? DECODE_DONE : DECODE_REFUSED;
  return DECODE_OTHER;
}
