#!/usr/bin/env bash
# Five hundred instructions, each over 4,096 cases: does the simulator compute
# what an H200 did? The recorded file is tests/hardware/vectors-h200.tsv.gz.
. "$(dirname "$0")/lib.sh"
program=build/tests/hardware/vectors
recorded=$scratch/vectors.tsv
if ! [ -x $program ]; then
  ok 1 "$program has been built (make test builds it)"
  finish
fi
gzip -dc tests/hardware/vectors-h200.tsv.gz >"$recorded"
LD_LIBRARY_PATH=build/sim exec "$program" check "$recorded"
