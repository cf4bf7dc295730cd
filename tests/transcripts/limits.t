# A limit of memory that is below what a program needs. (suites: plain)
$ frng-search --memory 32M --attempts 1 --size-max 4 sut-modes -- allocate 64 2>&1 | tail -n 1
| frng-search: sut-modes: fails on empty input: does it need more --memory?
# What does not fail with twice as much is no failure, and is said twice. A run that takes all is one.
$ frng-search --memory 64M --attempts 1 --size-max 4 --rng-seed 1 sut-dirt -- needs 3 80
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
!
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
!   replay   frng-replay sut-dirt --size 3 --seed 16065523922850094438 --memory 64M -- needs 3 80
!   memory   1 failed run not counted: each ended otherwise with twice the memory
!   effort   4 runs and 1 rerun in <time> (<n>/s, <jobs>), --rng-seed 1
? 3
$ frng-reduce --hex 010203 --memory 64M --jobs 1 sut-dirt -- needs 2 80
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
? 3
# A bug under a limit is one.
$ for mode in auto spawn fork persistent; do few="--quiet --mode $mode --attempts 1 --size-max 4 --rng-seed 1"
>   frng-search --memory 32M $few sut-dirt -- eats 3; frng-search --memory 32M $few sut-dirt -- holds 3 20
>   frng-search --memory 32M $few --findings found --json events sut-dirt -- needs 3 40 || echo $?; ls found; frng-search $few sut-dirt -- kills 3
> done 2>&1 | sort | uniq -c; grep -c '"reason":"memory"' events
|       4 3
|      12 size=3 seed=16065523922850094438
| 4
$ cat >both <<'END'
> #!/bin/sh
> n=$(wc -c)
> [ $n -ge 4 ] && kill -SEGV $$
> [ $n -ge 2 ] || exit 0
> head -c $n /dev/zero | sut-dirt needs 2 80
> END
> chmod +x both; frng-search --memory 64M --attempts 1 --size-max 8 --rng-seed 1 ./both 2>&1 | grep -e ^size= -e exit -e failure:
| inconclusive: memory: a run of 2 bytes failed (exit:134), but not so with twice the memory
| smallest failure: signal:SIGSEGV at size 4
| size=4 seed=16065523922850094438
$ frng-reduce --quiet --explain no --hex 010203 --memory 64M sut-dirt -- holds 2 20
| size=2 hex=0000
? 1
$ frng-search --quiet --memory 64M --attempts 1 --size-max 4 --rng-seed 1 sut-modes -- always
| size=0 seed=6791897765849424158
? 1
# Programs with sanitizers are refused, as they reserve address space. One may name them.
$ printf 'int main(void) { return 0; }\n' >some.c; while read -r name compiler; do
>   $compiler some.c -o sut 2>/dev/null || { echo 2 2 2 125; continue; } # it is not to be had
>   for tool in search 'reduce --hex 00' 'reduce some.c --predicate' 'replay --hex 00'; do frng-$tool ./sut --memory 1G; echo $?; done 2>&1 |
>     grep -v -e "--memory cannot be used.*$name" | xargs
> done <<'END'
> AddressSan gcc -fsanitize=address
> AddressSan clang -fsanitize=address -s
> MemorySan clang -fsanitize=memory
> ThreadSan clang -fsanitize=thread
> END
> printf 'const char *volatile s = "\\0__asan_init";\nint main(void) { return s == 0; }\n' >names.c; cc names.c -o sut && frng-search -q --memory 1G --attempts 1 --size-max 4 ./sut
| 2 2 2 125
| 2 2 2 125
| 2 2 2 125
| 2 2 2 125

# Runs that all fail otherwise show no pass.
$ printf '#!/bin/sh\nexit 1\n' >fails; chmod +x fails
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 --ignore exit:1 ./fails
!
! inconclusive: none of 4 runs passed: --only or --ignore leaves out all failures
!   ignored  4 runs: exit:1
!   effort   4 runs and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
? 3
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 --only timeout ./fails 2>err; echo $?; grep -e inconclusive -e ignored -e also err
| 3
| also fails with exit:1: size 0, seed 6791897765849424158 (run 1)
| inconclusive: none of 4 runs passed: --only or --ignore leaves out all failures
|   also     exit:1 at size 0
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 --only exit:2 sut-modes -- at-least 1 2>err; echo $?; grep -e inconclusive -e ignored -e also err
| 3
| also fails with exit:1: size 1, seed 16860738450190168607 (run 2)
| inconclusive: only the run of 0 bytes passed: --only or --ignore leaves out all failures
|   also     exit:1 at size 1

# Memory that is refused to the tool itself ends it with a line, also as its C library ends a text.
# Refused once, it is there when the tool asks again: a finding has all arguments.
$ cat >refuse.c <<'END'
> #include <stddef.h>
> #ifdef ALL
> void *realloc(void *old, size_t size) { return (void)old, (void)size, NULL; }
> #else
> void *__libc_malloc(size_t size);
> void *malloc(size_t size) {
>     static int again;
>     again = size == 128 && !again; /* a list of 16 */
>     return again ? NULL : __libc_malloc(size);
> }
> #endif
> END
> gcc -O1 -DALL -shared -fPIC -o all.so refuse.c; gcc -O1 -shared -fPIC -o once.so refuse.c
$ LD_PRELOAD=$PWD/all.so frng-search -q --attempts 1 sut-modes -- at-least 3
! frng-search: cannot go on: Cannot allocate memory
? 4
$ LD_PRELOAD=$PWD/once.so frng-search -q --attempts 1 --rng-seed 1 --findings args sut-modes -- at-least 3 c d e f g h i
| size=0 seed=6791897765849424158
! frng-search: cannot run worker processes: Cannot allocate memory
? 4
$ cat args/* | tr -d ' \n' | grep -o '"args":[^]]*]'
| "args":["at-least","3","c","d","e","f","g","h","i"]
