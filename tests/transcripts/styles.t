# What styled seeds find soon, and uniform bytes never do: edges, duplicates and repetitions. (suites: compiled)
$ for name in counter equal divide overflow keys limit; do ln -s $BUILD/tests/bench/rare $name; done
> cat >soon <<'END'
> #!/bin/sh
> # soon SEED ARGUMENT...: the runs until the first best of a search
> seed=$1; shift; frng-search --json - --rng-seed $seed --attempts 25 --time 60s "$@" 2>/dev/null |
>   sed -n '/"best"/{s/.*"seed":"\([0-9]*\)\(s*\)".*"runs":\([0-9]*\).*/\3 runs \2/p;q}'
> END
> chmod +x soon
$ for name in counter equal divide overflow keys limit; do echo "$name: $(./soon 1 ./$name)"; done
| counter: 19 runs s
| equal: 9 runs s
| divide: 252 runs s
| overflow: 19 runs s
| keys: 20 runs s
| limit: 19 runs s
$ for name in equal keys divide
> do frng-search --rng-seed 1 --expand uniform --size-max 4K --attempts 400 ./$name 2>&1 | grep failure; done
| no failure in 3,605 runs: at each of 2 sizes (16, 32) under 0.92% of such runs fail (95%)
| no failure in 3,605 runs: at each of 9 sizes (16, 32, ... 4K) under 0.92% of such runs fail (95%)
| no failure in 3,605 runs: at size 16 under 0.11% of such runs fail (95%)
# The answer is the same with any number of jobs and in every mode.
$ for mode in persistent fork spawn; do for jobs in 1 4; do
>   frng-search --quiet --rng-seed 1 --attempts 5 --size-max 1K --mode $mode --jobs $jobs ./keys
> done; done | uniq -c
|       6 size=44 seed=14643042874786415613s
# A finding fails again as a seed and as bytes, and a reduction begins with it.
$ found=$(frng-search --quiet --rng-seed 1 --attempts 25 ./keys)
> frng-replay --quiet "$found" ./keys 2>&1; echo $?; frng-replay "$found" --dump >bytes
> frng-replay --quiet --input bytes ./keys; echo $?; frng-replay "${found%s}" ./keys
| tests/bench/rare.c:73: assertion failed: !has(&live, key): the value is not 1179010630
| 1
| 1
! tests/bench/rare.c:73: assertion failed: !has(&live, key): the value is not 1179010630
! passes
