/* Counting sectors and shared-memory wavefronts. */
#include <string.h>

#include "sectors.h"

enum { SET_SLOTS = 256, SET_ROOM = 96 };

struct set {
  uint8_t slot[SET_SLOTS]; /* 0, or one more than an index into key */
  uint32_t count;
  uint64_t key[SET_ROOM];
};

static void set_clear(struct set *set) {
  memset(set->slot, 0, sizeof set->slot);
  set->count = 0;
}

static void set_add(struct set *set, uint64_t key) {
  uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15ULL) >> 56);
  while (set->slot[at]) {
    if (set->key[set->slot[at] - 1] == key)
      return;
    at = (at + 1) % SET_SLOTS;
  }
  set->key[set->count++] = key;
  set->slot[at] = (uint8_t)set->count;
}

static void find_span(const uint64_t *address, uint32_t mask, uint32_t width,
                      uint64_t *low, uint64_t *high) {
  uint64_t any = address[__builtin_ctz(mask)];
  uint64_t least = any, most = any;
  for (uint32_t i = 0; i < 32; i++) {
    uint64_t one = mask >> i & 1 ? address[i] : any;
    least = one < least ? one : least;
    most = one > most ? one : most;
  }
  *low = least;
  *high = most + width - 1;
}

static uint32_t count_in_word(const uint64_t *address, uint32_t mask,
                              uint32_t width, uint64_t base) {
  uint64_t any = address[__builtin_ctz(mask)], map = 0;
  for (uint32_t i = 0; i < 32; i++) {
    uint64_t one = mask >> i & 1 ? address[i] : any;
    map |= 1ULL << (one / SECTOR_BYTES - base);
    map |= 1ULL << ((one + width - 1) / SECTOR_BYTES - base);
  }
  return (uint32_t)__builtin_popcountll(map);
}

static bool walk_in_order(const uint64_t *address, uint32_t mask,
                          uint32_t width, uint32_t *count) {
  uint64_t next = 0; /* the first sector not counted yet */
  *count = 0;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    uint64_t low = address[lane] / SECTOR_BYTES;
    uint64_t high = (address[lane] + width - 1) / SECTOR_BYTES;
    if (low + 1 < next)
      return false;
    if (high >= next) {
      *count += (uint32_t)(high - (low > next ? low : next)) + 1;
      next = high + 1;
    }
  }
  return true;
}

enum { MAP_BITS = 256 };

static uint32_t count_in_map(const uint64_t *address, uint32_t mask,
                             uint32_t width, uint64_t base) {
  uint64_t map[MAP_BITS / 64] = {0};
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    uint64_t low = address[lane] / SECTOR_BYTES - base;
    uint64_t high = (address[lane] + width - 1) / SECTOR_BYTES - base;
    map[low / 64] |= 1ULL << (low % 64);
    map[high / 64] |= 1ULL << (high % 64);
  }
  uint32_t count = 0;
  for (int i = 0; i < MAP_BITS / 64; i++)
    count += (uint32_t)__builtin_popcountll(map[i]);
  return count;
}

static uint32_t count_in_set(const uint64_t *address, uint32_t mask,
                             uint32_t width) {
  struct set set;
  set_clear(&set);
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    set_add(&set, address[lane] / SECTOR_BYTES);
    set_add(&set, (address[lane] + width - 1) / SECTOR_BYTES);
  }
  return set.count;
}

uint32_t sectors_touched(const uint64_t address[32], uint32_t mask,
                         uint32_t width) {
  if (!mask)
    return 0;
  uint64_t low, high;
  find_span(address, mask, width, &low, &high);
  low /= SECTOR_BYTES;
  uint64_t span = high / SECTOR_BYTES - low;
  uint32_t count;
  if (span < 64)
    return count_in_word(address, mask, width, low);
  if (walk_in_order(address, mask, width, &count))
    return count;
  if (span < MAP_BITS)
    return count_in_map(address, mask, width, low);
  return count_in_set(address, mask, width);
}

static uint32_t group_lanes(uint32_t width) {
  return width <= 4 ? 32 : width <= 8 ? 16 : 8;
}

static uint32_t group_mask(uint32_t mask, uint32_t lanes, uint32_t first) {
  uint32_t all = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
  return mask & (all << first);
}

uint32_t sectors_groups(uint32_t mask, uint32_t width) {
  uint32_t lanes = group_lanes(width), count = 0;
  for (uint32_t first = 0; first < 32; first += lanes)
    count += group_mask(mask, lanes, first) != 0;
  return count;
}

enum { ROW_BYTES = BANKS * BANK_BYTES, ROWS = 64 };

static uint32_t busiest_in_map(const uint64_t *address, uint32_t mask,
                               uint32_t width, uint64_t base) {
  uint64_t column[BANKS] = {0};
  for (; mask; mask &= mask - 1) {
    uint64_t first = address[__builtin_ctz(mask)];
    uint64_t word = first / BANK_BYTES - base * BANKS;
    uint64_t last = (first + width - 1) / BANK_BYTES - base * BANKS;
    for (; word <= last; word++)
      column[word % BANKS] |= 1ULL << (word / BANKS);
  }
  uint32_t most = 0;
  for (int bank = 0; bank < BANKS; bank++) {
    uint32_t words = (uint32_t)__builtin_popcountll(column[bank]);
    most = words > most ? words : most;
  }
  return most;
}

static uint32_t busiest_in_set(const uint64_t *address, uint32_t mask,
                               uint32_t width) {
  struct set set;
  set_clear(&set);
  for (; mask; mask &= mask - 1) {
    uint64_t first = address[__builtin_ctz(mask)];
    uint64_t last = (first + width - 1) / BANK_BYTES;
    for (uint64_t word = first / BANK_BYTES; word <= last; word++)
      set_add(&set, word);
  }
  uint32_t words[BANKS] = {0}, most = 0;
  for (uint32_t i = 0; i < set.count; i++) {
    uint32_t in_bank = ++words[set.key[i] % BANKS];
    most = in_bank > most ? in_bank : most;
  }
  return most;
}

static uint32_t busiest(const uint64_t *address, uint32_t group,
                        uint32_t width) {
  uint64_t low, high;
  find_span(address, group, width, &low, &high);
  low /= ROW_BYTES;
  if (high / ROW_BYTES - low < ROWS)
    return busiest_in_map(address, group, width, low);
  return busiest_in_set(address, group, width);
}

static bool banks_differ(const uint64_t *address, uint32_t mask,
                         uint32_t width) {
  uint32_t banks = 0, straddles = 0;
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t at = (uint32_t)address[i], bit = mask >> i & 1;
    banks |= bit << (at / BANK_BYTES % BANKS);
    straddles |= bit & (at % BANK_BYTES + width > BANK_BYTES);
  }
  return !straddles && __builtin_popcount(banks) == __builtin_popcount(mask);
}

uint32_t sectors_wavefronts(const uint64_t address[32], uint32_t mask,
                            uint32_t width) {
  if (width <= BANK_BYTES && mask && banks_differ(address, mask, width))
    return 1;
  uint32_t lanes = group_lanes(width), count = 0;
  for (uint32_t first = 0; first < 32; first += lanes) {
    uint32_t group = group_mask(mask, lanes, first);
    if (group)
      count += busiest(address, group, width);
  }
  return count;
}

static bool lanes_pair_up(const uint64_t *address, uint32_t mask, int flip) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest), other = lane ^ flip;
    if (mask >> other & 1 && address[lane] != address[other])
      return false;
  }
  return true;
}

uint32_t sectors_merges(const uint64_t address[32], uint32_t mask,
                        uint32_t width) {
  uint32_t lanes = group_lanes(width), count = 0;
  for (uint32_t first = 0; first + lanes < 32; first += 2 * lanes) {
    uint32_t low = group_mask(mask, lanes, first);
    uint32_t high = group_mask(mask, lanes, first + lanes);
    count += low && high &&
             (lanes_pair_up(address, low | high, 1) ||
              lanes_pair_up(address, low | high, 2)) &&
             busiest(address, low | high, width) == 1;
  }
  return count;
}

uint32_t sectors_touched_evenly(uint64_t first, uint64_t step, uint32_t width,
                                uint32_t lanes) {
  uint64_t steps = lanes - 1;
  if (step >> 63) { /* count from the other end */
    first += steps * step;
    step = -step;
  }
  if (step > SECTOR_BYTES)
    return lanes;
  uint64_t last = first + steps * step + width - 1;
  return (uint32_t)(last / SECTOR_BYTES - first / SECTOR_BYTES) + 1;
}

uint32_t sectors_wavefronts_evenly(uint64_t step, uint32_t width,
                                   uint32_t lanes) {
  if (step == 0 || step == width)
    return sectors_groups(UINT32_MAX >> (32 - lanes), width);
  if (width > BANK_BYTES || step % BANK_BYTES || lanes < 32)
    return 0;
  uint64_t words = step / BANK_BYTES;
  uint64_t divisor = words & -words;
  return divisor < BANKS ? (uint32_t)divisor : BANKS;
}
