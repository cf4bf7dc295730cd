#!/bin/sh
# The tests. Exit status 0 if none failed; the last line is `N passed, N failed`.
#
#     sh tests/run.sh             the plain build's tests, in about two minutes with the build
#     sh tests/run.sh PART...     parts, in this order
#     sh tests/run.sh all         all parts
#     sh tests/run.sh rest        all parts but `plain`, whose last results are counted too
#     sh tests/run.sh --accept [NAME...]  write what is printed now into tests/transcripts/NAME.t
#
#     plain      built with gcc: units, most scenarios, packaging; not what `sanitize` runs
#     long       the same build: scenarios that wait long or repeat others in more modes, or seldom change
#     fuzzers    the same build: each fuzz target for a second, and examples with libFuzzer and AFL++
#     languages  the same build: the ports to C++, Python, Rust, Go, JavaScript and Zig
#     slow       the three above at once: while some wait, others run
#     sanitize   AddressSanitizer and UndefinedBehaviorSanitizer: units, other transcripts and scenarios
#     clang      what depends on the compiler, and some transcripts of runs
#     format     clang-format
#     portable   m32 musl aarch64 s390x: units of other machines and another libc, each a part too
#
# Installs missing packages that building needs; skips and names what needs other missing ones.
# Builds in build-tests/, and leaves it for a faster second time.
set -u
cd "$(dirname "$0")/.." || exit 1
logs='' passed=0 failed=0 skipped='' hint=no
start=$(date +%s)
side_by_side=$(($(nproc) * 4)) # tests; most of them wait for deadlines
patience=4 # times the time limit of a test, for each core has as many to run, and other work

# Some virtual machines take several times as long to start a program: tests, which start many, then
# get more time, and fewer others beside them. With sanitizers only units run: the others expect of
# searches what they have done within two seconds of the processor. They run in the plain build.
# A few that failed beside others are made once more, alone; the last lines name them.
slow_starts=no
begun=$(date +%s%N)
for _ in $(seq 200); do /bin/true; done
if [ $(($(date +%s%N) - begun)) -gt 300000000 ]; then
    slow_starts=yes side_by_side=$(($(nproc) + 1)) patience=16
    export FRNG_PATIENCE=4 CK_TIMEOUT_MULTIPLIER=4 # times what scenarios and units may take
fi

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

# suites FOLDER PART 'OPTION OF meson test'... -- OPTION OF meson setup...
# Builds only what the chosen tests depend on.
suites() {
    folder=build-tests/$1 part=$2 log=build-tests/$1/meson-logs/$2.json chosen="--logbase $2"
    shift 2
    while [ "$1" != -- ]; do
        chosen="$chosen $1"
        shift
    done
    shift
    configure "$folder" "$@" || { fail "$folder does not configure"; return; }
    rm -f "$log"
    # shellcheck disable=SC2086 # words are meant to be split
    meson test -C "$folder" --print-errorlogs --num-processes "$side_by_side" \
        --timeout-multiplier "$patience" $chosen </dev/null
    [ $slow_starts = no ] || python3 tests/once_more.py "$log" "$patience"
    logs="$logs $log"
}

# with_gcc PART OPTION...: with -O1, which compiles in a third of the time of -O3; clang has that
with_gcc() {
    part=$1
    shift
    command -v gcc >/dev/null || { skip "$part: gcc is not installed"; return; }
    say "$part"
    CC=gcc suites gcc "$part" "$@" -- -Doptimization=1
}

run_plain() {
    with_gcc plain --no-suite long --no-suite fuzzers --no-suite languages --no-suite sanitized
}
run_long() { with_gcc long --suite long; }
run_fuzzers() { with_gcc fuzzers --suite fuzzers; }

skips_of_languages() {
    for program in rustc go node "${ZIG:-zig}" s390x-linux-gnu-gcc qemu-s390x \
        arm-linux-gnueabihf-gcc qemu-arm; do
        command -v "$program" >/dev/null || skip "languages: $program is not installed"
    done
}

run_languages() {
    skips_of_languages
    with_gcc languages --suite languages
}

run_slow() {
    skips_of_languages
    with_gcc slow --suite long --suite fuzzers --suite languages
}

# The headers are compiled with every compiler and sanitizer by long tests of the plain build,
# fuzzers build what they run themselves, the benchmarks measure time, and installing is the same:
# these are left out below. What sanitizers add takes three times as long to optimize as it saves.
run_sanitize() {
    say "AddressSanitizer and UndefinedBehaviorSanitizer"
    if ! printf 'int main(void) { return 0; }\n' | ${CC:-cc} -fsanitize=address,undefined -x c \
        -o build-tests/probe - 2>/dev/null || ! build-tests/probe; then
        skip "sanitizers: ${CC:-cc} cannot build programs with them here"
        with_gcc sanitized --suite sanitized # what the plain build leaves to them
        return
    fi
    scenarios='--suite sanitized'
    if [ $slow_starts = yes ]; then
        skip "sanitizers: all but units, since programs start slowly here"
        with_gcc sanitized --suite sanitized
        scenarios=
    fi
    # shellcheck disable=SC2086 # words are meant to be split
    suites sanitize sanitize --suite unit $scenarios -- \
        -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args=-fno-sanitize-recover=all
}

# What a compiler can make a difference to: warnings, the headers, and what the suite `compiled` has.
# Undefined behaviour of modules, which units would show, is for the sanitizers.
run_clang() {
    command -v clang >/dev/null || { skip "clang: it is not installed"; return; }
    say "clang"
    CC=clang suites clang clang --suite compiled --
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
    [ -z "$emulator" ] || export FRNG_EMULATED=yes
    suites "$target" "$target" --suite unit -- -Doptimization=1 \
        --cross-file "build-tests/cross/$target/constants.ini" \
        --cross-file "tests/cross/$target.ini"
    unset FRNG_EMULATED
    ninja -C "$folder" --quiet driver/frng-search driver/frng-replay driver/frng-reduce ||
        fail "$target: the tools do not build"
    for line in $(sed -n 's/^skipped: //p' "$folder/meson-logs/$target.txt" |
        sort -u | tr ' ' '~'); do
        skip "$target: $(printf '%s' "$line" | tr '~' ' ')"
    done
}

run_m32() {
    printf 'void _start(void) { __asm__("mov $1, %%eax; mov $0, %%ebx; int $0x80"); }\n' |
        gcc -m32 -static -nostdlib -x c -o build-tests/probe - 2>/dev/null && build-tests/probe ||
        { skip "m32: this kernel runs no programs of i386"; return; }
    run_elsewhere m32 gcc ''
}
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
    if find driver examples frng tests \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.mjs' \) \
        -exec clang-format --dry-run --Werror {} +; then
        passed=$((passed + 1))
    else
        fail "formatting: clang-format -i mends it"
    fi
}

# accept NAME...: all transcripts without a name; those of FRNG_BUILD, or of the plain build
accept() {
    if [ -z "${FRNG_BUILD:-}" ]; then
        CC=gcc configure build-tests/gcc -Doptimization=1 && ninja -C build-tests/gcc || exit 1
        export FRNG_BUILD=$PWD/build-tests/gcc
    fi
    [ $# -gt 0 ] || set -- $(ls tests/transcripts | sed -n 's/[.]t$//p')
    for name; do
        set -- "$@" "tests/transcripts/$name.t"
        shift
    done
    exec python3 tests/transcripts/run.py --accept "$@"
}

usage() {
    sed -n 's/^#\( \{5\}.*\)/\1/p' "$0" >&2
    exit 2
}

if [ "${1:-}" = --accept ]; then
    mkdir -p build-tests || exit 1
    shift
    accept "$@"
fi
[ $# -gt 0 ] || { set -- plain; hint=yes; }
rest='slow sanitize clang format portable'
# shellcheck disable=SC2086 # words are meant to be split
case $1 in
all) set -- plain $rest ;;
rest)
    [ ! -f build-tests/gcc/meson-logs/plain.json ] || logs=build-tests/gcc/meson-logs/plain.json
    set -- $rest
    ;;
esac
for part; do
    case $part in
    plain | long | fuzzers | languages | slow | sanitize | clang | format | portable | m32 | musl | aarch64 | s390x) ;;
    *) usage ;;
    esac
done
sh examples/quickstart.sh --install || exit 1
mkdir -p build-tests || exit 1
for chosen_part; do
    "run_$chosen_part"
done
say "done"
[ -z "$skipped" ] || printf 'skipped:%s\n' "$skipped"
[ $hint = no ] || echo "More: sh tests/run.sh rest, or all, or long fuzzers languages sanitize clang format portable"
# shellcheck disable=SC2086 # words are meant to be split
exec python3 tests/count.py $passed $failed $logs
