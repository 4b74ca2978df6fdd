/* The shadow of shared memory. */
#include "race.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct mark { /* an access that is remembered */
  const struct op *op;
  uint32_t time;      /* of its warp's own clock */
  uint32_t lane_time; /* of its warp's count of warp synchronisations */
  uint8_t warp, lane;
  uint8_t bytes; /* of the word, a bit a byte; 0 = no access */
  bool atomic;
  bool valued;    /* a write of 4 or 8 bytes, so that */
  uint32_t value; /* what it wrote to this word is known */
};

struct cell {
  struct mark write, read, other_read; /* other: of another warp than read */
};

struct lane_order { /* of one warp: when did two lanes last synchronise? */
  uint32_t now;
  uint32_t all;                /* the last time all lanes did */
  uint32_t pair[LANES][LANES]; /* the last time these two did */
};

struct race {
  uint32_t words;
  struct cell *cells;
  uint32_t clock[MAX_WARPS][MAX_WARPS]; /* [w][v]: what w knows of v's time */
  uint32_t published[MAX_WARPS];        /* what all have published at fences */
  struct lane_order order[MAX_WARPS];
};

struct race *race_create(uint64_t bytes) {
  struct race *race = calloc(1, sizeof *race);
  if (!race)
    return NULL;
  race->words = (uint32_t)((bytes + 3) / 4);
  race->cells = calloc(race->words + 1, sizeof *race->cells);
  if (!race->cells) {
    free(race);
    return NULL;
  }
  return race;
}

void race_free(struct race *race) {
  if (race)
    free(race->cells);
  free(race);
}

/* Adds to a clock all that another one knows. */
static void join(uint32_t *clock, const uint32_t *other) {
  for (uint32_t v = 0; v < MAX_WARPS; v++)
    if (other[v] > clock[v])
      clock[v] = other[v];
}

void race_barrier(struct race *race, uint32_t warps) {
  uint32_t joined[MAX_WARPS] = {0};
  for (uint32_t w = 0; w < MAX_WARPS; w++)
    if (warps >> w & 1)
      join(joined, race->clock[w]);
  for (uint32_t w = 0; w < MAX_WARPS; w++) {
    if (!(warps >> w & 1))
      continue;
    memcpy(race->clock[w], joined, sizeof joined);
    race->clock[w][w]++;
    race_warp_sync(race, w, ~0u);
  }
}

void race_start(struct race *race) { race_barrier(race, ~0u); }

void race_warp_sync(struct race *race, uint32_t warp, uint32_t lanes) {
  struct lane_order *order = &race->order[warp];
  order->now++;
  if (lanes == ~0u) {
    order->all = order->now;
    return;
  }
  for (uint32_t i = 0; i < LANES; i++)
    for (uint32_t k = 0; k < LANES; k++)
      if (lanes >> i & 1 && lanes >> k & 1)
        order->pair[i][k] = order->now;
}

/* A fence or an atomic publishes all that the warp knows, and learns all that
 * others have published. That orders more than PTX promises: it can hide a
 * race, but not accuse a program that hands data over with a flag. */
static void race_fence(struct race *race, uint32_t warp) {
  uint32_t *clock = race->clock[warp];
  join(race->published, clock);
  memcpy(clock, race->published, sizeof race->published);
  clock[warp]++;
  race_warp_sync(race, warp, ~0u);
}

/* True where the marked access is ordered before one by this lane, now. */
static bool ordered(const struct race *race, const struct mark *mark,
                    const struct warp *warp, uint32_t lane) {
  if (mark->warp != warp->index)
    return race->clock[warp->index][mark->warp] >= mark->time;
  if (mark->lane == lane)
    return true;
  const struct lane_order *order = &race->order[mark->warp];
  return order->all > mark->lane_time ||
         order->pair[mark->lane][lane] > mark->lane_time;
}

static const char *verb(const struct op *op) {
  return op->access & ACCESS_READ    ? "reads"
         : op->access & ACCESS_WRITE ? "writes"
                                     : "updates";
}

static void accuse(const struct mark *mark, const struct warp *warp,
                   const struct op *op, uint32_t lane, uint32_t word) {
  finding_add(warp, op, 1u << lane, "shared-race",
              "warp %u lane %u %s the shared word at byte %u here; warp %u "
              "lane %u %s it at PTX line %u, and no barrier orders the two",
              warp->index, lane, verb(op), 4 * word, mark->warp, mark->lane,
              verb(mark->op), mark->op->source->line);
}

/* Two plain writes that agree, or whose values are not known. */
static bool harmless(const struct mark *mark, const struct mark *now) {
  if (!(mark->op->access & now->op->access & ACCESS_WRITE))
    return false;
  return !mark->valued || !now->valued || mark->value == now->value;
}

static void compare(const struct race *race, const struct mark *mark,
                    const struct mark *now, const struct warp *warp,
                    uint32_t word) {
  if (!(mark->bytes & now->bytes) || (mark->atomic && now->atomic))
    return;
  if (harmless(mark, now))
    return;
  if (!ordered(race, mark, warp, now->lane))
    accuse(mark, warp, now->op, now->lane, word);
}

static void touch(const struct race *race, const struct warp *warp,
                  uint32_t word, const struct mark *now) {
  struct cell *cell = &race->cells[word];
  compare(race, &cell->write, now, warp, word);
  if (now->op->access & ACCESS_READ) {
    if (cell->read.bytes && cell->read.warp != now->warp)
      cell->other_read = cell->read;
    cell->read = *now;
    return;
  }
  compare(race, &cell->read, now, warp, word);
  compare(race, &cell->other_read, now, warp, word);
  cell->write = *now;
}

/* What a lane writes to the word that lies `past` bytes into its write. */
static void value_of(struct mark *mark, const struct warp *warp, uint32_t lane,
                     uint64_t past) {
  const struct op *op = mark->op;
  mark->valued = op->access & ACCESS_WRITE && op->elements == 1 &&
                 (op->width == 4 || op->width == 8) && past % 4 == 0;
  if (mark->valued)
    memcpy(&mark->value,
           warp->regs + op->vector[0] + (size_t)op->width * lane + past, 4);
}

static void touch_all(const struct race *race, const struct warp *warp,
                      const struct op *op, uint32_t mask) {
  struct mark now = {.op = op,
                     .time = race->clock[warp->index][warp->index],
                     .lane_time = race->order[warp->index].now,
                     .warp = (uint8_t)warp->index,
                     .atomic = op->access & (ACCESS_ATOMIC | ACCESS_STRONG)};
  uint64_t address[LANES];
  uint64_t window = op->space == PTX_GENERIC ? SHARED_WINDOW : 0;
  memory_addresses(warp, op, mask, address);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!(mask >> lane & 1))
      continue;
    uint64_t first = address[lane] - window;
    if (first + op->width > 4ULL * race->words)
      continue; /* not shared memory, or out of bounds: a fault follows */
    now.lane = (uint8_t)lane;
    for (uint64_t at = first; at < first + op->width; at = (at / 4 + 1) * 4) {
      uint64_t end = first + op->width - at / 4 * 4;
      uint32_t upto = end < 4 ? (1u << end) - 1 : 0xf;
      now.bytes = (uint8_t)(upto & (0xfu << at % 4));
      value_of(&now, warp, lane, at - first);
      touch(race, warp, (uint32_t)(at / 4), &now);
    }
  }
}

void race_access(struct race *race, const struct warp *warp,
                 const struct op *op, uint32_t mask) {
  if (op->access != ACCESS_FENCE)
    touch_all(race, warp, op, mask);
  if (op->access & (ACCESS_FENCE | ACCESS_ATOMIC))
    race_fence(race, warp->index);
}
