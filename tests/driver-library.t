#!/usr/bin/env bash
# build/sim/libcuda.so.1 from outside: its name, its symbols, and a program
# that was linked with -lcuda and knows nothing of the simulator.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

library=${LIBRARY:-build/sim}
compiler=$(tools/find-tools.sh | sed -n 's/^FOUND_CC=//p')
theirs=$(tools/find-tools.sh | sed -n 's/^CUDA_INCLUDE=//p')
ours=tangled/compat

ok "$([ -f "$library/libcuda.so.1" ] && echo 0)" "libcuda.so.1 is there"
ok "$([ -e "$library/libcuda.so" ] && echo 0)" "and libcuda.so, to link with"
if has readelf; then
  like "$(readelf -d "$library/libcuda.so.1")" 'SONAME.*\[libcuda.so.1\]' \
    "its name is libcuda.so.1"
fi
nm -D --defined-only "$library/libcuda.so.1" | awk '{ print $3 }' |
  sort >"$scratch/exported"
is "$(grep -vc '^cu[A-Z]' "$scratch/exported")" 0 "only the API is exported"

# Every function of our header, by the name that a program asks the linker for.
declared() { # MACRO...
  "$compiler" -E -P "$@" -I$ours $ours/cudaProfiler.h | tr '\n' ' ' |
    sed 's/;/;\n/g' | grep -v static |
    sed -nE 's/^.*\bCUresult +(cu[A-Z][A-Za-z0-9_]*)\(.*\);$/\1/p' | sort
}
declared >"$scratch/declared"
is "$(comm -23 "$scratch/declared" "$scratch/exported")" "" \
  "every declared function is exported"
declared -DCUDA_API_PER_THREAD_DEFAULT_STREAM >"$scratch/declared"
is "$(comm -23 "$scratch/declared" "$scratch/exported")" "" \
  "also those for a default stream of each thread"
for old in cuCtxCreate_v2 cuCtxCreate_v3 cuEventElapsedTime cuStreamDestroy \
  cuEventDestroy cuCtxDestroy cuDevicePrimaryCtxRelease cuGetProcAddress; do
  ok "$(grep -qx $old "$scratch/exported" && echo 0)" "older programs find $old"
done

# Every plain name can be asked for.
cat >"$scratch/ask.c" <<'C'
#include <cuda.h>
#include <stdio.h>
int main(void) {
  char name[100];
  while (scanf("%99s", name) == 1) {
    void *function = NULL;
    CUdriverProcAddressQueryResult status;
    if (cuGetProcAddress(name, &function, 13000, 0, &status) != CUDA_SUCCESS ||
        status != CU_GET_PROC_ADDRESS_SUCCESS || function == NULL)
      puts(name);
  }
  return 0;
}
C
cat >"$scratch/program.c" <<'C'
#include <cuda.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr in, out;
  float data[64], factor = 3;
  unsigned n = 64;
  char name[64];
  void *params[] = {&in, &out, &factor, &n};
  if (cuInit(0) || cuDeviceGetName(name, 64, 0) ||
      cuCtxCreate(&context, NULL, 0, 0) ||
      cuModuleLoad(&module, "tests/ptx/run/scale.ptx") ||
      cuModuleGetFunction(&kernel, module, "scale") ||
      cuMemAlloc(&in, sizeof data) || cuMemAlloc(&out, sizeof data))
    return 1;
  for (int i = 0; i < 64; i++)
    data[i] = (float)i;
  if (cuMemcpyHtoD(in, data, sizeof data) ||
      cuLaunchKernel(kernel, 2, 1, 1, 32, 1, 1, 0, NULL, params, NULL) ||
      cuCtxSynchronize() || cuMemcpyDtoH(data, out, sizeof data) ||
      cuModuleUnload(module) || cuMemFree(in) || cuMemFree(out) ||
      cuCtxDestroy(context))
    return 2;
  printf("%s %g %g\n", name, data[1], data[63]);
  return 0;
}
C
build() { # FOLDER-WITH-cuda.h NAME FLAG...
  local include=$1 name=$2
  shift 2
  "$compiler" -std=c11 "$@" -isystem "$include" "$scratch/$name.c" \
    -o "$scratch/$name" -L"$library" -lcuda 2>&1
}
export LD_LIBRARY_PATH=$library
is "$(build $ours ask)" "" "a program is linked"
grep -ohE '\bCUDAAPI cu[A-Za-z0-9]+' $ours/*.h | sed 's/.* //' >"$scratch/names"
is "$("$scratch/ask" <"$scratch/names")" "" "cuGetProcAddress finds every name"
is "$("$scratch/ask" <<<"cuNope")" cuNope "but not one that is not there"

each=-DCUDA_API_PER_THREAD_DEFAULT_STREAM
is "$(build $ours program && "$scratch/program")" "simulator 3 189" \
  "a program compiled with our cuda.h"
is "$(build $ours program $each && "$scratch/program")" "simulator 3 189" \
  "with a default stream for each thread"
if [ -n "$theirs" ]; then
  is "$(build "$theirs" program && "$scratch/program")" "simulator 3 189" \
    "a program compiled with the toolkit's cuda.h"
  is "$(build "$theirs" program $each && "$scratch/program")" \
    "simulator 3 189" "with a default stream for each thread"
else
  skip "a program compiled with the toolkit's cuda.h" "there is no toolkit here"
fi
SIM_REPORT=$scratch/report "$scratch/program" >/dev/null
is "$(wc -l <"$scratch/report")" 1 "one launch, one line in the report"
SIM_REPORT=$scratch/report "$scratch/program" >/dev/null
is "$(wc -l <"$scratch/report")" 2 "and the next is appended"
is "$(sed 's/"seconds":[0-9.]*/S/' "$scratch/report" | sort -u | wc -l)" 1 \
  "with the same counters"
finish
