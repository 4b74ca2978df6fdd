#!/usr/bin/env bash
# Does make build what it should, and no more, and say how it ended?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

if ! has notangle; then
  skip "make from chapters" "noweb is not installed"
  finish
fi
NVCC=$(tools/find-tools.sh | sed -n 's/^NVCC=//p')
if [ -z "$NVCC" ]; then
  skip "make from kernels" "there is no nvcc"
  finish
fi

p=$scratch/p
tiny "$p"
said=$(cd "$p" && make -j4 2>&1)
is $? 0 "everything builds, with jobs in parallel"
like "$said" 'tangle  chapters/01-one.nw' "chapters are tangled first"
said=$(cd "$p" && make 2>&1)
like "$said" "^make: Nothing to be done for 'build'" "a second make does nothing"
(cd "$p" && make -q)
is $? 0 "and make -q agrees"

touch "$p/chapters/02-two.nw"
said=$(cd "$p" && make 2>&1)
like "$said" '^  tangle  chapters/02-two.nw' "a touched chapter is tangled"
unlike "$said" '01-one|cc |ptx|link' "and nothing else is done"

sed -i 's/twice = 2/twice = 1 * 2/' "$p/chapters/01-one.nw"
said=$(cd "$p" && make 2>&1)
is "$(grep -c . <<<"$said")" 3 "a changed line of C makes three steps"
like "$said" 'cc .*sim/tiny.o' "its object is compiled"
like "$said" 'link .*libcuda.so.1' "and its library linked"

sed -i 's/int tiny_answer(int n);/&\n\/* more *\//' "$p/chapters/01-one.nw"
said=$(cd "$p" && make 2>&1)
like "$said" 'cc .*sim/tiny.o' "a changed header recompiles who includes it"

sed -i 's/X\[0\]/X[1]/' "$p/chapters/01-one.nw"
said=$(cd "$p" && make 2>&1)
like "$said" 'ptx .*chapter1/reduce.ptx' "a changed kernel is compiled"
unlike "$said" 'chapter2|cc ' "and only that one"
said=$(cd "$p" && make ARCH=compute_90 2>&1)
like "$said" 'ptx .*chapter2/reduce.ptx' "another ARCH compiles the kernels"
like "$(cat "$p/build/chapter2/reduce.ptx")" 'target sm_90' "for that target"
(cd "$p" && make >/dev/null 2>&1)
like "$(cat "$p/build/chapter2/reduce.ptx")" 'target sm_80' "and back again"

rm "$p/tangled/sim/tiny.c"
(cd "$p" && make >/dev/null 2>&1)
ok "$([ -f "$p/tangled/sim/tiny.c" ]; echo $?)" "a lost product is made again"

cat >"$p/chapters/03-three.nw" <<'END'
# Three

<<sim/extra.c>>=
/* extra.c: nothing yet. */
extern int extra;
int extra = 1;
@
END
said=$(cd "$p" && make 2>&1)
like "$said" 'cc .*sim/extra.o' "a new chapter's new file is compiled"
rm "$p/chapters/03-three.nw"
said=$(cd "$p" && make 2>&1)
like "$said" 'no chapter makes tangled/sim/extra.c' \
  "a removed chapter's file is reported"
rm "$p/tangled/sim/extra.c"

# Nothing of the place where it was made is in the PTX.
q=$scratch/another/place
tiny "$q"
(cd "$q" && make build >/dev/null 2>&1)
cp "$p/chapters/01-one.nw" "$q/chapters/" && (cd "$q" && make >/dev/null 2>&1)
ok "$(cmp -s {"$p","$q"}/build/chapter2/reduce.ptx; echo $?)" \
  "the same kernel gives the same PTX in another folder"
cat >"$scratch/k.cu" <<'END'
static __device__ __noinline__ int f(int x) { return x * clock(); }
__global__ void k(int *p) { *p = f(__shfl_down_sync(~0u, *p, 1)); }
END
for place in "$p" "$q"; do
  mkdir -p "$place/tangled/chapter1"
  cp "$scratch/k.cu" "$place/tangled/chapter1/k.cu"
  (cd "$place" && NVCC=$NVCC tools/compile-ptx.sh tangled/chapter1/k.cu k.ptx)
  rm "$place/tangled/chapter1/k.cu"
done
ok "$(cmp "$p/k.ptx" "$q/k.ptx" >/dev/null; echo $?)" \
  "also with internal names and the toolkit's headers"
unlike "$(cat "$p/k.ptx")" "$scratch|/usr/|/nvidia/" "which names no folder"

# Running: verdicts, order and status.
said=$(cd "$p" && make chapter1 2>&1)
is $? 0 "a chapter that is right"
like "$said" '^PASS' "says so"
is "$(cat "$p/build/chapter1/status")" 0 "its status file says 0"
said=$(cd "$p" && make chapter2 2>&1)
is $? 2 "a chapter judged wrong ends make with 2"
like "$said" 'chapter 2: judged wrong \(status 1\)' "and says so"
is "$(cat "$p/build/chapter2/status")" 1 "its status file says 1"
(cd "$p" && tools/run-chapter.sh 2 >/dev/null 2>&1)
is $? 1 "run-chapter.sh ends with 1"
(cd "$p" && N=77 tools/run-chapter.sh 1 >/dev/null 2>&1)
is "$(cat "$p/build/chapter1/report.json")" '{"n": 77}' "N reaches the program"
said=$(cd "$p" && make -j4 all 2>&1)
is $? 2 "make all with a wrong chapter ends with 2"
is "$(grep -oE '^== chapter [12]|^PASS|^FAIL' <<<"$said" | paste -sd,)" \
  '== chapter 1,PASS,== chapter 2,FAIL' "chapters run in order under -j"
like "$said" '^  chapter 1: passed' "with a verdict for the one"
like "$said" '^  chapter 2: judged wrong' "and for the other"
rm -rf "$p/build/chapter1" "$p/build/chapter2"
said=$(cd "$p" && make -k -j4 chapter2 chapter1 2>&1)
is "$(grep -oE '^PASS|^FAIL' <<<"$said" | paste -sd,)" PASS,FAIL \
  "chapters asked for together run one after the other, in order"

# A crash of the host program is no verdict.
cp "$p/build/chapter1/reduce" "$scratch/keep"
printf '#!/bin/sh\nkill -SEGV $$\n' >"$p/build/chapter1/reduce"
(cd "$p" && tools/run-chapter.sh 1 >/dev/null 2>&1)
is $? 2 "a host program that crashes could not run"
cp "$scratch/keep" "$p/build/chapter1/reduce"

# setup comes first, whatever the order and the jobs.
s=$scratch/setup
tiny "$s"
printf '#!/bin/sh\nsleep 1\necho setup-done\n' >"$s/tools/setup.sh"
for goals in "setup chapter1" "chapter1 setup"; do
  # shellcheck disable=SC2086
  said=$(cd "$s" && make -j4 $goals 2>&1)
  is $? 0 "make -j4 $goals"
  like "$(grep -v '^make' <<<"$said" | head -1)" '^setup-done$' \
    "setup ran before anything else"
  rm -rf "$s/build"
done
printf '#!/bin/sh\nexit 2\n' >"$s/tools/setup.sh"
said=$(cd "$s" && make -j4 setup chapter1 2>&1)
is $? 2 "a setup that fails ends make"
unlike "$said" 'PASS|cc ' "and nothing else runs"

# Without nvcc the recorded PTX is run, and only if it is the source's own.
path=$(hide "$scratch/bin" $CUDA_COMMANDS)
r=$scratch/recorded
tiny "$r"
rm -f "$r/.toolchain"
for n in 1 2; do
  mkdir -p "$r/tangled/chapter$n"
done
sed -i 's/X\[0\]/X[1]/' "$r/chapters/01-one.nw"
(cd "$r" && tools/tangle.sh >/dev/null)
for n in 1 2; do
  (cd "$r" && NVCC=$NVCC ARCH=compute_80 tools/compile-ptx.sh \
    tangled/chapter$n/reduce.cu tangled/chapter$n/reduce.ptx &&
    rm -f tangled/chapter$n/reduce.origin)
done
said=$(cd "$r" && PATH=$path make chapter1 2>&1)
is $? 0 "without nvcc a chapter runs"
like "$said" 'no nvcc here, so this runs the recorded PTX' "and says so"
ok "$(cmp -s "$r"/{tangled,build}/chapter1/reduce.ptx; echo $?)" \
  "what it runs is the recording"
said=$(cd "$r" && PATH=$path make chapter1 ARCH=compute_90 2>&1)
is $? 2 "without nvcc another ARCH cannot run"
like "$said" 'ARCH=compute_90 needs nvcc .*run: make setup' "and says why"
sed -i 's/X\[1\]/X[2]/' "$r/chapters/01-one.nw"
said=$(cd "$r" && PATH=$path make chapter1 2>&1)
is $? 2 "without nvcc a changed kernel cannot run"
like "$said" 'changed after its PTX was recorded.*run: make setup' "and says why"

# Without noweb tangled/ is used.
path=$(hide "$scratch/bin2" notangle)
rm -rf "$p/build"
said=$(cd "$p" && PATH=$path make chapter1 2>&1)
is $? 0 "without noweb a chapter runs from tangled/"
is "$(grep -c 'noweb is not installed' <<<"$said")" 1 "and says so once"
said=$(cd "$p" && PATH=$path make tangle 2>&1)
is $? 2 "but make tangle cannot be done"

# help and clean.
said=$(make help)
for goal in setup all chapterN build tangle test bench record doctor clean; do
  like "$said" "make $goal " "help tells of $goal"
done
mkdir -p "$p/work" && echo mine >"$p/work/chapter1.cu"
(cd "$p" && make clean >/dev/null)
ok "$([ ! -e "$p/build" ]; echo $?)" "clean removes build/"
is "$(cat "$p/work/chapter1.cu")" mine "and nothing of the learner's"
finish
