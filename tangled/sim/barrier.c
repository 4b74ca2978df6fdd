/* The state machine of one block barrier. */
#include "barrier.h"

enum { WARP_THREADS = 32 };

void barrier_reset(struct barrier *barrier) {
  *barrier = (struct barrier){.waiting = 0};
}

static bool at_rest(const struct barrier *barrier) {
  return barrier->threads == 0;
}

static uint32_t expected_threads(const struct barrier_arrival *arrival) {
  return arrival->count ? arrival->count : arrival->warps * WARP_THREADS;
}

static bool bad_count(const struct barrier_arrival *arrival) {
  if (arrival->count == 0)
    return arrival->kind == BARRIER_ARRIVE;
  return arrival->count % WARP_THREADS != 0 ||
         arrival->count > arrival->warps * WARP_THREADS;
}

static bool is_reduction(enum barrier_kind kind) {
  return kind != BARRIER_SYNC && kind != BARRIER_ARRIVE;
}

static bool kinds_mix(enum barrier_kind one, enum barrier_kind other) {
  return one != other && (is_reduction(one) || is_reduction(other));
}

static enum barrier_outcome refuse(const struct barrier *barrier,
                                   const struct barrier_arrival *arrival) {
  if (bad_count(arrival))
    return BARRIER_BAD_COUNT;
  if (at_rest(barrier))
    return BARRIER_WAITING;
  if (barrier->waiting >> arrival->warp & 1)
    return BARRIER_WARP_TWICE;
  if (kinds_mix(barrier->kind, arrival->kind))
    return BARRIER_KIND_MISMATCH;
  if (barrier->expected != expected_threads(arrival))
    return BARRIER_COUNT_MISMATCH;
  return BARRIER_WAITING;
}

static void count_warp(struct barrier *barrier,
                       const struct barrier_arrival *arrival) {
  uint32_t bit = 1u << arrival->warp;
  uint32_t truths = arrival->truths & arrival->lanes;
  if (arrival->kind == BARRIER_ARRIVE)
    barrier->arrived |= bit;
  else
    barrier->waiting |= bit;
  barrier->threads += WARP_THREADS;
  barrier->population += (uint32_t)__builtin_popcount(truths);
  barrier->every = barrier->every && truths == arrival->lanes;
}

enum barrier_outcome barrier_arrive(struct barrier *barrier,
                                    const struct barrier_arrival *arrival) {
  enum barrier_outcome refused = refuse(barrier, arrival);
  if (refused != BARRIER_WAITING)
    return refused;
  if (at_rest(barrier)) {
    barrier->kind = arrival->kind;
    barrier->expected = expected_threads(arrival);
    barrier->whole = barrier->expected == arrival->warps * WARP_THREADS;
    barrier->every = true;
  }
  count_warp(barrier, arrival);
  return barrier_check(barrier, arrival->live_warps);
}

enum barrier_outcome barrier_check(const struct barrier *barrier,
                                   uint32_t live_warps) {
  if (at_rest(barrier))
    return BARRIER_WAITING;
  uint32_t come = barrier->waiting | barrier->arrived;
  bool complete = barrier->threads >= barrier->expected ||
                  (barrier->whole && (live_warps & ~come) == 0);
  return complete ? BARRIER_COMPLETE : BARRIER_WAITING;
}

uint32_t barrier_popc(const struct barrier *barrier) {
  return barrier->population;
}

bool barrier_and(const struct barrier *barrier) { return barrier->every; }

bool barrier_or(const struct barrier *barrier) {
  return barrier->population != 0;
}
