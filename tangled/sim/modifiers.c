/* Modifiers of loads, stores and atomics: one of each kind, and which of them
 * go together. */
#include <string.h>

#include "modifiers.h"

struct word {
  const char *name;
  enum modifier_kind kind;
  int value;
};

static const struct word words[] = {
    {"global", KIND_SPACE, PTX_GLOBAL},
    {"shared", KIND_SPACE, PTX_SHARED},
    {"shared::cta", KIND_SPACE, PTX_SHARED},
    {"local", KIND_SPACE, PTX_LOCAL},
    {"param", KIND_SPACE, PTX_PARAM},
    {"const", KIND_SPACE, PTX_CONST},
    {"weak", KIND_ORDER, WEAK},
    {"volatile", KIND_ORDER, VOLATILE},
    {"relaxed", KIND_ORDER, RELAXED},
    {"acquire", KIND_ORDER, ACQUIRE},
    {"release", KIND_ORDER, RELEASE},
    {"acq_rel", KIND_ORDER, ACQ_REL},
    {"nc", KIND_CONSTANT, true},
    {"v2", KIND_VECTOR, 2},
    {"v4", KIND_VECTOR, 4},
    {"cta", KIND_SCOPE, 0},
    {"cluster", KIND_SCOPE, 0},
    {"gpu", KIND_SCOPE, 0},
    {"sys", KIND_SCOPE, 0},
    {"ca", KIND_CACHE, 0},
    {"cg", KIND_CACHE, 0},
    {"cs", KIND_CACHE, 0},
    {"lu", KIND_CACHE, 0},
    {"cv", KIND_CACHE, 0},
    {"wb", KIND_CACHE, 0},
    {"wt", KIND_CACHE, 0},
    {"L1::evict_normal", KIND_HINT, 0},
    {"L1::evict_unchanged", KIND_HINT, 0},
    {"L1::evict_first", KIND_HINT, 0},
    {"L1::evict_last", KIND_HINT, 0},
    {"L1::no_allocate", KIND_HINT, 0},
    {"L2::64B", KIND_PREFETCH, 0},
    {"L2::128B", KIND_PREFETCH, 0},
    {"L2::256B", KIND_PREFETCH, 0},
    {"add", KIND_OPERATION, ATOMIC_ADD},
    {"min", KIND_OPERATION, ATOMIC_MIN},
    {"max", KIND_OPERATION, ATOMIC_MAX},
    {"and", KIND_OPERATION, ATOMIC_AND},
    {"or", KIND_OPERATION, ATOMIC_OR},
    {"xor", KIND_OPERATION, ATOMIC_XOR},
    {"exch", KIND_OPERATION, ATOMIC_EXCH},
    {"cas", KIND_OPERATION, ATOMIC_CAS},
    {"inc", KIND_OPERATION, ATOMIC_INC},
    {"dec", KIND_OPERATION, ATOMIC_DEC},
};

static bool find_word(const char *name, struct word *found) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i].name, name) == 0) {
      *found = words[i];
      return true;
    }
  enum ptx_type type = ptx_type_find(name);
  *found = (struct word){name, KIND_TYPE, (int)type};
  return type != PTX_NO_TYPE && type != PTX_PRED;
}

static void keep_word(struct modifiers *modifiers, const struct word *word) {
  switch (word->kind) {
  case KIND_SPACE:
    modifiers->space = (enum ptx_space)word->value;
    break;
  case KIND_ORDER:
    modifiers->order = (enum order)word->value;
    break;
  case KIND_VECTOR:
    modifiers->elements = (uint32_t)word->value;
    break;
  case KIND_TYPE:
    modifiers->type = (enum ptx_type)word->value;
    break;
  case KIND_CACHE:
    modifiers->cache = word->name;
    break;
  case KIND_HINT:
    modifiers->hint = word->name;
    break;
  case KIND_OPERATION:
    modifiers->operation = (enum atomic)word->value;
    break;
  case KIND_CONSTANT:
    modifiers->constant = true;
    break;
  case KIND_SCOPE:
  case KIND_PREFETCH:
    break; /* that it was there is all we need */
  }
}

bool modifiers_read(struct decoder *decoder, const struct ptx_instruction *in,
                    uint32_t allowed, struct modifiers *modifiers) {
  uint32_t seen = 0;
  *modifiers = (struct modifiers){.elements = 1};
  for (uint32_t i = 0; i < in->modifier_count; i++) {
    struct word word;
    const char *name = in->modifier[i];
    if (!find_word(name, &word) || !(allowed >> word.kind & 1))
      return decoder_refuse(decoder, in, "modifier .%.40s is not known", name);
    if (seen >> word.kind & 1)
      return decoder_refuse(decoder, in, "modifier .%.40s is one too many",
                            name);
    seen |= 1u << word.kind;
    keep_word(modifiers, &word);
  }
  modifiers->seen = seen;
  if (modifiers->type == PTX_NO_TYPE)
    return decoder_refuse(decoder, in, "no type is given");
  return true;
}

bool modifiers_seen(const struct modifiers *modifiers,
                    enum modifier_kind kind) {
  return modifiers->seen >> kind & 1;
}

enum ptx_space modifiers_space(const char *name) {
  struct word word;
  if (!find_word(name, &word) || word.kind != KIND_SPACE)
    return PTX_GENERIC;
  return (enum ptx_space)word.value;
}

static bool check_order(struct decoder *decoder,
                        const struct ptx_instruction *in,
                        const struct modifiers *modifiers) {
  bool strong =
      modifiers_seen(modifiers, KIND_ORDER) && modifiers->order != WEAK;
  bool scoped = strong && modifiers->order != VOLATILE;
  if (scoped != modifiers_seen(modifiers, KIND_SCOPE))
    return decoder_refuse(decoder, in,
                          scoped ? "the order needs a scope"
                                 : "a scope without an order");
  bool shareable = modifiers->space == PTX_GENERIC ||
                   modifiers->space == PTX_GLOBAL ||
                   modifiers->space == PTX_SHARED;
  if (strong && !shareable)
    return decoder_refuse(decoder, in,
                          "an order in a space that only one "
                          "thread sees");
  if (strong && (modifiers->cache || modifiers->constant))
    return decoder_refuse(decoder, in,
                          "an order and a cache operator do not go together");
  if (modifiers->cache && modifiers->hint)
    return decoder_refuse(decoder, in,
                          "a cache operator and an eviction hint "
                          "do not go together");
  return true;
}

static bool is_one_of(const char *name, const char *a, const char *b) {
  return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

bool modifiers_check_load(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const struct modifiers *modifiers) {
  if (modifiers->order == RELEASE || modifiers->order == ACQ_REL)
    return decoder_refuse(decoder, in, "a load cannot release");
  if (modifiers->cache && is_one_of(modifiers->cache, "wb", "wt"))
    return decoder_refuse(decoder, in, ".%s is for stores", modifiers->cache);
  if (modifiers->constant && modifiers->space != PTX_GLOBAL)
    return decoder_refuse(decoder, in, ".nc is for .global");
  return check_order(decoder, in, modifiers);
}

bool modifiers_check_store(struct decoder *decoder,
                           const struct ptx_instruction *in,
                           const struct modifiers *modifiers) {
  if (modifiers->order == ACQUIRE || modifiers->order == ACQ_REL)
    return decoder_refuse(decoder, in, "a store cannot acquire");
  if (modifiers->cache && (is_one_of(modifiers->cache, "ca", "cv") ||
                           strcmp(modifiers->cache, "lu") == 0))
    return decoder_refuse(decoder, in, ".%s is for loads", modifiers->cache);
  if (modifiers->space == PTX_CONST)
    return decoder_refuse(decoder, in, "constants cannot be stored to");
  return check_order(decoder, in, modifiers);
}

bool modifiers_check_type(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const struct modifiers *modifiers) {
  switch (modifiers->type) {
  case PTX_B128:
  case PTX_F16:
  case PTX_F16X2:
  case PTX_BF16:
  case PTX_BF16X2:
    return decoder_refuse(decoder, in, "type %s cannot be moved",
                          ptx_type_name(modifiers->type));
  default:
    break;
  }
  uint32_t width = modifiers->elements * ptx_type_size(modifiers->type);
  if (width > 16)
    return decoder_refuse(decoder, in, "%u bytes a lane are more than 16",
                          width);
  return true;
}

static uint8_t order_flags(enum order order) {
  switch (order) {
  case WEAK:
    return 0;
  case ACQUIRE:
    return MEMORY_STRONG | MEMORY_ACQUIRE;
  case RELEASE:
    return MEMORY_STRONG | MEMORY_RELEASE;
  case ACQ_REL:
    return MEMORY_STRONG | MEMORY_ACQUIRE | MEMORY_RELEASE;
  default:
    return MEMORY_STRONG;
  }
}

void modifiers_fill(struct op *op, const struct modifiers *modifiers,
                    uint8_t access) {
  enum ptx_space space = modifiers->space;
  bool may_share = space == PTX_SHARED || space == PTX_GENERIC;
  op->kind = OP_WARP;
  op->type = (uint8_t)modifiers->type;
  op->elements = (uint8_t)modifiers->elements;
  op->bytes = (uint8_t)ptx_type_size(modifiers->type);
  op->width = op->bytes * modifiers->elements;
  op->access = may_share ? access : 0;
  op->flags |= order_flags(modifiers->order);
}
