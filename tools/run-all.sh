#!/usr/bin/env bash
# run-all.sh CHAPTER...: runs the chapters in order and says how each ended.
# Status: 0 when all passed, else the largest of theirs.
set -u
here=$(dirname "$0")
worst=0
count=0
summary=()
for chapter in "$@"; do
  count=$((count + 1))
  echo "== chapter $chapter ($count of $#)"
  "$here/run-chapter.sh" "$chapter" --no-listing
  status=$?
  case $status in
  0) verdict=passed ;;
  1) verdict="judged wrong" ;;
  *) verdict="could not run" ;;
  esac
  summary+=("  chapter $chapter: $verdict")
  [ $status -le $worst ] || worst=$status
done
[ $count -gt 0 ] || {
  echo "all: there is no chapter to run" >&2
  exit 2
}
echo "== verdicts"
printf '%s\n' "${summary[@]}"
exit $worst
