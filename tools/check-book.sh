#!/usr/bin/env bash
# check-book.sh [book|html|pdf|epub|figures]...: says what the book lacks here.
# Status: 0 nothing, 2 something is missing.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lacks=0
lack() {
  echo "book: $*; run: make setup" >&2
  lacks=1
}

wanted=" ${*:-book} "
[[ $wanted != *" book "* ]] || wanted=" html pdf epub figures "
while read -r state name _ goals what; do
  [ "$state" = lack ] || continue
  for goal in ${goals//,/ }; do
    if [[ $wanted == *" $goal "* ]]; then
      lack "$name is not installed ($what)"
      break
    fi
  done
done < <("$here/book-needs.sh")

eval "$("$here/find-tools.sh" | sed 's/^/found_/')"
[ -n "${found_NVCC:-}" ] ||
  lack "nvcc is not here, and listings are of this build"
if [ -z "${found_NVDISASM:-}" ] || [ -z "${found_PTXAS:-}" ]; then
  lack "ptxas or nvdisasm is not here"
fi
[ $lacks = 0 ] || exit 2
