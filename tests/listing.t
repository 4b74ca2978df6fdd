#!/bin/bash
# The listing tool (appendix B): on PTX and SASS kept here, on bad files, and,
# where nvcc is at hand, on what it makes of chapters 3 and 4.
cd "$(dirname "$0")/.." || exit 1
here=tests/listing
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
tests=0

check() { # check NAME: the status of the last command decides
  local status=$?
  tests=$((tests + 1))
  if [ $status -eq 0 ]; then echo "ok $tests - $1"; else echo "not ok $tests - $1"; fi
}

skip() { # skip COUNT REASON
  local i
  for ((i = 0; i < $1; ++i)); do
    tests=$((tests + 1))
    echo "ok $tests # SKIP $2"
  done
}

list() { "$tmp/listing" "$@" >"$tmp/out" 2>"$tmp/err"; }

status() { # status WANTED OPTION...
  local want=$1
  shift
  list "$@"
  [ $? -eq "$want" ]
}

shows() { grep -qF -- "$1" "$tmp/out"; }
complains() { [ "$(head -1 "$tmp/err" | grep -cF -- "$1")" -eq 1 ]; }

${CC:-cc} -std=c11 -O1 -Wall -Wextra -o "$tmp/listing" tangled/tools/listing*.c
check "the tool builds"

both="--ptx $here/reduce.ptx --sass $here/reduce.sass --source $here/reduce.cu"

# The kept files
list --ptx $here/reduce.ptx --sass $here/reduce.sass \
  --source book/chapter3/reduce.cu
[ $? -eq 2 ] && complains "book/chapter3/reduce.cu: No such file"
check "a source that is not there is an error"

mkdir -p "$tmp/chapter3" && cp $here/reduce.cu "$tmp/chapter3/reduce.cu"
source=$tmp/chapter3/reduce.cu
both="--ptx $here/reduce.ptx --sass $here/reduce.sass --source $source"
good="SHFL.DOWN=5,BAR.SYNC=1,FADD=6,shfl.sync.down.b32=5,asm:shfl=5,asm:bar=0"
status 0 $both --expect "$good"
check "right counts give status 0"

for wrong in SHFL.DOWN=4 BAR.SYNC=2 shfl.sync.down.b32=6 asm:shfl=4 SHFL.DOWNX=5; do
  status 1 $both --expect "$wrong" && shows "expected ${wrong#*=} of ${wrong%=*}"
  check "$wrong gives status 1 and says so"
done

list $both
[ "$(grep -c '^    ptx .*shfl.sync.down.b32' "$tmp/out")" -eq 5 ] &&
  [ "$(grep -c '^    sass .*SHFL.DOWN' "$tmp/out")" -eq 5 ]
check "five shuffles in PTX and five in SASS are shown"

awk -v RS= '/value, 16\);/ && /SHFL.DOWN PT, R[0-9]+, R[0-9]+, 0x10,/ && /FADD/' \
  "$tmp/out" | grep -q shfl.sync.down.b32
check "the rung of delta 16, its PTX, SHFL.DOWN and FADD are one group"

shows '  called from '"$source"':38  value = fold_warp(value);' &&
  shows 'shuffle_down(value, 1);' && shows 'ptx     60 | shfl.sync.down.b32 %r11'
check "places come with their text, PTX with its line"

! grep -q NOP "$tmp/out" && ! shows "no SASS"
check "no padding is shown, and nothing is said to be missing"

printf '# a map\n%s 10 chapters/03-shuffle-ladder.nw 200 10\n' chapter3/reduce.cu >"$tmp/map"
status 0 $both --map "$tmp/map" &&
  shows 'called from chapters/03-shuffle-ladder.nw:203  value += shuffle_down(value, 16);' &&
  shows "called from $source:38"
check "the map gives chapter lines, and the file's own where it has none"

status 0 --ptx $here/reduce.ptx --source "$source" && shows "no SASS: none was given"
check "without SASS it says so"

status 2 --ptx $here/reduce.ptx --source "$source" --expect SHFL.DOWN=5 &&
  complains "cannot expect SHFL.DOWN without --sass"
check "a SASS count with no SASS is refused"

sed '/inlined at/{N;s/\n.*//;};s/ inlined at .*//' $here/reduce.sass |
  awk '/^\t\/\/## File/ { if (was) next; was = 1; print; next } { was = 0; print }' >"$tmp/g.sass"
status 0 --ptx $here/reduce.ptx --sass "$tmp/g.sass" --source "$source" &&
  shows "does not say what was inlined where" &&
  [ "$(grep -c '^    sass .*SHFL.DOWN' "$tmp/out")" -eq 5 ] &&
  [ "$(grep -c '^    ptx ' "$tmp/out")" -eq 5 ]
check "SASS of nvdisasm -g is joined by innermost lines"

grep -v '//##' $here/reduce.sass >"$tmp/bare.sass"
status 0 --ptx $here/reduce.ptx --sass "$tmp/bare.sass" --source "$source" \
  --expect SHFL.DOWN=5 && shows "the SASS has no line information"
check "SASS without line information is counted, and said to be bare"

grep -v '\.loc' $here/reduce.ptx >"$tmp/bare.ptx"
status 0 --ptx "$tmp/bare.ptx" --source "$source" --expect asm:shfl=5 &&
  shows "the PTX has no line information" && shows "no source line"
check "PTX without line information is listed, and said to be bare"

status 0 $both --grep ld.global && shows 'ld.global.f32' && shows 'LDG.E' &&
  shows '36  float value = idx < N ? X[idx] : 0.0f;'
check "--grep adds other lines"

status 0 $both --lines 36-36 --all && shows '@%p1 bra' && ! shows shfl.sync.down.b32\ %r
check "--lines --all shows one line's instructions and no others"

sed '/inline asm/d' $here/reduce.ptx >"$tmp/plain.ptx"
status 0 --ptx "$tmp/plain.ptx" --source "$source" --expect asm:shfl=0,shfl=5 &&
  shows 'ld.global.f32' && shows 'add.rn.f32' && shows 'setp.ge.s32' && shows '@%p1 bra'
check "a kernel with no inline asm is listed by the default opcodes"

status 0 --ptx $here/one-line.ptx --source "$source" \
  --expect asm:shfl.sync.down.b32=1,asm:shfl.sync.up=1,asm:shfl=2,ret=1
check "several instructions in one asm line are counted, guards and braces too"

# Bad files and options: one message, status 2
: >"$tmp/empty"
printf 'a\0b\n' >"$tmp/binary"
sed '0,/\/\/ end inline asm/{/\/\/ end inline asm/d}' $here/reduce.ptx >"$tmp/twice.ptx"
sed '0,/\/\/ begin inline asm/{/\/\/ begin inline asm/d}' $here/reduce.ptx >"$tmp/stray.ptx"
awk '/end inline asm/ && ++n == 5 { next } { print }' $here/reduce.ptx >"$tmp/unended.ptx"
echo "chapter3/reduce.cu ten chapters/x.nw 1 1" >"$tmp/bad.map"

bad() { # bad MESSAGE NAME OPTION...
  local message=$1 name=$2
  shift 2
  status 2 "$@" && complains "$message"
  check "$name"
}
p="--ptx $here/reduce.ptx" s="--source $source"
bad "nowhere.ptx: No such file" "PTX that is not there" --ptx "$tmp/nowhere.ptx" $s
bad "nowhere.sass: No such file" "SASS that is not there" $p $s --sass "$tmp/nowhere.sass"
bad "the file is empty" "empty SASS, as a failed nvdisasm leaves it" $p $s --sass "$tmp/empty"
bad "not a text file" "a binary in place of SASS" $p $s --sass "$tmp/binary"
bad "not PTX: no .version line" "a source in place of PTX" --ptx "$source" $s
bad "not SASS: no instruction in it" "PTX in place of SASS" $p $s --sass $here/reduce.ptx
bad "begins inside another" "a missing end mark" --ptx "$tmp/twice.ptx" $s
bad "ends that did not begin" "a missing begin mark" --ptx "$tmp/stray.ptx" $s
bad "begins and does not end" "a missing last end mark" --ptx "$tmp/unended.ptx" $s
bad "bad.map:1: a map line is" "a bad map" $p $s --map "$tmp/bad.map"
bad "--ptx and --source are needed" "no source" $p
bad "--speed: no such option" "an unknown option" $p $s --speed 3
bad "--expect takes NAME=COUNT" "an expectation without a count" $p $s --expect SHFL
bad "--lines takes A-B" "lines that are no range" $p $s --lines 9-3

# What the compiler at hand makes of the chapters
if command -v nvcc >/dev/null; then
  ptx() { # ptx FILE TARGET NAME
    nvcc -ptx -arch="$2" -fmad=false -lineinfo "tangled/$1" -o "$tmp/$3" 2>/dev/null
  }
  plain() { # instructions alone: no places, marks, file names or white space
    grep -v '\.loc\|\.file\|\.b8\|inline asm\|^//' "$1" | tr -s '\t ' ' '
  }
  ptx chapter3/reduce.cu compute_80 3.ptx &&
    status 0 --ptx "$tmp/3.ptx" --source tangled/chapter3/reduce.cu \
      --expect asm:shfl.sync.down.b32=5,shfl=5,bar.sync=1,st.global=1
  check "chapter 3: five shuffles, all in inline asm"
  ptx chapter3/intrinsic.cu compute_80 3i.ptx &&
    status 0 --ptx "$tmp/3i.ptx" --source tangled/chapter3/intrinsic.cu \
      --expect asm:shfl=0,shfl.sync.down.b32=5
  check "chapter 3: five shuffles inside the intrinsic"
  ptx chapter3/numericcast.cu compute_80 3n.ptx &&
    status 0 --ptx "$tmp/3n.ptx" --source tangled/chapter3/numericcast.cu \
      --expect cvt.rzi.s32.f32=5,cvt.rn.f32.s32=5
  check "chapter 3: the numeric cast is cvt.rzi.s32.f32"
  ptx chapter3/oneblock.cu compute_80 3o.ptx &&
    status 0 --ptx "$tmp/3o.ptx" --source tangled/chapter3/oneblock.cu \
      --expect asm:shfl.sync.down.b32=5,asm:add.rn.f32=5 && shows "(1 inline asm)"
  check "chapter 3: the ladder in one statement"
  ptx chapter4/reduce.cu compute_80 4.ptx &&
    status 0 --ptx "$tmp/4.ptx" --source tangled/chapter4/reduce.cu \
      --expect asm:shfl.sync.down.b32=10,asm:bar.sync=1 && shows "(11 inline asm)"
  check "chapter 4: ten shuffles and the barrier, in eleven statements"
  ptx chapter4/intrinsic.cu compute_80 4i.ptx &&
    status 0 --ptx "$tmp/4i.ptx" --source tangled/chapter4/intrinsic.cu \
      --expect asm:shfl=0,shfl=10,bar.sync=1
  check "chapter 4: __syncthreads is bar.sync"
  ptx chapter4/nobarrier.cu compute_80 4n.ptx &&
    status 0 --ptx "$tmp/4n.ptx" --source tangled/chapter4/nobarrier.cu --expect bar=0
  check "chapter 4: the broken kernel has no barrier"
  ptx chapter4/noclobber.cu compute_80 4c.ptx &&
    [ "$(plain "$tmp/4.ptx")" = "$(plain "$tmp/4c.ptx")" ]
  check "chapter 4: without the clobber this nvcc makes the same PTX"
  loads() { grep -c 'ld\.shared' "$tmp/$1"; }
  ptx chapter4/peek.cu compute_80 p80.ptx && [ "$(loads p80.ptx)" -eq 2 ]
  check "chapter 4: peek.cu reads twice for compute_80"
  ptx chapter4/peek.cu compute_120 p120.ptx && [ "$(loads p120.ptx)" -eq 1 ]
  check "chapter 4: peek.cu reads once for compute_120"
  sed 's/asm(/asm volatile(/' tangled/chapter4/peek.cu >"$tmp/peekv.cu" &&
    sed 's/"r"(slot))/"r"(slot) : "memory")/' tangled/chapter4/peek.cu >"$tmp/peekm.cu"
  for way in v m; do
    nvcc -ptx -arch=compute_120 "$tmp/peek$way.cu" -o "$tmp/pk.ptx" && [ "$(loads pk.ptx)" -eq 2 ]
    check "chapter 4: peek.cu reads twice once it says what it does ($way)"
  done
else
  skip 12 "nvcc is not on PATH"
fi

if command -v nvcc >/dev/null && command -v ptxas >/dev/null && command -v nvdisasm >/dev/null; then
  sass() { # sass PTX TARGET NAME
    ptxas -arch="$2" -lineinfo "$tmp/$1" -o "$tmp/cubin" && nvdisasm -c -gi "$tmp/cubin" >"$tmp/$3"
  }
  machine() { grep -E '^ +/\*[0-9a-f]+\*/' "$tmp/$1"; } # instructions alone
  ptx chapter3/shortmask.cu compute_80 3s.ptx
  for arch in sm_80 sm_90; do
    sass 3.ptx $arch 3.sass &&
      status 0 --ptx "$tmp/3.ptx" --sass "$tmp/3.sass" --source tangled/chapter3/reduce.cu \
        --expect SHFL.DOWN=5,BAR.SYNC=1,SHFL=5
    check "chapter 3 on $arch: five SHFL.DOWN"
    sass 4.ptx $arch 4.sass &&
      status 0 --ptx "$tmp/4.ptx" --sass "$tmp/4.sass" --source tangled/chapter4/reduce.cu \
        --expect SHFL.DOWN=10,BAR.SYNC=1
    check "chapter 4 on $arch: ten SHFL.DOWN and one BAR.SYNC"
    sass 3i.ptx $arch 3i.sass && [ "$(machine 3.sass)" = "$(machine 3i.sass)" ]
    check "chapter 3 on $arch: the intrinsic is the same machine code"
    sass 4i.ptx $arch 4i.sass && [ "$(machine 4.sass)" = "$(machine 4i.sass)" ]
    check "chapter 4 on $arch: the intrinsics are the same machine code"
  done
  sass 3.ptx sm_80 3.sass && sass 3s.ptx sm_80 3s.sass &&
    [ "$(machine 3.sass)" = "$(machine 3s.sass)" ]
  check "chapter 3 on sm_80: the short mask leaves no trace in the machine code"
else
  skip 9 "nvcc, ptxas and nvdisasm are not all on PATH"
fi

echo "1..$tests"
