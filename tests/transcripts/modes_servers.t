# A server that lies, dies or starts no more costs time; nothing is made up, nothing is lost. (suites: plain)
$ cat >turn <<'END'
> # in_turn COMMAND...: the next search, with the mode that the last one had not; what it says is text
> in_turn() { [ "$mode" = fork ] && mode=persistent || mode=fork; frng-search --mode $mode --rng-seed 1 "$@" 2>err || echo $?; LC_ALL=C grep '[[:cntrl:]]' err; }
> few='--attempts 10 --size-max 64'
> END
> ln -s $SOURCE/tests/sut/in_process.py .; . ./turn
> for lie in hello-offset hello-twice hello-then-dies dies aborts dies-between hangs-up short long garbage done-twice \
>   count-more count-0 count-less status-after-all leftover digest
> do in_turn --attempts 2 --size-max 2 --timeout 100ms sut-liar -- $lie; done
> frng-search -q --attempts 2 --size-max 2 --timeout 100ms sut-liar -- hello-flags; [ $? = 0 ] || [ $? = 2 ] # it cannot fork
# Failures that no fresh process shows.
$ . ./turn; for lie in fails site never busy; do in_turn --attempts 1 --size-max 2 --timeout 100ms sut-liar -- $lie; done | uniq -c
|       4 3
# A failure is found in spite of it.
$ . ./turn; for lie in dies hangs-up garbage count-0 hello-twice hello-then-dies
> do in_turn --attempts 2 --timeout 5s sut-liar -- $lie 9; grep -o 'failure: .*' err; done | sed 's/seed.*//' | sort | uniq -c
|       6 1
|       6 failure: exit:3 at size 9
|       6 size=9
# What a run does to descriptors and its report does not reach the driver.
$ . ./turn; for n in 0 5; do for deed in closes-all writes-to-all hangs-up empties-all 'answers 0' 'answers 255' mortal; do
>   set -- $deed; in_turn $few sut-dirt -- $1 $n $2; [ $n = 0 ] || grep -o 'failure: .*' err; done; done | sed 's/seed.*//' | sort | uniq -c
|       7 1
|       7 3
|       7 failure: signal:SIGABRT at size 5
|       7 size=5
$ . ./turn; for deed in 'spoils 5 0' 'spoils 5 0x5a' 'spoils 5 0xff' 'fails-first 5' 'fails-first 5'
> do in_turn $few sut-dirt -- $deed; grep -o 'failure: .*' err; done | sed 's/seed.*//' | sort | uniq -c
|       5 1
|       5 failure: signal:SIGABRT at size 5
|       5 size=5
# What a run makes up is no finding.
$ . ./turn; for mode in fork persistent; do in_turn $few sut-dirt -- forges 0 6; done | grep -v 3
? 1
# One that dies or starts no more ends no search.
$ . ./turn; for i in 1 2; do in_turn --attempts 30 --size-max 2 sut-dirt -- kill-parent-at 1 7
>   rm -f starts; frng-search -q --jobs 1 --attempts 5 --size-max 4 ./in_process.py -- starts $i; done
# Many runs share a process, and a failure costs its starts only.
$ rm starts; frng-search -q --jobs 1 --attempts 3000 --size-max 64 ./in_process.py -- starts 1000; [ $(wc -c <starts) -lt 30 ]
# So does one that is ignored, until many of a size were: then it goes on.
$ rm starts; frng-search -q --rng-seed 1 --jobs 1 --attempts 400 --size-max 16 --ignore exit:1 ./in_process.py -- sees-starts 10000; [ $(wc -c <starts) -lt 120 ]
$ printf '#!/bin/sh\n# FRNG_DRIVER\nprintf + >>started\nexec ./in_process.py exits 8\n' >counted; chmod +x counted
> frng-search -q --rng-seed 1 --jobs 1 --attempts 300 --json events ./counted; . /dev/stdin <<END
> $(tail -n 1 events | sed 's/.*"runs":\([0-9]*\),"reruns":\([0-9]*\),.*/runs=\1 reruns=\2/')
> END
> echo $((runs > 300)) $(($(wc -c <started) < reruns + 30))
| size=8 seed=3181050607885091805
| 1 1
# The server that is asked what it can do makes the runs.
$ printf '#!/bin/sh\n# FRNG_DRIVER\nprintf + >>asked\nexec ring\n' >asks; chmod +x asks
> frng-search -q --jobs 1 --attempts 9 --size-max 1 ./asks; wc -c <asked
| 1
# A new program that repeats a failure confirms it. Other starts of a reduction are only a way to its answer.
$ printf '#!/bin/sh\n# FRNG_DRIVER\nprintf + >>seen\nexec ./in_process.py sees\n' >seer; chmod +x seer
> frng-search -q --rng-seed 1 --jobs 1 --attempts 300 --size-max 64 --reduce ./seer; [ $(wc -c <seen) -lt 20 ]
| size=1 seed=13608149317741381243s
| size=1 hex=fb
# Signals and time end whatever a server does.
$ printf '#!/bin/sh\n# speaks FRNG_DRIVER\nsleep 1000\n' >never; printf '#!/bin/sh\n# speaks FRNG_DRIVER
> [ -e begun ] && exec sleep 1000\n: >begun\nexec sut-dirt kill-parent-at 1 7\n' >once; chmod +x never once
> for how in ./never '--mode fork ./never' ./once; do timeout 30 frng-search --jobs 1 --timeout 1h --time $((500 * SLOWER))ms $how 2>&1 || echo $?; done |
>   grep -o -e '^inconclusive: .*had not' -e '^[0-9]*$' | sort | uniq -c
|       3 3
|       2 inconclusive: the run of 0 bytes had not
|       1 inconclusive: the run of 16 bytes had not
$ for how in 'TERM ./never' 'INT ./in_process.py -- passes 9' 'INT --mode fork sut-dirt -- exit0 1' 'INT --mode persistent sut-dirt -- exit0 1'; do
>   set -- $how; number=$1; shift; timeout --foreground --preserve-status -s $number 1 frng-search -q --jobs 1 --time 1h --timeout 1h "$@" || s="$s $?"; done; echo $s
| 143 130 130 130
# A program that starts slowly has two seconds for its hello.
$ printf '#!/bin/sh\n# speaks FRNG_DRIVER\nsleep 0.7\nexec ring\n' >slow; chmod +x slow
> frng-search --mode fork --timeout 200ms --attempts 1 --containment subreaper ./slow 2>&1 >/dev/null | grep protocol
? 1
