#!/bin/sh
# real.sh NAME [OPTION]...: the second way: the failure of a store on a real ext4, without frng.
#
# A loop device has an ext4 as mkfs.ext4 makes it and mount mounts it. Each life of the store ends
# with a copy of the image while it is mounted: what the disk has at that instant, as after a failure
# of the power. The next life is on the copy. NAME.c has the calls of the store, real.h the words of a
# life, and the table below the lives. OPTIONs go to the compiler. Only root can mount; 77: it cannot.
set -u
here=$(cd "$(dirname "$0")" && pwd) name=$1
shift
work=$(mktemp -d) || exit 1
finish() {
    umount "$work/mount" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

case $name in
berkeleydb) lives='open,crash open,put:k0,crash open,get:k0' ;;
kyotocabinet) lives='open,put:k0:900,put:k1:3000,put:k2:3000,writeback,late,before:3,put:k0:5000
    open,commit,crash open,get:k0,get:k1' ;;
tdb) lives='open,writeback,before:2,put:k0 open,check,put:k0,check' ;;
*) lives='open,put:k0,writeback,put:k0,crash open,get:k0,check' ;;
esac

link=$(sed -n "s/^ \* Link: //p" "$here/$name.c")
eval "${CC:-cc} -std=gnu11 -g -w -DKV_REAL $* -o $work/life $here/$name.c $link" || exit 1
mkdir "$work/mount"
truncate -s 64M "$work/1.img" && mkfs.ext4 -q "$work/1.img" || exit 77
n=1
for life in $lives; do
    mount -o loop "$work/$n.img" "$work/mount" 2>/dev/null || { echo "real.sh: cannot mount" >&2; exit 77; }
    if [ $n = 1 ]; then mkdir "$work/mount/db" && sync -f "$work/mount"; fi
    echo "life $n: $(echo "$life" | tr , ' ')"
    # shellcheck disable=SC2046 # words are meant to be split
    SNAPSHOT="cp --sparse=always $work/$n.img $work/$((n + 1)).img" \
        "$work/life" "$work/mount/db" $(echo "$life" | tr , ' ') | sed 's/^/    /'
    umount "$work/mount"
    n=$((n + 1))
    [ -f "$work/$n.img" ] || break
done
