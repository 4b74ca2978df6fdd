/* The memory unit: what the decoder (memory.c) and the handlers (load_store.c,
 * atomics.c) agree on. A handler returns false after fault_raise. */
#ifndef SHUFFLE_LADDER_MEMORY_H
#define SHUFFLE_LADDER_MEMORY_H

#include "core.h"

/* op->flags. An atomic has both READS and WRITES. */
enum {
  MEMORY_READS = 1,
  MEMORY_WRITES = 2,
  MEMORY_ATOMIC = 4,
  MEMORY_STRONG = 8, /* .volatile, .relaxed, .acquire, .release */
  MEMORY_ACQUIRE = 16,
  MEMORY_RELEASE = 32,
  MEMORY_READ_ONLY = 64,  /* ld.global.nc and ldu: the promise not to write */
  MEMORY_ADDRESS_64 = 128 /* ADDRESS_64: the base register has 64 bits */
};

/* Loads and stores of op->elements elements of op->bytes bytes; op->width is
 * their product. op->vector[i] is the register of element i, op->variant the
 * move of memory_load_move or memory_store_move. .const is PTX_GLOBAL with
 * another count: none. */
op_warp load_global, load_const, load_shared, load_local, load_param,
    load_generic;
op_warp store_global, store_shared, store_local, store_generic;
/* Loads and stores with .acquire or .release: op->space tells where. */
op_warp load_ordered, store_ordered;

/* The move between memory elements of `bytes` bytes and registers of `slot`
 * bytes (2, 4 or 8; at least `bytes`). Loads into wider registers extend with
 * the sign where `is_signed`, else with zeros. */
uint8_t load_move(uint32_t bytes, uint32_t slot, bool is_signed);
uint8_t store_move(uint32_t bytes, uint32_t slot);

/* The addresses that an op will touch, for the lanes of `mask` (observers). */
void memory_addresses(const struct warp *warp, const struct op *op,
                      uint32_t mask, uint64_t address[LANES]);

/* atom and red. op->variant is an enum atomic, op->type the operand's type,
 * op->b and op->c the operands, op->d the old value's register (not for red).
 * f32 addition flushes subnormals to signed zero on global memory, not on
 * shared memory (PTX ISA, "atom"). Lanes go in ascending order. */
enum atomic {
  ATOMIC_ADD,
  ATOMIC_MIN,
  ATOMIC_MAX,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_EXCH,
  ATOMIC_CAS,
  ATOMIC_INC,
  ATOMIC_DEC
};
op_warp atomic_global, atomic_shared, atomic_generic;

/* membar and fence; prefetch, which does nothing. */
op_warp fence_all, prefetch_nothing;

#endif
