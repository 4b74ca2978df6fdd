/* Collectives: gather the sources of every arrival, compute, write back. */
#include <string.h>

#include "collective.h"
#include "redux.h"
#include "shuffle.h"
#include "vote.h"

bool collective_same(const struct op *x, const struct op *y) {
  return x->kind == OP_COLLECTIVE && y->kind == OP_COLLECTIVE &&
         x->variant == y->variant && x->flags == y->flags && x->type == y->type;
}

struct meeting {
  struct warp *warp;
  const struct arrival *arrivals;
  uint32_t count;
  uint32_t come;    /* lanes of all arrivals */
  uint32_t members; /* those of them that are in the member mask */
};

enum source { SOURCE_A, SOURCE_B, SOURCE_C };

static uint32_t source_offset(const struct op *op, enum source source) {
  return source == SOURCE_A ? op->a : source == SOURCE_B ? op->b : op->c;
}

static uint32_t *lanes_at(const struct warp *warp, uint32_t offset) {
  return (uint32_t *)(void *)(warp->regs + offset);
}

static void gather(const struct meeting *meeting, enum source source,
                   uint32_t values[LANES]) {
  memset(values, 0, LANES * sizeof *values);
  for (uint32_t i = 0; i < meeting->count; i++) {
    const struct arrival *arrival = &meeting->arrivals[i];
    uint32_t offset = source_offset(arrival->op, source);
    const uint32_t *from = lanes_at(meeting->warp, offset);
    for (uint32_t lane = 0; lane < LANES; lane++)
      values[lane] |= from[lane] & -(arrival->lanes >> lane & 1);
  }
}

static void gather_wide(const struct meeting *meeting, uint64_t values[LANES]) {
  memset(values, 0, LANES * sizeof *values);
  for (uint32_t i = 0; i < meeting->count; i++) {
    const struct arrival *arrival = &meeting->arrivals[i];
    const unsigned char *from = meeting->warp->regs + arrival->op->a;
    size_t bytes = ptx_type_size(arrival->op->type);
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (arrival->lanes >> lane & 1)
        memcpy(&values[lane], from + lane * bytes, bytes);
  }
}

static uint32_t gather_bits(const struct meeting *meeting) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < meeting->count; i++) {
    const struct arrival *arrival = &meeting->arrivals[i];
    bits |= *lanes_at(meeting->warp, arrival->op->a) & arrival->lanes;
  }
  return bits;
}

static void hand_out(const struct meeting *meeting,
                     const uint32_t values[LANES]) {
  for (uint32_t i = 0; i < meeting->count; i++) {
    const struct arrival *arrival = &meeting->arrivals[i];
    uint32_t *to = lanes_at(meeting->warp, arrival->op->d);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      uint32_t in = -(arrival->lanes >> lane & 1);
      to[lane] = (values[lane] & in) | (to[lane] & ~in);
    }
  }
}

static void hand_out_same(const struct meeting *meeting, uint32_t value) {
  for (uint32_t i = 0; i < meeting->count; i++) {
    const struct arrival *arrival = &meeting->arrivals[i];
    uint32_t *to = lanes_at(meeting->warp, arrival->op->d);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      uint32_t in = -(arrival->lanes >> lane & 1);
      to[lane] = (value & in) | (to[lane] & ~in);
    }
  }
}

static void set_bits(const struct meeting *meeting, uint32_t bits,
                     bool second) {
  for (uint32_t i = 0; i < meeting->count; i++) {
    const struct arrival *arrival = &meeting->arrivals[i];
    uint32_t offset = second ? arrival->op->e : arrival->op->d;
    uint32_t *to = lanes_at(meeting->warp, offset);
    *to = (*to & ~arrival->lanes) | (bits & arrival->lanes);
  }
}

static void shuffle(const struct meeting *meeting) {
  uint32_t a[LANES], b[LANES], c[LANES], from[LANES], d[LANES];
  gather(meeting, SOURCE_A, a);
  gather(meeting, SOURCE_B, b);
  gather(meeting, SOURCE_C, c);
  enum shuffle_mode mode = meeting->arrivals->op->flags;
  uint32_t inside = shuffle_plan(mode, b, c, from);
  shuffle_move(a, from, d);
  hand_out(meeting, d);
  set_bits(meeting, inside, true);
}

static void vote(const struct meeting *meeting) {
  uint32_t ballot = gather_bits(meeting);
  enum vote_question question = meeting->arrivals->op->flags;
  bool yes = vote_ask(question, ballot, meeting->members);
  set_bits(meeting, yes ? UINT32_MAX : 0, false);
}

static void match(const struct meeting *meeting, bool all) {
  uint64_t values[LANES];
  uint32_t d[LANES];
  gather_wide(meeting, values);
  if (all) {
    bool yes = match_all(values, meeting->members);
    hand_out_same(meeting, yes ? meeting->members : 0);
    set_bits(meeting, yes ? UINT32_MAX : 0, true);
  } else {
    match_any(values, meeting->members, d);
    hand_out(meeting, d);
  }
}

static void reduce(const struct meeting *meeting) {
  uint32_t values[LANES];
  const struct op *op = meeting->arrivals->op;
  gather(meeting, SOURCE_A, values);
  hand_out_same(meeting, redux_fold(op->flags, op->type == PTX_S32, values,
                                    meeting->members));
}

static void meet(const struct meeting *meeting) {
  struct counters *counters = meeting->warp->counters;
  switch (meeting->arrivals->op->variant) {
  case COLLECTIVE_SHUFFLE:
    counters->shuffles += meeting->count;
    shuffle(meeting);
    break;
  case COLLECTIVE_VOTE:
    counters->votes += meeting->count;
    vote(meeting);
    break;
  case COLLECTIVE_BALLOT:
    counters->votes += meeting->count;
    hand_out_same(meeting, gather_bits(meeting) & meeting->members);
    break;
  case COLLECTIVE_MATCH_ANY:
  case COLLECTIVE_MATCH_ALL:
    match(meeting, meeting->arrivals->op->variant == COLLECTIVE_MATCH_ALL);
    break;
  case COLLECTIVE_REDUX:
    counters->reduxes += meeting->count;
    reduce(meeting);
    break;
  default: /* COLLECTIVE_WARP_SYNC: to have come is all */
    break;
  }
}

static void shuffle_whole_warp(struct warp *warp, const struct op *op) {
  uint32_t from[LANES];
  const uint32_t *b = lanes_at(warp, op->b), *c = lanes_at(warp, op->c);
  uint32_t inside = shuffle_plan(op->flags, b, c, from);
  shuffle_move(lanes_at(warp, op->a), from, lanes_at(warp, op->d));
  *lanes_at(warp, op->e) = inside;
  warp->counters->shuffles++;
}

void collective_meet(struct warp *warp, const struct arrival *arrivals,
                     uint32_t count, uint32_t members) {
  const struct op *op = arrivals->op;
  if (arrivals->lanes == UINT32_MAX && op->variant == COLLECTIVE_SHUFFLE) {
    shuffle_whole_warp(warp, op);
    return;
  }
  struct meeting meeting = {.warp = warp, .arrivals = arrivals, .count = count};
  for (uint32_t i = 0; i < count; i++)
    meeting.come |= arrivals[i].lanes;
  meeting.members = meeting.come & members;
  meet(&meeting);
}

bool collective_activemask(struct warp *warp, const struct op *op,
                           uint32_t mask) {
  uint32_t *d = lanes_at(warp, op->d);
  for (uint32_t lane = 0; lane < LANES; lane++)
    d[lane] = mask >> lane & 1 ? mask : d[lane];
  return true;
}
