#! needs cc
# A signal that no sanitizer tells of is at the first line or function of the program's own, in each
# mode: five bugs are five. (suites: sanitized)
$ cat >crash.c <<'END'
> #include <frng_main.h>
> #define APART __attribute__((noinline)) static
> static char *null;
> static volatile int zero;
> APART void writes(void) { *(volatile char *)null = 1; }
> APART int divides(int x) { return x / zero; }
> APART void copies(void) {
>     memcpy(null, "abcdefghijklmnop", (size_t)zero + 16);
>     __asm__ volatile("");
> }
> APART void aborts(void) {
>     abort();
>     __asm__ volatile("");
> }
> APART int recurs(int n) {
>     volatile char x[1000];
>     x[n % 1000] = (char)n;
>     return n == -1 ? 0 : recurs(n + 1) + x[n % 999];
> }
> void outside(int *p);
> APART void calls_null(void) {
>     void (*volatile nothing)(void) = NULL;
>     nothing();
>     __asm__ volatile("");
> }
> static bool test(frng *f) {
>     uint8_t what;
>     FRNG_TRY(frng_u8(f, &what));
>     what %= 16;
>     if (what == 1) writes();
>     if (what == 2) divides(3);
>     if (what == 3) copies();
>     if (what == 4) aborts();
>     if (what == 5) recurs(0);
> #ifdef MORE
>     if (what == 6) calls_null();
>     if (what == 7) outside(NULL);
>     if (what == 8 && fork() == 0) writes();
> #endif
>     return true;
> }
> FRNG_MAIN(test)
> END
> cat >all <<'END'
> #!/bin/sh
> frng-search --all --rng-seed 1 --size-max 2 --attempts 100 ./crash "$@" 2>/dev/null | sed 's/.*signature=//' | sort
> END
> chmod +x all; cc -w -g -I $SOURCE/frng -o crash crash.c; ./all --mode spawn
> ./all --mode fork | uniq -c; ./all --mode persistent | wc -l
| signal:SIGABRT at crash.c:12
| signal:SIGFPE at crash.c:6
| signal:SIGSEGV at crash.c:5
| signal:SIGSEGV at crash.c:8
| signal:SIGSEGV at stack overflow
|       1 signal:SIGABRT at crash.c:12
|       1 signal:SIGFPE at crash.c:6
|       1 signal:SIGSEGV at crash.c:5
|       1 signal:SIGSEGV at crash.c:8
|       1 signal:SIGSEGV at stack overflow
| 5
$ frng-reduce --unconfirmed --hex 11 --jobs 1 -q --json events ./crash; tail -n 1 events | grep -o '"site":[^,]*'
| size=1 hex=01
| "site":"crash.c:5"
# A reduction keeps to its site.
$ frng-reduce ./crash --hex 030201 2>&1 | tail -1; frng-reduce ./crash --hex 010203 2>&1 | tail -1
| size=1 hex=03
| size=1 hex=01
# The check of a program says how a run ended, and where if frng-reduce tells it.
$ for tools in 0 1; do FRNG_REDUCE=$tools FRNG_SEED=1 ./crash --check 2>&1 | grep -E '^(fails|ended) '; done
| ended by signal 11, SIGSEGV
| fails with signal:SIGSEGV at stack overflow
# Without debug information it is the function, at any address, and with the names of C++; without
# symbols the signal is alone.
$ replays() { for hex in 01 05; do frng-replay ./crash --hex $hex 2>&1; done; }
> for flags in -no-pie '-x c++ -fno-exceptions' -s; do cc -w $flags -I $SOURCE/frng -o crash crash.c; replays; done
| fails with signal:SIGSEGV at writes
| fails with signal:SIGSEGV at stack overflow
| fails with signal:SIGSEGV at writes
| fails with signal:SIGSEGV at stack overflow
| fails with signal:SIGSEGV
| fails with signal:SIGSEGV at stack overflow
? 1
# It is so in a static program, in a library of the program's own, in a call of nothing and with
# older debug information, also compressed. The end of a child is none of the run.
$ echo 'static void sets(int *p) { *p = 1; } void outside(int *p) { sets(p); }' >outside.c
> rows() { for hex in 01 03 04 06 07 08; do frng-replay ./crash --hex $hex 2>&1; done; }
> cc -DMORE -w -static -I $SOURCE/frng -o crash crash.c outside.c; rows
> cc -fPIC -shared -o liboutside.so outside.c
> cc -DMORE -w -O2 -gdwarf-4 -gz -I $SOURCE/frng -o crash crash.c ./liboutside.so; rows
| fails with signal:SIGSEGV at writes
| fails with signal:SIGSEGV at copies
| fails with signal:SIGABRT at aborts
| fails with signal:SIGSEGV at calls_null
| fails with signal:SIGSEGV at sets
| passes
| fails with signal:SIGSEGV at crash.c:5
| fails with signal:SIGSEGV at crash.c:8
| fails with signal:SIGABRT at crash.c:12
| fails with signal:SIGSEGV at crash.c:23
| fails with signal:SIGSEGV at sets
| passes
# A handler of the test's own stays, and the signal ends the run as before.
$ sed -i 's/    if (what == 1)/    signal(SIGSEGV, _exit);\n&/' crash.c; cc -w -I $SOURCE/frng -o crash crash.c
> frng-replay ./crash --hex 01; frng-replay ./crash --hex 04
! fails with exit:11
! fails with signal:SIGABRT at aborts
? 1
# A finding of before, without a site, is still known.
$ sed -i 's/_exit/SIG_DFL/' crash.c; cc -w -I $SOURCE/frng -o crash crash.c
> frng-search ./crash --rng-seed 1 --size-max 2 --attempts 50 --only signal:SIGSEGV --findings found 2>/dev/null
> sed -i 's/"site": .*/"site": null,/' found/*; frng-search ./crash --rng-seed 2 --attempts 50 --findings found 2>&1 | grep known
> frng-search ./crash --rng-seed 1 --size-max 2 --attempts 50 --ignore signal:SIGSEGV 2>&1 | grep -e ^size -e ignored
| size=1 seed=16860738450190168607
| known finding, size 1, seed 16860738450190168607: still fails
|   ignored  2 runs: signal:SIGSEGV
| size=1 seed=13608149317741381233
# A file with 60,000 tables of a million symbols each is read no longer than one.
$ cc -w -g -I $SOURCE/frng -o crash crash.c; python3 - <<'END'
> import struct
> head = bytearray(open("crash", "rb").read(64))
> at = 1 << 24
> head[40:48], head[60:62] = struct.pack("<Q", at), struct.pack("<H", 60000)
> table = struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, at + (1 << 23), 24 << 20, 0, 0, 8, 24)
> with open("crash", "r+b") as file:
>     file.write(head)
>     file.seek(at)
>     file.write(60000 * table)
>     file.truncate(at + (32 << 20))
> END
> timeout 20 frng-replay ./crash --hex 01 2>&1; echo $?; rm crash
| fails with signal:SIGSEGV
| 1
# A test may have names of the C library and of ELF. The constants of its messages are found in a
# static program, too, wherever that is loaded.
$ cat >names.c <<'END'
> #include <frng_main.h>
> enum { EV_NONE, ET_NUM = 3 };
> static bool backtrace(int row) { return row == ET_NUM || backtrace(row + 1); }
> static bool test(frng *f) {
>     uint8_t what;
>     FRNG_TRY(frng_u8(f, &what));
>     what %= 8;
>     FRNG_ASSERT(what != 1, "%s is gone", what != EV_NONE ? "key" : "");
>     if (what == 2) abort();
>     return backtrace(0) && what != 3;
> }
> FRNG_MAIN(test)
> END
> for flags in -g '-g -static-pie' '-x c++ -fno-exceptions'; do cc -w $flags -I $SOURCE/frng -o names names.c
> frng-search --all --rng-seed 1 --size-max 2 --attempts 200 ./names 2>/dev/null | sed 's/.*signature=//' | sort; done
| exit:1
| signal:SIGABRT at names.c:8 '# is gone'
| signal:SIGABRT at names.c:9
| exit:1
| signal:SIGABRT at names.c:8 '# is gone'
| signal:SIGABRT at names.c:9
| exit:1
| signal:SIGABRT at names.c:8 '# is gone'
| signal:SIGABRT at test
# What a port reports, and does not print, is the site of a replay, too.
$ cat >told.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint8_t what;
>     FRNG_TRY(frng_u8(f, &what));
>     if (what == 1) frng_on_assert("told.zig:8"), abort();
>     if (what == 2) OLD;
>     return true;
> }
> FRNG_MAIN(test)
> END
> printf '#!/bin/sh\ncc -w -DOLD="$1" -I $SOURCE/frng -o told told.c\n' >builds; chmod +x builds
> ./builds 'exit(3)'; frng-replay ./told --hex 01 --only 'signal:SIGABRT at told.zig:8'
! fails with signal:SIGABRT at told.zig:8
? 1
# A finding of before, which does not say its draws, is no verdict once a port draws otherwise.
$ rm -rf found; frng-reduce ./told --hex 02 --findings found 2>/dev/null; rm -f $(grep -l SIGABRT found/*)
> sed -i '/"draws"/d' found/*; ./builds 'frng__state()->report->wants |= FRNG_HAS_NARROWED'
> frng-replay ./told --finding found/* 2>&1 | grep -v build; frng-replay ./told --hex 02
> frng-search ./told --rng-seed 2 --size-max 1 --attempts 5 --findings found 2>&1 | grep known
| size=1 hex=02
| cannot judge: passes, but was found with other draws: it no longer tests what it did
| known finding, 1 byte: passes, but was found with other draws: it no longer tests what it did
! passes
