#!/usr/bin/env bash
# Is the recorded PTX what nvcc makes, and does ptxas accept all of it?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

found=$(tools/find-tools.sh)
NVCC=$(sed -n 's/^NVCC=//p' <<<"$found")
PTXAS=$(sed -n 's/^PTXAS=//p' <<<"$found")
recordings=(tangled/chapter*/*.ptx)
[ -f "${recordings[0]}" ] || recordings=()
kernels=(tangled/chapter*/*.cu)
ok "$([ -f "${kernels[0]}" ]; echo $?)" "there are kernels"
is "${#recordings[@]}" "${#kernels[@]}" "every kernel's PTX is recorded"

if [ -n "$NVCC" ] && "$NVCC" --version | grep -q V13.0.88; then
  said=$(tools/record-ptx.sh --check 2>&1)
  ok $? "the recorded PTX is what nvcc 13.0.88 makes"
  sed 's/^/# /' <<<"$said"
else
  skip "the recorded PTX is nvcc's" "there is no nvcc 13.0.88"
fi

if [ -z "$PTXAS" ]; then
  skip "ptxas accepts the PTX" "there is no ptxas"
  finish
fi
echo '.version 7.0
.target sm_80
.address_size 64
.visible .entry k() { ret; }' >"$scratch/k.ptx"
for arch in sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
  if ! "$PTXAS" -arch=$arch "$scratch/k.ptx" -o "$scratch/k.cubin" 2>/dev/null
  then
    case $arch in
    sm_80 | sm_90) ok 1 "ptxas knows $arch" ;;
    *) skip "$arch" "this ptxas does not know it" ;;
    esac
    continue
  fi
  bad=
  for ptx in "${recordings[@]}"; do
    said=$("$PTXAS" -v -arch=$arch "$ptx" -o "$scratch/k.cubin" 2>&1) ||
      bad+="$ptx: $(head -3 <<<"$said")"$'\n'
    grep -E '[1-9][0-9]* bytes spill' <<<"$said" >/dev/null &&
      bad+="$ptx spills registers"$'\n'
    grep -q 'Compiling entry function' <<<"$said" ||
      bad+="$ptx has no kernel"$'\n'
  done
  is "$bad" "" "$arch: ptxas accepts ${#recordings[@]} files, without spills"
done
finish
