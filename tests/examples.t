#!/usr/bin/env bash
# Do the examples of chapters 11, 12 and 13 do what the prose says of them?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

run=${PTXRUN:-build/sim/ptxrun}
ptx=tests/ptx/run
unset SIM_THREADS SIM_LIMIT SIM_SCHEDULE SIM_CHECK SIM_REPORT

# Chapter 11: the two kinds of error, and names in nested blocks.
said=$("$run" --check $ptx/misspelt.ptx 2>&1)
is $? 2 "a misspelt register is refused"
like "$said" '^tests/ptx/run/misspelt.ptx:15: "%r2" is neither' \
  "by the reader, on its line"
like "$("$run" --block 1 --arg out:u32:2 $ptx/scopes.ptx)" \
  '^argument 0: 2 1$' "an inner name hides an outer one, up to the brace"

# Chapter 13: sectors of the lanes that are left, wavefronts by step.
sectors() { # N
  "$run" --arg in:f32:0..31 --arg out:f32:32 --arg f32:2 --arg "u32:$1" \
    $ptx/scale.ptx | awk '$1 == "global_load_sectors" { print $2 }'
}
is "$(sectors 13)" 2 "13 lanes touch two sectors"
is "$(sectors 20)" 3 "20 lanes touch three"
waves() { # STEP
  "$run" --arg out:u32:32 --arg "u32:$1" $ptx/banks.ptx |
    awk '/^shared_(load|store)_wave|^shared_bank/ { printf "%s ", $2 }'
}
is "$(waves 0)" "1 1 0 " "a step of 0 is a broadcast"
is "$(waves 1)" "1 1 0 " "a step of 1 fills the banks"
is "$(waves 2)" "2 2 2 " "a step of 2: two wavefronts, one of them a conflict"
is "$(waves 3)" "1 1 0 " "a step of 3: no conflict"
is "$(waves 32)" "32 32 62 " "a step of 32: all lanes in one bank"
is "$(waves 33)" "1 1 0 " "a step of 33: no conflict"

# Chapter 12: two barriers in two arms, and one order for one seed.
both() { SIM_CHECK=1 "$run" --kernel "$1" $ptx/twobarriers.ptx 2>&1; }
unlike "$(both unaligned)" barrier-divergence \
  "barrier.sync in two arms is no mistake"
like "$(both aligned)" barrier-divergence "bar.sync in two arms is one"
count() { # THREADS
  SIM_THREADS=$1 SIM_SCHEDULE=seed:3 "$run" --grid 64 --block 128 \
    --kernel unaligned $ptx/twobarriers.ptx | awk '$1 == "instructions"'
}
is "$(count 2)" "$(count 1)" "a seed gives one run, on one host thread or two"
finish
