/* Records what a GPU does with the instructions of arithmetic.h. Run without
 * arguments it writes PTX, a kernel a trial, to standard output. With the name
 * of a module made from that (and of a file for all results, if wanted), it
 * runs the kernels and writes one line a trial: a hash of all results. It runs
 * on a GPU and on the simulator alike. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#include "arithmetic.h"

static const char *register_type(char kind) {
  static const char *const names[] = {".pred", "", ".b16", "",    ".b32",
                                      "",      "", "",     ".b64"};
  return names[trial_bytes(kind)];
}

static void write_kernel(uint32_t t) {
  const char *kinds = trials[t].kinds, *constant = strchr(kinds, '#');
  uint32_t count =
      (uint32_t)(constant ? constant - kinds : (long)strlen(kinds));
  printf(".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n"
         ".reg .b32 %%t<5>; .reg .b64 %%a<6>; .reg .b64 %%v; .reg .pred %%e;\n",
         t);
  for (uint32_t i = 0; i < count; i++)
    printf(".reg %s %%x%u;\n", register_type(kinds[i]), i);
  printf("ld.param.u64 %%a0, [in]; ld.param.u64 %%a1, [out];\n"
         "mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x;\n"
         "mad.lo.u32 %%t2, %%t1, 256, %%t0;\n"
         "mad.wide.u32 %%a2, %%t2, 32, %%a0;\n"
         "mad.wide.u32 %%a3, %%t2, 16, %%a1;\n");
  for (uint32_t i = 1; i < count; i++) {
    printf("ld.global.u64 %%v, [%%a2+%u];\n", 8 * (i - 1));
    switch (trial_bytes(kinds[i])) {
    case 0:
      printf("and.b64 %%v, %%v, 1; setp.ne.u64 %%x%u, %%v, 0;\n", i);
      break;
    case 8:
      printf("mov.b64 %%x%u, %%v;\n", i);
      break;
    default:
      printf("cvt.u%u.u64 %%x%u, %%v;\n", 8 * trial_bytes(kinds[i]), i);
    }
  }
  printf("%s %%x0%s", trials[t].text, kinds[0] == 'P' ? "|%e" : "");
  for (uint32_t i = 1; i < count; i++)
    printf(", %%x%u", i);
  printf("%s%s;\n", constant ? ", " : "", constant ? constant + 1 : "");
  if (trial_bytes(kinds[0]) == 0)
    printf("selp.b64 %%v, 1, 0, %%x0;\n");
  else if (trial_bytes(kinds[0]) == 8)
    printf("mov.b64 %%v, %%x0;\n");
  else
    printf("cvt.u64.u%u %%v, %%x0;\n", 8 * trial_bytes(kinds[0]));
  printf("st.global.u64 [%%a3], %%v;\n");
  if (kinds[0] == 'P')
    printf("selp.b64 %%v, 1, 0, %%e;\n");
  else
    printf("mov.b64 %%v, 0;\n");
  printf("st.global.u64 [%%a3+8], %%v;\nret;\n}\n");
}

static void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  fprintf(stderr, "%s: error %d\n", what, (int)result);
  exit(1);
}

static uint64_t inputs[INPUTS][4], outputs[INPUTS][2];

static void fill_inputs(const char *kinds) {
  for (uint32_t n = 0; n < INPUTS; n++)
    for (uint32_t i = 0; i < 4; i++)
      inputs[n][i] = i + 1 < strlen(kinds) && kinds[i + 1] != '#'
                         ? trial_input(kinds[i + 1], i, n)
                         : 0;
}

static void run_trial(uint32_t t, CUmodule module, CUdeviceptr in,
                      CUdeviceptr out, FILE *all) {
  char name[16];
  CUfunction function;
  const char *kinds = trials[t].kinds;
  uint32_t bytes = trial_bytes(kinds[0]);
  void *arguments[] = {&in, &out};
  snprintf(name, sizeof name, "k%u", t);
  fill_inputs(kinds);
  check(cuModuleGetFunction(&function, module, name), name);
  check(cuMemcpyHtoD(in, inputs, sizeof inputs), name);
  check(cuLaunchKernel(function, INPUTS / 256, 1, 1, 256, 1, 1, 0, NULL,
                       arguments, NULL),
        name);
  check(cuMemcpyDtoH(outputs, out, sizeof outputs), name);
  uint64_t hash = TRIAL_HASH;
  for (uint32_t n = 0; n < INPUTS; n++)
    hash = trial_hash(trial_hash(hash, outputs[n][0]), outputs[n][1]);
  printf("%s %s %016llx\n", trials[t].text, kinds, (unsigned long long)hash);
  for (uint32_t n = 0; all && n < INPUTS; n++)
    fwrite(&outputs[n][0], bytes ? bytes : 1, 1, all);
}

static void run_all(const char *file, FILE *all) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUdeviceptr in, out;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "the context");
  check(cuCtxSetCurrent(context), "the context");
  check(cuModuleLoad(&module, file), file);
  check(cuMemAlloc(&in, sizeof inputs), "memory");
  check(cuMemAlloc(&out, sizeof outputs), "memory");
  for (uint32_t t = 0; t < TRIALS; t++)
    run_trial(t, module, in, out, all);
}

int main(int count, char **words) {
  FILE *all = count > 2 ? fopen(words[2], "wb") : NULL;
  if (count > 1) {
    run_all(words[1], all);
    return all ? fclose(all) != 0 : 0;
  }
  printf(".version 8.6\n.target sm_90\n.address_size 64\n");
  for (uint32_t t = 0; t < TRIALS; t++)
    write_kernel(t);
  return 0;
}
