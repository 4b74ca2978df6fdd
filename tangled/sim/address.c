/* Addresses of a request, and the host bytes behind them. */
#include <inttypes.h>
#include <string.h>

#include "address.h"
#include "memory.h"

static void measure_one(struct request *request, uint32_t mask,
                        uint32_t width) {
  uint64_t address = request->address[__builtin_ctz(mask)];
  request->low = request->high = address;
  request->skew = address & (width - 1);
  request->even = false;
}

static inline bool is_even(const uint64_t *address, uint64_t step,
                           uint32_t lanes) {
  uint64_t wrong = 0, expected = address[0];
  for (uint32_t i = 0; i < lanes; i++) {
    wrong |= address[i] ^ expected;
    expected += step;
  }
  return wrong == 0 && step + 0x80000000u < 0x100000000u;
}

static bool measure_even(struct request *request, uint32_t mask,
                         uint32_t width) {
  if (mask & (mask + 1)) /* not the lowest lanes */
    return false;
  const uint64_t *address = request->address;
  uint64_t first = address[0], step = address[1] - first;
  uint32_t lanes = mask == UINT32_MAX ? LANES : (uint32_t)__builtin_ctz(~mask);
  if (!(lanes == LANES ? is_even(address, step, LANES)
                       : is_even(address, step, lanes)))
    return false;
  uint64_t last = address[lanes - 1];
  request->even = true;
  request->lanes = lanes;
  request->step = step;
  request->low = step >> 63 ? last : first;
  request->high = step >> 63 ? first : last;
  request->skew = (first | step) & (width - 1);
  return true;
}

static void measure_span(struct request *request, uint32_t mask,
                         uint32_t width) {
  const uint64_t *address = request->address;
  uint64_t any = address[__builtin_ctz(mask)];
  uint64_t low = any, high = any, bits = any;
  for (uint32_t i = 0; i < LANES; i++) {
    uint64_t one = mask >> i & 1 ? address[i] : any;
    low = one < low ? one : low;
    high = one > high ? one : high;
    bits |= one;
  }
  request->even = false;
  request->low = low;
  request->high = high;
  request->skew = bits & (width - 1);
}

void request_measure(struct request *request, uint32_t mask, uint32_t width) {
  if ((mask & (mask - 1)) == 0)
    measure_one(request, mask, width);
  else if (!measure_even(request, mask, width))
    measure_span(request, mask, width);
}

static uint64_t base_of(const struct warp *warp, const struct op *op,
                        int lane) {
  if (op->absolute)
    return 0;
  const unsigned char *base = warp->regs + op->a;
  if (op->flags & MEMORY_ADDRESS_64)
    return ((const uint64_t *)(const void *)base)[lane];
  return ((const uint32_t *)(const void *)base)[lane];
}

static void gather_one(struct request *request, const struct warp *warp,
                       const struct op *op, uint32_t mask) {
  int lane = __builtin_ctz(mask);
  uint64_t address = base_of(warp, op, lane) + (uint64_t)op->offset;
  request->address[lane] = address;
  measure_one(request, mask, op->width);
}

void request_gather(struct request *request, const struct warp *warp,
                    const struct op *op, uint32_t mask) {
  if ((mask & (mask - 1)) == 0) {
    gather_one(request, warp, op, mask);
    return;
  }
  uint64_t offset = (uint64_t)op->offset;
  const void *base = warp->regs + op->a;
  if (op->absolute)
    for (int i = 0; i < LANES; i++)
      request->address[i] = offset;
  else if (op->flags & MEMORY_ADDRESS_64)
    for (int i = 0; i < LANES; i++)
      request->address[i] = ((const uint64_t *)base)[i] + offset;
  else
    for (int i = 0; i < LANES; i++)
      request->address[i] = ((const uint32_t *)base)[i] + offset;
  request_measure(request, mask, op->width);
}

static uint32_t regions_before(const struct block *block, uint64_t address) {
  uint32_t low = 0, high = block->region_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (block->regions[middle].base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool region_find(struct warp *warp, uint64_t low, uint64_t bytes) {
  if (region_holds(&warp->last, low, bytes))
    return true;
  uint32_t before = regions_before(warp->block, low);
  if (before == 0)
    return false;
  const struct region *region = &warp->block->regions[before - 1];
  if (!region_holds(region, low, bytes))
    return false;
  warp->last = *region;
  return true;
}

struct complaint {
  struct warp *warp;
  const struct op *op;
  uint32_t lanes; /* all that are wrong in the same way */
  uint64_t address;
  bool write;
};

static const char *verb(const struct complaint *about) {
  return about->write ? "write" : "read";
}

static bool raise_misaligned(const struct complaint *about) {
  return fault_raise(about->warp, about->op, about->lanes, FAULT_MISALIGNED,
                     "misaligned-address",
                     "lane %d: %s of %" PRIu32 " bytes at 0x%" PRIx64
                     " is misaligned: the address is no multiple of %" PRIu32,
                     __builtin_ctz(about->lanes), verb(about), about->op->width,
                     about->address, about->op->width);
}

#define FAR (1ULL << 40)

static const char *distance(const struct block *block, uint64_t address,
                            uint64_t *bytes, uint64_t *size) {
  uint32_t before = regions_before(block, address);
  *bytes = UINT64_MAX;
  const char *place = "from any allocation: there is none";
  if (before > 0) {
    const struct region *region = &block->regions[before - 1];
    uint64_t end = region->base + region->size;
    *bytes = address >= end ? address - end + 1 : 0;
    *size = region->size;
    place = "after the nearest allocation";
  }
  if (before < block->region_count) {
    const struct region *region = &block->regions[before];
    if (region->base - address >= *bytes)
      return place;
    *bytes = region->base - address;
    *size = region->size;
    place = "before the nearest allocation";
  }
  return place;
}

static bool raise_far(const struct complaint *about, bool alone) {
  return fault_raise(about->warp, about->op, about->lanes,
                     FAULT_ILLEGAL_ADDRESS, "out-of-bounds",
                     "lane %d: %s of %" PRIu32 " bytes at 0x%" PRIx64
                     " is out of bounds: %s",
                     __builtin_ctz(about->lanes), verb(about), about->op->width,
                     about->address,
                     alone ? "there is no allocation"
                           : "no allocation is near; is the pointer set?");
}

static bool raise_outside(const struct complaint *about) {
  uint64_t bytes, size = 0;
  const char *place =
      distance(about->warp->block, about->address, &bytes, &size);
  int lane = __builtin_ctz(about->lanes);
  if (size == 0 || bytes > FAR)
    return raise_far(about, size == 0);
  if (bytes == 0)
    return fault_raise(
        about->warp, about->op, about->lanes, FAULT_ILLEGAL_ADDRESS,
        "out-of-bounds",
        "lane %d: %s of %" PRIu32 " bytes at 0x%" PRIx64
        " runs past the end of its allocation of size %" PRIu64 " bytes",
        lane, verb(about), about->op->width, about->address, size);
  return fault_raise(
      about->warp, about->op, about->lanes, FAULT_ILLEGAL_ADDRESS,
      "out-of-bounds",
      "lane %d: %s of %" PRIu32 " bytes at 0x%" PRIx64
      " is out of bounds, %" PRIu64 " bytes %s of size %" PRIu64 " bytes",
      lane, verb(about), about->op->width, about->address, bytes, place, size);
}

static bool raise_read_only(const struct complaint *about) {
  return fault_raise(
      about->warp, about->op, about->lanes, FAULT_ILLEGAL_ADDRESS, "read-only",
      "lane %d: write of %" PRIu32 " bytes at 0x%" PRIx64
      ", which is read-only memory",
      __builtin_ctz(about->lanes), about->op->width, about->address);
}

static bool raise_past(const struct complaint *about, const char *id,
                       const char *space, uint64_t size) {
  return fault_raise(about->warp, about->op, about->lanes,
                     FAULT_ILLEGAL_ADDRESS, id,
                     "lane %d: %s of %" PRIu32 " bytes at %s offset 0x%" PRIx64
                     " is out of bounds: %" PRIu64 " bytes are there",
                     __builtin_ctz(about->lanes), verb(about), about->op->width,
                     space, about->address, size);
}

static void reach_within(struct reach *reach, const struct request *request,
                         uint32_t mask, unsigned char *host, uint64_t base) {
  reach->even = request->even;
  if (request->even) {
    reach->first = host + (request->address[0] - base);
    reach->stride = (int64_t)request->step;
    reach->lanes = request->lanes;
    return;
  }
  if ((mask & (mask - 1)) == 0) {
    int lane = __builtin_ctz(mask);
    reach->host[lane] = host + (request->address[lane] - base);
    return;
  }
  uintptr_t shift = (uintptr_t)host - (uintptr_t)base;
  for (int i = 0; i < LANES; i++)
    reach->host[i] = (unsigned char *)((uintptr_t)request->address[i] + shift);
}

static bool reach_each(struct reach *reach, struct warp *warp,
                       const struct op *op, uint32_t mask,
                       const struct request *request, bool write) {
  uint32_t outside = 0, read_only = 0;
  reach->even = false;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    uint64_t address = request->address[lane];
    if (!region_find(warp, address, op->width))
      outside |= 1u << lane;
    else if (write && warp->last.read_only)
      read_only |= 1u << lane;
    else
      reach->host[lane] = warp->last.host + (address - warp->last.base);
  }
  if (!(outside | read_only))
    return true;
  uint32_t lanes = outside ? outside : read_only;
  struct complaint about = {warp, op, lanes,
                            request->address[__builtin_ctz(lanes)], write};
  return outside ? raise_outside(&about) : raise_read_only(&about);
}

static bool reach_global(struct reach *reach, struct warp *warp,
                         const struct op *op, uint32_t mask,
                         const struct request *request, bool write) {
  uint64_t bytes = request->high - request->low + op->width;
  if (!region_find(warp, request->low, bytes) ||
      (write && warp->last.read_only))
    return reach_each(reach, warp, op, mask, request, write);
  reach_within(reach, request, mask, warp->last.host, warp->last.base);
  return true;
}

struct piece {
  unsigned char *host;
  uint64_t size;
  const char *id, *name; /* of the fault, and of the space */
};

static uint32_t lanes_past(const struct request *request, uint32_t mask,
                           uint64_t size, uint32_t width) {
  uint32_t past = 0;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    if (size < width || request->address[lane] > size - width)
      past |= 1u << lane;
  }
  return past;
}

static bool reach_piece(struct reach *reach, struct warp *warp,
                        const struct op *op, uint32_t mask,
                        const struct request *request, bool write,
                        const struct piece *piece) {
  if (piece->size >= op->width && request->high <= piece->size - op->width) {
    reach_within(reach, request, mask, piece->host, 0);
    return true;
  }
  uint32_t past = lanes_past(request, mask, piece->size, op->width);
  struct complaint about = {warp, op, past,
                            request->address[__builtin_ctz(past)], write};
  return raise_past(&about, piece->id, piece->name, piece->size);
}

static void shift_to_lanes(struct reach *reach, uint32_t mask, uint64_t size) {
  if (reach->even) {
    reach->stride += (int64_t)size;
    return;
  }
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    reach->host[lane] += lane * size;
  }
}

static bool reach_shared(struct reach *reach, struct warp *warp,
                         const struct op *op, uint32_t mask,
                         const struct request *request, bool write) {
  struct piece piece = {warp->block->shared, warp->block->shared_size,
                        "shared-out-of-bounds", "shared"};
  return reach_piece(reach, warp, op, mask, request, write, &piece);
}

static bool reach_local(struct reach *reach, struct warp *warp,
                        const struct op *op, uint32_t mask,
                        const struct request *request, bool write) {
  struct piece piece = {warp->local, warp->block->local_size,
                        "local-out-of-bounds", "local"};
  if (!reach_piece(reach, warp, op, mask, request, write, &piece))
    return false;
  shift_to_lanes(reach, mask, piece.size);
  return true;
}

static bool reach_param(struct reach *reach, struct warp *warp,
                        const struct op *op, uint32_t mask,
                        const struct request *request, bool write) {
  struct complaint about = {warp, op, mask, request->low, write};
  if (write)
    return raise_read_only(&about);
  const struct block *block = warp->block;
  unsigned char *host = (unsigned char *)(uintptr_t)block->params;
  struct piece piece = {host, block->params_size, "param-out-of-bounds",
                        "parameter"};
  return reach_piece(reach, warp, op, mask, request, write, &piece);
}

void reach_spread(struct reach *reach, uint32_t mask) {
  if (!reach->even)
    return;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    reach->host[lane] = reach->first + lane * reach->stride;
  }
  reach->even = false;
}

static uint32_t lanes_askew(const struct request *request, uint32_t mask,
                            uint32_t width) {
  uint32_t askew = 0;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    if (request->address[lane] & (width - 1))
      askew |= 1u << lane;
  }
  return askew;
}

static bool check_skew(struct warp *warp, const struct op *op, uint32_t mask,
                       const struct request *request, bool write) {
  if (!request->skew)
    return true;
  uint32_t lanes = lanes_askew(request, mask, op->width);
  struct complaint about = {warp, op, lanes,
                            request->address[__builtin_ctz(lanes)], write};
  return raise_misaligned(&about);
}

bool reach_find(struct reach *reach, struct warp *warp, const struct op *op,
                uint32_t mask, const struct request *request,
                enum ptx_space space, bool write) {
  if (!check_skew(warp, op, mask, request, write))
    return false;
  switch (space) {
  case PTX_SHARED:
    return reach_shared(reach, warp, op, mask, request, write);
  case PTX_LOCAL:
    return reach_local(reach, warp, op, mask, request, write);
  case PTX_PARAM:
    return reach_param(reach, warp, op, mask, request, write);
  default:
    return reach_global(reach, warp, op, mask, request, write);
  }
}

uint64_t window_base(enum ptx_space space) {
  switch (space) {
  case PTX_SHARED:
    return SHARED_WINDOW;
  case PTX_LOCAL:
    return LOCAL_WINDOW;
  case PTX_PARAM:
    return PARAM_WINDOW;
  default:
    return 0;
  }
}

static uint32_t lanes_within(const struct request *request, uint32_t mask,
                             uint64_t base) {
  uint32_t inside = 0;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    if (request->address[lane] - base < WINDOW_SIZE)
      inside |= 1u << lane;
  }
  return inside;
}

uint32_t window_lanes(const struct request *request, uint32_t mask,
                      enum ptx_space space) {
  if (request->low >= PARAM_WINDOW + WINDOW_SIZE)
    return space == PTX_GLOBAL ? mask : 0;
  if (space != PTX_GLOBAL)
    return lanes_within(request, mask, window_base(space));
  return mask & ~lanes_within(request, mask, SHARED_WINDOW) &
         ~lanes_within(request, mask, LOCAL_WINDOW) &
         ~lanes_within(request, mask, PARAM_WINDOW);
}
