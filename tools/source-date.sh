#!/usr/bin/env bash
# source-date.sh: when the book's sources last changed, in seconds since 1970.
# The PDF and the EPUB carry this date, so that the same sources make the same
# files whenever they are made.
set -euo pipefail
cd "$(dirname "$0")/.."
date=$(git log -1 --format=%ct -- chapters book figures 2>/dev/null || true)
[ -n "$date" ] || date=$(stat -c %Y chapters/*.nw | sort -n | tail -1)
echo "$date"
