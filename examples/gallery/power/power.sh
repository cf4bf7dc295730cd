#!/bin/sh
# Power failures under storage libraries as Debian 12 ships them.
#
#     sh examples/gallery/power/power.sh NAME...     the stories of these libraries
#     sh examples/gallery/power/power.sh all         the stories of all
#     sh examples/gallery/power/power.sh --list      the names, and what a search of 300 attempts finds
#     sh examples/gallery/power/power.sh --no-install NAME...     do not install missing packages
#     sh examples/gallery/power/power.sh --count NAME...     20 searches, each reduced: runs and bytes
#
# A story: install the package (as root), build NAME.c against it, search, reduce, trace the reduced
# failure, and as root show the same on a real ext4 (real.sh). The tools are those of FRNG_BUILD
# (build/), which is built if it has none.
# Exit status: 0 if each search ended as --list says, 1 if one did not, 77 if a package is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${FRNG_BUILD:-$root/build} limit=${POWER_LIMIT_S:-9} install=yes result=0 counts=no
PATH=$build/driver:$PATH
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# NAME, source, whether it fails, options of the compiler
rows='gdbm gdbm fails
tokyocabinet tokyocabinet fails
kyotocabinet kyotocabinet fails
berkeleydb berkeleydb fails
tdb tdb fails
qdbm qdbm fails
sqlite sqlite fails
sqlite-extra sqlite passes -DLEVEL="\"EXTRA\""
sqlite-wal sqlite passes -DJOURNAL="\"WAL\""
lmdb lmdb passes
lmdb-nometasync lmdb passes -DFLAGS=MDB_NOMETASYNC
lmdb-sync lmdb passes -DFLAGS=0 -DKV_SYNCS=false
glib glib passes
leveldb leveldb passes
tkrzw tkrzw passes'

about() { sed -n "s/^ \* $2: //p" "$here/$1.c"; }
shown() {
    printf '\n$ %s\n' "$*" >&2
    timeout -k 1 $((limit * 2)) "$@"
}
have() { dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'; }

# tools: builds frng's tools if there are none
tools() {
    [ ! -x "$build/driver/frng-search" ] || return 0
    sh "$root/examples/quickstart.sh" --install || return 1
    [ -f "$build/build.ninja" ] || meson setup "$build" "$root" >/dev/null || return 1
    ninja -C "$build" --quiet driver/frng-search driver/frng-reduce driver/frng-replay
}

# count: in which run each of 20 searches has its first failure, and how many bytes it ends at
count() {
    rm -f first reduced
    for n in $(seq 20); do
        frng-search "./$name" --rng-seed "$n" --jobs 1 --attempts 300 --size-max 256 \
            --time "${limit}s" --ui none >line 2>said
        sed -n 's/^fails with.*(run \([0-9,]*\)).*/\1/p' said | head -n 1 | tr -d , >>first
        # shellcheck disable=SC2046 # words are meant to be split
        frng-reduce "./$name" $(cat line) --jobs 1 --explain no --ui none 2>/dev/null |
            sed 's/size=\([0-9]*\) .*/\1/' >>reduced
    done
    for what in first reduced; do echo "$what: $(sort -n $what | tr '\n' ' ')"; done
}

# story NAME SOURCE HOW OPTIONS: 0 if the search ends as it should
story() {
    name=$1 source=$2 how=$3 options=${4:-}
    printf '\n==> %s: %s\n' "$name" "$(about "$source" Library)"
    package=$(about "$source" Packages)
    if ! have "$package" && [ $install = yes ] && [ "$(id -u)" -eq 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq \
            --no-install-recommends "$package" >/dev/null 2>&1 </dev/null
    fi
    have "$package" || { echo "power: $name is skipped; missing package: $package" >&2; return 77; }
    dpkg-query -W -f '${Package} ${Version}\n' "$package"
    (cd "$here" && eval "${CC:-cc} -std=gnu11 -g -O1 -I ../../../frng $options -o $folder/$name \
        $source.c $(about "$source" Link)") || return 1
    cd "$folder" || return 1
    [ $counts = no ] || { count; return 0; }
    seed=$(about "$source" Search)
    # shellcheck disable=SC2086
    shown frng-search "./$name" ${seed:---rng-seed 1} --jobs 1 --attempts 300 --size-max 256 \
        --time "${limit}s" --ui none >line
    status=$?
    [ $how = passes ] && return $((status == 1))
    [ $status -eq 1 ] || return 1
    # shellcheck disable=SC2046 # words are meant to be split
    shown frng-reduce "./$name" $(cat line) --jobs 1 --explain no --time "${limit}s" --ui none >line
    shown frng-replay "./$name" --hex "$(sed 's/.*hex=//' line)" --trace
    [ "$(id -u)" -ne 0 ] || shown sh "$here/real.sh" "$source" "$options"
    return 0
}

[ "${1:-}" != --list ] || { echo "$rows" | cut -d' ' -f1,3; exit 0; }
[ "${1:-}" != --no-install ] || { install=no; shift; }
[ "${1:-}" != --count ] || { counts=yes; shift; }
[ $# -gt 0 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed -n 2,8p; exit 2; }
[ "$1" != all ] || set -- $(echo "$rows" | cut -d' ' -f1)
tools || exit 1
for wanted; do
    row=$(echo "$rows" | grep "^$wanted ") || { echo "power: no such name: $wanted" >&2; exit 2; }
    # shellcheck disable=SC2086
    set -- $row
    shift 3
    story "$wanted" "$(echo "$row" | cut -d' ' -f2)" "$(echo "$row" | cut -d' ' -f3)" "$*"
    status=$?
    [ $status -eq 0 ] || result=$status
    [ $status -ne 1 ] || echo "power: $wanted did not end as it should" >&2
done
exit $result
