/* Loads and stores: find the bytes, count the cost, move. */
#include <stdatomic.h>
#include <string.h>

#include "moves.h"
#include "sectors.h"

static uint32_t count_sectors(const struct op *op, uint32_t mask,
                              const struct request *request) {
  if (request->even)
    return sectors_touched_evenly(request->address[0], request->step, op->width,
                                  request->lanes);
  if (request->low / SECTOR_BYTES == request->high / SECTOR_BYTES)
    return 1;
  return sectors_touched(request->address, mask, op->width);
}

static uint32_t count_wavefronts(const struct op *op, uint32_t mask,
                                 const struct request *request) {
  uint32_t count = 0;
  if (request->even)
    count = sectors_wavefronts_evenly(request->step, op->width, request->lanes);
  else if ((mask & (mask - 1)) == 0)
    return 1;
  return count ? count : sectors_wavefronts(request->address, mask, op->width);
}

static void count_global(struct warp *warp, const struct op *op, uint32_t mask,
                         const struct request *request, bool write) {
  struct counters *counters = warp->counters;
  uint32_t sectors = count_sectors(op, mask, request);
  if (write) {
    counters->global_store_requests++;
    counters->global_store_sectors += sectors;
  } else {
    counters->global_load_requests++;
    counters->global_load_sectors += sectors;
  }
}

static void count_shared(struct warp *warp, const struct op *op, uint32_t mask,
                         const struct request *request, bool write) {
  struct counters *counters = warp->counters;
  uint32_t wavefronts = count_wavefronts(op, mask, request);
  counters->shared_bank_conflicts +=
      wavefronts - sectors_groups(mask, op->width);
  if (write)
    counters->shared_store_wavefronts += wavefronts;
  else if (op->width <= BANK_BYTES)
    counters->shared_load_wavefronts += wavefronts;
  else
    counters->shared_load_wavefronts +=
        wavefronts - sectors_merges(request->address, mask, op->width);
}

enum { ROW = LANES * 4 };

static inline bool is_row(const uint64_t *base) {
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < LANES; i++)
    wrong |= base[i] ^ (base[0] + 4 * i);
  return wrong == 0;
}

static inline void move_quickly(unsigned char *slot, unsigned char *host,
                                size_t bytes, bool write) {
  if (write)
    memcpy(host, slot, bytes);
  else
    memcpy(slot, host, bytes);
}

static inline void count_quickly(struct counters *counters, uint64_t sectors,
                                 bool write) {
  if (write) {
    counters->global_store_requests++;
    counters->global_store_sectors += sectors;
  } else {
    counters->global_load_requests++;
    counters->global_load_sectors += sectors;
  }
}

static inline bool quick_global(struct warp *warp, const struct op *op,
                                uint32_t mask, bool write) {
  const struct region *last = &warp->last;
  if (op->variant != MOVE_WORD || op->elements != 1 ||
      !(op->flags & MEMORY_ADDRESS_64) || (write && last->read_only))
    return false;
  const unsigned char *slot = warp->regs + op->a;
  const uint64_t *base = (const uint64_t *)(const void *)slot;
  bool one = (mask & (mask - 1)) == 0;
  int lane = one ? __builtin_ctz(mask) : 0;
  uint64_t first = base[lane] + (uint64_t)op->offset;
  uint64_t bytes = one ? 4 : ROW;
  if (first % 4 || !region_holds(last, first, bytes))
    return false;
  unsigned char *to = warp->regs + op->vector[0] + 4 * lane;
  unsigned char *host = last->host + (first - last->base);
  if (one) {
    move_quickly(to, host, 4, write);
    count_quickly(warp->counters, 1, write);
    return true;
  }
  if (mask != UINT32_MAX || !is_row(base))
    return false;
  move_quickly(to, host, ROW, write);
  count_quickly(warp->counters, first % SECTOR_BYTES ? 5 : 4, write);
  return true;
}

static inline bool is_narrow_row(const uint32_t *base) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < LANES; i++)
    wrong |= base[i] ^ (base[0] + 4 * i);
  return wrong == 0;
}

static inline bool quick_shared(struct warp *warp, const struct op *op,
                                uint32_t mask, bool write) {
  if (op->variant != MOVE_WORD || op->elements != 1 || op->absolute ||
      (op->flags & MEMORY_ADDRESS_64))
    return false;
  const unsigned char *slot = warp->regs + op->a;
  const uint32_t *base = (const uint32_t *)(const void *)slot;
  bool one = (mask & (mask - 1)) == 0;
  int lane = one ? __builtin_ctz(mask) : 0;
  uint64_t first = base[lane] + (uint64_t)op->offset;
  uint64_t bytes = one ? 4 : ROW, size = warp->block->shared_size;
  if (first % 4 || bytes > size || first > size - bytes)
    return false;
  if (!one && (mask != UINT32_MAX || !is_narrow_row(base)))
    return false;
  unsigned char *to = warp->regs + op->vector[0] + 4 * lane;
  unsigned char *host = warp->block->shared + first;
  if (one)
    move_quickly(to, host, 4, write);
  else
    move_quickly(to, host, ROW, write);
  if (write)
    warp->counters->shared_store_wavefronts++;
  else
    warp->counters->shared_load_wavefronts++;
  return true;
}

static inline bool quick_param(struct warp *warp, const struct op *op) {
  uint64_t at = (uint64_t)op->offset, size = warp->block->params_size;
  if (!op->absolute || op->elements != 1 || (at & (op->width - 1)) ||
      size < op->width || at > size - op->width ||
      (op->variant != MOVE_WORD && op->variant != MOVE_LONG))
    return false;
  unsigned char *slot = warp->regs + op->vector[0];
  if (op->bytes == 4)
    memcpy(slot, warp->block->params + at, 4);
  else
    memcpy(slot, warp->block->params + at, 8);
  fill_lanes(slot, op->bytes);
  return true;
}

static inline bool access_space(struct warp *warp, const struct op *op,
                                uint32_t mask, const struct request *request,
                                enum ptx_space space, bool write) {
  struct reach reach;
  if (!reach_find(&reach, warp, op, mask, request, space, write))
    return false;
  if (space == PTX_GLOBAL)
    count_global(warp, op, mask, request, write);
  if (space == PTX_SHARED)
    count_shared(warp, op, mask, request, write);
  if (write)
    store_elements(warp->regs, op, mask, &reach);
  else
    load_elements(warp->regs, op, mask, &reach);
  return true;
}

static inline bool access_at(struct warp *warp, const struct op *op,
                             uint32_t mask, enum ptx_space space, bool write) {
  if (!mask)
    return true;
  if (space == PTX_GLOBAL && quick_global(warp, op, mask, write))
    return true;
  if (space == PTX_SHARED && quick_shared(warp, op, mask, write))
    return true;
  struct request request;
  request_gather(&request, warp, op, mask);
  return access_space(warp, op, mask, &request, space, write);
}

bool load_global(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_at(warp, op, mask, PTX_GLOBAL, false);
}

bool load_const(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_at(warp, op, mask, PTX_CONST, false);
}

bool load_shared(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_at(warp, op, mask, PTX_SHARED, false);
}

bool load_local(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_at(warp, op, mask, PTX_LOCAL, false);
}

bool load_param(struct warp *warp, const struct op *op, uint32_t mask) {
  if (mask == UINT32_MAX && quick_param(warp, op))
    return true;
  return access_at(warp, op, mask, PTX_PARAM, false);
}

bool store_global(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_at(warp, op, mask, PTX_GLOBAL, true);
}

bool store_shared(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_at(warp, op, mask, PTX_SHARED, true);
}

bool store_local(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_at(warp, op, mask, PTX_LOCAL, true);
}

static bool access_window(struct warp *warp, const struct op *op, uint32_t mask,
                          const struct request *request, enum ptx_space space,
                          bool write) {
  uint32_t lanes = window_lanes(request, mask, space);
  if (!lanes)
    return true;
  struct request part = *request;
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    part.address[__builtin_ctz(rest)] -= window_base(space);
  request_measure(&part, lanes, op->width);
  return access_space(warp, op, lanes, &part, space, write);
}

static bool access_generic(struct warp *warp, const struct op *op,
                           uint32_t mask, bool write) {
  if (!mask || quick_global(warp, op, mask, write))
    return true;
  struct request request;
  request_gather(&request, warp, op, mask);
  if (window_lanes(&request, mask, PTX_GLOBAL) == mask)
    return access_space(warp, op, mask, &request, PTX_GLOBAL, write);
  return access_window(warp, op, mask, &request, PTX_GLOBAL, write) &&
         access_window(warp, op, mask, &request, PTX_SHARED, write) &&
         access_window(warp, op, mask, &request, PTX_LOCAL, write) &&
         access_window(warp, op, mask, &request, PTX_PARAM, write);
}

bool load_generic(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_generic(warp, op, mask, false);
}

bool store_generic(struct warp *warp, const struct op *op, uint32_t mask) {
  return access_generic(warp, op, mask, true);
}

static op_warp *const plain_loads[] = {[PTX_GENERIC] = load_generic,
                                       [PTX_GLOBAL] = load_global,
                                       [PTX_SHARED] = load_shared};
static op_warp *const plain_stores[] = {[PTX_GENERIC] = store_generic,
                                        [PTX_GLOBAL] = store_global,
                                        [PTX_SHARED] = store_shared};

bool load_ordered(struct warp *warp, const struct op *op, uint32_t mask) {
  bool good = plain_loads[op->space](warp, op, mask);
  atomic_thread_fence(memory_order_seq_cst);
  return good;
}

bool store_ordered(struct warp *warp, const struct op *op, uint32_t mask) {
  atomic_thread_fence(memory_order_seq_cst);
  return plain_stores[op->space](warp, op, mask);
}

void memory_addresses(const struct warp *warp, const struct op *op,
                      uint32_t mask, uint64_t address[LANES]) {
  if (!mask)
    return;
  struct request request;
  request_gather(&request, warp, op, mask);
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    address[lane] = request.address[lane];
  }
}
