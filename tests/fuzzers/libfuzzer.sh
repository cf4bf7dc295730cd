#!/bin/sh
# libfuzzer.sh BUILD SOURCE
# -DFRNG_LIBFUZZER makes a libFuzzer target of a test, in C and in C++, and what libFuzzer finds is
# replayed by frng-replay. Exit status 77 (skipped) where clang or its libFuzzer is not installed.
set -u
. "$(dirname "$0")/common.sh"
here=$source/tests/fuzzers

command -v clang >/dev/null || skip "clang is not installed"
command -v timeout >/dev/null || skip "timeout (coreutils) is not installed"
cat >probe.c <<'END'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) { return bytes == NULL && size > 0; }
END
clang -fsanitize=fuzzer,address probe.c -o probe >log 2>&1 ||
    skip "clang has no libFuzzer here (Debian: libclang-rt-14-dev)"

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

# Any compiler compiles it; clang links it.
for compiler in 'gcc -std=c11 -x c' 'g++ -std=c++11 -x c++'; do
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086 # words are meant to be split
    compile target.o $compiler -c "$here/target.c"
done
for language in c c++; do
    command -v clang++ >/dev/null || [ $language = c ] || continue
    compiler=clang standard=c11
    [ $language = c ] || compiler=clang++ standard=c++11
    compile target $compiler -std=$standard -fsanitize=fuzzer,address -x $language "$here/target.c"
    fuzz target 1000000
    found 'assertion failed: kind == 0 || x < 250: x is 25'
    compile target $compiler -std=$standard -fsanitize=fuzzer,address -DRETURNS_FALSE \
        -x $language "$here/target.c"
    fuzz target 1000000
    found 'frng: the test returned false after 2 of'
done

compile ring clang -std=c11 -fsanitize=fuzzer,address "$source/examples/ring.c"
fuzz ring 3000000 -max_len=1024
found 'overwritten before it was read'
replays artifacts/crash-*

compile ring-fixed clang -std=c11 -fsanitize=fuzzer,address -DFIXED "$source/examples/ring.c"
fuzz ring-fixed 20000 -max_len=1024 || fail "libFuzzer finds a bug where there is none: $status"
echo "libFuzzer: finds what there is, in C and C++, and frng-replay repeats it"
