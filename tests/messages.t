#!/usr/bin/env bash
# Does a mistake get a message that says where it is and what to do?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# A wrong variable: one line, status 2, and nothing was built.
wrong() { # SETTING MESSAGE
  local said
  said=$(cd "$project" && make chapter1 "$1" 2>&1)
  is $? 2 "$1 ends make with status 2"
  like "$said" "$2" "$1 is named and the rule given"
  is "$(wc -l <<<"$said")" 1 "$1 takes one line"
}
project=$scratch/variables
tiny "$project"
for n in -1 007 1e6 0x10 4k 2147483648 99999999999 "'" '1;date' '$$(date)'; do
  wrong "N=$n" 'N is a number of elements, from 0 to 2147483647'
done
for block in 0 33 1056 x; do
  wrong "BLOCK=$block" 'BLOCK is a number of threads, a multiple of 32 up to 1024'
done
wrong DEVICE=GPU 'DEVICE is auto, sim or gpu'
wrong ARCH=sm_80 'ARCH is a PTX target such as compute_80'
wrong ARCH=compute_70 'need compute_80 or newer'
ok "$([ ! -e "$project/build" ] && echo 0)" "nothing was built for them"

said=$(cd "$project" && N=x tools/run-chapter.sh 1 2>&1)
is $? 2 "run-chapter.sh refuses a wrong N by itself"
like "$said" 'N=x: N is a number' "with the same words"
said=$(cd "$project" && tools/run-chapter.sh 1 2>&1)
is $? 2 "run-chapter.sh of a chapter that is not built"
like "$said" 'not built; run: make chapter1' "says what to run"
said=$(cd "$project" && tools/run-chapter.sh one 2>&1)
is $? 2 "run-chapter.sh of no number"
like "$said" '^usage:' "says how it is used"
said=$(cd "$project" && make chapter9 2>&1)
is $? 2 "a chapter that is not there"
like "$said" 'There is no chapter 9 to run; there are: 1 2' "is said so"

# A mistake in a tangled file is reported at its place in the chapter.
broken() { # NAME SED-SCRIPT CHAPTER MESSAGE [MAKE-ARGUMENT]
  local said
  project=$scratch/broken
  rm -rf "$project"
  tiny "$project"
  sed -i "$2" "$project/chapters/$3"
  said=$(cd "$project" && make build ${5:+"$5"} 2>&1)
  is $? 2 "$1: make ends with status 2"
  like "$said" "$4" "$1: the message names the chapter's line"
}
if has notangle; then
  undeclared='s/^return twice;/return thrice;/'
  for cc in gcc clang; do
    if has $cc; then
      broken "a mistake in C, $cc" "$undeclared" 01-one.nw \
        '^chapters/01-one.nw:29: \(tangled/sim/tiny.c:6:10\): error' CC=$cc
    else
      skip "a mistake in C, $cc" "$cc is not installed"
    fi
  done
  if tools/find-tools.sh | grep -q '^NVCC='; then
    broken "a mistake in a kernel" 's/laneid;" : "=r"(lane)/&(/' 02-two.nw \
      '^chapters/02-two.nw:23: \(tangled/chapter2/reduce.cu\(4\)\): error'
    broken "a mistake in inline PTX" 's/mov.u32 %0/move.u32 %0/' 02-two.nw \
      'chapters/02-two.nw:23: \(build/chapter2/reduce.ptx, line [0-9]+\)'
  else
    skip "a mistake in a kernel" "there is no nvcc"
  fi
else
  skip "places in chapters" "noweb is not installed"
fi

# The filter itself: what it does not know it leaves alone.
mkdir -p "$scratch/tangled/sim"
echo 'a.c 10 chapters/x.nw 100 5' >"$scratch/tangled/sim/lines.map"
filtered() {
  (cd "$scratch" && awk -v maps=tangled/sim/lines.map \
    -f "$root/tools/nwlines.awk" <<<"$1")
}
is "$(filtered 'tangled/sim/a.c:12:3: error: x')" \
  'chapters/x.nw:102: (tangled/sim/a.c:12:3): error: x' "a place of gcc's"
is "$(filtered 'tangled/sim/a.c(14): error: x')" \
  'chapters/x.nw:104: (tangled/sim/a.c(14)): error: x' "a place of nvcc's"
is "$(filtered 'from /a/b/tangled/sim/a.c:10,')" \
  'from chapters/x.nw:100: (/a/b/tangled/sim/a.c:10),' "an absolute path"
for line in 'tangled/sim/a.c:15: x' 'tangled/sim/b.c:12: x' '' 'no place &' \
  'ptxas missing.ptx, line 3; error'; do
  is "$(filtered "$line")" "$line" "left alone: '$line'"
done
tools/nwrun.sh bash -c 'exit 7'
is $? 7 "the filter keeps the command's exit status"
for awk in mawk gawk 'busybox awk'; do
  has "${awk%% *}" || continue
  is "$(cd "$scratch" && echo 'tangled/sim/a.c:12: x' |
    $awk -v maps=tangled/sim/lines.map -f "$root/tools/nwlines.awk")" \
    'chapters/x.nw:102: (tangled/sim/a.c:12): x' "with $awk"
done

# DEVICE=gpu on a machine without a driver.
if PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q 'libcuda\.so\.1'; then
  skip "DEVICE=gpu without a driver" "there is a driver here"
elif has notangle; then
  project=$scratch/gpu
  tiny "$project"
  said=$(cd "$project" && make chapter1 DEVICE=gpu 2>&1)
  is $? 2 "DEVICE=gpu without a driver"
  like "$said" 'no CUDA driver \(libcuda.so.1\) is installed here' "says why"
  is "$(cat "$project/build/chapter1/status")" 2 "and the status file says 2"
fi
finish
