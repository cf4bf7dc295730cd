# Draws of frng_more.h, from a search to the simplest values that people read. (suites: sanitized compiled)
$ for way in words large half infinite list days; do
>   echo "$way:"; found=$(frng-search --reduce --rng-seed 1 --quiet sut-drawn -- $way | sed -n 2p)
>   frng-replay --quiet "$found" --trace sut-drawn -- $way 2>/dev/null | sed 1d
> done
| words:
|      0  text  0f0f0f01  string  "aaa"
| large:
|      0  074c              double                42
|      2  c921203aa7640000  double -100..1000000  3
| half:
|      0  488900            double                98.5
|      3  0100000000000000  double -100..1000000  0
| infinite:
|      0  c0000000000000f0..  double                inf
|      9  0100000000000000    double -100..1000000  0
| list:
|      0  20          more                               true
| 1. item
|      1  8d00007011  mixed i32 -2000000000..2000000000  -70000
| days:
|      0  a2800000          date          2000-01-29
|      4  9000000000000000  subset of 40  {4, 7}
# A failure after the entropy ran out counts the bytes drawn, and loses what it does not need.
$ for mode in persistent fork spawn; do frng-search --quiet --mode $mode --rng-seed 1 sut-drawn -- healed; done
| size=4 seed=12773366489153039612
| size=4 seed=12773366489153039612
| size=4 seed=12773366489153039612
? 1
$ found=$(frng-reduce --quiet --jobs 1 --hex $(printf 'e001%.0s' 1 2 3 4 5 6 7 8 9 10 11 12) sut-drawn -- healed)
> frng-replay --quiet "$found" --trace sut-drawn -- healed
| offset  bytes  draw     value
|      0  ce     u8 0..9  8
|      1  01     u8 0..9  0
|      2  e7     u8 0..9  9
|      3  01     u8 0..9  0
! tests/sut/small.c:196: assertion failed: sum < 17: 2 pairs
? 1
$ for mode in persistent fork spawn; do frng-reduce --quiet --mode $mode --hex $(printf 9502%.0s $(seq 100)) sut-drawn -- lenient; done
| size=2 hex=0100
| size=2 hex=0100
| size=2 hex=0100
? 1

# --reduce starts from earlier failures, too, which fail in another way and come to less, with any number of jobs. What
# they meet is listed, and calls and seconds go on from one start to the next.
$ for jobs in 1 3; do frng-search --jobs $jobs --attempts 3 --rng-seed 1 --reduce --findings $jobs --json $jobs.log sut-drawn -- apart 2>&1 | grep -e ^size= -e ^reduced -e '^  also' >said-$jobs; ls $jobs >>said-$jobs; done; cmp said-1 said-3; cat said-1
> for name in calls seconds; do grep -h '"event":"step"' 1.log | sed "s/.*\"$name\":\([0-9.]*\).*/\1/" | sort -gc && echo $name; done
| size=9 seed=16129574540318998465s
| reduced: signal:SIGABRT at tests/sut/small.c:231, 9 -> 3 bytes
|   also     signal:SIGABRT at tests/sut/small.c:230, 7 bytes
| size=3 hex=0001fa
| 0000000003-198a777ebb9b536b.json
| 0000000007-86cd42371278d3d8.json
| calls
| seconds

# New inputs are starts, too, until eight come to one answer, in mode fork four; it is announced before it is explained. What
# frng-reduce or --all reduces is the only start. An input that fails at another place is none, though its first process hides it.
$ start='--attempts 3 --rng-seed 1 --reduce --jobs 1'
> for mode in persistent fork; do frng-search $start --mode $mode sut-drawn -- apart 2>&1 | grep -e ^size=3 -e '^  starts'; done
> frng-search $start --json - sut-drawn -- apart 2>/dev/null | grep -o -e '"event":"best","schema":1,"size":[0-9],"hex":"[0-9a-f]*"' -e '"complete":true,"size":[0-9],"hex":"[0-9a-f]*"' -e '"starts":.*,"alike":[0-9]*' | tail -3
> frng-search $start --all sut-drawn -- apart 2>&1 | grep -c starts; frng-reduce --quiet --hex 014040404040404040 sut-drawn -- apart
> frng-search --rng-seed 3 --reduce --jobs 1 --signature 'sum 6[0-9]' sut-assert 2>&1 | grep -e ^size= -e starts
|   starts   8 of 9 failing inputs came to this one
| size=3 hex=0001fa
|   starts   4 of 5 failing inputs came to this one
| size=3 hex=0001fa
| "event":"best","schema":1,"size":3,"hex":"0001fa"
| "complete":true,"size":3,"hex":"0001fa"
| "starts":9,"alike":8
| 0
| size=9 hex=014040404040404040
| size=4 seed=3802700012442253621s
| size=4 hex=51ffffff

# They are of one build: what another one comes to does not count.
$ mkdir built; cp $(command -v sut-drawn) built; cp built/sut-drawn new
> frng-search --jobs 1 --attempts 3 --rng-seed 1 --reduce -q ./built/sut-drawn -- apart $PWD/new $PWD/built/sut-drawn; [ -e new ] || echo rebuilt
| size=9 seed=16129574540318998465s
| size=9 hex=014040404040404040
| rebuilt

# Weights that are drawn change what the bytes behind them mean, and not the choices.
$ for seed in 7 9 10 14; do start=$(frng-search -q --rng-seed $seed sut-drawn -- weighed | sed "s/size=/--size /; s/seed=/--seed /"); frng-reduce -q --explain no $start sut-drawn -- weighed; done | uniq -c
|       4 size=7 hex=000000004080c0
