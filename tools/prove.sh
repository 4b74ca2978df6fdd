#!/usr/bin/env bash
# prove.sh TEST...: runs tests that print TAP, as many at a time as there are
# processors. Its status is prove's; no test at all is a failure.
set -u
[ $# -gt 0 ] || {
  echo "prove: there is no test to run" >&2
  exit 2
}
# A test that calls make must not take this make's goals and job slots.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES MAKE_RESTARTS
unset N BLOCK DEVICE ARCH V NVCC
exec prove --exec '' --timer -j"$(nproc 2>/dev/null || echo 2)" "$@"
