#!/usr/bin/env bash
# Does the doctor see what is here, and name the command that mends a lack?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

p=$scratch/p
tiny "$p"
rm -f "$p/.toolchain"
doctor() { # PATH
  (cd "$p" && PATH=$1 tools/doctor.sh 2>&1)
}
said=$(doctor "$PATH")
is $? 0 "all is well here"
like "$said" '^make all can run here' "and it says so"
for tool in make 'C compiler' awk; do
  like "$said" "^ok +$tool +[0-9]+\.[0-9.]+ +/.*\(" \
    "$tool has a version, a path and a use"
done
like "$said" '^(ok|none) +GPU' "it says whether there is a GPU"

lack() { # KIND NAME MEND STATUS COMMAND...
  local kind=$1 name=$2 mend=$3 status=$4 said
  shift 4
  said=$(doctor "$(hide "$scratch/without-$1" "$@")")
  is $? "$status" "without $1 the status is $status"
  like "$said" "^$kind +$name .*mend with: $mend\$" \
    "and it names the command: $mend"
}
lack NEEDED 'C compiler' 'make setup' 2 gcc clang cc
lack lack noweb 'make setup' 0 notangle
lack lack nvcc 'make setup' 0 $CUDA_COMMANDS
lack lack pandoc 'make setup' 0 pandoc
lack lack clang-tidy 'tools/setup.sh --tests' 0 clang-tidy
lack lack shellcheck 'tools/setup.sh --tests' 0 shellcheck

# A kernel without a recording needs nvcc.
mkdir -p "$p/tangled/chapter1"
touch "$p/tangled/chapter1/reduce.cu"
said=$(doctor "$scratch/without-nvcc")
is $? 2 "a kernel that was never recorded needs nvcc"
like "$said" '^NEEDED +nvcc .*chapter1/reduce.cu' "and is named"
touch "$p/tangled/chapter1/reduce.ptx"
doctor "$scratch/without-nvcc" >/dev/null
is $? 0 "with a recording it does not"
finish
