#!/usr/bin/env bash
# ptxrun: what it prints, what it refuses, and its exit status.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

ptxrun=${PTXRUN:-build/sim/ptxrun}
ptx=tests/ptx/run
unset SIM_THREADS SIM_LIMIT SIM_SCHEDULE SIM_CHECK SIM_REPORT

# ran STATUS NAME ARGUMENT...: runs, keeps $out and $err, checks the status.
ran() {
  local want=$1 name=$2
  shift 2
  out=$("$ptxrun" "$@" 2>"$scratch/err")
  is $? "$want" "$name: status $want"
  err=$(cat "$scratch/err")
}
# refuses REGEX NAME ARGUMENT...: status 2, nothing printed, one line said.
refuses() {
  local regex=$1 name=$2
  shift 2
  ran 2 "$name" "$@"
  is "$out" "" "$name: prints nothing"
  like "$err" "$regex" "$name: says so"
  is "$(wc -l <<<"$err")" 1 "$name: in one line"
}

ran 0 "scale" --arg in:f32:1,2.5,-3 --arg out:f32:4 --arg f32:2 \
  --arg u32:3 $ptx/scale.ptx
like "$out" '^argument 1: 2 5 -6 -?nan$' "an array out, the rest unwritten"
like "$out" '^global_load_sectors +1$' "counters: load sectors"
like "$out" '^global_store_sectors +1$' "counters: store sectors"
like "$out" '^instructions +19$' "counters: instructions"
is "$(grep -c '^[a-z_]* *[0-9]*$' <<<"$out")" 13 "thirteen counters"
is "$err" "" "and nothing else is said"

ran 0 "a grid" --kernel scale --grid 2 --block 32,2 --arg in:f32:0..127 \
  --arg out:f32:128 --arg f32:0x1p-1 --arg u32:128 $ptx/scale.ptx
like "$out" '^argument 1: 0 0.5 1 1.5 ' "ranges and hexadecimal floats"

ran 0 "JSON" --json --arg inout:f32:1e10,nan --arg out:f32:2 --arg f32:1 \
  --arg u32:2 $ptx/scale.ptx
like "$out" '^\{"kernel":"scale","grid":\[1,1,1\],"block":\[32,1,1\],' \
  "JSON: begins with the launch"
like "$out" ',"outputs":\[\{"argument":0,"type":"f32","values":\[1e\+10,null\]\},\{"argument":1,"type":"f32","values":\[1e\+10,null\]\}\]\}$' \
  "JSON: ends with the outputs"
if has python3; then
  ok "$(python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$out" >&2 &&
    echo 0)" "JSON: a parser reads it"
fi

ran 0 "types" --kernel widen --block 1 --arg out:s64:4 --arg s8:-128 \
  --arg u16:65535 --arg s32:-1 --arg s64:-9223372036854775808 $ptx/several.ptx
like "$out" '^argument 0: -128 65535 -1 -9223372036854775808$' \
  "small and wide integers"
ran 0 "shared memory" --kernel last --block 4 --shared 16 --arg out:u32:4 \
  $ptx/several.ptx
like "$out" '^argument 0: 3 2 1 0$' "dynamic shared memory"
like "$out" '^barriers +1$' "a barrier"
ran 0 "no arguments" --kernel none $ptx/several.ptx

ran 0 "--check" --check $ptx/several.ptx
is "$(wc -l <<<"$out")" 5 "--check: a line for each kernel"
like "$out" '^widen: 5 parameters of 8,1,2,4,8 bytes, [0-9]+ registers, 0 bytes shared, 0 bytes local$' \
  "--check: what a kernel needs"
like "$out" '^none: 0 parameters, ' "--check: a kernel without parameters"

ran 1 "a fault" --kernel beyond --arg out:u32:8 $ptx/several.ptx
like "$err" '^simulator: kernel beyond stopped: illegal address \(CUDA_ERROR_ILLEGAL_ADDRESS\)$' \
  "a fault: what"
like "$err" '^  where: PTX line 73, several.cu:17, block \(0,0,0\), warp 0, lanes? ' \
  "a fault: where"
like "$err" '^  next:  ' "a fault: what to do"
ran 1 "a fault as JSON" --json --kernel beyond --arg out:u32:8 $ptx/several.ptx
like "$out" '"fault":\{"id":"out-of-bounds","error":"CUDA_ERROR_ILLEGAL_ADDRESS","ptx_line":73,"source":"several.cu:17",' \
  "a fault as JSON: it is there"
SIM_LIMIT=1000 ran 1 "an endless loop" --kernel spin $ptx/several.ptx
like "$err" 'CUDA_ERROR_LAUNCH_TIMEOUT' "an endless loop ends"

ran 0 "--help" --help
like "$out" '^usage: ptxrun ' "--help: usage"
refuses '^ptxrun: no file given' "no file"
refuses '^ptxrun: there is no option --frob' "an unknown option" --frob x f
refuses '^ptxrun: --kernel needs a value' "a value missing" $ptx/scale.ptx --kernel
refuses '^ptxrun: one file, not a and b' "two files" a b
refuses '^nowhere.ptx: No such file' "a missing file" nowhere.ptx
refuses "^$ptx/unknown.ptx:8: .*frobnicate" "an unknown instruction" \
  $ptx/unknown.ptx
refuses '5 kernels; choose one with --kernel' "which kernel" $ptx/several.ptx
refuses 'there is no kernel nope' "no such kernel" --kernel nope $ptx/several.ptx
refuses 'scale has 4 parameters, and there are 1 arguments' "too few arguments" \
  --arg u32:1 $ptx/scale.ptx
refuses 'the parameter has 4 bytes, the argument has 8' "a wrong size" \
  --arg out:f32:1 --arg out:f32:1 --arg f64:1 --arg u32:1 $ptx/scale.ptx
for argument in u32 u32: u32:x u32:-1 u32:4294967296 u32:1,2 u8:256 s8:-129 \
  s8:128 q32:1 in:f32:1,,2 'in:f32:1,' out:f32:0 out:f32:x out:f32:-1 \
  in:u32:5..1 in:u8:250..260 'u32: 1' ''; do
  refuses '^ptxrun: --arg .* is not an argument' "--arg '$argument'" \
    --arg "$argument" $ptx/scale.ptx
done
for grid in 0 1,2,3,4 x '1,' 2147483648 1,65536; do
  refuses '^ptxrun: ' "--grid $grid" --kernel none --grid "$grid" $ptx/several.ptx
done
refuses 'at most 1024 threads' "a large block" --kernel none --block 33,32 \
  $ptx/several.ptx
refuses 'shared memory' "much shared memory" --kernel none --shared 49153 \
  $ptx/several.ptx
SIM_CHECK=2 refuses '^ptxrun: SIM_CHECK=2 ' "a wrong setting" --kernel none \
  $ptx/several.ptx
finish
