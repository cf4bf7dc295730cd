#!/bin/sh
# Install frng from its sources, on Debian and Ubuntu, with what it needs.
#
#     sh install.sh [PREFIX]        PREFIX is /usr/local
set -eu
cd "$(dirname "$0")/../.."
sh examples/quickstart.sh --install
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
meson setup "$build" --prefix "${1:-/usr/local}" --buildtype release -Dtests=disabled -Dexamples=disabled >"$build.log" 2>&1 ||
    { cat "$build.log" >&2; exit 1; }
rm -f "$build.log"
ninja -C "$build" >/dev/null
sudo=
[ "$(id -u)" -eq 0 ] || [ -w "${1:-/usr/local}" ] || sudo=sudo
$sudo ninja -C "$build" install >/dev/null
