# A program has one answer however its runs are made. (suites: plain)
$ cat >course <<'END'
> #!/bin/sh
> # course ARGUMENT...: what must not depend on the mode of a search, with counts of the modes
> for mode in ${modes:-spawn fork persistent auto}; do rm -f events
>   case $mode in fork|auto) jobs=2 ;; *) jobs=1 ;; esac
>   frng-search -q --rng-seed 1 --json events --mode $mode --jobs $jobs "$@"; echo $?
>   sed -n 's/.*"done".*\("outcome":"[a-z]*"\).*\("identity":[^,]*\),.*\("flaky":[^,]*\),.*\("runs":[0-9]*\),"re.*/\1 \2 \3 \4/p' events
> done | sort | uniq -c
> END
> chmod +x course; ln -s $SOURCE/tests/sut/in_process.py .
$ ./course --attempts 3 consensus; ./course --attempts 10 sut-assert; few='--attempts 10 --size-max 64'
> ./course $few sut-dirt -- segv 5; ./course $few sut-dirt -- floods 5 64
> modes='spawn persistent' ./course --attempts 2 --size-max 8 ./in_process.py -- exits 5
|       4 "outcome":"fail" "identity":"signal:SIGABRT" "flaky":false "runs":79
|       4 1
|       4 size=1788 seed=1341094462932094338
|       4 "outcome":"fail" "identity":"signal:SIGABRT" "flaky":false "runs":35
|       4 1
|       4 size=4 seed=7080814041164127444s
|       4 "outcome":"fail" "identity":"signal:SIGSEGV" "flaky":false "runs":35
|       4 1
|       4 size=5 seed=3181050607885091805
|       4 "outcome":"fail" "identity":"signal:SIGABRT" "flaky":false "runs":35
|       4 1
|       4 size=5 seed=3181050607885091805
|       2 "outcome":"fail" "identity":"exit:3" "flaky":false "runs":12
|       2 1
|       2 size=5 seed=3181050607885091805
# Styled seeds are the same runs for programs that do not know them.
$ for what in nothing styles styles,bytes; do
>   ./course --attempts 10 --size-max 4K --expand both sut-before -- $what; done | sed 's/"identity.*flaky/flaky/' | sort | uniq -c
|       3       4 "outcome":"fail" flaky":false "runs":136
|       3       4 1
|       3       4 size=18 seed=11975759768745466171s
# A reduction and a trace in process are those of spawn.
$ for mode in spawn persistent; do frng-reduce -q --hex 01ff --mode $mode --explain no ./in_process.py -- sees; done
> frng-replay --hex 0102fb --trace ./in_process.py -- sees 2>&1 | grep -e '^ *[0-9]' -e fails
| size=1 hex=fb
| size=1 hex=fb
|      0  01     u8    1
|      1  02     u8    2
|      2  fb     u8    251
| fails with python:AssertionError at in_process.py:<n>

# Each way to fail has its name.
$ for mode in spawn fork persistent; do frng-search -q --mode $mode --all --attempts 40 --size-max 3 --rng-seed 1 sut-dirt -- any 0
> done | sed 's/.*signature=//; s/SIGTRAP/SIGILL/' | sort | uniq -c
|       3 exit:3
|       3 exit:4
|       3 exit:5
|       3 exit:7
|       3 signal:SIGABRT at does_any
|       3 signal:SIGILL at does_trap
|       3 signal:SIGKILL
|       3 signal:SIGSEGV at does_segv
|       3 signal:SIGTERM
$ for what in closes-and-exits floods-and-exits kills; do
>   frng-search --rng-seed 1 --attempts 1 --size-max 4 --jobs 1 --timeout 1h ./in_process.py -- $what 3 2>&1 | grep -e ^size= -e failure: -e flaky; done
| smallest failure: exit:3 at size 3
| size=3 seed=16065523922850094438
| smallest failure: exit:3 at size 3
| size=3 seed=16065523922850094438
| smallest failure: signal:SIGKILL at size 3
| size=3 seed=16065523922850094438
# What was drawn is known after the hardest end: by bisection 20 bytes take more runs.
$ for deed in kills overflows; do for mode in fork persistent; do rm -f events
>   frng-search -q --attempts 1 --jobs 1 --json events --mode $mode --rng-seed 1 sut-dirt -- $deed 20; grep -o '"runs":[0-9]*,"reruns' events | tail -n 1
> done; done | sort | uniq -c
|       4 "runs":12,"reruns
|       4 size=20 seed=8960593081339977370
$ for deed in exit0 leaves; do for mode in spawn fork persistent; do frng-search -q --mode $mode --attempts 5 --size-max 8 sut-dirt -- $deed 3; done; done
$ for how in 'modes -- sleeps' 'modes -- spins' 'modes -- stops' 'modes -- ignores' 'dirt -- spins 1' 'dirt -- stops 1' 'dirt -- ignores 1'; do
>   frng-search -q --timeout 100ms --attempts 1 --size-max 2 --rng-seed 1 --findings found sut-$how; grep -h identity found/*; rm -r found
> done | sort | uniq -c
|       7   "identity": "timeout",
|       4 size=0 seed=6791897765849424158
|       3 size=1 seed=16860738450190168607

# What a run does to its stdin is not seen by the next: it would see its own zeros (exit:9).
$ for how in 'truncate 41 0' 'truncate 41 1073741824' 'scribble 41' 'scribble 5000' 'seal 41'
> do frng-search --rng-seed 1 --attempts 5 --expand uniform sut-modes -- $how 2>&1 | grep -e ^size= -e exit:9; done
| size=41 seed=15903160598761770143
| size=41 seed=15903160598761770143
| size=41 seed=15903160598761770143
| size=5000 seed=3366087140509982325
| size=41 seed=15903160598761770143
# A flood does not get into events and findings: 64 KiB are kept, which best and done have escaped.
$ for mode in spawn fork persistent; do
>   frng-search --mode $mode --attempts 1 --rng-seed 1 --json events --findings found sut-dirt -- floods 5 1024 2>err
>   cat err events found/* | wc -c | awk '$1 > 300000'; LC_ALL=C grep '[[:cntrl:]]' err; rm -r found events
> done; frng-replay --size 5 --seed 1 sut-modes -- flood 2 5 2>/dev/null | wc -c
| size=5 seed=3181050607885091805
| size=5 seed=3181050607885091805
| size=5 seed=3181050607885091805
| 1048576
# No file is left.
$ mkdir -p empty/tmp; cd empty; ulimit -c $(ulimit -Hc); { export TMPDIR=$PWD/tmp; frng-search --attempts 1 sut-modes -- signal 6
> frng-search --attempts 2 --mode fork sut-dirt -- segv 3; frng-replay --size 41 --seed 1 sut-modes
> frng-replay --size 41 --seed 1 --wrap env sut-compare; } >/dev/null 2>&1; find .
| .
| ./tmp
