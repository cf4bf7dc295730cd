#!/bin/sh
# compile.sh HEADERS COMPILER [OPTION]...
# The headers under one compiler with every warning an error: each alone, all draws, two files
# in one program. The compiler's name tells the language. Exit 77 if it is not there, or cannot
# build programs with these options (-m32).
set -u
headers=$1 compiler=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99

case $compiler in
*++*) language=c++ standard=c++11 ;;
*) language=c standard=c11 ;;
esac
strict="-std=$standard -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef
  -Wformat=2 -Wcast-qual -Wcast-align -Werror"

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
fail() { printf 'FAILED: %s\n' "$compiler $*"; exit 1; }
build() { "$compiler" "$@" $strict -I "$headers"; }
# Whether a level says nothing that others do not. What optimizes is the same behind C and C++, and -O1
# is no level of its own but with a sanitizer, once for each.
is_said() {
  case $compiler:$1 in
  *++:-O[12]* | *:'-O1 ') return 0 ;;
  esac
  return 1
}

command -v "$compiler" > /dev/null || skip "$compiler is not installed"
# All that the headers and the tests include: headers for -m32 may be installed in part.
ports=$here/../ports
cat "$headers"/*.h "$here"/*.c "$ports/c/suite.c" |
  sed -n 's/^# *include \(<[^>]*>\).*/#include \1/p' | sort -u | grep -v frng > probe.c
echo 'int main(void) { return puts("") < 0; }' >> probe.c
"$compiler" "$@" -x $language probe.c -o probe > probe.log 2>&1 && ./probe > probe.log 2>&1 ||
  skip "$compiler $* cannot build programs here"

case $* in *-m32*) wide= ;; *) wide='frng_calls frng_files frng_threads' ;; esac # those of unmodified libraries

# Of a header alone the compiler drops all functions: to check it is enough.
for header in frng frng_assert frng_check frng_disk frng_expand frng_lin frng_main frng_more frng_pool frng_pthread frng_regex \
  frng_same frng_sched frng_sim frng_told frng_utf8 $wide; do
  printf '#include "%s.h"\n#include "%s.h"\nint main(void) { return 0; }\n' $header $header > alone.c
  build "$@" -fsyntax-only -x $language alone.c || fail "$header.h alone"
done

# Behind another header, as programs without _GNU_SOURCE include it.
printf '#include "frng.h"\n#include "frng_pthread.h"\nint main(void) { return 0; }\n' > behind.c
"$compiler" "$@" $strict -std=gnu${standard#c} -I "$headers" -fsyntax-only -x $language behind.c || fail "frng_pthread.h behind frng.h"
printf '#include "frng_sched.h"\n#include "frng_main.h"\nint main(void) { return 0; }\n' > behind.c
build "$@" -fsyntax-only -x $language behind.c || fail "frng_main.h behind frng_sched.h"

# PROTOCOL.md has the layouts, on this machine too.
[ $language = c++ ] || { python3 "$here/layout.py" "$headers/PROTOCOL.md" > layout.c && build "$@" -fsyntax-only layout.c; } ||
  fail "layouts of PROTOCOL.md"

# A number has the width of its type: one of 3 bytes would be read as 4.
printf '#include "frng.h"\nFRNG__UNSIGNED(u24, uint32_t, 3, 9)\nint main(void) { return 0; }\n' > three.c
build "$@" -fsyntax-only -x $language three.c > log 2>&1 && fail "a number of 3 bytes compiles"

# All draws, whose values and records are those of all compilers and machines: without optimization,
# and under the sanitizer of undefined behaviour where it is installed; and as in most programs, where
# NDEBUG leaves every assertion in.
undefined='-fsanitize=undefined -fno-sanitize-recover=all'
"$compiler" "$@" $undefined -x $language probe.c -o probe > probe.log 2>&1 || undefined=
# Sums of the headers that wrap are no report, and those of the user's own code are.
integer=
case $compiler in clang*) integer='-fsanitize=integer,implicit-conversion -fno-sanitize-recover=all' ;; esac
"$compiler" "$@" $integer -x $language probe.c -o probe > probe.log 2>&1 || integer=
for level in "-O0 $undefined" '-O2 -DNDEBUG' "-O1 $integer"; do
  is_said "$level" && continue
  build "$@" $level -x $language "$ports/c/suite.c" -o suite || fail "$level suite.c"
  PYTHONDONTWRITEBYTECODE=1 python3 "$ports/vectors.py" ./suite "$headers/vectors.json" > log 2>&1 ||
    { cat log; fail "$level suite.c draws other values"; }
done

# A test may give the names of a network to its own functions.
build "$@" -x $language "$here/names.c" -o names || fail "names.c"
printf 7 | ./names || fail "names.c exits with $?"

# Loops and natural names.
build "$@" -x $language "$here/loops.c" -o loops || fail "loops.c"
./loops || fail "loops.c exits with $?"

# Records have the place and the depth of each draw.
for level in -O0 -O2 "-O1 $undefined"; do
  is_said "$level" && continue
  build "$@" $level -x $language "$here/sites.c" -o sites || fail "$level sites.c"
  ./sites || fail "$level sites.c exits with $?"
done

# Calls come to frng_files.h by the names of fortified headers and large files, and under a sanitizer.
for level in '-O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64' "-O0 $undefined" '-O0 -fsanitize=memory'; do
  [ -n "$wide" ] || break
  is_said "$level" && continue
  case "$compiler $level" in gcc*memory | g++*memory) continue ;; esac # clang's alone
  build "$@" $level -x $language "$here/files.c" -o files || fail "$level files.c"
  printf '\377' | ./files > log 2>&1 || { cat log; fail "$level files.c"; }
done

if [ -n "$integer" ]; then
  printf '#include "frng_main.h"\nstatic bool test(frng *f) { uint32_t x; FRNG_TRY(frng_u32(f, &x)); return x + 1 > 0; }
FRNG_MAIN(test)\n' > wraps.c
  build "$@" $integer -x $language wraps.c -o wraps || fail "$integer"
  FRNG_SEED=5 FRNG_REDUCE=0 ./wraps --check < /dev/null > log 2>&1
  grep -q 'wraps.c:2.*unsigned integer overflow' log && ! grep 'frng.*[.]h:.*runtime error' log ||
    { cat log; fail "$integer: a report of the headers, or none of its own"; }
fi

# A program that searches by itself.
build "$@" -x $language "$here/checked.c" -o checked || fail "checked.c"
export FRNG_SEED=5 FRNG_REDUCE=0
# checks STATUS ENVIRONMENT PATTERN...: what ./checked --check exits with, and prints
checks() {
  wanted=$1 with=$2
  shift 2
  env $with ./checked --check > said 2>&1 < /dev/null
  status=$?
  [ $status -eq "$wanted" ] || { cat said; fail "--check with $with: status $status, not $wanted"; }
  for pattern; do
    grep -qE -e "$pattern" said || { cat said; fail "--check with $with: no '$pattern'"; }
  done
}
checks 0 A=1 '^frng: 1000 runs of checked passed, of up to [0-9]+ bytes; labels: long [0-9.]+%$'
checks 0 FRNG_PROFILE=ci '^frng: 10000 runs'
checks 0 FRNG_RUNS=17 '^frng: 17 runs'
checks 2 FRNG_RUNS=x '^frng: FRNG_RUNS=x is no number, or too large$'
checks 1 FAILS=once 'checked is flaky: size=[0-9]+ seed=[0-9]+s? failed, and then passed'
checks 1 FAILS=false 'the test returned false after' '^  coin = true$'
checks 1 FAILS=rules 'assertion failed in push: .*6 are in the stack' '^  push\(uint = [0-9]\)$'
[ "$(grep -c '^  push(uint = [0-9])$' said)" -ge 6 ] && ! grep -q 'weighted\|swarm' said || { cat said; fail "frng_repeat"; }
checks 1 'FAILS=hangs FRNG_TIMEOUT=1' \
  '^frng: checked hangs in run [0-9]+, and is not made smaller: size=[0-9]+ seed=[0-9]+s?$' \
  '^the run has not ended after 1 s$' '^  word = "[^"]*"$' \
  '^  frng-replay ./checked --size [0-9]+ --seed [0-9]+s? --trace --timeout 1s$'
checks 1 FAILS=many '^frng: checked fails in run [0-9]+, smallest after [0-9]+ more: size=[0-9]+ seed=' \
  '8 are too many' '^  xs = \[(\([01], -?[01]\)(, )?)*\]$' '^  word = "(a|\\x00)+"$' \
  '^  lists = \[\[(true|false)\], \[(true|false)\]\]$' '^  push\(uint = [0-9]\)$' \
  '^    item 6$' '^  frng-reduce ./checked --size [0-9]+ --seed [0-9]+s? --findings findings/checked$'
found=$(sed -n "s/^  FRNG_REPLAY='\(.*\)' makes.*/\1/p" said)
cp said before
checks 1 FAILS=many
cmp -s before said || { diff before said; fail "--check: other runs with the same seed"; }
env FAILS=many FRNG_REPLAY="$found" ./checked --check > said 2>&1
[ $? -eq 1 ] && grep -q "^frng: checked fails: $found" said || { cat said; fail "FRNG_REPLAY=$found"; }
mkdir findings
seed=${found##*=}
echo "{\"format\": 1, \"size\": $(echo "$found" | tr -dc '0-9 ' | cut -d' ' -f1), \"seed\": \"$seed\"}" > findings/1.json
checks 1 'FAILS=many FRNG_FINDINGS=findings' "^frng: findings/1.json still fails: $found"
checks 0 FRNG_FINDINGS=findings '1000 runs of checked passed'
echo '{"format": 1}' > findings/1.json
checks 2 FRNG_FINDINGS=findings '^frng: findings/1.json is no finding$'
unset FRNG_SEED FRNG_REDUCE

if build "$@" -x $language "$here/ignored.c" -o ignored > ignored.log 2>&1; then
  fail "an ignored draw is no warning"
fi
grep -q 'warn.unused.result' ignored.log || { cat ignored.log; fail "ignored.c for other reasons"; }

# Two files in one program, with a hook and without.
ulimit -c 0
# expect STATUS BYTES TEXT: what ./pair makes of the bytes (octal escapes), and part of its stderr
expect() {
  printf "$2" > bytes
  ./pair < bytes > pair.out 2> pair.err
  status=$?
  [ $status -eq "$1" ] || { cat pair.err; fail "pair: status $status for $2, not $1"; }
  grep -qF -e "$3" pair.err || { cat pair.err; fail "pair: '$3' is missing for $2"; }
}
for hook in -UPAIR_HOOK -DPAIR_HOOK; do
  build "$@" $hook -x $language "$here/pair_main.c" "$here/pair_check.c" -o pair ||
    fail "$hook pair"
  : > empty
  ./pair < empty || fail "pair: empty input"
  printf '\0' > bytes
  ./pair < bytes || fail "pair: a passing run"
  { expect 134 '\001' 'pair_main.c:15: assertion failed: x != 1: in the file with the main'
    expect 134 '\002' 'pair_check.c:18: assertion failed: value != 2: value is 2'
    expect 134 '\201' 'assertion failed: (value & 1) == 0'
    expect 1 '\003' 'frng: the test returned false after 1 of 1 bytes of entropy'
  } 2> /dev/null
  expect 134 '\002' pair_check.c 2> /dev/null
  hooked=$(grep -c '^hook: .*pair_check\.c:18$' pair.err)
  case $hook:$hooked in
  -UPAIR_HOOK:0 | -DPAIR_HOOK:1) ;;
  *) fail "$hook: the hook was called $hooked times" ;;
  esac
done
echo "$compiler $*: clean as $standard"
