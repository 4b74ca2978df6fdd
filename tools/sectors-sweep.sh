#!/usr/bin/env bash
# sectors-sweep.sh PTX FIRST LAST OFFSET...: the load sectors of one warp for
# each stride from FIRST to LAST and each offset, counted by ptxrun with chapter
# 2's kernel `window`: a JSON object a line.
set -euo pipefail
if [ $# -lt 4 ]; then
  echo "usage: tools/sectors-sweep.sh PTX FIRST LAST OFFSET..." >&2
  exit 2
fi
ptx=$1 first=$2 last=$3
shift 3
run=build/sim/ptxrun
for offset in "$@"; do
  for ((stride = first; stride <= last; stride++)); do
    count=$("$run" --kernel window --json \
      --arg "in:f32:0..$((31 * stride + offset))" --arg out:f32:32 \
      --arg "s32:$stride" --arg "s32:$offset" "$ptx" |
      sed -n 's/.*"global_load_sectors": *\([0-9][0-9]*\).*/\1/p')
    if [ -z "$count" ]; then
      echo "sectors-sweep: ptxrun counted nothing" >&2
      exit 1
    fi
    printf '{"offset":%d,"stride":%d,"sectors":%d}\n' \
      "$offset" "$stride" "$count"
  done
done
