#!/usr/bin/env bash
# typeset.sh FOLDER OUT.pdf: sets FOLDER/book.tex with LuaLaTeX, as often as it
# takes until no page number moves, and looks at what LuaLaTeX said.
#
# What would be seen on the page stops the build: a line wider than its
# measure, a character that no font has, a reference to nowhere, a figure that
# is not there (BOOK_DRAFT=1 puts an empty frame in its place). Each message
# names the chunk or section of the .nw after which it happened.
# Status: 0 made, 1 something is wrong in the book, 2 LuaLaTeX could not run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
out=$2

PASSES=5

# The figures that the chapters name.
missing=0
while IFS=: read -r file name; do
  [ -e "build/figures/$name.pdf" ] && continue
  echo "chapters/${file%.tex}.nw: the figure $name is not drawn" \
    "(build/figures/$name.pdf); run: make figures" >&2
  missing=1
done < <(cd "$folder" &&
  grep -H -o '^\\bookfigure{[^}]*}{[^}]*}' ./*.tex |
    sed 's,^\./,,; s/:.*}{\([^}]*\)}$/:\1/')
if [ $missing = 1 ] && [ -z "${BOOK_DRAFT:-}" ]; then
  exit 1
fi

# The same sources make the same PDF, whenever it is made.
SOURCE_DATE_EPOCH=$("$here/../../tools/source-date.sh")
export SOURCE_DATE_EPOCH FORCE_SOURCE_DATE=1
export TEXINPUTS="$here:" LUAINPUTS="$here:" max_print_line=2000

# complaints LOG: what of the log must not be in a book.
complaints() {
  awk '
    function tell(what) { print (place == "" ? "" : place ": ") what }
    /^place: / { place = substr($0, 8) }
    /^Overfull / { over = $0; next }
    over != "" {
      gsub(/\\[A-Z0-9]+\/[^ ]* /, "")
      tell("o" substr(over, 2) ": " $0)
      over = ""
    }
    /[Mm]issing character: / || /^undefined reference: / { tell($0) }
    /==> Fatal error/ { next }
    /^! / || /^[^ ]*\.(tex|sty):[0-9]+: / { tell($0) }
  ' "$1" | sort | uniq
}

cd "$folder"
for ((pass = 1; pass <= PASSES; pass++)); do
  mode=()
  if [ -e book.aux ]; then
    cp book.aux book.before
  else
    : >book.before
    mode=(--draftmode)
  fi
  if ! lualatex "${mode[@]}" -halt-on-error -interaction=nonstopmode \
    -file-line-error book.tex >book.out 2>&1; then
    rm -f book.aux
    [ -e book.log ] || {
      cat book.out >&2
      exit 2
    }
    complaints book.log >&2
    if grep -q 'fontspec Error.*cannot be found' book.log; then
      echo "typeset: a font is not installed; run: make setup" >&2
      exit 2
    fi
    exit 1
  fi
  [ ${#mode[@]} = 0 ] || continue
  cmp -s book.aux book.before && break
done
if [ "$pass" -gt $PASSES ]; then
  echo "typeset: page numbers still move after $PASSES passes" >&2
  exit 1
fi
said=$(complaints book.log)
if [ -n "$said" ]; then
  echo "$said" >&2
  exit 1
fi
cd "$OLDPWD"
mv "$folder/book.pdf" "$out"
