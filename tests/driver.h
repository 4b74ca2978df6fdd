/* What the tests of the Driver API share. They hold on a GPU, too: there they
 * are linked with NVIDIA's library, and on_simulator() is false. */
#ifndef SHUFFLE_LADDER_TESTS_DRIVER_H
#define SHUFFLE_LADDER_TESTS_DRIVER_H

#include <cuda.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* A module with a kernel for each purpose. */
static const char driver_ptx[] =
    ".version 8.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".global .align 4 .u32 table[4] = {1, 2, 3, 4};\n"
    ".visible .entry store(.param .u64 p, .param .u32 n)\n"
    "{\n"
    "  .reg .b64 %rd<5>;\n"
    "  .reg .b32 %r<5>;\n"
    "  ld.param.u64 %rd1, [p];\n"
    "  ld.param.u32 %r1, [n];\n"
    "  cvta.to.global.u64 %rd2, %rd1;\n"
    "  mov.u32 %r2, %tid.x;\n"
    "  mul.wide.u32 %rd3, %r2, 4;\n"
    "  add.s64 %rd4, %rd2, %rd3;\n"
    "  add.s32 %r3, %r1, %r2;\n"
    "  st.global.u32 [%rd4], %r3;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry bad()\n"
    "{\n"
    "  .reg .b64 %rd<2>;\n"
    "  .reg .b32 %r<2>;\n"
    "  mov.u64 %rd1, 16;\n"
    "  mov.u32 %r1, 1;\n"
    "  st.global.u32 [%rd1], %r1;\n" /* line 25 */
    "  ret;\n"
    "}\n"
    ".visible .entry crooked(.param .u64 p)\n"
    "{\n"
    "  .reg .b64 %rd<2>;\n"
    "  .reg .b32 %r<2>;\n"
    "  ld.param.u64 %rd1, [p];\n"
    "  mov.u32 %r1, 1;\n"
    "  st.global.u32 [%rd1+2], %r1;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry stop()\n"
    "{\n"
    "  trap;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry empty()\n"
    "{\n"
    "  ret;\n"
    "}\n"
    ".visible .entry narrow()\n"
    ".maxntid 64, 1, 1\n"
    "{\n"
    "  ret;\n"
    "}\n"
    ".visible .entry shared()\n"
    "{\n"
    "  .shared .align 4 .b8 room[1024];\n"
    "  .reg .b32 %r<2>;\n"
    "  mov.u32 %r1, 1;\n"
    "  st.shared.u32 [room], %r1;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry endless()\n"
    "{\n"
    "again:\n"
    "  bra again;\n"
    "}\n";

enum { DRIVER_KERNELS = 8 };

__attribute__((unused)) static bool driver_is(CUresult got, CUresult want,
                                              const char *what) {
  const char *name = "?";
  if (tap_ok(got == want, "%s", what))
    return true;
  if (cuGetErrorName(got, &name) != CUDA_SUCCESS)
    name = "?";
  printf("#      got %d %s\n# expected %d\n", (int)got, name, (int)want);
  return false;
}

/* IS(cuMemFree(0), CUDA_SUCCESS): the call is the name of the test. */
#define IS(call, want) driver_is(call, want, #call)
#define GOOD(call) driver_is(call, CUDA_SUCCESS, #call)

__attribute__((unused)) static bool on_simulator(void) {
  char name[64] = "";
  cuInit(0);
  cuDeviceGetName(name, sizeof name, 0);
  return strcmp(name, "simulator") == 0;
}

/* Makes the primary context current and loads driver_ptx. */
__attribute__((unused)) static CUmodule driver_start(CUcontext *context) {
  CUmodule module = NULL;
  CUcontext primary = NULL;
  if (cuInit(0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&primary, 0) != CUDA_SUCCESS ||
      cuCtxSetCurrent(primary) != CUDA_SUCCESS ||
      cuModuleLoadData(&module, driver_ptx) != CUDA_SUCCESS) {
    printf("Bail out! the module of the tests does not load\n");
    exit(1);
  }
  if (context != NULL)
    *context = primary;
  return module;
}

__attribute__((unused)) static CUfunction driver_kernel(CUmodule module,
                                                        const char *name) {
  CUfunction function = NULL;
  if (cuModuleGetFunction(&function, module, name) != CUDA_SUCCESS) {
    printf("Bail out! there is no kernel %s\n", name);
    exit(1);
  }
  return function;
}

/* Runs `body` in a process of its own, for a fault is for ever. Its tests are
 * numbered on from ours. Its stderr goes to `errors` (a file), if not NULL. */
__attribute__((unused)) static void driver_apart(void (*body)(void),
                                                 const char *errors) {
  int ends[2], status = 0, counts[2] = {0, 0};
  pid_t child;
  fflush(stdout);
  if (pipe(ends) != 0 || (child = fork()) < 0) {
    printf("Bail out! no process\n");
    exit(1);
  }
  if (child == 0) {
    close(ends[0]);
    if (errors != NULL && freopen(errors, "w", stderr) == NULL)
      _exit(1);
    body();
    fflush(stdout);
    fflush(stderr);
    counts[0] = tap_count;
    counts[1] = tap_failures;
    _exit(write(ends[1], counts, sizeof counts) != sizeof counts);
  }
  close(ends[1]);
  ssize_t got = read(ends[0], counts, sizeof counts);
  close(ends[0]);
  waitpid(child, &status, 0);
  if (got == (ssize_t)sizeof counts) {
    tap_count = counts[0];
    tap_failures = counts[1];
  }
  tap_ok(got == (ssize_t)sizeof counts && status == 0,
         "the process came to its end");
}

#endif
