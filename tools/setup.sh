#!/usr/bin/env bash
# setup.sh [--tests]: installs what the book needs and is not here yet, and
# says what it did. Safe to repeat: what is here is left alone.
#
# Debian's packages are installed with apt-get (through sudo when not root);
# NVIDIA's compiler, when there is no nvcc on PATH, comes as pinned wheels,
# checked by hash, into TOOLCHAIN (default .toolchain) and nowhere else.
# --tests         only the tools that nothing but `make test` needs
# SETUP_DRY_RUN=1 says what would be done and does nothing
# Status: 0 `make all` can run, 2 it cannot.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
toolchain=${TOOLCHAIN:-.toolchain}
dry=${SETUP_DRY_RUN:-}
did=0
short=0 # something useful, but not needed, could not be had
lacks=()

say() { echo "setup: $*"; }

has() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root, or fails when there is no way to.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif has sudo; then
    if [ -t 0 ]; then sudo "$@"; else sudo -n "$@"; fi
  else
    return 1
  fi
}

# apt-get, its output in the log and its progress, a line a package, shown.
apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o Acquire::Retries=1 -o Acquire::http::Timeout=30 \
    -o Dpkg::Use-Pty=0 "$@" 2>&1 | tee "$log" |
    sed -u -n 's/^\(Unpacking\|Setting up\) \([^ ]*\).*/    \1 \2/p'
  return "${PIPESTATUS[0]}"
}

# Installs Debian packages; $1 says what for.
install_packages() {
  local what=$1
  shift
  local command="apt-get install -y --no-install-recommends $*"
  if [ -n "$dry" ]; then
    say "would install for $what: $*"
    return
  fi
  if ! has apt-get; then
    say "this is not Debian; please install for $what: $*"
    lacks+=("$*")
    return
  fi
  say "installing for $what: $*"
  # Package lists may be missing or old: fetch them and try once more.
  if apt install --no-install-recommends "$@" ||
    { say "fetching Debian's package lists" && apt update &&
      apt install --no-install-recommends "$@"; }; then
    say "installed $*"
    did=1
    return
  fi
  sed 's/^/    /' "$log" | tail -5
  say "could not install them (offline, or not allowed?). As root, run:"
  say "    apt-get update && $command"
  lacks+=("$*")
}

# The packages whose command is missing, of pairs COMMAND:PACKAGE.
missing() {
  local pair
  for pair in "$@"; do
    has "${pair%%:*}" || echo "${pair#*:}"
  done
}

compiles_c() {
  local cc
  for cc in gcc clang cc; do
    has $cc || continue
    echo '#include <stdio.h>' | $cc -E - >/dev/null 2>&1 && return
  done
  return 1
}

base_packages() {
  missing make:make notangle:noweb prove:perl
  compiles_c || printf '%s\n' gcc libc6-dev
  # nvcc preprocesses kernels with the C++ half of gcc.
  has g++ || echo g++
}

# What the pages, the PDF and the EPUB are made with.
book_packages() {
  "$here/book-needs.sh" | awk '$1 == "lack" && $3 != "noweb" { print $3 }'
}

# The Python that Debian's own modules are for.
imports() { /usr/bin/python3 -c "import $1" >/dev/null 2>&1; }

test_packages() {
  missing clang:clang clang-format:clang-format clang-tidy:clang-tidy \
    shellcheck:shellcheck prove:perl chromium:chromium epubcheck:epubcheck \
    pdftotext:poppler-utils qpdf:qpdf hunspell:hunspell xmllint:libxml2-utils
  imports websocket || echo python3-websocket
  imports html5lib || echo python3-html5lib
  [ -e /usr/share/hunspell/en_GB.dic ] || echo hunspell-en-gb
  if has clang; then
    echo 'int main(void) { return 0; }' |
      clang -fsanitize=address,undefined -x c - -o "$scratch/san" \
        >/dev/null 2>&1 || echo libclang-rt-14-dev
  else
    echo libclang-rt-14-dev
  fi
}

install_missing() { # WHAT PACKAGE...
  local what=$1
  shift
  if [ $# = 0 ]; then
    say "$what: nothing is missing"
  else
    install_packages "$what" "$@"
  fi
}

# Fetches the wheels of a list into a folder of the toolchain, whole or not
# at all. A folder made from this very list is left alone.
fetch_wheels() { # NAME LIST WHAT
  local folder=$toolchain/$1 list=$here/$2 what=$3 temporary
  if cmp -s "$list" "$folder/made-from.txt"; then
    say "$what: already in $folder"
    return
  fi
  if [ -n "$dry" ]; then
    say "would fetch $what into $folder"
    return
  fi
  if ! python3 -m pip --version >/dev/null 2>&1; then
    install_packages "fetching $what" python3 python3-pip
    python3 -m pip --version >/dev/null 2>&1 || return 1
  fi
  say "fetching $what into $folder"
  mkdir -p "$toolchain"
  temporary=$(mktemp -d "$toolchain/new.XXXXXX")
  if python3 -m pip install --disable-pip-version-check --no-input \
    --retries 1 --timeout 60 --no-deps --require-hashes \
    --only-binary :all: --target "$temporary" -r "$list" 2>"$log"; then
    cp "$list" "$temporary/made-from.txt"
    chmod 755 "$temporary"
    rm -rf "$folder"
    mv "$temporary" "$folder"
    did=1
    return
  fi
  rm -rf "$temporary"
  grep -v -i -E 'https?:|retrying' "$log" | tail -3 | sed 's/^/    /'
  say "could not fetch $what (offline?)"
  return 1
}

# The tool NAME that the Makefile would use, or nothing.
found() {
  TOOLCHAIN=$toolchain "$here/find-tools.sh" | sed -n "s,^$1=,,p"
}

# Compiles a kernel, which is the one proof that a compiler works.
try_nvcc() {
  local nvcc
  nvcc=$(found NVCC)
  [ -n "$nvcc" ] || return 1
  echo '__global__ void k(int *p) { *p = threadIdx.x; }' >"$scratch/k.cu"
  "$nvcc" -cubin -arch=sm_80 "$scratch/k.cu" -o "$scratch/k.cubin" \
    >"$log" 2>&1
}

setup_cuda() {
  local nvcc
  nvcc=$(found NVCC)
  case $nvcc in
  "" | "$toolchain"/* | "$PWD/$toolchain"/*)
    fetch_wheels compiler wheels-compiler.txt \
      "NVIDIA's compiler 13.0.88 (about 105 MB to fetch)"
    ;;
  *) say "nvcc: $nvcc is on PATH and is used" ;;
  esac
  if ! has nvdisasm || ! has cuobjdump; then
    fetch_wheels disassembler wheels-disassembler.txt \
      "NVIDIA's disassembler 13.2.51 (about 5 MB to fetch)" || short=1
  fi
  [ -z "$dry" ] || return
  if try_nvcc; then
    say "nvcc compiled a small kernel"
  else
    [ -n "$(found NVCC)" ] && tail -3 "$log"
    short=1
    say "there is no nvcc that works; the recorded PTX in tangled/ is used," \
      "and changed kernels cannot be compiled"
  fi
}

# What `make all` cannot do without.
check_needed() {
  has make || lacks+=(make)
  compiles_c || lacks+=(gcc)
  [ ${#lacks[@]} -gt 0 ] || return 0
  local need
  for need in make awk sed; do
    has $need || return 1
  done
  compiles_c
}

scratch=$(mktemp -d)
log=$scratch/log
trap 'rm -rf "$scratch"' EXIT
: >"$log"

if [ "${1:-}" = --tests ]; then
  mapfile -t packages < <(test_packages | sort -u)
  install_missing "the tests" ${packages[@]+"${packages[@]}"}
  fetch_wheels tests wheels-tests.txt "the rules of accessibility (axe-core)" ||
    lacks+=(axe-core)
  [ ${#lacks[@]} = 0 ] || say "tests that need these will be skipped"
  exit 0
fi

mapfile -t packages < <(base_packages | sort -u)
install_missing "Debian's packages" ${packages[@]+"${packages[@]}"}
setup_cuda
mapfile -t packages < <(book_packages | sort -u)
install_missing "the book's pages" ${packages[@]+"${packages[@]}"}
if [ -n "$dry" ]; then
  exit 0
elif ! check_needed; then
  say "not complete: make all cannot run yet. See: make doctor"
  exit 2
elif [ ${#lacks[@]} -gt 0 ] || [ $short = 1 ]; then
  say "not complete, but make all can run. See: make doctor"
elif [ $did = 1 ]; then
  say "done. Next: make all"
else
  say "nothing to do. Next: make all"
fi
