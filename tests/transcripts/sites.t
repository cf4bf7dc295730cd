#! needs cc
# The places of failures, which the tools find in the output of a run: an assertion of C ... (suites: long)
$ cat >sut.c <<'END'
> #include <assert.h>
> #include <stdio.h>
> int main(void) {
>     int c = getchar();
>     if (c == EOF) return 0;
>     assert(c < 128);
>     assert(getchar() == EOF || c > 100);
>     return 0;
> }
> END
> cc -g -w -o sut sut.c
$ frng-search ./sut --attempts 5 --rng-seed 1 --findings found; grep -h site found/*
| size=1 seed=16860738450190168607
|   "site": "sut.c:6",
! fails with signal:SIGABRT at sut.c:6: size 1, seed 16860738450190168607 (run 2)
!
! smallest failure: signal:SIGABRT at size 1
!   failure  signal:SIGABRT at sut.c:6
!   replay   frng-replay ./sut --size 1 --seed 16860738450190168607
!   finding  found/0000000001-e9fd6049d65af21f.json
!   output   sut: sut.c:6: main: Assertion `c < 128' failed.
!   reruns   failed again 20/20 times: under 17% of reruns pass (95% confidence)
!   smaller  all inputs of size 0 were run and passed
!   effort   2 runs and 20 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
# ... and one of Python, with another that is found beside it.
$ cat >sut.py <<'END'
> #!/usr/bin/env python3
> import sys
> def first(data):
>     raise ValueError(f"{len(data)} bytes")
> def second(data):
>     raise KeyError(data)
> data = sys.stdin.buffer.read()
> if len(data) == 4: second(data)
> if len(data) >= 3: first(data)
> END
> chmod +x sut.py
$ frng-search ./sut.py --attempts 5 --rng-seed 1
| size=3 seed=16065523922850094438
! fails with python:KeyError at sut.py:6: size 4, seed 16065523922850094438 (run 4)
!
! smallest failure: exit:1 at size 3
!   failure  python:ValueError at sut.py:4
!   replay   frng-replay ./sut.py --size 3 --seed 16065523922850094438
!   output     File "<here>/./sut.py", line 9, in <module>
!                if len(data) >= 3: first(data)
!                                   ^^^^^^^^^^^
!              File "<here>/./sut.py", line 4, in first
!                raise ValueError(f"{len(data)} bytes")
!            ValueError: 3 bytes
!   reruns   failed again 20/20 times: under 17% of reruns pass (95% confidence)
!   smaller  5 fresh runs at size 2 passed: under 75% of such runs fail (95% confidence)
!            half of the runs had uniform bytes, half styled ones (--expand)
!   also     python:KeyError at sut.py:6 at size 4
!            frng-replay ./sut.py --size 4 --seed 16065523922850094438
!   effort   17 runs and 21 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
? 1
# A hang has none for any output.
$ cat >hangs <<'END'
> #!/bin/sh
> [ $(wc -c) = 0 ] || { echo "a.c:3:4: runtime error: division by zero"; exec sleep 60; }
> END
> chmod +x hangs; frng-search ./hangs --attempts 2 --rng-seed 1 --timeout 500ms 2>&1 | grep -e smallest -e failure -e output
| smallest failure: timeout at size 1
|   output   a.c:3:4: runtime error: division by zero

# The step of an assertion is a part of its place, and what is drawn in the step's name is not.
$ cat >steps.c <<'END'
> #include <frng_main.h>
> static void check(bool ok, const char *what) { FRNG_ASSERT(ok, "%s", what); }
> static bool test(frng *f) {
>     char name[32];
>     uint8_t what, x;
>     for (;;) {
>         FRNG_TRY(frng_u8_max(f, 1, &what));
>         FRNG_TRY(frng_u8(f, &x));
>         snprintf(name, sizeof name, FORM, what == 0 ? "root" : "log", x);
>         STEP(f, name);
>         check(what == 0 ? x < 200 : x < 250, what == 0 ? MESSAGE);
>     }
> }
> FRNG_MAIN(test)
> END
> cat >build <<'END'
> #!/bin/sh
> # build NAME FORM STEP MESSAGE
> cc -g -w -I $SOURCE/frng -DFORM="$2" -DSTEP=$3 -DMESSAGE="$4" -o $1 steps.c
> END
> cat >all <<'END'
> #!/bin/sh
> # all ARGUMENT...: the signatures of a search for all failures
> frng-search --all --rng-seed 1 --size-max 16 --attempts 50 --json events "$@" 2>/dev/null
> tail -n 1 events | grep -o '"signature":"[^"]*"' | sort -u
> END
> chmod +x build all
$ ./build steps '"%s"' frng_step '"wrong root" : "wrong log"'
> for mode in spawn fork persistent; do ./all --mode $mode ./steps; done | sort | uniq -c
|       3 "signature":"signal:SIGABRT at steps.c:2 in log 'wrong log'"
|       3 "signature":"signal:SIGABRT at steps.c:2 in root 'wrong root'"
|       3 size=2 seed=13608149317741381235s signature=signal:SIGABRT at steps.c:2 in log 'wrong log'
|       3 size=2 seed=13608149317741381287s signature=signal:SIGABRT at steps.c:2 in root 'wrong root'
$ ./all ./steps --ignore 'steps.c:2 in root'
| size=2 seed=7080814041164127465s signature=signal:SIGABRT at steps.c:2 in log 'wrong log'
| "signature":"signal:SIGABRT at steps.c:2 in log 'wrong log'"
| "signature":"signal:SIGABRT at steps.c:2 in root 'wrong root'"
$ for options in --quiet --trace; do for what in root log; do
>   frng-replay --hex 00ff $options --only "signal:SIGABRT at steps.c:2 in $what" ./steps || echo $?
> done; done 2>&1 | grep -v -e '^offset' -e ' u8 ' | sort | uniq -c
|       2 1
|       2 1. root
|       2 125
|       1 cannot judge: fails with signal:SIGABRT at steps.c:2 in root 'wrong root', not as --only asks
|       1 fails with signal:SIGABRT at steps.c:2 in root 'wrong root'
|       4 steps.c:2: assertion failed in root: ok: wrong root
$ for form in '"%s %d"' '"%s(%d)"' '"%s: %d"' '"%s \"%c\""' '"%s=-%d, 1"'; do
>   ./build form "$form" frng_step '"wrong root" : "wrong log"'; ./all ./form
> done | sort | uniq -c
|       5 "signature":"signal:SIGABRT at steps.c:2 in log 'wrong log'"
|       5 "signature":"signal:SIGABRT at steps.c:2 in root 'wrong root'"
|       5 size=2 seed=13608149317741381235s signature=signal:SIGABRT at steps.c:2 in log 'wrong log'
|       5 size=2 seed=13608149317741381287s signature=signal:SIGABRT at steps.c:2 in root 'wrong root'
$ ./build notes '"%s"' frng_note '"wrong root" : "wrong log"'; ./all ./notes
| size=2 seed=13608149317741381235s signature=signal:SIGABRT at steps.c:2 'wrong log'
| size=2 seed=13608149317741381287s signature=signal:SIGABRT at steps.c:2 'wrong root'
| "signature":"signal:SIGABRT at steps.c:2 'wrong log'"
| "signature":"signal:SIGABRT at steps.c:2 'wrong root'"
# Messages that differ at one place are a hint, once; numbers in them do not count. --all has an
# answer for each instead.
$ for seed in 1 2 3 4
> do frng-search --rng-seed $seed --size-max 16 --attempts 20 ./notes 2>&1 | grep -A2 'may hide'; done
| two bugs may hide behind steps.c:2: messages differ:
|   steps.c:2: assertion failed: ok: wrong root
|   steps.c:2: assertion failed: ok: wrong log
? 1
# Of a message of several lines the first one may only open it.
$ for message in '"[\n  wrong root\n]" : "[\n  wrong log\n]"' '"\nwrong root" : "\nwrong log\n"'
> do ./build opened '"same"' frng_note "$message"; for seed in 1 2 3 4
> do frng-search --rng-seed $seed --size-max 16 --attempts 20 ./opened 2>&1 | grep -A2 'may hide'; done; done
| two bugs may hide behind steps.c:2: messages differ:
|   steps.c:2: assertion failed: ok: [ wrong root
|   steps.c:2: assertion failed: ok: [ wrong log
| two bugs may hide behind steps.c:2: messages differ:
|   steps.c:2: assertion failed: ok: wrong root
|   steps.c:2: assertion failed: ok: wrong log
? 1
# So it is where --ignore names them, and in the last line of --json. A server keeps no output: some
# of its failures are rerun for it.
$ for mode in spawn fork persistent; do for seed in 1 2 3 4
> do frng-search --rng-seed $seed --size-max 16 --attempts 20 --ignore steps.c:2 --mode $mode ./notes --json alike 2>&1
> done | grep -c 'may hide'; done; grep -o '"alike":{[^}]*}' alike | sort | uniq -c
| 4
| 3
| 3
|      10 "alike":{"site":"steps.c:2","first":"steps.c:2: assertion failed: ok: wrong root","second":"steps.c:2: assertion failed: ok: wrong log"}
$ ./build numbers '"%s"' frng_note '"wrong 1" : "wrong 2"'
> for goal in '' --all; do for seed in 1 2 3 4
> do frng-search --rng-seed $seed --size-max 16 --attempts 20 $goal ./numbers 2>&1 | grep 'may hide'; done; done
? 1

# A step whose name is a constant keeps its digits.
$ cat >constants.c <<'END'
> #include <frng_main.h>
> static void check(bool ok) { FRNG_ASSERT(ok); }
> static const char *const names[] = {"tinyxml2: parse 1", "tinyxml"};
> static bool test(frng *f) {
>     uint8_t what;
>     for (;;) {
>         FRNG_TRY(frng_u8(f, &what));
>         frng_step(f, names[what % 2]);
>         check(what < 128);
>     }
> }
> FRNG_MAIN(test)
> END
> for flags in '' -no-pie -static; do cc -g -w $flags -I $SOURCE/frng -o constants constants.c
> ./all ./constants | grep '^"'; done | sort | uniq -c
|       3 "signature":"signal:SIGABRT at constants.c:2 in tinyxml"
|       3 "signature":"signal:SIGABRT at constants.c:2 in tinyxml2"

# A report of a sanitizer is read where the user's options hide it, too.
$ cat >over.c <<'END'
> #include <stdio.h>
> #include <stdlib.h>
> int main(void) {
>     char *p = malloc(3);
>     return getchar() == EOF ? 0 : p[3];
> }
> END
> cc -g -w -fsanitize=address -o over over.c
> ASAN_OPTIONS=detect_leaks=0:log_path=hidden frng-search ./over --attempts 2 --rng-seed 1 2>&1 | grep failure; ls | grep hidden
| smallest failure: exit:1 at size 1
|   failure  asan:heap-buffer-overflow at over.c:5
? 1
# A reduction keeps to the failure of its input, and lists the others.
$ cat >two.py <<'END'
> #!/usr/bin/env python3
> import sys
> data = sys.stdin.buffer.read()
> if len(data) >= 2 and data[0] >= 128:
>     raise ValueError(data)
> if len(data) >= 1:
>     raise KeyError(data)
> END
> chmod +x two.py
$ frng-reduce ./two.py --hex ffffffffffff --explain no --jobs 1 2>&1 | grep -E '^(size=|reduced)|also|^   +frng'
| reduced: python:ValueError at two.py:5, 6 -> 2 bytes
|   also     python:KeyError at two.py:7, 1 byte
|            frng-replay ./two.py --hex 00
| size=2 hex=8000
# What is ignored is no other failure, and is counted.
$ frng-reduce ./two.py --hex ffffffffffff --explain no --jobs 1 --ignore 'python:Key*' 2>&1 | grep -e reduced -e also -e ignored
| reduced: python:ValueError at two.py:5, 6 -> 2 bytes
|   ignored  13 failed runs
# An input whose failure does not count is not reduced.
$ frng-reduce ./two.py --hex ffffffffffff --only 'exit:1 at two.py:7'
! nothing to reduce: the input fails with exit:1, not as --only asks
$ frng-reduce ./two.py --hex ffffffffffff --ignore 'exit:1 at two.py:5'
! nothing to reduce: the input fails with exit:1, which --ignore names
# Failures without a place whose last lines differ are warned of, once.
$ cat >words.py <<'END'
> #!/usr/bin/env python3
> import sys
> data = sys.stdin.buffer.read()
> if len(data) >= 2 and data[0] >= 128: sys.exit(f"unbalanced at {len(data)}")
> if len(data) >= 1: sys.exit("too short")
> END
> chmod +x words.py
$ frng-reduce ./words.py --hex ffffffffffff --explain no --jobs 1 2>&1 | grep -e size= -e reduced -e words
| other words: exit:1 with 6 bytes prints another last line than the input; if that is another bug, use --signature REGEX to separate them
| reduced: exit:1, 6 -> 1 bytes
|   replay   frng-replay ./words.py --hex 00
| size=1 hex=00
$ frng-reduce ./words.py --hex 010101010101 --explain no --jobs 1 2>&1 | grep -e size= -e 'other words'
| size=1 hex=00
$ frng-reduce ./words.py --hex ffffffffffff --explain no --jobs 1 --signature '^[a-z]+' 2>&1 | grep -e reduced -e other -e ' at '
| reduced: exit:1 at unbalanced, 6 -> 2 bytes
|   output   unbalanced at 2
|   also     exit:1 at too, 1 byte
# So are those of several lines, of which the last one with a letter counts.
$ sed -i 's/unbalanced at {len(data)}/unbalanced [\\n1\\n]/; s/too short/too short [\\n\\n]/' words.py
> frng-reduce ./words.py --hex ffffffffffff --explain no --jobs 1 2>&1 | grep 'other words'
| other words: exit:1 with 6 bytes prints another last line than the input; if that is another bug, use --signature REGEX to separate them
# One in a process keeps to its assertion, too.
$ cat >persistent.c <<'END'
> #include <assert.h>
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint8_t first, second;
>     FRNG_TRY(frng_u8(f, &first));
>     FRNG_TRY(frng_u8(f, &second));
>     assert(!(first > 50 && second > 50));
>     assert(second < 20);
>     return true;
> }
> FRNG_MAIN(test)
> END
> cc -g -w -I $SOURCE/frng -o persistent persistent.c
$ frng-reduce ./persistent --hex ffff63636363 --explain no --jobs 1 --json events 2>&1 | grep -e ^size= -e reduced -e also
> head -n 1 events | grep -o '"mode":"[a-z]*"'
| reduced: signal:SIGABRT at persistent.c:7, 6 -> 2 bytes
|   also     signal:SIGABRT at persistent.c:8, 2 bytes
| size=2 hex=3333
| "mode":"spawn"

# A replay judges by the place, and names it as a search does.
$ frng-replay --hex 00000000 --only exit:1 ./sut.py 2>&1 | grep -v -e '^ ' -e Trace
| KeyError: b'\x00\x00\x00\x00'
| fails with python:KeyError at sut.py:6
$ for only in 'exit:1 at sut.py:6' 'exit:1 at sut.py:4' 'python:Key*' python:ValueError
> do frng-replay --hex 00000000 --only "$only" ./sut.py 2>&1 | grep fails; done
| fails with python:KeyError at sut.py:6
| cannot judge: fails with python:KeyError at sut.py:6, not as --only asks
| fails with python:KeyError at sut.py:6
| cannot judge: fails with python:KeyError at sut.py:6, not as --only asks
$ frng-replay --hex 00000000 --ignore 'python:Key*' ./sut.py 2>&1 | tail -n 1
| cannot judge: fails with python:KeyError at sut.py:6, which --ignore names
# A run that fails is made twice, but for a hang.
$ printf '#!/bin/sh\necho x >>runs\nexec "$@"\n' >counts; chmod +x counts
> for how in '-- false' '--quiet -- false' '-- dd of=/dev/null status=none' '--timeout 100ms -- sleep 9'
> do frng-replay --hex 00 ./counts $how; wc -l <runs; rm runs; done
| 2
| 2
| 1
| 1
! fails with exit:1
! passes
! fails with timeout
# A rule that is none is one line.
$ frng-search --signature 'a(b' sut-modes
! frng-search: --signature 'a(b' is not valid: give a POSIX extended regular expression, such as 'bug ([0-9]+)'
? 2

# Two that should be the same are shown where they differ.
$ cat >same.c <<'END'
> #include <frng_main.h>
> #include <frng_same.h>
> static bool test(frng *f) {
>     static const char *const got[] = {"a\tb", "ab\nc\xff", "ab", NULL,
>         "a long text that goes on for a while, and ends in \"this\", and then in something that is not shown",
>         "\\\"", "a\0b"}, *const expected[] = {"a\tb", "ab\tc", "ab\tc", "x",
>         "a long text that goes on for a while, and ends in \"that\"", "\\\"", "a\0c"};
>     uint8_t k;
>     FRNG_TRY(frng_u8(f, &k));
>     if (k == 6) FRNG_ASSERT_SAME(got[k], 3, expected[k], 3);
>     if (k < 6) FRNG_ASSERT_SAME_TEXT(got[k], expected[k]);
>     FRNG_ASSERT_SAME(NULL, 0, "", 0);
>     return true;
> }
> FRNG_MAIN(test)
> END
> cc -g -w -I $SOURCE/frng -o same same.c
$ for k in 0 5 7 1 2 3 4 6; do frng-replay ./same --quiet --hex 0$k; done 2>&1 | grep -v '^fails'
| same.c:11: assertion failed: got[k] == expected[k]: byte 2 differs, of 5 and 4
|   got       "ab\nc\xff"
|   expected  "ab\tc"
|                ^
| same.c:11: assertion failed: got[k] == expected[k]: byte 2 differs, of 2 and 4
|   got       "ab"
|   expected  "ab\tc"
|                ^
| same.c:11: assertion failed: got[k] == expected[k]: the first is NULL
| same.c:11: assertion failed: got[k] == expected[k]: byte 53 differs, of 97 and 56
|   got       ..."a while, and ends in \"this\", and then in something that "...
|   expected  ..."a while, and ends in \"that\""
|                                          ^
| same.c:10: assertion failed: got[k] == expected[k]: byte 2 differs, of 3 and 3
|   got       "a\x00b"
|   expected  "a\x00c"
|                   ^
