#!/bin/sh
# build.sh OUT [s390x|armhf|i386]: build OUT/queue, OUT/suite, OUT/passes and OUT/fails, with CC. Not optimized:
# to compile the headers takes longest, and tests/headers/compile.sh compares what each level draws.
# With a machine, OUT/suite alone, for it, optimized; 77 if its compiler or qemu-user is missing.
set -eu
cd "$(dirname "$0")"
options='-std=c11 -g -Wall -Wextra -I../../../frng'

need() { command -v "$1" >/dev/null || { echo "$1 is not installed"; exit 77; }; }

# The libraries of i386 are those of gcc-multilib, or those that tests/cross/fetch.sh has fetched:
# Debian installs no cross compiler beside gcc-multilib.
use_i386() {
    need gcc
    emulator='' compiler='gcc -m32'
    echo 'int main(void) { return 0; }' >"$1/probe.c"
    $compiler -static -o "$1/probe" "$1/probe.c" 2>/dev/null && return
    constants=../../../build-tests/cross/m32/constants.ini
    [ -f "$constants" ] || { echo "its libraries are missing: sh tests/cross/fetch.sh m32"; exit 77; }
    constant() { sed -n "s/^$1 = '\(.*\)'/\1/p" "$constants"; }
    compiler="$compiler --sysroot=$(constant sysroot) -B$(constant libgcc)"
    $compiler -static -o "$1/probe" "$1/probe.c"
}

case ${2:-} in
s390x) compiler=s390x-linux-gnu-gcc emulator=qemu-s390x ;;
armhf) compiler=arm-linux-gnueabihf-gcc emulator=qemu-arm ;;
i386)
    use_i386 "$1"
    "$1/probe" || { echo "this kernel runs no programs of i386"; exit 77; }
    ;;
*)
    # shellcheck disable=SC2086 # options are words
    ${CC:-cc} $options -o "$1/queue" queue.c
    # shellcheck disable=SC2086
    ${CC:-cc} $options -o "$1/passes" passes.c
    # shellcheck disable=SC2086
    ${CC:-cc} $options -DFAILS -o "$1/fails" passes.c
    # shellcheck disable=SC2086
    exec ${CC:-cc} $options -o "$1/suite" suite.c
    ;;
esac
for program in ${compiler%% *} $emulator; do need "$program"; done
# shellcheck disable=SC2086
$compiler $options -O2 -static -o "$1/suite.$2" suite.c
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulator" "$1/suite.$2" >"$1/suite"
chmod +x "$1/suite"
