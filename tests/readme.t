#!/usr/bin/env bash
# The README's sample is what a run prints, line for line, but for the time.
. "$(dirname "$0")/lib.sh"
shown=$(sed -n '/^    chapter 4: The shared join/,/^    PASS chapter 4/p' README.md |
  sed 's/^    //')
printed=$(DEVICE=sim tools/run-chapter.sh 4 --no-listing 2>&1 |
  grep -v '^  time ')
# Where there is no nvcc or ptxas here, the run says so instead.
told='s/^(  PTX +).*/\1/; s/^(  compiled +).*/\1/'
is "$(sed -E "$told" <<<"$printed" | grep -v 'no nvcc here')" \
  "$(sed -E "$told" <<<"$shown")" "the sample in the README is a run's output"
while read -r goal; do
  like "$(make help)" "make $goal " "make $goal of the README is in make help"
done < <(sed -n 's/^| `make \([a-z]*\)`.*/\1/p' README.md)
finish
