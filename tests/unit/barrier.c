/* Chapter 14: the state machine of a block barrier. */
#include "../tap.h"
#include "barrier.h"

static const char *const outcomes[] = {
    [BARRIER_WAITING] = "waiting",
    [BARRIER_COMPLETE] = "complete",
    [BARRIER_BAD_COUNT] = "bad count",
    [BARRIER_COUNT_MISMATCH] = "count mismatch",
    [BARRIER_KIND_MISMATCH] = "kind mismatch",
    [BARRIER_WARP_TWICE] = "warp twice",
};

static void is(enum barrier_outcome got, enum barrier_outcome want,
               const char *what) {
  if (!tap_ok(got == want, "%s: %s", what, outcomes[want]))
    printf("# got %s\n", outcomes[got]);
}

/* A block of `warps` full warps, none of which has exited. */
static struct barrier_arrival come(uint32_t warp, uint32_t warps,
                                   enum barrier_kind kind, uint32_t count) {
  return (struct barrier_arrival){.warp = warp,
                                  .warps = warps,
                                  .live_warps = warps < 32 ? (1u << warps) - 1
                                                           : UINT32_MAX,
                                  .kind = kind,
                                  .count = count,
                                  .lanes = UINT32_MAX};
}

static enum barrier_outcome arrive(struct barrier *barrier, uint32_t warp,
                                   uint32_t warps, enum barrier_kind kind,
                                   uint32_t count) {
  struct barrier_arrival arrival = come(warp, warps, kind, count);
  return barrier_arrive(barrier, &arrival);
}

static void test_whole_block(void) {
  struct barrier barrier = {0};
  for (uint32_t round = 0; round < 2; round++) {
    is(arrive(&barrier, 2, 3, BARRIER_SYNC, 0), BARRIER_WAITING,
       "first of three");
    is(arrive(&barrier, 0, 3, BARRIER_SYNC, 0), BARRIER_WAITING,
       "second of three");
    is(arrive(&barrier, 1, 3, BARRIER_SYNC, 0), BARRIER_COMPLETE,
       "third of three");
    tap_is_u64(barrier.waiting, 7, "all three wait");
    barrier_reset(&barrier);
    tap_is_u64(barrier.waiting, 0, "and nobody after the reset");
  }
  is(arrive(&barrier, 0, 1, BARRIER_SYNC, 0), BARRIER_COMPLETE,
     "a block of one warp");
  barrier_reset(&barrier);
  for (uint32_t warp = 0; warp < 31; warp++)
    if (arrive(&barrier, warp, 32, BARRIER_SYNC, 0) != BARRIER_WAITING)
      tap_ok(false, "warp %u of 32 has to wait", warp);
  is(arrive(&barrier, 31, 32, BARRIER_SYNC, 0), BARRIER_COMPLETE,
     "the last of 32 warps");
  tap_is_u64(barrier.waiting, UINT32_MAX, "32 warps wait");
}

static void test_counts(void) {
  struct barrier barrier = {0};
  is(arrive(&barrier, 5, 8, BARRIER_SYNC, 64), BARRIER_WAITING, "one of two");
  is(arrive(&barrier, 1, 8, BARRIER_SYNC, 64), BARRIER_COMPLETE, "two of two");
  tap_is_u64(barrier.waiting, 0x22, "warps 1 and 5 wait");
  barrier_reset(&barrier);
  is(arrive(&barrier, 0, 8, BARRIER_SYNC, 32), BARRIER_COMPLETE,
     "a count of one warp");
  barrier_reset(&barrier);
  is(arrive(&barrier, 0, 2, BARRIER_SYNC, 64), BARRIER_WAITING,
     "all of the block, as a number");
  is(arrive(&barrier, 1, 2, BARRIER_SYNC, 0), BARRIER_COMPLETE,
     "and without a number");
}

static void test_bad_counts(void) {
  struct barrier barrier = {0};
  is(arrive(&barrier, 0, 8, BARRIER_SYNC, 33), BARRIER_BAD_COUNT, "33 threads");
  is(arrive(&barrier, 0, 8, BARRIER_RED_OR, 16), BARRIER_BAD_COUNT,
     "16 threads");
  is(arrive(&barrier, 0, 8, BARRIER_ARRIVE, 0), BARRIER_BAD_COUNT,
     "arrive with no count");
  is(arrive(&barrier, 0, 8, BARRIER_SYNC, 288), BARRIER_BAD_COUNT,
     "288 threads of 256");
  is(arrive(&barrier, 0, 8, BARRIER_SYNC, 0xffffffe0), BARRIER_BAD_COUNT,
     "a count below zero");
  is(arrive(&barrier, 0, 8, BARRIER_SYNC, 256), BARRIER_WAITING,
     "256 threads of 256, after all these");
  tap_is_u64(barrier.waiting, 1, "what is refused is not counted");
}

static void test_arrive(void) {
  struct barrier barrier = {0};
  is(arrive(&barrier, 2, 4, BARRIER_ARRIVE, 96), BARRIER_WAITING,
     "a producer arrives");
  is(arrive(&barrier, 0, 4, BARRIER_SYNC, 96), BARRIER_WAITING,
     "a consumer waits");
  is(arrive(&barrier, 1, 4, BARRIER_SYNC, 96), BARRIER_COMPLETE,
     "another consumer completes it");
  tap_is_u64(barrier.waiting, 3, "the producer does not wait");
  tap_is_u64(barrier.arrived, 4, "but has arrived");
  barrier_reset(&barrier);
  is(arrive(&barrier, 0, 2, BARRIER_SYNC, 64), BARRIER_WAITING,
     "the consumer comes first");
  is(arrive(&barrier, 1, 2, BARRIER_ARRIVE, 64), BARRIER_COMPLETE,
     "the producer completes it");
  tap_is_u64(barrier.waiting, 1, "the consumer goes on");
  barrier_reset(&barrier);
  is(arrive(&barrier, 3, 4, BARRIER_ARRIVE, 64), BARRIER_WAITING,
     "one arrival");
  is(arrive(&barrier, 3, 4, BARRIER_SYNC, 64), BARRIER_COMPLETE,
     "a warp that only arrived may come again, and counts again");
}

static void test_mistakes(void) {
  struct barrier barrier = {0};
  arrive(&barrier, 0, 4, BARRIER_SYNC, 64);
  is(arrive(&barrier, 0, 4, BARRIER_SYNC, 64), BARRIER_WARP_TWICE,
     "the same warp again");
  is(arrive(&barrier, 1, 4, BARRIER_SYNC, 96), BARRIER_COUNT_MISMATCH,
     "64 threads and 96");
  is(arrive(&barrier, 1, 4, BARRIER_SYNC, 0), BARRIER_COUNT_MISMATCH,
     "64 threads and all");
  is(arrive(&barrier, 1, 4, BARRIER_RED_OR, 64), BARRIER_KIND_MISMATCH,
     "sync and red.or");
  is(arrive(&barrier, 1, 4, BARRIER_SYNC, 64), BARRIER_COMPLETE,
     "the mistakes left no trace");
  tap_is_u64(barrier.waiting, 3, "only the good arrivals wait");
  barrier_reset(&barrier);
  arrive(&barrier, 0, 4, BARRIER_RED_POPC, 0);
  is(arrive(&barrier, 1, 4, BARRIER_RED_AND, 0), BARRIER_KIND_MISMATCH,
     "red.popc and red.and");
  is(arrive(&barrier, 1, 4, BARRIER_SYNC, 0), BARRIER_KIND_MISMATCH,
     "red.popc and sync");
  is(arrive(&barrier, 1, 4, BARRIER_ARRIVE, 128), BARRIER_KIND_MISMATCH,
     "red.popc and arrive");
  is(arrive(&barrier, 1, 4, BARRIER_RED_POPC, 0), BARRIER_WAITING,
     "red.popc twice");
}

static void test_exits(void) {
  struct barrier barrier = {0};
  is(barrier_check(&barrier, 0), BARRIER_WAITING, "a barrier at rest");
  arrive(&barrier, 0, 4, BARRIER_SYNC, 0);
  arrive(&barrier, 3, 4, BARRIER_SYNC, 0);
  is(barrier_check(&barrier, 0xf), BARRIER_WAITING, "two of four");
  is(barrier_check(&barrier, 0xd), BARRIER_WAITING, "two of three left");
  is(barrier_check(&barrier, 0x9), BARRIER_COMPLETE, "two of two left");
  barrier_reset(&barrier);
  struct barrier_arrival arrival = come(1, 4, BARRIER_SYNC, 0);
  arrival.live_warps = 0x6;
  is(barrier_arrive(&barrier, &arrival), BARRIER_WAITING,
     "two warps had gone before");
  arrival.warp = 2;
  is(barrier_arrive(&barrier, &arrival), BARRIER_COMPLETE,
     "the others do not miss them");
  barrier_reset(&barrier);
  arrive(&barrier, 0, 4, BARRIER_SYNC, 64);
  is(barrier_check(&barrier, 0x1), BARRIER_WAITING,
     "a barrier with a count does miss them");
}

static enum barrier_outcome reduce(struct barrier *barrier, uint32_t warp,
                                   enum barrier_kind kind, uint32_t lanes,
                                   uint32_t truths) {
  struct barrier_arrival arrival = come(warp, 2, kind, 0);
  arrival.lanes = lanes;
  arrival.truths = truths;
  return barrier_arrive(barrier, &arrival);
}

static void test_reductions(void) {
  static const struct {
    const char *name;
    uint32_t lanes, truths[2], popc;
    bool all, any;
  } cases[] = {
      {"nobody", UINT32_MAX, {0, 0}, 0, false, false},
      {"one lane", UINT32_MAX, {0, 0x80000000}, 1, false, true},
      {"one warp of two", UINT32_MAX, {UINT32_MAX, 0}, 32, false, true},
      {"all but one", UINT32_MAX, {UINT32_MAX, 0xfffffffe}, 63, false, true},
      {"everybody", UINT32_MAX, {UINT32_MAX, UINT32_MAX}, 64, true, true},
      {"all that are left", 0xff, {0xff, 0xff}, 16, true, true},
      {"truths of the dead", 0xff, {0xff00, 0xff0f}, 4, false, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int kind = BARRIER_RED_POPC; kind <= BARRIER_RED_OR; kind++) {
      struct barrier barrier = {0};
      reduce(&barrier, 1, kind, cases[i].lanes, cases[i].truths[0]);
      enum barrier_outcome outcome =
          reduce(&barrier, 0, kind, cases[i].lanes, cases[i].truths[1]);
      tap_ok(outcome == BARRIER_COMPLETE &&
                 barrier_popc(&barrier) == cases[i].popc &&
                 barrier_and(&barrier) == cases[i].all &&
                 barrier_or(&barrier) == cases[i].any,
             "predicate true in %s: popc, and, or", cases[i].name);
    }
}

/* All orders of four warps: it completes with the last, whoever that is. */
static void test_orders(void) {
  uint32_t wrong = 0, tried = 0;
  for (uint32_t order = 0; order < 256; order++) {
    uint32_t warps[4] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
    uint32_t seen = 0;
    for (int i = 0; i < 4; i++)
      seen |= 1u << warps[i];
    if (seen != 15)
      continue;
    tried++;
    struct barrier barrier = {0};
    for (int i = 0; i < 4; i++)
      wrong += arrive(&barrier, warps[i], 4, BARRIER_SYNC, 0) !=
               (i == 3 ? BARRIER_COMPLETE : BARRIER_WAITING);
  }
  tap_is_u64(tried, 24, "24 orders of four warps");
  tap_is_u64(wrong, 0, "each completes with its last warp");
}

int main(void) {
  test_whole_block();
  test_counts();
  test_bad_counts();
  test_arrive();
  test_mistakes();
  test_exits();
  test_reductions();
  test_orders();
  return tap_done();
}
