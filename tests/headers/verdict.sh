#!/bin/sh
# verdict.sh PROGRAM: what a program with FRNG_MAIN makes of its input, however it comes.
set -u
program=$1
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
unset FRNG_INPUT
ulimit -c 0
failures=0
out=$scratch/out err=$scratch/err

# check NAME STATUS STDOUT STDERR: status, the whole stdout, a part of stderr or `-` for none
check() {
  status=$? name=$1
  if [ "$status" -ne "$2" ]; then
    echo "$name: status $status, not $2"
    failures=$((failures + 1))
  fi
  if [ "$(cat "$out")" != "$3" ]; then
    echo "$name: stdout is '$(cat "$out")', not '$3'"
    failures=$((failures + 1))
  fi
  if [ "$4" = - ] && [ -s "$err" ] || { [ "$4" != - ] && ! grep -qF -e "$4" "$err"; }; then
    echo "$name: stderr is '$(cat "$err")', not '$4'"
    failures=$((failures + 1))
  fi
}
run() { "$program" > "$out" 2> "$err"; }

printf t12 | run
check "true" 0 "size 3 sum 1569" -
printf f12 | run
check "false" 1 "size 3 sum 1569" "frng: the test returned false after 3 of 3 bytes of entropy"
printf x12 | run
check "false when exhausted" 0 "size 3 sum 1569" -
printf X12 | run
check "true when exhausted" 0 "size 3 sum 1569" -
{ printf a12 | run; } 2> /dev/null
check "assertion" 134 "size 3 sum 1569" "assertion failed: way != 'a': as told"
printf s12 | run
check "exit of its own" 7 "size 3 sum 1569" -
printf '' | run
check "no bytes by pipe" 0 "size 0" -
run < /dev/null
check "no bytes by file" 0 "size 0" -

# Sizes around those at which the buffer grows, by file and by pipe: all bytes, in order.
for size in 1 4095 4096 4097 8191 8192 8193 1048575 1048576 1048577; do
  { printf t; yes 'entropy' ; } 2> /dev/null | head -c $size > "$scratch/bytes"
  run < "$scratch/bytes"
  expected=$(cat "$out")
  case $expected in "size $size sum "*) ;; *) echo "$size bytes: $expected"; failures=1 ;; esac
  cat "$scratch/bytes" | run
  check "$size bytes by pipe" 0 "$expected" -
  FRNG_INPUT=$scratch/bytes run < /dev/null
  check "$size bytes by FRNG_INPUT" 0 "$expected" -
done
{ printf t1; sleep 0.1; printf 2; } | run
check "a slow writer" 0 "size 3 sum 1569" -

printf f12 > "$scratch/f i l e"
printf t | FRNG_INPUT="$scratch/f i l e" run
check "FRNG_INPUT before stdin" 1 "size 3 sum 1569" "after 3 of 3 bytes"
FRNG_INPUT="$scratch/f i l e" run <&-
check "FRNG_INPUT with stdin closed" 1 "size 3 sum 1569" "after 3 of 3 bytes"
FRNG_INPUT=$scratch/none run < /dev/null
check "FRNG_INPUT is missing" 125 "" \
  "frng: cannot read entropy from $scratch/none: No such file or directory"
FRNG_INPUT=$scratch run < /dev/null
check "FRNG_INPUT is a folder" 125 "" "frng: cannot read entropy from $scratch: Is a directory"
FRNG_INPUT= run < /dev/null
check "FRNG_INPUT is empty" 125 "" "frng: cannot read entropy from : No such file or directory"
run <&-
check "stdin closed" 125 "" "frng: cannot read entropy from stdin: Bad file descriptor"
run < "$scratch"
check "stdin is a folder" 125 "" "frng: cannot read entropy from stdin: Is a directory"
run < /proc/self/mem
check "stdin fails to read" 125 "" "frng: cannot read entropy from stdin: Input/output error"

[ $failures -eq 0 ] || exit 1
echo "all verdicts are right"
