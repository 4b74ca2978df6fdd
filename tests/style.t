#!/usr/bin/env bash
# Is every source as the book's style wants it?
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

mapfile -t sources < <(find tangled -name '*.[ch]' -o -name '*.cu' \
  -o -name '*.inc' | sort)
mapfile -t programs < <(find tangled -name '*.c' | sort)
mapfile -t tests < <(find tests -name '*.[ch]' | sort)
# The programs that draw, where what they read traces with is here.
sources+=(figures/*.[ch])
if tools/book-needs.sh | grep -q '^ok cJSON '; then
  programs+=(figures/*.c)
else
  skip "warnings in figures/" "cJSON is not installed"
fi
ok "$([ ${#sources[@]} -gt 10 ]; echo $?)" "there are ${#sources[@]} sources"
# shellcheck disable=SC2046
eval "$(tools/find-tools.sh | sed 's/=\(.*\)/="\1"/')"

# Runs a check; what it prints are its complaints.
clean() { # NAME COMMAND...
  local name=$1 said status
  shift
  said=$("$@" 2>&1)
  status=$?
  ok $status "$name"
  [ $status = 0 ] || head -60 <<<"$said" | sed 's/^/# /'
}
includes=(-Itangled/sim -Itangled/host -Itangled/compat -Itests)
careful=(-std=c11 -Wall -Wextra -Wpedantic -Werror -D_GNU_SOURCE -pthread)

if has clang-format; then
  clean "clang-format leaves the sources as they are" \
    clang-format --dry-run -Werror "${sources[@]}"
  [ ${#tests[@]} = 0 ] || clean "and the tests" \
    clang-format --dry-run -Werror "${tests[@]}"
else
  skip "clang-format" "it is not installed"
fi

compile_each() { # COMPILER FLAG...
  printf '%s\0' "${programs[@]}" | xargs -0 -n4 -P"$(nproc)" "$@" -fsyntax-only
}
for cc in gcc clang; do
  if has $cc; then
    clean "$cc has no warning" compile_each $cc "${careful[@]}" "${includes[@]}"
  else
    skip "$cc has no warning" "it is not installed"
  fi
done
if [ -n "${CUDA_INCLUDE:-}" ]; then
  mapfile -t hosts < <(find tangled/host tangled/chapter* -name '*.c' 2>/dev/null)
  [ ${#hosts[@]} = 0 ] || clean "the host programs also compile with NVIDIA's cuda.h" \
    gcc "${careful[@]}" -Itangled/host -isystem "$CUDA_INCLUDE" \
    -fsyntax-only "${hosts[@]}"
fi

tidy() {
  printf '%s\0' "${programs[@]}" | xargs -0 -n1 -P"$(nproc)" sh -c '
    clang-tidy --quiet "$@" -- -std=c11 -D_GNU_SOURCE -Itangled/sim \
      -Itangled/host -Itangled/compat 2>/dev/null' sh
}
if has clang-tidy; then
  clean "clang-tidy finds nothing" tidy
else
  skip "clang-tidy" "it is not installed"
fi

if has shellcheck; then
  clean "shellcheck finds nothing in the tools" shellcheck tools/*.sh .ci/run
  clean "and nothing in the tests" \
    shellcheck -x \
    -e SC1091,SC2001,SC2016,SC2034,SC2046,SC2086,SC2154,SC2317,SC2319 \
    tests/lib.sh tests/*.t
else
  skip "shellcheck" "it is not installed"
fi

# No tab, no wide line, no blank at the end of a line in code of ours.
awk_check() {
  awk '
    /\t/ && FILENAME !~ /\.ptx$/ { print FILENAME ":" FNR ": a tab" }
    / $/ { print FILENAME ":" FNR ": blanks at the end" }
    { text = $0; gsub(/[\200-\277]/, "", text) }
    length(text) > 80 { print FILENAME ":" FNR ": " length(text) " columns" }
  ' "$@" | grep . && return 1
  return 0
}
clean "no tab, wide line or trailing blank in the sources" \
  awk_check "${sources[@]}"
clean "and in the tools" awk_check tools/*.sh tools/*.awk

# What must not be written down: hosts of registries, folders of one machine.
named() {
  git ls-files -z --cached --others --exclude-standard 2>/dev/null |
    xargs -0 grep -nIE "$1" -- 2>/dev/null | grep . && return 1
  return 0
}
if git rev-parse >/dev/null 2>&1; then
  clean "no file names the host of a registry" \
    named 'py''pi\.org|python''hosted|deb\.deb''ian\.org|proxy\.gol''ang'
  clean "no file names a folder of one machine" named '/work/''main|/root/''[a-z.]'
else
  skip "names that must not be written down" "this is no git repository"
fi
for file in LICENSE LICENSE-TEXT README.md; do
  ok "$([ -s $file ]; echo $?)" "there is a $file"
done
finish
