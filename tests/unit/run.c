/* Whole kernels through sim.h: control flow, meetings, barriers, faults. Each
 * kernel writes one 32-bit word a thread to its only parameter. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "tap.h"

#define HEAD ".version 9.0\n.target sm_80\n.address_size 64\n"
#define ENTRY                                                                  \
  HEAD ".visible .entry k(.param .u64 p)\n{\n"                                 \
       ".reg .pred %q<8>;\n.reg .b32 %r<32>;\n.reg .b64 %d<8>;\n"              \
       ".shared .align 4 .b32 s[64];\n"                                        \
       "ld.param.u64 %d1, [p];\n"                                              \
       "mov.u32 %r30, %tid.x;\nmov.u32 %r29, %ctaid.x;\n"                      \
       "mov.u32 %r28, %ntid.x;\nmad.lo.s32 %r27, %r29, %r28, %r30;\n"          \
       "mul.wide.u32 %d2, %r27, 4;\nadd.s64 %d3, %d1, %d2;\n"
#define STORE(reg) "st.global.u32 [%d3], " reg ";\nret;\n}\n"

struct outcome {
  struct sim_result result;
  struct ptx_error error;
  bool loaded;
  uint32_t out[4096];
};

static const struct sim_options plain = {.threads = 1, .check = true};

static void run_with(const struct sim_options *options, const char *ptx,
                     uint32_t grid, uint32_t block, struct outcome *outcome) {
  *outcome = (struct outcome){.loaded = false};
  struct sim *sim = sim_create(options);
  struct sim_module *module =
      sim_module_load(sim, ptx, strlen(ptx), &outcome->error);
  if (module) {
    outcome->loaded = true;
    uint64_t bytes = (uint64_t)grid * block * 4;
    uint64_t out = sim_allocate(sim, bytes);
    struct sim_launch launch = {
        .grid = {grid, 1, 1}, .block = {block, 1, 1}, .parameters = &out};
    sim_run(sim, sim_module_kernel_at(module, 0), &launch, &outcome->result);
    memcpy(outcome->out, sim_host(sim, out, bytes), bytes);
  }
  sim_destroy(sim);
}

static void run(const char *ptx, uint32_t grid, uint32_t block,
                struct outcome *outcome) {
  run_with(&plain, ptx, grid, block, outcome);
  if (!outcome->loaded)
    printf("# line %u: %s\n", outcome->error.line, outcome->error.message);
  else if (outcome->result.fault.kind)
    printf("# fault: %s\n", outcome->result.fault.message);
}

static bool ran(const struct outcome *outcome) {
  return outcome->loaded && outcome->result.fault.kind == FAULT_NONE;
}

static void test_divergence(void) {
  struct outcome o;
  run(ENTRY "and.b32 %r1, %r30, 1;\nsetp.eq.u32 %q1, %r1, 0;\n"
            "@%q1 bra EVEN;\nmov.u32 %r2, 111;\nbra JOIN;\n"
            "EVEN:\nmov.u32 %r2, 222;\nJOIN:\n"
            "add.u32 %r2, %r2, %r30;\n" STORE("%r2"),
      2, 48, &o);
  bool good = ran(&o);
  for (uint32_t i = 0; i < 96; i++)
    good = good && o.out[i] == (i % 48 % 2 ? 111 : 222) + i % 48;
  tap_ok(good, "both sides of an if, and a block of one and a half warps");
  tap_is_u64(o.result.counters.instructions, 2 * 2 * (7 + 3 + 2 + 1 + 3),
             "lanes come together again: the tail is run once a warp");
}

static void test_loop(void) {
  struct outcome o;
  run(ENTRY "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nLOOP:\n"
            "add.u32 %r2, %r2, %r1;\nadd.u32 %r1, %r1, 1;\n"
            "setp.le.u32 %q1, %r1, %r30;\n@%q1 bra LOOP;\n" STORE("%r2"),
      1, 32, &o);
  bool good = ran(&o);
  for (uint32_t i = 0; i < 32; i++)
    good = good && o.out[i] == i * (i + 1) / 2;
  tap_ok(good, "a loop that each lane leaves at its own time");
}

static void test_shuffle_in_arms(void) {
  struct outcome o;
  run(ENTRY "setp.lt.u32 %q1, %r30, 16;\n@%q1 bra LOW;\n"
            "shfl.sync.bfly.b32 %r2, %r30, 16, 31, -1;\nbra JOIN;\n"
            "LOW:\nshfl.sync.bfly.b32 %r2, %r30, 16, 31, -1;\n"
            "JOIN:\n" STORE("%r2"),
      1, 32, &o);
  bool good = ran(&o);
  for (uint32_t i = 0; i < 32; i++)
    good = good && o.out[i] == (i ^ 16);
  tap_ok(good, "two shuffles in the two arms of an if meet");
  tap_is_u64(o.result.counters.shuffles, 2, "and are two warp instructions");
  tap_is_u64(o.result.findings.count, 0, "and break no rule");
}

static void test_early_exit(void) {
  struct outcome o;
  run(ENTRY "mov.u32 %r2, 7;\nst.global.u32 [%d3], %r2;\n"
            "setp.ge.u32 %q1, %r30, 20;\n@%q1 exit;\n"
            "vote.sync.ballot.b32 %r2, %q1, -1;\nbar.sync 0;\n"
            "vote.sync.ballot.b32 %r2, !%q1, -1;\n" STORE("%r2"),
      1, 64, &o);
  bool good = ran(&o);
  for (uint32_t i = 0; i < 64; i++)
    good = good && o.out[i] == (i < 20 ? 0xfffffu : 7u);
  tap_ok(good, "nobody waits for lanes and warps that have exited");
}

static void test_barrier(void) {
  struct outcome o;
  const char *ptx =
      ENTRY "mov.u32 %r5, s;\nshl.b32 %r6, %r30, 2;\nadd.u32 %r7, %r5, %r6;\n"
            "st.shared.u32 [%r7], %r30;\nbar.sync 0;\n"
            "mov.u32 %r8, 63;\nsub.u32 %r8, %r8, %r30;\nshl.b32 %r8, %r8, 2;\n"
            "add.u32 %r8, %r5, %r8;\nld.shared.u32 %r2, [%r8];\n" STORE("%r2");
  enum sim_schedule all[] = {SIM_EAGER, SIM_SIDE, SIM_FIRST, SIM_LAST,
                             SIM_SEED};
  for (size_t s = 0; s < 5; s++) {
    struct sim_options options = {
        .threads = 1, .check = true, .schedule = all[s], .seed = 42};
    run_with(&options, ptx, 3, 64, &o);
    bool good = ran(&o);
    for (uint32_t i = 0; i < 192; i++)
      good = good && o.out[i] == 63 - i % 64;
    tap_ok(good, "values cross a barrier, schedule %zu", s);
    tap_is_u64(o.result.findings.count, 0, "and nothing races");
  }
}

static void test_race(void) {
  struct outcome o;
  run(ENTRY "mov.u32 %r5, s;\nshl.b32 %r6, %r30, 2;\nadd.u32 %r7, %r5, %r6;\n"
            "st.shared.u32 [%r7], %r30;\n"
            "xor.b32 %r8, %r6, 128;\n"
            "add.u32 %r8, %r5, %r8;\nld.shared.u32 %r2, [%r8];\n" STORE("%r2"),
      1, 64, &o);
  tap_ok(ran(&o) && o.result.findings.count == 2 &&
             strcmp(o.result.findings.finding[0].first.id, "shared-race") == 0,
         "no barrier: both races are found");
  tap_is_u64(o.result.findings.finding[0].count, 32,
             "in the second warp's 32 lanes");
}

static void test_reduction_barrier(void) {
  struct outcome o;
  run(ENTRY "setp.lt.u32 %q1, %r30, 10;\n"
            "bar.red.popc.u32 %r2, 0, %q1;\n"
            "bar.red.or.pred %q2, 0, %q1;\nbar.red.and.pred %q3, 0, !%q1;\n"
            "@%q2 add.u32 %r2, %r2, 100;\n@%q3 add.u32 %r2, %r2, 1000;\n" STORE(
                "%r2"),
      1, 96, &o);
  bool good = ran(&o);
  for (uint32_t i = 0; i < 96; i++)
    good = good && o.out[i] == 110;
  tap_ok(good, "bar.red counts, ors and ands");
  tap_is_u64(o.result.counters.barriers, 9, "three barriers in three warps");
}

static void test_deadlock(void) {
  struct outcome o;
  run(ENTRY "setp.lt.u32 %q1, %r30, 16;\n@%q1 bra LOW;\nbar.sync 0;\n"
            "bra JOIN;\nLOW:\n"
            "shfl.sync.down.b32 %r2, %r30, 1, 31, -1;\n"
            "JOIN:\n" STORE("%r30"),
      1, 32, &o);
  tap_is_u64(o.result.fault.kind, FAULT_DEADLOCK, "a wait without end");
  tap_ok(strstr(o.result.fault.message,
                "lanes 0x0000ffff wait at PTX line 22 "
                "(shfl.sync.down.b32) for lanes 0xffff0000") != NULL,
         "the message says who waits for whom: %s", o.result.fault.message);
}

static void test_endless(void) {
  struct outcome o;
  struct sim_options options = {.threads = 2, .limit = 100000};
  run_with(&options, ENTRY "LOOP:\nbra LOOP;\n}\n", 4, 64, &o);
  tap_is_u64(o.result.fault.kind, FAULT_LIMIT, "an endless loop ends");
  tap_ok(strstr(o.result.fault.message, "endless loop") != NULL, "by name");
}

static void test_spin(void) {
  struct outcome o;
  run(ENTRY "mov.u32 %r5, s;\nmov.u32 %r6, 0;\n"
            "setp.eq.u32 %q1, %r30, 0;\n@%q1 st.shared.u32 [%r5], %r6;\n"
            "bar.sync 0;\nsetp.ge.u32 %q2, %r30, 32;\n@%q2 bra SET;\n"
            "WAIT:\nld.volatile.shared.u32 %r7, [%r5];\n"
            "setp.eq.u32 %q3, %r7, 0;\n@%q3 bra WAIT;\nbra DONE;\n"
            "SET:\nmov.u32 %r7, 5;\n"
            "st.volatile.shared.u32 [%r5], %r7;\nDONE:\n" STORE("%r7"),
      1, 64, &o);
  tap_ok(ran(&o) && o.out[0] == 5, "a warp that spins lets the others run");
}

static void test_spin_with_call(void) {
  struct outcome o;
  run(HEAD ".func (.param .b32 r) look(.param .b64 a)\n{\n"
           ".reg .b32 %x;\n.reg .b64 %y;\nld.param.b64 %y, [a];\n"
           "ld.volatile.b32 %x, [%y];\nst.param.b32 [r], %x;\nret;\n}\n"
           ".visible .entry k(.param .u64 p)\n{\n"
           ".reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.reg .pred %q<4>;\n"
           "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n"
           "setp.ge.u32 %q1, %r1, 32;\n@%q1 bra SET;\nWAIT:\n"
           "{\n.param .b64 in;\n.param .b32 out;\n"
           "st.param.b64 [in], %d1;\ncall.uni (out), look, (in);\n"
           "ld.param.b32 %r2, [out];\n}\n"
           "setp.ne.s32 %q2, %r2, 5;\n@%q2 bra WAIT;\nret;\n"
           "SET:\nmov.u32 %r3, 5;\nst.volatile.u32 [%d1], %r3;\nret;\n}\n",
      1, 64, &o);
  tap_ok(ran(&o) && o.out[0] == 5, "also when the loop calls a function");
}

static void test_hand_over(void) {
  struct outcome o;
  const char *ptx =
      ENTRY "mov.u32 %r5, s;\nmov.u32 %r6, 0;\n"
            "setp.eq.u32 %q1, %r30, 0;\n@%q1 st.shared.u32 [%r5], %r6;\n"
            "bar.sync 0;\nsetp.ge.u32 %q2, %r30, 32;\n@%q2 bra SET;\n"
            "WAIT:\natom.shared.add.u32 %r7, [%r5], 0;\n"
            "setp.eq.u32 %q3, %r7, 0;\n@%q3 bra WAIT;\nmembar.cta;\n"
            "ld.shared.u32 %r2, [%r5+4];\nbra DONE;\nSET:\n"
            "mov.u32 %r2, 9;\nst.shared.u32 [%r5+4], %r2;\nmembar.cta;\n"
            "atom.shared.exch.b32 %r7, [%r5], 1;\nDONE:\n" STORE("%r2");
  run(ptx, 1, 64, &o);
  tap_ok(ran(&o) && o.out[0] == 9, "a flag hands data over");
  tap_is_u64(o.result.findings.count, 0, "and is not called a race");
}

static void test_mask(void) {
  struct outcome o;
  run(ENTRY "shfl.sync.down.b32 %r2, %r30, 1, 31, 0x1f;\n" STORE("%r2"), 1, 32,
      &o);
  tap_ok(ran(&o) && o.result.findings.count == 1 &&
             strcmp(o.result.findings.finding[0].first.id,
                    "mask-without-caller") == 0,
         "a mask without its caller is named");
  tap_is_u64(o.result.findings.finding[0].first.lanes, 0xffffffe0,
             "with the lanes it forgot");
}

static void test_uninitialised(void) {
  struct outcome one, two;
  const char *ptx = ENTRY "setp.eq.u32 %q1, %r29, 0;\n"
                          "@%q1 mov.u32 %r9, 77;\n" STORE("%r9");
  struct sim_options options = {.threads = 2};
  run_with(&plain, ptx, 8, 32, &one);
  run_with(&options, ptx, 8, 32, &two);
  bool good = ran(&one) && ran(&two) && one.out[0] == 77;
  for (uint32_t i = 32; i < 256; i++)
    good = good && one.out[i] == 0 && two.out[i] == 0;
  tap_ok(good, "a register that was never written does not keep old values");
}

static void test_threads(void) {
  static struct outcome one, many;
  const char *ptx =
      ENTRY "and.b32 %r1, %r27, 3;\nmov.u32 %r2, 0;\nLOOP:\n"
            "add.u32 %r2, %r2, %r27;\nadd.s32 %r1, %r1, -1;\n"
            "setp.ge.s32 %q1, %r1, 0;\n@%q1 bra LOOP;\n" STORE("%r2");
  struct sim_options options = {.threads = 7};
  run_with(&plain, ptx, 50, 64, &one);
  run_with(&options, ptx, 50, 64, &many);
  tap_ok(ran(&one) && memcmp(one.out, many.out, 50 * 64 * 4) == 0,
         "seven host threads give what one gives");
  tap_ok(memcmp(&one.result.counters, &many.result.counters,
                sizeof one.result.counters) == 0,
         "and count the same");
}

static void test_call(void) {
  struct outcome o;
  run(HEAD ".func (.param .b32 r) twice(.param .b32 a)\n{\n"
           ".reg .b32 %x<4>;\n.reg .pred %t;\n"
           "ld.param.b32 %x1, [a];\nsetp.gt.u32 %t, %x1, 9;\n"
           "@%t bra BIG;\nshl.b32 %x1, %x1, 1;\nst.param.b32 [r], %x1;\nret;\n"
           "BIG:\nmov.u32 %x2, 1000;\nst.param.b32 [r], %x2;\nret;\n}\n"
           ".visible .entry k(.param .u64 p)\n{\n"
           ".reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.reg .pred %q;\n"
           "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n"
           "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\n"
           "mov.u32 %r2, 5;\nsetp.lt.u32 %q, %r1, 20;\n"
           "@!%q bra SKIP;\n"
           "{\n.param .b32 in;\n.param .b32 out;\n"
           "st.param.b32 [in], %r1;\n"
           "call.uni (out), twice, (in);\n"
           "ld.param.b32 %r2, [out];\n}\nSKIP:\n"
           "st.global.u32 [%d3], %r2;\nret;\n}\n",
      1, 32, &o);
  bool good = ran(&o);
  for (uint32_t i = 0; i < 32; i++)
    good = good && o.out[i] == (i >= 20 ? 5 : i > 9 ? 1000 : 2 * i);
  tap_ok(good, "a function called by some lanes, which part inside it");
}

static void test_assert(void) {
  struct outcome o;
  run(HEAD ".extern .func __assertfail(.param .b64 a);\n"
           ".visible .entry k(.param .u64 p)\n{\n"
           ".reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.reg .pred %q;\n"
           "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %q, %r1, 20;\n"
           "@%q bra FINE;\nmov.u64 %d1, 0;\n"
           "{\n.param .b64 in;\nst.param.b64 [in], %d1;\n"
           "call.uni __assertfail, (in);\n}\nFINE:\nret;\n}\n",
      1, 32, &o);
  tap_is_u64(o.result.fault.kind, FAULT_ASSERT, "an assertion that fails");
  tap_is_u64(o.result.fault.lanes, 0xfff00000, "in the lanes where it fails");
}

static void test_approximate(void) {
  struct outcome o;
  run(ENTRY ".reg .f32 %f<4>;\nmov.f32 %f1, 0f40000000;\n"
            "rsqrt.approx.f32 %f2, %f1;\nmov.b32 %r2, %f2;\n" STORE("%r2"),
      2, 64, &o);
  tap_ok(ran(&o), "an approximate instruction runs");
  tap_is_u64(o.result.counters.approximate, 4, "and is counted once a warp");
}

static void test_refusals(void) {
  static const struct {
    const char *body, *message;
    uint32_t line;
  } cases[] = {
      {"frob.u32 %r1, %r2;\nret;\n}\n",
       "frob.u32: the simulator does not know this instruction", 17},
      {"ret;\nbra.never L;\nL:\nret;\n}\n",
       "bra.never: only .uni is known here", 18},
      {"call k2;\nret;\n}\n", "k2", 17},
      {"mov.u32 %r1, %globaltimer;\nret;\n}\n",
       "this special register is not simulated", 17},
      {"mov.u32 %r1, %envreg3;\nret;\n}\n",
       "this special register is not simulated", 17},
      {"add.u32 %r1, %r2, %d1;\nret;\n}\n", "register %d1 is", 17},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char ptx[2048];
    snprintf(ptx, sizeof ptx, "%s%s", ENTRY, cases[i].body);
    struct outcome o;
    run_with(&plain, ptx, 1, 32, &o);
    tap_ok(!o.loaded && strstr(o.error.message, cases[i].message) &&
               o.error.line == cases[i].line,
           "refused at line %u: %s", o.error.line, o.error.message);
  }
}

int main(void) {
  test_divergence();
  test_loop();
  test_shuffle_in_arms();
  test_early_exit();
  test_barrier();
  test_race();
  test_reduction_barrier();
  test_deadlock();
  test_endless();
  test_spin();
  test_spin_with_call();
  test_hand_over();
  test_mask();
  test_uninitialised();
  test_threads();
  test_call();
  test_assert();
  test_approximate();
  test_refusals();
  return tap_done();
}
