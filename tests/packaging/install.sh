#!/bin/sh
# install.sh BUILD VERSION
# Install below a folder of its own, and use what is there: the programs, the pages, and the headers
# by pkg-config. Exit status 77 (skipped) without meson or pkg-config.
set -u
build=$1 version=$2
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
for tool in meson pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

meson install -C "$build" --no-rebuild --destdir "$root" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "meson install"; }

for file in bin/frng-search bin/frng-replay bin/frng-reduce bin/frng-report bin/frng-status include/frng.h include/frng_assert.h \
    include/frng_choices.h include/frng_disk.h include/frng_encode.h include/frng_expand.h \
    include/frng_leaks.h include/frng_lin.h include/frng_main.h include/frng_more.h include/frng_pthread.h include/frng_sched.h \
    include/frng_sim.h \
    share/man/man1/frng-search.1 share/man/man1/frng-replay.1 share/man/man1/frng-reduce.1 \
    share/man/man1/frng-report.1 share/man/man1/frng-status.1 share/frng/status.schema.json \
    share/man/man3/frng.3 share/man/man3/frng_disk.3 share/man/man3/frng_lin.3 share/man/man3/frng_sim.3 share/pkgconfig/frng.pc share/cmake/frng/frng-config.cmake \
    share/cmake/frng/frng-config-version.cmake share/doc/frng/LICENSE share/doc/frng/PROTOCOL.md \
    share/doc/frng/DRAWS.md share/doc/frng/vectors.json include/frng.hpp include/frng_findings.hpp \
    include/frng_thrown.hpp share/doc/frng/frng/python/frng.py share/doc/frng/frng/rust/lib.rs \
    share/doc/frng/frng/go/frng.go share/doc/frng/frng/javascript/frng.mjs \
    share/doc/frng/frng/zig/frng.zig share/doc/frng/frng/cpp/queue.cpp \
    share/doc/frng/README.md share/doc/frng/examples/ring.c \
    share/doc/frng/examples/gallery/gallery.sh \
    share/bash-completion/completions/frng-search share/zsh/site-functions/_frng-replay \
    share/fish/vendor_completions.d/frng-reduce.fish share/frng/events.schema.json \
    share/man/man5/frng-events.5; do
    found=$(find "$root" -path "*/$file")
    [ -n "$found" ] || fail "$file is not installed"
done
count=$(find "$root" -type f ! -path '*/share/doc/*' | wc -l)
[ "$count" -eq 55 ] || { find "$root" -type f; fail "$count files are installed, not 55"; }

bin=$(dirname "$(find "$root" -path '*/bin/frng-search')")
for tool in search replay reduce report status; do
    said=$("$bin/frng-$tool" --version) || fail "frng-$tool does not run from where it is installed"
    [ "$said" = "frng-$tool $version" ] || fail "it says '$said', and the project $version"
done

# A program of somebody else's.
PKG_CONFIG_LIBDIR=$(dirname "$(find "$root" -name frng.pc)")
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
[ "$(pkg-config --modversion frng)" = "$version" ] || fail "frng.pc has another version"
flags=$(pkg-config --cflags --libs frng) || fail "pkg-config --cflags --libs frng"
cat >"$scratch/sut.c" <<'END'
#include <frng_expand.h>
#include <frng_main.h>
static bool test(frng *f) {
    uint8_t x;
    FRNG_TRY(frng_u8_max(f, 9, &x));
    FRNG_ASSERT(x < 7, "x is %u", x);
    return true;
}
FRNG_MAIN(test)
END
# shellcheck disable=SC2086 # words are meant to be split
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$scratch/sut.c" $flags -o "$scratch/sut" ||
    fail "a program does not compile with '$flags'"
result=$("$bin/frng-search" "$scratch/sut" --size-max 64 --quiet)
status=$?
[ $status -eq 1 ] || fail "the search exits with $status"
case $result in
"size=1 seed="*) ;;
*) fail "the search says '$result', not size=1" ;;
esac
# The same in C++, with the installed headers, and with those of a build folder.
cat >"$scratch/sut.cpp" <<'END'
#include <frng_findings.hpp>
static void test(frngpp::generator &f) { FRNG_ASSERT(f.u8(0, 9) < 7); }
FRNG_MAIN_CPP(test)
END
cpp() { c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "$scratch/sut.cpp" "$@" -o "$scratch/sut"; }
# shellcheck disable=SC2086 # words are meant to be split
cpp $flags || fail "a program of C++ does not compile with '$flags'"
uninstalled=$(unset PKG_CONFIG_SYSROOT_DIR; PKG_CONFIG_LIBDIR=$build/meson-uninstalled pkg-config --cflags frng)
# shellcheck disable=SC2086
cpp $uninstalled || fail "a program of C++ does not compile with '$uninstalled'"

echo "installed: $count files, $version"
