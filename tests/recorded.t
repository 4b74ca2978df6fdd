#!/usr/bin/env bash
# Do the chapters give on the simulator what they gave on an H200? Counters at
# the profile size, and the sum at forty sizes and shapes each, to the last bit.
. "$(dirname "$0")/lib.sh"
recorded=tests/hardware/chapters-h200.tsv
export LD_LIBRARY_PATH=build/sim SIM_CHECK=0

run() { # CHAPTER N BLOCK: leaves $scratch/report.json
  rm -f "$scratch/launches" "$scratch/report.json"
  SIM_REPORT=$scratch/launches "build/chapter$1/reduce" \
    --ptx "build/chapter$1/reduce.ptx" --n "$2" --block "$3" --report \
    "$scratch/report.json" --ptx-origin built --compiled no >/dev/null 2>&1
}

field() { # NAME
  sed -n "s/.*\"$1\": \([-a-z0-9.e+]*\),*\$/\1/p" "$scratch/report.json" | head -1
}

same_counters() { # CHAPTER SIX-COUNTERS
  local name got=
  run "$1" 4194304 256
  for name in global_load_sectors global_store_sectors global_load_requests \
    global_store_requests shared_load_wavefronts shared_store_wavefronts; do
    got+=${got:+ }$(field $name)
  done
  is "$got" "$2" "chapter $1 counts what Nsight Compute counted on an H200"
}

while IFS=$'\t' read -r kind chapter one two three four five six; do
  case $kind in
  counters) same_counters "$chapter" "$one $two $three $four $five $six" ;;
  sum)
    run "$chapter" "$one" "$two"
    is "$(field partials_bitwise) $(field sum)" "$three $four" \
      "chapter $chapter, N=$one BLOCK=$two: the H200's sum"
    ;;
  esac
done <"$recorded"
is "$count" 164 "every recorded line was compared"
finish
