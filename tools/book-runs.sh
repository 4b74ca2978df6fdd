#!/usr/bin/env bash
# book-runs.sh FOLDER CHAPTER...: runs the chapters at the book's own size, for
# the numbers and transcripts of its pages, into FOLDER/chapterN/. What a
# reader's own runs left in build/chapterN/ stays as it is.
set -euo pipefail
here=$(dirname "$0")
folder=$1
shift
unset SIM_SCHEDULE SIM_LIMIT SIM_TRACE
export N=4194304 BLOCK=256 DEVICE=sim
for chapter in "$@"; do
  export RESULTS=$folder/chapter$chapter
  mkdir -p "$RESULTS"
  if ! "$here/run-chapter.sh" "$chapter" --no-listing \
    >"$RESULTS/transcript.new" 2>"$RESULTS/errors"; then
    cat "$RESULTS/transcript.new" "$RESULTS/errors" >&2
    echo "book: chapter $chapter did not pass, so its pages have no numbers" >&2
    exit 1
  fi
  mv "$RESULTS/transcript.new" "$RESULTS/transcript.txt"
done
