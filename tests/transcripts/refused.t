#! if ! grep -q __asan_report_load $BUILD/driver/frng-search && sut-refuse EPERM kill true
# What a launcher or a sandbox may refuse, and what a machine runs out of: deadlines hold all the same, and
# a line names what is missing. Never a finding. A supervisor hands on its signal mask. (suites: plain)
$ echo hay >hay; printf '#!/bin/sh\nsleep 1000\n' >hangs; chmod +x hangs; t='--timeout 300ms'
> for how in --block-signal --ignore-signal; do
>   for words in 'spawn sut-modes -- hangs 0' 'fork sut-strays -- traced-by-child 0' 'persistent sut-strays -- traced-by-child 0'
>   do env $how frng-search $t --attempts 1 --rng-seed 1 --mode $words 2>&1 | grep -e ^size= -e failure; done
>   env $how frng-replay --size 0 --seed 1 $t sut-modes -- hangs 0 2>&1; env $how frng-reduce --predicate ./hangs $t hay 2>&1 || echo $?
> done | sort | uniq -c
|       2 2
|       2 fails with timeout
|       2 frng-reduce: hay: not interesting: the predicate took longer than 300ms (--timeout); it must exit with 0 for an interesting file
|       6 size=0 seed=6791897765849424158
|       6 smallest failure: timeout at size 0
# Old kernels, and the profiles of container engines, refuse system calls. One is replaced by another...
$ course='frng-search --rng-seed 1 --attempts 2 --timeout 300ms -q'; $course ring
> for calls in 'ENOSYS openat2' 'EPERM kill' 'EPERM waitid' 'ENOSYS pidfd_open,pidfd_send_signal' 'EPERM ptrace'; do
>   sut-refuse $calls $course ring; sut-refuse $calls $course sut-modes -- hangs 0
>   sut-refuse $calls frng-replay --size 0 --seed 1 --timeout 300ms sut-modes -- hangs 0 2>&1
> done | sort | uniq -c
| size=121 seed=3416750472713694501s
|       5 fails with timeout
|       5 size=0 seed=6791897765849424158
|       5 size=121 seed=3416750472713694501s
# ... or named with its error.
$ for call in memfd_create prctl socketpair ftruncate clone signalfd4 fcntl setsid pipe2; do for error in EPERM ENOSYS; do
>   sut-refuse $error $call frng-search -q ring 9</dev/null 2>&1; echo $?; done; done | sort | uniq -c
|       8 2
|      10 4
|       2 frng-search: <build>/examples/ring: cannot be started: Function not implemented
|       2 frng-search: <build>/examples/ring: cannot be started: Operation not permitted
|       1 frng-search: cannot listen to signals: Function not implemented
|       1 frng-search: cannot listen to signals: Operation not permitted
|       1 frng-search: cannot prepare descriptors: Function not implemented
|       1 frng-search: cannot prepare descriptors: Operation not permitted
|       4 frng-search: cannot run worker processes: Function not implemented
|       4 frng-search: cannot run worker processes: Operation not permitted
|       2 frng-search: worker processes keep dying; is something killing them, memory short, or a call refused, as by a sandbox?
$ refuse() { sut-refuse "$@" || echo $?; }; q='-q --timeout 300ms'; refuse EPERM wait4 frng-search $q ring
> refuse ENOSYS wait4,waitid frng-search $q sut-modes -- hangs 0
> refuse ENOSYS wait4 frng-replay $q --size 0 --seed 1 sut-modes -- hangs 0
> refuse EPERM kill,pidfd_send_signal frng-search $q sut-modes -- hangs 0
> refuse EPERM kill,pidfd_send_signal frng-search --attempts 2 --size-max 8 -q true
| 4
| 4
| 125
| 4
! frng-search: cannot wait for a run: Operation not permitted; frng needs wait4(2), which a sandbox may refuse
! frng-search: cannot wait for a run: Function not implemented; frng needs wait4(2), which a sandbox may refuse
! frng-replay: cannot wait for a run: Function not implemented; frng needs wait4(2), which a sandbox may refuse
! frng-search: a run does not die of SIGKILL; is kill(2) refused by a sandbox, or the machine stuck?
# A run finds no file of the driver open in its worker.
$ cat >spoils <<'END'
> #!/bin/sh
> for fd in /proc/$PPID/fd/*; do
>   readlink "$fd" >>seen
>   case $fd in */2) ;; *) (: >"$fd") ;; esac
> done 2>/dev/null
> exit 3
> END
> chmod +x spoils; for how in auto subreaper; do
>   frng-search --containment $how --attempts 3 --rng-seed 1 --jobs 2 --json events --findings found ./spoils >out 2>/dev/null
>   cat out; grep -o '"event":"\(start\|done\)"' events
> done | sort | uniq -c; grep -E '(/|:\[?)(events|found|out|signalfd)\b' seen
|       3 "event":"done"
|       3 "event":"start"
|       2 size=0 seed=6791897765849424158
? 1
# With few descriptors a search has enough, or says so before anything is found.
$ for n in $(seq 4 63); do
>   (ulimit -n $n; frng-search --jobs 2 --attempts 2 --size-max 16 --rng-seed 1 --findings found-$n sut-modes -- at-least 5) >out 2>err
>   s=$?; [ $s != 1 ] || break; grep -q '^frng-search: ' err || cat err; grep 'does not speak' err; [ $s = 2 ] || [ $s = 4 ] || echo $s; ls -d found-$n/0* 2>/dev/null; done
> cat out; [ $n -gt 6 ]
| size=5 seed=3181050607885091805
# Without room for the entropy a tool says so.
$ ulimit -v 60000; frng-search --jobs 1 --size-max 1G --findings room -q sut-modes -- at-least 5 || echo $?; ls room | grep ^0
> frng-replay --size 1G --seed 1 sut-modes -- at-least 5
| 4
! frng-search: cannot run worker processes: Cannot allocate memory
! frng-replay: cannot go on: Cannot allocate memory
? 125
