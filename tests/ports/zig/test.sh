#!/bin/sh
# test.sh OUT: an error that a test returns fails at the line that made it. OUT has the suite. Checks
# search in `zig test`, and in a program that is started with --check.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
line=$(grep -n '// the error$' "$here/suite.zig" | cut -d: -f1)
printf '\1\377' | "$1/suite" errors 2>"$1/stderr" && { echo "the error passed"; exit 1; }
said=$(head -n 1 "$1/stderr")
[ "$said" = "suite.zig:$line: TooLarge" ] || { echo "$said is not line $line"; exit 1; }

# ---- Checks ----

PATH=$1/../../../driver:$PATH
export PATH FRNG_SEED=5
cd "$1"
# says PATTERN...: what was printed last
says() {
    for pattern; do
        grep -qE -e "$pattern" said || { cat said; echo "no $pattern"; exit 1; }
    done
}
./queue --check >said 2>&1 && { cat said; echo "the queue passes"; exit 1; }
says '^frng: queue reduced by frng-reduce: size=16 hex=(0100){8}$' '^queue.zig:[0-9]+: got 0, not 7$' \
    '^  bool = true$' '^  frng-reduce ./queue --hex (0100){8} --findings findings/queue$'
cp "$here/check_test.zig" .
"${ZIG:-zig}" test check_test.zig -cflags -g0 -- frng.c -lc -I "$here/../../../frng" \
    -fno-omit-frame-pointer --cache-dir cache --global-cache-dir cache >said 2>&1 &&
    { cat said; echo "the machine passes"; exit 1; }
says 'test.machine... frng: machine fails in run [0-9]+, smallest after [0-9]+ more: size=[0-9]+ seed=[0-9]+s?$' \
    '^check_test.zig:[0-9]+: TestExpectedEqual$' '^  push\(x = [0-9]\)$' '^  pop\(\)$' '^    of [1-8]$' \
    'test.passing... frng: 300 runs of passing passed, of up to 1 bytes; labels: low [0-9.]+%$' 'frng: 300 runs of rules passed' \
    "^  FRNG_REPLAY='size=[0-9]+ seed=[0-9]+s?' makes this run alone$" '^2 passed; 0 skipped; 1 failed\.$'
