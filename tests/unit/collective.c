/* Chapter 14: shuffles, votes, matches and reductions. Against what an H200
 * did, against the PTX ISA's pseudo-code, and against known mistakes. */
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "collective.h"
#include "redux.h"
#include "shuffle.h"
#include "sim.h"
#include "vote.h"

enum { REGISTERS = 12, PREDICATES = 8 };

/* A warp with registers 0 to 11 of 64 bits a lane, predicates 0 to 7. */
struct machine {
  _Alignas(64) unsigned char file[64 + REGISTERS * 8 * LANES];
  struct counters counters;
  struct warp warp;
};

static uint32_t slot(int number) { return 64 + (uint32_t)number * 8 * LANES; }
static uint32_t predicate(int number) { return 4 + 4 * (uint32_t)number; }

static void machine_start(struct machine *machine) {
  memset(machine, 0, sizeof *machine);
  machine->warp.regs = machine->file;
  machine->warp.counters = &machine->counters;
  machine->warp.exists = UINT32_MAX;
}

static uint32_t *reg(struct machine *machine, int number) {
  return (uint32_t *)(void *)(machine->file + slot(number));
}
static uint64_t *wide(struct machine *machine, int number) {
  return (uint64_t *)(void *)(machine->file + slot(number));
}
static uint32_t *pred(struct machine *machine, int number) {
  return (uint32_t *)(void *)(machine->file + predicate(number));
}

/* d, e | a, b, c are numbers of registers, or of predicates where the
 * instruction has predicates there. */
static struct op shuffle_op(enum shuffle_mode mode, int d, int e, int a, int b,
                            int c) {
  return (struct op){.kind = OP_COLLECTIVE,
                     .variant = COLLECTIVE_SHUFFLE,
                     .flags = (uint8_t)mode,
                     .type = PTX_B32,
                     .d = slot(d),
                     .e = predicate(e),
                     .a = slot(a),
                     .b = slot(b),
                     .c = slot(c)};
}

static struct op other_op(enum collective_family family, int which,
                          enum ptx_type type, uint32_t d, uint32_t a) {
  return (struct op){.kind = OP_COLLECTIVE,
                     .variant = (uint8_t)family,
                     .flags = (uint8_t)which,
                     .type = (uint8_t)type,
                     .d = d,
                     .e = predicate(7),
                     .a = a};
}

static void meet_one(struct machine *machine, const struct op *op,
                     uint32_t lanes) {
  struct arrival arrival = {.op = op, .lanes = lanes};
  collective_meet(&machine->warp, &arrival, 1, lanes);
}

/* The pseudo-code of the PTX ISA, with its own names, for one lane. */
static uint32_t reference_lane(enum shuffle_mode mode, uint32_t lane,
                               uint32_t b, uint32_t c, bool *p) {
  int bval = (int)(b & 31), cval = (int)(c & 31), mask = (int)(c >> 8 & 31);
  int maxLane = ((int)lane & mask) | (cval & ~mask);
  int minLane = (int)lane & mask;
  int j = 0;
  if (mode == SHUFFLE_UP) {
    j = (int)lane - bval;
    *p = j >= maxLane;
  } else if (mode == SHUFFLE_DOWN) {
    j = (int)lane + bval;
    *p = j <= maxLane;
  } else if (mode == SHUFFLE_BFLY) {
    j = (int)lane ^ bval;
    *p = j <= maxLane;
  } else {
    j = minLane | (bval & ~mask);
    *p = j <= maxLane;
  }
  return *p ? (uint32_t)j : lane;
}

/* ---- What the H200 did ---- */

struct recorded {
  unsigned mode, mask;
  uint32_t a[LANES], b[LANES], c[LANES], d[LANES], p[LANES];
};

static bool read_recorded(FILE *file, struct recorded *line) {
  unsigned index;
  if (fscanf(file, "%u %u %x", &index, &line->mode, &line->mask) != 3)
    return false;
  for (int i = 0; i < LANES; i++)
    if (fscanf(file, "%x %x %x %x %x", &line->a[i], &line->b[i], &line->c[i],
               &line->d[i], &line->p[i]) != 5)
      return false;
  return true;
}

struct tally {
  uint32_t lines, compared, skipped, wrong;
  uint32_t lines_of[10];
};

/* Registers: 0 a, 1 b, 2 c, 3 d, 4 p; 5 to 9 the same for a second arrival. */
enum { A, B, C, D, P, SECOND };

static void load_operands(struct machine *machine, const struct recorded *line,
                          bool swap) {
  machine_start(machine);
  for (int half = 0; half <= SECOND; half += SECOND) {
    memcpy(reg(machine, half + A), line->a, sizeof line->a);
    memcpy(reg(machine, half + B), line->b, sizeof line->b);
    memcpy(reg(machine, half + C), line->c, sizeof line->c);
  }
  for (int i = 0; i < LANES && swap; i++) { /* spoil what must not be read */
    int spoiled = i & 1 ? A : SECOND + A;
    reg(machine, spoiled)[i] ^= 0x5a5a5a5a;
  }
}

/* Runs `op` for the lanes of `mask`: as one arrival, or even and odd lanes as
 * two, the odd ones with registers five further on and predicates two. */
static void run_recorded(struct machine *machine, struct op op, uint32_t mask,
                         bool split, bool predicates_in) {
  struct op second = op;
  second.d += op.d < 64 ? 8 : SECOND * 8 * LANES;
  second.e += 8;
  second.a += predicates_in ? 8 : SECOND * 8 * LANES;
  second.b += SECOND * 8 * LANES;
  second.c += SECOND * 8 * LANES;
  struct arrival arrivals[2] = {{&op, mask}, {&second, 0}};
  if (split) {
    arrivals[0].lanes = mask & 0x55555555;
    arrivals[1].lanes = mask & 0xaaaaaaaa;
  }
  collective_meet(&machine->warp, arrivals, split ? 2 : 1, mask);
}

static uint32_t result(struct machine *machine, int number, int lane,
                       bool split) {
  return reg(machine, number + (split && lane & 1 ? SECOND : 0))[lane];
}
static uint32_t result_bit(struct machine *machine, int number, int lane,
                           bool split) {
  return *pred(machine, number + (split && lane & 1 ? 2 : 0)) >> lane & 1;
}

static void judge_lane(struct tally *tally, const struct recorded *line,
                       int lane, uint32_t d, uint32_t p) {
  tally->compared++;
  bool wrong = d != line->d[lane] || p != line->p[lane];
  tally->wrong += wrong;
  if (wrong && tally->wrong < 5)
    printf("# mode %u mask %08x lane %d: d %08x for %08x, p %x for %x\n",
           line->mode, line->mask, lane, d, line->d[lane], p, line->p[lane]);
}

static void judge_shuffle(struct tally *tally, const struct recorded *line,
                          bool split) {
  struct machine machine;
  load_operands(&machine, line, split);
  run_recorded(&machine, shuffle_op(line->mode, D, 0, A, B, C), line->mask,
               split, false);
  for (int lane = 0; lane < LANES; lane++) {
    if (!(line->mask >> lane & 1))
      continue;
    bool p;
    uint32_t from = reference_lane(line->mode, (uint32_t)lane, line->b[lane],
                                   line->c[lane], &p);
    if (line->mask >> from & 1)
      judge_lane(tally, line, lane, result(&machine, D, lane, split),
                 result_bit(&machine, 0, lane, split));
    else
      tally->skipped++;
  }
}

/* Ballot, any and all of a & 1; any and all give p = any | all << 1. */
static void judge_vote(struct tally *tally, const struct recorded *line,
                       bool split) {
  struct machine machine;
  load_operands(&machine, line, false);
  for (int lane = 0; lane < LANES; lane++) {
    uint32_t bit = (line->a[lane] & 1) << lane;
    for (int number = 0; number <= 2; number += 2) /* outside: all ones */
      *pred(&machine, number) |= line->mask >> lane & 1 ? bit : 1u << lane;
  }
  if (split) { /* spoil what must not be read */
    *pred(&machine, 0) ^= 0xaaaaaaaa;
    *pred(&machine, 2) ^= 0x55555555;
  }
  run_recorded(&machine,
               other_op(COLLECTIVE_BALLOT, 0, PTX_PRED, slot(D), predicate(0)),
               line->mask, split, true);
  uint32_t bits[2][LANES];
  for (int question = VOTE_ALL; question <= VOTE_ANY; question++) {
    run_recorded(&machine,
                 other_op(COLLECTIVE_VOTE, question, PTX_PRED, predicate(4),
                          predicate(0)),
                 line->mask, split, true);
    for (int lane = 0; lane < LANES; lane++)
      bits[question][lane] = result_bit(&machine, 4, lane, split);
  }
  for (int lane = 0; lane < LANES; lane++)
    if (line->mask >> lane & 1)
      judge_lane(tally, line, lane, result(&machine, D, lane, split),
                 bits[VOTE_ANY][lane] | bits[VOTE_ALL][lane] << 1);
}

/* match.any of a & 3; match.all of a >> 31, p = its value * 2 + predicate. */
static void judge_match(struct tally *tally, const struct recorded *line,
                        bool split) {
  struct machine machine;
  load_operands(&machine, line, false);
  for (int lane = 0; lane < LANES; lane++)
    for (int half = 0; half <= SECOND; half += SECOND) {
      reg(&machine, half + B)[lane] = line->a[lane] & 3;
      reg(&machine, half + C)[lane] = line->a[lane] >> 31;
    }
  run_recorded(&machine,
               other_op(COLLECTIVE_MATCH_ANY, 0, PTX_B32, slot(D), slot(B)),
               line->mask, split, false);
  struct op all = other_op(COLLECTIVE_MATCH_ALL, 0, PTX_B32, slot(P), slot(C));
  all.e = predicate(0);
  run_recorded(&machine, all, line->mask, split, false);
  for (int lane = 0; lane < LANES; lane++)
    if (line->mask >> lane & 1)
      judge_lane(tally, line, lane, result(&machine, D, lane, split),
                 result(&machine, P, lane, split) * 2 +
                     result_bit(&machine, 0, lane, split));
}

/* Two reductions: of register A to D and of register B to P. */
static void judge_redux(struct tally *tally, const struct recorded *line,
                        bool split) {
  static const struct {
    enum redux_operation which;
    enum ptx_type type;
  } of_mode[3][2] = {{{REDUX_ADD, PTX_U32}, {REDUX_XOR, PTX_B32}},
                     {{REDUX_MIN, PTX_S32}, {REDUX_MAX, PTX_U32}},
                     {{REDUX_AND, PTX_B32}, {REDUX_OR, PTX_B32}}};
  struct machine machine;
  load_operands(&machine, line, false);
  for (int lane = 0; lane < LANES; lane++)
    for (int half = 0; half <= SECOND; half += SECOND) {
      uint32_t a = line->a[lane], b = line->b[lane];
      reg(&machine, half + A)[lane] = line->mode == 8 ? a | b : a;
      reg(&machine, half + B)[lane] = line->mode == 8 ? a & b : a;
    }
  for (int i = 0; i < 2; i++)
    run_recorded(&machine,
                 other_op(COLLECTIVE_REDUX, of_mode[line->mode - 6][i].which,
                          of_mode[line->mode - 6][i].type, slot(i ? P : D),
                          slot(i ? B : A)),
                 line->mask, split, false);
  for (int lane = 0; lane < LANES; lane++)
    if (line->mask >> lane & 1)
      judge_lane(tally, line, lane, result(&machine, D, lane, split),
                 result(&machine, P, lane, split));
}

/* activemask, and again inside `if (a & 1)`. */
static void judge_activemask(struct tally *tally, const struct recorded *line) {
  struct machine machine;
  load_operands(&machine, line, false);
  uint32_t odd = 0;
  for (int lane = 0; lane < LANES; lane++)
    odd |= (line->a[lane] & 1) << lane;
  struct op op = {.kind = OP_WARP, .d = slot(D)};
  collective_activemask(&machine.warp, &op, line->mask);
  op.d = slot(P);
  if (odd & line->mask)
    collective_activemask(&machine.warp, &op, odd & line->mask);
  for (int lane = 0; lane < LANES; lane++)
    if (line->mask >> lane & 1)
      judge_lane(tally, line, lane, reg(&machine, D)[lane],
                 reg(&machine, P)[lane]);
}

static void judge(struct tally *tally, const struct recorded *line,
                  bool split) {
  tally->lines++;
  tally->lines_of[line->mode]++;
  if (line->mode < 4)
    judge_shuffle(tally, line, split);
  else if (line->mode == 4)
    judge_vote(tally, line, split);
  else if (line->mode == 5)
    judge_match(tally, line, split);
  else if (line->mode < 9)
    judge_redux(tally, line, split);
  else
    judge_activemask(tally, line);
}

static void test_recorded(void) {
  FILE *file = popen("gzip -dc tests/hardware/collectives-h200.txt.gz", "r");
  static struct recorded line;
  struct tally tally[2] = {{0}, {0}};
  while (file && read_recorded(file, &line) && line.mode < 10)
    for (int split = 0; split < 2; split++)
      judge(&tally[split], &line, split);
  tap_ok(file && pclose(file) == 0, "the recorded file is read to its end");
  for (int split = 0; split < 2; split++) {
    const char *how = split ? "even and odd lanes at two places" : "together";
    tap_is_u64(tally[split].lines, 2080, "H200: 2080 warps, %s", how);
    bool even = true;
    for (int mode = 0; mode < 10; mode++)
      even = even && tally[split].lines_of[mode] == 208;
    tap_ok(even, "H200: 208 warps of each of ten modes, %s", how);
    tap_is_u64(tally[split].compared, 50541,
               "H200: lanes with a defined value, %s", how);
    tap_is_u64(tally[split].skipped, 1459,
               "H200: lanes that read outside the mask are not compared, %s",
               how);
    tap_is_u64(tally[split].wrong, 0, "H200: d and p agree in every lane, %s",
               how);
  }
}

/* ---- The pseudo-code, and corners of it ---- */

static uint32_t random_next(void) { /* xorshift, the same in every run */
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static void test_plan(void) {
  uint32_t wrong = 0, b[LANES], c[LANES], from[LANES];
  for (int mode = SHUFFLE_UP; mode <= SHUFFLE_IDX; mode++)
    for (uint32_t round = 0; round < 32 * 1024; round++) {
      for (int lane = 0; lane < LANES; lane++) {
        b[lane] = round % 32;
        c[lane] = (round / 32 % 32) | (round / 1024) << 8;
      }
      uint32_t inside = shuffle_plan(mode, b, c, from);
      for (uint32_t lane = 0; lane < LANES; lane++) {
        bool p;
        uint32_t j = reference_lane(mode, lane, b[lane], c[lane], &p);
        wrong += j != from[lane] || p != (inside >> lane & 1);
      }
    }
  tap_is_u64(wrong, 0, "every mode, b, clamp and segment is the pseudo-code");
}

static void test_move(void) {
  uint32_t wrong = 0, a[LANES], from[LANES], d[LANES];
  for (int round = 0; round < 1000; round++) {
    for (int lane = 0; lane < LANES; lane++) {
      a[lane] = random_next();
      from[lane] = random_next() % LANES;
    }
    shuffle_move(a, from, d);
    for (int lane = 0; lane < LANES; lane++)
      wrong += d[lane] != a[from[lane]];
  }
  tap_is_u64(wrong, 0, "a move takes each value from the lane of the plan");
}

/* What one lane reads, and its predicate, with the same b and c everywhere. */
struct corner {
  const char *name;
  enum shuffle_mode mode;
  uint32_t b, c, lane, from;
  bool p;
};

static const struct corner corners[] = {
    {"down off the top: its own value", SHUFFLE_DOWN, 16, 0x1f, 31, 31, false},
    {"down in range", SHUFFLE_DOWN, 16, 0x1f, 15, 31, true},
    {"down by 32 is down by 0", SHUFFLE_DOWN, 32, 0x1f, 3, 3, true},
    {"down stops at the segment", SHUFFLE_DOWN, 4, 0x181f, 13, 13, false},
    {"down inside the segment", SHUFFLE_DOWN, 4, 0x181f, 11, 15, true},
    {"down heeds the clamp", SHUFFLE_DOWN, 1, 0x0f, 15, 15, false},
    {"up off the bottom: its own value", SHUFFLE_UP, 1, 0, 0, 0, false},
    {"up below zero is no lane", SHUFFLE_UP, 31, 0, 30, 30, false},
    {"up in range", SHUFFLE_UP, 31, 0, 31, 0, true},
    {"up stops at the segment", SHUFFLE_UP, 1, 0x1800, 8, 8, false},
    {"up inside the segment", SHUFFLE_UP, 1, 0x1800, 9, 8, true},
    {"up with clamp 31 reads itself", SHUFFLE_UP, 1, 0x1f, 20, 20, false},
    {"up by 0 with clamp 31, lane 31", SHUFFLE_UP, 0, 0x1f, 31, 31, true},
    {"idx 40 is lane 8", SHUFFLE_IDX, 40, 0x1f, 0, 8, true},
    {"idx within its segment", SHUFFLE_IDX, 3, 0x181f, 21, 19, true},
    {"idx drops bits of the segment", SHUFFLE_IDX, 11, 0x181f, 21, 19, true},
    {"idx above the clamp", SHUFFLE_IDX, 9, 0x07, 2, 2, false},
    {"bfly within the warp", SHUFFLE_BFLY, 16, 0x1f, 5, 21, true},
    {"bfly into an earlier segment", SHUFFLE_BFLY, 16, 0x181f, 16, 0, true},
    {"bfly into a later segment", SHUFFLE_BFLY, 16, 0x181f, 0, 0, false},
    {"high bits of b and c are ignored", SHUFFLE_BFLY, 0xffffff01, 0xffffe01f,
     4, 5, true},
};

static void test_corners(void) {
  for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
    const struct corner *corner = &corners[i];
    struct machine machine;
    machine_start(&machine);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      reg(&machine, A)[lane] = 100 + lane;
      reg(&machine, B)[lane] = corner->b;
      reg(&machine, C)[lane] = corner->c;
    }
    struct op op = shuffle_op(corner->mode, D, 0, A, B, C);
    meet_one(&machine, &op, UINT32_MAX);
    bool p = *pred(&machine, 0) >> corner->lane & 1;
    uint32_t d = reg(&machine, D)[corner->lane];
    if (!tap_ok(d == 100 + corner->from && p == corner->p, "%s", corner->name))
      printf("# lane %u: d %u, p %d\n", corner->lane, d, p);
  }
}

/* The table of chapter 14: b is 3, the first of four groups of 8. */
static void test_table(void) {
  static const struct {
    uint32_t c, inside, from[8];
  } rows[] = {
      [SHUFFLE_UP] = {0x1800, 0xf8, {0, 1, 2, 0, 1, 2, 3, 4}},
      [SHUFFLE_DOWN] = {0x181f, 0x1f, {3, 4, 5, 6, 7, 5, 6, 7}},
      [SHUFFLE_BFLY] = {0x181f, 0xff, {3, 2, 1, 0, 7, 6, 5, 4}},
      [SHUFFLE_IDX] = {0x181f, 0xff, {3, 3, 3, 3, 3, 3, 3, 3}},
  };
  for (int mode = SHUFFLE_UP; mode <= SHUFFLE_IDX; mode++) {
    uint32_t b[LANES], c[LANES], from[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      b[lane] = 3;
      c[lane] = rows[mode].c;
    }
    uint32_t inside = shuffle_plan(mode, b, c, from);
    tap_ok((inside & 0xff) == rows[mode].inside &&
               memcmp(from, rows[mode].from, sizeof rows[mode].from) == 0,
           "row %d of the book's table", mode);
  }
}

/* Two arrivals, registers drawn from a few so that they often overlap. */
static void fill_randomly(struct machine *machine) {
  machine_start(machine);
  for (size_t i = 64; i < sizeof machine->file; i += 4) {
    uint32_t bits = random_next();
    memcpy(machine->file + i, &bits, sizeof bits);
  }
  for (int i = 0; i < PREDICATES; i++)
    *pred(machine, i) = random_next();
}

static int draw(int count) { return (int)(random_next() % (unsigned)count); }

/* What the machine should be after the meeting, from `before`. */
static void expect_shuffle(struct machine *after, struct machine *before,
                           const struct arrival *arrivals, int count) {
  uint32_t come = 0;
  const struct op *of_lane[LANES] = {0};
  for (int i = 0; i < count; i++) {
    come |= arrivals[i].lanes;
    for (int lane = 0; lane < LANES; lane++)
      if (arrivals[i].lanes >> lane & 1)
        of_lane[lane] = arrivals[i].op;
  }
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const struct op *op = of_lane[lane];
    if (!op)
      continue;
    bool p;
    uint32_t b, c, value = 0;
    memcpy(&b, before->file + op->b + 4 * lane, sizeof b);
    memcpy(&c, before->file + op->c + 4 * lane, sizeof c);
    uint32_t j = reference_lane(op->flags, lane, b, c, &p);
    if (come >> j & 1)
      memcpy(&value, before->file + of_lane[j]->a + 4 * j, sizeof value);
    memcpy(after->file + op->d + 4 * lane, &value, sizeof value);
    uint32_t bits;
    memcpy(&bits, after->file + op->e, sizeof bits);
    bits = (bits & ~(1u << lane)) | (uint32_t)p << lane;
    memcpy(after->file + op->e, &bits, sizeof bits);
  }
}

static void test_two_arrivals(void) {
  static struct machine machine, before, expected;
  uint32_t wrong = 0;
  for (int round = 0; round < 20000; round++) {
    fill_randomly(&machine);
    int mode = draw(4);
    struct op ops[2];
    for (int i = 0; i < 2; i++)
      ops[i] = shuffle_op(mode, draw(4), draw(2), draw(4), draw(4), draw(4));
    uint32_t mask = round % 3 ? random_next() : UINT32_MAX;
    uint32_t side = round % 5 ? random_next() : UINT32_MAX;
    struct arrival arrivals[2] = {{&ops[0], mask & side},
                                  {&ops[1], mask & ~side}};
    int count = arrivals[1].lanes ? 2 : 1;
    before = expected = machine;
    expect_shuffle(&expected, &before, arrivals, count);
    collective_meet(&machine.warp, arrivals, (uint32_t)count, mask);
    wrong += memcmp(machine.file, expected.file, sizeof machine.file) != 0;
  }
  tap_is_u64(wrong, 0, "20000 meetings of two shuffles that share registers");
}

/* ---- One test for each mistake that other simulators made ---- */

static void test_reads_first(void) {
  struct machine machine;
  for (int mode = SHUFFLE_UP; mode <= SHUFFLE_DOWN; mode++) {
    machine_start(&machine);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      reg(&machine, A)[lane] = lane;
      reg(&machine, B)[lane] = 1;
      reg(&machine, C)[lane] = mode == SHUFFLE_UP ? 0 : 31;
    }
    struct op op = shuffle_op(mode, A, 0, A, B, C);
    meet_one(&machine, &op, UINT32_MAX);
    uint32_t wrong = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
      uint32_t want = mode == SHUFFLE_UP ? (lane ? lane - 1 : 0)
                                         : (lane < 31 ? lane + 1 : 31);
      wrong += reg(&machine, A)[lane] != want;
    }
    tap_is_u64(wrong, 0, "%s: the destination may be the source",
               mode == SHUFFLE_UP ? "up" : "down");
  }
}

static void test_partial(void) {
  struct machine machine;
  machine_start(&machine);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    reg(&machine, A)[lane] = 100 + lane;
    reg(&machine, B)[lane] = 4;
    reg(&machine, C)[lane] = 31;
    reg(&machine, D)[lane] = 7;
  }
  *pred(&machine, 0) = 0xa5a5a5a5;
  struct op op = shuffle_op(SHUFFLE_DOWN, D, 0, A, B, C);
  meet_one(&machine, &op, 0xff);
  tap_is_u64(reg(&machine, D)[3], 107, "a lane of the mask is read");
  tap_is_u64(reg(&machine, D)[4], 0, "a lane that has not come gives 0");
  tap_is_u64(reg(&machine, D)[8], 7, "a lane outside keeps its register");
  tap_is_u64(*pred(&machine, 0), 0xa5a5a5ff,
             "p is a matter of range, and set in the lanes that came");
}

static void test_votes(void) {
  tap_ok(vote_ask(VOTE_ALL, 0xff, 0xff), "all: every member");
  tap_ok(!vote_ask(VOTE_ALL, 0xfe, 0xff), "all: one member says no");
  tap_ok(vote_ask(VOTE_ALL, 0x0f, 0x05), "all: others do not matter");
  tap_ok(!vote_ask(VOTE_ANY, 0xf0, 0x0f), "any: others do not count");
  tap_ok(vote_ask(VOTE_ANY, 0x80000000, UINT32_MAX), "any: lane 31 will do");
  tap_ok(vote_ask(VOTE_UNI, 0xf0, 0x0f), "uni: all say no");
  tap_ok(vote_ask(VOTE_UNI, 0x0f, 0x0f), "uni: all say yes");
  tap_ok(!vote_ask(VOTE_UNI, 0x07, 0x0f), "uni: they differ");
  struct machine machine;
  machine_start(&machine);
  *pred(&machine, 0) = 0xffff0ff0;
  struct op op =
      other_op(COLLECTIVE_BALLOT, 0, PTX_PRED, slot(D), predicate(0));
  struct arrival arrival = {.op = &op, .lanes = 0xff};
  collective_meet(&machine.warp, &arrival, 1, 0x3f);
  tap_is_u64(reg(&machine, D)[0], 0x30,
             "ballot: lanes outside mask or meeting put 0 in it");
  tap_is_u64(reg(&machine, D)[7], 0x30,
             "ballot: a caller outside the mask is no voter");
  tap_is_u64(reg(&machine, D)[8], 0, "ballot: no one else gets it");
  op =
      other_op(COLLECTIVE_VOTE, VOTE_ALL, PTX_PRED, predicate(1), predicate(0));
  arrival.lanes = 0xff0;
  collective_meet(&machine.warp, &arrival, 1, UINT32_MAX);
  tap_is_u64(*pred(&machine, 1), 0xff0, "all: of those that came");
  op =
      other_op(COLLECTIVE_VOTE, VOTE_ALL, PTX_PRED, predicate(0), predicate(0));
  meet_one(&machine, &op, 0xff0);
  tap_is_u64(*pred(&machine, 0), 0xffff0ff0, "a vote may overwrite its source");
}

static void test_match(void) {
  struct machine machine;
  machine_start(&machine);
  for (uint32_t lane = 0; lane < LANES; lane++)
    wide(&machine, A)[lane] = (uint64_t)(lane & 1) << 40 | 5;
  struct op op = other_op(COLLECTIVE_MATCH_ANY, 0, PTX_B64, slot(D), slot(A));
  meet_one(&machine, &op, 0xffff);
  tap_is_u64(reg(&machine, D)[0], 0x5555, "match.any compares 64 bits");
  tap_is_u64(reg(&machine, D)[15], 0xaaaa, "match.any: the others agree too");
  tap_is_u64(reg(&machine, D)[16], 0, "match.any: not for lanes outside");
  op = other_op(COLLECTIVE_MATCH_ALL, 0, PTX_B64, slot(D), slot(A));
  op.e = predicate(0);
  meet_one(&machine, &op, 0xffff);
  tap_is_u64(reg(&machine, D)[3], 0, "match.all: 0 where they differ");
  tap_is_u64(*pred(&machine, 0), 0, "match.all: and the predicate is false");
  meet_one(&machine, &op, 0x5555);
  tap_is_u64(reg(&machine, D)[2], 0x5555,
             "match.all: the mask where all agree");
  tap_is_u64(*pred(&machine, 0), 0x5555,
             "match.all: and the predicate is true");
}

static void test_redux(void) {
  uint32_t value[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++)
    value[lane] = lane - 16;
  static const struct {
    const char *name;
    enum redux_operation operation;
    bool is_signed;
    uint32_t members, want;
  } cases[] = {
      {"add", REDUX_ADD, false, UINT32_MAX, (uint32_t)-16},
      {"add of three", REDUX_ADD, true, 7, (uint32_t)-45},
      {"min.s32", REDUX_MIN, true, UINT32_MAX, (uint32_t)-16},
      {"min.u32", REDUX_MIN, false, UINT32_MAX, 0},
      {"max.s32", REDUX_MAX, true, UINT32_MAX, 15},
      {"max.u32", REDUX_MAX, false, UINT32_MAX, UINT32_MAX},
      {"max.s32 of negatives", REDUX_MAX, true, 0xff, (uint32_t)-9},
      {"min.u32 of a few", REDUX_MIN, false, 0xff000000, 8},
      {"and", REDUX_AND, false, 0xc000, (uint32_t)-2},
      {"or", REDUX_OR, false, 0x60000, 3},
      {"xor", REDUX_XOR, false, 0x60000, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    tap_is_u64(redux_fold(cases[i].operation, cases[i].is_signed, value,
                          cases[i].members),
               cases[i].want, "redux %s", cases[i].name);
  for (uint32_t lane = 0; lane < LANES; lane++)
    value[lane] = 0xf0000000;
  tap_is_u64(redux_fold(REDUX_ADD, false, value, UINT32_MAX), 0,
             "redux add wraps at 32 bits");
}

static void test_redux_fuzz(void) {
  uint32_t wrong = 0, value[LANES];
  for (int round = 0; round < 5000; round++) {
    uint32_t members = random_next() | 1u << draw(32);
    for (int lane = 0; lane < LANES; lane++)
      value[lane] = random_next() >> draw(32);
    int64_t low = INT64_MAX, high = INT64_MIN;
    uint32_t sum = 0, all = UINT32_MAX, any = 0, odd = 0;
    for (int lane = 0; lane < LANES; lane++) {
      if (!(members >> lane & 1))
        continue;
      int64_t x = (int32_t)value[lane];
      low = x < low ? x : low;
      high = x > high ? x : high;
      sum += value[lane];
      all &= value[lane];
      any |= value[lane];
      odd ^= value[lane];
    }
    wrong += redux_fold(REDUX_MIN, true, value, members) != (uint32_t)low;
    wrong += redux_fold(REDUX_MAX, true, value, members) != (uint32_t)high;
    wrong += redux_fold(REDUX_ADD, true, value, members) != sum;
    wrong += redux_fold(REDUX_AND, false, value, members) != all;
    wrong += redux_fold(REDUX_OR, false, value, members) != any;
    wrong += redux_fold(REDUX_XOR, false, value, members) != odd;
  }
  tap_is_u64(wrong, 0, "redux: 5000 random warps and masks");
}

static void test_same(void) {
  struct op down = shuffle_op(SHUFFLE_DOWN, D, 0, A, B, C);
  struct op also = shuffle_op(SHUFFLE_DOWN, A, 3, D, C, B);
  struct op up = shuffle_op(SHUFFLE_UP, D, 0, A, B, C);
  struct op add =
      other_op(COLLECTIVE_REDUX, REDUX_ADD, PTX_U32, slot(D), slot(A));
  struct op signed_add = add, wide_match, match, ballot, lanes = down;
  signed_add.type = PTX_S32;
  match = other_op(COLLECTIVE_MATCH_ANY, 0, PTX_B32, slot(D), slot(A));
  wide_match = match;
  wide_match.type = PTX_B64;
  ballot = other_op(COLLECTIVE_BALLOT, 0, PTX_PRED, slot(D), predicate(0));
  lanes.kind = OP_LANES;
  tap_ok(collective_same(&down, &also), "registers may differ");
  tap_ok(!collective_same(&down, &up), "modes may not");
  tap_ok(!collective_same(&add, &signed_add), "types may not");
  tap_ok(!collective_same(&match, &wide_match), "widths may not");
  tap_ok(!collective_same(&ballot, &match), "families may not");
  tap_ok(!collective_same(&down, &lanes), "only collectives meet");
}

static void test_counters(void) {
  struct machine machine;
  machine_start(&machine);
  struct op ops[] = {
      shuffle_op(SHUFFLE_IDX, D, 0, A, B, C),
      other_op(COLLECTIVE_VOTE, VOTE_UNI, PTX_PRED, predicate(1), predicate(0)),
      other_op(COLLECTIVE_BALLOT, 0, PTX_PRED, slot(D), predicate(0)),
      other_op(COLLECTIVE_MATCH_ANY, 0, PTX_B32, slot(D), slot(A)),
      other_op(COLLECTIVE_MATCH_ALL, 0, PTX_B32, slot(D), slot(A)),
      other_op(COLLECTIVE_REDUX, REDUX_OR, PTX_B32, slot(D), slot(A)),
      other_op(COLLECTIVE_WARP_SYNC, 0, PTX_NO_TYPE, 0, 0),
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    struct arrival arrivals[2] = {{&ops[i], 0xffff}, {&ops[i], 0xffff0000}};
    collective_meet(&machine.warp, arrivals, 2, UINT32_MAX);
    meet_one(&machine, &ops[i], UINT32_MAX);
  }
  tap_is_u64(machine.counters.shuffles, 3, "shuffles: one an arrival");
  tap_is_u64(machine.counters.votes, 6, "votes: ballots too, matches not");
  tap_is_u64(machine.counters.reduxes, 3, "reduxes: one an arrival");
  tap_is_u64(machine.counters.barriers, 0, "bar.warp.sync is no barrier");
  tap_is_u64(*reg(&machine, 0), 0, "bar.warp.sync writes nothing");
}

int main(void) {
  test_recorded();
  test_plan();
  test_move();
  test_corners();
  test_table();
  test_two_arrivals();
  test_reads_first();
  test_partial();
  test_votes();
  test_match();
  test_redux();
  test_redux_fuzz();
  test_same();
  test_counters();
  return tap_done();
}
