/* The modifiers of loads, stores and atomics. Sources: PTX ISA, "ld", "st",
 * "atom", "red", "Cache Operators". Every function is false after
 * decoder_refuse. */
#ifndef SHUFFLE_LADDER_MODIFIERS_H
#define SHUFFLE_LADDER_MODIFIERS_H

#include "code.h"
#include "memory.h"

enum order { WEAK, VOLATILE, RELAXED, ACQUIRE, RELEASE, ACQ_REL };

struct modifiers {
  enum ptx_space space; /* PTX_GENERIC where none is named */
  enum order order;
  enum ptx_type type;
  uint32_t elements;     /* 1, 2 or 4 */
  const char *cache;     /* cache operator: "cg"; NULL where there is none */
  const char *hint;      /* "L1::no_allocate" and the like */
  bool constant;         /* .nc */
  enum atomic operation; /* of atom and red */
  uint32_t seen;         /* a bit for each kind of modifier that was given */
};

enum modifier_kind {
  KIND_SPACE,
  KIND_ORDER,
  KIND_SCOPE,
  KIND_CACHE,
  KIND_HINT,
  KIND_PREFETCH,
  KIND_VECTOR,
  KIND_CONSTANT,
  KIND_OPERATION,
  KIND_TYPE
};

/* Reads all modifiers; those of kinds not in `allowed` (a bit a kind) are
 * refused, and so is a second one of a kind. A type must be there. */
bool modifiers_read(struct decoder *decoder, const struct ptx_instruction *in,
                    uint32_t allowed, struct modifiers *modifiers);
bool modifiers_seen(const struct modifiers *modifiers, enum modifier_kind kind);

/* The space that a modifier names, PTX_GENERIC for none. */
enum ptx_space modifiers_space(const char *name);

/* Do they go together in a load, in a store? Is the type one of theirs? */
bool modifiers_check_load(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const struct modifiers *modifiers);
bool modifiers_check_store(struct decoder *decoder,
                           const struct ptx_instruction *in,
                           const struct modifiers *modifiers);
bool modifiers_check_type(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const struct modifiers *modifiers);

/* Fills in kind, type, elements, bytes, width, access and the flags of order.
 * `access` is one of ACCESS_READ and the like. */
void modifiers_fill(struct op *op, const struct modifiers *modifiers,
                    uint8_t access);

#endif
