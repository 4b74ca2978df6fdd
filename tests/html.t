#!/usr/bin/env bash
# The book as HTML: its pages on their own, in a browser, under axe-core's
# rules, and what stops their build.
# shellcheck source=tests/lib.sh
source "$(dirname "$0")/lib.sh"

html=build/book/html
python=/usr/bin/python3

# Lines "pass NAME" and "fail NAME" of a helper, as tests; the rest is shown.
told() {
  local line
  while IFS= read -r line; do
    case $line in
    "pass "*) ok 0 "${line#pass }" ;;
    "fail "*) ok 1 "${line#fail }" ;;
    *) echo "# ${line#\# }" ;;
    esac
  done
}

# helper NAME COMMAND...: runs one; that it ran to its end is a test too.
helper() {
  local name=$1 status=0
  shift
  "$@" >"$scratch/told" 2>"$scratch/errors" || status=$?
  told <"$scratch/told"
  ok $status "$name ran to its end"
  sed 's/^/# /' "$scratch/errors" | tail -5
}

if ! has pandoc || ! has notangle; then
  skip "the book as HTML" "pandoc or noweb is not installed; run: make setup"
  finish
fi
status=0
make html >"$scratch/log" 2>&1 || status=$?
ok $status "make html"
[ $status = 0 ] || sed 's/^/# /' "$scratch/log" | tail -20
before=$(stat -c %y $html/index.html)
make html >"$scratch/log" 2>&1
is "$(stat -c %y $html/index.html)" "$before" "made again, nothing is written"

is "$(pandoc -f markdown -t plain -o /dev/null \
  --syntax-definition=book/syntax/cuda.xml \
  --lua-filter=tests/html/code.lua tests/html/code.md)" \
  "$(cat tests/html/code.html)" "code becomes HTML with links and little else"

# What stops the build. A chapter of a few lines, and a map for it.
printf '%s\n' --- 'key: t' 'title: T' 'stem: t' "nw: $scratch/t.nw" --- \
  '# T {#t}' '' 'See [the place](#nowhere).' >"$scratch/t.nw"
printf '%s\n' --- 'key: t' 'title: T' 'stem: t' "nw: $scratch/t.nw" --- \
  '# T {#t}' '' '::: {.figure #fig-x src="never-drawn" alt="A line."}' 'X.' \
  ':::' >"$scratch/figure.nw"
pages() { # SOURCE
  (
    cp "$1" "$scratch/t.nw"
    HTML_OUT=$scratch/t.lua pandoc -f markdown -t plain -o /dev/null \
      --lua-filter=book/html.lua "$1" || exit
    cat >"$scratch/map.lua" <<END
return {where = {t = "t.html#t", ["fig-x"] = "t.html#fig-x"},
  indexes = {chunks = {}, identifiers = {}},
  chapters = {{key = "t", label = "", number = "", title = "T", stem = "t",
    nw = "$scratch/t.nw", part = "", parts = {{from = 1, to = 1}},
    sections = {}, figures = {}}}}
END
    mkdir -p "$scratch/out"
    HTML_PAGE="chapter t" HTML_MAP=$scratch/map.lua HTML_WORK=$scratch \
      HTML_SIDE=$scratch HTML_FOLDER=$scratch/out HTML_FIGURES=$scratch \
      pandoc -f markdown -t plain -o /dev/null \
      --lua-filter=book/html_pages.lua /dev/null
  ) 2>&1
}
cp "$scratch/t.nw" "$scratch/link.nw"
status=0
said=$(pages "$scratch/link.nw") || status=$?
is "$status" 1 "a link to nowhere stops the build"
is "$said" "$scratch/t.nw:9: the link to #nowhere leads nowhere" \
  "it says which, and in which line of the chapter"
status=0
said=$(BOOK_DRAFT="" pages "$scratch/figure.nw") || status=$?
is "$status" 1 "a figure that is not drawn stops the build"
like "$said" "t.nw:9: the figure \"never-drawn\" is not drawn" \
  "it says which, and where"
status=0
said=$(BOOK_DRAFT=1 pages "$scratch/figure.nw") || status=$?
is "$status$said" 0 "BOOK_DRAFT=1 lets a drawing be missing"

if $python -c 'import html5lib' 2>/dev/null; then
  helper "the check of the pages" $python tests/html/check.py $html
else
  skip "the pages by themselves" "python3-html5lib is not installed"
fi

if ! has chromium || ! $python -c 'import websocket' 2>/dev/null; then
  skip "the pages in a browser" "chromium or python3-websocket is not installed"
  finish
fi
axe=$(find -L .toolchain -name axe.min.js 2>/dev/null | head -1)
if [ -n "$axe" ]; then
  # Two browsers, each with every other page.
  mapfile -t names < <(cd $html && find . -maxdepth 1 -name '*.html' \
    ! -name book.html -printf '%s %P\n' | sort -rn | cut -d' ' -f2)
  names+=(files/sim-core.h.html files/chapter3-reduce.cu.html)
  odd=() even=()
  for i in "${!names[@]}"; do
    if ((i % 2)); then odd+=("${names[i]}"); else even+=("${names[i]}"); fi
  done
  $python tests/html/axe.py $html "$axe" "${odd[@]}" >"$scratch/odd" 2>&1 &
  other=$!
fi
helper "the browser" $python tests/html/browse.py $html
if [ -n "$axe" ]; then
  helper "axe-core" $python tests/html/axe.py $html "$axe" "${even[@]}"
  status=0
  wait "$other" || status=$?
  told <"$scratch/odd"
  ok $status "axe-core ran to its end on the other pages"
else
  skip "axe-core's rules" "axe-core is not here; run: tools/setup.sh --tests"
fi
finish
