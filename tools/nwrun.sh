#!/usr/bin/env bash
# nwrun.sh COMMAND...: runs a compiler; the places in tangled files that its
# messages name become places in chapters. Its exit status is the command's.
set -u
maps=$(echo tangled/*/lines.map)
"$@" 2>&1 | awk -v maps="$maps" -f "$(dirname "$0")/nwlines.awk" >&2
exit "${PIPESTATUS[0]}"
