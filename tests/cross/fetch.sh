#!/bin/sh
# fetch.sh m32|musl|aarch64|s390x: the libraries that `sh tests/run.sh portable` links there, into
# build-tests/cross/, and nothing into the system. Debian's, by apt with lists of its own; for musl
# they are built from Debian's sources, which takes some minutes.
set -eu
cd "$(dirname "$0")/../.."
part=$1
top=$PWD/build-tests/cross/$part
sysroot=$top/sysroot
gcc_version=$(gcc -dumpversion)

apt() {
    architecture=$1
    shift
    apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o APT::Sandbox::User=root -o Dir::State::Lists="$top/lists" -o Dir::Cache="$top/cache" "$@"
}

# unpack ARCHITECTURE PACKAGE...
unpack() {
    architecture=$1
    shift
    apt "$architecture" update || echo "some lists are missing" >&2 # the next command decides
    (cd "$top/packages" && apt "$architecture" download "$@")
    for package in "$top"/packages/*.deb; do dpkg -x "$package" "$sysroot"; done
}

# build FOLDER: one library with its own Makefiles, static
build() (
    cd "$1"
    [ -x configure ] || autoreconf -i
    CC=musl-gcc CFLAGS=-O2 ./configure -q --prefix=/usr --disable-shared --disable-subunit
    [ ! -d lib ] || make -s -j"$(nproc)" -C lib
    make -s -j"$(nproc)" -C src
    make -s -C src install DESTDIR="$sysroot"
    mkdir -p "$sysroot/usr/lib/pkgconfig"
    cp ./*.pc "$sysroot/usr/lib/pkgconfig/"
    rm -f "$sysroot"/usr/lib/pkgconfig/*-uninstalled.pc "$sysroot"/usr/lib/*.la
    [ ! -f check_stdint.h ] || cp check_stdint.h "$sysroot/usr/include/"
    [ ! -f lib/.libs/libcompat.a ] || cp lib/.libs/libcompat.a "$sysroot/usr/lib/"
)

# Source packages, by the system's lists made lists of sources.
unpack_sources() {
    mkdir -p "$top/sources.list.d"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$list" ] || continue
        sed 's/^deb /deb-src /' "$list" >"$top/sources.list.d/${list##*/}"
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -f "$list" ] || continue
        sed 's/^Types:.*/Types: deb-src/' "$list" >"$top/sources.list.d/${list##*/}"
    done
    set -- -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$top/sources.list.d" "$@"
    native=$(dpkg --print-architecture)
    apt "$native" "$@" update || echo "some lists are missing" >&2
    (cd "$top/packages" && apt "$native" "$@" source --download-only libsodium jansson check)
    for archive in "$top"/packages/*.orig.tar.*; do tar -xf "$archive" -C "$top/work"; done
}

rm -rf "$top"
mkdir -p "$top/lists/partial" "$top/cache/archives/partial" "$top/packages" "$sysroot" "$top/work"
libraries='libsodium-dev libjansson-dev check libsubunit-dev'
# shellcheck disable=SC2086 # words are meant to be split
case $part in
m32) unpack i386 $libraries libc6-dev linux-libc-dev "libgcc-$gcc_version-dev" ;;
aarch64) unpack arm64 $libraries ;;
s390x) unpack s390x $libraries ;;
musl)
    unpack_sources
    for folder in "$top"/work/*; do build "$folder"; done
    ;;
*) echo "usage: fetch.sh m32|musl|aarch64|s390x" >&2; exit 2 ;;
esac
rm -rf "$top/lists" "$top/cache" "$top/packages" "$top/work" "$top/sources.list.d"
cat >"$top/constants.ini" <<END
[constants]
sysroot = '$sysroot'
libgcc = '$sysroot/usr/lib/gcc/i686-linux-gnu/$gcc_version'
END
