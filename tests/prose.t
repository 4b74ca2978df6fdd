#!/usr/bin/env bash
# The book's prose: spelling, the words that its style does without, headings,
# and numbers that should have come from a run. Chapters are read as the pages
# have them (build/book/ast), code left out; `make book` makes these.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

stems=()
while read -r nw; do
  [ ! -f "$nw" ] || stems+=("$(basename "$nw" .nw)")
done < <(sed -n 's/^[a-zA-Z0-9]*\t\(chapters.*\)/\1/p' book/order.txt)
ok "$([ "${#stems[@]}" -ge 14 ]; echo $?)" "the book has ${#stems[@]} chapters"

if ! command -v pandoc >/dev/null || ! command -v hunspell >/dev/null ||
  [ ! -d build/book/ast ]; then
  skip "prose" "pandoc or hunspell is not here, or the book is not made"
  finish
fi

for stem in "${stems[@]}"; do
  pandoc -f json -t plain --wrap=none -L tests/prose_words.lua \
    "build/book/ast/$stem.json" >"$scratch/$stem.txt" 2>"$scratch/err" ||
    ok 1 "$stem can be read: $(cat "$scratch/err")"
  ok "$([ "$(wc -w <"$scratch/$stem.txt")" -gt 200 ]; echo $?)" \
    "$stem has prose"
done

# Spelling: British, with the book's own words.
sort -c -u book/words.txt 2>/dev/null
ok $? "book/words.txt is sorted"
for stem in "${stems[@]}"; do
  unknown=$(sed "s/’s\b//g; s/’/'/g" "$scratch/$stem.txt" |
    LC_ALL=C.UTF-8 hunspell -i UTF-8 -d en_GB -p book/words.txt -l |
    grep -vE '[0-9]' | sort -u | tr '\n' ' ')
  is "$unknown" "" "$stem: spelling"
done
is "$(echo 'a wrogn word' | hunspell -d en_GB -p book/words.txt -l)" wrogn \
  "and a wrong word is found"

# Words that the style does without, and headings that ask.
banned='simply|just|powerful|obviously|of course|clearly|basically|actually'
banned+='|really|easily|it should be noted|in order to|leverage|utili[sz]e'
banned+='|seamless|seamlessly|robust|amazing|blazing|awesome|dive in|delve'
banned+='|crucial|crucially|essentially|literally|needless to say'
for stem in "${stems[@]}"; do
  # Fixed phrases of the field are no filler.
  used=$(sed 's/[Jj]ust[- ]in[- ]time//g' "$scratch/$stem.txt" |
    LC_ALL=C.UTF-8 grep -noiwE ".{0,30}\b($banned)\b.{0,20}" | head -5)
  is "$used" "" "$stem: no filler"
done
like "$(echo 'This is simply so' | grep -oiwE "$banned")" simply \
  "and filler is found"
is "$(grep -nE '^#+ .*\?$' chapters/*.nw)" "" "no heading asks a question"

# A count that a run of this build gives is a reference, not typed. Sizes that
# the prose sets (the profile size, the block, the gate) may be typed.
typed=""
while read -r value; do
  text=$(rev <<<"$value" | sed 's/[0-9]\{3\}/&,/g' | rev | sed 's/^,//')
  typed+=$(grep -nF "$text" chapters/*.nw |
    grep -vE ":[^:]*:.*[0-9],$text|^[^:]*:[^:]*:.*$text,[0-9]")
done < <(sed -n 's/^ *"\(global\|shared\|shuffles\|barriers\|instr\|lane\)[a-z_]*": \([0-9]\{5,\}\),*$/\2/p' \
  build/book/runs/*/report.json | sort -un | grep -v '^4194304$')
is "$typed" "" "no count of this build's runs is typed by hand"

# Every chapter that the book has is in its order.
missing=""
for nw in chapters/*.nw; do
  grep -q "	$nw\$" book/order.txt || missing+=" $nw"
done
is "$missing" "" "every chapter is in book/order.txt"
finish
