#!/bin/sh
# install.sh BUILD SOURCE VERSION
# Install below a folder of its own, and use what is there: the programs, the pages, and the headers by
# pkg-config and by CMake, which also takes them from the sources. Exit status 77 (skipped) without
# meson or pkg-config; without CMake that part is left out.
set -u
build=$1 source=$2 version=$3
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
for tool in meson pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

meson install -C "$build" --no-rebuild --destdir "$root" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "meson install"; }

# ---- What is there: outside of share/doc nothing else ----

cd "$source" || exit 99
programs=$(for tool in frng-search frng-replay frng-reduce frng-report frng-status; do
    echo "bin/$tool share/man/man1/$tool.1 share/bash-completion/completions/$tool" \
        "share/zsh/site-functions/_$tool share/fish/vendor_completions.d/$tool.fish"
done)
headers=$(basename -a frng/*.h frng/cpp/*.hpp | sed 's|^|include/|')
pages=$(basename -a driver/man/*.3 | sed 's|^|share/man/man3/|')
data='share/man/man5/frng-events.5 share/man/man7/frng.7 share/frng/events.schema.json share/frng/status.schema.json
    share/pkgconfig/frng.pc share/cmake/frng/frng-config.cmake
    share/cmake/frng/frng-config-version.cmake'
docs='LICENSE README.md PROTOCOL.md DRAWS.md vectors.json frng/python/frng/target.py frng/rust/lib.rs
    frng/go/frng.go frng/javascript/frng.mjs frng/zig/frng.zig frng/cpp/queue.cpp examples/ring.c
    examples/gallery/gallery.sh'
programs="$programs bin/frng-ci share/man/man1/frng-ci.1"
wanted=0
for file in $programs $headers $pages $data; do
    [ -n "$(find "$root" -path "*/$file")" ] || fail "$file is not installed"
    wanted=$((wanted + 1))
done
for file in $docs; do
    [ -n "$(find "$root" -path "*/share/doc/frng/$file")" ] || fail "$file is not installed"
done
count=$(find "$root" -type f ! -path '*/share/doc/*' | wc -l)
[ "$count" -eq $wanted ] || { find "$root" -type f; fail "$count files are installed, not $wanted"; }

bin=$(dirname "$(find "$root" -path '*/bin/frng-search')")
for tool in search replay reduce report status; do
    said=$("$bin/frng-$tool" --version) || fail "frng-$tool does not run from where it is installed"
    [ "$said" = "frng-$tool $version" ] || fail "it says '$said', and the project $version"
done

# ---- A program of somebody else's, by pkg-config ----

PKG_CONFIG_LIBDIR=$(dirname "$(find "$root" -name frng.pc)")
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
[ "$(pkg-config --modversion frng)" = "$version" ] || fail "frng.pc has another version"
flags=$(pkg-config --cflags --libs frng) || fail "pkg-config --cflags --libs frng"
cat >"$scratch/sut.c" <<'C'
#include <frng_expand.h>
#include <frng_main.h>
static bool test(frng *f) {
    uint8_t x;
    FRNG_TRY(frng_u8_max(f, 9, &x));
    FRNG_ASSERT(x < 7, "x is %u", x);
    return true;
}
FRNG_MAIN(test)
C
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
cat >"$scratch/sut.cpp" <<'C'
#include <frng_findings.hpp>
static void test(frngpp::generator &f) { FRNG_ASSERT(f.u8(0, 9) < 7); }
FRNG_MAIN_CPP(test)
C
uninstalled=$(unset PKG_CONFIG_SYSROOT_DIR; PKG_CONFIG_LIBDIR=$build/meson-uninstalled pkg-config --cflags frng)
for some in "$flags" "$uninstalled"; do
    # shellcheck disable=SC2086
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$scratch/sut.cpp" $some ||
        fail "a program of C++ does not compile with '$some'"
done

# ---- And by CMake, from the sources and from what is installed ----

command -v cmake >/dev/null || { echo "installed: $count files, $version; cmake is not installed"; exit 0; }
config=$(dirname "$(find "$root" -name frng-config.cmake)")
mkdir "$scratch/sources" "$scratch/installed" || exit 99
for user in sources installed; do
    cp "$source/tests/packaging/user.c" "$scratch/$user/sut.c" || exit 99
    cat >"$scratch/$user/CMakeLists.txt" <<END_OF_LISTS
cmake_minimum_required(VERSION 3.14)
project(user C)
$(if [ $user = sources ]; then echo "add_subdirectory($source frng)"
    else echo "find_package(frng $version REQUIRED)"; fi)
add_executable(sut sut.c)
target_link_libraries(sut PRIVATE frng::frng)
END_OF_LISTS
    { cmake -S "$scratch/$user" -B "$scratch/$user/build" "-Dfrng_DIR=$config" &&
        cmake --build "$scratch/$user/build"; } >"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; fail "$user: it does not build"; }
    : | "$scratch/$user/build/sut" || fail "$user: it does not run"
done
sed -i "s/frng $version/frng 99/" "$scratch/installed/CMakeLists.txt"
! cmake -S "$scratch/installed" -B "$scratch/other" "-Dfrng_DIR=$config" >"$scratch/log" 2>&1 ||
    fail "version 99 is found"
echo "installed: $count files, $version"
