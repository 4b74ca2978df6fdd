#!/usr/bin/env bash
# A chapter with one thing broken: does the book's build stop, and say what is
# wrong and in which line of the .nw?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

if ! tools/check-book.sh html epub >/dev/null 2>&1 ||
  [ ! -e build/book/html/index.html ]; then
  skip "a broken chapter" "the book cannot be made here, or is not made"
  finish
fi

# A copy with what is built so far, so that one chapter is made anew.
p=$scratch/p
mkdir "$p"
cp -a Makefile mk tools book chapters figures tangled tests build "$p"
[ ! -e .toolchain ] || ln -s "$(realpath .toolchain)" "$p/.toolchain"
nw=chapters/01-one-lane.nw
cp "$p/$nw" "$scratch/whole.nw"

# broken GOAL: builds it, sets `status` and `said`, and mends the chapter.
broken() {
  status=0
  said=$(cd "$p" && make "$1" 2>&1) || status=$?
  cp "$scratch/whole.nw" "$p/$nw"
}
line_of() { # REGEX: the first line that has it
  grep -n -m1 -- "$1" "$p/$nw" | cut -d: -f1
}
stops() { # WHAT REGEX
  ok $((status == 0)) "$1 stops the build"
  like "$said" "$2" "and the line and the cause are told"
  # What was there before is left, and no half of it.
  ok "$([ -s "$p/build/book/html/01-one-lane.html" ]; echo $?)" \
    "the page of before is still there"
}

broken html
is "$status" 0 "unbroken, it is made"

at=$(line_of '{{chapter1\.')
sed -i "${at}s/{{chapter1\.[a-z_]*/{{chapter1.nonesuch/" "$p/$nw"
broken html
stops "a number that no run gives" "^$nw:$at: .*nonesuch"

at=$(line_of '{{chapter1\.')
sed -i "${at}s/{{chapter1\./{{chapter99./" "$p/$nw"
broken html
stops "a number of a chapter that is not run" "^$nw:$at: .*chapter99"

# The definition is renamed, and so a use of it has none.
name=$(sed -n 's/^<<\([a-z ,]*\)>>=$/\1/p' "$p/$nw" | head -1)
sed -i "s/^<<$name>>=\$/<<no such chunk>>=/" "$p/$nw"
at=$(line_of "^ *<<$name>>\$")
broken html
stops "a chunk's name" "$nw:$at: .*<<$name>>"

at=$(($(line_of '^## ') + 2))
sed -i "${at}i A [link](#ch1-nowhere) that leads nowhere.\n" "$p/$nw"
broken html
stops "a link" "^$nw:$at: .*#ch1-nowhere"

sed -i "${at}i A [link](#ch1-nowhere) that leads nowhere.\n" "$p/$nw"
broken epub
ok $((status == 0)) "a link stops the EPUB too"
like "$said" "#ch1-nowhere" "and is told"

at=$(($(line_of '^## ') + 2))
sed -i "${at}i As was shown [@nobody-2020], it is so.\n" "$p/$nw"
broken html
stops "a source that the bibliography lacks" "nobody-2020"

finish
