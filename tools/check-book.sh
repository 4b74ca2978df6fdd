#!/usr/bin/env bash
# check-book.sh [book|html|pdf|epub]...: says which tools the book lacks here.
# Status: 0 all there, 2 something is missing.
set -uo pipefail
lacks=0
need() { # TOOL WHAT-FOR
  command -v "$1" >/dev/null && return
  echo "book: $1 is not installed ($2); run: make setup" >&2
  lacks=1
}
need notangle "noweb, which takes the chapters apart"
need pandoc "which makes the pages"
if ! ls /usr/share/lua/5.3/dkjson.lua >/dev/null 2>&1; then
  echo "book: lua-dkjson is not installed; run: make setup" >&2
  lacks=1
fi
eval "$("$(dirname "$0")/find-tools.sh" | sed 's/^/found_/')"
[ -n "${found_NVCC:-}" ] || {
  echo "book: nvcc is not here, and listings are of this build; run: make setup" >&2
  lacks=1
}
if [ -z "${found_NVDISASM:-}" ] || [ -z "${found_PTXAS:-}" ]; then
  echo "book: ptxas or nvdisasm is not here; run: make setup" >&2
  lacks=1
fi
for goal in "${@:-book}"; do
  case $goal in
  book | pdf)
    need lualatex "which sets the PDF"
    need rsvg-convert "which converts the figures"
    ;;
  esac
done
[ $lacks = 0 ] || exit 2
