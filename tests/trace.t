#!/usr/bin/env bash
# SIM_TRACE, from outside: through ptxrun and through libcuda. What the lines
# hold is tests/unit/trace.c's affair.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

run=${PTXRUN:-build/sim/ptxrun}
ptx=tests/ptx/run
trace=$scratch/trace.jsonl
unset SIM_THREADS SIM_LIMIT SIM_SCHEDULE SIM_CHECK SIM_REPORT
unset SIM_TRACE SIM_TRACE_BLOCK SIM_TRACE_WARP SIM_TRACE_LIMIT

scale() { # N
  "$run" --grid 3 --block 64 --arg in:f32:0..191 --arg out:f32:192 \
    --arg f32:2 --arg "u32:$1" $ptx/scale.ptx
}
plain=$(scale 192)
is "$(SIM_TRACE=$trace scale 192)" "$plain" "the run itself is the same"
is "$(grep -c '"event":"run"' "$trace")" 38 "19 instructions of two warps"
is "$(grep -c '"sectors":4' "$trace")" 4 "two loads and two stores, whole"
like "$(tail -1 "$trace")" '"cut":false,"fault":null}$' "the last line says so"

# The costs of all blocks' lines together are the counters.
sectors=0
for block in 0 1 2; do
  SIM_TRACE=$trace SIM_TRACE_BLOCK=$block scale 150 >"$scratch/out"
  while read -r n; do
    sectors=$((sectors + n))
  done < <(sed -n 's/.*"sectors":\([0-9]*\).*/\1/p' "$trace")
done
counted=$(awk '/^global_(load|store)_sectors/ { n += $2 } END { print n }' \
  "$scratch/out")
is "$sectors" "$counted" "sectors of the lines, summed up: $counted"

# refuses REGEX NAME COMMAND...: status 2 and one line, and no counters.
refuses() {
  local regex=$1 name=$2 out
  shift 2
  out=$("$@" 2>&1)
  is $? 2 "$name: status 2"
  like "$out" "$regex" "$name: says so"
  is "$(wc -l <<<"$out")" 1 "$name: in one line"
}
export SIM_TRACE=$trace
SIM_TRACE_BLOCK=3 refuses '^ptxrun: SIM_TRACE_BLOCK=3, but the grid of kernel scale has 3 blocks' \
  "no such block" scale 192
SIM_TRACE_WARP=2 refuses '^ptxrun: SIM_TRACE_WARP=2, but a block of kernel scale has 2 warps' \
  "no such warp" scale 192
SIM_TRACE_LIMIT=0 refuses '^ptxrun: SIM_TRACE_LIMIT=0 is not' "no events" scale 192
SIM_TRACE=$scratch/no/trace refuses '^ptxrun: SIM_TRACE=.*/no/trace cannot be written: ' \
  "a file that cannot be" scale 192
SIM_TRACE=$scratch/none "$run" --check $ptx/scale.ptx >/dev/null
ok "$([ ! -e "$scratch/none" ]; echo $?)" "--check traces nothing"
[ -e /dev/full ] && SIM_TRACE=/dev/full refuses '^ptxrun: cannot write to the file of SIM_TRACE$' \
  "a full disk" eval 'scale 192 2>&1 >/dev/null'

# Through the library: the launch runs even where it cannot be traced.
reduce() { # BLOCK
  LD_LIBRARY_PATH=build/sim build/chapter4/reduce --ptx build/chapter4/reduce.ptx \
    --n 512 --block 64 2>&1
}
if [ -x build/chapter4/reduce ] && [ -f build/chapter4/reduce.ptx ]; then
  said=$(SIM_TRACE_BLOCK=7 reduce)
  is $? 0 "chapter 4 under a trace"
  unlike "$said" SIM_TRACE "and nothing is said"
  is "$(grep -c '"event":"leave"' "$trace")" 2 "two warps leave the barrier"
  said=$(SIM_TRACE_BLOCK=8 reduce)
  is $? 0 "a block that is not there: the launch runs"
  like "$said" '^simulator: SIM_TRACE_BLOCK=8, but the grid of kernel reduce has 8 blocks, counted from 0$' \
    "and it is said"
  is "$(wc -c <"$trace")" 0 "the trace is empty"
else
  skip "through the library" "chapter 4 is not built"
fi
finish
