#!/usr/bin/env bash
# tokens.sh FILE.nw: one noweb file in noweb's pipeline format, with its own
# definitions and uses marked, as the book's reader takes it.
set -euo pipefail
lib=${NOWEB_LIB:-/usr/lib/noweb}
here=$(cd "$(dirname "$0")" && pwd)
[ -f "${1:-}" ] || {
  echo "usage: tools/tokens.sh FILE.nw" >&2
  exit 2
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$lib/markup" "$1" | "$lib/autodefs.c" |
  awk -v names="$scratch/names" -f "$here/../book/defs.awk" >"$scratch/tokens"
cut -d' ' -f1 "$scratch/names" | sort -u >"$scratch/known"
[ -z "${NAMES:-}" ] || cp "$scratch/names" "$NAMES"
"$lib/finduses" "$scratch/known" <"$scratch/tokens" | "$lib/noidx"
