#!/usr/bin/env bash
# finish.sh PACKED.epub OUT.epub: fills in what pandoc 2.17 leaves open.
#
# Each file gets the title of its first heading, and the package says how
# accessible the book is (accessibility.xml, in schema.org's words). The order of
# the files and their dates are fixed, so that the same book is the same file.
# Status: 0 made, else it could not be.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=$("$here/../../tools/source-date.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$(realpath -m "$2")
unzip -q "$1" -d "$work/book"
cd "$work/book"

for page in EPUB/text/ch*.xhtml; do
  title=$(awk '
    match($0, /<h[1-6][^>]*>/) {
      text = substr($0, RSTART + RLENGTH)
      while (text !~ /<\/h[1-6]>/ && (getline more) > 0) text = text " " more
      sub(/<\/h[1-6]>.*/, "", text)
      gsub(/<[^>]*>/, "", text)
      print text
      exit
    }' "$page")
  awk -v file="$(basename "$page")" -v title="${title//\\/\\\\}" '
    index($0, "<title>" file "</title>") {
      print "  <title>" title "</title>"
      next
    }
    { print }' "$page" >"$work/page"
  cat "$work/page" >"$page"
done

awk -v add="$here/accessibility.xml" '
  /<\/metadata>/ { while ((getline line < add) > 0) print line }
  { print }' EPUB/content.opf >"$work/opf"
cat "$work/opf" >EPUB/content.opf

find . -exec touch -h -d "@$date" {} +
rm -f "$work/new.epub"
TZ=UTC zip -q -X -0 "$work/new.epub" mimetype
find . -type f ! -name mimetype | LC_ALL=C sort |
  TZ=UTC zip -q -X -9 -@ "$work/new.epub"
mv "$work/new.epub" "$out"
