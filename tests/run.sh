#!/bin/sh
# All tests: plain with gcc, under AddressSanitizer and UndefinedBehaviorSanitizer, with clang, on
# other machines and with another libc, and the formatting. Exit status 0 if nothing failed.
#
#     sh tests/run.sh [gcc] [sanitize] [clang] [portable] [format]      default: all five
#     sh tests/run.sh m32|musl|aarch64|s390x...                         some of portable
#
# Installs what building needs if it is missing; what else is not there is skipped, and said so.
# Builds in build-tests/, and leaves it for a faster second time. The last line is the sum over all.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || set -- gcc sanitize clang portable format
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

# The tools and the units where words have 32 bits, with musl, and in emulation on ARM and on a
# machine whose bytes are in the other order. What units cannot do in qemu-user they say.
run_elsewhere() {
    target=$1 compiler=$2 emulator=$3
    say "$target"
    for program in "$compiler" $emulator; do
        command -v "$program" >/dev/null || { skip "$target: $program is not installed"; return; }
    done
    if [ ! -f "build-tests/cross/$target/constants.ini" ]; then
        skip "$target: its libraries are missing; sh tests/cross/fetch.sh $target fetches them"
        return
    fi
    folder=build-tests/$target
    configure "$folder" --cross-file "build-tests/cross/$target/constants.ini" \
        --cross-file "tests/cross/$target.ini" || { fail "$folder does not configure"; return; }
    # shellcheck disable=SC2046 # words are meant to be split
    ninja -C "$folder" --quiet -k 0 $(ninja -C "$folder" -t targets all |
        sed -n 's,^\(tests/unit/test_[a-z_]*\|driver/frng-[a-z]*\):.*,\1,p') ||
        { fail "$folder does not build"; return; }
    rm -f "$folder/meson-logs/testlog.json"
    [ -z "$emulator" ] || export FRNG_EMULATED=yes
    meson test -C "$folder" --no-rebuild --print-errorlogs --num-processes "$side_by_side" \
        --timeout-multiplier 4 --suite unit </dev/null
    unset FRNG_EMULATED
    for line in $(sed -n 's/^skipped: //p' "$folder/meson-logs/testlog.txt" | sed 's/_fn: /: /' |
        sort -u | tr ' ' '~'); do
        skip "$target: $(printf '%s' "$line" | tr '~' ' ')"
    done
    logs="$logs $folder/meson-logs/testlog.json"
}

run_m32() { run_elsewhere m32 gcc ''; }
run_musl() { run_elsewhere musl musl-gcc ''; }
run_aarch64() { run_elsewhere aarch64 aarch64-linux-gnu-gcc qemu-aarch64; }
run_s390x() { run_elsewhere s390x s390x-linux-gnu-gcc qemu-s390x; }

run_portable() {
    run_m32
    run_musl
    run_aarch64
    run_s390x
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
    gcc | sanitize | clang | portable | m32 | musl | aarch64 | s390x | format) "run_$part" ;;
    *)
        echo "usage: sh tests/run.sh [gcc] [sanitize] [clang] [portable] [format]" >&2
        exit 2
        ;;
    esac
done
say "all tests are done"
[ -z "$skipped" ] || printf 'skipped:%s\n' "$skipped"
# shellcheck disable=SC2086 # words are meant to be split
exec python3 tests/count.py $passed $failed $logs
