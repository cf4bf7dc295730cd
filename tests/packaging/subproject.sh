#!/bin/sh
# subproject.sh SOURCE
# A Meson project with frng as its subproject gets the headers alone, on a machine that has neither
# libsodium nor Jansson nor Check, and even if another frng is installed. Exit status 77 (skipped)
# without meson.
set -u
source=$1
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
command -v meson >/dev/null || { echo "skipped: meson is not installed"; exit 77; }

user=$scratch/user
mkdir -p "$user/subprojects/frng" || exit 99
for part in meson.build meson_options.txt frng driver examples tests; do
    cp -R "$source/$part" "$user/subprojects/frng/" || exit 99
done
cp "$source/frng.wrap" "$user/subprojects/" || exit 99
cat >"$user/meson.build" <<'END'
project('user', 'c', default_options: ['c_std=c11', 'warning_level=3', 'werror=true'])
by_name = dependency('frng')
by_variable = subproject('frng').get_variable('frng_dep')
foreach name, dep : {'one': by_name, 'two': by_variable}
  test(name, executable(name, 'sut.c', dependencies: dep))
endforeach
END
cp "$source/tests/packaging/user.c" "$user/sut.c" || exit 99

mkdir "$scratch/installed"
printf 'Name: frng\nDescription: another\nVersion: 99\nCflags: -I/none\n' \
    >"$scratch/installed/frng.pc"
unset PKG_CONFIG_PATH
PKG_CONFIG_LIBDIR=$scratch/installed # nothing else is installed there
export PKG_CONFIG_LIBDIR
# By default dependency() takes what is installed, by pkg-config or CMake, and not the subproject.
meson setup --force-fallback-for=frng "$scratch/build" "$user" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "it does not configure"; }
ninja -C "$scratch/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "it does not build"; }
for name in one two; do
    : | "$scratch/build/$name" || fail "$name does not run"
done
for part in driver examples tests; do
    [ ! -d "$scratch/build/subprojects/frng/$part" ] || fail "$part is built as well"
done
meson install -C "$scratch/build" --destdir "$scratch/root" >/dev/null 2>&1 || fail "meson install"
[ ! -d "$scratch/root" ] || [ -z "$(find "$scratch/root" -type f)" ] || fail "files are installed"
echo "subproject: the headers alone"
