#!/usr/bin/env bash
# The book's reader, token by token: small noweb files and token files in
# tests/weave/cases/, each beside the tree that the reader must make of it.
# To accept new trees after looking at them: ACCEPT=1 tests/weave.t
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

lib=/usr/lib/noweb
if ! command -v pandoc >/dev/null || [ ! -x $lib/markup ]; then
  skip "the reader's cases" "noweb or pandoc is not installed"
  finish
fi
cases=tests/weave/cases

# tokens FILE.nw: noweb's pipeline, as mk/book.mk runs it; names in $NAMES
export NAMES=$scratch/names
tokens() { "$root/tools/tokens.sh" "$1"; }

# tree FILE.tok: what the reader makes of it, or its message
tree() {
  BOOK_DATA='' BOOK_NAMES=$NAMES BOOK_RUNS=$scratch/none \
    pandoc -f book/reader.lua -L tests/weave/tree.lua -t plain -o /dev/null \
    "$1" 2>&1
}

used=""
for file in "$cases"/*.nw "$cases"/*.tok; do
  case $file in
  *.nw) tokens "$file" >"$scratch/case.tok" ;;
  *)
    : >"$NAMES"
    cp "$file" "$scratch/case.tok"
    ;;
  esac
  used+=$(sed -n 's/^\(@xref [a-z]*\|@index [a-z]*\|@[a-z]*\).*/\1/p' \
    "$scratch/case.tok")$'\n'
  got=$(tree "$scratch/case.tok")
  want=${file%.*}.tree
  [ -z "${ACCEPT:-}" ] || printf '%s\n' "$got" >"$want"
  is "$got" "$(cat "$want")" "${file##*/}"
done

# Each token of the format stands in a case. (@fatal is below.)
for token in @file @begin @end @text @nl @defn @use @quote @endquote @line \
  @language @header @trailer @literal \
  "@index localdefn" "@index use" "@index nl" "@index begindefs" \
  "@index isused" "@index defitem" "@index enddefs" "@index beginuses" \
  "@index isdefined" "@index useitem" "@index enduses" "@index beginindex" \
  "@index entrybegin" "@index entryuse" "@index entrydefn" "@index entryend" \
  "@index endindex" "@index defn" \
  "@xref label" "@xref ref" "@xref prevdef" "@xref nextdef" \
  "@xref begindefs" "@xref defitem" "@xref enddefs" "@xref beginuses" \
  "@xref useitem" "@xref enduses" "@xref notused" "@xref beginchunks" \
  "@xref chunkbegin" "@xref chunkuse" "@xref chunkdefn" "@xref chunkend" \
  "@xref endchunks" "@xref tag"; do
  ok "$(grep -qxF "$token" <<<"$used" && echo 0 || echo 1)" "a case has $token"
done

# wrong TEXT MESSAGE NAME: tokens that must stop the build
wrong() {
  printf '%b' "$1" >"$scratch/wrong.tok"
  local said
  said=$(tree "$scratch/wrong.tok")
  is "$?" 1 "$3: status 1"
  like "$said" "$2" "$3: says so"
}
head='@file chapters/01-x.nw\n@begin docs 0\n@text # X\n@nl\n'
wrong "$head@fatal no luck\n" \
  '^chapters/01-x.nw:2: noweb stopped: no luck' "@fatal"
wrong "$head@surprise x\n" \
  '^chapters/01-x.nw:2: unknown token: @surprise x' "an unknown token"
wrong "$head@xref other x\n" 'unknown token: @xref other' "an unknown @xref"
wrong "$head@index other x\n" 'unknown token: @index other' "an unknown @index"
wrong "$head" 'ends inside a chunk' "an unfinished file"
wrong "$head@begin code 1\n" 'inside a chunk' "a chunk in a chunk"
wrong "$head@defn x\n" 'outside a code chunk' "@defn in prose"
wrong "$head@quote\n@quote\n" 'a quote inside a quote' "a quote in a quote"
wrong "$head@endquote\n" 'never began' "a stray @endquote"
wrong "$head@end code 0\n" 'without its @begin' "a stray @end"
wrong "@begin docs 0\n@text # X\n@nl\n@end docs 0\n" 'no @file' "no @file"
wrong "$head@text See {{chapter1.counters.nonsense}}.\n@nl\n@end docs 0\n" \
  '^chapters/01-x.nw:2: {{chapter1.counters.nonsense}} cannot be filled' \
  "a number that is not there"
wrong "$head@text Open {{chapter1.sum\n@nl\n@end docs 0\n" \
  '^chapters/01-x.nw:2: .* without' "a reference that never ends"
wrong "$head@text {{ptx chapter1/none.cu \"none\"}}\n@nl\n@end docs 0\n" \
  '^chapters/01-x.nw:2: .*no chunk "none"' "an excerpt of no chunk"
wrong "$head@text {{1 / 0}} {{lines no/such/*.c}} {{version nothing}}\n@nl\n@end docs 0\n" \
  'division by 0' "a division by 0"
wrong "$head@text {{lines no/such/*.c}}\n@nl\n@end docs 0\n" \
  'no files no/such' "lines of no file"
wrong "$head@text {{2 * (3 + 4}}\n@nl\n@end docs 0\n" 'not closed' "a bracket"

# Lines are counted through definitions that the author wrote.
sed 's/{{6 \* 7}}/{{nothing.here}}/' "$cases/written.nw" >"$scratch/13-w.nw"
(cd "$scratch" && tokens 13-w.nw) >"$scratch/w.tok"
like "$(tree "$scratch/w.tok")" '^13-w.nw:12: {{nothing.here}} cannot be' \
  "a wrong reference after %def is named with its line"

# value EXPRESSION TEXT: what a reference becomes
value() {
  printf '%b@text {{%s}}\n@nl\n@end docs 0\n' "$head" "$1" >"$scratch/value.tok"
  is "$(tree "$scratch/value.tok" | sed -n 's/^Para: //p')" "$2" "{{$1}} is $2"
}
value '4194304' '4,194,304'
value '4194304 | raw' '4194304'
value '255 | hex' '0xff'
value '2 * (3 + 4) - 1' '13'
value '1000000 / 3 | .2' '333,333.33'
value '1 / 4' '0.25'
value '999' '999'
value 'hardware.kernels.serial.global_load_sectors / 2' '2,097,152'
value 'hardware.card' 'NVIDIA H200'
finish
