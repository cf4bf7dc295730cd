#! if sut-refuse EPERM namespaces true && frng-search -q --containment namespace --attempts 1 --size-max 1 true && unshare --mount --pid --fork true
# Runs that leave processes, or trace and are traced (ptrace): none survives its run, hurts another, is
# taken for another's or waited for without a limit. All that sut-strays leaves holds a lock on `living`. (suites: long)
$ cat >tools <<'END'
> # left: the processes of this file but for shells
> left() { grep -lsz "^FRNG_SCENARIO=$FRNG_SCENARIO\$" /proc/[0-9]*/environ | sed 's/environ/comm/' | xargs cat 2>/dev/null |
>   grep -vx -e sh -e grep -e sed -e xargs -e cat -e sort -e uniq; flock -n living true || echo 'a process was left'; }
> gone() { for i in $(seq 300); do [ -n "$(left)" ] || return 0; sleep 0.1; done; left; }
> # fails WAY MODE JOBS OPTION...: a search of what leaves processes in each run, and fails from 3 bytes on
> fails() { way=$1 mode=$2 jobs=$3; shift 3
>   $wrap frng-search --mode $mode --jobs $jobs --attempts ${attempts:-3} --size-max 64 --rng-seed 1 "$@" sut-strays -- $way 3 2>err |
>     sed 's/ seed.*//'; grep -o 'failure: .*' err; left; }
> # killed COMMAND...: a driver that is killed with its runs under way
> killed() { "$@" >out 2>&1 & until [ $(left | wc -l) -gt 4 ]; do :; done; kill -KILL $!; gone; }
> refuse='sut-refuse EPERM namespaces'
> END
> touch living; . ./tools; for row in 'child spawn 1' 'session spawn 8' 'daemon fork 1' 'output fork 8' 'stopped persistent 1' 'reaper persistent 8' \
>   'chain spawn 1' 'chain fork 1' 'reaper fork 1' 'stopped spawn 1' 'output spawn 1' 'daemon persistent 1' 'session persistent 1' 'child fork 1'
> do fails $row; done | sort | uniq -c
|      14 failure: exit:1 at size 3
|      14 size=3
# Some are a match for a namespace alone; in 50 attempts there are far more runs than workers to be lost.
$ . ./tools; attempts=50; for way in chains kill-parent kill-all; do for mode in spawn fork persistent; do for jobs in 1 8
> do fails $way $mode $jobs; done; done; done | sort | uniq -c
|      18 failure: exit:1 at size 3
|      18 size=3
$ printf '#!/bin/sh\necho $PPID >>parents\nexit 3\n' >tells; chmod +x tells
> frng-search -q --rng-seed 1 --memory 1G --jobs 1 ./tells; sort -u parents
| size=0 seed=6791897765849424158
| 1
# As in most containers, namespaces are refused, and runs are kept by a subreaper.
$ . ./tools; wrap=$refuse; for row in 'child spawn 8' 'session spawn 1' 'daemon fork 8' 'output fork 1' 'stopped persistent 8' 'reaper persistent 1' 'chain spawn 8'
> do fails $row; done | sort | uniq -c; $refuse frng-search --verbose sut-strays -- daemon 3 2>&1 | grep -o 'containment.*subreaper'
> killed $refuse frng-search --jobs 2 --size-max 64 --keep-going --time 1h sut-strays -- reaper 99
|       7 failure: exit:1 at size 3
|       7 size=3
| containment subreaper
# None survives a killed driver.
$ . ./tools; for row in 'spawn sut-strays -- stopped' 'fork sut-strays -- reaper' 'persistent sut-strays -- chain'; do
>   killed frng-search --containment namespace --jobs 8 --size-max 64 --keep-going --time 1h --mode $row 99; done
# The next run starts clean.
$ . ./tools; for row in 'spawn child' 'fork session' 'spawn daemon' 'fork output' 'spawn stopped' 'fork reaper' 'spawn chain'; do
>   frng-search --mode ${row% *} --jobs 1 --attempts 15 --size-max 4 sut-strays -- ${row#* } 0 clean 2>&1 | grep exit; left; done
# Children do not pile up nor hold up a search: it has its workers, and in each of these a run with its child.
$ . ./tools; frng-search -q --time 2s --size-max 4 --jobs 2 sut-modes -- child 100 & most=0
> while kill -0 $! 2>/dev/null; do n=$(left | wc -l); [ $n -le $most ] || most=$n; done; echo $((most > 2 && most < 20))
> frng-search -q --time 1s --timeout 1h sut-modes -- hangs-child 0 2>/dev/null || echo $?
> frng-search --timeout 1h sut-modes -- hangs-child 0 2>/dev/null & until [ $(left | wc -l) -ge 4 ]; do :; done; kill $!; wait; gone
| 1
| 3
# A run that unmounts /proc hides no process, and later workers start without it. A foreign /proc is reported.
$ . ./tools; for then in 'exit 0' 'kill -KILL $PPID'; do printf "#!/bin/sh\numount -l /proc\nsetsid sleep 50 >/dev/null 2>&1 &\n$then\n" >unmounts
>   chmod +x unmounts; unshare --mount frng-search --containment subreaper --jobs 1 --attempts 20 --size-max 4 ./unmounts 2>&1 || echo $?; left
> done | grep -e '^[0-9]' -e 'cannot be found' -e sleep
| 3
| 4
$ printf '#!/bin/sh\numount -l /proc\n[ -e once ] || { touch once; kill -KILL $PPID; }\n[ $(head -c 4 | wc -c) -lt 4 ] || exec sleep 1000\n' >hangs
> chmod +x hangs; . ./tools; box='unshare --mount frng-search --containment subreaper --rng-seed 1'
> for row in ./hangs '--mode fork --jobs 8 sut-dirt -- unmounts-and-hangs 4' '--mode persistent --jobs 8 sut-dirt -- unmounts-and-hangs 4'
> do $box --time 2s $row 2>&1 | sed 's/[0-9.]* s$/N s/;/frng-search/p;/^inconclusive/!d'; left; done | uniq -c
> for mode in spawn fork persistent; do $box -q --mode $mode --attempts 20 --reduce --findings $mode sut-dirt -- unmounts 4 2>&1; ls $mode; done | sort | uniq -c
|       3 inconclusive: the run of 4 bytes had not ended after N s
|       3 0000000004-05a19a974edfd211.json
|       3 size=4 hex=00000000
|       3 size=4 seed=16065523922850094438
$ printf '#!/bin/sh\nsetsid sleep 50 >/dev/null 2>&1 &\n' >leaves; chmod +x leaves; box='unshare --pid --fork --kill-child'
> for tool in 'search --attempts 2 --size-max 4 --containment subreaper' 'replay --size 3 --seed 1'
> do $box frng-$tool ./leaves 2>&1 | grep 'cannot be found'; done
| frng-search: processes that runs leave behind cannot be found: /proc/PID/task/TID/children cannot be read
| frng-replay: processes that runs leave behind cannot be found: /proc/PID/task/TID/children cannot be read

# Replays.
$ . ./tools; for way in child session daemon output stopped reaper chain; do frng-replay --size 3 --seed 1 sut-strays -- $way 3 2>&1; left; done | uniq -c
|       7 fails with exit:1
$ . ./tools; for way in '' setsid 'setsid setsid --fork'; do for tool in search 'replay --size 1 --seed 1'; do
>   printf "#!/bin/sh\n$way sh -c 'echo >left; exec sleep 1000' &\nwhile ! test -s left; do :; done; exit 3\n" >leaver; chmod +x leaver
>   frng-$tool -q ./leaver >/dev/null || echo $?; left; rm left; done; done | uniq -c
|       6 1
# Children that a tool had before it began live on, and so do theirs.
$ printf '#!/bin/sh\nsleep 1000 &\necho $! >pids\n(sleep 0.5; sleep 1000 & echo $! >>pids) &\nexec "$@"\n' >start; printf '#!/bin/sh\nsleep 0.4\nexit 1\n' >sleeps
> chmod +x start sleeps; for tool in 'search --containment subreaper --jobs 1' 'replay --runs 4 --size 1 --seed 1'; do
>   ./start frng-$tool ./sleeps >/dev/null 2>&1; s="$s $?"; kill $(cat pids) && s="$s $(wc -l <pids)"; done; echo $s
| 1 2 1 2

# Predicates, and reducers.
$ cat >>tools <<'END'
> # reduced PREDICATE OPTION...
> reduced() { { seq 30; echo 'the needle is here'; seq 30; } >hay; printf "#!/bin/sh\n$1\ngrep -q needle \"\$1\"\n" >interesting; chmod +x interesting; shift
>   $wrap frng-reduce -q --predicate ./interesting hay "$@"; cat hay.reduced; echo; rm hay.reduced; left; }
> END
> . ./tools; s=$(which sut-strays); { reduced ": | $s chain 0" --jobs 8; reduced ": | $s daemon 0" --jobs 1; reduced ": | $s reaper 0" --jobs 8
>   reduced ": | $s stopped 0" --jobs 1; for how in namespace subreaper; do reduced ": | $s traced-zombie 0 >\&2" --containment $how --timeout 5s; done
>   reduced 'kill -9 $PPID' --jobs 2; wrap=$refuse; reduced ": | $s daemon 0"; } 2>&1 | sort | uniq -c
|       8 needle
|       8 size=6 output=hay.reduced
$ . ./tools; printf '#!/bin/sh\n[ $3 -lt 3 ] || exit 1\n: | sut-strays kill-all 0\nhead -c -1 "$1" >new; mv new "$1"\n' >reducer; chmod +x reducer
> frng-reduce --predicate ./interesting hay --reducer ./reducer --jobs 2 2>&1 | grep disabled; cat hay.reduced; rm hay.reduced
| disabled reducer reducer all: crashed or hung again and again
| needle<no newline>

# How a traced run ended is seen. One that its own tracer stops for ever hangs.
$ . ./tools; for row in 'by-parent spawn subreaper' 'exec fork namespace' 'hidden spawn namespace' 'zombie fork subreaper' 'thread spawn subreaper' \
>   'threads fork namespace' 'by-child spawn namespace' 'by-grandchild fork subreaper' 'at-exit spawn subreaper'; do
>   set -- $row; { attempts=2 fails traced-$1 $2 2 --containment $3 --timeout 600ms
>   frng-replay --size 3 --seed 1 --timeout 600ms sut-strays -- traced-$1 3 2>&1; left
>   FRNG_WAY="traced-$1 0" frng-reduce --containment $3 --timeout 600ms --predicate sut-strays hay >out 2>&1; echo $?; left; } | xargs; done
| size=3 failure: signal:SIGABRT at size 3 fails with signal:SIGABRT at test 2
| size=3 failure: exit:1 at size 3 fails with exit:1 2
| size=3 failure: exit:1 at size 3 fails with exit:1 2
| size=3 failure: signal:SIGABRT at size 3 fails with signal:SIGABRT at test 2
| size=3 failure: signal:SIGABRT at size 3 fails with signal:SIGABRT at abort_under_trace 2
| size=3 failure: signal:SIGABRT at size 3 fails with signal:SIGABRT at test 2
| size=3 failure: timeout at size 3 fails with timeout 2
| size=3 failure: timeout at size 3 fails with timeout 2
| size=3 failure: timeout at size 3 fails with timeout 2
# Runs that stop or kill the worker that made them are set aside, and never pass in silence.
$ . ./tools; for mode in spawn fork persistent; do for how in namespace subreaper; do rm -f events frozen
>   frng-search --mode $mode --containment $how --jobs 2 --timeout 300ms --attempts 3 --size-max 16 --json events sut-strays -- freeze-once 0 2>err || echo $?
>   grep -o -e '^inconclusive: worker: a run of' -e '1 run not counted' -e busy err; grep -o '"reason":"[a-z]*"' events; left; done; done | sort | uniq -c
|       6 "reason":"worker"
|       6 1 run not counted
|       6 3
|      12 inconclusive: worker: a run of
# Time and signals end a search with a stopped worker soon.
$ . ./tools; for jobs in 1 6; do timeout 30 frng-search -q --mode spawn --jobs $jobs --time 1s sut-strays -- freeze 0 2>/dev/null; s="$s $?"
>   timeout --foreground --preserve-status -s TERM 2 frng-search -q --mode spawn --jobs $jobs sut-strays -- freeze 0 2>/dev/null; s="$s $?"; left; done; echo $s
| 3 143 3 143
# Processes of a dead worker are killed.
$ . ./tools; frng-search --mode spawn --containment subreaper --jobs 3 --attempts 3 --size-max 16 --rng-seed 1 sut-strays -- leave-and-kill-parent 0 || echo $?; left
| 4
! frng-search: worker processes keep dying; is something killing them, memory short, or a call refused, as by a sandbox?
!
! stopped before anything failed
!   effort   0 runs and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
