#!/usr/bin/env bash
# find-tools.sh: prints NAME=PATH, one a line, for each compiler that the book
# can use; a missing one is left out. Tools on PATH come first, then those that
# `make setup` put into .toolchain. An nvcc older than 12.0 is passed over.
set -u
toolchain=${TOOLCHAIN:-.toolchain}
[ ! -d "$toolchain" ] || toolchain=$(cd "$toolchain" && pwd)

nvcc_release() {
  "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p'
}

# The first of the given commands that is there.
first_of() {
  local name
  for name in "$@"; do
    command -v "$name" 2>/dev/null && return
  done
}

# A CUDA tool: on PATH, beside nvcc, or in the toolchain.
cuda_tool() {
  local place
  command -v "$1" 2>/dev/null && return
  for place in ${NVCC:+"${NVCC%/*}"} "$toolchain"/*/nvidia/cu13/bin; do
    if [ -x "$place/$1" ]; then
      echo "$place/$1"
      return
    fi
  done
}

say() {
  [ -z "$2" ] || echo "$1=$2"
}

NVCC=
for candidate in "$(command -v nvcc)" \
  "$toolchain"/*/nvidia/cu13/bin/nvcc; do
  [ -x "$candidate" ] || continue
  release=$(nvcc_release "$candidate")
  if [ "${release:-0}" -ge 12 ]; then
    NVCC=$candidate
    break
  fi
done

# ptxas must be nvcc's own; any later nvdisasm reads what it writes.
PTXAS=
[ -n "$NVCC" ] && [ -x "${NVCC%/*}/ptxas" ] && PTXAS=${NVCC%/*}/ptxas
[ -n "$PTXAS" ] || PTXAS=$(cuda_tool ptxas)

CUDA_INCLUDE=
if [ -n "$NVCC" ]; then
  real=$(dirname "$(readlink -f "$NVCC")")
  for place in "$real/../include" \
    "$real/../targets/$(uname -m)-linux/include"; do
    if [ -f "$place/cuda.h" ]; then
      CUDA_INCLUDE=$(cd "$place" && pwd)
      break
    fi
  done
fi

say FOUND_CC "$(first_of gcc clang cc)"
say FOUND_CLANG "$(first_of clang)"
say NOTANGLE "$(first_of notangle)"
say NVCC "$NVCC"
say PTXAS "$PTXAS"
say NVDISASM "$(cuda_tool nvdisasm)"
say CUOBJDUMP "$(cuda_tool cuobjdump)"
say CUDA_INCLUDE "$CUDA_INCLUDE"
