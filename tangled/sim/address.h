/* Where the lanes of a request point: addresses, and the host bytes behind
 * them. Used by load_store.c and atomics.c. Sources: PTX ISA, "State Spaces",
 * "Addresses as Operands" and "Generic Addressing". */
#ifndef SHUFFLE_LADDER_ADDRESS_H
#define SHUFFLE_LADDER_ADDRESS_H

#include "core.h"

struct request {
  uint64_t address[LANES]; /* only those of active lanes count */
  uint64_t low, high;      /* lowest and highest address of an active lane */
  uint64_t skew;           /* not 0: some active lane is not aligned */
  bool even;               /* lanes 0 to lanes - 1, and no others, are */
  uint32_t lanes;          /* active and evenly spaced: */
  uint64_t step;           /* from each lane to the next */
};

/* Computes the addresses of an op for the lanes of `mask` (not 0): base
 * register plus offset, 64 bits wide, wrapping. `width` for the alignment is
 * op->width. */
void request_gather(struct request *request, const struct warp *warp,
                    const struct op *op, uint32_t mask);

/* Fills low, high, skew, step and even from the addresses. */
void request_measure(struct request *request, uint32_t mask, uint32_t width);

struct reach {
  bool even;      /* lane i is at first + i * stride, */
  uint32_t lanes; /* for i < lanes */
  unsigned char *first;
  int64_t stride;
  unsigned char *host[LANES]; /* where not even: of each active lane */
};

/* Finds the bytes of a request in a space (PTX_GLOBAL for .const as well; not
 * PTX_GENERIC). `write` tells what for. False after fault_raise:
 * "misaligned-address", "out-of-bounds", "read-only", "shared-out-of-bounds",
 * "local-out-of-bounds" or "param-out-of-bounds". Of the bytes in reach,
 * those of PTX_PARAM and of a read-only allocation must not be written. */
bool reach_find(struct reach *reach, struct warp *warp, const struct op *op,
                uint32_t mask, const struct request *request,
                enum ptx_space space, bool write);

/* Fills host[] of the lanes of `mask` where the reach is even. */
void reach_spread(struct reach *reach, uint32_t mask);

/* The lanes whose address lies in the window of a space; PTX_GLOBAL gives those
 * in no window. */
uint32_t window_lanes(const struct request *request, uint32_t mask,
                      enum ptx_space space);
/* The base of a space's window; 0 for PTX_GLOBAL and PTX_CONST. */
uint64_t window_base(enum ptx_space space);

/* True if `bytes` bytes from `low` lie within a region. */
static inline bool region_holds(const struct region *region, uint64_t low,
                                uint64_t bytes) {
  return bytes <= region->size && low - region->base <= region->size - bytes;
}

/* Makes warp->last the allocation that holds these bytes; false (and last is as
 * it was) where none holds them all. */
bool region_find(struct warp *warp, uint64_t low, uint64_t bytes);

#endif
