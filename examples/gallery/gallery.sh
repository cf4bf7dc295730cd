#!/bin/sh
# The gallery: real bugs of real libraries, as Debian 12 ships them.
#
#     sh examples/gallery/gallery.sh NAME...         the stories of these entries
#     sh examples/gallery/gallery.sh all             the stories of all entries
#     sh examples/gallery/gallery.sh --list          the entries and their packages
#     sh examples/gallery/gallery.sh --no-install NAME...    do not install missing packages
#
# A story: install the packages of the entry (as root; others read which are missing), build the
# test against them, search, reduce, and trace the reduced failure. It takes at most 20 seconds
# beside what apt-get and the compiler take. The tools are those of FRNG_BUILD (build/), which is
# built if it has none.
# Exit status: 0 if each bug was found, 1 if one was not, 77 if a package is missing, 2 wrong usage.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
root=$(cd "$here/../.." && pwd) || exit 2
build=${FRNG_BUILD:-$root/build}
install=yes
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
trap 'exit 1' HUP INT TERM

say() { printf '\n==> %s\n' "$*"; }
fail() { printf 'gallery: %s\n' "$*" >&2; }
usage() { fail "$*; usage: gallery.sh [--no-install] NAME...|all, or --list"; exit 2; }

# entries: the names, a line each.
entries() {
    for page in "$here"/*.md; do
        page=$(basename "$page" .md)
        [ "$page" = README ] || printf '%s\n' "$page"
    done
}

# source_of NAME: the test, in C or in C++.
source_of() {
    if [ -f "$here/$1.cc" ]; then printf '%s\n' "$here/$1.cc"; else printf '%s\n' "$here/$1.c"; fi
}

# about NAME KEY: what the head comment of the test says after "KEY: ".
about() { sed -n "s/^ \* $2: //p;/\*\//q" "$(source_of "$1")"; }

# missing PACKAGE...: those that are not installed.
missing() {
    for package; do
        dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' ||
            printf '%s ' "$package"
    done
}

# packages_of NAME: installs the packages that are missing; false if it cannot.
packages_of() {
    # shellcheck disable=SC2046 # words are meant to be split
    lacks=$(missing $(about "$1" Packages))
    if [ -n "$lacks" ] && [ $install = yes ] && [ "$(id -u)" -eq 0 ]; then
        say "Installing $lacks"
        for update in no yes; do
            [ $update = no ] || apt-get -o DPkg::Lock::Timeout=300 update -qq
            # shellcheck disable=SC2086
            DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq \
                --no-install-recommends $lacks </dev/null >/dev/null 2>&1 && break
        done
        # shellcheck disable=SC2046
        lacks=$(missing $(about "$1" Packages))
    fi
    [ -n "$lacks" ] || return 0
    fail "$1 is skipped; missing package: ${lacks% }"
    return 1
}

# tools: builds frng's tools if there are none.
tools() {
    [ -x "$build/driver/frng-search" ] && [ -x "$build/driver/frng-reduce" ] &&
        [ -x "$build/driver/frng-replay" ] && return 0
    say "Building frng in $build"
    sh "$root/examples/quickstart.sh" --install || return 1
    [ -f "$build/build.ninja" ] || meson setup "$build" "$root" >/dev/null || return 1
    ninja -C "$build" --quiet driver/frng-search driver/frng-reduce driver/frng-replay
}

limit=${GALLERY_LIMIT_S:-10} # seconds for a command; of these 4 are not for searching

# shown COMMAND...: the command as a user types it, and what it prints; that stays in $output too.
shown() {
    printf '\n$ %s\n' "$*"
    { timeout -k 1 "$limit" "$@" 2>&1; printf '%s\n' $? >"$output.status"; } | tee "$output"
    status=$(cat "$output.status")
    rm -f "$output.status"
    return "$status"
}

# compile NAME: the test, linked against the installed libraries.
compile() {
    case $(source_of "$1") in
    *.cc) compiler="${CXX:-c++} -std=c++17" ;;
    *) compiler="${CC:-cc} -std=gnu11" ;;
    esac
    link=$(eval "printf '%s ' $(about "$1" Link)")
    # In the folder of the source, so that an assertion names the file alone.
    # shellcheck disable=SC2086
    (cd "$here" && limit=60 && shown $compiler -g -O1 -I ../../frng -o "$folder/$1" \
        "$(basename "$(source_of "$1")")" $link)
}

# story NAME: 0 if the bug was found and reduced.
story() {
    say "$1: $(about "$1" Library). $(about "$1" Bug)"
    # shellcheck disable=SC2046
    dpkg-query -W -f '${Package} ${Version}\n' $(about "$1" Packages)
    compile "$1" || return 1
    # shellcheck disable=SC2046
    shown frng-search "./$1" --rng-seed 1 --time "$((limit - 4))s" $(about "$1" Search)
    [ "$status" -eq 1 ] || { fail "$1: frng-search found nothing"; return 1; }
    found=$(sed -n 's/^size=\([0-9]*\) seed=\([0-9s:,]*\)$/--size \1 --seed \2/p' "$output")
    # shellcheck disable=SC2086
    shown frng-reduce "./$1" $found --time "$((limit - 4))s"
    [ "$status" -eq 1 ] || { fail "$1: frng-reduce did not see it fail"; return 1; }
    reduced=$(sed -n 's/^size=[0-9]* hex=\([0-9a-f]*\)$/\1/p' "$output")
    shown frng-replay "./$1" --hex "$reduced" --trace
    [ "$status" -eq 1 ] || { fail "$1: frng-replay did not see it fail"; return 1; }
    printf '\n%s explains it.\n' "examples/gallery/$1.md"
}

[ "${1:-}" != --no-install ] || { install=no; shift; }
[ $# -gt 0 ] || usage "no entry"
if [ "$1" = --list ]; then
    entries | while read -r name; do
        printf '%-20s %s (%s)\n' "$name" "$(about "$name" Library)" "$(about "$name" Packages)"
    done
    exit 0
fi
# shellcheck disable=SC2046
[ "$1" != all ] || set -- $(entries)
for name; do
    entries | grep -qx -e "$name" || usage "no entry is called $name"
done
command -v dpkg-query >/dev/null || { fail "this is no Debian: its packages are missing"; exit 77; }
tools || { fail "frng does not build"; exit 1; }
build=$(cd "$build" && pwd) && mkdir -p "$build/gallery" && cd "$build/gallery" || exit 1
folder=$build/gallery
[ "$build" != "$root/build" ] || folder=../../build/gallery
PATH=$build/driver:$PATH
# shellcheck disable=SC3045 # every shell of Debian has it
ulimit -c 0
failed=0 skipped=0
for name; do
    packages_of "$name" || { skipped=$((skipped + 1)); continue; }
    story "$name" || failed=$((failed + 1))
done
[ $# -eq 1 ] || say "$# entries: $(($# - failed - skipped)) found, $failed not found, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$skipped" -eq 0 ] || exit 77
