#!/usr/bin/env bash
# compile-ptx.sh SOURCE.cu OUTPUT.ptx: makes a kernel's PTX.
#
# With nvcc (path in NVCC) the PTX is built for ARCH, and OUTPUT.origin says
# "built". Without it the PTX recorded beside the source is copied, if it was
# recorded from this very source, and OUTPUT.origin says "recorded".
# Status 0, 1 (the kernel does not compile) or 2 (no way to make the PTX).
set -euo pipefail
export LC_ALL=C

here=$(dirname "$0")
source=$1
output=$2
arch=${ARCH:-compute_80}
recorded=${source%.cu}.ptx
origin=${output%.ptx}.origin
sum=$(sha256sum "$source" | cut -c1-16)

mkdir -p "$(dirname "$output")"
if [ -n "${NVCC:-}" ]; then
  version=$("$NVCC" --version | sed -n 's/.*, V\([0-9.]*\).*/\1/p')
  "$here/nwrun.sh" "$NVCC" -ptx -arch="$arch" -fmad=false -lineinfo \
    "$source" -o "$output.raw" || exit 1
  made="from $source ($sum) by nvcc $version for $arch"
  awk -v root="$PWD/" -v made="$made" -f "$here/ptx-normal.awk" \
    "$output.raw" >"$output.new" || {
    echo "compile-ptx: $output still names this folder" >&2
    exit 1
  }
  rm -f "$output.raw"
  mv "$output.new" "$output"
  echo built >"$origin"
  exit 0
fi

if [ ! -f "$recorded" ]; then
  echo "$source: no nvcc here, and no PTX is recorded for it;" \
    "run: make setup" >&2
  exit 2
fi
if ! head -1 "$recorded" | grep -qF "from $source ($sum) "; then
  echo "$source was changed after its PTX was recorded, and there is no nvcc" \
    "to compile it; run: make setup" >&2
  exit 2
fi
if ! head -1 "$recorded" | grep -q " for $arch\$"; then
  echo "ARCH=$arch needs nvcc (the recorded PTX is for compute_80);" \
    "run: make setup" >&2
  exit 2
fi
echo "  (no nvcc: $output is the recorded PTX)"
cp "$recorded" "$output"
echo recorded >"$origin"
