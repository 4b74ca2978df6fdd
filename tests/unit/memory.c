/* Loads, stores and atomics on a warp made by hand: values, counters, faults.
 */
#include <stdlib.h>
#include <string.h>

#include "../hardware/sectors.h"
#include "core.h"
#include "memory.h"
#include "sectors.h"
#include "tap.h"

enum {
  ADDRESS = 256, /* uint64_t[32] */
  NARROW = 512,  /* uint32_t[32] */
  VALUE = 1024,  /* four registers of up to 256 bytes */
  OPERAND = 2048,
  EXTRA = 2304,
  GLOBAL_BYTES = 1 << 18,
  SHARED_BYTES = 1 << 16,
  LOCAL_BYTES = 64,
  PARAM_BYTES = 40
};

static _Alignas(64) unsigned char regs[4096];
static _Alignas(64) unsigned char global[GLOBAL_BYTES], small[64], fixed[256];
static _Alignas(64) unsigned char shared[SHARED_BYTES], params[PARAM_BYTES];
static _Alignas(64) unsigned char local[LANES * LOCAL_BYTES];
static struct region regions[3];
static struct counters counters;
static struct fault fault;
static struct block block;
static struct warp warp;

#define FIRST (GLOBAL_BASE + 0x10000)
#define SMALL (FIRST + GLOBAL_BYTES + 512)
#define FIXED (SMALL + 1024)

static void fresh(void) {
  regions[0] = (struct region){FIRST, GLOBAL_BYTES, global, false};
  regions[1] = (struct region){SMALL, sizeof small, small, false};
  regions[2] = (struct region){FIXED, sizeof fixed, fixed, true};
  memset(&counters, 0, sizeof counters);
  memset(&fault, 0, sizeof fault);
  block = (struct block){.shared = shared,
                         .shared_size = SHARED_BYTES,
                         .params = params,
                         .params_size = PARAM_BYTES,
                         .local_size = LOCAL_BYTES,
                         .regions = regions,
                         .region_count = 3,
                         .fault = &fault};
  warp = (struct warp){.regs = regs,
                       .block = &block,
                       .counters = &counters,
                       .exists = ~0u,
                       .local = local};
  memset(regs, 0xa5, sizeof regs);
  for (uint32_t i = 0; i < GLOBAL_BYTES; i++)
    global[i] = (unsigned char)(i * 37 + (i >> 8) * 11 + 130);
  memcpy(shared, global, SHARED_BYTES);
  memcpy(local, global, sizeof local);
  memcpy(params, global, sizeof params);
  memcpy(small, global, sizeof small);
  memcpy(fixed, global, sizeof fixed);
}

static uint64_t *addresses(void) {
  return (uint64_t *)(void *)(regs + ADDRESS);
}
static uint32_t *narrow(void) { return (uint32_t *)(void *)(regs + NARROW); }

static struct op access_op(uint32_t bytes, uint32_t elements, uint32_t slot,
                           bool is_signed) {
  struct op op = {.kind = OP_WARP,
                  .a = ADDRESS,
                  .flags = MEMORY_ADDRESS_64,
                  .bytes = (uint8_t)bytes,
                  .elements = (uint8_t)elements,
                  .width = bytes * elements,
                  .variant = load_move(bytes, slot, is_signed)};
  for (uint32_t i = 0; i < 4; i++)
    op.vector[i] = VALUE + 256 * i;
  return op;
}

static uint64_t lane_value(uint32_t offset, uint32_t slot, int lane) {
  uint64_t value = 0;
  memcpy(&value, regs + offset + slot * (uint32_t)lane, slot);
  return value;
}

static uint64_t extend(const unsigned char *at, uint32_t bytes, uint32_t slot,
                       bool is_signed) {
  uint64_t value = 0;
  memcpy(&value, at, bytes);
  if (is_signed && bytes < 8 && value >> (8 * bytes - 1))
    value |= ~0ULL << (8 * bytes);
  return slot < 8 ? value & ((1ULL << 8 * slot) - 1) : value;
}

/* Patterns of addresses for the value tests: offsets, by lane. */
enum { SHAPES = 7 };
static uint64_t shape(int which, uint64_t lane, uint64_t width) {
  switch (which) {
  case 0:
    return 4096 + lane * width; /* a row */
  case 1:
    return 4096 + width; /* a broadcast */
  case 2:
    return 4096 + (31 - lane) * width; /* backwards */
  case 3:
    return 4096 + lane * 3 * width; /* with gaps */
  case 4:
    return 4096 + (lane ^ 5) * width; /* permuted */
  case 5:
    return 4096 + lane * lane % 7 * 4112; /* far apart */
  default:
    return (4096 + 13 * width) + lane * width; /* a row that is not on a line */
  }
}

static const uint32_t masks[] = {~0u,         1,          0x80000000u, 0xff,
                                 0x7fffffffu, 0x0000fff0, 0x55555555u, 0x3};
enum { MASKS = sizeof masks / sizeof *masks };

struct where {
  const char *name;
  op_warp *load, *store;
  uint64_t base;
  bool is_wide; /* 64-bit base registers */
  unsigned char *host;
};

static void aim(const struct where *where, struct op *op, int which) {
  for (int lane = 0; lane < LANES; lane++) {
    uint64_t at = where->base + shape(which, (uint64_t)lane, op->width) + 64;
    addresses()[lane] = at;
    narrow()[lane] = (uint32_t)at;
  }
  op->offset = -64;
  op->a = where->is_wide ? ADDRESS : NARROW;
  op->flags = where->is_wide ? MEMORY_ADDRESS_64 : 0;
}

static bool loaded_right(const struct where *where, const struct op *op,
                         int which, uint32_t mask, uint32_t slot,
                         bool is_signed) {
  bool good = true;
  for (int lane = 0; lane < LANES; lane++)
    for (uint32_t e = 0; e < op->elements; e++) {
      const unsigned char *at = where->host +
                                shape(which, (uint64_t)lane, op->width) +
                                (size_t)e * op->bytes;
      uint64_t want = extend(at, op->bytes, slot, is_signed);
      if (!(mask >> lane & 1))
        want = 0xa5a5a5a5a5a5a5a5ULL >> (64 - 8 * slot);
      good &= lane_value(op->vector[e], slot, lane) == want;
    }
  return good;
}

static void check_loads(const struct where *where, uint32_t bytes,
                        uint32_t elements, uint32_t slot, bool is_signed) {
  bool good = true, counted = true;
  for (int which = 0; which < SHAPES; which++)
    for (int m = 0; m < MASKS; m++) {
      fresh();
      struct op op = access_op(bytes, elements, slot, is_signed);
      aim(where, &op, which);
      good &= where->load(&warp, &op, masks[m]);
      good &= loaded_right(where, &op, which, masks[m], slot, is_signed);
      /* and again, now that the allocation is known */
      good &= where->load(&warp, &op, masks[m]);
      good &= loaded_right(where, &op, which, masks[m], slot, is_signed);
      uint64_t at[LANES] = {0};
      memory_addresses(&warp, &op, masks[m], at);
      uint32_t sectors = sectors_touched(at, masks[m], op.width);
      uint32_t waves = sectors_wavefronts(at, masks[m], op.width);
      uint32_t fewest = sectors_groups(masks[m], op.width);
      bool is_shared = where->host == shared;
      counted &= counters.global_load_requests == (is_shared ? 0 : 2);
      counted &= counters.global_load_sectors == (is_shared ? 0 : 2 * sectors);
      uint32_t saved = sectors_merges(at, masks[m], op.width);
      counted &= counters.shared_load_wavefronts ==
                 (is_shared ? 2 * (waves - saved) : 0);
      counted &= counters.shared_bank_conflicts ==
                 (is_shared ? 2 * (waves - fewest) : 0);
      counted &= counters.global_store_requests == 0 &&
                 counters.shared_store_wavefronts == 0;
    }
  tap_ok(good, "%s: load %u x %u bytes%s into %u", where->name, elements, bytes,
         is_signed ? " signed" : "", slot);
  tap_ok(counted, "%s: and counted", where->name);
}

static bool stored_right(const struct where *where, const struct op *op,
                         int which, uint32_t mask, uint32_t slot) {
  static unsigned char want[GLOBAL_BYTES];
  uint32_t size = where->host == shared ? SHARED_BYTES : GLOBAL_BYTES;
  for (uint32_t i = 0; i < size; i++)
    want[i] = (unsigned char)(i * 37 + (i >> 8) * 11 + 130);
  for (int lane = 0; lane < LANES; lane++)
    for (uint32_t e = 0; e < op->elements && mask >> lane & 1; e++) {
      uint64_t value = lane_value(op->vector[e], slot, lane);
      memcpy(want + shape(which, (uint64_t)lane, op->width) +
                 (size_t)e * op->bytes,
             &value, op->bytes);
    }
  return memcmp(want, where->host, size) == 0;
}

static void check_stores(const struct where *where, uint32_t bytes,
                         uint32_t elements, uint32_t slot) {
  bool good = true, counted = true;
  for (int which = 0; which < SHAPES; which++)
    for (int m = 0; m < MASKS; m++) {
      fresh();
      struct op op = access_op(bytes, elements, slot, false);
      aim(where, &op, which);
      for (uint32_t i = VALUE; i < VALUE + 1024; i++)
        regs[i] = (unsigned char)(i * 59 + i / 256);
      for (int twice = 0; twice < 2; twice++) {
        good &= where->store(&warp, &op, masks[m]);
        good &= stored_right(where, &op, which, masks[m], slot);
      }
      uint64_t at[LANES] = {0};
      memory_addresses(&warp, &op, masks[m], at);
      uint32_t sectors = sectors_touched(at, masks[m], op.width);
      uint32_t waves = sectors_wavefronts(at, masks[m], op.width);
      bool is_shared = where->host == shared;
      counted &= counters.global_store_requests == (is_shared ? 0 : 2);
      counted &= counters.global_store_sectors == (is_shared ? 0 : 2 * sectors);
      counted &=
          counters.shared_store_wavefronts == (is_shared ? 2 * waves : 0);
      counted &= counters.global_load_requests == 0 &&
                 counters.shared_load_wavefronts == 0;
    }
  tap_ok(good, "%s: store %u x %u bytes from %u", where->name, elements, bytes,
         slot);
  tap_ok(counted, "%s: and counted", where->name);
}

static void check_values(void) {
  const struct where places[] = {
      {"global", load_global, store_global, FIRST, true, global},
      {"generic global", load_generic, store_generic, FIRST, true, global},
      {"shared", load_shared, store_shared, 0, false, shared},
      {"shared, 64-bit base", load_shared, store_shared, 0, true, shared},
      {"generic shared", load_generic, store_generic, SHARED_WINDOW, true,
       shared}};
  for (uint32_t p = 0; p < sizeof places / sizeof *places; p++)
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
      for (uint32_t elements = 1; elements * bytes <= 16 && elements <= 4;
           elements *= 2)
        for (uint32_t slot = bytes < 2 ? 2 : bytes; slot <= 8; slot *= 2) {
          check_loads(&places[p], bytes, elements, slot, false);
          check_loads(&places[p], bytes, elements, slot, true);
          check_stores(&places[p], bytes, elements, slot);
        }
}

/* Every recorded pattern, run as loads and stores. */
static void check_card(void) {
  static struct pattern patterns[PATTERNS];
  uint32_t count =
      patterns_read("tests/hardware/sectors-h200.csv", patterns, PATTERNS);
  tap_is_u64(count, PATTERNS, "the recorded file is there");
  for (uint32_t i = 0; i < count; i++) {
    const struct pattern *p = &patterns[i];
    fresh();
    uint32_t elements = p->width == 16 ? 2 : 1, bytes = p->width / elements;
    struct op op = access_op(bytes, elements, bytes < 2 ? 2 : bytes, false);
    for (int lane = 0; lane < LANES; lane++)
      addresses()[lane] = FIRST + p->offset[lane];
    bool ran = load_global(&warp, &op, p->mask);
    ran &= store_global(&warp, &op, p->mask);
    for (int lane = 0; lane < LANES; lane++)
      addresses()[lane] = p->offset[lane] % 32768;
    ran &= store_shared(&warp, &op, p->mask);
    tap_ok(ran, "pattern %u runs", p->id);
    if (p->load_sectors)
      tap_is_u64(counters.global_load_sectors, p->load_sectors,
                 "load sectors of pattern %u, executed", p->id);
    tap_is_u64(counters.global_store_sectors, p->store_sectors,
               "store sectors of pattern %u, executed", p->id);
    tap_is_u64(counters.shared_store_wavefronts, p->wavefronts,
               "store wavefronts of pattern %u, executed", p->id);
  }
}

static void check_card_loads(void) {
  static struct pattern patterns[LOAD_PATTERNS];
  uint32_t count =
      patterns_read("tests/hardware/loads-h200.csv", patterns, LOAD_PATTERNS);
  tap_is_u64(count, LOAD_PATTERNS, "the recorded loads are there");
  for (uint32_t i = 0; i < count; i++) {
    const struct pattern *p = &patterns[i];
    fresh();
    uint32_t elements = p->width == 16 ? 4 : 1, bytes = p->width / elements;
    struct op op = access_op(bytes, elements, bytes < 2 ? 2 : bytes, false);
    for (int lane = 0; lane < LANES; lane++)
      addresses()[lane] = p->offset[lane] % 32768;
    bool ran = load_shared(&warp, &op, p->mask);
    tap_ok(ran && counters.shared_load_wavefronts ==
                      p->wavefronts + (p->id == UNEXPLAINED),
           "load wavefronts of pattern %u, executed", p->id);
  }
}

static void check_counting(void) {
  fresh();
  struct op op = access_op(4, 1, 4, false);
  struct counters none = {0};
  for (int lane = 0; lane < LANES; lane++)
    addresses()[lane] = 0; /* would fault */
  op_warp *all[] = {load_global,   load_const,    load_shared,   load_local,
                    load_param,    load_generic,  store_global,  store_shared,
                    store_local,   store_generic, load_ordered,  store_ordered,
                    atomic_global, atomic_shared, atomic_generic};
  bool ran = true;
  op.space = PTX_GLOBAL;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    ran &= all[i](&warp, &op, 0);
  tap_ok(ran && memcmp(&counters, &none, sizeof none) == 0,
         "a request without lanes is no request");
  for (int lane = 0; lane < LANES; lane++)
    addresses()[lane] = FIRST + 4 * (uint64_t)lane;
  op.type = PTX_U32;
  op.b = op.c = OPERAND;
  op.d = VALUE;
  tap_ok(load_const(&warp, &op, ~0u) && atomic_global(&warp, &op, ~0u) &&
             memcmp(&counters, &none, sizeof none) == 0,
         "constants and atomics are not counted as loads and stores");
  tap_ok(fence_all(&warp, &op, ~0u) && prefetch_nothing(&warp, &op, ~0u) &&
             memcmp(&counters, &none, sizeof none) == 0,
         "nor are fences and prefetches");
  tap_ok(load_ordered(&warp, &op, ~0u) && counters.global_load_sectors == 4,
         "ld.acquire counts as a load");
}

static void check_param_local(void) {
  fresh();
  struct op op = access_op(8, 1, 8, false);
  op.absolute = 1;
  op.flags = 0;
  op.offset = 16;
  uint64_t want;
  memcpy(&want, params + 16, 8);
  for (int m = 0; m < MASKS; m++) {
    memset(regs + VALUE, 0xa5, 256);
    bool good = load_param(&warp, &op, masks[m]);
    for (int lane = 0; lane < LANES; lane++)
      good &= lane_value(VALUE, 8, lane) ==
              (masks[m] >> lane & 1 ? want : 0xa5a5a5a5a5a5a5a5ULL);
    tap_ok(good, "ld.param.u64 under mask %08x", masks[m]);
  }
  op = access_op(1, 1, 4, true);
  op.absolute = 1;
  op.flags = 0;
  op.offset = 3;
  tap_ok(load_param(&warp, &op, ~0u) &&
             lane_value(VALUE, 4, 31) == extend(params + 3, 1, 4, true),
         "ld.param.s8 extends the sign");
  op = access_op(4, 1, 4, false);
  op.a = NARROW;
  op.flags = 0;
  bool good = true;
  for (int round = 0; round < 2; round++) {
    for (int lane = 0; lane < LANES; lane++)
      narrow()[lane] = round ? 4u * ((uint32_t)lane % 5) : 8;
    good &= store_local(&warp, &op, ~0u);
    memset(regs + VALUE, round, 128);
    good &= load_local(&warp, &op, ~0u);
    for (int lane = 0; lane < LANES; lane++) {
      uint32_t had;
      memcpy(&had, local + LOCAL_BYTES * lane + narrow()[lane], 4);
      good &= lane_value(VALUE, 4, lane) == had;
      uint32_t mine = 1000u * (uint32_t)round + (uint32_t)lane;
      memcpy(regs + VALUE + 4 * lane, &mine, 4);
    }
  }
  tap_ok(good, "each lane has its own local memory");
  struct counters none = {0};
  tap_ok(memcmp(&counters, &none, sizeof none) == 0,
         "local memory and parameters are not counted");
}

static void check_spaces_mixed(void) {
  fresh();
  struct op op = access_op(4, 1, 4, false);
  for (int lane = 0; lane < LANES; lane++) {
    uint64_t at = (uint64_t)lane * 4;
    addresses()[lane] = lane % 4 == 0   ? FIRST + at
                        : lane % 4 == 1 ? SHARED_WINDOW + at
                        : lane % 4 == 2 ? LOCAL_WINDOW + at % 64
                                        : PARAM_WINDOW + at % 40;
  }
  bool good = load_generic(&warp, &op, ~0u);
  for (int lane = 0; lane < LANES; lane++) {
    int at = lane * 4;
    const unsigned char *from = lane % 4 == 0   ? global + at
                                : lane % 4 == 1 ? shared + at
                                : lane % 4 == 2
                                    ? local + LOCAL_BYTES * lane + at % 64
                                    : params + at % 40;
    good &= lane_value(VALUE, 4, lane) == extend(from, 4, 4, false);
  }
  tap_ok(good, "a generic load may see four spaces at once");
  tap_is_u64(counters.global_load_requests, 1, "one request of global memory");
  tap_is_u64(counters.global_load_sectors, 4, "with the sectors of its lanes");
  tap_is_u64(counters.shared_load_wavefronts, 1, "one wavefront of shared");
  for (int lane = 0; lane < LANES; lane++)
    addresses()[lane] =
        lane & 1 ? FIXED + 4 * (uint64_t)lane : FIRST + 4 * (uint64_t)lane;
  good = load_global(&warp, &op, ~0u);
  for (int lane = 0; lane < LANES; lane++)
    good &= lane_value(VALUE, 4, lane) ==
            extend((lane & 1 ? fixed : global) + 4 * lane, 4, 4, false);
  tap_ok(good, "lanes may point into different allocations");
  for (int lane = 0; lane < LANES; lane++)
    addresses()[lane] = LOCAL_WINDOW + 16;
  good = load_generic(&warp, &op, ~0u);
  for (int lane = 0; lane < LANES; lane++)
    good &= lane_value(VALUE, 4, lane) ==
            extend(local + LOCAL_BYTES * lane + 16, 4, 4, false);
  tap_ok(good, "one generic address of local memory means 32 places");
}

static void expect(const char *what, op_warp *run, const struct op *op,
                   uint32_t mask, enum fault_kind kind, const char *id,
                   uint32_t lanes, const char *message) {
  struct op copy = *op;
  bool ran = run(&warp, &copy, mask);
  tap_ok(!ran && fault.kind == kind && strcmp(fault.id, id) == 0, "%s: is %s",
         what, id);
  tap_is_u64(fault.lanes, lanes, "%s: the lanes", what);
  if (!tap_ok(strcmp(fault.message, message) == 0, "%s: the message", what))
    printf("#      got %s\n# expected %s\n", fault.message, message);
  struct counters none = {0};
  tap_ok(memcmp(&counters, &none, sizeof none) == 0, "%s: uncounted", what);
  fresh();
}

static void row(uint64_t first, uint64_t step) {
  for (int lane = 0; lane < LANES; lane++) {
    addresses()[lane] = first + step * (uint64_t)lane;
    narrow()[lane] = (uint32_t)addresses()[lane];
  }
}

static void check_global_faults(void) {
  fresh();
  struct op op = access_op(4, 1, 4, false);
  row(SMALL, 4);
  expect("a row past the end", load_global, &op, ~0u, FAULT_ILLEGAL_ADDRESS,
         "out-of-bounds", 0xffff0000u,
         "lane 16: read of 4 bytes at 0x100000050240 is out of bounds, 1 bytes "
         "after the nearest allocation of size 64 bytes");
  row(SMALL + 64 + 124, 0);
  expect("one lane past the end", store_global, &op, 1, FAULT_ILLEGAL_ADDRESS,
         "out-of-bounds", 1,
         "lane 0: write of 4 bytes at 0x1000000502bc is out of bounds, 125 "
         "bytes after the nearest allocation of size 64 bytes");
  row(SMALL - 16, 0);
  expect("before an allocation", load_global, &op, 8, FAULT_ILLEGAL_ADDRESS,
         "out-of-bounds", 8,
         "lane 3: read of 4 bytes at 0x1000000501f0 is out of bounds, 16 bytes "
         "before the nearest allocation of size 64 bytes");
  row(0, 0);
  expect("a null pointer", load_generic, &op, ~0u, FAULT_ILLEGAL_ADDRESS,
         "out-of-bounds", ~0u,
         "lane 0: read of 4 bytes at 0x0 is out of bounds: no allocation "
         "is near; is the pointer set?");
  row(FIRST - 4, 4);
  expect("a row that begins too early", load_global, &op, ~0u,
         FAULT_ILLEGAL_ADDRESS, "out-of-bounds", 1,
         "lane 0: read of 4 bytes at 0x10000000fffc is out of bounds, 4 bytes "
         "before the nearest allocation of size 262144 bytes");
  row(FIRST + 128, 4);
  addresses()[7] += 2;
  expect("a misaligned lane", load_global, &op, ~0u, FAULT_MISALIGNED,
         "misaligned-address", 1u << 7,
         "lane 7: read of 4 bytes at 0x10000001009e is misaligned: the address "
         "is no multiple of 4");
  row(FIRST + 2, 4);
  expect("a misaligned row", store_global, &op, ~0u, FAULT_MISALIGNED,
         "misaligned-address", ~0u,
         "lane 0: write of 4 bytes at 0x100000010002 is misaligned: the "
         "address is no multiple of 4");
  op = access_op(4, 4, 4, false);
  row(FIRST + 4, 16);
  expect("a vector is aligned as a whole", load_global, &op, ~0u,
         FAULT_MISALIGNED, "misaligned-address", ~0u,
         "lane 0: read of 16 bytes at 0x100000010004 is misaligned: the "
         "address is no multiple of 16");
}

static void check_more_global_faults(void) {
  fresh();
  struct op op = access_op(4, 1, 4, false);
  row(FIXED, 4);
  expect("a store to read-only memory", store_global, &op, 0xf0u,
         FAULT_ILLEGAL_ADDRESS, "read-only", 0xf0,
         "lane 4: write of 4 bytes at 0x100000050610, which is read-only "
         "memory");
  row(FIXED, 4);
  load_global(&warp, &op, ~0u);
  memset(&counters, 0, sizeof counters);
  expect("also when it was read before", store_global, &op, ~0u,
         FAULT_ILLEGAL_ADDRESS, "read-only", ~0u,
         "lane 0: write of 4 bytes at 0x100000050600, which is read-only "
         "memory");
  regions[1].size = 4;
  regions[1].base += 8;
  op = access_op(8, 1, 8, false);
  row(SMALL + 8, 0);
  expect("past the end from inside", load_global, &op, 2, FAULT_ILLEGAL_ADDRESS,
         "out-of-bounds", 2,
         "lane 1: read of 8 bytes at 0x100000050208 runs past the end of its "
         "allocation of size 4 bytes");
  op = access_op(4, 1, 4, false);
  row(FIRST, 4);
  block.region_count = 0;
  expect("no memory at all", load_global, &op, 1, FAULT_ILLEGAL_ADDRESS,
         "out-of-bounds", 1,
         "lane 0: read of 4 bytes at 0x100000010000 is out of bounds: there is "
         "no allocation");
  row(FIRST, 0x7bdef7bdef7bdef8ULL); /* 31 steps of it are 8 */
  struct op wild = access_op(8, 1, 8, false);
  tap_ok(!load_global(&warp, &wild, ~0u) && fault.lanes == 0x7ffffffeu,
         "steps that wrap around are no row");
  fresh();
  row(UINT64_MAX - 7, 8);
  tap_ok(!load_global(&warp, &wild, ~0u) && fault.lanes == ~0u,
         "addresses that wrap around are out of bounds");
}

static void check_other_faults(void) {
  fresh();
  struct op op = access_op(4, 1, 4, false);
  op.a = NARROW;
  op.flags = 0;
  row(SHARED_BYTES - 8, 4);
  expect("past shared memory", store_shared, &op, ~0u, FAULT_ILLEGAL_ADDRESS,
         "shared-out-of-bounds", 0xfffffffcu,
         "lane 2: write of 4 bytes at shared offset 0x10000 is out of bounds: "
         "65536 bytes are there");
  row(SHARED_BYTES, 4);
  expect("one lane past shared memory", load_shared, &op, 0x20,
         FAULT_ILLEGAL_ADDRESS, "shared-out-of-bounds", 0x20,
         "lane 5: read of 4 bytes at shared offset 0x10014 is out of bounds: "
         "65536 bytes are there");
  row(6, 4);
  expect("misaligned in shared memory", load_shared, &op, ~0u, FAULT_MISALIGNED,
         "misaligned-address", ~0u,
         "lane 0: read of 4 bytes at 0x6 is misaligned: the address is no "
         "multiple of 4");
  row(LOCAL_BYTES, 0);
  expect("past local memory", load_local, &op, ~0u, FAULT_ILLEGAL_ADDRESS,
         "local-out-of-bounds", ~0u,
         "lane 0: read of 4 bytes at local offset 0x40 is out of bounds: 64 "
         "bytes are there");
  row(PARAM_BYTES, 0);
  expect("past the parameters", load_param, &op, 1, FAULT_ILLEGAL_ADDRESS,
         "param-out-of-bounds", 1,
         "lane 0: read of 4 bytes at parameter offset 0x28 is out of bounds: "
         "40 bytes are there");
  struct op generic = access_op(4, 1, 4, false);
  row(SHARED_WINDOW + SHARED_BYTES, 4);
  expect("past shared memory through its window", load_generic, &generic, ~0u,
         FAULT_ILLEGAL_ADDRESS, "shared-out-of-bounds", ~0u,
         "lane 0: read of 4 bytes at shared offset 0x10000 is out of bounds: "
         "65536 bytes are there");
  row(PARAM_WINDOW, 4);
  expect("a store to the parameters", store_generic, &generic, 3,
         FAULT_ILLEGAL_ADDRESS, "read-only", 3,
         "lane 0: write of 4 bytes at 0x0, which is read-only memory");
  row(LOCAL_WINDOW, 4);
  expect("an atomic on local memory", atomic_generic, &generic, 6,
         FAULT_ILLEGAL_ADDRESS, "atomic-on-local", 6,
         "lane 1: an atomic on local or parameter memory");
  block.shared_size = 0;
  row(0, 4);
  expect("no shared memory at all", load_shared, &op, ~0u,
         FAULT_ILLEGAL_ADDRESS, "shared-out-of-bounds", ~0u,
         "lane 0: read of 4 bytes at shared offset 0x0 is out of bounds: 0 "
         "bytes are there");
}

static struct op atomic_op(enum atomic what, enum ptx_type type,
                           uint32_t bytes) {
  struct op op = access_op(bytes, 1, bytes, false);
  op.variant = (uint8_t)what;
  op.type = (uint8_t)type;
  op.flags |= MEMORY_READS | MEMORY_WRITES | MEMORY_ATOMIC;
  op.d = VALUE;
  op.b = OPERAND;
  op.c = EXTRA;
  return op;
}

struct sample {
  enum atomic what;
  enum ptx_type type;
  uint32_t bytes;
  uint64_t old, b, c, now, now_shared;
};

static void check_sample(const struct sample *s, bool is_shared) {
  fresh();
  struct op op = atomic_op(s->what, s->type, s->bytes);
  row(is_shared ? 64 : FIRST + 64, 8);
  unsigned char *host = (is_shared ? shared : global) + 64;
  memcpy(host, &s->old, s->bytes);
  memcpy(regs + OPERAND, &s->b, s->bytes);
  memcpy(regs + EXTRA, &s->c, s->bytes);
  bool good =
      is_shared ? atomic_shared(&warp, &op, 1) : atomic_global(&warp, &op, 1);
  uint64_t now = 0;
  memcpy(&now, host, s->bytes);
  tap_ok(good && now == (is_shared ? s->now_shared : s->now) &&
             lane_value(VALUE, s->bytes, 0) == s->old,
         "atomic %d on %s of type %d: 0x%" PRIx64 " with 0x%" PRIx64
         " is 0x%" PRIx64,
         s->what, is_shared ? "shared" : "global", s->type, s->old, s->b, now);
}

#define BOTH(x) x, x

static void check_atomic_values(void) {
  static const struct sample samples[] = {
      {ATOMIC_ADD, PTX_U32, 4, 0xffffffff, 2, 0, BOTH(1)},
      {ATOMIC_ADD, PTX_S32, 4, 0x7fffffff, 1, 0, BOTH(0x80000000)},
      {ATOMIC_ADD, PTX_U64, 8, ~0ULL, 3, 0, BOTH(2)},
      {ATOMIC_ADD, PTX_F32, 4, 0x3f800000, 0x40000000, 0, BOTH(0x40400000)},
      {ATOMIC_ADD, PTX_F32, 4, 0x00000001, 0x00000001, 0, 0, 2},
      {ATOMIC_ADD, PTX_F32, 4, 0x80000001, 0x80000001, 0, 0x80000000,
       0x80000002},
      {ATOMIC_ADD, PTX_F32, 4, 0x00800001, 0x80800000, 0, 0, 1},
      {ATOMIC_ADD, PTX_F32, 4, 0x80800001, 0x00800000, 0, 0x80000000,
       0x80000001},
      {ATOMIC_ADD, PTX_F32, 4, 0x00800000, 1, 0, 0x00800000, 0x00800001},
      {ATOMIC_ADD, PTX_F32, 4, 1, 0x00800000, 0, 0x00800000, 0x00800001},
      {ATOMIC_ADD, PTX_F32, 4, 0x7f800000, 0xff800000, 0, BOTH(0x7fffffff)},
      {ATOMIC_ADD, PTX_F32, 4, 0xffc12345, 0x3f800000, 0, BOTH(0x7fffffff)},
      {ATOMIC_ADD, PTX_F32, 4, 0x4b800000, 0x3f800000, 0, BOTH(0x4b800000)},
      {ATOMIC_ADD, PTX_F32, 4, 0x4b800001, 0x3f800000, 0, BOTH(0x4b800002)},
      {ATOMIC_ADD, PTX_F64, 8, 0x3ff0000000000000, 0x4000000000000000, 0,
       BOTH(0x4008000000000000)},
      {ATOMIC_ADD, PTX_F64, 8, 1, 1, 0, BOTH(2)},
      /* as an H200 does it: global, shared */
      {ATOMIC_ADD, PTX_F64, 8, 0x7ff0000000000000, 0xfff0000000000000, 0,
       BOTH(0xfff8000000000000)},
      {ATOMIC_ADD, PTX_F64, 8, 0, 0x7ff0000000012345, 0, 0x7ff0000000012345,
       0x7ff8000000012345},
      {ATOMIC_ADD, PTX_F64, 8, 0xfff4000000000001, 0, 0, 0xfff4000000000001,
       0xfffc000000000001},
      {ATOMIC_ADD, PTX_F64, 8, 0x7ff8000000000000, 0xfff8000000012345, 0,
       0xfff8000000012345, 0x7ff8000000000000},
      {ATOMIC_MIN, PTX_U32, 4, 0xffffffff, 1, 0, BOTH(1)},
      {ATOMIC_MIN, PTX_S32, 4, 0xffffffff, 1, 0, BOTH(0xffffffff)},
      {ATOMIC_MAX, PTX_U32, 4, 0xffffffff, 1, 0, BOTH(0xffffffff)},
      {ATOMIC_MAX, PTX_S32, 4, 0xffffffff, 1, 0, BOTH(1)},
      {ATOMIC_MIN, PTX_U64, 8, ~0ULL, 1, 0, BOTH(1)},
      {ATOMIC_MIN, PTX_S64, 8, ~0ULL, 1, 0, BOTH(~0ULL)},
      {ATOMIC_MAX, PTX_U64, 8, ~0ULL, 1, 0, BOTH(~0ULL)},
      {ATOMIC_MAX, PTX_S64, 8, ~0ULL, 1, 0, BOTH(1)},
      {ATOMIC_AND, PTX_B32, 4, 0xff00ff00, 0x0ff00ff0, 0, BOTH(0x0f000f00)},
      {ATOMIC_OR, PTX_B32, 4, 0xff00ff00, 0x0ff00ff0, 0, BOTH(0xfff0fff0)},
      {ATOMIC_XOR, PTX_B64, 8, 0xff00ff0000000001, 1, 0,
       BOTH(0xff00ff0000000000)},
      {ATOMIC_EXCH, PTX_B64, 8, 5, 0x123456789abcdef0, 0,
       BOTH(0x123456789abcdef0)},
      {ATOMIC_CAS, PTX_B32, 4, 5, 5, 9, BOTH(9)},
      {ATOMIC_CAS, PTX_B32, 4, 5, 6, 9, BOTH(5)},
      {ATOMIC_CAS, PTX_B16, 2, 0xfffe, 0xfffe, 9, BOTH(9)},
      {ATOMIC_CAS, PTX_B64, 8, ~0ULL, ~0ULL, 9, BOTH(9)},
      {ATOMIC_INC, PTX_U32, 4, 6, 7, 0, BOTH(7)},
      {ATOMIC_INC, PTX_U32, 4, 7, 7, 0, BOTH(0)},
      {ATOMIC_INC, PTX_U32, 4, 8, 7, 0, BOTH(0)},
      {ATOMIC_INC, PTX_U32, 4, 0xffffffff, 0xffffffff, 0, BOTH(0)},
      {ATOMIC_DEC, PTX_U32, 4, 0, 7, 0, BOTH(7)},
      {ATOMIC_DEC, PTX_U32, 4, 9, 7, 0, BOTH(7)},
      {ATOMIC_DEC, PTX_U32, 4, 7, 7, 0, BOTH(6)}};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    check_sample(&samples[i], false);
    check_sample(&samples[i], true);
  }
}

static void check_atomic_lanes(void) {
  fresh();
  struct op op = atomic_op(ATOMIC_ADD, PTX_U32, 4);
  row(FIRST, 0);
  memset(global, 0, 4);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t one = lane + 1;
    memcpy(regs + OPERAND + 4 * lane, &one, 4);
  }
  bool good = atomic_global(&warp, &op, 0xfffffffdu);
  uint32_t sum = 0;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    good &= lane_value(VALUE, 4, (int)lane) == (lane == 1 ? 0xa5a5a5a5u : sum);
    sum += lane == 1 ? 0 : lane + 1;
  }
  memcpy(&sum, global, 4);
  tap_ok(good && sum == 528 - 2, "lanes come in ascending order");
  op.flags &= (uint8_t)~MEMORY_READS; /* red */
  memset(regs + VALUE, 0xa5, 256);
  good = atomic_global(&warp, &op, ~0u);
  memcpy(&sum, global, 4);
  tap_ok(good && sum == 2 * 528 - 2 && lane_value(VALUE, 4, 0) == 0xa5a5a5a5u,
         "red returns nothing");
  op.flags |= MEMORY_READS;
  op.d = OPERAND;
  good = atomic_global(&warp, &op, 1);
  tap_ok(good && lane_value(OPERAND, 4, 0) == 2 * 528 - 2,
         "the result may replace the operand");
  fresh();
  for (int lane = 0; lane < LANES; lane++)
    addresses()[lane] = lane & 1 ? SHARED_WINDOW + 8 : FIRST + 8;
  memset(global + 8, 0, 4);
  memset(shared + 8, 0, 4);
  op = atomic_op(ATOMIC_INC, PTX_U32, 4);
  good = atomic_generic(&warp, &op, ~0u);
  uint32_t there = 0;
  memcpy(&sum, global + 8, 4);
  memcpy(&there, shared + 8, 4);
  tap_ok(good && sum == 16 && there == 16, "a generic atomic finds its space");
}

int main(void) {
  check_values();
  check_card();
  check_card_loads();
  check_counting();
  check_param_local();
  check_spaces_mixed();
  check_global_faults();
  check_more_global_faults();
  check_other_faults();
  check_atomic_values();
  check_atomic_lanes();
  return tap_done();
}
