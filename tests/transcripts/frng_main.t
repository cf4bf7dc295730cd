#! needs cc
# What a program with FRNG_MAIN makes of its input, however it comes. The first byte says how it ends. (suites: sanitized compiled)
$ for bytes in t12 f12 x12 X12 s12 ''; do printf "$bytes" | sut-verdict; echo " $?"; done
| size 3 sum 1569 0
| size 3 sum 1569 1
| size 3 sum 1569 0
| size 3 sum 1569 0
| size 3 sum 1569 7
| size 0 0
! frng: the test returned false after 3 of 3 bytes of entropy
$ printf a12 | sut-verdict
| size 3 sum 1569<no newline>
! tests/sut/small.c:507: assertion failed: how != 'a': as told
! Aborted
? 134
$ sut-verdict </dev/null
! frng: usage: no entropy: stdin is /dev/null
!   frng-search sut-verdict    finds the smallest input that fails
!   sut-verdict <FILE          makes one run, of the bytes of a file
? 2
# Sizes around those at which the buffer grows, by file, by pipe and by FRNG_INPUT: all bytes, in order.
$ for size in 1 4096 4097 1048576 1048577; do
>   { printf t; yes entropy; } 2>/dev/null | head -c $size >bytes
>   sut-verdict <bytes >file; cat bytes | sut-verdict >pipe; cat file; echo
>   FRNG_INPUT=bytes sut-verdict </dev/null | cmp - file; cmp pipe file
> done
| size 1 sum 0
| size 4096 sum 937957
| size 4097 sum 76590
| size 1048576 sum 99055
| size 1048577 sum 70706
$ { printf t1; sleep 0.1; printf 2; } | sut-verdict
| size 3 sum 1569<no newline>
$ printf f12 >'f i l e'; printf t | FRNG_INPUT='f i l e' sut-verdict
| size 3 sum 1569<no newline>
! frng: the test returned false after 3 of 3 bytes of entropy
? 1
$ FRNG_INPUT='f i l e' sut-verdict <&-
| size 3 sum 1569<no newline>
! frng: the test returned false after 3 of 3 bytes of entropy
? 1
$ FRNG_INPUT=none sut-verdict </dev/null
! frng: cannot read entropy from none: No such file or directory
? 125
$ sut-verdict <&-
! frng: usage: no entropy: stdin is closed
!   frng-search sut-verdict    finds the smallest input that fails
!   sut-verdict <FILE          makes one run, of the bytes of a file
? 2
$ sut-verdict <.
! frng: cannot read entropy from stdin: Is a directory
? 125
$ sut-verdict </proc/self/mem
! frng: cannot read entropy from stdin: Input/output error
? 125
# The first check in a main of one's own that looks at no argument is the target that the tools start.
$ cat >own.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint8_t x;
>     FRNG_TRY(frng_u8(f, &x));
>     FRNG_ASSERT(x < 200, "high");
>     return true;
> }
> int main(void) {
>     static const char *const none[] = {NULL};
>     const frng_check_options options = {.arguments = none};
>     return frng_check(test, &options) & frng_check(test, &options);
> }
> END
> cc -I $SOURCE/frng own.c -o own; timeout 60 ./own 2>&1 | grep reduced | uniq -c
|       2 frng: own reduced by frng-reduce: size=1 hex=c8
