#!/usr/bin/env bash
# Does each kernel that chapters 1 to 4 break on purpose draw the verdict and
# the name that the prose gives, and do the right ones draw none? They are
# judged with the shell function that chapter 1 gives its readers.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

if [ ! -x build/sim/ptxrun ] || [ ! -x build/chapter4/reduce ]; then
  skip "the broken kernels" "the simulator or the chapters are not built"
  finish
fi
unset SIM_SCHEDULE SIM_LIMIT
# After a fault, how much other blocks did depends on the number of threads.
export SIM_THREADS=1
text=$(sed -n 's/^    //; /^judge() {/,/^}/p' chapters/01-one-lane.nw)
eval "${text//build\/judge.jsonl/$scratch/judge.jsonl}"
ok "$(declare -F judge >/dev/null && echo 0 || echo 1)" \
  "chapter 1 has the function judge"

# run CHAPTER KERNEL [OPTION]...: judges it; $said, $status, $verdict
run() {
  said=$(judge "$1" "build/chapter$1/$2.ptx" "${@:3}" 2>&1)
  status=$?
  verdict=$(grep -E '^(PASS|FAIL) ' <<<"$said" | cut -c1-4)
}

# found: each mistake in $said: its name, its count, the source line accused
found() {
  grep -q 'mistakes    none found' <<<"$said" && echo none
  sed -n 's/^  MISTAKE  *\([a-z-]*\), first at PTX line [0-9]* (\(.*\):\([0-9]*\)), count \([0-9,]*\)$/\1 \4 \2 \3/p' \
    <<<"$said" | while read -r name times file line; do
    echo "$name $times: $(sed -n "${line}s/^ *//p" "$file")"
  done
}

# sums: how many partial sums equal the model's
sums() { sed -n 's/^  partials  *\(.*\) equal the C model.*/\1/p' <<<"$said"; }

# counter NAME: what the simulator counted, without commas
counter() {
  awk -v name="$1" '$1 == name { gsub(",", "", $2); print $2 }' <<<"$said"
}

# expect VERDICT SUMS FOUND NAME
expect() {
  local want=0
  [ "$1" = FAIL ] && want=1
  is "$status $verdict" "$want $1" "$4: $1"
  is "$(sums)" "$2" "$4: ${2:-no} partial sums right"
  is "$(found)" "$3" "$4: finds ${3//$'\n'/ and }"
}

# Chapter 1
run 1 noguard
expect FAIL "16,384 of 16,384" none "chapter 1, no guard, full blocks"
run 1 noguard --n 1000
expect FAIL "" "out-of-bounds 1: sum += x[i];" "chapter 1, no guard, N=1000"
like "$said" 'CUDA_ERROR_ILLEGAL_ADDRESS' "and the driver says so"
like "$said" 'where: .*block \(3,0,0\), warp 0, lane 0' "in the last block"
run 1 everyone
expect FAIL "16,384 of 16,384" none "chapter 1, everyone adds"
is "$(counter global_load_sectors)" 33554432 "it loads eight times as much"
is "$(counter global_store_sectors)" 131072 "and stores eight times as much"
run 1 indouble
expect FAIL "2,378 of 16,384" none "chapter 1, in double"
like "$said" 'near: 14,006 ' "all that differ are near"
unlike "$said" 'far off' "and none is far off"
run 1 unrolled
expect FAIL "16,384 of 16,384" none "chapter 1, unrolled, fails the gate"
is "$(counter global_load_sectors)" 4194304 "with as many sectors"
run 1 fourwide
expect PASS "16,384 of 16,384" none "chapter 1, exercise 1"
is "$(counter global_load_sectors)" 1048576 "and loads N/4 sectors"
run 1 fourwide --n 1000
expect PASS "4 of 4" none "chapter 1, exercise 1, N=1000"

# Chapter 2
run 2 columns
expect FAIL "16,384 of 16,384" none "chapter 2, columns"
is "$(counter global_load_sectors)" 4194304 "as many sectors as in chapter 1"
is "$(counter shared_store_wavefronts)" 1048576 "eight wavefronts a store"
is "$(counter shared_bank_conflicts)" 917504 "seven of them too many"
run 2 nobarrier
expect FAIL "0 of 16,384" "shared-race 3,670,016: parked[threadIdx.x] = value;
shared-race 507,904: sum += parked[i];" "chapter 2, no barrier"
SIM_SCHEDULE=last run 2 nobarrier
expect FAIL "16,384 of 16,384" "shared-race 4,177,920: sum += parked[i];" \
  "chapter 2, no barrier, warp 0 last"
run 2 leaving
expect PASS "16,384 of 16,384" none "chapter 2, leaving, full blocks"
run 2 leaving --n 1000
expect FAIL "3 of 4" none "chapter 2, leaving, N=1000"
like "$said" '^  sum  *nan$' "the sum is no number"

# Chapter 3
run 3 numericcast
expect FAIL "0 of 16,384" none "chapter 3, a numeric cast"
like "$said" 'far off: 16,384 ' "all partial sums are far off"
run 3 shortmask
is "$status $verdict $(sums)" "1 FAIL 16,384 of 16,384" \
  "chapter 3, a short mask: FAIL, with right partial sums"
is "$(found | sed 's/:.*//' | uniq -c | sed 's/^ *//')" \
  "5 mask-without-caller 131,072" "five shuffles are named, for each warp"
like "$said" 'where: .*warp 0, lanes 16-31$' "lanes 16 to 31 are accused"
run 3 zeroclamp
expect FAIL "0 of 16,384" none "chapter 3, a clamp of zero"
like "$said" 'far off: 16,384 ' "all partial sums are far off"

# Chapter 4
store="totals[warp] = value;"
load="value = lane < warps ? totals[lane] : 0.0f;"
for schedule in eager first; do
  SIM_SCHEDULE=$schedule run 4 nobarrier
  expect FAIL "0 of 16,384" "shared-race 114,688: $store" \
    "chapter 4, no barrier, $schedule"
done
SIM_SCHEDULE=last run 4 nobarrier
expect FAIL "16,384 of 16,384" "shared-race 114,688: $load" \
  "chapter 4, no barrier, last"
SIM_SCHEDULE=seed:7 run 4 nobarrier
is "$verdict $(found | sed 's/ [0-9,]*:/:/')" "FAIL shared-race: $store
shared-race: $load" "chapter 4, no barrier, seed:7: both sides are accused"
is "$(awk -F'[( ]+' '/shared-race \(/ { sum += $(NF - 1) } END { print sum }' \
  <<<"$said")" 114688 "as many races in all, seven a block"
right=$(sums)
ok "$([[ $right != "0 of"* && $right != "16,384 of"* ]] && echo 0 || echo 1)" \
  "and some of its blocks are right ($right)"
run 4 halfmeet
expect FAIL "" "shared-race 7: $store
deadlock 1: static __device__ void meet(void) { asm volatile(\"bar.sync 0;\" ::: \"memory\"); }" \
  "chapter 4, a barrier for some"
like "$said" 'CUDA_ERROR_LAUNCH_TIMEOUT' "the launch ends with an error"
like "$said" 'warp 0 lanes 0x00000001 wait at .*bar.sync' \
  "lane 0 waits at the barrier"
like "$said" 'lanes 0xfffffffe wait at .*shfl.* for lanes 0x00000001' \
  "the other 31 wait for it at a shuffle"
for schedule in side first last seed:7; do
  SIM_SCHEDULE=$schedule run 4 halfmeet
  is "$(found | sed 's/ .*//' | sort -u | paste -sd' ')" "deadlock shared-race" \
    "under $schedule too"
done
run 4 unwritten
expect FAIL "0 of 16,384" none "chapter 4, a slot too many"
like "$said" '^  sum  *nan$' "the sum is no number"
run 4 unwritten --block 1024
expect PASS "4,096 of 4,096" none "chapter 4, a slot too many, 1,024 threads"
run 4 fewrungs
expect PASS "16,384 of 16,384" none "chapter 4, exercise 1"
is "$(counter shuffles)" 704512 "two shuffles a block fewer"
run 4 otherbar
is "$(counter barriers)" 131072 "chapter 4, exercise 2: a barrier a warp"
ones=$(printf '1 %.0s' {1..32})
like "$(build/sim/ptxrun --block 32 --arg out:f32:32 build/chapter4/peek.ptx)" \
  "${ones% }\$" "chapter 4, peek, as built for compute_80, gives ones"

# What is right is right in any order, with no mistake found.
for schedule in side last first seed:7; do
  export SIM_SCHEDULE=$schedule
  for kernel in 1/reduce 1/unrolled 1/fourwide 2/reduce 2/predicated \
    2/columns 3/reduce 3/intrinsic 3/floatreg 3/oneblock 4/reduce 4/intrinsic \
    4/noclobber 4/fewrungs 4/otherbar; do
    run "${kernel%/*}" "${kernel#*/}" --n 100000
    is "$status $verdict $(sums) $(found)" "0 PASS 391 of 391 none" \
      "chapter $kernel passes, $schedule"
  done
done
finish
