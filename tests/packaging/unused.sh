#!/bin/sh
# unused.sh SOURCE
# Functions and data of driver/ that no tool needs, each with its library: dead, or of use to tests
# alone. The tools are built in a scratch folder, each function in a section of its own and none
# inlined; the linker leaves out what nothing refers to.
set -u
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$1" || exit 99
tools='driver/frng-search driver/frng-replay driver/frng-reduce driver/frng-report driver/frng-status'
# shellcheck disable=SC2086 # words are meant to be split
meson setup "$scratch/build" . -Dbuildtype=plain -Dtests=disabled -Dexamples=disabled \
    -Dc_args='-O0 -ffunction-sections -fdata-sections' -Dc_link_args=-Wl,--gc-sections \
    >"$scratch/log" 2>&1 && ninja -C "$scratch/build" $tools >>"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 99
}
cd "$scratch/build" || exit 99
# shellcheck disable=SC2086
nm --defined-only $tools | awk 'NF == 3 { print $3 }' | sort -u >"$scratch/used"
for library in driver/lib*.a; do
    nm --defined-only "$library" 2>/dev/null |
        awk -v library="${library##*/lib}" '$2 ~ /^[TtDdBbR]$/ { print $3, library }'
done | sort -u >"$scratch/all"
grep -q ' run.a$' "$scratch/all" && grep -q '^main$' "$scratch/used" || exit 99
# frng__ask of frng.h is cold, so that each file that draws has a copy of its own.
unused=$(awk 'NR == FNR { used[$1] = 1; next } !($1 in used)' "$scratch/used" "$scratch/all" |
    grep -v -e '\.[0-9]* ' -e '^frng__ask ')
[ -z "$unused" ] && exit 0
echo "$unused"
exit 1
