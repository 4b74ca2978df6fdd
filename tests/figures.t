#!/usr/bin/env bash
# The figures: are they drawn from traces, and only from whole ones?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

unset SIM_SCHEDULE SIM_LIMIT SIM_TRACE SIM_TRACE_BLOCK SIM_TRACE_WARP
if ! tools/check-book.sh figures >/dev/null 2>&1; then
  skip "the figures" "what draws them is not installed"
  finish
fi
make figures >"$scratch/make" 2>&1
ok $? "make figures draws them"
figures=build/figures
mapfile -t names < <(sed -n 's/^::: *{\.figure .* src="\([^"]*\)".*/\1/p' \
  chapters/*.nw)
ok "$((${#names[@]} < 6))" "the chapters name ${#names[@]} figures"

# The traces that a figure is drawn from, as its rule names them.
traces() { # NAME
  make -pnq figures 2>/dev/null |
    sed -n "s,^$figures/$1\.svg: *\(.*\),\1,p" | tr ' ' '\n' |
    grep "^$figures/traces/"
}

# --- each of them --------------------------------------------------------------
for name in "${names[@]}"; do
  svg=$figures/$name.svg
  if [ ! -s "$svg" ] || [ ! -s "$figures/$name.pdf" ]; then
    ok 1 "$name is drawn, for screens and for paper"
    continue
  fi
  if has xmllint; then
    xmllint --noout "$svg" 2>"$scratch/errors"
    ok $? "$name: sound XML"
  fi
  like "$(head -1 "$svg")" \
    '^<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 [0-9.]+ [0-9.]+" ' \
    "$name: begins as the pages expect"
  unlike "$(cat "$svg")" '<(style|script|image|title|desc)|style=|href=' \
    "$name: nothing that the pages would have to remove"
  unlike "$(sed "s/ id=\"$name-[a-z0-9-]*\"//g" "$svg")" ' id=' \
    "$name: ids are its own"
  is "$(grep -o ' class="[^"]*"' "$svg" | sort -u |
    grep -vE '"(fg|muted|accent|accent2|grid|fill|fill2|mono)"')" "" \
    "$name: its classes are those of the pages"
  # A colour that has no class would stay as it is in dark pages.
  is "$(grep -E '(fill|stroke)="#' "$svg" | grep -v 'class=')" "" \
    "$name: every colour has its class"
  # 6.5 points at 122 mm: the width of the drawing stands for 345.8 points.
  is "$(awk '
    NR == 1 { match($0, /viewBox="0 0 [0-9.]+/)
      width = substr($0, RSTART + 13, RLENGTH - 13) }
    match($0, /font-size="[0-9.]+/) {
      size = substr($0, RSTART + 11, RLENGTH - 11)
      if (size * 345.8 / width < 6.5) print size
    }' "$svg")" "" "$name: no letter is too small for paper"
  mapfile -t given < <(traces "$name")
  $figures/bin/"$name" "${given[@]}" >"$scratch/again.svg"
  ok $? "$name: can be drawn again"
  cmp -s "$svg" "$scratch/again.svg"
  ok $? "$name: drawn again it is the same, byte for byte"

  # Each of its traces without its end, or with a line that is none.
  for ((i = 0; i < ${#given[@]}; i++)); do
    bad=("${given[@]}")
    bad[i]=$scratch/bad.jsonl
    label="$name without the end of $(basename "${given[i]}")"
    sed '$d' "${given[i]}" >"$scratch/bad.jsonl"
    said=$($figures/bin/"$name" "${bad[@]}" 2>&1 >"$scratch/out")
    is $? 2 "$label: status 2"
    like "$said" "^figures: $scratch/bad.jsonl:[0-9]+: " "$label: says where"
    is "$(wc -l <<<"$said")" 1 "$label: in one line"
    is "$(wc -c <"$scratch/out")" 0 "$label: draws nothing"
    [ "$i" = 0 ] || continue
    sed '2s/.*/{"event":/' "${given[i]}" >"$scratch/bad.jsonl"
    said=$($figures/bin/"$name" "${bad[@]}" 2>&1 >/dev/null)
    is $? 2 "$name, of half a line: status 2"
    like "$said" "^figures: $scratch/bad.jsonl:2: " "$name, of half a line: says where"
    bad[i]=$scratch/none.jsonl
    said=$($figures/bin/"$name" "${bad[@]}" 2>&1 >/dev/null)
    is $? 2 "$name, of no file: status 2"
    like "$said" 'none.jsonl: No such file' "$name, of no file: says so"
  done
  said=$($figures/bin/"$name" 2>&1 >/dev/null)
  is $? 2 "$name, of nothing: status 2"
  like "$said" "^figures: usage: $name " "$name, of nothing: says how"
  if [ -e /dev/full ]; then
    said=$($figures/bin/"$name" "${given[@]}" 2>&1 >/dev/full)
    is "$? $said" "2 figures: the drawing cannot be written" "$name, on a full disk"
  fi
done

# --- a trace that is not of the right kind -------------------------------------
traced() { # FILE ARGUMENT...: a trace of `scale`, with a setting of the trace
  local file=$1
  shift
  env SIM_TRACE="$file" "$@" build/sim/ptxrun --block 64 --arg in:f32:0..63 \
    --arg out:f32:64 --arg f32:2 --arg u32:64 tests/ptx/run/scale.ptx >/dev/null
}
window=$figures/bin/strides
traced "$scratch/cut.jsonl" SIM_TRACE_LIMIT=5
said=$($window "$scratch/cut.jsonl" 2>&1)
is $? 2 "a trace that is cut: status 2"
like "$said" "^figures: $scratch/cut.jsonl:7: the trace is cut after 5 events; raise SIM_TRACE_LIMIT\$" \
  "and the line says so"
traced "$scratch/one.jsonl" SIM_TRACE_WARP=1
said=$($window "$scratch/one.jsonl" 2>&1)
is $? 2 "a trace of another warp alone: status 2"
cat $figures/traces/window-1-0.jsonl $figures/traces/window-2-0.jsonl \
  >"$scratch/two.jsonl"
said=$($window "$scratch/two.jsonl" 2>&1)
is $? 2 "a trace of two launches: status 2"
like "$said" ': more than one launch$' "and is told"
sed 's/"sectors":4}/"sectors":3}/' $figures/traces/window-1-0.jsonl \
  >"$scratch/lie.jsonl"
said=$($window "$scratch/lie.jsonl" 2>&1)
is $? 2 "a count that the addresses do not bear out: status 2"
like "$said" 'touches 4 sectors, but 3 were counted$' "and is told"
sed 's/"0x0000100000000004"/"0x0000100000000008"/' \
  $figures/traces/window-1-0.jsonl >"$scratch/uneven.jsonl"
said=$($window "$scratch/uneven.jsonl" 2>&1)
is $? 2 "lanes at uneven distances: status 2"
said=$($figures/bin/sectors $figures/traces/all-lanes.jsonl \
  $figures/traces/one-lane.jsonl 2>&1)
is $? 2 "the traces of sectors the other way round: status 2"

# --- the numbers of the traces --------------------------------------------------
# boxes FILE COLOUR: the rectangles in the groups of this colour.
boxes() {
  awk -v class="class=\"$2\"" '
    /^<g / { in_group[++depth] = index($0, class) > 0 }
    /^<\/g>/ { depth-- }
    /^<rect/ && in_group[depth] { n++ }
    END { print n + 0 }' "$1"
}
loads() { # FILE...: the lanes' floats and the sectors of loads in traces
  cat "$@" | grep '"op":"ld.global' |
    sed 's/.*"addresses":\[\([^]]*\)\].*"sectors":\([0-9]*\).*/\2 \1/' |
    awk '{ sectors += $1; floats += gsub(/0x/, "") }
      END { print floats, sectors }'
}
read -r floats sectors < <(loads $figures/traces/{one,all}-lanes.jsonl \
  $figures/traces/one-lane.jsonl 2>/dev/null)
# The legend has two pale boxes and a dark one.
is "$(boxes $figures/sectors.svg fill2)" $((sectors + 2)) \
  "sectors: a pale box for each of the $sectors sectors"
is "$(boxes $figures/sectors.svg accent2)" $((floats + 1)) \
  "sectors: a dark box for each of the $floats floats"
read -r floats sectors < <(loads $figures/traces/window-*.jsonl)
is "$(boxes $figures/strides.svg fill2)" $((sectors + 2)) \
  "strides: a pale box for each of the $sectors sectors"
for trace in "$figures"/traces/window-*.jsonl; do
  read -r _ sectors < <(loads "$trace")
  like "$(cat $figures/strides.svg)" "^<text x=.*>$sectors</text>$" \
    "strides: says the $sectors of $(basename "$trace" .jsonl)"
done
# Where a dot is, and where the count of its run belongs.
dots=$(awk '/^<g / { dot = /accent2/ } dot && /^<circle/ {
  split($0, part, "\""); print part[2], part[4] }' \
  $figures/sectors-by-stride.svg | head -33)
counts=$(sed -n 's/.*"offset":0,.*"sectors":\([0-9]*\).*/\1/p' \
  $figures/traces/sweep.jsonl)
is "$(paste -d' ' <(echo "$dots") <(echo "$counts") | awk '
  { y[NR] = $2; n[NR] = $3 }
  END {
    unit = (y[1] - y[NR]) / (n[NR] - n[1])
    for (i = 1; i <= NR; i++) {
      off = y[1] - y[i] - unit * (n[i] - n[1])
      if (off > 0.02 || off < -0.02) print "stride", i - 1
    }
  }')" "" "sectors-by-stride: each dot is as high as its count"
is "$(grep -c '^<circle' $figures/sectors-by-stride.svg)" \
  $(($(wc -l <$figures/traces/sweep.jsonl) + 2)) \
  "sectors-by-stride: a mark for each run, and two that say what they are"

# --- once is enough --------------------------------------------------------------
is "$(make figures 2>&1)" "make: Nothing to be done for 'figures'." \
  "make figures again does nothing"
finish
