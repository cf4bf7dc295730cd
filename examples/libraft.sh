#!/bin/sh
# Do searches with default options find bugs of Debian's libraft, one at a time? See libraft.md.
#
#     sh examples/libraft.sh          all of libraft_bugs.c
#     sh examples/libraft.sh 0 5      some; 0 has none
#
# A line for each: the size and the time to the end of the search, 60 s at most, and what it found.
# Exit status: 0 if what has a bug fails and 0 passes, 77 if libraft-dev is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd) result=0
PATH=${FRNG_BUILD:-$here/../build}/driver:$PATH
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
wraps=$(sed -n 's/.*\(__wrap_\|^BEFORE(\)\([A-Za-z_]*\)[,(].*/-Wl,--wrap=\2/p' "$here/libraft_bugs.c")
cd "$folder" || exit 1
for bug in ${*:-0 1 2 3 4 5 6 7}; do
    # shellcheck disable=SC2086 # words are meant to be split
    ${CC:-cc} -g -O1 -I "$here/../frng" -DBUG="$bug" -o "libraft-$bug" "$here/libraft.c" \
        "$here/libraft_bugs.c" $wraps -Wl,-Bstatic -lraft -Wl,-Bdynamic 2>errors ||
        { echo "libraft.sh: libraft-dev is missing" >&2; exit 77; }
    frng-search "./libraft-$bug" --rng-seed "${SEED:-1}" --time 60s --ui none >line 2>said
    [ $? = $((bug > 0)) ] || result=1
    awk -v bug="$bug" -v line="$(cut -d' ' -f1 line)" '
        /^fails/ { first = $NF; sub(/\)/, "", first) }
        /^ *output/ { sub(/.*assertion failed: /, ""); what = $0 }
        /^ *effort/ { sub(/^ *effort *[0-9,]* runs and [0-9]* reruns in /, ""); took = $1 }
        END { print bug ": " (line == "" ? "nothing" : line ", first in run " first) ", " took " s: " what }' said
done
exit $result
