/* Moving elements between registers and host memory. */
#include <string.h>

#include "moves.h"

typedef void move(unsigned char *slot, unsigned char *const *host, size_t at,
                  uint32_t mask);

#define LOAD(name, memory, wide)                                               \
  static void name(unsigned char *slot, unsigned char *const *host, size_t at, \
                   uint32_t mask) {                                            \
    wide *lanes = (wide *)(void *)slot;                                        \
    for (; mask; mask &= mask - 1) {                                           \
      int lane = __builtin_ctz(mask);                                          \
      memory value;                                                            \
      memcpy(&value, host[lane] + at, sizeof value);                           \
      lanes[lane] = (wide)value;                                               \
    }                                                                          \
  }

LOAD(load_8_16, uint8_t, uint16_t)
LOAD(load_8_32, uint8_t, uint32_t)
LOAD(load_8_64, uint8_t, uint64_t)
LOAD(load_s8_16, int8_t, uint16_t)
LOAD(load_s8_32, int8_t, uint32_t)
LOAD(load_s8_64, int8_t, uint64_t)
LOAD(load_16_16, uint16_t, uint16_t)
LOAD(load_16_32, uint16_t, uint32_t)
LOAD(load_16_64, uint16_t, uint64_t)
LOAD(load_s16_32, int16_t, uint32_t)
LOAD(load_s16_64, int16_t, uint64_t)
LOAD(load_32_32, uint32_t, uint32_t)
LOAD(load_32_64, uint32_t, uint64_t)
LOAD(load_s32_64, int32_t, uint64_t)
LOAD(load_64_64, uint64_t, uint64_t)

#define STORE(name, memory, wide)                                              \
  static void name(unsigned char *slot, unsigned char *const *host, size_t at, \
                   uint32_t mask) {                                            \
    const wide *lanes = (const wide *)(const void *)slot;                      \
    for (; mask; mask &= mask - 1) {                                           \
      int lane = __builtin_ctz(mask);                                          \
      memory value = (memory)lanes[lane];                                      \
      memcpy(host[lane] + at, &value, sizeof value);                           \
    }                                                                          \
  }

STORE(store_8_16, uint8_t, uint16_t)
STORE(store_8_32, uint8_t, uint32_t)
STORE(store_8_64, uint8_t, uint64_t)
STORE(store_16_16, uint16_t, uint16_t)
STORE(store_16_32, uint16_t, uint32_t)
STORE(store_16_64, uint16_t, uint64_t)
STORE(store_32_32, uint32_t, uint32_t)
STORE(store_32_64, uint32_t, uint64_t)
STORE(store_64_64, uint64_t, uint64_t)

static uint8_t log_of(uint32_t bytes) { return (uint8_t)__builtin_ctz(bytes); }

uint8_t load_move(uint32_t bytes, uint32_t slot, bool is_signed) {
  bool extend = is_signed && bytes < slot;
  return (uint8_t)(log_of(bytes) | log_of(slot) << 2 | extend << 4);
}

uint8_t store_move(uint32_t bytes, uint32_t slot) {
  return load_move(bytes, slot, false);
}

enum { TO_16 = 1 << 2, TO_32 = 2 << 2, TO_64 = 3 << 2, SIGNED = 1 << 4 };
enum { MOVE_8, MOVE_16, MOVE_32, MOVE_64, MOVES = 32 };

static move *const load_moves[MOVES] = {
    [MOVE_8 | TO_16] = load_8_16,
    [MOVE_8 | TO_32] = load_8_32,
    [MOVE_8 | TO_64] = load_8_64,
    [MOVE_8 | TO_16 | SIGNED] = load_s8_16,
    [MOVE_8 | TO_32 | SIGNED] = load_s8_32,
    [MOVE_8 | TO_64 | SIGNED] = load_s8_64,
    [MOVE_16 | TO_16] = load_16_16,
    [MOVE_16 | TO_32] = load_16_32,
    [MOVE_16 | TO_64] = load_16_64,
    [MOVE_16 | TO_32 | SIGNED] = load_s16_32,
    [MOVE_16 | TO_64 | SIGNED] = load_s16_64,
    [MOVE_32 | TO_32] = load_32_32,
    [MOVE_32 | TO_64] = load_32_64,
    [MOVE_32 | TO_64 | SIGNED] = load_s32_64,
    [MOVE_64 | TO_64] = load_64_64,
};

static move *const store_moves[MOVES] = {
    [MOVE_8 | TO_16] = store_8_16,   [MOVE_8 | TO_32] = store_8_32,
    [MOVE_8 | TO_64] = store_8_64,   [MOVE_16 | TO_16] = store_16_16,
    [MOVE_16 | TO_32] = store_16_32, [MOVE_16 | TO_64] = store_16_64,
    [MOVE_32 | TO_32] = store_32_32, [MOVE_32 | TO_64] = store_32_64,
    [MOVE_64 | TO_64] = store_64_64,
};

static inline void load_columns(unsigned char *regs, const struct op *op,
                                const unsigned char *from, uint32_t elements) {
  uint32_t table[LANES * 4];
  memcpy(table, from, (size_t)LANES * elements * 4);
  for (uint32_t e = 0; e < elements; e++) {
    uint32_t *lanes = (uint32_t *)(void *)(regs + op->vector[e]);
    for (uint32_t i = 0; i < LANES; i++)
      lanes[i] = table[i * elements + e];
  }
}

static inline void store_columns(const unsigned char *regs, const struct op *op,
                                 unsigned char *to, uint32_t elements) {
  uint32_t table[LANES * 4];
  for (uint32_t e = 0; e < elements; e++) {
    const unsigned char *slot = regs + op->vector[e];
    const uint32_t *lanes = (const uint32_t *)(const void *)slot;
    for (uint32_t i = 0; i < LANES; i++)
      table[i * elements + e] = lanes[i];
  }
  memcpy(to, table, (size_t)LANES * elements * 4);
}

static bool is_image(const struct op *op, const struct reach *reach) {
  return reach->even && reach->stride == op->width &&
         (op->elements == 1 || reach->lanes == LANES) &&
         op->variant == (uint8_t)(log_of(op->bytes) | log_of(op->bytes) << 2);
}

static inline void copy_row(unsigned char *to, const unsigned char *from,
                            uint32_t lanes, uint32_t bytes) {
  if (lanes == LANES && bytes == 4)
    memcpy(to, from, (size_t)LANES * 4);
  else if (lanes == LANES && bytes == 8)
    memcpy(to, from, (size_t)LANES * 8);
  else if (bytes == 4)
    for (uint32_t i = 0; i < lanes; i++)
      memcpy(to + 4 * (size_t)i, from + 4 * (size_t)i, 4);
  else
    memcpy(to, from, (size_t)lanes * bytes);
}

static bool load_image(unsigned char *regs, const struct op *op,
                       const unsigned char *from, uint32_t lanes) {
  if (op->elements == 1)
    copy_row(regs + op->vector[0], from, lanes, op->bytes);
  else if (op->elements == 4 && op->bytes == 4)
    load_columns(regs, op, from, 4);
  else if (op->elements == 2 && op->bytes == 4)
    load_columns(regs, op, from, 2);
  else
    return false;
  return true;
}

static bool store_image(const unsigned char *regs, const struct op *op,
                        unsigned char *to, uint32_t lanes) {
  if (op->elements == 1)
    copy_row(to, regs + op->vector[0], lanes, op->bytes);
  else if (op->elements == 4 && op->bytes == 4)
    store_columns(regs, op, to, 4);
  else if (op->elements == 2 && op->bytes == 4)
    store_columns(regs, op, to, 2);
  else
    return false;
  return true;
}

#define FILL(name, word)                                                       \
  static void name(unsigned char *slot) {                                      \
    word *lanes = (word *)(void *)slot, first = lanes[0];                      \
    for (int i = 0; i < LANES; i++)                                            \
      lanes[i] = first;                                                        \
  }

FILL(fill_16, uint16_t)
FILL(fill_32, uint32_t)
FILL(fill_64, uint64_t)

void fill_lanes(unsigned char *slot, uint32_t bytes) {
  if (bytes == 4)
    fill_32(slot);
  else if (bytes == 8)
    fill_64(slot);
  else
    fill_16(slot);
}

void load_elements(unsigned char *regs, const struct op *op, uint32_t mask,
                   struct reach *reach) {
  if (is_image(op, reach) && load_image(regs, op, reach->first, reach->lanes))
    return;
  bool same = reach->even && reach->stride == 0 && reach->lanes == LANES;
  uint32_t log = op->variant >> 2 & 3; /* of the register's bytes */
  mask = same ? 1 : mask;
  reach_spread(reach, mask);
  for (uint32_t i = 0; i < op->elements; i++) {
    unsigned char *slot = regs + op->vector[i];
    load_moves[op->variant](slot, reach->host, (size_t)i * op->bytes, mask);
    if (same)
      fill_lanes(slot, 1u << log);
  }
}

void store_elements(unsigned char *regs, const struct op *op, uint32_t mask,
                    struct reach *reach) {
  if (is_image(op, reach) && store_image(regs, op, reach->first, reach->lanes))
    return;
  reach_spread(reach, mask);
  for (uint32_t i = 0; i < op->elements; i++)
    store_moves[op->variant](regs + op->vector[i], reach->host,
                             (size_t)i * op->bytes, mask);
}
