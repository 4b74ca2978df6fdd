#!/usr/bin/env bash
# version.sh TOOL: the version of a tool that made this build, in a word or two.
set -euo pipefail
first() { grep -o -E '[0-9]+\.[0-9]+(\.[0-9]+)*' | head -1; }
case ${1:-} in
nvcc | ptxas | nvdisasm)
  path=$("$(dirname "$0")/find-tools.sh" |
    sed -n "s,^$(tr '[:lower:]' '[:upper:]' <<<"$1")=,,p")
  [ -n "$path" ] || exit 1
  "$path" --version | sed -n 's/.*, V\([0-9.]*\)$/\1/p'
  ;;
noweb) dpkg-query -W -f '${Version}' noweb | first ;;
pandoc) pandoc --version | first ;;
lualatex) lualatex --version | first ;;
gcc | clang) "$1" --version | first ;;
*)
  echo "version: no tool named '${1:-}' is known" >&2
  exit 2
  ;;
esac
