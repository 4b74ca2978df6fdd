/* A program: one kernel and every function it calls, decoded into one array of
 * ops, with the layout of the register file and of the lane's local memory. */
#ifndef SHUFFLE_LADDER_PROGRAM_H
#define SHUFFLE_LADDER_PROGRAM_H

#include "core.h"
#include "ptx.h"

struct constant { /* an immediate: all 32 lanes of a slot hold `bits` */
  uint32_t offset;
  uint8_t bytes; /* 2, 4, 8; 0 for a predicate slot */
  uint64_t bits;
};

struct special { /* a special register that the program reads */
  uint32_t offset;
  enum ptx_special which;
  uint8_t part;
};

struct span { /* a piece of the register file */
  uint32_t offset, bytes;
};

struct program {
  const struct ptx_module *module;
  uint32_t entry; /* index of the kernel in module->functions */
  struct op *ops;
  uint32_t op_count;
  uint32_t file_bytes; /* of a warp's register file */
  struct constant *constants;
  uint32_t constant_count;
  struct special *specials;
  uint32_t special_count;
  struct span *zeroed; /* registers that may be read before they are written */
  uint32_t zeroed_count;
  uint32_t register_words; /* 32-bit words of registers a lane has */
  uint32_t local_bytes;    /* a lane */
  uint32_t shared_bytes;   /* static */
  uint32_t parameter_count;
  uint32_t *parameter_offset, *parameter_size;
  uint32_t parameter_bytes;
  bool has_atomics; /* on memory that blocks share */
  bool reads_clock;
};

/* Decodes function `entry` and all it calls. `addresses[i]` is the device
 * address of module variable i (global and const). NULL fills *error. */
struct program *program_create(const struct ptx_module *module, uint32_t entry,
                               const uint64_t *addresses,
                               struct ptx_error *error);
void program_free(struct program *program);

#endif
