# A program that cannot be started is an error of the environment, and never a finding.
$ cat >both <<'END'
> #!/bin/sh
> frng-search --attempts 2 --findings found "$1" || echo $?
> frng-replay "$1" --size 1 --seed 1 || echo $?
> ls found 2>/dev/null
> true
> END
> chmod +x both
$ mkdir folder; printf '#!/bin/sh\nexit 1\n' >plain
> for name in ./no-such-sut no-such-sut no/such/sut ./folder folder . ./plain; do ./both $name; done 2>&1 |
>   sed 's/^frng-[a-z]*//' | sort | uniq -c
|       7 125
|       7 2
|       2 : ./folder: is a folder; give the program in it
|       2 : ./no-such-sut: not found; check the path, or build it first
|       2 : ./plain: not executable; compile it if it is source code, else try: chmod +x ./plain
|       2 : .: is a folder; give the program in it
|       2 : folder: is a folder; give the program in it
|       2 : no-such-sut: not found on PATH; give the path to the program
|       2 : no/such/sut: not found; check the path, or build it first
# These are tried again for some seconds: somebody may be writing them.
$ printf '#!/no/such/interpreter\nexit 1\n' >interpreted; printf 'exit 1\n' >script; : >empty
> cp $BUILD/tests/sut/sut-modes foreign; chmod +x interpreted script empty
> printf '\360\360' | dd of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null
> for name in interpreted script empty foreign; do ./both ./$name >$name.out 2>&1 & done; wait
> cat *.out | sed 's/^frng-[a-z]*//' | sort | uniq -c
|       4 125
|       4 2
|       2 : ./empty: cannot be started: not a program of this machine; a script begins with #! and its interpreter
|       2 : ./foreign: cannot be started: not a program of this machine; a script begins with #! and its interpreter
|       2 : ./interpreted: cannot be started: its interpreter was not found; check the first line of a script, or the loader of a binary
|       2 : ./script: cannot be started: not a program of this machine; a script begins with #! and its interpreter

# A missing shared library: the linker's own line comes first in a replay.
$ cp $BUILD/tests/sut/sut-linked linked; cp $BUILD/tests/sut/libsut-library.so .
$ LD_LIBRARY_PATH=. frng-search --attempts 2 --rng-seed 1 --quiet ./linked
| size=41 seed=15903160598761770143
? 1
$ rm libsut-library.so
$ LD_LIBRARY_PATH=. frng-search --attempts 2 ./linked
! frng-search: ./linked: cannot be loaded: ./linked: error while loading shared libraries: libsut-library.so: cannot open shared object file: No such file or directory
? 2
$ LD_LIBRARY_PATH=. frng-replay ./linked --size 1 --seed 1
! ./linked: error while loading shared libraries: libsut-library.so: cannot open shared object file: No such file or directory
! frng-replay: ./linked: cannot be loaded: ./linked: error while loading shared libraries: libsut-library.so: cannot open shared object file: No such file or directory
? 125
# So is what a script or env does not find: they exit with 126 or 127 at once.
$ printf '#!/usr/bin/env nosuch\n' >sut; printf '#!/bin/sh\nexec /etc/passwd\n' >denied; chmod +x sut denied
> export LC_ALL=C; frng-search --attempts 2 ./sut || s="$s $?"; frng-search --stdin pipe --attempts 2 ./denied || s="$s $?"
> for more in '' --quiet '--runs 2'; do frng-replay $more ./sut --hex 4d 2>/dev/null || s="$s $?"; done
> echo 1 >in; frng-reduce --predicate ./sut in || s="$s $?"; echo $s
| 2 2 125 125 125 2
! frng-search: ./sut: cannot be started: exits with 127 without reading its input: /usr/bin/env: 'nosuch': No such file or directory
! frng-search: ./denied: cannot be started: exits with 126 without reading its input: ./denied: 2: exec: /etc/passwd: Permission denied
! frng-reduce: <here>/sut: cannot be started: exits with 127 without reading its input: /usr/bin/env: 'nosuch': No such file or directory
! frng-reduce: <here>/sut: ran without standard input in a private folder with the file alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cp --remove-destination -- in "$d"/in && cd "$d" && <here>/sut in)

# Exits with the codes of shells and loaders are failures all the same, of a program that read its input.
$ printf '#!/bin/sh\n[ $(cat | wc -c) -lt 5 ] || exit 127\n' >sut; frng-search --quiet --rng-seed 1 --attempts 2 ./sut; frng-replay ./sut --hex 0000000000
| size=5 seed=3181050607885091805
! fails with exit:127
? 1
$ for code in 125 126 127
> do frng-search --attempts 2 --rng-seed 1 sut-modes -- exit $code 2>&1 | grep -e ': exit'; done
| smallest failure: exit:125 at size 0
| smallest failure: exit:126 at size 0
| smallest failure: exit:127 at size 0

# Programs are found by path and on PATH, however they are called.
$ cp $BUILD/tests/sut/sut-modes sut; ln -s sut link; cp sut ./-dash
> mkdir 'with spaces'; cp sut "with spaces/and 'quotes'"
> cp sut 'with
> newline'; cp sut './at the end
> '
$ for path in ./sut 'with spaces/../sut' "with spaces/and 'quotes'" ./link $PWD/sut ./-dash './with
> newline' './at the end
> '; do
>   frng-search --attempts 2 --rng-seed 1 "$path" 2>said | grep folder; grep replay said
>   sed -n 's/^  replay *//p' said | sh 2>/dev/null || t="$t $?"
>   frng-replay --quiet --size 41 --seed 1 "$path" || s="$s $?"
> done; echo $s,$t
|   replay   frng-replay ./sut --size 41 --seed 15903160598761770143
|   replay   frng-replay 'with spaces/../sut' --size 41 --seed 15903160598761770143
|   replay   frng-replay 'with spaces/and '\''quotes'\''' --size 41 --seed 15903160598761770143
|   replay   frng-replay ./link --size 41 --seed 15903160598761770143
|   replay   frng-replay <here>/sut --size 41 --seed 15903160598761770143
|   replay   frng-replay ./-dash --size 41 --seed 15903160598761770143
|   replay   frng-replay "$(printf './with\012newline')" --size 41 --seed 15903160598761770143
|   replay   frng-replay "$(printf './at\040the\040end')""${IFS#??}" --size 41 --seed 15903160598761770143
| 1 1 1 1 1 1 1 1, 1 1 1 1 1 1 1 1
$ mkdir bin; cp sut bin/some-sut; PATH=$PWD/bin:$PATH
> frng-search --attempts 2 --rng-seed 1 --quiet some-sut
> frng-replay --size 41 --seed 1 some-sut || echo $?
| size=41 seed=15903160598761770143
| 1
! fails with exit:1
$ mv bin/some-sut .; frng-search --attempts 2 --rng-seed 1 some-sut
! frng-search: some-sut: not found on PATH; for the file in this folder say ./some-sut
? 2

# A path never commands the terminal.
$ frng-search "./mis$(printf '\033[31m\nsing\a')"
! frng-search: ./mis\x1b[31m\x0asing\x07: not found; check the path, or build it first
? 2
$ cp sut "$(printf 'strange\033[31m\n\a.')"
> frng-search --attempts 2 --rng-seed 1 "./$(printf 'strange\033[31m\n\a.')" 2>&1 | grep replay
|   replay   frng-replay "$(printf './strange\033\13331m\012\007.')" --size 41 --seed 15903160598761770143

# One that cannot be started is an error however short the time.
$ for says in '' 'FRNG_DRIVER'; do
>   printf "#!/no/such/interpreter\n# $says\n" >bad; chmod +x bad
>   frng-search --time 1ms ./bad || echo $?; frng-reduce --time 1ms --size 3 --seed 1 ./bad || echo $?; done 2>&1 | sort | uniq -c
|       4 2
|       2 frng-reduce: ./bad: cannot be started: its interpreter was not found; check the first line of a script, or the loader of a binary
|       2 frng-search: ./bad: cannot be started: its interpreter was not found; check the first line of a script, or the loader of a binary

# The driver's own output: only results have to be written, and disks.t has those that cannot be.
$ frng-search --attempts 2 --rng-seed 1 sut-modes 2>/dev/full
| size=41 seed=15903160598761770143
? 1
# What cannot be opened is refused before any run.
$ printf '#!/bin/sh\ntouch ran; exit 1\n' >touches; chmod +x touches; : >file
$ frng-search --json no/such/folder/x ./touches; ls ran
! frng-search: no/such/folder/x: cannot be opened: No such file or directory
! ls: cannot access 'ran': No such file or directory
? 2
$ ln -s touches same; for name in touches same; do frng-search --json $name ./touches; done; ls ran; head -c 9 touches
| #!/bin/sh<no newline>
! frng-search: touches: is ./touches itself, and would be overwritten; give another --output, or --json
! frng-search: same: is ./touches itself, and would be overwritten; give another --output, or --json
! ls: cannot access 'ran': No such file or directory
$ frng-search --findings file ./touches; ls ran
! frng-search: file: cannot be opened: Not a directory
! ls: cannot access 'ran': No such file or directory
? 2
# A screen needs a terminal.
$ for tool in frng-search 'frng-reduce --size 3 --seed 1'
> do $tool --ui screen sut-modes; echo $?; done
| 2
| 2
! frng-search: --ui screen: standard error is not a terminal that can show it
! frng-reduce: --ui screen: standard error is not a terminal that can show it
