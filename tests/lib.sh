# lib.sh: TAP for the tests written in bash. A test sources it, calls ok, is,
# like and skip, and ends with `finish`. It runs from the repository's root;
# $scratch is a folder of its own, removed at the end.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES MAKE_RESTARTS
unset N BLOCK DEVICE ARCH V NVCC TOOLCHAIN
export LC_ALL=C
count=0
failed=0

# ok STATUS NAME: passes when STATUS is 0.
ok() {
  count=$((count + 1))
  if [ "$1" = 0 ]; then
    echo "ok $count - $2"
  else
    echo "not ok $count - $2"
    failed=1
  fi
}

# is GOT WANT NAME
is() {
  if [ "$1" = "$2" ]; then
    ok 0 "$3"
  else
    ok 1 "$3"
    printf 'got:  %s\nwant: %s\n' "$1" "$2" | sed 's/^/# /'
  fi
}

# like TEXT REGEX NAME: does a line of TEXT match?
like() {
  if grep -qE -- "$2" <<<"$1"; then
    ok 0 "$3"
  else
    ok 1 "$3"
    printf 'no line matches: %s\nin:\n%s\n' "$2" "$1" | sed 's/^/# /'
  fi
}

# unlike TEXT REGEX NAME
unlike() {
  if grep -qE -- "$2" <<<"$1"; then
    ok 1 "$3"
    printf 'a line matches: %s\nin:\n%s\n' "$2" "$1" | sed 's/^/# /'
  else
    ok 0 "$3"
  fi
}

# skip NAME REASON: says that something was not tested, and why.
skip() {
  count=$((count + 1))
  echo "ok $count - $1 # SKIP $2"
}

finish() {
  [ $count -gt 0 ] || failed=1
  echo "1..$count"
  exit $failed
}

has() { command -v "$1" >/dev/null 2>&1; }

# tiny FOLDER: a project of two tiny chapters with this repository's tools.
tiny() {
  mkdir -p "$1"
  cp -r Makefile mk tools tests/tiny/chapters "$1"
  [ ! -d .toolchain ] || ln -s "$root/.toolchain" "$1/.toolchain"
}

# hide FOLDER COMMAND...: fills FOLDER with links to every command on PATH but
# these, and prints it, to be used as PATH.
hide() {
  local folder=$1 place name hidden
  shift
  hidden=" $* "
  mkdir -p "$folder"
  tr : '\n' <<<"$PATH" | while read -r place; do
    [ -d "$place" ] || continue
    cp -rsn "$(cd "$place" && pwd)"/. "$folder" 2>/dev/null
  done
  for name in $hidden; do
    rm -f "$folder/$name"
  done
  # nvcc looks for its parts beside itself, so a link to it would not do.
  if [ -e "$folder/nvcc" ]; then
    rm "$folder/nvcc"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v nvcc)" >"$folder/nvcc"
    chmod +x "$folder/nvcc"
  fi
  echo "$folder"
}

CUDA_COMMANDS="nvcc ptxas cuobjdump nvdisasm nvlink fatbinary cudafe++"
