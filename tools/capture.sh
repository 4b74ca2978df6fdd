#!/usr/bin/env bash
# capture.sh WHAT...: prints what a command of the book prints, for its pages.
#
#   capture.sh run chapterN           the transcript of this build's run
#   capture.sh check chapterN/NAME.cu [N=n] [BLOCK=b]
#                                     another kernel of the chapter, judged
#   capture.sh output COMMAND...      one of the repository's own commands
#
# Status: 0 printed, 2 could not.
set -euo pipefail
here=$(dirname "$0")
runs=${RUNS:-build/book/runs}

die() {
  echo "$*" >&2
  exit 2
}

# The lines that tell a verdict: counters and times are left out, and mistakes
# of one name at several places are told once.
verdict() {
  awk '
    /^  time  / || /^  (PTX|modelled|compiled|measured)  / { next }
    /^  counter  / { table = 1 }
    table { if ($0 == "") table = 0; next }
    /^  MISTAKE/ {
      name = $2
      if (told[name]++) { again = 1; more[name]++; next }
      again = 0
    }
    again && /^              / { next }
    { again = 0; line[++n] = $0 }
    /^  MISTAKE/ { owner[n] = name }
    /^              read: / && name != "" { last[n] = name }
    END {
      for (i = 1; i <= n; i++) {
        if (line[i] == "" && line[i - 1] == "") continue
        print line[i]
        if ((i in last) && more[last[i]])
          print "              [and at " more[last[i]] " more PTX line" \
            (more[last[i]] > 1 ? "s" : "") "]"
      }
    }'
}

what=${1:-}
[ $# -gt 1 ] || die "capture: say what to capture"
shift
case $what in
run)
  file=$runs/$1/transcript.txt
  [ -s "$file" ] || die "$1 has not run in this build"
  cat "$file"
  ;;
check)
  chapter=${1%%/*}
  kernel=${1#*/}
  kernel=${kernel%.cu}
  program=build/$chapter/reduce
  ptx=build/$chapter/$kernel.ptx
  [ -x "$program" ] || die "$chapter is not built"
  [ -f "$ptx" ] || die "there is no kernel $1"
  shift
  options=()
  for word in "$@"; do
    case $word in
    N=*) options+=(--n "${word#N=}") ;;
    BLOCK=*) options+=(--block "${word#BLOCK=}") ;;
    *) die "check takes N= and BLOCK=, not $word" ;;
    esac
  done
  report=$(mktemp)
  trap 'rm -f "$report"' EXIT
  status=0
  # After a fault, what other blocks did depends on the number of threads.
  said=$(SIM_THREADS=1 SIM_CHECK=1 SIM_REPORT=$report \
    LD_LIBRARY_PATH=build/sim "$program" --ptx "$ptx" --counts show \
    ${options[@]+"${options[@]}"} 2>"$report.err") || status=$?
  rm -f "$report.err"
  [ "$status" -le 1 ] || die "$kernel could not be judged (status $status)"
  awk -v plain=1 -v maps="tangled/$chapter/lines.map" \
    -f "$here/nwlines.awk" <<<"$said" | verdict
  ;;
output)
  case $1 in
  build/sim/ptxrun | build/tools/listing | tools/*) "$@" 2>&1 || true ;;
  make)
    case ${2:-} in
    help | doctor) make --no-print-directory "$2" 2>&1 || true ;;
    *) die "make ${2:-} is not a command whose output the book shows" ;;
    esac
    ;;
  *) die "$1 is not one of the book's commands" ;;
  esac
  ;;
*) die "capture: unknown: $what" ;;
esac
