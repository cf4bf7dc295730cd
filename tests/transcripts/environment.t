# A run inherits what the caller has, and nothing of the driver. (suites: plain)
$ cat >told <<'END'
> #!/bin/sh
> # told TOOL...: what the runs under a tool wrote down, each line once, without numbers of processes
> rm -f log; case "$*" in *search*) set -- "$@" --attempts 2 --size-max 8 --rng-seed 1;; esac
> "$@" sut-environment -- $PWD/log 5 'an argument' '' >/dev/null 2>&1
> sid=$(cut -d' ' -f6 /proc/self/stat)
> awk -v sid=$sid '/^run/ {run = $2} /^group/ {print "group", $2 == run ? "own" : "shared"}
>   /^session/ {print "session", $2 == sid ? "shared" : "own"}' log >kept
> sed '/^\(run\|parent\|session\|group\|size\|PATH\|end\|SigPnd\|SigQ\|SigCgt\)/d; s/^\(descriptor[^ ]*\).*/\1/' log >>kept
> sort -u kept
> END
> chmod +x told; echo typed >typed
$ umask 027; FRNG_INPUT=/etc/passwd ./told frng-search --jobs 1 --findings found --json events 7</dev/null <typed | tee first
| FRNG_SCENARIO <here>
| SigBlk 0000000000000000
| SigIgn 0000000000000000
| argument.0 sut-environment
| argument.1 <here>/log
| argument.2 5
| argument.3 an argument
| argument.4
| core <n>
| descriptor.0
| descriptor.1
| descriptor.2
| folder <here>
| group own
| session own
| stdin.access read
| stdin.kind file
| stdin.offset 0
| umask 27
$ umask 027; FRNG_INPUT=/etc/passwd ./told frng-replay --size 4 --seed 1 <typed | diff first - | grep -e own -e shared
| < group own
| < session own
| > group shared
| > session shared
$ sort -n log | sed -n 's/^size //p' | xargs; ./told frng-search >/dev/null; sed -n 's/^size //p' log | sort -un | sed -n '1p;$p' | xargs
| 4
| 0 8
# Signals: SIGPIPE and SIGCHLD are reset, and what the caller blocks stays blocked.
$ ./told env --ignore-signal=PIPE --ignore-signal=CHLD frng-search | grep Sig
| SigBlk 0000000000000000
| SigIgn 0000000000000000
$ ./told env --block-signal=USR1 frng-search | grep Sig
| SigBlk 0000000000000200
| SigIgn 0000000000000000
$ [ $(ulimit -H -c) = 0 ] || ASAN_OPTIONS=disable_coredump=0 ./told prlimit --core=0:$(ulimit -H -c) frng-search | grep -c 'core 1'
| 1
# FRNG_DRIVER is of this driver's own protocol, whatever it was before.
$ for value in '' garbage 1,0,1,2; do
>   FRNG_DRIVER=$value ./told frng-search | grep FRNG_DRIVER
>   FRNG_DRIVER=$value frng-replay --hex 80 --trace sut-compare 2>/dev/null | grep u8
>   for mode in auto fork persistent; do
>     FRNG_DRIVER=$value frng-search --json - --mode $mode sut-compare 2>/dev/null |
>       sed -n 's/.*"event":"start".*"mode":"\([a-z]*\)".*/\1/p; s/.*"event":"done".*"size":\([0-9]*\).*/\1/p' | xargs
>   done
> done | sort | uniq -c
|       3      0  80     u8    128
|       3 fork 1
|       6 persistent 1
$ printf '\0' >bytes; FRNG_INPUT=bytes frng-search --quiet --rng-seed 1 sut-compare
| size=1 seed=16860738450190168607
? 1
# A replay has the caller's own streams.
$ rm -f log; frng-replay --size 4 --seed 1 sut-environment -- $PWD/log 5 >out 2>err; grep 'descriptor.[12]' log
| descriptor.1 <here>/out
| descriptor.2 <here>/err
# Whatever its caller did to it, the driver works.
$ few="--quiet --attempts 2 --rng-seed 1 --size-max 64"
> for closed in '0<&-' '1>&-' '2>&-' '0<&- 1>&-' '0<&- 2>&-' '0<&- 1>&- 2>&-'; do
>   rm -f log; eval "frng-search $few sut-modes -- log $PWD/log 41 2>/dev/null $closed"
>   s="$s $? $(grep -qx 40 log; echo $?)"
> done; echo $s
| size=41 seed=15903160598761770143
| size=41 seed=15903160598761770143
| size=41 seed=15903160598761770143
| 1 0 4 0 1 0 4 0 1 0 4 0
$ few="--quiet --attempts 2 --rng-seed 1"
> for how in 'env --ignore-signal=CHLD' 'env --block-signal=CHLD --block-signal=ALRM --block-signal=TERM --block-signal=INT' \
>   'prlimit --nofile=64:64' 'env LC_ALL=tr_TR.UTF-8' 'env LC_ALL=no_SUCH LANG=de_DE.UTF-8'
> do $how frng-search $few --timeout 1500ms --jobs 4 sut-modes; done | uniq -c
> env -i $BUILD/driver/frng-search $few $BUILD/tests/sut/sut-modes
|       5 size=41 seed=15903160598761770143
| size=41 seed=15903160598761770143
? 1
$ env --ignore-signal=CHLD frng-replay --size 41 --seed 1 sut-modes
! fails with exit:1
? 1
$ bash -c 'i=10; while ((i++ < 300)); do eval "exec $i</dev/null"; done
> exec frng-search --quiet --attempts 2 --rng-seed 1 sut-modes'
| size=41 seed=15903160598761770143
? 1
$ mkdir gone; cd gone; rmdir $PWD; frng-search --quiet --attempts 2 --rng-seed 1 sut-modes
| size=41 seed=15903160598761770143
? 1
# 56 KiB are stack enough, with an environment of 8 KiB.
$ yes 'many words' | head -n 50 >text; printf '#!/bin/sh\ngrep -q words "$1"\n' >predicate; chmod +x predicate
$ ! grep -q __asan_report_load $BUILD/driver/frng-search || stack=8192; ulimit -s ${stack:-56}
> export LONG=$(printf %8000s x)
> few='--attempts 2 --rng-seed 1 --json events'
> for how in "search $few --verbose --findings found sut-modes" "search $few --reduce sut-modes" \
>   'replay --size 41 --seed 1 --trace sut-modes' "reduce --json events --size 41 --seed 1 sut-modes" \
>   "reduce --predicate ./predicate text"
> do frng-$how >/dev/null 2>&1; s="$s $?"; done; echo $s
| 1 1 1 1 0
