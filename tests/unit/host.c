/* The host program's parts: options, input, proof, JSON, counters, verdict. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "input.h"
#include "judge.h"
#include "options.h"
#include "proof.h"
#include "tap.h"

enum { N = 5000, BLOCK = 256, BLOCKS = (N + BLOCK - 1) / BLOCK };

static bool accepts(const char *name, const char *value) {
  struct options options;
  char *argv[] = {"reduce", "--ptx", "x.ptx", (char *)name, (char *)value};
  return options_read(&options, 5, argv);
}

static void test_options(void) {
  static const char *const good[][2] = {{"--n", "0"},
                                        {"--n", "1"},
                                        {"--n", "2147483647"},
                                        {"--block", "32"},
                                        {"--block", "1024"},
                                        {"--compiled", "no"},
                                        {"--ptx-origin", "recorded"},
                                        {"--counts", "show"}};
  static const char *const bad[][2] = {{"--n", "-1"},
                                       {"--n", "2147483648"},
                                       {"--n", "x"},
                                       {"--n", ""},
                                       {"--n", " 3"},
                                       {"--n", "3x"},
                                       {"--n", "--5"},
                                       {"--n", "99999999999999999999"},
                                       {"--block", "0"},
                                       {"--block", "-32"},
                                       {"--block", "33"},
                                       {"--block", "1056"},
                                       {"--compiled", "maybe"},
                                       {"--what", "1"}};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
    tap_ok(accepts(good[i][0], good[i][1]), "%s %s is taken", good[i][0],
           good[i][1]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    tap_ok(!accepts(bad[i][0], bad[i][1]), "%s '%s' is refused", bad[i][0],
           bad[i][1]);
  struct options options;
  char *argv[] = {"reduce", "--n", "5"};
  tap_ok(!options_read(&options, 3, argv), "a missing --ptx is refused");
  tap_ok(!options_read(&options, 2, argv), "a missing value is refused");
}

static void test_input(void) {
  size_t negative = 0, whole = 0, inexact = 0, outside = 0, equal = 0;
  for (uint64_t i = 0; i < 100000; ++i) {
    const float x = input_element(i);
    negative += x < 0;
    whole += x == truncf(x);
    inexact += (double)input_units(x) * INPUT_UNIT != (double)x;
    outside += !(fabsf(x) >= 0x1p-6f && fabsf(x) < 8);
    equal += fabsf(x) == fabsf(input_element(i + 1));
  }
  tap_is_u64(inexact, 0, "every element is a whole number of units");
  tap_is_u64(outside, 0, "every magnitude is from 2^-6 to under 8");
  tap_ok(negative > 20000 && negative < 30000, "one in four is negative");
  tap_ok(whole < 10, "whole numbers are rare");
  tap_is_u64(equal, 0, "no two neighbours are alike");
  float x[100];
  input_fill(x, 100);
  tap_is_u64(proof_bits(x[77]), proof_bits(input_element(77)),
             "element i depends on i alone");
  tap_is_u64(proof_bits(x[0]), 0x3c9dcdaf,
             "element 0 comes from SplitMix64's 0xe220a8397b1dcdaf");
}

static void sum_blocks(const float *x, float *partial) {
  for (size_t b = 0; b < BLOCKS; ++b) {
    partial[b] = 0.0f;
    for (size_t i = b * BLOCK; i < (b + 1) * BLOCK && i < N; ++i)
      partial[b] += x[i];
  }
}

static void test_proof(void) {
  static float x[N], partial[BLOCKS], model[BLOCKS];
  struct proof p;
  const uint32_t poison = DEVICE_POISON;
  input_fill(x, N);
  sum_blocks(x, model);
  memcpy(partial, model, sizeof model);
  proof_make(&p, x, N, BLOCK, BLOCK - 1, partial, model);
  tap_ok(p.different == 0 && p.within, "equal partials are proved");
  double exact = 0; /* 2^12 terms of 32 bits: exact in a double */
  for (size_t i = 0; i < N; ++i)
    exact += (double)x[i];
  tap_ok(p.reference == exact, "the reference is the exact sum");
  tap_ok(p.bound > 0 && p.bound < 1, "the bound is small: %g", p.bound);

  partial[3] = nextafterf(partial[3], 1e9f);
  proof_make(&p, x, N, BLOCK, BLOCK - 1, partial, model);
  tap_ok(p.different == 1 && p.first == 3 && p.near == 1 && p.silent == 0,
         "one last bit is found, and near");
  tap_ok(p.within, "one last bit is within the bound");

  memcpy(partial + 5, &poison, sizeof poison);
  partial[7] += x[9];
  proof_make(&p, x, N, BLOCK, BLOCK - 1, partial, model);
  tap_ok(p.different == 3 && p.near == 1 && p.silent == 1,
         "silent, near and far are told apart");
  tap_ok(!p.within, "a NaN is not within the bound");

  memcpy(partial, model, sizeof model);
  partial[2] = -partial[2];
  proof_make(&p, x, N, BLOCK, BLOCK - 1, partial, partial);
  tap_ok(p.different == 0 && !p.within,
         "a mistake shared by model and kernel breaks the bound");
  model[0] = 0.0f;
  partial[0] = -0.0f;
  proof_make(&p, x, N, BLOCK, BLOCK - 1, partial, model);
  tap_ok(p.different >= 1 && p.first == 0, "-0 is not +0");
  proof_make(&p, x, 0, BLOCK, BLOCK - 1, partial, model);
  tap_ok(p.blocks == 0 && p.within && p.sum == 0, "no elements, no sum");
  tap_ok(proof_gamma(255, 0x1p-24) > 255 * 0x1p-24 &&
             proof_gamma(255, 0x1p-24) < 256 * 0x1p-24,
         "gamma is d u and a little more");
}

static void test_json(void) {
  const struct json object = json_value(
      " {\"a\":1,\"b\":{\"a\":[2,{\"c\":\"}]\\\"\"}]},\"n\":null,\"d\":[ ],"
      "\"e\":-5,\"f\":1.5,\"s\":\"x\\u0041\\n\\\\\\u20ac\"} tail");
  uint64_t number = 77;
  char text[32];
  tap_ok(json_u64(json_member(object, "a"), &number) && number == 1,
         "a member is found, the outer one");
  const struct json inner = json_member(json_member(object, "b"), "a");
  tap_ok(json_u64(json_item(inner, 0), &number) && number == 2, "an item");
  json_text(json_member(json_item(inner, 1), "c"), text, sizeof text);
  tap_ok(strcmp(text, "}]\"") == 0, "brackets in strings do not count");
  tap_ok(!json_item(inner, 2).start, "there is no third item");
  tap_ok(!json_item(json_member(object, "d"), 0).start, "an empty array");
  tap_ok(!json_u64(json_member(object, "n"), &number), "null is no number");
  tap_ok(!json_u64(json_member(object, "e"), &number), "-5 has a sign");
  tap_ok(!json_u64(json_member(object, "f"), &number), "1.5 is not whole");
  tap_ok(!json_member(object, "c").start, "what is inside is not outside");
  tap_ok(!json_member(json_value("[1]"), "a").start, "an array has no member");
  json_text(json_member(object, "s"), text, sizeof text);
  tap_ok(strcmp(text, "xA\n\\?") == 0, "escapes are undone");
  json_text(json_member(object, "s"), text, 2);
  tap_ok(strcmp(text, "x") == 0, "a long string is cut");
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0)
    abort();
}

static void test_launches(const char *path) {
  struct counts counts;
  const char first[] =
      "{\"kernel\":\"reduce\",\"counters\":{\"shuffles\":9}}\n";
  char text[600];
  (void)snprintf(text, sizeof text,
                 "%s{\"kernel\":\"reduce\",\"counters\":{\"shuffles\":5,"
                 "\"votes\":null},\"approximate\":true,\"fault\":null,"
                 "\"diagnoses\":[{\"id\":\"x\"},{\"id\":\"y\"}]}\n"
                 "{\"kernel\":\"other\",\"counters\":{\"shuffles\":8}}\n",
                 first);
  write_file(path, text);
  tap_ok(counts_read_launch(&counts, path, 0, "reduce"), "a launch is found");
  tap_is_u64(counts.value[COUNTER_SHUFFLES], 5, "the last one of the kernel");
  tap_is_u64(counts.value[COUNTER_VOTES], COUNTER_UNKNOWN, "null is unknown");
  tap_is_u64(counts.value[COUNTER_REDUXES], COUNTER_UNKNOWN,
             "so is what is missing");
  tap_ok(counts.approximate, "approximate is read");
  tap_ok(json_item(counts.diagnoses, 1).start != NULL &&
             !json_item(counts.diagnoses, 2).start,
         "the diagnoses are there");
  counts_free(&counts);
  write_file(path, first);
  tap_ok(!counts_read_launch(&counts, path, (long)strlen(first), "reduce"),
         "an earlier run's launch is not ours");
  counts_free(&counts);
  tap_ok(!counts_read_launch(&counts, "/nowhere/at/all", 0, "reduce"),
         "no file, no counts");
  counts_free(&counts);
}

static void test_ncu(const char *path) {
  struct counts counts;
  write_file(
      path, "==PROF== Connected to process 1\n"
            "\"ID\",\"Kernel Name\",\"Section, Name\",\"Metric Name\","
            "\"Metric Unit\",\"Metric Value\"\n"
            "\"0\",\"reduce_other\",\"\",\"l1tex__t_sectors_pipe_lsu_mem_"
            "global_op_ld.sum\",\"sector\",\"1\"\n"
            "\"1\",\"reduce(const float *, float *, int)\",\"a, b\",\"l1tex__t_"
            "sectors_pipe_lsu_mem_global_op_ld.sum\",\"sector\","
            "\"4,194,304\"\n"
            "\"1\",\"reduce\",\"\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_"
            "st.sum\",\"sector\",\"n/a\"\n");
  tap_ok(counts_read_ncu(&counts, path, "reduce"), "a table is read");
  tap_ok(counts.source == COUNTS_NCU, "and its source is known");
  tap_is_u64(counts.value[COUNTER_GLOBAL_LOAD_SECTORS], 4194304,
             "commas group digits; another kernel is another kernel");
  tap_is_u64(counts.value[COUNTER_GLOBAL_STORE_SECTORS], COUNTER_UNKNOWN,
             "n/a is unknown");
  tap_is_u64(counts.value[COUNTER_SHUFFLES], COUNTER_UNKNOWN,
             "what the tool does not count is unknown");
  write_file(path, "==ERROR== ERR_NVGPUCTRPERM\n");
  tap_ok(!counts_read_ncu(&counts, path, "reduce"), "a refusal has no counts");
}

/* A judgement of a good run of a stage that states 1,000 load sectors. */
static struct judgement good_run(const struct options *options) {
  struct judgement j = {.options = options,
                        .launched = true,
                        .ended = true,
                        .simulator = true,
                        .finder = true,
                        .run = {.input_intact = true},
                        .proof = {.within = true}};
  memset(&j.expectation, 0xff, sizeof j.expectation);
  counts_clear(&j.counts);
  j.counts.source = COUNTS_SIMULATOR;
  j.expectation.global_load_sectors = 1000;
  j.expectation.global_store_sectors = 10;
  j.counts.value[COUNTER_GLOBAL_LOAD_SECTORS] = 1000;
  j.counts.value[COUNTER_GLOBAL_STORE_SECTORS] = 10;
  j.counts.diagnoses = json_value("[]");
  return j;
}

static void test_verdict(void) {
  const struct options assert_counts = {0}, show = {.show_counts = true};
  struct judgement j = good_run(&assert_counts);
  judge_decide(&j);
  tap_ok(j.pass && j.modelled && !j.measured && j.sectors == 1010,
         "a good run passes");

  j = good_run(&assert_counts);
  j.counts.value[COUNTER_GLOBAL_LOAD_SECTORS] = 1001;
  judge_decide(&j);
  tap_ok(!j.pass && j.counted == ANSWER_FAILS, "one sector too many fails");
  j = good_run(&show);
  j.counts.value[COUNTER_GLOBAL_LOAD_SECTORS] = 1001;
  judge_decide(&j);
  tap_ok(j.pass, "with --counts show it does not");

  j = good_run(&assert_counts);
  j.expectation.global_load_sectors = 1500000;
  j.counts.value[COUNTER_GLOBAL_LOAD_SECTORS] = 1500000;
  judge_decide(&j);
  tap_ok(j.pass && !j.gate_stated, "a stated failure at the gate passes");
  j = good_run(&assert_counts);
  j.expectation.global_load_sectors = 1500000;
  judge_decide(&j);
  tap_ok(!j.pass && j.gate == ANSWER_FAILS,
         "a gate that was to fail and passes is a failure");
  j = good_run(&show);
  j.counts.value[COUNTER_GLOBAL_LOAD_SECTORS] = 1499990;
  judge_decide(&j);
  tap_ok(j.pass && j.gate == ANSWER_HOLDS, "1,500,000 sectors pass the gate");
  j = good_run(&show);
  j.counts.value[COUNTER_GLOBAL_LOAD_SECTORS] = 1499991;
  judge_decide(&j);
  tap_ok(!j.pass && j.gate == ANSWER_FAILS, "1,500,001 do not");

  j = good_run(&assert_counts);
  j.counts.diagnoses = json_value("[{\"id\":\"shared-race\"}]");
  judge_decide(&j);
  tap_ok(!j.pass && j.mistakes == 1, "a diagnosis fails, the sum be right");
  j = good_run(&assert_counts);
  j.finder = false;
  judge_decide(&j);
  tap_ok(j.pass && j.rules == ANSWER_UNCHECKED,
         "no finder, no word on mistakes");
  j = good_run(&assert_counts);
  counts_clear(&j.counts);
  j.simulator = false;
  judge_decide(&j);
  tap_ok(j.pass && j.counted == ANSWER_UNCHECKED &&
             j.gate == ANSWER_UNCHECKED && !j.measured && !j.modelled,
         "what nothing counted is not checked, and not measured");
}

static void test_damage(void) {
  const struct options options = {0};
  struct judgement j = good_run(&options);
  j.run.guard_hits = 1;
  judge_decide(&j);
  tap_ok(!j.pass, "a write past the end fails");
  j = good_run(&options);
  j.run.input_intact = false;
  judge_decide(&j);
  tap_ok(!j.pass, "a changed input fails");
  j = good_run(&options);
  j.proof.different = 1;
  judge_decide(&j);
  tap_ok(!j.pass, "a different partial fails");
  j = good_run(&options);
  j.proof.within = false;
  judge_decide(&j);
  tap_ok(!j.pass, "a sum out of bounds fails");
  j = good_run(&options);
  j.ended = false;
  judge_decide(&j);
  tap_ok(!j.pass && j.partials == ANSWER_FAILS, "a kernel that died fails");
}

int main(void) {
  char path[] = "/tmp/host-test-XXXXXX";
  const int handle = mkstemp(path);
  if (handle < 0)
    abort();
  if (!freopen("/dev/null", "w", stderr))
    abort();
  test_options();
  test_input();
  test_proof();
  test_json();
  test_launches(path);
  test_ncu(path);
  test_verdict();
  test_damage();
  (void)remove(path);
  return tap_done();
}
