#!/usr/bin/env bash
# tangle.sh: makes tangled/ from chapters/, changing only what changed.
#
#   tools/tangle.sh                 every chapter, then the checks
#   tools/tangle.sh --one FILE.nw   one chapter's products
#   tools/tangle.sh --finish [FILE.nw...]
#                                   the checks over all of them, the line maps
#                                   and the list of products for make
#   tools/tangle.sh --check         writes nothing: is tangled/ in step?
#   tools/tangle.sh --strict ...    also refuses long chunks and stale files
#
# OUT (default tangled) takes the products, STATE (default build/tangle) what
# is remembered between runs. Status: 0 done, 1 a chapter is wrong, 2 cannot.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-tangled}
state=${STATE:-build/tangle}
strict=0

die() {
  echo "tangle: $2" >&2
  exit "$1"
}

# Moves $1 to $2 unless they are equal, so that an unchanged file keeps its
# time and make rebuilds nothing for it.
move_if_changed() {
  if cmp -s "$1" "$2"; then
    rm -f "$1"
  else
    mkdir -p "$(dirname "$2")"
    mv -f "$1" "$2"
  fi
}

tangle_one() {
  local nw=$1 name work root flat
  [ -f "$nw" ] || die 2 "there is no $nw"
  name=$(basename "$nw" .nw)
  work=$state/$name
  rm -rf "$work"
  mkdir -p "$work/text" "$work/new"
  awk -v out="$work" -v strict="$strict" -f "$here/chunks.awk" "$nw" ||
    die 1 "$nw has the mistakes above; tangled/ was left as it was"
  while read -r root; do
    flat=${root//\//!}
    notangle -R"$root" "$nw" >"$work/new/$flat" 2>"$work/err" || {
      cat "$work/err" >&2
      die 1 "notangle refused <<$root>> of $nw; tangled/ was left as it was"
    }
    diff -qZ "$work/new/$flat" "$work/text/$flat" >/dev/null || {
      diff -Z "$work/new/$flat" "$work/text/$flat" | head -5 >&2 || true
      die 1 "$nw: notangle and tools/chunks.awk read <<$root>> differently"
    }
  done <"$work/roots"
  while read -r root; do
    move_if_changed "$work/new/${root//\//!}" "$out/$root"
  done <"$work/roots"
  rm -rf "$work/text" "$work/new" "$work/err"
  touch "$state/$name.stamp"
}

# Complains of a product that two chapters make.
check_twice() {
  local twice
  twice=$(awk '{
      if ($1 in by) print $1 " is made by " by[$1] " and by " $2
      by[$1] = $2
    }' "$state/products")
  [ -z "$twice" ] || die 1 "$twice"
}

# Complains of files under tangled/ that no chapter makes.
check_stale() {
  local file stale=""
  for file in "$out"/*/*; do
    case $file in
    *.c | *.h | *.cu | *.inc) ;;
    */lines.map)
      grep -q "^$(basename "$(dirname "$file")")/" "$state/products" ||
        stale+=" $file"
      continue
      ;;
    *.ptx) # a recording lives as long as its kernel
      [ -f "${file%.ptx}.cu" ] || stale+=" $file"
      continue
      ;;
    *) continue ;;
    esac
    grep -q "^${file#"$out"/} " "$state/products" || stale+=" $file"
  done
  [ -z "$stale" ] && return
  echo "tangle: no chapter makes${stale}; delete what is left over" >&2
  [ "$strict" = 0 ] || exit 1
}

# One map a folder: FILE TANGLED_LINE NW_FILE NW_LINE COUNT.
write_maps() {
  local folder
  cut -d/ -f1 "$state/products" | sort -u | while read -r folder; do
    sed -n "s,^$folder/,,p" "$state/map" | sort -k1,1 -k2,2n >"$state/lines"
    move_if_changed "$state/lines" "$out/$folder/lines.map"
  done
}

# What make includes: the products, and which chapter makes each.
write_list() {
  {
    echo "# Written by tools/tangle.sh. Do not edit."
    sed "s,^\([^ ]*\) .*,TANGLED += $out/\1," "$state/products"
    awk -v out="$out" -v state="$state" '{
        stamp = $2
        sub(/.*\//, "", stamp)
        sub(/\.nw$/, ".stamp", stamp)
        printf "%s/%s: | %s/%s\n", out, $1, state, stamp
        printf "\ttools/tangle.sh --one %s\n", $2
      }' "$state/products"
  } >"$state/files.new"
  move_if_changed "$state/files.new" "$state/files.mk"
  touch "$state/files.mk"
}

finish() {
  local nw name
  mkdir -p "$state"
  : >"$state/products"
  : >"$state/map"
  for nw in "$@"; do
    name=$(basename "$nw" .nw)
    [ -f "$state/$name/roots" ] || die 2 "$nw was not tangled"
    sed "s,\$, $nw," "$state/$name/roots" >>"$state/products"
    cat "$state/$name/map" >>"$state/map"
  done
  check_twice
  check_stale
  write_maps
  write_list
}

everything() {
  local nw
  for nw in "$@"; do
    tangle_one "$nw"
  done
  finish "$@"
}

# Tangles into a scratch folder and compares it with tangled/.
check() {
  local real=$out differ
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  out=$scratch/out
  state=$scratch/state
  mkdir -p "$out" "$state"
  everything "$@"
  differ=$(diff -rq "$out" "$real" | grep -v '^Only in .*\.ptx$') || true
  if [ -n "$differ" ]; then
    echo "${differ//"$out"/the chapters make}" >&2
    die 1 "tangled/ is not in step with chapters/; run: make tangle"
  fi
  echo "tangle: $(wc -l <"$state/products") files of $# chapters are in step"
}

mode=all
files=()
for word in "$@"; do
  case $word in
  --strict) strict=1 ;;
  --one | --finish | --check) mode=${word#--} ;;
  -*) die 2 "unknown option $word" ;;
  *) files+=("$word") ;;
  esac
done
if [ ${#files[@]} = 0 ]; then
  for word in chapters/*.nw; do
    [ -f "$word" ] && files+=("$word")
  done
fi
[ ${#files[@]} -gt 0 ] || die 2 "there is no chapter in chapters/"
[ "$mode" = finish ] || command -v notangle >/dev/null ||
  die 2 "noweb is not installed; run: make setup"

case $mode in
one) tangle_one "${files[0]}" ;;
finish) finish "${files[@]}" ;;
check) check "${files[@]}" ;;
all)
  everything "${files[@]}"
  echo "tangle: $(wc -l <"$state/products") files of ${#files[@]} chapters"
  ;;
esac
