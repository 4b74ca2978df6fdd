#!/usr/bin/env bash
# sectors-table.sh [PTX]: the load sectors of one warp by stride and offset, as
# a Markdown table, counted by ptxrun with chapter 2's kernel `window`.
set -euo pipefail
ptx=${1:-build/chapter2/window.ptx}
run=build/sim/ptxrun
if [ ! -x "$run" ] || [ ! -f "$ptx" ]; then
  echo "sectors-table: $run and $ptx are not built; run: make build" >&2
  exit 2
fi
offsets=(0 1 4 7 8)
sectors() { # STRIDE OFFSET
  "$run" --kernel window --json --arg in:f32:0..1100 --arg out:f32:32 \
    --arg "s32:$1" --arg "s32:$2" "$ptx" |
    sed -n 's/.*"global_load_sectors": *\([0-9][0-9]*\).*/\1/p'
}

printf '| stride |'
printf ' offset %s |' "${offsets[@]}"
printf '\n|---|'
for offset in "${offsets[@]}"; do printf -- '---|'; done
printf '\n'
for stride in 0 1 2 3 4 5 8 16 32; do
  printf '| %s |' "$stride"
  for offset in "${offsets[@]}"; do
    count=$(sectors "$stride" "$offset")
    [ -n "$count" ] || {
      echo "sectors-table: ptxrun counted nothing" >&2
      exit 1
    }
    printf ' %s |' "$count"
  done
  printf '\n'
done
