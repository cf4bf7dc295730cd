#! needs gcc
# What no run has reached, of a build that counts lines; not of another.
$ cat >lines.c <<'END'
> #include <frng_main.h>
> static int unused(int x) {
>     return x + 1;
> }
> static bool test(frng *f) {
>     uint32_t x;
>     FRNG_TRY(frng_u32(f, &x));
>     if (x == 0xdeadbeef) {
>         x++;
>         return unused(3);
>     }
>     return true;
> }
> FRNG_MAIN(test)
> END
> gcc --coverage -I $SOURCE/frng -o lines lines.c; gcc -I $SOURCE/frng -o uncounted lines.c
$ for i in 1 2; do frng-search ./lines -q --attempts 20 --coverage; done
! frng-search: coverage: not reached by any run since the build:
!   lines.c:2-3  unused is never called
!   lines.c:9-10  in test
! frng-search: coverage: not reached by any run since the build:
!   lines.c:2-3  unused is never called
!   lines.c:9-10  in test
$ echo 'static bool test(frng *f) { return frng_u8(f, &(uint8_t){0}); } FRNG_MAIN(test)' >all.c
> gcc --coverage -I $SOURCE/frng -include frng_main.h -o all all.c
> frng-search ./all -q --attempts 20 --coverage
! frng-search: coverage: runs since the build have reached all lines outside main
# The name of a file of counters stands right behind the bytes of a number.
$ echo 'const double hundred = 100;' >number.c
> printf '#line 1 "/usr/src/app/rest.c"\nint unused2(void) { return 1; }\n' >rest.c
> gcc --coverage -c rest.c; gcc -I $SOURCE/frng -o parts number.c rest.o lines.c --coverage
> frng-search ./parts -q --attempts 20 --coverage 2>&1 | grep unused2
|   /usr/src/app/rest.c:1  unused2 is never called
$ GCOV=false frng-search ./lines -q --attempts 20 --coverage
! frng-search: coverage: no counts: each run that ends writes *.gcda where the program was built, and gcov of that gcc reads them (GCOV=gcov-N)
# Runs that cannot write their counts have not reached nothing.
$ rm *.gcda; GCOV_PREFIX=$PWD/elsewhere frng-search ./lines -q --attempts 20 --coverage
! frng-search: coverage: no counts: each run that ends writes *.gcda where the program was built, and gcov of that gcc reads them (GCOV=gcov-N)
# gcov has no shell, reads no pipe, and is killed by the signal that ends the search.
$ rm lines.gcno; mkfifo lines.gcno; timeout 60 frng-search ./lines -q --attempts 20 --coverage
> odd=$(printf "a 'b\\n\"\$(c)"); mkdir "$odd"; cp lines.c "$odd"; cd "$odd"; gcc --coverage -I $SOURCE/frng -o lines lines.c
> GCOV='gcov --branch-counts' frng-search ./lines -q --attempts 20 --coverage
> printf '#!/bin/sh\ntrap "" INT TERM; sleep 300 & wait; sleep 300\n' >slow; chmod +x slow
> GCOV=./slow timeout --signal INT 3 frng-search ./lines -q --attempts 20 --coverage; echo $?
> GCOV="'./slow" frng-search ./lines -q --attempts 20 --coverage; GCOV=nosuch frng-search ./lines -q --attempts 20 --coverage
| 124
! frng-search: coverage: no counts: each run that ends writes *.gcda where the program was built, and gcov of that gcc reads them (GCOV=gcov-N)
! frng-search: coverage: not reached by any run since the build:
!   lines.c:2-3  unused is never called
!   lines.c:9-10  in test
! frng-search: coverage: GCOV: cannot be run; GCOV names the gcov of your compiler
! frng-search: coverage: nosuch: cannot be run; GCOV names the gcov of your compiler
$ frng-search ./uncounted --coverage
! frng-search: --coverage: ./uncounted counts no lines; build it with gcc --coverage
? 2
