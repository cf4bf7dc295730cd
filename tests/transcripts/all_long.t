# --all at its defaults: bugs behind one that ends half of all steps, and a failure that is flaky. (suites: long)
$ frng-search --all --quiet --rng-seed 2 --size-max 4K sut-several
| size=1 seed=13066309581097501109s signature=signal:SIGABRT at tests/sut/small.c:467
| size=4 seed=9044896145239341258 signature=exit:3
| size=9 seed=4399449198271237802s signature=signal:SIGABRT at tests/sut/small.c:492
? 1
$ frng-search --all --quiet --rng-seed 1 sut-several -- often
| size=1 seed=16065523922850094438 signature=signal:SIGABRT at tests/sut/small.c:467
| size=9 seed=7080814041164127552s signature=signal:SIGABRT at tests/sut/small.c:492
? 1
$ frng-search --all --rng-seed 1 --size-max 1K --attempts 50 sut-several -- flaky 2>err | sed 's/.*=//' | sort
> grep -A3 '^exit:9, ' err | grep -cE '(flaky|failed again) .*: fails in'
| exit:3
| exit:9
| signal:SIGABRT at tests/sut/small.c:492
| 1
# More signatures than are kept.
$ frng-search --all --rng-seed 1 --attempts 10 --size-max 1K sut-several -- many 2>&1 | sed -n 's/size=.*/size=/p; /limit /p' | sort | uniq -c
|       1   limit    frng keeps at most 32 signatures: failures of others counted as passes
|      32 size=
# One reduction after another frees nothing twice.
$ few="--all --reduce --quiet --rng-seed 1 --attempts 100 --size-max 64 --findings found"
> LD_PRELOAD=libc_malloc_debug.so.0 MALLOC_CHECK_=3 frng-search $few sut-several
| size=1 seed=16860738450190168617s signature=signal:SIGABRT at tests/sut/small.c:467
| size=4 seed=16065523922850094524 signature=exit:3
| size=9 seed=3681697457321255309s signature=signal:SIGABRT at tests/sut/small.c:492
| size=1 hex=00
| size=4 hex=08080808
| size=9 hex=808080808080808080
? 1
