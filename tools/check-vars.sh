#!/usr/bin/env bash
# check-vars.sh: are N, BLOCK, DEVICE and ARCH (from the environment; empty
# means the default) values that a chapter can run with? Status 0, or 2 with
# one line a mistake on standard error.
set -u
status=0

bad() {
  echo "$1" >&2
  status=2
}

whole() { # a whole number without leading zeros, at most ten digits
  [[ $1 =~ ^(0|[1-9][0-9]{0,9})$ ]]
}

n=${N:-1}
if ! whole "$n" || [ "$n" -gt 2147483647 ]; then
  bad "N=$n: N is a number of elements, from 0 to 2147483647"
fi
block=${BLOCK:-256}
if ! whole "$block" || [ "$block" -gt 1024 ] ||
  [ "$block" = 0 ] || [ $((block % 32)) != 0 ]; then
  bad "BLOCK=$block: BLOCK is a number of threads, a multiple of 32 up to 1024"
fi
case ${DEVICE:-auto} in
auto | sim | gpu) ;;
*) bad "DEVICE=$DEVICE: DEVICE is auto, sim or gpu" ;;
esac
if ! [[ ${ARCH:-compute_80} =~ ^compute_[1-9][0-9]{1,2}[af]?$ ]]; then
  bad "ARCH=$ARCH: ARCH is a PTX target such as compute_80"
elif [ "$(echo "${ARCH:-compute_80}" | tr -dc 0-9)" -lt 80 ]; then
  bad "ARCH=$ARCH: the book's kernels need compute_80 or newer"
fi
exit $status
