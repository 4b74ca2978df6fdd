#!/usr/bin/env bash
# Debug builds: nvcc -G emits calls, local memory and generic addresses. The
# chapters give the same partial sums that way, for three targets.
. "$(dirname "$0")/lib.sh"
eval "$(tools/find-tools.sh | grep '^NVCC=')"
if [ -z "${NVCC:-}" ]; then
  skip "the chapters run as debug builds" "there is no nvcc here"
  finish
fi
export LD_LIBRARY_PATH=build/sim SIM_CHECK=1
for chapter in 1 2 3 4; do
  for arch in 75 80 90; do
    "$NVCC" -ptx -G -arch=compute_$arch -fmad=false \
      "tangled/chapter$chapter/reduce.cu" -o "$scratch/debug.ptx" || continue
    said=$(SIM_REPORT=$scratch/launches "build/chapter$chapter/reduce" \
      --ptx "$scratch/debug.ptx" --n 100001 --block 256 --counts show \
      --report "$scratch/report.json" --ptx-origin built --compiled no 2>&1)
    like "$said" 'partials +391 of 391 equal' \
      "chapter $chapter, -G for compute_$arch: the same partial sums"
    like "$said" 'mistakes +none found' "and no mistake is found in it"
    rm -f "$scratch/launches" "$scratch/report.json"
  done
done
is "$count" 24 "all twelve builds were run"
finish
