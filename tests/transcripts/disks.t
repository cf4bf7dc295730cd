#! if unshare -m mount -t tmpfs none /mnt || unshare -Urm mount -t tmpfs none /mnt
# Disks: full, read-only, gone, and folders of findings with anything in them. (suites: long)
$ cat >disk <<'END'
> #!/bin/sh
> # disk SIZE BEFORE COMMAND...: run it where `small` is a file system with so much room, which is then `kept`
> rm -rf kept; mkdir -p small kept; unshare -m true 2>/dev/null && flags=-m || flags=-Urm
> exec unshare $flags sh -c 'mount -t tmpfs -o size=$1 none small; eval "$2"; shift 2
> "$@"; status=$?; cp -r small/. kept 2>/dev/null; exit $status' sh "$@"
> END
> cat >told <<'END'
> #!/bin/sh
> # told COMMAND...: its exit status, and of stderr what is wrong and what was found
> "$@" 2>err; echo $? >&2; grep -e ^frng -e failure: -e replay -e ^reduced err >&2
> END
> fill='cat /dev/zero >small/filler 2>/dev/null'; echo "fill='$fill' few='--attempts 2 --rng-seed 1'" >vars; chmod +x disk told
# What cannot be written is told in full, with all that it takes to see it again.
$ . ./vars; full() { before=$1; shift; ./disk 64k "$before" ./told frng-search $few "$@" sut-modes; }
> { full "mkdir small/found; $fill" --findings small/found; full "$fill" -q --findings small
>   full "$fill" --json small/events; full 'mount -o remount,ro none small' --findings small; } 2>&1 | sort | uniq -c
|       4   replay   frng-replay sut-modes --size 41 --seed 15903160598761770143
|       4 4
|       1 frng-search: small/events: cannot be written: No space left on device
|       1 frng-search: small/found: findings cannot be stored: No space left on device; they stay in memory, and are tried again
|       1 frng-search: small/found: the finding could not be stored: No space left on device; it is printed below
|       1 frng-search: small: findings cannot be stored: No space left on device; they stay in memory, and are tried again
|       1 frng-search: small: findings cannot be stored: Read-only file system; they stay in memory, and are tried again
|       1 frng-search: small: the finding could not be stored: No space left on device; it is printed below
|       1 frng-search: small: the finding could not be stored: Read-only file system; it is printed below
|       4 size=41 seed=15903160598761770143
|       4 smallest failure: exit:1 at size 41
# Where the answer of an earlier reduction is, nothing is stored, and nothing said.
$ ./disk 64k 'frng-search -q --reduce --rng-seed 1 --attempts 2 --findings small sut-modes; mount -o remount,ro none small' \
>   ./told frng-search --attempts 2 --rng-seed 2 --findings small sut-modes; ls -A kept
| size=41 seed=15903160598761770143
| size=41 hex=0000000000000000000000000000000000000000000000000000000000000000000000000000000000
| size=41 seed=15903160598761770143
| 0000000041-337db1e8b1a4c4cb.json
! 1
! smallest failure: exit:1 at size 41
!   replay   frng-replay sut-modes --size 41 --seed 15903160598761770143
# A disk with room for two findings keeps the smallest.
$ ./disk 8k : frng-search -q --attempts 20 --findings small --rng-seed 3 sut-modes -- staircase; ls -A kept; grep reruns kept/*
| size=2 seed=3628132321181240491s
| 0000000002-3259b71f9a1f0cabs.json
|   "reruns": 20,
# An output that does not fit is an error, and leaves what was there.
$ printf '#!/bin/sh\n[ "$(wc -c)" -lt 30000 ]\n' >sut; chmod +x sut; frng-replay --size 60000 --seed 1 --dump >start
> ./disk 8k : ./told frng-reduce ./sut --input start --jobs 1 --output small/out --calls 30 | wc -c; ls -A kept
| 60016
! 4
! frng-reduce: small/out: cannot be written: No space left on device
! reduced: exit:1, 60,000 -> 30,000 bytes
!   replay   give frng-replay the line on standard output
$ printf '#!/bin/sh\n[ "$(grep -c keep "$1")" -ge ${0##*-} ]\n' | tee keep-1 >keep-8000; chmod +x keep-*; yes keep | head -n 12000 >hay
> ./disk 8k 'echo precious >small/out' ./told frng-reduce --predicate ./keep-8000 hay --output small/out --calls 30 | cut -c -20; ls -A kept; cat kept/out
| size=40000 hex=6b656
| out
| precious
! 4
! frng-reduce: small/out: cannot be written: No space left on device
! reduced so far: hay, 60,000 -> 40,000 bytes
# What no disk takes is on standard output.
$ . ./vars; printf '#!/bin/sh\ngrep -q keep hay && [ -s more ]\n' >both; chmod +x both; echo more >more
> for files in './both hay more' './keep-1 hay'; do ./disk 64k "$fill" ./told frng-reduce --jobs 1 --output small/out --predicate $files; done; grep result err; ls -A kept
| file=hay size=4 hex=6b656570
| file=more size=1 hex=65
| size=4 hex=6b656570
|   result   standard output has the bytes in hex: turn them back with xxd -r -p
| filler
! 4
! frng-reduce: small/out: cannot be written: No space left on device
! reduced: hay and 1 more, 60,005 -> 5 bytes
! 4
! frng-reduce: small/out: cannot be written: No space left on device
! reduced: hay, 60,000 -> 4 bytes
$ TMPDIR=$PWD/small ./disk 8k : frng-reduce --predicate ./keep-1 hay || echo $?; ls hay.reduced
| 4
! frng-reduce: <here><path>: no run can work in this folder: No space left on device
! ls: cannot access 'hay.reduced': No such file or directory
? 2
# So is a full stdout, and a closed one, but for verdicts.
$ for options in '' -q '--json -' '--json - -q'; do . ./vars; exec 2>&1
>   ./told frng-search $few $options --findings found sut-modes >/dev/full
>   ./told frng-reduce sut-draws --hex $(printf '01%.0s' $(seq 20)) --jobs 1 $options >/dev/full
>   ./told frng-reduce --predicate ./keep-1 hay $options >/dev/full; cat hay.reduced; echo; rm hay.reduced
> done | sort | uniq -c
|       4   replay   frng-replay sut-draws --hex 010101010101010101
|       4   replay   frng-replay sut-modes --size 41 --seed 15903160598761770143
|      12 4
|       4 frng-reduce: -: cannot be written: No space left on device
|       4 frng-reduce: standard output: cannot be written: No space left on device
|       2 frng-search: -: cannot be written: No space left on device
|       2 frng-search: standard output: cannot be written: No space left on device
|       4 keep
|       4 reduced: hay, 60,000 -> 4 bytes
|       4 reduced: signal:SIGABRT at draws, 20 -> 9 bytes
|       4 smallest failure: exit:1 at size 41
$ . ./vars; for options in '' -q '--json - -q'; do ./told frng-search $few $options sut-modes >&-; done 2>&1 | sort | uniq -c
|       3   replay   frng-replay sut-modes --size 41 --seed 15903160598761770143
|       3 4
|       1 frng-search: -: cannot be written: Bad file descriptor
|       2 frng-search: standard output: cannot be written: Bad file descriptor
|       3 smallest failure: exit:1 at size 41
$ for how in '--hex 01 --dump' '--size 41 --seed 1' '--size 40 --seed 1'; do frng-replay -q $how sut-modes >&-; s="$s $?"; done; echo $s
| 125 1 0
! frng-replay: standard output: cannot be written: Bad file descriptor
# The first line is enough for the reader.
$ ./told frng-search --attempts 30 --rng-seed 1 --json - --findings first sut-modes -- staircase | head -n 1 | grep -c '"start"'; ls -A first
| 1
| 0000000002-2fa0ebcce284916bs.json
! 4
! smallest failure: exit:1 at size 2
!   replay   frng-replay sut-modes --size 2 --seed 3432002181262512491s -- staircase
# What cannot be used is refused before any run.
$ printf '#!/bin/sh\ntouch %s/ran; exit 1' $PWD >touches; chmod +x touches; mkdir denied
> [ $(id -u) != 0 ] || drop='setpriv --bounding-set=-dac_override,-dac_read_search'
> as() { chmod $1 denied; shift; $drop "$@"; s="$s $?"; chmod 755 denied; }
> as 0 frng-search --findings denied ./touches; as 555 frng-reduce ./touches --hex 00 --output denied/out
> as 555 frng-reduce --predicate ./touches hay --output denied/out; echo $s; ls ran
| 2 2 2
! frng-search: denied: cannot be opened: Permission denied
! frng-reduce: denied/out: cannot be written: Permission denied
! frng-reduce: denied/out: cannot be written: Permission denied
! ls: cannot access 'ran': No such file or directory
? 2
# What can no longer be stored, as its folder is gone, is told in full.
$ printf '#!/bin/sh\nrm -rf %s/gone\n[ "$(wc -c)" -lt 5 ]' $PWD >removes; chmod +x removes; . ./vars
> mkdir gone; ./told frng-search $few --findings gone ./removes
> mkdir gone; ./told frng-reduce ./removes --jobs 1 --hex 000000000000000000 --findings gone --output gone/out
| size=5 seed=3181050607885091805
| size=5 hex=0000000000
! 4
! frng-search: gone: findings cannot be stored: No such file or directory; they stay in memory, and are tried again
! frng-search: gone: the finding could not be stored: No such file or directory; it is printed below
! smallest failure: exit:1 at size 5
!   replay   frng-replay ./removes --size 5 --seed 3181050607885091805
! 4
! frng-reduce: gone/out: cannot be written: No such file or directory
! frng-reduce: gone: findings cannot be stored: No such file or directory; they stay in memory, and are tried again
! frng-reduce: gone: the finding could not be stored: No such file or directory; it is printed below
! reduced: exit:1, 9 -> 5 bytes
!   replay   frng-replay ./removes --hex 0000000000
# Findings are stored when their folder is back, or another one is there.
$ cat >moving <<'END'
> #!/bin/sh
> # moving SCRIPT: a search while whose runs a script moves its folder `moved`; the findings there
> printf '#!/bin/sh\ncd %s; echo >>ran\n%s\n[ "$(wc -c)" -lt 5 ]' $PWD "$1" >moves; chmod +x moves
> rm -rf moved away ran; mkdir moved
> ./told frng-search --attempts 2 --rng-seed 1 --jobs 1 --findings moved ./moves 2>&1 | grep -e ^size= -e moved:; grep -h '"reruns' moved/*
> END
> chmod +x moving; ./moving '[ -e away ] || mv moved away; [ "$(wc -l <ran)" -ne 20 ] || { mv away moved; mkdir away; }'
> ./moving '[ -e away ] || [ -z "$(ls moved)" ] || { mv moved away; mkdir moved; }'; ls away | wc -l
| size=5 seed=3181050607885091805
| frng-search: moved: findings cannot be stored: No such file or directory; they stay in memory, and are tried again
| frng-search: moved: all findings are stored again
|   "reruns": 20,
| size=5 seed=3181050607885091805
|   "reruns": 20,
| 1

# Whatever has the name of a finding is named, passed over, and left as it is. test_finding.c has more texts.
$ mkdir hostile; cd hostile; a=0000000001-00000000000000
> good() { printf '{"format": 1, "sut": "sut-modes", "sut_digest": null, "args": [], "size": %s, "seed": "7",
>  "expand": 1, "identity": "%s", "status": 1, "site": null}' "$@"; }
> printf '{"a":%.0s' $(seq 100000) >${a}01.json; good -1 exit:1 >${a}02.json; good 50 'exit:x\\u001b[2J' >${a}03.json
> mkfifo ${a}04.json; mkdir ${a}05.json; ln -s /dev/zero ${a}06.json; ln -s /dev/tty ${a}07.json
> ln -s ${a}08.json ${a}08.json; ln -s nowhere ${a}09.json; truncate -s 1T ${a}10.json; ls -li >../before; cd ..
> frng-search -q --attempts 2 --rng-seed 1 --findings hostile sut-modes; rm hostile/0000000041*; ls -li hostile | diff before -; rm -r hostile
| size=41 seed=15903160598761770143
! frng-search: hostile/0000000001-0000000000000001.json: skipped: it is cut short, or not a JSON object
! frng-search: hostile/0000000001-0000000000000002.json: skipped: its "size" makes no sense
! frng-search: hostile/0000000001-0000000000000003.json: skipped: its "identity" makes no sense
! frng-search: hostile: 7 more files skipped
# A folder cannot be replaced by a file: the finding that has this name is not stored.
$ . ./vars; mkdir -p place/$(ls found | head -n 1); ./told frng-search -q $few --findings place sut-modes
| size=41 seed=15903160598761770143
! 4
! frng-search: place/0000000041-dcb3604e572f0c9f.json: skipped: it is a folder
! frng-search: place: findings cannot be stored: Is a directory; they stay in memory, and are tried again
! frng-search: place: the finding could not be stored: Is a directory; it is printed below
! smallest failure: exit:1 at size 41
!   replay   frng-replay sut-modes --size 41 --seed 15903160598761770143
