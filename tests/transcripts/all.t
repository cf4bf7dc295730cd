# --all: the smallest failure of each signature, with its claim. Each result line replays. (suites: plain)
$ few="--all --rng-seed 1 --attempts 10 --size-max 64"; frng-search $few sut-several >lines; echo $?; cat lines
| 1
| size=1 seed=16860738450190168617s signature=signal:SIGABRT at tests/sut/small.c:467
| size=4 seed=16065523922850094494 signature=exit:3
| size=9 seed=7080814041164127527s signature=signal:SIGABRT at tests/sut/small.c:492
! fails with signal:SIGABRT at tests/sut/small.c:467: size 5, seed 7080814041164127443 (run 6)
!
! 3 distinct failures
!
! signal:SIGABRT at tests/sut/small.c:467, size 1
!   replay   frng-replay sut-several --size 1 --seed 16860738450190168617s
!   output   tests/sut/small.c:467: assertion failed: op >= (is("often") ? 128 : 8): shallow
!   reruns   failed again 20/20 times: under 17% of reruns pass (95% confidence)
!   smaller  all inputs of size 0 were run and passed
!
! exit:3, size 4
!   replay   frng-replay sut-several --size 4 --seed 16065523922850094494
!   reruns   failed again 20/20 times: under 17% of reruns pass (95% confidence)
!   smaller  19 fresh runs at size 3 passed: under 30% of such runs fail (95% confidence)
!
! signal:SIGABRT at tests/sut/small.c:492, size 9
!   replay   frng-replay sut-several --size 9 --seed 7080814041164127527s
!   output   tests/sut/small.c:492: assertion failed: high < 9: deep
!   reruns   failed again 20/20 times: under 17% of reruns pass (95% confidence)
!   smaller  181 fresh runs at size 8 passed: under 4.3% of such runs fail (95% confidence)
!
!   claims   half of the runs had uniform bytes, half styled ones (--expand)
!   other    no other failure in at least 10 runs at each of 7 sizes (1, 2, ... 64)
!   effort   422 runs and 107 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
$ while read -r size seed signature; do frng-replay $size $seed sut-several; s="$s $?"; done <lines; echo $s
| 1 1 1
! tests/sut/small.c:467: assertion failed: op >= (is("often") ? 128 : 8): shallow
! fails with signal:SIGABRT at tests/sut/small.c:467
! fails with exit:3
! tests/sut/small.c:492: assertion failed: high < 9: deep
! fails with signal:SIGABRT at tests/sut/small.c:492
# The number of jobs and the mode change no answer.
$ for how in '2 --mode auto' '1 --mode auto' '4 --mode auto' '2 --mode fork' '4 --mode spawn'
> do frng-search --all --quiet --rng-seed 1 --attempts 10 --size-max 64 --jobs $how sut-several
> done | sort | uniq -c
|       5 size=1 seed=16860738450190168617s signature=signal:SIGABRT at tests/sut/small.c:467
|       5 size=4 seed=16065523922850094494 signature=exit:3
|       5 size=9 seed=7080814041164127527s signature=signal:SIGABRT at tests/sut/small.c:492
# Exit statuses, exceptions and hangs are signatures; --only and --ignore choose among them.
$ cat >sut.py <<'END'
> #!/bin/sh
> raise() { printf 'Traceback:\n  File "sut.py", line %d, in <module>\n%s\n' "$@" >&2; exit 1; } # as Python does
> set -- $(od -An -v -tu1)
> [ $# -le 6 ] || [ $1 -ge 192 ] || raise 4 "ValueError: shallow"
> [ $# -le 9 ] || raise 5 "KeyError: 'deep'"
> END
> chmod +x sut.py; few="--quiet --rng-seed 1 --attempts 3 --size-max 32"
> frng-search $few --all ./sut.py; frng-search $few --attempts 8 --ignore 'python:ValueError*' ./sut.py
| size=7 seed=3181050607885091805 signature=python:ValueError at sut.py:4
| size=10 seed=7080814041164127470 signature=python:KeyError at sut.py:5
| size=10 seed=7080814041164127449s
? 1
$ frng-search --all --quiet --timeout 300ms --rng-seed 3 --attempts 8 --size-max 1K sut-several -- hang |
>   sed -n 's/seed=[0-9s]* //; /timeout\|exit/p'
| size=1 signature=timeout
| size=4 signature=exit:3
$ few="--quiet --rng-seed 1 --attempts 10 --size-max 64"
> frng-search $few --all --only exit:3 sut-several; frng-search $few --all --ignore exit:3 sut-several
| size=4 seed=8960593081339977372 signature=exit:3
| size=1 seed=16860738450190168617s signature=signal:SIGABRT at tests/sut/small.c:467
| size=9 seed=8960593081339977473s signature=signal:SIGABRT at tests/sut/small.c:492
? 1
$ frng-search --rng-seed 1 --attempts 30 --size-max 256 --ignore 'signal:SIGABRT at small.c:*' sut-several 2>&1 | grep -e ' at ' -e size=
| smallest failure: exit:3 at size 4
|   smaller  58 fresh runs at size 3 passed: under 9.1% of such runs fail (95% confidence)
|   ignored  9 runs: signal:SIGABRT at tests/sut/small.c:467
| size=4 seed=8960593081339977372
$ sites=$(sed -n 's/.*signature=//; /small/{p;q}' lines); echo "$sites"
> frng-search --quiet --rng-seed 1 --attempts 30 --ignore "$sites" --ignore exit:3 sut-several
| signal:SIGABRT at tests/sut/small.c:467
| size=9 seed=3681697457321254967s
? 1
$ frng-search --ignore exit:1 --attempts 2 --rng-seed 1 --size-max 64 sut-modes -- at-least 20 2>&1 | grep -e failure -e ignored
| no failure but ignored ones in 11 runs: at each of 3 sizes (16, 32, 64) under 85% of such runs fail so (95%)
|   ignored  4 runs: exit:1
$ frng-search --all --attempts 5 --size-max 64K --rng-seed 1 sut-several -- none 2>&1 | grep -e failure -e '  passes'
| no failure in 70 runs: at each of 13 sizes (16, 32, ... 64K) under 61% of such runs fail (95%)
|   passes   at least 5 at each of 13 sizes (16, 32, ... 64K)
# A folder of findings has the best of each, and the next search begins with them.
$ few="--all --rng-seed 1 --attempts 10 --size-max 64 --findings found --json each"
> frng-search --quiet $few sut-several | cmp - lines; ls found | sort | sed 's/-.*//' | xargs
> grep '"done"' each | grep -o '"repeated":20\|"below":[0-9]*,"passed":[0-9]*,"bound":[0-9.]*'
| 0000000001 0000000004 0000000009
| "repeated":20
| "below":0,"passed":1,"bound":0.0
| "repeated":20
| "below":0,"passed":1,"bound":0.0
| "repeated":20
| "below":3,"passed":19,"bound":0.2991
| "repeated":20
| "below":8,"passed":181,"bound":0.0429
$ few="--all --rng-seed 2 --attempts 1 --size-max 256 --findings found"
> frng-search $few sut-several 2>&1 | grep -e known -e size=
| known finding, size 1, seed 16860738450190168617s: still fails
| known finding, size 4, seed 16065523922850094494: still fails
| known finding, size 9, seed 7080814041164127527s: still fails
| size=1 seed=16860738450190168617s signature=signal:SIGABRT at tests/sut/small.c:467
| size=4 seed=16065523922850094494 signature=exit:3
| size=9 seed=7080814041164127527s signature=signal:SIGABRT at tests/sut/small.c:492
# --reduce simplifies each; `done` has an entry for each.
$ few="--all --rng-seed 1 --attempts 10 --size-max 64 --reduce --findings reduced --json both"
> frng-search --quiet $few sut-several; ls reduced | wc -l; frng-replay --list reduced | grep -o 'hex .*'
> grep -c '"task":"reduce"' both
| size=1 seed=16860738450190168617s signature=signal:SIGABRT at tests/sut/small.c:467
| size=4 seed=16065523922850094494 signature=exit:3
| size=9 seed=7080814041164127527s signature=signal:SIGABRT at tests/sut/small.c:492
| size=1 hex=00
| size=4 hex=08080808
| size=9 hex=808080808080808080
| 3
| hex 00
| hex 08080808
| hex 808080808080808080
| 3
# The shape of a message is a part of the site, where its format has a text.
$ frng-search --all --quiet --rng-seed 1 --attempts 10 --size-max 256 sut-shapes -- few
| size=4 seed=3503661584745081120 signature=signal:SIGABRT at tests/sut/small.c:584 'lost #'
| size=4 seed=3503661584745081194 signature=signal:SIGABRT at tests/sut/small.c:595
| size=4 seed=7080814041164128261 signature=signal:SIGABRT at tests/sut/small.c:594 '# came twice'
| size=4 seed=16065523922850094460 signature=signal:SIGABRT at tests/sut/small.c:584 '# of # can't be read'
| size=4 seed=16065523922850094499s signature=signal:SIGABRT at tests/sut/small.c:594 '# is gone'
| size=4 seed=16065523922850094603s signature=signal:SIGABRT at tests/sut/small.c:584 'got #, not #'
| size=4 seed=16952640718631250450 signature=signal:SIGABRT at tests/sut/small.c:584 'differs: # of #'
? 1
$ few="--all --rng-seed 1 --attempts 10 --size-max 256 sut-shapes"; frng-search $few >lines 2>said
> grep ' shapes:' said; cat lines; for how in "1 --mode spawn" "2 --mode fork" 3
> do frng-search --jobs $how --quiet $few | cmp - lines; done
| messages of tests/sut/small.c:584 have more than 8 shapes: the others are one failure
| size=4 seed=3181050607885092866 signature=signal:SIGABRT at tests/sut/small.c:584
| size=4 seed=3503661584745080840 signature=signal:SIGABRT at tests/sut/small.c:595
| size=4 seed=7080814041164128853s signature=signal:SIGABRT at tests/sut/small.c:594 '# came twice'
| size=4 seed=16065523922850094510 signature=signal:SIGABRT at tests/sut/small.c:584 'differs: # of #'
| size=4 seed=16065523922850094558 signature=signal:SIGABRT at tests/sut/small.c:584 'it is too late'
| size=4 seed=16065523922850094625s signature=signal:SIGABRT at tests/sut/small.c:584 'lost #'
| size=4 seed=16065523922850094783s signature=signal:SIGABRT at tests/sut/small.c:584 'it came too early'
| size=4 seed=16065523922850094846 signature=signal:SIGABRT at tests/sut/small.c:584 'of which there are no more'
| size=4 seed=16065523922850094897s signature=signal:SIGABRT at tests/sut/small.c:584 'it was not there'
| size=4 seed=16065523922850095061s signature=signal:SIGABRT at tests/sut/small.c:584 'got #, not #'
| size=4 seed=16065523922850095726 signature=signal:SIGABRT at tests/sut/small.c:594 '# is gone'
| size=4 seed=16673409333913343512 signature=signal:SIGABRT at tests/sut/small.c:584 '# of # can't be read'
$ few="--quiet --rng-seed 2 --attempts 10 --size-max 256 sut-shapes"
> frng-search --all --ignore "small.c:584 'lost #'" --ignore "small.c:59*" $few -- few
> frng-search --only "signal:SIGABRT at small.c:584 'lost #'" $few
> frng-search --all --ignore small.c:584 $few
| size=4 seed=641969406067036104 signature=signal:SIGABRT at tests/sut/small.c:584 '# of # can't be read'
| size=4 seed=15092334581794936121s signature=signal:SIGABRT at tests/sut/small.c:584 'got #, not #'
| size=5 seed=4399449198271232352 signature=signal:SIGABRT at tests/sut/small.c:584 'differs: # of #'
| size=12 seed=11350738719475847008
| size=4 seed=1988111358474182470 signature=signal:SIGABRT at tests/sut/small.c:594 '# is gone'
| size=5 seed=17267622045905775210 signature=signal:SIGABRT at tests/sut/small.c:595
| size=8 seed=9044896145239341483s signature=signal:SIGABRT at tests/sut/small.c:594 '# came twice'
? 1
