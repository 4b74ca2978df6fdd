# chunks.awk: reads one noweb file, checks its chunks, and says which line of
# the file each line of each product comes from.
#
#   LC_ALL=C awk -v out=DIR [-v strict=1] -f tools/chunks.awk chapters/X.nw
#
# A root is a chunk named FOLDER/FILE.c, .h, .cu or .inc. Written to DIR:
#   roots      one root a line
#   map        ROOT FIRST_LINE NW_FILE NW_LINE COUNT, one run of lines a line
#   text/ROOT  the product as these rules expand it ("/" becomes "!"); the
#              caller compares it with what notangle made
# Problems go to standard error as NW_FILE:LINE: MESSAGE, and the status is 1.
# strict=1 also refuses a chunk of more than 25 lines.

function complain(line, message) {
  print FILENAME ":" line ": " message > "/dev/stderr"
  problems++
}

function is_root(name) {
  return name ~ /^[a-z0-9]+\/[A-Za-z0-9_]+\.(c|h|cu|inc)$/
}

function close_chunk() {
  if (chunk != "" && strict && size > 25)
    complain(opened, "chunk <<" chunk ">> has " size " lines; 25 is the most")
  chunk = ""
}

function columns(text) {
  gsub(/[\200-\277]/, "", text) # the later bytes of a UTF-8 character
  return length(text)
}

function open_chunk(name) {
  close_chunk()
  chunk = name
  opened = FNR
  size = 0
  if (!(name in first)) {
    first[name] = FNR
    order[++chunks] = name
    lines[name] = 0
  }
}

# A line of code: either one reference or plain text.
function code_line(text, bare, at, name) {
  size++
  if (text ~ /\t/)
    complain(FNR, "a tab in a code chunk; use blanks")
  if (columns(text) > 80)
    complain(FNR, "a code line of " columns(text) " columns; 80 is the most")
  bare = text
  gsub(/@<</, "\001", bare)
  gsub(/@>>/, "\002", bare)
  at = match(bare, /<<.*>>/)
  name = ""
  if (at) {
    name = substr(bare, RSTART + 2, RLENGTH - 4)
    if (bare !~ /^ *<<.*>> *$/ || name ~ /<<|>>/)
      complain(FNR, "a chunk reference must stand alone on its line" \
               " (write @<< and @>> for the signs themselves)")
    if (!(name in used))
      used[name] = FNR
  }
  lines[chunk]++
  at = chunk SUBSEP lines[chunk]
  number[at] = FNR
  refers[at] = name
  if (name != "") {
    match(bare, /^ */)
    content[at] = substr(bare, 1, RLENGTH)
  } else {
    gsub(/\001/, "<<", bare)
    gsub(/\002/, ">>", bare)
    if (substr(bare, 1, 2) == "@@")
      bare = substr(bare, 2)
    content[at] = bare
  }
}

function put(text, from) {
  sub(/[ ]+$/, "", text)
  print text > product
  made++
  if (run && from == run_from + run) {
    run++
  } else {
    flush_run()
    run = 1
    run_from = from
    run_made = made
  }
}

function flush_run() {
  if (run)
    print root, run_made, FILENAME, run_from, run > (out "/map")
  run = 0
}

function expand(name, indent, depth, i, at) {
  if (depth > 40) {
    complain(first[name], "chunk <<" name ">> contains itself")
    return
  }
  for (i = 1; i <= lines[name]; i++) {
    at = name SUBSEP i
    if (refers[at] == "")
      put(content[at] == "" ? "" : indent content[at], number[at])
    else if (lines[refers[at]] == 0)
      put("", number[at])
    else
      expand(refers[at], indent content[at], depth + 1)
    if (problems)
      return
  }
}

/^<<.*>>=[ \t]*$/ {
  title = $0
  sub(/^<</, "", title)
  sub(/>>=[ \t]*$/, "", title)
  open_chunk(title)
  next
}

chunk != "" && /^@[ \t]*$/ { close_chunk(); next }

chunk != "" && /^@([ \t]|%def)/ {
  complain(FNR, "a line that begins with `@ ` ends the chunk and drops the" \
           " rest; indent it, or end the chunk with `@` alone")
  close_chunk()
  next
}

chunk != "" { code_line($0) }

END {
  close_chunk()
  for (i = 1; i <= chunks; i++) {
    title = order[i]
    if (!is_root(title) && !(title in used))
      complain(first[title], "chunk <<" title ">> is never used")
    if (is_root(title) && (title in used))
      complain(used[title], "<<" title ">> is a product and a part of one")
  }
  for (title in used)
    if (!(title in first))
      complain(used[title], "no chunk is named <<" title ">>")
  if (problems)
    exit 1
  printf "" > (out "/map")
  printf "" > (out "/roots")
  for (i = 1; i <= chunks; i++) {
    root = order[i]
    if (!is_root(root))
      continue
    product = root
    gsub(/\//, "!", product)
    product = out "/text/" product
    printf "" > product
    made = run = 0
    expand(root, "", 0)
    flush_run()
    close(product)
    print root > (out "/roots")
  }
  exit problems ? 1 : 0
}
