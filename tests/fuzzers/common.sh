# shellcheck shell=sh disable=SC2034
# What the scripts here share: a scratch folder, and how to skip and to fail. They are called with
# the build folder and the source folder.
build=$1 source=$2
scratch=$(mktemp -d) || exit 99
child=
finish() {
    if [ -n "$child" ]; then
        kill "$child" 2>/dev/null
        wait "$child" 2>/dev/null
    fi
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch" || exit 99
ulimit -c 0
unset FRNG_INPUT FRNG_DRIVER

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
fail() {
    [ ! -f log ] || tail -n 30 log
    printf 'FAILED: %s\n' "$*"
    exit 1
}

# bounded SECONDS COMMAND...: its output in `log`; ends with this script, and after SECONDS.
bounded() {
    timeout --kill-after=2 "$@" >log 2>&1 </dev/null &
    child=$!
    wait "$child"
    status=$?
    child=
    return $status
}

# replays FILE: what a fuzzer found is a failure for frng as well.
replays() {
    "$build/driver/frng-replay" "$build/examples/ring" --input "$1" >log 2>&1
    status=$?
    [ $status -eq 1 ] || fail "frng-replay exits with $status for $1, not 1"
    grep -q 'overwritten before it was read' log || fail "$1 is another failure than that of ring.c"
}
