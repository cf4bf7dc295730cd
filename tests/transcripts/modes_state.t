# What a test keeps from run to run is said, once, and never taken for a failure. (suites: plain)
$ ln -s $SOURCE/tests/sut/in_process.py .; cat >noticed <<'END'
> #!/bin/sh
> # noticed ATTEMPTS ARGUMENT...: with how many attempts it takes: how many runs share a process follows the clock
> attempts=$1; shift
> until rm -f events; frng-search --rng-seed 1 --jobs 1 --json events --attempts $attempts --size-max 8 --timeout 60s "$@" 2>err; status=$?
>   grep -q 'keeps state' err || [ $attempts -gt 20000 ]; do attempts=$((4 * attempts)); done
> echo $status $(grep -o '"mode":"[a-z]*"' events | sed -n '1p;$p'); sed -n 's/seed [0-9s]*/seed N/; s/size [0-9]*/size N/; /state/p' err
> END
> chmod +x noticed; ./noticed 300 sut-dirt -- counts-otherwise 0; ./noticed 300 sut-dirt -- draws-otherwise 0
> ./noticed 50 sut-dirt -- leaves-once 0; ./noticed 60 ./in_process.py -- once 3
| 0 "mode":"persistent" "mode":"fork"
| the test keeps state between its runs, or is flaky: size N, seed N drew another count of bytes than it does in a fresh process; from now on each run has a process of its own
| 0 "mode":"persistent" "mode":"fork"
| the test keeps state between its runs, or is flaky: size N, seed N made other draws than it does in a fresh process; from now on each run has a process of its own
| 0 "mode":"persistent" "mode":"fork"
| the test keeps state between its runs, or is flaky: size N, seed N or one before it left a process behind; from now on each run has a process of its own
| 3 "mode":"persistent" "mode":"spawn"
| the test keeps state between its runs, or is flaky: size N, seed N failed after other runs, and passes in a fresh process; from now on each run has a process of its own
# What only the first run of a process does otherwise is no state that a later one meets.
$ frng-search --rng-seed 1 --jobs 1 --json settled --attempts 3000 --size-max 8 sut-dirt -- settles 0 2>&1 | grep -c state
> grep -o '"mode":"[a-z]*"' settled | sort -u
| 0
| "mode":"persistent"
# What runs take away from later ones is no failure. A busy machine puts few runs in one process.
$ taken() { frng-search --rng-seed 1 --jobs 1 --json events --size-max 1 "$@" 0 2>err || echo $?; cat err | grep state | grep -v 'failed after other runs, and passes in a fresh'
>   [ $(grep -c 'keeps state' err) -le 1 ] || cat err; [ $1 = --mode ] || ! grep -q 'keeps state' err || tail -n 1 events | grep -o '"mode":"persistent"'; rm events; }
> taken --mode persistent --attempts 1000 sut-dirt -- leaks; taken --attempts 1000 sut-dirt -- leaks
> taken --mode persistent --timeout 1s --attempts 60 sut-dirt -- leaks-and-hangs; taken --memory 32M --attempts 300 sut-dirt -- hoards
| 3
| 3
| 3
| 3
# A failure that never repeats is no finding.
$ for mode in spawn fork persistent; do for jobs in 1 2; do
>   frng-search --rng-seed 1 --mode $mode --jobs $jobs --attempts 10 --size-max 8 sut-dirt -- once 5 mark-$mode-$jobs 2>&1 || echo $?
> done; done | grep -o -e '^inconclusive: [^ ]*' -e '^[0-9]*$' -e ^size | sort | uniq -c
|       6 3
|       6 inconclusive: signal:SIGABRT
# What it printed is kept, in its own folder, which is no list of findings.
$ for mode in spawn fork persistent; do
>   frng-search --rng-seed 1 --mode $mode --attempts 10 --size-max 8 --findings found --json events sut-dirt -- once 5 kept-$mode 2>err
>   grep -c 'output   never again' err; grep -c '^{"event":"unconfirmed".*"output":"never again.n".*"finding":"found/unconfirmed/' events; rm events
> done; ls found; cat found/unconfirmed/*.json | grep -c '"output": "never again.n"'; frng-status found; frng-replay --list found
| 1
| 1
| 1
| 1
| 1
| 1
| unconfirmed
| 3
| no workers: frng-search reports here with --sync or --worker
|
| nothing found
! frng-replay: found: no findings
# A process that the server starts is its own.
$ frng-search --rng-seed 1 --jobs 1 --json - --size-max 4 --attempts 20 ./in_process.py -- helper 2>err | grep -o '"mode":"[a-z]*"' | uniq; grep state err
| "mode":"persistent"
? 1
