#!/bin/sh
# elsewhere.sh s390x|armhf|i386: draws and expansions of the C headers on a machine with bytes in the
# other order or words of 32 bits. They must be those of vectors.json and have the digests of
# DIGESTS.md. Exit 77 if its compiler or qemu-user is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
fail() { printf 'FAILED: %s\n' "$machine: $*"; exit 1; }
need() { command -v "$1" >/dev/null || skip "$machine: $1 is not installed"; }

# The libraries of i386 are those of gcc-multilib, or those that tests/cross/fetch.sh has fetched:
# Debian installs no cross compiler beside gcc-multilib.
use_i386() {
    need gcc
    emulator='' compiler='gcc -m32'
    printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' >"$scratch/probe.c"
    $compiler -static -o "$scratch/probe" "$scratch/probe.c" 2>/dev/null && return
    constants=$root/build-tests/cross/m32/constants.ini
    [ -f "$constants" ] || skip "i386: its libraries are missing; sh tests/cross/fetch.sh m32 fetches them"
    constant() { sed -n "s/^$1 = '\(.*\)'/\1/p" "$constants"; }
    compiler="$compiler --sysroot=$(constant sysroot) -B$(constant libgcc)"
}

machine=${1:-}
case $machine in
s390x) compiler=s390x-linux-gnu-gcc emulator=qemu-s390x ;;
armhf) compiler=arm-linux-gnueabihf-gcc emulator=qemu-arm ;;
i386) use_i386 ;;
*) sed -n '2s/^# \([^:]*\):.*/usage: \1/p' "$0" >&2; exit 2 ;;
esac
for program in ${compiler%% *} $emulator; do need "$program"; done

for program in suite make_vectors; do
    # shellcheck disable=SC2086 # words are meant to be split
    $compiler -std=c11 -O2 -static -I"$root/frng" -o "$scratch/$program" "$here/c/$program.c" \
        "$here/c/draw_by_name.c" || fail "$program does not build"
done
$emulator "$scratch/make_vectors" >"$scratch/vectors.json" || fail "make_vectors exits with $?"
cmp "$scratch/vectors.json" "$root/frng/vectors.json" || fail "other draws"
sed -n 's/^    \([a-z0-9_]* [0-9a-f]\{16\}\)$/\1/p' "$here/DIGESTS.md" >"$scratch/wanted"
$emulator "$scratch/suite" digests >"$scratch/digests" || fail "suite digests exits with $?"
diff "$scratch/wanted" "$scratch/digests" || fail "other digests"
echo "$machine: $(wc -l <"$scratch/digests") digests and all vectors agree"
