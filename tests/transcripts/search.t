# A failure that depends on size alone is found exactly there. (suites: compiled)
$ few="--quiet --rng-seed 1 --attempts 2"; for n in 0 1 2 3 7 8 9 15 16 17 31 32 33 41 100 1000 100001
> do frng-search $few sut-modes -- at-least $n; done | sed 's/ seed.*//' | xargs
| size=0 size=1 size=2 size=3 size=7 size=8 size=9 size=15 size=16 size=17 size=31 size=32 size=33 size=41 size=100 size=1000 size=100001
$ for how in 'exactly 0' 'exactly 64' always 'byte 7' 'says 41 out err'
> do frng-search --quiet --rng-seed 3 --attempts 40 sut-modes -- $how | sed 's/ seed.*//'; done
| size=0
| size=64
| size=0
| size=1
| size=41
# Up to --size-max and at it, but not beyond.
$ for max in 0 1 17; do
>   few="--quiet --rng-seed 1 --attempts 2 --size-max $max"
>   rm -f log; frng-search $few sut-modes -- log $PWD/log 1001; sort -n log | tail -n 1
>   frng-search $few sut-modes -- at-least $((max + 1)); frng-search $few sut-modes -- exactly $max
> done
| 0
| size=0 seed=6791897765849424158
| 1
| size=1 seed=16860738450190168607
| 17
| size=17 seed=8370401632533425347
? 1
# A search without a failure counts its runs.
$ frng-search --attempts 3 --size-max 64 --rng-seed 1 sut-modes -- never 2>&1 | grep -e failure -e '  passes' -e effort
| no failure in 14 runs: at each of 3 sizes (16, 32, 64) under 85% of such runs fail (95%)
|   passes   at least 3 at each of 3 sizes (16, 32, 64)
|   effort   14 runs and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
$ for size in 0 1; do frng-search --attempts 1 --size-max $size sut-modes -- never 2>&1 | grep no; done
| no failure in 1 run: it is the only input of size 0
| no failure in 2 runs: at least 1 at size 1
$ frng-search --attempts 3 --size-max 64 --rng-seed 1 --only exit:4 sut-modes -- at-least 5 2>&1 | grep -e exit
| also fails with exit:1: size 8, seed 3181050607885091805 (run 5)
| no exit:4 in 14 runs: at each of 3 sizes (16, 32, 64) under 85% of such runs fail so (95%)
|   also     exit:1 at size 8
# The replay line can be pasted into a shell.
$ mkdir 'folder with spaces'; cp $BUILD/tests/sut/sut-modes "folder with spaces/it's \$HOME"
> for path in "$PWD/folder with spaces/it's \$HOME" "folder with spaces/it's \$HOME"; do
>   frng-search --attempts 5 --rng-seed 1 "$path" -- says 41 'a b' "it's *" 2>&1 |
>     sed -n 's/ *replay *//p' >line; cat line; sh line
> done
| frng-replay '<here>/folder with spaces/it'\''s $HOME' --size 41 --seed 15903160598761770143 -- says 41 'a b' 'it'\''s *'
| a b
| frng-replay 'folder with spaces/it'\''s $HOME' --size 41 --seed 15903160598761770143 -- says 41 'a b' 'it'\''s *'
| a b
! it's *
! fails with exit:1
! it's *
! fails with exit:1
? 1
# What is found replays, by the headers as in a plain program.
$ for seed in 1 2; do
>   for words in 'sut-modes -- staircase' sut-draws sut-assert sut-compare; do
>     set -- $words
>     found=$(frng-search --quiet --rng-seed $seed --attempts 20 "$@")
>     frng-replay --quiet "$found" "$@" >/dev/null 2>&1 || echo $? $1
>   done
> done | sort | uniq -c
|       2 1 sut-assert
|       2 1 sut-compare
|       2 1 sut-draws
|       2 1 sut-modes
# A failure that does not repeat is inconclusive, with any number of jobs.
$ for jobs in 1 2; do
>   frng-search --attempts 5 --size-max 64 --jobs $jobs --rng-seed 1 sut-modes -- once $PWD/mark$jobs 1 >out 2>&1
>   echo $?; sed -n 's/^\(inconclusive: exit:1\) at size [0-9]*/\1/p' out
> done
| 3
| inconclusive: exit:1 failed once, and passed 20 of 20 times when it was run again
| 3
| inconclusive: exit:1 failed once, and passed 20 of 20 times when it was run again
# One in every second run is flaky; what never passed comes before a smaller one of that kind.
$ frng-search --attempts 5 --size-max 64 --jobs 1 sut-modes -- flaky 50 1 2>&1 | grep -o 'flaky [0-9]*/20'
| flaky <n>/20
$ cat >sut <<'END'
> #!/bin/sh
> size=$(wc -c)
> [ $size -ge 41 ] && exit 1
> [ $size -ge 20 ] || exit 0
> echo x | sut-modes flaky 40 1 || exit 4
> END
> chmod +x sut; frng-search --quiet --attempts 5 ./sut | sed 's/seed.*//'
| size=41
