#!/usr/bin/env bash
# The book as EPUB 3: epubcheck's verdict, what is in it, what stops its build.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

for tool in pandoc epubcheck java unzip zip rsvg-convert xmllint; do
  if ! has $tool; then
    skip "the book as EPUB" "$tool is not installed"
    finish
  fi
done

epub=build/book/shuffle-ladder.epub
make epub >"$scratch/make" 2>&1
ok $? "make epub makes it"
if [ ! -s $epub ]; then
  sed 's/^/# /' "$scratch/make" | tail -5
  finish
fi

# Debian's command is the jar itself, which not every system runs by itself.
verdict=$(java -jar "$(command -v epubcheck)" $epub 2>&1)
ok $? "epubcheck accepts it"
like "$verdict" '^Messages: 0 fatals / 0 errors / 0 warnings / 0 infos' \
  "with nothing to say"

unzip -q $epub -d "$scratch/book"
package=$scratch/book/EPUB/content.opf
text=$scratch/book/EPUB/text
nav=$scratch/book/EPUB/nav.xhtml

opf=$(cat "$package")
like "$opf" '<dc:title[^>]*>The Shuffle Ladder</dc:title>' "it has its title"
like "$opf" '<dc:language>en-GB</dc:language>' "its language is set"
like "$opf" '<dc:creator[^>]*>The authors' "it names its authors"
for property in accessMode accessModeSufficient accessibilityFeature \
  accessibilityHazard accessibilitySummary; do
  like "$opf" "property=\"schema:$property\">[^<]" "it states its $property"
done
like "$opf" 'properties="cover-image"' "it has a cover"

contents=$(xmllint --xpath '//*[@id="toc"]//*[local-name()="a"]' "$nav" |
  sed 's/<[^>]*>//g')
lost=""
while IFS=$'\t' read -r key what; do
  case $key in
  \#*) continue ;;
  part) title=$what ;;
  *)
    [ -f "$what" ] || continue
    title=$(sed -n 's/^# //p;T;q' "$what")
    ;;
  esac
  grep -qF -- "$title" <<<"$contents" || lost+="$title; "
done <book/order.txt
is "$lost" "" "its contents have every part and chapter"
for entry in Bibliography "Index of chunks" "Index of identifiers"; do
  like "$contents" "^$entry\$" "its contents have: $entry"
done

heavy=$(find "$text" -name '*.xhtml' -size +300k)
is "$heavy" "" "no file of it is over 300 KB"
untitled=$(grep -lE '<title>(ch[0-9]+\.xhtml)?</title>' "$text"/ch*.xhtml)
is "$untitled" "" "every file has a title of its own"
remote=$(grep -lE '(src|href)="https?://[^"]*\.(js|css|png|svg|jpg|woff2?)"' \
  "$text"/*.xhtml)
is "$remote" "" "nothing is fetched from elsewhere"
bare=$(grep -ohE '<img [^>]*>' "$text"/*.xhtml | grep -vE 'alt="[^"]{20,}"')
is "$bare" "" "every picture has a text that stands for it"

# A use in code leads to the definition, in whatever file that is.
use=$(grep -ohE '<a href="[^"]*">fold_warp</a>' "$text"/*.xhtml | head -1)
target=${use#*\"}
target=${target%%\"*}
ok "$(grep -q "id=\"${target#*#}\"" "$text/${target%%#*}" && echo 0 || echo 1)" \
  "a use of fold_warp leads to its definition"
page=$(grep -l 'id="ch3-chunk-fold-the-warp"' "$text"/*.xhtml)
plain=$(xmllint --xpath 'string(//*[@id="ch3-chunk-fold-the-warp"]//*[local-name()="pre"])' \
  "$page")
like "$plain" '^  value \+= shuffle_down\(value, 16\);$' "code keeps its lines and indent"

before=$(sha256sum <$epub)
rm -f build/book/epub/packed.epub
make epub >/dev/null 2>&1
is "$(sha256sum <$epub)" "$before" "made again it is the same, byte for byte"

# --- what stops its build ------------------------------------------------------
said=$(printf '# One {#ch1}\n\nA [link](#nowhere).\n' |
  pandoc -f markdown -t epub3 -L book/epub_join.lua -M title=x \
    -o "$scratch/x.epub" 2>&1)
ok "$((1 - ($? != 0)))" "a link to nowhere stops the build"
like "$said" '#nowhere' "and is told"
said=$(printf '::: {.figure #fig-x src="nothing" alt="x"}\nA.\n:::\n' |
  env -u BOOK_DRAFT pandoc -f markdown -t json -L book/epub.lua -M key=ch1 \
    -o "$scratch/x.json" 2>&1)
ok "$((1 - ($? != 0)))" "a figure that is not drawn stops the build"
like "$said" 'build/figures/nothing\.svg is not drawn' "and is told"

finish
