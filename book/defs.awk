# defs.awk: corrects what autodefs.c finds. Reads and writes noweb's pipeline
# format, between `autodefs.c` and `finduses`.
#
# Definitions that the author wrote (`@ %def NAME`) stay as they are.
#
# autodefs.c knows the C of 1989: it takes __device__, bool or a local variable
# for a definition and misses others. This filter keeps none of its finds that
# do not stand at the outer level of a file, and adds the functions, macros,
# types, variables and enumeration constants that do.
#
#   awk -v names=FILE -f defs.awk    also writes the names to FILE, one a line:
#                                    NAME tag|function|other shared|own
# A tag is the name of a struct, union or enum; shared names may be used by
# other chapters.

{ lines[++count] = $0 }

/^@defn / { chunk = substr($0, 7); at = 1; fresh = 1 }
/^@end code/ { chunk = "" }
/^@nl/ { fresh = 1; next }
/^@text / && chunk != "" {
  if (substr($0, 7) ~ /[^ \t]/) fresh = 0
  else if (length($0) > 6) fresh = 0
}
/^@use / && chunk != "" { if (fresh) uses[chunk] = uses[chunk] "\n" substr($0, 6) }

# The outer level: roots, and what stands in the first column of one.
function reach(name,   list, n, i) {
  if (name in outer) return
  outer[name] = 1
  n = split(substr(uses[name], 2), list, "\n")
  for (i = 1; i <= n; i++) reach(list[i])
}

function is_root(name) {
  return name ~ /^[a-z0-9]+\/[A-Za-z0-9_.]+\.(c|h|cu|inc)$/
}

function define(name, shared, kind) {
  if (name == "" || name ~ /^__/ || name in keyword || length(name) < 2) return
  if ((name, chunk) in seen) return
  seen[name, chunk] = 1
  found = found "@index defn " name "\n"
  if (kind == "") kind = "other"
  if (names != "" && !((name, kind, shared + 0) in told)) {
    told[name, kind, shared + 0] = 1
    print name, kind, shared ? "shared" : "own" >names
  }
}

# What the line TEXT, in the first column of a file, defines.
function look(text,   name, open) {
  if (text ~ /^#define [A-Za-z_]/) {
    name = text
    sub(/^#define /, "", name)
    sub(/[^A-Za-z0-9_].*/, "", name)
    if (name !~ /_H$/) define(name, 1)
    return
  }
  if (inside == "enum") enum_names(text)
  if (text ~ /^}/) {
    name = text
    if (inside != "" && name ~ /^} *[A-Za-z_][A-Za-z0-9_]*;/) {
      gsub(/^} *|;.*/, "", name)
      define(name, 1)
    }
    inside = ""
    return
  }
  if (text !~ /^[A-Za-z_]/ || text ~ /^(return|if|else|for|while|case|default|goto)[^A-Za-z0-9_]/) return
  if (text ~ /^(static )?(const )?(typedef )?(struct|union|enum)( [A-Za-z_][A-Za-z0-9_]*)? \{/) {
    name = text
    inside = text ~ /^(static )?(const )?(typedef )?enum/ ? "enum" : "struct"
    sub(/^(static )?(const )?(typedef )?(struct|union|enum) */, "", name)
    sub(/ *\{.*/, "", name)
    define(name, 1, "tag")
    if (inside == "enum") { sub(/^[^{]*\{/, "", text); enum_names(text) }
    if (text ~ /\};?$/) inside = ""
    return
  }
  open = text
  if (text ~ /^typedef /) {
    if (text ~ /\(\*/) { sub(/.*\(\*/, "", open); sub(/[^A-Za-z0-9_].*/, "", open); define(open, 1) }
    else if (text ~ /\(/) { sub(/\(.*/, "", open); sub(/.*[ *]/, "", open); define(open, 1) }
    else if (text ~ /;$/) { sub(/(\[[^\]]*\])?;$/, "", open); sub(/.*[ *]/, "", open); define(open, 1) }
    return
  }
  if (text ~ /^extern "C"/) sub(/^extern "C" */, "", open)
  if (text ~ /^#/) return
  if (match(open, /[A-Za-z_][A-Za-z0-9_]*\(/) && open !~ /^[A-Za-z_][A-Za-z0-9_]*\(/) {
    name = substr(open, RSTART, RLENGTH - 1)
    if (substr(open, 1, RSTART - 1) ~ /[=;]/) name = ""
    define(name, text !~ /^static/ && text !~ /__global__|__device__/, "function")
    return
  }
  if (match(open, /[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])*( = |;| =$)/) && open ~ /^(static|const|extern|struct|[a-z0-9_]+_t |int|unsigned|float|double|char)/) {
    name = substr(open, RSTART, RLENGTH)
    sub(/[^A-Za-z0-9_].*/, "", name)
    if (open !~ /^struct [a-z_]+;$/) define(name, text !~ /^static/)
  }
}

# Is the definition of line I one that the author wrote, as `@ %def NAME`?
# markup closes these with `@index nl`.
function written(i) {
  while (lines[i] ~ /^@index defn /) i++
  return lines[i] ~ /^@index nl/
}

function declare(name) {
  seen[name, chunk] = 1
  if (names != "") print name, "other", "own" >names
}

function enum_names(text,   part, n, i, list) {
  sub(/\/\*.*/, "", text)
  sub(/\}.*/, "", text)
  n = split(text, list, ",")
  for (i = 1; i <= n; i++) {
    part = list[i]
    gsub(/^ *| *$/, "", part)
    sub(/ *=.*/, "", part)
    if (part ~ /^[A-Z][A-Z0-9_]+$/) define(part, 1)
  }
}

BEGIN {
  n = split("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false NULL main uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t size_t FILE asm", list, " ")
  for (i = 1; i <= n; i++) keyword[list[i]] = 1
}

END {
  for (i = 1; i <= count; i++)
    if (lines[i] ~ /^@defn /) { name = substr(lines[i], 7); if (is_root(name)) reach(name) }
  if (names != "") printf "" >names
  chunk = ""
  for (i = 1; i <= count; i++) {
    line = lines[i]
    if (line ~ /^@defn /) { chunk = substr(line, 7); text = ""; inside = ""; started = 0 }
    else if (line ~ /^@end code/) { chunk = "" }
    else if (chunk != "" && line ~ /^@text /) text = text substr(line, 7)
    else if (chunk != "" && line ~ /^@use /) text = text " "
    if (chunk != "" && line ~ /^@index (local)?defn /) {
      if (!written(i)) continue
      declare(substr(line, 13))
    }
    print line
    if (chunk != "" && line ~ /^@nl/) {
      found = ""
      if (started && chunk in outer) look(text)
      started = 1
      text = ""
      printf "%s", found
    }
  }
}
