# Limits of time: what a busy machine makes is inconclusive, and a bug at a deadline is found. (suites: plain)
$ cat >tell <<'END'
> #!/bin/sh
> # tell ARGUMENT...: a search's exit status, its verdict and the reason; no finding is kept of one that is inconclusive
> frng-search --attempts 1 --size-max 4 --rng-seed 1 --json events --findings found "$@" >out 2>err; status=$?
> echo $status; sed 's/ seed.*//' out; grep -o -e '^inconclusive: [a-z]*:' -e failure:.* -e flaky -e '[0-9]* runs* not counted' err
> grep -o '"reason":"[a-z]*"' events; [ $status = 1 ] || ls found; rm -rf found events
> END
> chmod +x tell; for mode in spawn fork persistent; do ./tell --timeout 500ms --mode $mode sut-dirt -- hangs-once 3 mark-$mode; done | sort | uniq -c
|       3 "reason":"timeout"
|       3 1 run not counted
|       3 3
|       6 inconclusive: timeout:
$ for mode in spawn fork persistent; do ./tell --mode $mode --timeout 150ms --jobs 5 sut-dirt -- waits-for-vfork 3
>   ./tell --mode $mode --timeout 100ms --jobs 5 sut-dirt -- races 3 100; done | sort | uniq -c
|       6 1
|       3 failure: signal:SIGABRT at size 3
|       3 failure: timeout at size 3
|       6 size=3
$ ./tell --timeout 1500ms sut-dirt -- dawdles 3 count # it ends within twice that
| 3
| inconclusive: timeout:
| inconclusive: timeout:
| 1 run not counted
| "reason":"timeout"
$ for deed in spins stops; do ./tell --timeout 100ms --memory 256M --jobs 5 sut-dirt -- $deed 3; done | uniq -c
|       1 1
|       1 size=3
|       1 failure: timeout at size 3
|       1 1
|       1 size=3
|       1 failure: timeout at size 3
# The search goes on after one.
$ printf '#!/bin/sh\nn=$(wc -c); [ $n -lt 4 ] || exit 3\n[ $n -lt 2 ] || ! mkdir was 2>/dev/null || sleep 600\n' >busy; chmod +x busy
> ./tell --timeout 500ms ./busy
| 1
| size=4
| inconclusive: timeout:
| failure: exit:3 at size 4
| 1 run not counted
# A hang that comes and goes is flaky.
$ frng-search --timeout 300ms --jobs 5 --attempts 1 --size-max 4 sut-dirt -- hangs-at-times 3 times 2>&1 | grep -o -e 'failure: timeout' -e 'flaky [0-9]/5'
| failure: timeout
| flaky <n>/5
# One that stops its parent is judged like any.
$ stops='kill -STOP $PPID'; for name in "stops $stops" "hangs $stops; sleep 600" "interesting $stops; grep -q n hay"
> do printf "#!/bin/sh\n${name#* }\n" >${name%% *}; chmod +x ${name%% *}; done; few='--containment subreaper --timeout 1s --jobs 4 --size-max 1'
> ./tell $few ./stops; ./tell $few --memory 1G ./stops; ./tell $few ./hangs; frng-search $few --mode fork ./stops || echo $?
> printf needle >hay; frng-reduce -q --containment subreaper --predicate ./interesting hay; cat hay.reduced
| 0
| 0
| 1
| size=0
| failure: timeout at size 0
| 2
| size=1 output=hay.reduced
| n<no newline>
! frng-search: ./stops: cannot be run with --mode fork: it does not speak the protocol; say --mode spawn
# A worker that was stopped does not outlive its driver, which is stopped too or it would continue the worker.
$ printf '#!/bin/sh\n>running; until [ -e now ]; do sleep 0.1; done; kill -STOP $PPID; >stopped; sleep 600\n' >stops; chmod +x stops
> frng-search --containment subreaper --jobs 1 ./stops 2>/dev/null & until [ -e running ]; do sleep 0.1; done
> kill -STOP $!; >now; until [ -e stopped ]; do sleep 0.1; done; kill -KILL $!; wait
# A reduction asks again what was slow for once: in its first look, and when it is verified.
$ frng-reduce --hex 010203 --timeout 500ms --json events sut-dirt -- hangs-once 2 once 2>&1 | grep -o '^inconclusive: [a-z]*'; grep -o '"reason":"[a-z]*"' events
| inconclusive: timeout
| inconclusive: timeout
| "reason":"timeout"
$ printf "#!/bin/sh\ngrep -q n hay || exit 1\necho >>$PWD/asked\n[ \$(wc -l <$PWD/asked) -ne 3 ] || sleep 2\n" >slow; rm hay.reduced; chmod +x slow
> frng-reduce --predicate ./slow hay --timeout 1500ms --jobs 1 2>&1 | grep -e ^size= -e flaky; cat hay.reduced
| size=1 output=hay.reduced
| n<no newline>

# No run, or one that the end of --time cuts off while it may hang, is no pass.
$ printf '#!/bin/sh\n[ "$(wc -c)" -ge 4 ] && exec sleep 1000\nexit 0\n' >hangs; printf '#!/bin/sh\nsleep 2\n' >slow; printf '#!/bin/sh\nsleep 0.05\n' >naps
> over() { rm -f events; timeout 30 frng-search --json events "$@" 2>err; echo $?; sed -n 's/[0-9.]* s$/N s/; /^inconclusive/p' err
>   grep -o -e '"reason":"[a-z]*"' -e '"replay":"frng-replay ./hangs --size [0-9]*' events; frng-report events; grep -o '<p>the run of [0-9]* .* after' report.html || :; }
> chmod +x naps; for how in --all '--containment subreaper' '--jobs 1'; do over --time 2s $how ./hangs; done | sort | uniq -c
> for mode in fork persistent; do over --mode $mode --time 1s --timeout 1h sut-dirt -- spins 3; done
> over --time 1s ./slow; over --time 1ms ./naps
|       3 "reason":"unfinished"
|       3 "replay":"frng-replay ./hangs --size 4
|       3 3
|       3 <p>the run of 4 bytes had not ended after
|       3 inconclusive: the run of 4 bytes had not ended after N s
| 3
| inconclusive: the run of <n> bytes had not ended after N s
| "reason":"unfinished"
| <p>the run of <n> bytes had not ended after
| 3
| inconclusive: the run of <n> bytes had not ended after N s
| "reason":"unfinished"
| <p>the run of <n> bytes had not ended after
| 3
| inconclusive: the run of 0 bytes had not ended after N s
| "reason":"unfinished"
| <p>the run of 0 bytes had not ended after
| 3
| inconclusive: the time ended before the first run did
| "reason":"untested"

# A server that starts again slowly, after a failure that is ignored, has no run under way; nor is a rerun for its message one.
$ cat >starts <<'END'
> #!/usr/bin/env python3
> import os, sys, time
> sys.path.insert(0, os.environ["SOURCE"] + "/frng/python"); import frng
> if os.path.exists("failed"): time.sleep(6) # the next start
> @frng.main
> def test(f):
>     if f.bytes(int(os.environ["SIZE"])): open("failed", "w").close(); sys.exit(1)
> END
> chmod +x starts; for SIZE in 1 2; do export SIZE; rm -f failed
>   frng-search ./starts --jobs 1 --size-max 2 --ignore exit:1 --time 3s 2>&1 | grep -o -e '^no failure' -e '^inconclusive.*:'; done
| inconclusive: only the run of 0 bytes passed:
| no failure

# A replay leaves cores to the user.
$ printf '#!/bin/sh\nulimit -S -c\n' >tells; chmod +x tells; export ASAN_OPTIONS=disable_coredump=0 # else a tool built so has none at all
> for core in 0 16 unlimited; do [ $(ulimit -H -c) = unlimited ] || { echo $core; continue; }; ulimit -S -c $core; frng-replay -q --hex 00 ./tells; done
| 0
| 16
| unlimited
? 125
# Runs are offered to the kernel that is out of memory, and the driver is not.
$ printf '#!/bin/sh\ncat /proc/self/oom_score_adj >>scores\nsleep 600\n' >tells
> frng-search --timeout 1h --jobs 1 ./tells 2>/dev/null & until [ -s scores ]; do sleep 0.1; done; cmp /proc/$!/oom_score_adj /proc/self/oom_score_adj
> kill $!; wait; sort -u scores
| 1000
# A program that starts slowly may hang in less than ten times that.
$ for seconds in 3 6 9; do # a busy machine starts it more slowly
>   printf '#!/bin/sh\nsleep 0.%s; [ "$(wc -c)" -lt 4 ] || exec sleep 60\n' $seconds >starts; chmod +x starts
>   status=0; frng-search --quiet --time ${seconds}s --timeout 2m ./starts || status=$?; [ $status = 0 ] || break; done
> echo $status
| 3
# A file is reduced without 233 bytes of memory for each of its own: 16 MB took 3 GB.
$ python3 -c 'print("a line of a log\n" * 600000 + "needle\n" + "and another\n" * 500000)' >big.log
$ printf '#!/bin/sh\ngrep -q needle "$1"\n' >has; chmod +x has
$ python3 -c 'import resource, subprocess, sys
> subprocess.run(sys.argv[1:]); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 128 << 10)' \
>   frng-reduce --quiet --predicate ./has big.log
| size=6 output=big.log.reduced
| True
# Its --time ends it, however long its passes look for a candidate.
$ printf '#!/bin/sh\ncmp -s "$1" "$OLDPWD/big.log"\n' >same; sed -i "s|.OLDPWD|$PWD|" same; chmod +x same
$ rm big.log.reduced; timeout 30 frng-reduce --quiet --predicate ./same big.log --time 2s >/dev/null; echo $?
| 0
# An explanation is made where runs are fast, and then has a limit of runs.
$ frng-reduce --hex $(printf '00%.0s' $(seq 200)) --jobs 1 --json events sut-explained -- many 2>&1 >/dev/null | grep -A2 explain
> grep -o '"runs":2000,"draws":200,"explained":[0-9]*,"cut":"[a-z]*"' events
|   explain  values that fail, with one draw changed at a time (2,000 runs)
|            offset 0-78  any
|            79 of 200 draws explained: 2,000 runs are over; --explain yes goes on
|   effort   22 calls and 0 steps in <time> (<n>/s, <jobs>)
| "runs":2000,"draws":200,"explained":79,"cut":"calls"
