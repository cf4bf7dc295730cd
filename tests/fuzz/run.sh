#!/bin/sh
# run.sh PROGRAM SECONDS|short TARGET...
# Run targets of the program that is built here, one after the other, each for so many seconds. What
# they learn stays beside it in work/ and is where they go on from; an input that breaks something is
# written to artifacts/, and ends this with exit status 1. `short` is for tests: a second, the same
# inputs each time, nothing kept.
set -u
program=$1 seconds=$2 source=$(dirname "$0") folder=$(dirname "$1")
shift 2
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

for FRNG_FUZZ; do
    export FRNG_FUZZ
    mkdir -p "$work/$FRNG_FUZZ" || exit 99
    # setenv keeps what it has allocated, so that leaks would be looked for after each run
    case $FRNG_FUZZ in server) leaks=0 ;; *) leaks=1 ;; esac
    # shellcheck disable=SC2086 # words are meant to be split
    nice "$program" $options -detect_leaks=$leaks -timeout=60 -rss_limit_mb=2048 -max_len=2048 \
        -print_final_stats=1 -artifact_prefix="$folder/artifacts/$FRNG_FUZZ-" \
        "$work/$FRNG_FUZZ" "$seeds/$FRNG_FUZZ" >"$folder/$FRNG_FUZZ.log" 2>&1 </dev/null &
    child=$!
    wait "$child"
    status=$?
    child=
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$FRNG_FUZZ.log")
    if [ $status -ne 0 ] || [ "${runs:-0}" -lt 10 ]; then
        tail -n 40 "$folder/$FRNG_FUZZ.log"
        echo "FAILED: $FRNG_FUZZ exits with $status after ${runs:-no} runs"
        exit 1
    fi
    echo "$FRNG_FUZZ: $runs runs"
done
