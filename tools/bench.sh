#!/usr/bin/env bash
# bench.sh: how fast the simulator is and what it holds, measured. Prints a
# table, writes build/bench.json. Medians of RUNS runs (default 7), DEVICE=sim.
#
#   launches   chapters 1 and 4: warp instructions a second, counting, mistake
#              finder off and on, one host thread and all
#   make       the whole of `make chapter4`, from a clean copy and again
#   memory     the peak of chapter 4's run, beyond its device arrays
set -uo pipefail
export LC_ALL=C
runs=${RUNS:-7}
n=${N:-4194304}
block=${BLOCK:-256}
cores=$(nproc)
out=build/bench.json
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() { [ -t 2 ] && printf '\r%-60s' "$*" >&2; }

fail() {
  echo "bench: $*" >&2
  exit 2
}

median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

# launch CHAPTER THREADS CHECK: "seconds instructions" of one launch.
launch() {
  local report=$scratch/launches
  rm -f "$report"
  LD_LIBRARY_PATH=build/sim SIM_REPORT=$report SIM_THREADS=$2 SIM_CHECK=$3 \
    "build/chapter$1/reduce" --ptx "build/chapter$1/reduce.ptx" --n "$n" \
    --block "$block" --report "$scratch/report.json" --ptx-origin built \
    --compiled no >/dev/null 2>&1
  [ -s "$report" ] || fail "chapter $1 did not run"
  sed -E 's/.*"seconds":([0-9.]+).*"instructions":([0-9]+).*/\1 \2/' "$report"
}

json=
bench_launch() { # CHAPTER THREADS CHECK
  local run seconds instructions rate words
  for run in $(seq "$runs"); do
    say "chapter $1, $2 thread(s), run $run of $runs"
    words=$(launch "$1" "$2" "$3") || exit 2
    echo "$words"
  done >"$scratch/times"
  seconds=$(cut -d' ' -f1 "$scratch/times" | median)
  instructions=$(head -1 "$scratch/times" | cut -d' ' -f2)
  rate=$(awk "BEGIN {printf \"%.1f\", $instructions / $seconds / 1e6}")
  say
  printf '\r%-9s %7s %8s %16s %10s %14s\n' "$1" "$2" \
    "$([ "$3" = 1 ] && echo on || echo off)" "$instructions" "$seconds" "$rate"
  json+="${json:+,
}    {\"chapter\": $1, \"threads\": $2, \"mistake_finder\": $([ "$3" = 1 ] &&
    echo true || echo false), \"warp_instructions\": $instructions, \
\"median_seconds\": $seconds, \"million_a_second\": $rate}"
}

# whole FOLDER: seconds that `make chapter4` takes there.
whole() {
  build/tools/measure make -C "$1" chapter4 N="$n" BLOCK="$block" DEVICE=sim |
    cut -d' ' -f1
}

echo "N=$n BLOCK=$block, $cores processors, medians of $runs runs"
printf '%-9s %7s %8s %16s %10s %14s\n' chapter threads finder \
  'warp instructions' seconds 'million/s'
for chapter in 1 4; do
  for threads in $(printf '%s\n' 1 "$cores" | sort -nu); do
    bench_launch $chapter "$threads" 0
    bench_launch $chapter "$threads" 1
  done
done

say "make chapter4 in a clean copy"
mkdir "$scratch/copy"
cp -r Makefile mk tools chapters tangled .clang-format "$scratch/copy/"
[ ! -d .toolchain ] || ln -s "$PWD/.toolchain" "$scratch/copy/.toolchain"
cold=$(whole "$scratch/copy")
warm=$(for _ in 1 2 3; do whole "$scratch/copy"; done | median)
say
printf '\rmake chapter4: %s s from a clean copy, %s s again\n' "$cold" "$warm"

peak=$(LD_LIBRARY_PATH=build/sim SIM_CHECK=0 build/tools/measure \
  build/chapter4/reduce --ptx build/chapter4/reduce.ptx --n "$n" \
  --block "$block" --report "$scratch/report.json" --ptx-origin built \
  --compiled no | cut -d' ' -f2)
blocks=$(((n + block - 1) / block))
arrays=$(((n + blocks) * 4 / 1024))
printf 'memory of chapter 4: peak %s KiB, %s KiB beyond the device arrays\n' \
  "$peak" $((peak - arrays))

mkdir -p build
cat >"$out" <<END
{
  "n": $n, "block": $block, "processors": $cores, "runs": $runs,
  "launches": [
$json
  ],
  "make_chapter4_seconds": {"cold": $cold, "warm": $warm},
  "peak_kib": $peak, "device_arrays_kib": $arrays
}
END
echo "written to $out"
