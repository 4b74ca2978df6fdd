#!/usr/bin/env bash
# doctor.sh: which tools are here, what each is for, and the one command that
# mends each lack. Status 0 when `make all` can run, 2 when it cannot.
set -u
here=$(cd "$(dirname "$0")" && pwd)
status=0

# One line for a tool: what it is, its version, its path, what it is for.
present() { printf 'ok      %-13s %-12s %s (%s)\n' "$1" "$2" "$3" "$4"; }

absent() { # KIND NAME WHAT MEND
  printf '%-7s %-13s %s; mend with: %s\n' "$1" "$2" "$3" "$4"
  [ "$1" = NEEDED ] && status=2
}

# The first number with a dot in what a command prints about itself.
version_of() {
  "$@" 2>/dev/null </dev/null | grep -oE '[0-9]+\.[0-9.]*[0-9]' | head -1
}

tool() { # KIND NAME PATH WHAT MEND [VERSION COMMAND...]
  local kind=$1 name=$2 path=$3 what=$4 mend=$5 version
  shift 5
  if [ -z "$path" ]; then
    absent "$kind" "$name" "$what" "$mend"
    return
  fi
  version=$("$@")
  present "$name" "${version:--}" "$path" "$what"
}

at() { command -v "$1" 2>/dev/null; }

cuda_version() {
  "$1" --version 2>/dev/null | sed -n 's/.*, V\([0-9.]*\).*/\1/p'
}

declare -A found=()
while IFS='=' read -r name path; do
  found[$name]=$path
done < <("$here/find-tools.sh")
cc=${found[FOUND_CC]:-}
nvcc=${found[NVCC]:-}

echo "To run the chapters:"
tool NEEDED make "$(at make)" "runs every command" \
  "apt-get install make" version_of make --version
tool NEEDED "C compiler" "$cc" "compiles the simulator and the host programs" \
  "make setup" version_of "${cc:-cc}" -dumpfullversion -dumpversion
if [ -n "$cc" ] &&
  ! echo '#include <stdio.h>' | "$cc" -E - >/dev/null 2>&1; then
  absent NEEDED "C headers" "the compiler cannot find stdio.h" "make setup"
fi
tool NEEDED awk "$(at awk)" "reads chapters and PTX" "apt-get install mawk" \
  version_of awk -W version
tool lack noweb "$(at notangle)" \
  "makes tangled/ from chapters/; without it tangled/ is used as it is" \
  "make setup" echo -
tool lack nvcc "$nvcc" \
  "compiles kernels; without it the recorded PTX is used" "make setup" \
  cuda_version "$nvcc"
[ -z "$nvcc" ] || case $(cuda_version "$nvcc") in
13.0.88) ;;
*)
  echo "note    nvcc          not 13.0.88: its PTX may differ from the book's"
  ;;
esac
[ -n "$nvcc" ] && [ -z "$(at g++)" ] &&
  absent lack g++ "nvcc preprocesses kernels with it" "make setup"
tool lack ptxas "${found[PTXAS]:-}" "makes machine code of PTX" "make setup" \
  cuda_version "${found[PTXAS]:-}"
tool lack nvdisasm "${found[NVDISASM]:-}" "shows machine code" "make setup" \
  cuda_version "${found[NVDISASM]:-}"
tool lack cuobjdump "${found[CUOBJDUMP]:-}" "shows what a program holds" \
  "make setup" cuda_version "${found[CUOBJDUMP]:-}"

# A chapter runs when it has PTX: nvcc's, or a recording.
if [ -z "$nvcc" ]; then
  for kernel in tangled/chapter*/reduce.cu; do
    [ ! -f "$kernel" ] || [ -f "${kernel%.cu}.ptx" ] ||
      absent NEEDED nvcc "no PTX is recorded for $kernel" "make setup"
  done
fi

echo "To run on a GPU (the simulator needs none):"
libcuda=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null |
  sed -n 's/.*libcuda\.so\.1.* => //p' | head -1)
if [ -n "$libcuda" ] && { [ -e /dev/nvidia0 ] || [ -e /dev/dxg ]; }; then
  card=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null |
    head -1)
  present GPU "-" "${card:-a device} through $libcuda" "DEVICE=auto uses it"
else
  echo "none    GPU           DEVICE=auto uses the simulator"
fi
[ -z "$(at ncu)" ] ||
  present ncu "$(version_of ncu --version)" "$(at ncu)" "counts on the GPU"

echo "To build the book's pages:"
while read -r state name _ goals what; do
  [ "$name" != notangle ] || continue
  if [ "$state" = lack ]; then
    absent lack "$name" "$what (${goals//,/, })" "make setup"
  elif [ -n "$(at "$name")" ]; then
    present "$name" "$(version_of "$name" --version)" "$(at "$name")" "$what"
  else
    present "$name" - installed "$what"
  fi
done < <("$here/book-needs.sh")

echo "To run the tests (make test installs these by itself):"
tool lack prove "$(at prove)" "runs the tests" "tools/setup.sh --tests" \
  version_of prove --version
tool lack clang "$(at clang)" "second compiler, and the sanitizers" \
  "tools/setup.sh --tests" version_of clang --version
tool lack clang-format "$(at clang-format)" "checks the layout of the code" \
  "tools/setup.sh --tests" version_of clang-format --version
tool lack clang-tidy "$(at clang-tidy)" "looks for mistakes in the C" \
  "tools/setup.sh --tests" version_of clang-tidy --version
tool lack shellcheck "$(at shellcheck)" "looks for mistakes in the scripts" \
  "tools/setup.sh --tests" version_of shellcheck --version
tool lack chromium "$(at chromium)" "opens the pages" \
  "tools/setup.sh --tests" version_of chromium --version
tool lack epubcheck "$(at epubcheck)" "judges the EPUB" \
  "tools/setup.sh --tests" echo -
tool lack qpdf "$(at qpdf)" "looks into the PDF" \
  "tools/setup.sh --tests" version_of qpdf --version
tool lack hunspell "$(at hunspell)" "checks the spelling" \
  "tools/setup.sh --tests" version_of hunspell --version
tool lack xmllint "$(at xmllint)" "checks the drawings" \
  "tools/setup.sh --tests" version_of xmllint --version

if [ $status = 0 ]; then
  echo "make all can run here."
else
  echo "make all cannot run here yet; see NEEDED above."
fi
exit $status
