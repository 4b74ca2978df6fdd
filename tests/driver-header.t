#!/usr/bin/env bash
# Is our cuda.h what the CUDA Toolkit's is? Every enumerator, constant, layout,
# prototype and mapping of names in tangled/compat/cuda.h is turned into a
# check, and the toolkit's own header is compiled against all of them.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

ours=tangled/compat
theirs=$(tools/find-tools.sh | sed -n 's/^CUDA_INCLUDE=//p')
compiler=$(tools/find-tools.sh | sed -n 's/^FOUND_CC=//p')
# The profiler's header is not in every toolkit's folder; it includes cuda.h.
header=cudaProfiler.h
if [ -n "$theirs" ] && [ ! -f "$theirs/$header" ]; then
  header=cuda.h
  skip "the profiler's functions" "this toolkit has no cudaProfiler.h"
fi
compile() { # FOLDER-WITH-cuda.h FILE...
  local include=$1
  shift
  "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror \
    -Wno-deprecated-declarations -isystem "$include" "$@" 2>&1
}
read_header() { # FOLDER MACRO...: what the compiler sees, a statement a line
  local folder=$1
  shift
  "$compiler" -E -P -I"$folder" "$@" "$folder/$header" |
    tr '\n' ' ' | sed 's/[;{},]/&\n/g'
}

enumerators() {
  read_header "$1" |
    sed -nE 's/^ *((CU|CUDA)_[A-Z0-9_]+) *= *([-0-9a-fx]+) *[,}]?$/\1 \3/p'
}
prototypes() {
  "$compiler" -E -P -I"$1" "$1/$header" | tr '\n' ' ' |
    sed 's/;/;\n/g' | sed -nE 's/^.*\bCUresult +(cu[A-Z][A-Za-z0-9_]*)\((.*)\);$/\1 \2/p'
}
checks() { # FOLDER: C that holds if a cuda.h is like the one in FOLDER
  echo "#include <$header>"
  echo '#include <stddef.h>'
  enumerators "$1" | while read -r name value; do
    echo "_Static_assert((int)$name == $value, \"$name\");"
  done
  sed -nE 's/^#define (CU[A-Z_]*[A-Z]) ([0-9x]+)$/\1 \2/p' "$1/cuda.h" |
    while read -r name value; do
      echo "_Static_assert((long)$name == (long)$value, \"$name\");"
    done
  prototypes "$1" | while read -r name parameters; do
    echo "extern CUresult (*const check_$name)($parameters);"
    echo "CUresult (*const check_$name)($parameters) = $name;"
  done
}

layout() {
  cat <<'C'
#include <cuda.h>
#include <stddef.h>
#include <stdio.h>
#define SIZE(t) printf(#t " %zu\n", sizeof(t))
#define VALUE(v) printf(#v " %ld\n", (long)v)
#define AT(t, m) printf(#t "." #m " %zu\n", offsetof(t, m))
int main(void) {
  SIZE(CUdeviceptr), SIZE(CUdevice), SIZE(CUuuid), SIZE(CUresult);
  SIZE(CUDA_MEMCPY2D), SIZE(CUctxCreateParams), SIZE(CUexecAffinityParam);
  SIZE(CUlaunchConfig), SIZE(CUlaunchAttribute), SIZE(CUlaunchAttributeValue);
  AT(CUDA_MEMCPY2D, srcXInBytes), AT(CUDA_MEMCPY2D, srcY);
  AT(CUDA_MEMCPY2D, srcMemoryType), AT(CUDA_MEMCPY2D, srcHost);
  AT(CUDA_MEMCPY2D, srcDevice), AT(CUDA_MEMCPY2D, srcArray);
  AT(CUDA_MEMCPY2D, srcPitch), AT(CUDA_MEMCPY2D, dstXInBytes);
  AT(CUDA_MEMCPY2D, dstY), AT(CUDA_MEMCPY2D, dstMemoryType);
  AT(CUDA_MEMCPY2D, dstHost), AT(CUDA_MEMCPY2D, dstDevice);
  AT(CUDA_MEMCPY2D, dstArray), AT(CUDA_MEMCPY2D, dstPitch);
  AT(CUDA_MEMCPY2D, WidthInBytes), AT(CUDA_MEMCPY2D, Height);
  AT(CUctxCreateParams, numExecAffinityParams), AT(CUctxCreateParams, cigParams);
  AT(CUexecAffinityParam, param);
  AT(CUlaunchConfig, gridDimZ), AT(CUlaunchConfig, blockDimX);
  AT(CUlaunchConfig, sharedMemBytes), AT(CUlaunchConfig, hStream);
  AT(CUlaunchConfig, attrs), AT(CUlaunchConfig, numAttrs);
  VALUE(CU_STREAM_LEGACY), VALUE(CU_STREAM_PER_THREAD);
  VALUE(CU_DEVICE_CPU), VALUE(CU_DEVICE_INVALID), VALUE(CU_LAUNCH_PARAM_END);
  VALUE(CU_LAUNCH_PARAM_BUFFER_POINTER), VALUE(CU_LAUNCH_PARAM_BUFFER_SIZE);
  AT(CUlaunchAttribute, value), AT(CUlaunchAttributeValue, clusterDim.z);
  return 0;
}
C
}
mapped() { # FOLDER MACRO...: what each mapped name becomes
  local folder=$1
  shift
  sed -nE 's/^#define (cu[A-Z][A-Za-z0-9]*) .*/\1/p' "$ours/cuda.h" | sort -u |
    sed 's/.*/"&" &/' |
    "$compiler" -E -P "$@" -I"$folder" -include cuda.h -x c - |
    sed -n 's/^"\(.*\)" \(cu.*\)/\1 \2/p'
}

if [ -z "$compiler" ]; then
  skip "our cuda.h" "there is no C compiler"
  finish
fi
checks "$ours" >"$scratch/checks.c"
layout >"$scratch/layout.c"
said=$(compile "$ours" -c "$scratch/checks.c" -o "$scratch/checks.o")
is "$said" "" "our header agrees with itself"
asserts=$(grep -c _Static_assert "$scratch/checks.c")
functions=$(grep -c '^CUresult' "$scratch/checks.c")
ok "$([ "$asserts" -ge 250 ] && echo 0)" "$asserts values are checked"
ok "$([ "$functions" -ge 130 ] && echo 0)" "$functions functions are checked"
is "$functions" "$(grep -ohE '\bCUDAAPI cu[A-Za-z0-9]+' \
  $ours/cuda.h "$ours/$header" | sort -u | wc -l)" "which is all of them"

# A check that cannot fail checks nothing.
mkdir "$scratch/wrong"
cp $ours/*.h "$scratch/wrong"
for edit in 's/CUDA_ERROR_INVALID_PTX = 218/CUDA_ERROR_INVALID_PTX = 219/' \
  's/CU_LIMIT_STACK_SIZE = 0/CU_LIMIT_STACK_SIZE = 5/' \
  's/cuMemFree(CUdeviceptr address)/cuMemFree(CUdevice address)/' \
  's/CU_MEMHOSTALLOC_PORTABLE 0x01/CU_MEMHOSTALLOC_PORTABLE 0x08/'; do
  sed "$edit" $ours/cuda.h >"$scratch/wrong/cuda.h"
  said=$(compile "$scratch/wrong" -c "$scratch/checks.c" -o "$scratch/x.o")
  ok "$([ -n "$said" ] && echo 0)" "noticed: $edit"
done

if [ -z "$theirs" ]; then
  skip "the toolkit's cuda.h" "there is no CUDA Toolkit here"
  finish
fi
version=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$theirs/cuda.h")
if [ "$version" -lt 13000 ] || [ "$version" -ge 14000 ]; then
  skip "the toolkit's cuda.h" "it is of version $version, ours of 13000"
  finish
fi
said=$(compile "$theirs" -c "$scratch/checks.c" -o "$scratch/checks.o")
is "$said" "" "every value and every prototype is the toolkit's"
for side in "$ours" "$theirs"; do
  compile "$side" "$scratch/layout.c" -o "$scratch/layout" >/dev/null &&
    "$scratch/layout" >"$scratch/layout.$([ "$side" = $ours ] && echo us)"
done
is "$(cat "$scratch/layout.us")" "$(cat "$scratch/layout.")" \
  "every structure is laid out like the toolkit's"
is "$(mapped $ours)" "$(mapped "$theirs")" "every name means the same function"
each=-DCUDA_API_PER_THREAD_DEFAULT_STREAM
is "$(mapped $ours $each)" "$(mapped "$theirs" $each)" \
  "also with a default stream for each thread"
finish
