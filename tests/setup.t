#!/usr/bin/env bash
# Does setup install what is missing, once, and say what it did?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# What it would do, with one tool hidden at a time.
p=$scratch/p
tiny "$p"
rm -f "$p/.toolchain"
would() { # PATH [ARGUMENT]
  (cd "$p" && PATH=$1 SETUP_DRY_RUN=1 tools/setup.sh ${2:+"$2"} 2>&1)
}
without() { # WHAT-FOR PACKAGE COMMAND...
  local what=$1 package=$2 said argument=
  shift 2
  [ "$what" != "the tests" ] || argument=--tests
  said=$(would "$(hide "$scratch/without-$1" "$@")" $argument)
  like "$said" "would install for $what:.* $package( |\$)" \
    "without $1 it would install $package for $what"
}
core="Debian's packages"
without "$core" noweb notangle
without "$core" gcc gcc clang cc
without "$core" 'g\+\+' g++
without "$core" perl prove
pages="the book's pages"
without "$pages" pandoc pandoc
without "$pages" librsvg2-bin rsvg-convert
without "$pages" texlive-luatex lualatex
without "$pages" texlive-latex-recommended kpsewhich
without "$pages" zip zip
for command in clang:clang chromium:chromium epubcheck:epubcheck qpdf:qpdf \
  pdftotext:poppler-utils xmllint:libxml2-utils hunspell:hunspell; do
  without "the tests" "${command#*:}" "${command%%:*}"
done
said=$(would "$(hide "$scratch/no-clang" clang)" --tests)
unlike "$said" 'nvcc|compiler' "and look for nothing else"

bare=$(hide "$scratch/no-cuda" $CUDA_COMMANDS)
said=$(would "$bare")
like "$said" "would fetch NVIDIA's compiler 13.0.88 .* into .toolchain/compiler" \
  "without nvcc it would fetch the compiler"
like "$said" "would fetch NVIDIA's disassembler .* into .toolchain/disass" \
  "and the disassembler"
ok "$([ ! -e "$p/.toolchain" ]; echo $?)" "a dry run does nothing"
if has nvcc; then
  said=$(would "$PATH")
  like "$said" "nvcc: /.*nvcc is on PATH and is used" "an nvcc on PATH is used"
  unlike "$said" "fetch NVIDIA's compiler" "and no other is fetched"
else
  skip "an nvcc on PATH is used" "there is none"
fi
old=$(hide "$scratch/old" nvcc)
printf '#!/bin/sh\necho "Cuda compilation tools, release 11.8, V11.8.89"\n' \
  >"$old/nvcc"
chmod +x "$old/nvcc"
like "$(would "$old")" "would fetch NVIDIA's compiler" "an old nvcc is not used"

# Offline: pip fails. What can run still runs, and nothing half-made is left.
offline=$(hide "$scratch/offline" $CUDA_COMMANDS python3)
printf '#!/bin/sh\n[ "$3" = --version ] || { echo no route >&2; exit 1; }\n' \
  >"$offline/python3"
chmod +x "$offline/python3"
said=$(cd "$p" && PATH=$offline tools/setup.sh 2>&1)
is $? 0 "offline, setup does not stop a run from the recorded PTX"
like "$said" "could not fetch NVIDIA's compiler.*\(offline\?\)" "it says so"
like "$said" 'the recorded PTX in tangled/ is used' "and what follows from it"
like "$said" 'not complete, but make all can run. See: make doctor' \
  "and how to see what is missing"
is "$(ls -A "$p/.toolchain" 2>/dev/null)" "" "nothing half-made is left"

# Not root and no sudo: the command is named.
nobody=$(hide "$scratch/nobody" pandoc sudo id)
printf '#!/bin/sh\necho 1000\n' >"$nobody/id"
chmod +x "$nobody/id"
said=$(cd "$p" && PATH=$nobody tools/setup.sh 2>&1)
like "$said" 'apt-get update && apt-get install -y .* pandoc' \
  "without root it says which command to run as root"

# The lists: every wheel has hashes, and no host is named.
for list in tools/wheels-*.txt; do
  lone=$(awk '/==/ { wheel = $1; next }
    /^ *--hash=sha256:[0-9a-f]{64}( \\)?$/ { wheel = ""; next }
    wheel != "" { print wheel; wheel = "" }
    END { print wheel }' "$list")
  is "$lone" "" "$list has hashes for each wheel"
  unlike "$(grep -v '^#' "$list")" '(https?|ftp):' "and names no host"
done

# The whole way, when the wheels can be had.
q=$scratch/q
tiny "$q"
rm -f "$q/.toolchain"
said=$(cd "$q" && PATH=$bare timeout 300 tools/setup.sh 2>&1)
if grep -q 'could not fetch' <<<"$said"; then
  skip "the compiler from wheels" "the wheels cannot be fetched here"
else
  like "$said" '^setup: nvcc compiled a small kernel' \
    "the compiler from wheels compiles a kernel"
  like "$said" '^setup: done' "setup says that it is done"
  again=$(cd "$q" && PATH=$bare tools/setup.sh 2>&1)
  is $? 0 "a second setup succeeds"
  like "$again" '^setup: nothing to do' "and has nothing to do"
  said=$(cd "$q" && PATH=$bare make chapter1 2>&1)
  is $? 0 "a chapter is built with it"
  unlike "$said" 'recorded' "from PTX it made itself"
  like "$(cat "$q/build/chapter1/reduce.sass")" 'EXIT' \
    "and its machine code can be read"
  # Byte for byte the PTX that is recorded.
  differ=0
  kernels=0
  for source in tangled/chapter*/*.cu; do
    [ -f "${source%.cu}.ptx" ] || continue
    kernels=$((kernels + 1))
    NVCC=$q/.toolchain/compiler/nvidia/cu13/bin/nvcc PATH=$bare \
      tools/compile-ptx.sh "$source" "$scratch/out.ptx" >/dev/null 2>&1
    cmp -s "$scratch/out.ptx" "${source%.cu}.ptx" || differ=$((differ + 1))
    [ $kernels -lt 6 ] || break
  done
  if [ $kernels = 0 ]; then
    skip "the recorded PTX from wheels" "nothing is recorded yet"
  else
    is $differ 0 "and it makes the recorded PTX of $kernels kernels"
  fi
  # A wheel that is not the pinned one is refused.
  sed -i 's/sha256:...../sha256:00000/' "$q/tools/wheels-disassembler.txt"
  said=$(cd "$q" && PATH=$bare tools/setup.sh 2>&1)
  like "$said" "could not fetch NVIDIA's disassembler" \
    "a wheel with another hash is refused"
fi
finish
