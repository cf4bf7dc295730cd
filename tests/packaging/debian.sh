#!/bin/sh
# debian.sh SOURCE
# The packages of Debian build, lintian finds nothing, and what is in them passes their own test.
# Exit status 77 (skipped) without the tools of Debian's maintainers.
set -u
source=$1
for tool in dpkg-buildpackage dh lintian fakeroot; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
dpkg-checkbuilddeps "$source/debian/control" 2>/dev/null ||
    { echo "skipped: build dependencies are missing"; exit 77; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

tree=$scratch/frng
mkdir "$tree" || exit 99
for part in CHANGELOG.md CMakeLists.txt LICENSE README.md RECIPES.md debian driver examples frng meson.build \
    meson_options.txt; do
    cp -R "$source/$part" "$tree/" || exit 99
done
mkdir "$tree/tests" && cp "$source/tests/meson.build" "$tree/tests/" || exit 99
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$source/meson.build")
[ "$(cd "$tree" && dpkg-parsechangelog -S Version)" = "$version-1" ] ||
    fail "debian/changelog is not of version $version"
tar -C "$scratch" --exclude=debian -czf "$scratch/frng_$version.orig.tar.gz" frng || exit 99

(cd "$tree" && DEB_BUILD_OPTIONS='nocheck noautodbgsym noopt parallel=2' dpkg-buildpackage -us -uc) \
    >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "dpkg-buildpackage"; }
lintian --allow-root --fail-on error,warning "$scratch"/*.changes >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "lintian"; }
[ ! -s "$scratch/log" ] || { cat "$scratch/log"; fail "lintian"; }

for package in "$scratch"/*.deb; do
    dpkg-deb -x "$package" "$scratch/root" || fail "$package"
done
for file in bin/frng-search bin/frng-replay bin/frng-reduce include/frng_main.h; do
    [ -e "$scratch/root/usr/$file" ] || fail "usr/$file is in no package"
done
PATH=$scratch/root/usr/bin:$PATH
PKG_CONFIG_LIBDIR=$scratch/root/usr/share/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$scratch/root
export PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
(cd "$tree" && sh debian/tests/queue 2>"$scratch/log") || { cat "$scratch/log"; fail "the queue"; }
doc=$scratch/root/usr/share/doc/frng
(cd "$tree" && sh debian/tests/ports "$doc" 2>"$scratch/log") || { cat "$scratch/log"; fail "a port"; }
packed=$(find "$doc" -name '*.gz' ! -name '*.md.gz' ! -name 'changelog*')
[ -z "$packed" ] || fail "code or data is compressed: $packed"
echo "debian: $(cd "$scratch" && ls ./*.deb | tr '\n' ' ')"
