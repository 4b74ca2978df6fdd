/* What the parts of the decoder share: the program being made. The services
 * that the execution units see are in code.h. */
#ifndef SHUFFLE_LADDER_DECODER_H
#define SHUFFLE_LADDER_DECODER_H

#include "code.h"
#include "program.h"

struct frame {               /* a function within the program */
  bool wanted;               /* reached by a call, or the kernel itself */
  bool finished;             /* all that it calls has been reached */
  uint32_t first_op;         /* its first op */
  uint32_t op_end;           /* past its last op */
  uint32_t *op_of;           /* of each instruction, and of the end */
  uint32_t *register_offset; /* of each of its registers */
  uint32_t return_address;   /* slot of 32 op indices; not in the kernel */
};

struct access { /* an op reads or writes a register; for liveness */
  uint32_t op;
  uint32_t offset; /* in the register file */
  uint32_t bytes;
  bool write;
};

struct decoder {
  struct program *program;
  const struct ptx_module *module;
  const uint64_t *addresses;
  struct ptx_error *error;
  bool failed;
  struct frame *frames;      /* one for each function of the module */
  uint32_t current;          /* the function being decoded */
  uint32_t *variable_offset; /* in shared, local or parameter memory */
  uint32_t op_capacity, constant_capacity, special_capacity;
  uint32_t access_count, access_capacity;
  struct access *accesses;
  uint32_t sink;   /* a slot that is written and never read */
  uint32_t *order; /* functions in the order they were reached */
  uint32_t order_count;
};

/* Grows an array so that it can hold `count` elements. False: no memory. */
bool decoder_grow(void **array, uint32_t *capacity, uint32_t count,
                  size_t size);

/* Takes `bytes` of the register file, 64-byte aligned for 32 lanes. */
uint32_t decoder_take(struct decoder *decoder, uint32_t bytes);

/* Appends an op; NULL when there is no memory. */
struct op *decoder_append(struct decoder *decoder, const struct op *op);

/* The slot of an immediate; bytes 0 asks for a predicate. */
uint32_t decoder_constant(struct decoder *decoder, uint8_t bytes,
                          uint64_t bits);

/* Decodes bra, call, ret, exit, trap and the like (control.c). */
enum decode control_decode(struct decoder *decoder,
                           const struct ptx_instruction *in, struct op *op);
/* Copies a call's arguments before it, or its results after it. */
bool control_copies(struct decoder *decoder, const struct ptx_instruction *in,
                    bool results);

/* Finds the registers that may be read before they are written. */
bool liveness_find(struct decoder *decoder);

#endif
