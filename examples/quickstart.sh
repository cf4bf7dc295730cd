#!/bin/sh
# From a fresh clone to a bug: install missing packages, build, search, replay.
#
#     sh examples/quickstart.sh                      all four steps
#     sh examples/quickstart.sh --install [PACKAGE]...
#                               only install the packages for building, and these PACKAGEs
#
# Installs on Debian and its derivatives (with sudo unless root); on other systems it prints the
# missing packages. Builds in build/. Exit status 0 if the search found the bug, as it should.
set -u
cd "$(dirname "$0")/.." || exit 1

say() { printf '\n==> %s\n' "$*"; }
fail() { printf 'quickstart: %s\n' "$*" >&2; exit 1; }

# has PACKAGE: true if what we need of it is installed, from any source.
has() {
    case $1 in
    gcc) command -v cc >/dev/null ;;
    libc6-dev) printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' |
        cc -x c -fsyntax-only - 2>/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    pkg-config) command -v pkg-config >/dev/null ;;
    check) pkg-config --exists check 2>/dev/null ;;
    libsodium-dev) pkg-config --exists libsodium 2>/dev/null ;;
    libjansson-dev) pkg-config --exists jansson 2>/dev/null ;;
    libdw-dev) pkg-config --exists libdw 2>/dev/null ;;
    afl++) command -v afl-fuzz >/dev/null ;;
    meson | python3 | clang | clang-format | mandoc | g++) command -v "$1" >/dev/null ;;
    *) dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii' ;;
    esac
}

# install PACKAGE...
install() {
    missing=
    for package; do
        has "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || fail "this is no Debian; please install what it calls$missing" \
        "(a C11 compiler, Meson 1.0, Ninja, pkg-config, Check, libsodium, Jansson, libdw, Python 3)"
    sudo=
    if [ "$(id -u)" -ne 0 ]; then
        sudo=sudo
        command -v sudo >/dev/null || fail "neither root nor sudo; as root: apt-get install$missing"
    fi
    say "Installing$missing"
    # Fails without a network: then what was fetched before may do.
    $sudo apt-get -o DPkg::Lock::Timeout=300 update -qq || true
    # shellcheck disable=SC2086 # words are meant to be split
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
        install -y -qq --no-install-recommends $missing </dev/null ||
        fail "apt-get could not install$missing"
}

build() {
    say "Building in build/"
    if [ ! -f build/build.ninja ]; then
        log=$(meson setup build 2>&1) || fail "meson could not set up build/: $log"
    fi
    ninja -C build --quiet driver/frng-search driver/frng-replay driver/frng-reduce \
        driver/frng-report driver/frng-status examples/kvstore examples/kvstore-fixed ||
        fail "it does not build"
}

# The bug of kvstore is small in the code, and its failure reads as a story.
search() {
    say "Search for the smallest input that breaks a key-value store with a real bug"
    printf '\n$ %s\n\n' "build/driver/frng-search build/examples/kvstore --attempts 1000"
    found=$(build/driver/frng-search build/examples/kvstore --attempts 1000)
    status=$?
    [ $status -eq 1 ] || fail "frng-search should have found a bug, but ended with status $status"
    printf '\n%s\n' "$found"
}

replay() {
    size=${found#size=}
    size=${size%% *}
    seed=${found##*seed=}
    say "These two numbers are the failure. Replay it, with its draws and what they mean"
    printf '\n$ %s\n\n' \
        "build/driver/frng-replay --trace build/examples/kvstore --size $size --seed $seed"
    (
        ulimit -c 0
        build/driver/frng-replay --trace build/examples/kvstore --size "$size" --seed "$seed" 2>&1
    )
    status=$?
    [ $status -eq 1 ] || fail "frng-replay should have seen it fail, but ended with status $status"
}

if [ "${1:-}" = --install ]; then
    shift
elif [ $# -gt 0 ]; then
    fail "usage: sh examples/quickstart.sh [--install [PACKAGE]...]"
else
    set -- --all
fi
all=
[ "${1:-}" = --all ] && all=yes && shift
install gcc libc6-dev meson ninja-build pkg-config check libsodium-dev libjansson-dev libdw-dev python3 "$@"
[ -n "$all" ] || exit 0
build
search
replay
say "It failed as it should. examples/kvstore.md explains this failure"
cat <<END
    Reduce its bytes:          build/driver/frng-reduce build/examples/kvstore --size $size --seed $seed
    Search without the bug:    build/driver/frng-search build/examples/kvstore-fixed
    Build all else:            ninja -C build
    Build everything and test: sh tests/run.sh
END
