#!/usr/bin/env bash
# Does tangling make what the chapters say, and refuse what they must not say?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

if ! has notangle; then
  skip "tangling" "noweb is not installed"
  finish
fi

# The real chapters.
said=$(tools/tangle.sh --strict --check 2>&1)
ok $? "tangled/ is in step with chapters/, with no long chunk and no stale file"
like "$said" '^tangle: [1-9][0-9]* files of [1-9][0-9]* chapters are in step' \
  "there are chapters, and they make files"
sed 's/^/# /' <<<"$said"

# The line maps: every line of every product, and the right chapter's line.
said=$(for map in tangled/*/lines.map; do
  folder=${map%/lines.map}
  awk -v folder="$folder" '
    function plain(text) {
      gsub(/@<</, "<<", text); gsub(/@>>/, ">>", text)
      sub(/^@@/, "@", text); gsub(/^[ \t]+|[ \t]+$/, "", text)
      return text
    }
    function line(file, number,   text, n) {
      if (!(file in read_)) {
        while ((getline text < file) > 0) all[file, ++n] = text
        read_[file] = n
      }
      return all[file, number]
    }
    {
      file = folder "/" $1
      for (i = 0; i < $5; i++) {
        made = plain(line(file, $2 + i)); from = plain(line($3, $4 + i))
        if (made != from && !(made == "" && from ~ /^<<.*>>$/))
          print file ":" ($2 + i) " is not " $3 ":" ($4 + i)
        covered[file]++
      }
    }
    END {
      for (file in covered)
        if (covered[file] != read_[file])
          print file ": " covered[file] " of " read_[file] " lines are mapped"
      if (NR == 0) print FILENAME " is empty"
    }' "$map"
done 2>&1)
is "$said" "" "the line maps name the chapter's line of every tangled line"

# Mistakes, each in a copy of the tiny project.
# mistake NAME SED-SCRIPT MESSAGE [strict]
mistake() {
  local project=$scratch/mistake said status before
  rm -rf "$project"
  tiny "$project"
  (cd "$project" && tools/tangle.sh >/dev/null 2>&1)
  before=$(cd "$project/tangled" && cat ./*/*.[ch] | cksum)
  sed -i "$2" "$project/chapters/01-one.nw"
  said=$(cd "$project" && tools/tangle.sh ${4:+--strict} 2>&1)
  status=$?
  is "$status" 1 "$1: refused"
  like "$said" "$3" "$1: the message says where and why"
  is "$(cd "$project/tangled" && cat ./*/*.[ch] | cksum)" "$before" \
    "$1: tangled/ is left as it was"
}
use='s/^  <<compute the answer>>/  <<compute an answer>>/'
mistake "an undefined chunk" "$use" \
  '^chapters/01-one.nw:21: no chunk is named <<compute an answer>>'
mistake "a loose chunk" 's/^<<store one element>>=/<<store an element>>=/' \
  '^chapters/01-one.nw:[0-9]+: chunk <<store an element>> is never used'
mistake "a code line that begins with @" 's/^return twice;/@ return twice;/' \
  '^chapters/01-one.nw:29: a line that begins with `@ `'
mistake "a tab" 's/^return twice;/\treturn twice;/' \
  '^chapters/01-one.nw:29: a tab in a code chunk'
mistake "a wide line" "s,^return twice;,& // $(printf 'x%.0s' {1..70})," \
  '^chapters/01-one.nw:29: a code line of 87 columns'
mistake "a reference in mid-line" 's/^return twice;/return <<twice>>;/' \
  '^chapters/01-one.nw:29: a chunk reference must stand alone'
mistake "a chunk that contains itself" \
  's/^return twice;/  <<compute the answer>>/' 'contains itself'
long=$(printf 'twice++;\\n%.0s' {1..30})
mistake "a long chunk" "s/^return twice;/${long}return twice;/" \
  'chunk <<compute the answer>> has 32 lines; 25 is the most' strict

# Two makers of one file, and a file without a maker.
project=$scratch/twice
tiny "$project"
sed -i 's,<<chapter2/model.c>>=,<<chapter1/model.c>>=,' \
  "$project/chapters/02-two.nw"
said=$(cd "$project" && tools/tangle.sh 2>&1)
is $? 1 "two chapters that make one file are refused"
like "$said" 'chapter1/model.c is made by .*01-one.nw and by .*02-two.nw' \
  "and both are named"

project=$scratch/stale
tiny "$project"
(cd "$project" && tools/tangle.sh >/dev/null)
touch "$project/tangled/sim/left.c"
said=$(cd "$project" && tools/tangle.sh --strict 2>&1)
is $? 1 "a file that no chapter makes is refused when strict"
like "$said" 'no chapter makes tangled/sim/left.c' "and named"
rm "$project/tangled/sim/left.c"
echo '/* edited by hand */' >>"$project/tangled/sim/tiny.c"
said=$(cd "$project" && tools/tangle.sh --check 2>&1)
is $? 1 "a tangled file edited by hand is not in step"
like "$said" 'tangled/sim/tiny.c differ' "and named"

# An unchanged product keeps its time.
project=$scratch/times
tiny "$project"
(cd "$project" && tools/tangle.sh >/dev/null)
touch -d '2001-01-01' "$project"/tangled/*/*
sed -i 's/2 \* n/3 * n/' "$project/chapters/01-one.nw"
(cd "$project" && tools/tangle.sh >/dev/null)
said=$(cd "$project" && find tangled -newermt '2002-01-01' -type f | sort)
is "$said" tangled/sim/tiny.c "only the product that changed is written"

# The signs themselves.
project=$scratch/signs
tiny "$project"
sed -i 's/2 \* n/n @<< 2 @>> 1/' "$project/chapters/01-one.nw"
(cd "$project" && tools/tangle.sh >/dev/null)
like "$(cat "$project/tangled/sim/tiny.c")" 'twice = n << 2 >> 1;' \
  "@<< and @>> become << and >>"

# Without noweb.
path=$(hide "$scratch/bin" notangle)
said=$(cd "$project" && PATH=$path tools/tangle.sh 2>&1)
is $? 2 "without noweb tangling cannot be done"
like "$said" 'noweb is not installed; run: make setup' "and says what to do"
finish
