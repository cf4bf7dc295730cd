#!/bin/sh
# afl.sh BUILD SOURCE
# AFL++ drives a test through its stdin: built with afl-cc it finds the bug of examples/ring.c, and
# frng-replay repeats that; with -n it runs the program as it is. Exit status 77 (skipped) where
# AFL++ is not installed.
set -u
. "$(dirname "$0")/common.sh"

for tool in afl-fuzz afl-cc timeout; do
    command -v $tool >/dev/null || skip "$tool is not installed (Debian: afl++)"
done
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
unset AFL_BENCH_UNTIL_CRASH

afl-cc -std=c11 -g -O2 -I "$source/frng" -o ring "$source/examples/ring.c" >log 2>&1 ||
    fail "afl-cc does not compile examples/ring.c"
mkdir corpus || exit 99
"$build/driver/frng-replay" --size 80 --seed 1 --dump >corpus/seed || fail "no bytes to begin with"

AFL_BENCH_UNTIL_CRASH=1 bounded 55 afl-fuzz -s 1 -V 45 -i corpus -o found -- ./ring ||
    fail "afl-fuzz exits with $status"
crash=
for file in found/default/crashes/id:*; do
    [ -f "$file" ] && crash=$file && break
done
[ -n "$crash" ] || fail "AFL++ found nothing in ring"
replays "$crash"

# Without instrumentation it is blind, and may find nothing in so short a time.
bounded 20 afl-fuzz -n -s 1 -V 2 -i corpus -o blind -- "$build/examples/ring" ||
    fail "afl-fuzz -n exits with $status"
grep -q 'Entering queue cycle 1' log || fail "afl-fuzz -n made no runs"
for file in blind/crashes/id:*; do
    [ ! -f "$file" ] || replays "$file"
done
echo "AFL++: finds the bug through stdin, frng-replay repeats it; -n runs it too"
