#!/usr/bin/env bash
# book-needs.sh: what `make book` needs beside a compiler, a line each:
#   ok|lack NAME PACKAGE GOALS WHAT IT IS FOR
# PACKAGE is Debian's; GOALS are those of the book's that need it, with commas.
set -u

line() { # STATUS NAME PACKAGE GOALS WHAT
  local state=lack
  [ "$1" != 0 ] || state=ok
  echo "$state $2 $3 $4 $5"
}

tool() { # NAME PACKAGE GOALS WHAT
  command -v "$1" >/dev/null 2>&1
  line $? "$@"
}

includes_cjson() {
  local cc
  for cc in gcc clang cc; do
    command -v $cc >/dev/null 2>&1 || continue
    echo '#include <cjson/cJSON.h>' | $cc -E - >/dev/null 2>&1 && return
  done
  return 1
}

font() { # FILE NAME PACKAGE
  local found
  found=$(find -L /usr/share/fonts /usr/local/share/fonts \
    /usr/share/texmf /usr/share/texlive "$HOME/.fonts" \
    "$HOME/.local/share/fonts" -name "$1" -print -quit 2>/dev/null)
  [ -n "$found" ]
  line $? "$2" "$3" pdf "a typeface of the PDF"
}

tool notangle noweb html,pdf,epub,figures "takes the chapters apart"
tool pandoc pandoc html,pdf,epub,figures "makes pages of chapters"
compgen -G '/usr/share/lua/5.*/dkjson.lua' >/dev/null ||
  compgen -G '/usr/local/share/lua/5.*/dkjson.lua' >/dev/null
line $? lua-dkjson lua-dkjson html,pdf,epub "reads what the runs found"
tool rsvg-convert librsvg2-bin html,pdf,epub,figures "converts the figures"
includes_cjson
line $? cJSON libcjson-dev html,pdf,epub,figures "reads what the figures show"
tool lualatex texlive-luatex pdf "sets the PDF"
found=
if command -v kpsewhich >/dev/null 2>&1; then
  found=$(kpsewhich microtype.sty)
fi
[ -n "$found" ]
line $? microtype texlive-latex-recommended pdf "LaTeX's packages for the PDF"
font LinLibertine_R.otf Libertine fonts-linuxlibertine
font Inconsolata.otf Inconsolata fonts-inconsolata
font DejaVuSansMono.ttf DejaVu fonts-dejavu-core
tool unzip unzip epub "opens the EPUB to complete it"
tool zip zip epub "packs the EPUB"
