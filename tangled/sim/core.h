/* The machine: what a warp, a block and a launch are while they run.
 * Every execution unit (arithmetic.c, memory.c, collective.c) sees this. */
#ifndef SHUFFLE_LADDER_CORE_H
#define SHUFFLE_LADDER_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx.h"

enum { LANES = 32, MAX_WARPS = 32, MAX_BARRIERS = 16 };

/* A register is an array of 32 lanes in the warp's register file, 64-byte
 * aligned: uint16_t[32] for 8- and 16-bit types, uint32_t[32] for 32-bit,
 * uint64_t[32] for 64-bit types. A predicate is ONE uint32_t, a bit a lane.
 * Immediates and special registers are arrays in the same file, so that an
 * operand is always a byte offset. The first uint32_t of the file (offset 0) is
 * the predicate that is true in all lanes. */

struct op;
struct warp;

/* Does one lane-wise instruction for the lanes of `mask` (never 0): reads the
 * arrays at regs + op->a, b, c, writes those at regs + op->d (and op->e, where
 * there is a second destination). A destination may be one of the sources. */
typedef void op_lanes(unsigned char *regs, const struct op *op, uint32_t mask);

/* Does one instruction that needs more than registers. Returns false after
 * fault_raise (see below). */
typedef bool op_warp(struct warp *warp, const struct op *op, uint32_t mask);

/* op.access, bits. ATOMIC: atom and red on shared memory. STRONG: a read or
 * write that may meet another of its kind. FENCE: membar, fence, or an atomic
 * elsewhere. Atomics and fences order other accesses, too. */
enum {
  ACCESS_READ = 1,
  ACCESS_WRITE = 2,
  ACCESS_ATOMIC = 4,
  ACCESS_STRONG = 8,
  ACCESS_FENCE = 16
};

enum op_kind {
  OP_LANES, /* run.lanes does it all */
  OP_WARP,  /* run.warp does it all (memory, fences) */
  OP_BRANCH,
  OP_CALL,
  OP_RETURN,
  OP_EXIT,
  OP_TRAP,
  OP_COLLECTIVE, /* waits for the lanes of its member mask (collective.h) */
  OP_BARRIER,    /* bar and barrier (barrier.h) */
  OP_HIDDEN      /* a step the decoder added: like OP_WARP, but not counted */
};

struct op {
  union {
    op_lanes *lanes;
    op_warp *warp;
  } run;
  uint32_t guard; /* offset of the guarding predicate; 0 = always true */
  uint32_t flip;  /* 0, or ~0 for @!p */
  enum op_kind kind;
  uint32_t d, e, a, b, c, f; /* byte offsets into the register file */
  uint32_t target;           /* of a branch or call: index of an op */
  int64_t offset;            /* of an address */
  uint32_t width;            /* bytes a lane moves in all (16 for .v4.f32) */
  uint8_t elements;          /* 1, 2 or 4: vector length of a load or store */
  uint8_t bytes;             /* bytes of one element */
  uint8_t space;             /* enum ptx_space of an access */
  uint8_t variant;           /* which of its kind: the unit's own affair */
  uint8_t type;              /* enum ptx_type where the unit needs it */
  uint8_t flags;             /* the unit's own affair */
  uint8_t absolute;      /* an address with no base register; a constant mask */
  uint8_t access;        /* of a memory op that may touch shared memory */
  uint32_t vector[4];    /* register offsets of a vector's elements */
  op_lanes *approximate; /* what a counted, inexact op does */
  const struct ptx_instruction *source;
};

/* Names as in the report; one of these a launch, summed over its blocks. */
struct counters {
  uint64_t global_load_sectors, global_store_sectors;
  uint64_t global_load_requests, global_store_requests;
  uint64_t shared_load_wavefronts, shared_store_wavefronts;
  uint64_t shared_bank_conflicts; /* wavefronts beyond the fewest possible */
  uint64_t shuffles, votes, reduxes, barriers;
  uint64_t instructions, lane_instructions;
  uint64_t approximate; /* executions of instructions that are not exact */
};

enum fault_kind {
  FAULT_NONE,
  FAULT_ILLEGAL_ADDRESS,     /* CUDA_ERROR_ILLEGAL_ADDRESS */
  FAULT_MISALIGNED,          /* CUDA_ERROR_MISALIGNED_ADDRESS */
  FAULT_ILLEGAL_INSTRUCTION, /* trap, a mask of 0, a bad barrier id, ... */
  FAULT_DEADLOCK,            /* lanes wait for lanes that cannot come */
  FAULT_LIMIT,               /* ran over SIM_LIMIT warp instructions */
  FAULT_ASSERT,              /* CUDA_ERROR_ASSERT */
  FAULT_MEMORY               /* the host has too little */
};

struct fault {
  enum fault_kind kind;
  const char *id; /* stable identifier: "out-of-bounds", ... */
  uint32_t ptx_line;
  uint32_t file, source_line; /* from .loc; 0 where unknown */
  uint32_t block[3];
  uint32_t warp;
  uint32_t lanes; /* mask */
  char message[400];
};

/* A broken rule that did not stop the run: found once, counted ever after. */
struct finding {
  struct fault first; /* kind FAULT_NONE; where it was first seen */
  uint64_t count;
  const struct op *op;
};

enum { MAX_FINDINGS = 16 };

struct findings {
  struct finding finding[MAX_FINDINGS];
  uint32_t count;
};

/* One piece of memory that lanes may touch: device addresses base..base+size-1
 * are host bytes host[0..size-1]. */
struct region {
  uint64_t base, size;
  unsigned char *host;
  bool read_only;
};

/* The windows of the generic address space (PTX ISA, "Generic Addressing").
 * Device allocations start at GLOBAL_BASE; shared and local offsets and the
 * kernel parameters have their windows below it. Address 0 lies in none. */
#define SHARED_WINDOW 0x0000000100000000ULL
#define LOCAL_WINDOW 0x0000000200000000ULL
#define PARAM_WINDOW 0x0000000300000000ULL
#define WINDOW_SIZE 0x0000000001000000ULL
#define GLOBAL_BASE 0x0000100000000000ULL

struct block;

struct warp {
  unsigned char *regs; /* the register file */
  struct block *block;
  struct counters *counters; /* of this host thread */
  uint32_t index;            /* in its block */
  uint32_t exists;           /* lanes that were launched */
  uint32_t exited;           /* lanes that have returned */
  unsigned char *local;      /* LANES x local_size bytes, lane after lane */
  struct region last;        /* the allocation last touched: a cache */
};

struct block {
  unsigned char *shared; /* static, then dynamic shared memory */
  uint64_t shared_size;
  const unsigned char *params; /* the kernel's parameters */
  uint64_t params_size;
  uint64_t local_size;          /* bytes of local memory a lane has */
  const struct region *regions; /* device memory, sorted by base */
  uint32_t region_count;
  uint32_t id[3];   /* %ctaid */
  uint32_t threads; /* in the block */
  struct warp *warps;
  uint32_t warp_count;
  struct fault *fault;       /* of this host thread */
  struct findings *findings; /* of this host thread; NULL: not looked for */
};

/* Records the first fault of this host thread: fills in block, warp, PTX line
 * and source line from warp and op, the message from a printf format. Returns
 * false, so that an execution unit can `return fault_raise(...)`. */
bool fault_raise(const struct warp *warp, const struct op *op, uint32_t lanes,
                 enum fault_kind kind, const char *id, const char *format, ...);

/* Records a broken rule that does not stop the run, if findings are asked for.
 */
void finding_add(const struct warp *warp, const struct op *op, uint32_t lanes,
                 const char *id, const char *format, ...);

#endif
