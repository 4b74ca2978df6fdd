# ptx-normal.awk: takes out of nvcc's PTX what depends on where it was made.
#
#   awk -v root="$PWD/" -v made="..." -f tools/ptx-normal.awk raw.ptx
#
# Paths below root become relative; a header of the toolkit, even there, becomes
# cuda/include/NAME; and the eight digits by which nvcc tells the internal
# names of two files apart (made from the path) become zeros, in names and in
# the bytes of .debug_str. The first line says what the PTX was made from.
# Status 1 if a path below root is still there.

BEGIN {
  hex = "[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
  byte = "[0-9][0-9]+,"
  spelled = "73,78,84,69,82,78,65,76,95," # INTERNAL_
  bytes = spelled byte byte byte byte byte byte byte byte "95,"
  zeros = spelled "48,48,48,48,48,48,48,48,95,"
  print "// " made
}

/^[ \t]*\.file/ {
  if (match($0, /".*"/)) {
    path = substr($0, RSTART + 1, RLENGTH - 2)
    head = substr($0, 1, RSTART)
    tail = substr($0, RSTART + RLENGTH - 1)
    if (index(path, root) == 1)
      path = substr(path, length(root) + 1)
    if (path ~ /^\/.*\/include\// || path ~ /nvidia\/cu13\/.*\/include\//)
      sub(/^.*\/include\//, "cuda/include/", path)
    $0 = head path tail
  }
}

{
  gsub("_INTERNAL_" hex "_", "_INTERNAL_00000000_")
  gsub(bytes, zeros)
  if (index($0, root))
    left = 1
  print
}

END { exit left }
