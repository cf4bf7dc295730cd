#!/bin/sh
# All tests: plain with gcc, under AddressSanitizer and UndefinedBehaviorSanitizer, with clang, and
# the formatting. Exit status 0 if nothing failed.
#
#     sh tests/run.sh [gcc] [sanitize] [clang] [format]      default: all four
#
# Installs what building needs if it is missing; what else is not there is skipped, and said so.
# Builds in build-tests/, and leaves it for a faster second time. The last line is the sum over all.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || set -- gcc sanitize clang format
logs='' passed=0 failed=0 skipped=''
start=$(date +%s)
side_by_side=$(($(nproc) * 2)) # tests; many of them wait for a deadline most of the time

say() { printf '\n==> %s (%d s)\n' "$*" $(($(date +%s) - start)); }
skip() { printf 'skipped: %s\n' "$*"; skipped="$skipped
  $*"; }
fail() { printf 'FAILED: %s\n' "$*"; failed=$((failed + 1)); }

# configure FOLDER OPTION...: the compiler is CC's
configure() {
    folder=$1
    shift
    [ -f "$folder/build.ninja" ] && set -- --reconfigure "$@"
    meson setup "$folder" -Dwerror=true "$@" </dev/null >"$folder.log" 2>&1 && return
    cat "$folder.log"
    rm -rf "$folder" # half a configuration is in the way of the next
    return 1
}

# suites FOLDER 'OPTION OF meson test'... -- OPTION OF meson setup...
suites() {
    folder=build-tests/$1 chosen=''
    shift
    while [ "$1" != -- ]; do
        chosen="$chosen $1"
        shift
    done
    shift
    configure "$folder" "$@" || { fail "$folder does not configure"; return; }
    ninja -C "$folder" --quiet -k 0 || fail "$folder does not build; the tests that it has follow"
    rm -f "$folder/meson-logs/testlog.json"
    # shellcheck disable=SC2086 # words are meant to be split
    meson test -C "$folder" --no-rebuild --print-errorlogs --num-processes "$side_by_side" \
        $chosen </dev/null
    logs="$logs $folder/meson-logs/testlog.json"
}

run_gcc() {
    command -v gcc >/dev/null || { skip "gcc: it is not installed"; return; }
    say "gcc"
    CC=gcc suites gcc --
}

# The headers are compiled with every compiler and sanitizer by the tests of the first build, fuzzers
# build what they run themselves, the benchmarks measure time, and installing is the same: these are
# left out below. What sanitizers add takes three times as long to optimize as it is worth.
run_sanitize() {
    say "AddressSanitizer and UndefinedBehaviorSanitizer"
    if ! printf 'int main(void) { return 0; }\n' | ${CC:-cc} -fsanitize=address,undefined -x c \
        -o build-tests/probe - 2>/dev/null || ! build-tests/probe; then
        skip "sanitizers: ${CC:-cc} cannot build programs with them here"
        return
    fi
    suites sanitize --no-suite headers --no-suite packaging --no-suite fuzzers --no-suite bench -- \
        -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args=-fno-sanitize-recover=all
}

# What a compiler can make a difference to: modules, and what tests/cli/meson.build calls compiled.
run_clang() {
    command -v clang >/dev/null || { skip "clang: it is not installed"; return; }
    say "clang"
    CC=clang suites clang --suite unit --suite compiled --
}

run_format() {
    command -v clang-format >/dev/null || { skip "formatting: clang-format is not installed"; return; }
    say "formatting"
    if find driver examples frng tests -name '*.[ch]' -exec clang-format --dry-run --Werror {} +; then
        passed=$((passed + 1))
    else
        fail "formatting: clang-format -i mends it"
    fi
}

sh examples/quickstart.sh --install || exit 1
mkdir -p build-tests || exit 1
for part; do
    case $part in
    gcc | sanitize | clang | format) "run_$part" ;;
    *)
        echo "usage: sh tests/run.sh [gcc] [sanitize] [clang] [format]" >&2
        exit 2
        ;;
    esac
done
say "all tests are done"
[ -z "$skipped" ] || printf 'skipped:%s\n' "$skipped"
# shellcheck disable=SC2086 # words are meant to be split
exec python3 tests/count.py $passed $failed $logs
