/* Sectors and wavefronts: the pure functions against an H200's counters, and
 * against a slow and obvious count. */
#include <stdlib.h>
#include <string.h>

#include "../hardware/sectors.h"
#include "sectors.h"
#include "tap.h"

/* The obvious counts: a list of what was seen, searched from the start. */
static uint32_t distinct(const uint64_t *list, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool before = false;
    for (uint32_t k = 0; k < i; k++)
      before |= list[k] == list[i];
    found += !before;
  }
  return found;
}

static uint32_t slow_sectors(const uint64_t *address, uint32_t mask,
                             uint32_t width) {
  uint64_t list[32 * 16];
  uint32_t count = 0;
  for (int lane = 0; lane < 32; lane++)
    for (uint32_t byte = 0; byte < width && mask >> lane & 1; byte++)
      list[count++] = (address[lane] + byte) / 32;
  return distinct(list, count);
}

static uint32_t slow_wavefronts(const uint64_t *address, uint32_t mask,
                                uint32_t width) {
  uint32_t lanes = width <= 4 ? 32 : width <= 8 ? 16 : 8, total = 0;
  for (uint32_t first = 0; first < 32; first += lanes) {
    uint32_t most = 0;
    for (uint64_t bank = 0; bank < 32; bank++) {
      uint64_t list[32 * 16];
      uint32_t count = 0;
      for (uint32_t lane = first; lane < first + lanes; lane++)
        for (uint32_t byte = 0; byte < width && mask >> lane & 1; byte++)
          if ((address[lane] + byte) / 4 % 32 == bank)
            list[count++] = (address[lane] + byte) / 4;
      uint32_t words = distinct(list, count);
      most = words > most ? words : most;
    }
    total += most;
  }
  return total;
}

static void against_the_card(void) {
  static struct pattern patterns[PATTERNS];
  uint32_t count =
      patterns_read("tests/hardware/sectors-h200.csv", patterns, PATTERNS);
  tap_is_u64(count, PATTERNS, "the recorded file has all its patterns");
  for (uint32_t i = 0; i < count; i++) {
    const struct pattern *p = &patterns[i];
    uint64_t shared[32];
    for (int lane = 0; lane < 32; lane++)
      shared[lane] = p->offset[lane] % 32768;
    if (p->load_sectors)
      tap_is_u64(sectors_touched(p->offset, p->mask, p->width), p->load_sectors,
                 "load sectors of pattern %u", p->id);
    tap_is_u64(sectors_touched(p->offset, p->mask, p->width), p->store_sectors,
               "store sectors of pattern %u", p->id);
    tap_is_u64(sectors_wavefronts(shared, p->mask, p->width), p->wavefronts,
               "store wavefronts of pattern %u", p->id);
  }
}

static void against_the_loads(void) {
  static struct pattern patterns[LOAD_PATTERNS];
  uint32_t count =
      patterns_read("tests/hardware/loads-h200.csv", patterns, LOAD_PATTERNS);
  tap_is_u64(count, LOAD_PATTERNS, "the recorded loads have all patterns");
  for (uint32_t i = 0; i < count; i++) {
    const struct pattern *p = &patterns[i];
    uint64_t shared[32];
    for (int lane = 0; lane < 32; lane++)
      shared[lane] = p->offset[lane] % 32768;
    if (p->load_sectors)
      tap_is_u64(sectors_touched(p->offset, p->mask, p->width), p->load_sectors,
                 "load sectors of pattern %u, again", p->id);
    uint32_t wavefronts = sectors_wavefronts(shared, p->mask, p->width) -
                          sectors_merges(shared, p->mask, p->width);
    tap_is_u64(wavefronts - (p->id == UNEXPLAINED), p->wavefronts,
               "load wavefronts of pattern %u", p->id);
  }
}

static uint32_t state = 1;
static uint32_t random_word(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/* Random addresses of every spread, aligned or not, in every order. */
static void against_the_obvious(void) {
  static const uint64_t spreads[] = {8,    64,   200,    1000,    8000,
                                     8192, 9000, 100000, 1 << 22, 1ull << 40};
  uint32_t wrong_sectors = 0, wrong_wavefronts = 0, tries = 0;
  for (int spread = 0; spread < 10; spread++)
    for (uint32_t width = 1; width <= 16; width *= 2)
      for (int repeat = 0; repeat < 60; repeat++) {
        uint64_t address[32];
        uint64_t base = repeat % 3 ? random_word() : 0;
        uint32_t mask = repeat % 2 ? random_word() * 4099u : ~0u;
        for (int lane = 0; lane < 32; lane++) {
          uint64_t at = (uint64_t)random_word() * 65537 % spreads[spread];
          if (repeat % 5 == 1 && lane)
            at = address[lane - 1] - base + at / 32; /* rising */
          address[lane] = base + (repeat % 4 ? at / width * width : at);
        }
        tries++;
        wrong_sectors += sectors_touched(address, mask, width) !=
                         slow_sectors(address, mask, width);
        wrong_wavefronts += sectors_wavefronts(address, mask, width) !=
                            slow_wavefronts(address, mask, width);
      }
  tap_is_u64(wrong_sectors, 0, "sectors agree with a slow count, %u times",
             tries);
  tap_is_u64(wrong_wavefronts, 0,
             "wavefronts agree with a slow count, %u times", tries);
}

static void evenly(void) {
  uint32_t wrong_sectors = 0, wrong_wavefronts = 0, tries = 0;
  for (uint32_t width = 1; width <= 16; width *= 2)
    for (int64_t step = -40; step <= 40; step++)
      for (uint64_t start = 0; start < 8; start++)
        for (uint32_t lanes = 1; lanes <= 32; lanes++) {
          uint64_t first = 4096 + start * width, address[32];
          uint64_t bytes = (uint64_t)(step * (int64_t)width);
          uint32_t mask = ~0u >> (32 - lanes);
          for (uint64_t i = 0; i < 32; i++)
            address[i] = first + i * bytes;
          tries++;
          wrong_sectors += sectors_touched_evenly(first, bytes, width, lanes) !=
                           slow_sectors(address, mask, width);
          uint32_t got = sectors_wavefronts_evenly(bytes, width, lanes);
          wrong_wavefronts +=
              got && got != sectors_wavefronts(address, mask, width);
        }
  tap_is_u64(wrong_sectors, 0, "even steps: sectors agree, %u times", tries);
  tap_is_u64(wrong_wavefronts, 0, "even steps: wavefronts agree, %u times",
             tries);
  tap_is_u64(sectors_wavefronts_evenly(128, 4, 32), 32, "a step of 32 words");
  tap_is_u64(sectors_wavefronts_evenly(132, 4, 32), 1, "a step of 33 words");
  tap_is_u64(sectors_wavefronts_evenly(8, 4, 32), 2, "a step of 2 words");
  tap_is_u64(sectors_wavefronts_evenly(0, 16, 32), 4,
             "a broadcast of 16 bytes");
}

static void by_hand(void) {
  uint64_t address[32];
  memset(address, 0, sizeof address);
  tap_is_u64(sectors_touched(address, ~0u, 4), 1, "address 0 is an address");
  tap_is_u64(sectors_touched(address, 0, 4), 0, "no lanes, no sectors");
  tap_is_u64(sectors_wavefronts(address, 0, 4), 0, "no lanes, no wavefronts");
  tap_is_u64(sectors_wavefronts(address, ~0u, 4), 1,
             "32 lanes at one word: a broadcast, no conflict");
  for (uint64_t i = 0; i < 32; i++)
    address[i] = i * 4;
  tap_is_u64(sectors_touched(address, ~0u, 4), 4, "a line is four sectors");
  tap_is_u64(sectors_touched(address, 1, 4), 1,
             "one lane, one sector, no line");
  tap_is_u64(sectors_touched(address, 0x80000001u, 4), 2, "two lanes, two");
  for (uint64_t i = 0; i < 32; i++)
    address[i] = i * 128;
  tap_is_u64(sectors_wavefronts(address, ~0u, 4), 32, "one bank, 32 words");
  address[5] = 30;
  tap_is_u64(sectors_touched(address, 1u << 5, 4), 2,
             "four bytes at 30 straddle two sectors");
  tap_is_u64(sectors_wavefronts(address, 1u << 5, 4), 1,
             "and two words in two banks, one wavefront");
  tap_is_u64(sectors_groups(~0u, 4), 1, "groups of 32 lanes at 4 bytes");
  tap_is_u64(sectors_groups(~0u, 8), 2, "of 16 at 8");
  tap_is_u64(sectors_groups(~0u, 16), 4, "of 8 at 16");
  tap_is_u64(sectors_groups(0x00ff00ffu, 16), 2,
             "groups without lanes are free");
  memset(address, 0, sizeof address);
  tap_is_u64(sectors_merges(address, ~0u, 4), 0, "4 bytes: nothing to save");
  tap_is_u64(sectors_merges(address, ~0u, 8), 1, "8 bytes to all: one saved");
  tap_is_u64(sectors_merges(address, ~0u, 16), 2, "16 bytes to all: two saved");
  tap_is_u64(sectors_merges(address, 0xffff, 8), 0, "one group alone: none");
  tap_is_u64(sectors_groups(0, 4), 0, "no lanes, no groups");
}

int main(void) {
  against_the_card();
  against_the_loads();
  against_the_obvious();
  evenly();
  by_hand();
  return tap_done();
}
