#!/usr/bin/env bash
# The book as PDF: what is in it, and what stops its build.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

for tool in lualatex pandoc rsvg-convert pdfinfo pdffonts pdftotext qpdf python3; do
  if ! has $tool; then
    skip "the book as PDF" "$tool is not installed"
    finish
  fi
done

pdf=build/book/shuffle-ladder.pdf
make pdf >"$scratch/make" 2>&1
ok $? "make pdf makes it"
if [ ! -s $pdf ]; then
  sed 's/^/# /' "$scratch/make" | tail -5
  finish
fi

# --- what is in it -----------------------------------------------------------
info=$(pdfinfo $pdf)
like "$info" '^Title: +The Shuffle Ladder$' "it has its title"
like "$info" '^Author: +The authors' "it names its authors"
like "$info" '^Page size: +535\.[0-9]+ x 697\.' "its page is crown quarto"
pages=$(sed -n 's/^Pages: *//p' <<<"$info")
ok "$((pages < 300 || pages > 1500))" "the number of its pages is sane: $pages"

fonts=$(pdffonts $pdf | tail -n +3)
is "$(awk '$(NF - 4) != "yes"' <<<"$fonts")" "" "every font is embedded"
ok "$(grep -q Type.3 <<<"$fonts" && echo 1 || echo 0)" "no font is a bitmap"
for font in LinLibertineO LinBiolinumO Inconsolata; do
  like "$fonts" "$font" "it is set in $font"
done

qpdf --check $pdf >"$scratch/check" 2>&1
ok $? "qpdf finds it sound"
qpdf --qdf --object-streams=disable $pdf "$scratch/plain.pdf"
is "$(python3 tests/pdf/look.py links "$scratch/plain.pdf" 2>"$scratch/links")" "" \
  "every link leads somewhere"
ok "$(awk '{ exit $1 < 1500 || $5 < 1500 }' "$scratch/links" && echo 0 || echo 1)" \
  "and there are many: $(cat "$scratch/links")"
like "$(grep -a '^  /Lang ' "$scratch/plain.pdf")" \
  '\(en-GB\)|<feff0065006e002d00470042>' "its language is set"
like "$(grep -a '^  /PageMode ' "$scratch/plain.pdf")" UseOutlines \
  "it opens with its outline"

qpdf --json --json-key=outlines $pdf >"$scratch/outline"
outline=$(python3 tests/pdf/look.py outline "$scratch/outline")
lost=""
while read -r nw; do
  [ -f "$nw" ] || continue
  title=$(sed -n 's/^# //p;T;q' "$nw")
  grep -qF -- "$title" <<<"$outline" || lost+="$title; "
done < <(sed -n 's/^[a-zA-Z0-9]*\t\(chapters.*\)/\1/p' book/order.txt)
is "$lost" "" "the outline has every chapter"
for entry in Contents Bibliography "Index of chunks" "Index of identifiers"; do
  like "$outline" "^$entry\$" "the outline has: $entry"
done

text=$(pdftotext -layout $pdf -)
like "$text" '^ *  value \+= shuffle_down\(value, 16\);' \
  "code comes out as text, its indent too"
like "$text" '⟨fold the warp⟩ *≡' "so does the name of a chunk"
like "$text" 'used in 3\.1, p\. ?[0-9]+' "the margin says who uses a chunk, and where"
unlike "$text" 'p\. ?000' "no page number is missing"

log=build/book/tex/book.log
is "$(grep -c '^Overfull' $log)" 0 "no line is wider than its measure"
is "$(grep -ci 'missing character: ' $log)" 0 "no character is missing"

# --- what stops its build ------------------------------------------------------
small=$scratch/small
mkdir -p "$small/chapters" "$small/build/figures"
cp -r book tools "$small"
printf 'part\t\nch1\tchapters/01-one.nw\n' >"$small/book/order.txt"

# set_book: the small book's PDF from its chapter, as mk/book.mk and mk/pdf.mk
# make it; prints what was complained of.
set_book() {
  (
    cd "$small" || exit
    unset BOOK_DRAFT
    local tex=build/book/tex
    mkdir -p $tex build/side
    NAMES=build/names tools/tokens.sh chapters/01-one.nw >build/one.tok &&
      BOOK_NAMES=build/names BOOK_SIDE=build/side/01-one.lua \
        pandoc -f book/reader.lua -t json -o build/one.json build/one.tok &&
      pandoc -f json -t latex-smart -L book/latex.lua -o $tex/01-one.tex \
        build/one.json || exit 1
    : >$tex/colophon.tex
    : >$tex/bibliography.tex
    cp "$root/build/book/tex/ornament.pdf" $tex
    BOOK_SIDE_FOLDER=build/side texlua book/latex_back.lua $tex 01-one || exit 1
    rm -f one.pdf
    book/latex/typeset.sh $tex one.pdf
  ) 2>&1
}

chapter=$small/chapters/01-one.nw

# stops NAME REGEX: is the small book, with its chapter as it now is, refused
# with such a message?
stops() {
  local said
  said=$(set_book)
  ok "$((1 - ($? != 0)))" "stops the build: $1"
  like "$said" "$2" "and is told: $1"
}

cp tests/pdf/chapter.nw "$chapter"
is "$(set_book)" "" "a small book is made, and nothing is complained of"
ok "$([ -s "$small/one.pdf" ] && echo 0 || echo 1)" "the small book is there"
cp "$small/one.pdf" "$scratch/one.pdf"
rm "$small/build/book/tex/book.aux"
set_book >/dev/null
ok "$(cmp -s "$small/one.pdf" "$scratch/one.pdf" && echo 0 || echo 1)" \
  "made again from nothing it is the same, byte for byte"

with() { sed "s|whose second line is indented|$1|" tests/pdf/chapter.nw >"$chapter"; }
long=$(printf 'x%.0s' {1..81})
section='^chapters/01-one\.nw, section ch1-a-section'
sed "s|return 42|return $long|" tests/pdf/chapter.nw >"$chapter"
stops "a line of code past the measure" '^chapters/01-one\.nw:9: line 2 .* columns'
with 'a character, ꙮ, that no font has'
stops "a missing character" "$section: missing character: ꙮ"
with "a word, $long$long, that no line holds"
stops "a line wider than the measure" "$section: overfull .hbox"
with 'a [link](#ch9-nowhere) to nowhere'
stops "a link to nowhere" "$section: undefined reference: ch9-nowhere"
with_figure() {
  cat tests/pdf/chapter.nw
  printf '\n::: {.figure #fig-x src="nothing" alt="Nothing."}\nA caption.\n:::\n'
}
with_figure >"$chapter"
stops "a figure that is not drawn" '^chapters/01-one\.nw: the figure nothing'
echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><text>hi</text></svg>' |
  rsvg-convert -f pdf -o "$small/build/figures/nothing.pdf"
is "$(set_book)" "" "drawn, it no longer does"
like "$(pdftotext "$small/one.pdf" -)" '^Figure 1\.1\. A caption\.' \
  "and it has its number and caption"

finish
