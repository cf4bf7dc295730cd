#!/bin/sh
# real.sh libfuzzer|afl BUILD SOURCE
# The real libFuzzer or AFL++ finds the bug of examples/ring.c, and frng-replay repeats it. libFuzzer
# takes a test in C and in C++ by -DFRNG_LIBFUZZER; AFL++ drives it through its stdin. Exit status 77
# (skipped) where the fuzzer is not installed.
set -u
build=$2 source=$3 here=$3/tests/fuzzers
scratch=$(mktemp -d) || exit 99
child=
finish() {
    [ -z "$child" ] || { kill "$child" 2>/dev/null && wait "$child"; }
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

# compile OUTPUT COMPILER OPTION...
compile() {
    output=$1
    shift
    "$@" -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -g -O1 \
        -DFRNG_LIBFUZZER -I "$source/frng" -o "$output" >log 2>&1 || fail "$* does not compile"
}

# fuzz TARGET RUNS OPTION...: fixed seed, bounded runs; what fails is written to artifacts/.
fuzz() {
    target=$1 runs=$2
    shift 2
    rm -rf artifacts
    mkdir artifacts
    bounded 50 "./$target" -seed=1 -runs="$runs" -artifact_prefix=artifacts/ "$@"
}

# found WORDS: whether the last target failed so, and left a file.
found() {
    [ "$status" -ne 0 ] || fail "libFuzzer found nothing in $target"
    grep -qF -e "$1" log || fail "$target failed without a word of '$1'"
    set -- artifacts/crash-*
    [ -f "$1" ] || fail "libFuzzer left no crash file of $target"
}

use_libfuzzer() {
    command -v clang >/dev/null || skip "clang is not installed"
    echo 'int LLVMFuzzerTestOneInput(void *b, long n) { return b == 0 && n > 0; }' >probe.c
    clang -fsanitize=fuzzer,address probe.c -o probe >log 2>&1 ||
        skip "clang has no libFuzzer here (Debian: libclang-rt-14-dev)"
    # Any compiler compiles it; clang links it.
    for compiler in 'gcc -std=c11 -x c' 'g++ -std=c++11 -x c++'; do
        # shellcheck disable=SC2086 # words are meant to be split
        ! command -v "${compiler%% *}" >/dev/null || compile target.o $compiler -c "$here/target.c"
    done
    for compiler in 'clang -std=c11 -x c' 'clang++ -std=c++11 -x c++'; do
        command -v "${compiler%% *}" >/dev/null || continue
        # shellcheck disable=SC2086
        compile target $compiler -fsanitize=fuzzer,address "$here/target.c"
        fuzz target 1000000
        found 'assertion failed: kind == 0 || x < 250: x is 25'
        # shellcheck disable=SC2086
        compile target $compiler -fsanitize=fuzzer,address -DRETURNS_FALSE "$here/target.c"
        fuzz target 1000000
        found 'frng: the test returned false after 2 of'
    done
    compile ring clang -std=c11 -fsanitize=fuzzer,address "$source/examples/ring.c"
    fuzz ring 3000000 -max_len=1024
    found 'overwritten before it was read'
    replays artifacts/crash-*
    compile ring-fixed clang -std=c11 -fsanitize=fuzzer,address -DFIXED "$source/examples/ring.c"
    fuzz ring-fixed 20000 -max_len=1024 || fail "libFuzzer finds a bug where there is none: $status"
}

use_afl() {
    for tool in afl-fuzz afl-cc; do
        command -v $tool >/dev/null || skip "$tool is not installed (Debian: afl++)"
    done
    export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
    unset AFL_BENCH_UNTIL_CRASH
    afl-cc -std=c11 -g -O2 -I "$source/frng" -o ring "$source/examples/ring.c" >log 2>&1 ||
        fail "afl-cc does not compile examples/ring.c"
    mkdir corpus || exit 99
    "$build/driver/frng-replay" --size 80 --seed 1 --dump >corpus/seed || fail "no bytes to begin with"
    AFL_BENCH_UNTIL_CRASH=1 bounded 55 afl-fuzz -s 1 -V 45 -i corpus -o found -- ./ring ||
        fail "afl-fuzz exits with $status"
    set -- found/default/crashes/id:*
    [ -f "$1" ] || fail "AFL++ found nothing in ring"
    replays "$1"
}

"use_$1"
echo "$1: finds the bug, frng-replay repeats it"
