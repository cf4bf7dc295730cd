#!/bin/sh
# man.sh BUILD SOURCE
# The man pages and the programs agree: each option that --help all prints is in the page, and each in
# the page is one that --help prints; each function of the headers is in frng.3. And the pages are
# good mdoc, where mandoc is installed.
set -u
build=$1 source=$2
pages=$source/driver/man
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
status=0

bad() { printf 'FAILED: %s\n' "$*"; status=1; }

# same FIRST SECOND: what is in one of two files alone
same() {
    sort -u "$scratch/$1" -o "$scratch/$1"
    sort -u "$scratch/$2" -o "$scratch/$2"
    [ -s "$scratch/$1" ] || bad "there is no $1"
    for line in $(comm -23 "$scratch/$1" "$scratch/$2"); do bad "$line is in $1 alone"; done
    for line in $(comm -13 "$scratch/$1" "$scratch/$2"); do bad "$line is in $2 alone"; done
}

for tool in search replay reduce report status; do
    help=frng-$tool--help page=frng-$tool.1
    "$build/driver/frng-$tool" --help all >"$scratch/text" || bad "frng-$tool --help"
    # What stands in quotes is another program's.
    sed "s/'[^']*'//g" "$scratch/text" | grep -oE '(^|[ (])--?[a-z][a-z-]*' | tr -d ' (' \
        >"$scratch/$help"
    wide=$(awk 'length($0) > 80' "$scratch/text")
    [ -z "$wide" ] || bad "frng-$tool --help is wider than 80 columns: $wide"
    grep '^\.It Fl' "$pages/$page" | grep -oE 'Fl -?[a-z][a-z-]*' | sed 's/^Fl /-/' >"$scratch/$page"
    same "$help" "$page"
    # Those of the text are options too, but for an option of another program none is marked so.
    grep -oE 'Fl -[a-z][a-z-]+' "$pages/$page" | sed 's/^Fl /-/' | sort -u >"$scratch/text"
    for option in $(comm -23 "$scratch/text" "$scratch/$help"); do
        bad "$page speaks of $option, which --help does not know"
    done
done

cat "$scratch"/*--help | sort -u >"$scratch/all--help"
grep -oE 'Fl -[a-z][a-z-]+' "$pages/frng.7" | sed 's/^Fl /-/' | sort -u >"$scratch/text"
for option in $(comm -23 "$scratch/text" "$scratch/all--help"); do
    bad "frng.7 speaks of $option, which no --help knows"
done

cat "$source"/frng/frng.h "$source"/frng/frng_assert.h "$source"/frng/frng_expand.h \
    "$source"/frng/frng_encode.h "$source"/frng/frng_choices.h \
    "$source"/frng/frng_main.h "$source"/frng/frng_more.h "$source"/frng/frng_check.h \
    "$source"/frng/frng_pool.h "$source"/frng/frng_regex.h "$source"/frng/frng_utf8.h | grep -v '^#include' >"$scratch/all.h"
cc -E -P -x c "$scratch/all.h" 2>/dev/null | grep -oE '\bfrng_[a-z0-9][a-z0-9_]* ?\(' |
    sed 's/ *($//' | grep -v '^frng__' >"$scratch/the-headers"
sed -nE 's/^#define (frng_[a-z0-9][a-z0-9_]*)\(.*/\1/p' "$scratch/all.h" >>"$scratch/the-headers"
grep -oE '(Fn|Fo) frng_[a-z0-9_]+' "$pages/frng.3" | sed 's/.* //' >"$scratch/frng.3"
same the-headers frng.3

# A page of a header beside these has the functions of its name, macros too.
for page in "$pages"/frng_*.3; do
    noun=$(basename "$page" .3)
    grep -v '^#include' "$source/frng/$noun.h" | cc -E -P -x c - 2>/dev/null |
        grep -oE "\\b${noun}_[a-z0-9_]+ ?\\(" | tr -d ' (' >"$scratch/$noun.h"
    sed -nE "s/^#define (${noun}_[a-z0-9_]+)\\(.*/\\1/p" "$source/frng/$noun.h" >>"$scratch/$noun.h"
    grep -oE "(Fn|Fo|Fd #define) ${noun}_[a-z0-9_]+" "$page" | sed 's/.* //' >"$scratch/$noun.3"
    same "$noun.h" "$noun.3"
done

if command -v mandoc >/dev/null; then
    for page in "$pages"/*.[137] "$build/driver/man/man5/frng-events.5"; do
        mandoc -T lint "$page" >"$scratch/lint" 2>/dev/null
        # Pages that are not installed here may well be referred to.
        grep -v 'referenced manual not found' "$scratch/lint" >"$scratch/text" &&
            { cat "$scratch/text"; bad "mandoc -T lint $(basename "$page")"; }
    done
else
    echo "mandoc is not installed: the pages were not checked for style"
fi
[ $status -ne 0 ] || echo "man pages: agree with the programs and the headers"
exit $status
