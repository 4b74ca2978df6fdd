/* Atomics and fences. Source: PTX ISA, "atom", "red" and "membar / fence". */
#include <stdatomic.h>
#include <string.h>

#include "address.h"
#include "memory.h"

static uint32_t flush(uint32_t bits) {
  return (bits & 0x7f800000u) ? bits : bits & 0x80000000u;
}

static uint32_t add_f32(uint32_t a, uint32_t b, bool ftz) {
  float x, y;
  a = ftz ? flush(a) : a;
  b = ftz ? flush(b) : b;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  x += y;
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (x != x)
    return 0x7fffffffu;
  return ftz ? flush(bits) : bits;
}

static bool is_nan(uint64_t bits) { return bits << 1 > 0xffe0000000000000u; }

static uint64_t add_f64(uint64_t a, uint64_t b, bool global) {
  uint64_t quiet = 0x0008000000000000u;
  if (global && (is_nan(a) || is_nan(b)))
    return is_nan(b) ? b : a;
  if (is_nan(a) || is_nan(b))
    return (is_nan(a) ? a : b) | quiet;
  double x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  x += y;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0xfff8000000000000u : bits;
}

struct atom {
  enum atomic what;
  enum ptx_type type;
  bool global;
  uint64_t b, c;
};

static uint64_t add(const struct atom *atom, uint64_t old) {
  if (atom->type == PTX_F32)
    return add_f32((uint32_t)old, (uint32_t)atom->b, atom->global);
  return atom->type == PTX_F64 ? add_f64(old, atom->b, atom->global)
                               : old + atom->b;
}

static bool is_less(const struct atom *atom, uint64_t old) {
  if (atom->type == PTX_S32)
    return (int32_t)old < (int32_t)atom->b;
  if (atom->type == PTX_S64)
    return (int64_t)old < (int64_t)atom->b;
  return old < atom->b;
}

static uint64_t count_up(uint64_t old, uint64_t last) {
  return old >= last ? 0 : old + 1;
}

static uint64_t count_down(uint64_t old, uint64_t last) {
  return old == 0 || old > last ? last : old - 1;
}

static uint64_t combine(const struct atom *atom, uint64_t old) {
  switch (atom->what) {
  case ATOMIC_ADD:
    return add(atom, old);
  case ATOMIC_MIN:
    return is_less(atom, old) ? old : atom->b;
  case ATOMIC_MAX:
    return is_less(atom, old) ? atom->b : old;
  case ATOMIC_AND:
    return old & atom->b;
  case ATOMIC_OR:
    return old | atom->b;
  case ATOMIC_XOR:
    return old ^ atom->b;
  case ATOMIC_CAS:
    return old == atom->b ? atom->c : old;
  case ATOMIC_INC:
    return count_up(old, atom->b);
  case ATOMIC_DEC:
    return count_down(old, atom->b);
  default:
    return atom->b; /* ATOMIC_EXCH */
  }
}

#define SWAP(name, word)                                                       \
  static uint64_t name(unsigned char *host, const struct atom *atom) {         \
    typedef word __attribute__((may_alias)) place;                             \
    place *at = (place *)(void *)host;                                         \
    word old = __atomic_load_n(at, __ATOMIC_SEQ_CST);                          \
    word next = (word)combine(atom, old);                                      \
    while (!__atomic_compare_exchange_n(at, &old, next, false,                 \
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))   \
      next = (word)combine(atom, old);                                         \
    return old;                                                                \
  }

SWAP(swap_16, uint16_t)
SWAP(swap_32, uint32_t)
SWAP(swap_64, uint64_t)

static uint64_t swap(unsigned char *host, const struct atom *atom,
                     uint32_t bytes) {
  if (bytes == 2)
    return swap_16(host, atom);
  return bytes == 4 ? swap_32(host, atom) : swap_64(host, atom);
}

static uint64_t lane_of(const unsigned char *regs, uint32_t offset,
                        uint32_t bytes, int lane) {
  uint16_t half;
  uint32_t word;
  uint64_t wide;
  const unsigned char *at = regs + offset + (size_t)lane * bytes;
  switch (bytes) {
  case 2:
    memcpy(&half, at, sizeof half);
    return half;
  case 4:
    memcpy(&word, at, sizeof word);
    return word;
  default:
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
}

static void set_lane(unsigned char *regs, uint32_t offset, uint32_t bytes,
                     int lane, uint64_t value) {
  uint16_t half = (uint16_t)value;
  uint32_t word = (uint32_t)value;
  const void *from = bytes == 2   ? (const void *)&half
                     : bytes == 4 ? (const void *)&word
                                  : (const void *)&value;
  memcpy(regs + offset + (size_t)lane * bytes, from, bytes);
}

static bool run_lanes(struct warp *warp, const struct op *op, uint32_t mask,
                      const struct request *request, enum ptx_space space) {
  struct reach reach;
  if (!reach_find(&reach, warp, op, mask, request, space, true))
    return false;
  reach_spread(&reach, mask);
  struct atom atom = {.what = (enum atomic)op->variant,
                      .type = (enum ptx_type)op->type,
                      .global = space == PTX_GLOBAL};
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    atom.b = lane_of(warp->regs, op->b, op->bytes, lane);
    atom.c = lane_of(warp->regs, op->c, op->bytes, lane);
    uint64_t old = swap(reach.host[lane], &atom, op->bytes);
    if (op->flags & MEMORY_READS)
      set_lane(warp->regs, op->d, op->bytes, lane, old);
  }
  return true;
}

static bool run_at(struct warp *warp, const struct op *op, uint32_t mask,
                   enum ptx_space space) {
  if (!mask)
    return true;
  struct request request;
  request_gather(&request, warp, op, mask);
  return run_lanes(warp, op, mask, &request, space);
}

bool atomic_global(struct warp *warp, const struct op *op, uint32_t mask) {
  return run_at(warp, op, mask, PTX_GLOBAL);
}

bool atomic_shared(struct warp *warp, const struct op *op, uint32_t mask) {
  return run_at(warp, op, mask, PTX_SHARED);
}

static bool run_window(struct warp *warp, const struct op *op, uint32_t mask,
                       const struct request *request, enum ptx_space space) {
  uint32_t lanes = window_lanes(request, mask, space);
  if (!lanes)
    return true;
  struct request part = *request;
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    part.address[__builtin_ctz(rest)] -= window_base(space);
  request_measure(&part, lanes, op->width);
  return run_lanes(warp, op, lanes, &part, space);
}

bool atomic_generic(struct warp *warp, const struct op *op, uint32_t mask) {
  if (!mask)
    return true;
  struct request request;
  request_gather(&request, warp, op, mask);
  uint32_t private = window_lanes(&request, mask, PTX_LOCAL) |
                     window_lanes(&request, mask, PTX_PARAM);
  if (private)
    return fault_raise(warp, op, private, FAULT_ILLEGAL_ADDRESS,
                       "atomic-on-local",
                       "lane %d: an atomic on local or parameter memory",
                       __builtin_ctz(private));
  return run_window(warp, op, mask, &request, PTX_GLOBAL) &&
         run_window(warp, op, mask, &request, PTX_SHARED);
}

bool fence_all(struct warp *warp, const struct op *op, uint32_t mask) {
  (void)warp;
  (void)op;
  (void)mask;
  atomic_thread_fence(memory_order_seq_cst);
  return true;
}

bool prefetch_nothing(struct warp *warp, const struct op *op, uint32_t mask) {
  (void)warp;
  (void)op;
  (void)mask;
  return true;
}
