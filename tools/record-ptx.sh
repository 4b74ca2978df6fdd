#!/usr/bin/env bash
# record-ptx.sh [--check]: brings the PTX recorded beside the kernels up to
# date with nvcc 13.0.88 for compute_80, or checks that it is. Any other nvcc
# may write other PTX, and is refused. Status 0, 1 (differs), 2 (cannot).
set -euo pipefail

here=$(dirname "$0")
pinned=13.0.88
tools=$("$here/find-tools.sh")
NVCC=$(sed -n 's/^NVCC=//p' <<<"$tools")
if [ -z "$NVCC" ] || ! "$NVCC" --version | grep -q "V$pinned"; then
  echo "record: needs nvcc $pinned, found ${NVCC:-none}" >&2
  exit 2
fi
export NVCC ARCH=compute_80

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
differ=0
for source in tangled/chapter*/*.cu; do
  [ -f "$source" ] || continue
  count=$((count + 1))
  recorded=${source%.cu}.ptx
  "$here/compile-ptx.sh" "$source" "$scratch/out.ptx"
  cmp -s "$scratch/out.ptx" "$recorded" && continue
  if [ "${1:-}" = --check ]; then
    echo "record: $recorded is not what nvcc $pinned makes of $source" >&2
    differ=1
  else
    cp "$scratch/out.ptx" "$recorded"
    echo "record: $recorded"
  fi
done
echo "record: $count kernels"
[ "$count" -gt 0 ] || exit 2
exit $differ
