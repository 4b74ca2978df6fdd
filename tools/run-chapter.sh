#!/usr/bin/env bash
# run-chapter.sh CHAPTER [--no-listing]: runs one chapter that make has built.
#
# N, BLOCK, DEVICE and ARCH come from the environment, as make passes them.
# Writes build/chapterCHAPTER/report.json and, beside it, status: 0 the run was
# judged right, 1 judged wrong, 2 it could not run. That is the exit status too.
# RESULTS names another folder for them.
set -uo pipefail

here=$(dirname "$0")
chapter=${1:-}
listing=yes
[ "${2:-}" = --no-listing ] && listing=no
n=${N:-4194304}
block=${BLOCK:-256}
device=${DEVICE:-auto}
folder=build/chapter$chapter
# Where the run leaves what it finds.
results=${RESULTS:-$folder}

finish() { # STATUS [MESSAGE]
  [ $# -lt 2 ] || echo "chapter $chapter: $2" >&2
  [ -d "$results" ] && echo "$1" >"$results/status"
  exit "$1"
}

# Is there a driver library and a device it can drive?
gpu_is_here() {
  { [ -e /dev/nvidia0 ] || [ -e /dev/dxg ]; } && driver_is_here
}

driver_is_here() {
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null |
    grep -q 'libcuda\.so\.1'
}

[[ $chapter =~ ^[0-9]+$ ]] || {
  echo "usage: tools/run-chapter.sh CHAPTER [--no-listing]" >&2
  exit 2
}
"$here/check-vars.sh" || finish 2
program=$folder/reduce
if [ ! -x "$program" ] || [ ! -f "$folder/reduce.ptx" ]; then
  finish 2 "not built; run: make chapter$chapter"
fi

if [ "$device" = auto ]; then
  device=sim
  gpu_is_here && device=gpu
fi
if [ "$device" = gpu ] && ! driver_is_here; then
  finish 2 "DEVICE=gpu, but no CUDA driver (libcuda.so.1) is installed here"
fi

origin=$(cat "$folder/reduce.origin" 2>/dev/null || echo recorded)
compiled=no
[ -s "$folder/reduce.cubin" ] && compiled=yes
[ "$origin" = built ] ||
  echo "chapter $chapter: no nvcc here, so this runs the recorded PTX"

report=$results/report.json
launches=$results/launches.jsonl
rm -f "$report" "$launches" "$results/status"
run=("$program" --ptx "$folder/reduce.ptx" --n "$n" --block "$block"
  --report "$report" --ptx-origin "$origin" --compiled "$compiled")

# Nsight Compute counts on a GPU, where it is installed and allowed to.
count_with_ncu() {
  local csv=$results/ncu.csv metrics
  rm -f "$csv"
  command -v ncu >/dev/null || return
  metrics=$(grep -v '^#' "$here/ncu-metrics.txt" | paste -sd, -)
  echo "chapter $chapter: counting with Nsight Compute"
  if ncu --csv --log-file "$csv" --metrics "$metrics" "${run[@]}" \
    >/dev/null 2>&1 && [ -s "$csv" ]; then
    run+=(--ncu "$csv")
  else
    echo "chapter $chapter: Nsight Compute could not count; no counters"
  fi
}

if [ "$device" = sim ]; then
  export LD_LIBRARY_PATH=build/sim${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export SIM_CHECK=${SIM_CHECK:-1} SIM_REPORT=$launches
else
  unset SIM_REPORT
  count_with_ncu
fi

# A place in a tangled kernel becomes one in its chapter.
in_chapters() {
  awk -v plain=1 -v maps="tangled/chapter$chapter/lines.map" \
    -f "$here/nwlines.awk"
}

"${run[@]}" 2> >(in_chapters >&2) | in_chapters
status=${PIPESTATUS[0]}
if [ -f "$report" ]; then
  in_chapters <"$report" >"$report.new" && mv "$report.new" "$report"
fi
case $status in
0) ;;
1) echo "chapter $chapter: judged wrong (status 1)" >&2 ;;
2) finish 2 "could not run (status 2)" ;;
*) finish 2 "the host program ended with status $status" ;;
esac

show=build/tools/listing
if [ "$listing" = yes ] && [ -x "$show" ]; then
  files=(--ptx "$folder/reduce.ptx" --source "tangled/chapter$chapter/reduce.cu"
    --map "tangled/chapter$chapter/lines.map")
  [ -s "$folder/reduce.sass" ] && files+=(--sass "$folder/reduce.sass")
  "$show" "${files[@]}" || finish 2 "the listing could not be made"
fi
finish "$status"
