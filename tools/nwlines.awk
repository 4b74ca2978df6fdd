# nwlines.awk: rewrites places in tangled files as places in chapters.
#
#   compiler 2>&1 | awk -v maps="tangled/*/lines.map ..." -f tools/nwlines.awk
#
# tangled/sim/lane.c:12:3          chapters/12-warp.nw:40: (tangled/sim/...)
# tangled/chapter3/reduce.cu(12)   likewise
# build/chapter3/reduce.ptx, line 7
#     the last .loc at or before line 7 of the PTX names the kernel's line,
#     and that is looked up in turn. A place no map knows stays as it is.
#
# With plain=1 the tangled place is left out.

function load_maps(count, i, name, folder, line, f, key, runs) {
  loaded = 1
  count = split(maps, name, " ")
  for (i = 1; i <= count; i++) {
    folder = name[i]
    sub(/[^\/]*$/, "", folder)
    while ((getline line < name[i]) > 0) {
      split(line, f, " ")
      key = folder f[1]
      runs = ++known[key]
      start[key, runs] = f[2] + 0
      nw[key, runs] = f[3]
      nw_start[key, runs] = f[4] + 0
      length_of[key, runs] = f[5] + 0
    }
    close(name[i])
  }
}

# The chapter's place of a line of a tangled file, or "".
function chapter_place(file, line, i) {
  sub(/^.*tangled\//, "tangled/", file)
  line += 0
  for (i = 1; i <= known[file]; i++)
    if (line >= start[file, i] && line < start[file, i] + length_of[file, i])
      return nw[file, i] ":" (nw_start[file, i] + line - start[file, i])
  return ""
}

# The kernel's place ("FILE:LINE") of a line of a PTX file, or "".
function kernel_place(ptx, line, text, n, f, file, at, names) {
  at = ""
  while ((getline text < ptx) > 0) {
    n++
    if (text ~ /^[ \t]*\.loc/ && n <= line + 0) {
      split(text, f, " ")
      at = f[2] " " f[3]
    } else if (text ~ /^[ \t]*\.file/) {
      split(text, f, " ")
      file = f[3]
      gsub(/"/, "", file)
      names[f[2]] = file
    }
  }
  close(ptx)
  if (at == "")
    return ""
  split(at, f, " ")
  return (f[1] in names) ? names[f[1]] ":" f[2] : ""
}

function translate(place, file, line, kernel, chapter) {
  file = line = place
  if (place ~ /\.ptx[,:]/) {
    sub(/(,|:).*/, "", file)
    sub(/.*[^0-9]/, "", line)
    kernel = kernel_place(file, line)
    if (kernel == "")
      return place
    file = line = kernel
    sub(/:[0-9]*$/, "", file)
    sub(/.*:/, "", line)
    chapter = chapter_place(file, line)
    return (chapter == "" ? kernel : chapter) ": (" place ")"
  }
  sub(/[:(].*/, "", file)
  sub(/^[^:(]*[:(]/, "", line)
  sub(/[^0-9].*/, "", line)
  chapter = chapter_place(file, line)
  if (plain && chapter != "")
    return chapter
  return chapter == "" ? place : chapter ": (" place ")"
}

BEGIN {
  tangled = "[^ \t\"'(]*tangled/[a-z0-9]+/[A-Za-z0-9_]+[.][a-z]+"
  tangled = tangled "(:[0-9]+(:[0-9]+)?|[(][0-9]+[)])"
  listing = "[^ \t\"'(]+[.]ptx(, line |:)[0-9]+"
  pattern = tangled "|" listing
}

{
  rest = $0
  done = ""
  while (match(rest, pattern)) {
    if (!loaded)
      load_maps()
    done = done substr(rest, 1, RSTART - 1)
    found = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    done = done translate(found)
  }
  print done rest
  fflush()
}
