#!/bin/sh
# run.sh FOLDER SECONDS|short [TARGET...]
# Run fuzzers that were built in FOLDER (tests/fuzz in the build folder), one after the other, each
# for so many seconds; without targets all of them. What they learn stays in FOLDER/work and is
# where they go on from; an input that breaks something is written to FOLDER/artifacts, and ends this
# with exit status 1. `short` is for tests: a second, the same inputs each time, nothing kept.
set -u
folder=$1 seconds=$2 source=$(dirname "$0")
shift 2
if [ $# -eq 0 ]; then
    for program in "$folder"/fuzz-*; do
        [ -x "$program" ] && [ -f "$program" ] && set -- "$@" "${program##*/fuzz-}"
    done
fi
[ $# -gt 0 ] || { echo "$folder: no fuzzers; build them, with clang and its libFuzzer" >&2; exit 2; }
ulimit -c 0
child='' scratch=''
finish() {
    [ -z "$child" ] || { kill "$child"; wait "$child"; }
    [ -z "$scratch" ] || rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
work=$folder/work options="-max_total_time=$seconds"
if [ "$seconds" = short ]; then
    scratch=$(mktemp -d) || exit 99
    work=$scratch/work options='-max_total_time=1 -seed=1'
fi
seeds=${scratch:-$folder}/seeds
mkdir -p "$folder/artifacts" || exit 99
python3 "$source/seeds.py" "$seeds" "$@" || exit 99

for target; do
    mkdir -p "$work/$target" || exit 99
    # setenv keeps what it has allocated, so that leaks would be looked for after each run
    case $target in server) leaks=0 ;; *) leaks=1 ;; esac
    # shellcheck disable=SC2086 # words are meant to be split
    nice "$folder/fuzz-$target" $options -detect_leaks=$leaks -timeout=60 -rss_limit_mb=2048 -max_len=2048 \
        -print_final_stats=1 -artifact_prefix="$folder/artifacts/$target-" \
        "$work/$target" "$seeds/$target" >"$folder/$target.log" 2>&1 </dev/null &
    child=$!
    wait "$child"
    status=$?
    child=
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$target.log")
    if [ $status -ne 0 ] || [ "${runs:-0}" -lt 10 ]; then
        tail -n 40 "$folder/$target.log"
        echo "FAILED: fuzz-$target exits with $status after ${runs:-no} runs"
        exit 1
    fi
    echo "fuzz-$target: $runs runs"
done
