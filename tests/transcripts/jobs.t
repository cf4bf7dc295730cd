# With --rng-seed a search is the same with any number of jobs: each best on the way, and the result. (suites: plain)
$ cat >course <<'END'
> #!/bin/sh
> # course ARGUMENT...: its course with 1 job; what differs with 2 and 8
> for jobs in 1 2 8; do
>   frng-search --jobs $jobs --json - "$@" 2>/dev/null |
>     sed -n '/"best"\|"done"/s/.*"\(best\|done\)".*"size":\([0-9]*\),"seed":"\([0-9s]*\)".*"runs":\([0-9]*\).*/\1 \2 \3 \4/p' >course$jobs
> done; tail -n 1 course1; grep -c best course1; cmp course1 course2; cmp course1 course8
> END
> chmod +x course; few="--attempts 5 --rng-seed 0xdeadbeef"
> { for how in staircase 'byte 7' 'two 33 50'; do ./course $few sut-modes -- $how; done
>   ./course $few sut-draws; ./course $few sut-assert; } | xargs -n 5
| done 34 5845098458419438320 104 21
| done 2 9051980034940367251s 58 11
| done 63 5976299008473749612 55 6
| done 9 14628217538048482467s 2 3
| done 4 6510040921921148178 20 1
# Rows that grow, too.
$ for name in words list days; do
>   ./course --attempts 1 --time 60s --rng-seed 1 sut-drawn -- $name
> done | xargs -n 5
| done 19 16129574540318998465s 2 2
| done 6 3181050607885091807s 18 2
| done 12 8960593081339977477 2 1
# A pass is a pass, and findings are the same.
$ for jobs in 1 2 8; do
>   frng-search --rng-seed 1 --jobs $jobs --attempts 3 --size-max 1K sut-modes -- never 2>&1 | grep failure
>   frng-search --quiet --rng-seed 3 --jobs $jobs --attempts 15 --findings found$jobs sut-modes -- staircase; ls found$jobs
> done | sort | uniq -c
|       3 0000000002-3259b71f9a1f0cabs.json
|       3 no failure in 26 runs: at each of 7 sizes (16, 32, ... 1K) under 85% of such runs fail (95%)
|       3 size=2 seed=3628132321181240491s
# Other seeds are other searches; without one no search is like another.
$ for seed in 1 2 3 4; do frng-search --quiet --rng-seed $seed --attempts 5 sut-modes -- staircase; done | sort -u | wc -l
| 4
$ for search in 1 2 3 4; do frng-search --quiet --attempts 5 sut-modes -- staircase; done | sort | uniq -d
# So many runs at a time, and no more.
$ for how in '1 4' '2 8' '8 32'; do
>   set -- $how; frng-search --quiet --jobs $1 --attempts $2 --size-max 1 sut-modes -- slow 100 $PWD/log$1 9
>   fold -w 1 log$1 | awk '/[+]/ {if (++n > most) most = n} /-/ {n--} END {print n, most == 1 ? 1 : most == 2 ? 2 : most <= 8}'
> done
| 0 1
| 0 2
| 0 1
$ frng-search --quiet --rng-seed 1 --jobs 32 --attempts 1 sut-modes
| size=41 seed=15903160598761770143
? 1
# Runs at sizes already beaten are given up: who waits for one of 20 bytes waits for an hour.
$ cat >sut <<'END'
> #!/bin/sh
> size=$(wc -c)
> [ $size -ge 20 ] && exec sleep 3600
> [ $size -ge 10 ] && { sleep 0.1; exit 1; }
> exit 0
> END
> chmod +x sut; frng-search --quiet --jobs 2 --timeout 1h --attempts 1 ./sut | sed 's/ seed.*//'
| size=10
