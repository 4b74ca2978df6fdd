/* The trace of one block: its lines, its clock, its limits (chapter 15). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim.h"
#include "tap.h"
#include "trace.h"

#define HEAD ".version 9.0\n.target sm_80\n.address_size 64\n"
#define ENTRY                                                                  \
  HEAD ".visible .entry k(.param .u64 p)\n{\n"                                 \
       ".reg .pred %q<8>;\n.reg .b32 %r<32>;\n.reg .b64 %d<8>;\n"              \
       ".reg .b16 %h<4>;\n"                                                    \
       ".shared .align 4 .b32 s[64];\n"                                        \
       "ld.param.u64 %d1, [p];\n" /* line 11, step 0 */                        \
       "mov.u32 %r30, %tid.x;\n"                                               \
       "mul.wide.u32 %d2, %r30, 4;\nadd.s64 %d3, %d1, %d2;\n"

enum { LINES = 200 };

struct run {
  char path[40];
  char message[400];
  char *text;
  char *line[LINES + 1]; /* NULL after the last */
  unsigned count;
  bool begun;
  struct sim_result result;
};

static void split(struct run *run) {
  FILE *file = fopen(run->path, "r");
  size_t size = 1 << 20, got;
  run->text = calloc(1, size);
  got = file != NULL ? fread(run->text, 1, size - 1, file) : 0;
  if (file != NULL)
    fclose(file);
  for (char *at = run->text; at < run->text + got && run->count < LINES;) {
    char *end = strchr(at, '\n');
    run->line[run->count++] = at;
    if (end == NULL)
      break;
    *end = '\0';
    at = end + 1;
  }
  unlink(run->path);
}

static void launch(struct run *run, struct sim *sim, struct sim_module *module,
                   struct trace *trace, uint32_t grid, uint32_t threads) {
  uint64_t out = sim_allocate(sim, (uint64_t)grid * threads * 4);
  struct sim_launch launch = {
      .grid = {grid, 1, 1}, .block = {threads, 1, 1}, .parameters = &out};
  struct sim_kernel *kernel = sim_module_kernel_at(module, 0);
  run->begun = trace_begin(trace, kernel, module, &launch, run->message,
                           sizeof run->message);
  sim_run(sim, kernel, &launch, &run->result);
  tap_ok(trace_end(trace, &run->result), "the trace is written");
}

static struct run *run_times(const char *ptx, uint32_t grid, uint32_t threads,
                             struct trace_setup setup, int times) {
  struct run *run = calloc(1, sizeof *run);
  struct sim_options options = {.check = true};
  struct sim *sim = sim_create(&options);
  struct ptx_error error;
  strcpy(run->path, "/tmp/trace-XXXXXX");
  close(mkstemp(run->path));
  setup.path = run->path;
  struct trace *trace = trace_open(&setup, run->message, sizeof run->message);
  struct sim_module *module = sim_module_load(sim, ptx, strlen(ptx), &error);
  if (module == NULL || trace == NULL) {
    printf("Bail out! %s\n", module == NULL ? error.message : run->message);
    exit(1);
  }
  while (times-- > 0)
    launch(run, sim, module, trace, grid, threads);
  trace_close(trace);
  sim_destroy(sim);
  split(run);
  return run;
}

static const struct trace_setup all = {.warp = TRACE_ALL_WARPS,
                                       .limit = TRACE_LIMIT};

static struct run *run_once(const char *ptx, uint32_t threads) {
  return run_times(ptx, 1, threads, all, 1);
}

static void run_free(struct run *run) {
  free(run->text);
  free(run);
}

static bool has(const struct run *run, unsigned line, const char *wanted) {
  return line < run->count && strstr(run->line[line], wanted) != NULL;
}

#define HAS(run, line, wanted)                                                 \
  tap_ok(has(run, line, wanted), "line %u has %s", (unsigned)(line), wanted)

static void test_memory(void) {
  struct run *run = run_once(ENTRY "st.global.u32 [%d3], %r30;\n"
                                   "ld.global.u32 %r1, [%d3+0];\nret;\n}\n",
                             4);
  HAS(run, 0,
      "{\"event\":\"launch\",\"kernel\":\"k\",\"grid\":[1,1,1],"
      "\"block_shape\":[4,1,1],\"block\":0,\"warps\":1,\"only_warp\":null}");
  HAS(run, 1, "{\"event\":\"run\",\"seq\":0,\"step\":0,\"warp\":0,");
  HAS(run, 1, "\"ptx_line\":11,\"source\":null,\"op\":\"ld.param.u64\",");
  HAS(run, 1, "\"register\":\"%d1\",\"type\":\".b64\",\"values\":[\"0x0000100");
  HAS(run, 5, "\"lanes\":\"0x0000000f\",\"ptx_line\":15,");
  HAS(run, 5,
      "\"stored\":[{\"register\":\"%r30\",\"type\":\".b32\",\"values\":"
      "[\"0x00000000\",\"0x00000001\",\"0x00000002\",\"0x00000003\",null,");
  HAS(run, 5,
      "\"memory\":{\"space\":\"global\",\"access\":\"store\",\"width\":4,"
      "\"addresses\":[\"0x0000100000000000\",\"0x0000100000000004\",");
  HAS(run, 5, "]},\"sectors\":1}");
  HAS(run, 6, "\"access\":\"load\"");
  HAS(run, 6, "\"results\":[{\"register\":\"%r1\"");
  HAS(run, 7, "\"op\":\"ret\"}");
  HAS(run, 8,
      "{\"event\":\"end\",\"events\":7,\"steps\":7,\"cut\":false,"
      "\"fault\":null}");
  tap_is_u64(run->count, 9, "nine lines");
  run_free(run);
}

static void test_results(void) {
  struct run *run =
      run_once(ENTRY "setp.lt.u32 %q1|%q2, %r30, 1;\n"
                     "mov.b32 {%h1, %h2}, %r30;\n"
                     "@%q1 mov.u32 %r2, 7;\n"
                     "st.shared.u32 [s], 9;\n"
                     "ld.shared.v2.u32 {%r3, %r4}, [s];\n"
                     "atom.shared.add.u32 %r30, [s], %r30;\nret;\n}\n",
               2);
  HAS(run, 5,
      "\"register\":\"%q1\",\"type\":\".pred\",\"mask\":\"0x00000001\"");
  HAS(run, 5,
      "\"register\":\"%q2\",\"type\":\".pred\",\"mask\":\"0x00000002\"");
  HAS(run, 6,
      "\"%h1\",\"type\":\".b16\",\"values\":[\"0x0000\",\"0x0001\",nul");
  HAS(run, 6, "\"register\":\"%h2\"");
  HAS(run, 7, "\"lanes\":\"0x00000001\"");
  HAS(run, 7, "\"values\":[\"0x00000007\",null,");
  HAS(run, 8,
      "\"stored\":[{\"register\":\"\",\"type\":\"\",\"values\":"
      "[\"0x00000009\",\"0x00000009\",null");
  HAS(run, 8, ",\"wavefronts\":1,\"conflicts\":0}");
  HAS(run, 9, "\"register\":\"%r3\"");
  HAS(run, 9, "\"register\":\"%r4\"");
  HAS(run, 10, "\"access\":\"atomic\"");
  HAS(run, 10,
      "\"results\":[{\"register\":\"%r30\",\"type\":\".b32\","
      "\"values\":[\"0x00000009\",\"0x00000009\",null");
  tap_ok(!has(run, 10, "wavefronts"), "an atomic has no cost");
  run_free(run);
}

static void test_shuffle(void) {
  struct run *run = run_once(
      ENTRY "shfl.sync.down.b32 %r30|%q1, %r30, 2, 3, 15;\nret;\n}\n", 4);
  HAS(run, 5, "{\"event\":\"run\",");
  HAS(run, 5,
      "\"values\":[\"0x00000002\",\"0x00000003\",\"0x00000002\","
      "\"0x00000003\",null");
  HAS(run, 5,
      "\"register\":\"%q1\",\"type\":\".pred\",\"mask\":\"0x00000003\"");
  HAS(run, 5,
      "\"shuffle\":{\"source\":[\"0x00000000\",\"0x00000001\","
      "\"0x00000002\",\"0x00000003\",null");
  HAS(run, 5, "\"from\":[2,3,2,3,null");
  HAS(run, 5, "\"in_range\":\"0x00000003\"},\"results\":[");
  run_free(run);
}

/* Two shuffles in two arms: one waits for the other. */
static void test_meeting(void) {
  struct run *run = run_once(ENTRY "setp.lt.u32 %q1, %r30, 2;\n@%q1 bra LOW;\n"
                                   "shfl.sync.bfly.b32 %r1, %r30, 2, 31, 15;\n"
                                   "bra JOIN;\n"
                                   "LOW:\n"
                                   "shfl.sync.bfly.b32 %r2, %r30, 2, 31, 15;\n"
                                   "JOIN:\nret;\n}\n",
                             4);
  HAS(run, 7, "{\"event\":\"arrive\",\"seq\":6,\"step\":6,\"warp\":0,");
  HAS(run, 7, "\"lanes\":\"0x0000000c\",\"ptx_line\":17,");
  HAS(run, 7, "\"from\":[null,null,0,1,null");
  tap_ok(!has(run, 7, "results"), "who waits has no result yet");
  HAS(run, 8, "{\"event\":\"arrive\",\"seq\":7,\"step\":7,\"warp\":0,");
  HAS(run, 8, "\"lanes\":\"0x00000003\",\"ptx_line\":20,");
  HAS(run, 9, "{\"event\":\"leave\",\"seq\":8,\"step\":7,\"warp\":0,");
  HAS(run, 9, "\"lanes\":\"0x0000000c\"");
  HAS(run, 9,
      "\"since\":6,\"results\":[{\"register\":\"%r1\",\"type\":\".b32\","
      "\"values\":[null,null,\"0x00000000\"");
  HAS(run, 10, "\"since\":7,\"results\":[{\"register\":\"%r2\",");
  run_free(run);
}

static const char barrier[] = ENTRY "st.shared.u32 [s], %r30;\n"
                                    "bar.sync 3;\nret;\n}\n";

static void test_barrier(void) {
  struct run *run = run_once(barrier, 64);
  HAS(run, 6, "{\"event\":\"arrive\",\"seq\":5,\"step\":5,\"warp\":0,");
  HAS(run, 6, "\"op\":\"bar.sync\",\"barrier\":3}");
  HAS(run, 7, "\"step\":6,\"warp\":1,");
  HAS(run, 12, "{\"event\":\"arrive\",\"seq\":11,\"step\":11,\"warp\":1,");
  HAS(run, 13, "{\"event\":\"leave\",\"seq\":12,\"step\":11,\"warp\":0,");
  HAS(run, 13, "\"barrier\":3,\"since\":5}");
  HAS(run, 14, "{\"event\":\"leave\",\"seq\":13,\"step\":11,\"warp\":1,");
  HAS(run, 14, "\"since\":11}");
  HAS(run, 17, "\"events\":16,\"steps\":14,");
  run_free(run);
}

static void test_choice(void) {
  struct trace_setup setup = all;
  setup.warp = 1;
  setup.block = 2;
  struct run *run = run_times(barrier, 3, 64, setup, 1);
  HAS(run, 0,
      "\"grid\":[3,1,1],\"block_shape\":[64,1,1],\"block\":2,"
      "\"warps\":2,\"only_warp\":1}");
  HAS(run, 1, "\"seq\":0,\"step\":6,\"warp\":1,");
  HAS(run, 7, "\"event\":\"leave\"");
  HAS(run, 9, "\"events\":8,\"steps\":14,");
  tap_is_u64(run->count, 10, "only the lines of one warp");
  run_free(run);
  setup.block = 3;
  run = run_times(barrier, 3, 64, setup, 1);
  tap_ok(!run->begun && run->count == 0, "no such block: no trace");
  tap_ok(strcmp(run->message, "SIM_TRACE_BLOCK=3, but the grid of kernel k has "
                              "3 blocks, counted from 0") == 0,
         "%s", run->message);
  run_free(run);
  setup.block = 0;
  run = run_times(barrier, 3, 32, setup, 1);
  tap_ok(!run->begun && run->count == 0, "no such warp: no trace");
  tap_ok(strcmp(run->message, "SIM_TRACE_WARP=1, but a block of kernel k has 1 "
                              "warp, counted from 0") == 0,
         "%s", run->message);
  run_free(run);
}

static void test_limit(void) {
  struct trace_setup setup = all;
  setup.limit = 16;
  struct run *run = run_times(barrier, 1, 64, setup, 1);
  HAS(run, 17, "\"events\":16,\"steps\":14,\"cut\":false,");
  run_free(run);
  setup.limit = 15;
  run = run_times(barrier, 1, 64, setup, 2);
  HAS(run, 16, "\"events\":15,\"steps\":14,\"cut\":true,");
  tap_is_u64(run->count, 17, "nothing after a cut");
  run_free(run);
  run = run_times(barrier, 1, 64, all, 2);
  tap_is_u64(run->count, 36, "two launches in one file");
  HAS(run, 19, "\"seq\":16,\"step\":0,");
  HAS(run, 35, "\"events\":32,\"steps\":14,\"cut\":false,");
  run_free(run);
}

static void test_faults(void) {
  struct run *run =
      run_once(ENTRY "st.global.u32 [%d3+4096], %r30;\nret;\n}\n", 2);
  HAS(run, 5, "{\"event\":\"fault\",\"seq\":4,\"step\":4,");
  HAS(run, 5, "\"addresses\":[\"0x0000100000001000\",");
  tap_ok(!has(run, 5, "sectors"), "what was not done has no cost");
  HAS(run, 6,
      "\"events\":5,\"steps\":5,\"cut\":false,"
      "\"fault\":\"out-of-bounds\"}");
  run_free(run);
  run = run_once(ENTRY "setp.lt.u32 %q1, %r30, 1;\n@%q1 bra END;\n"
                       "bar.warp.sync 3;\nEND:\nbar.warp.sync 3;\n"
                       "shfl.sync.idx.b32 %r1, %r30, 0, 31, 1;\nret;\n}\n",
                 2);
  HAS(run, run->count - 1, "\"cut\":false,\"fault\":");
  run_free(run);
  run = run_once(ENTRY "setp.lt.u32 %q1, %r30, 1;\n"
                       "@%q1 shfl.sync.idx.b32 %r1, %r30, 0, 31, 3;\n"
                       "@!%q1 bar.warp.sync 3;\nret;\n}\n",
                 2);
  HAS(run, run->count - 1, "\"fault\":\"deadlock\"}");
  HAS(run, run->count - 2, "\"event\":\"arrive\"");
  HAS(run, run->count - 3, "\"event\":\"arrive\"");
  run_free(run);
}

static void test_source(void) {
  struct run *run =
      run_once(HEAD ".file 1 \"kernel.cu\"\n.visible .entry k(.param .u64 p)\n"
                    "{\n.reg .b32 %r<2>;\n.loc 1 12 3\nmov.u32 %r1, 5;\n}\n",
               1);
  HAS(run, 1, "\"source\":\"kernel.cu:12\",\"op\":\"mov.u32\"");
  HAS(run, 2, "\"op\":\"ret\"}");
  run_free(run);
}

static void test_no_file(void) {
  char message[400] = "";
  struct trace_setup setup = all;
  setup.path = "/nonexistent/trace";
  tap_ok(trace_open(&setup, message, sizeof message) == NULL, "no such folder");
  tap_ok(strcmp(message, "SIM_TRACE=/nonexistent/trace cannot be written: No "
                         "such file or directory") == 0,
         "%s", message);
  trace_close(NULL);
}

int main(void) {
  test_memory();
  test_results();
  test_shuffle();
  test_meeting();
  test_barrier();
  test_choice();
  test_limit();
  test_faults();
  test_source();
  test_no_file();
  return tap_done();
}
