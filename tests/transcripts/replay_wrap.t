# Under another program, whose command line gets the target's behind it.
$ cat >wrapper <<'END'
> #!/bin/sh
> printf '<%s>' "$@"; echo; cat
> if [ -n "${FRNG_INPUT-}" ]; then
>   od -An -tx1 "$FRNG_INPUT"; while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"
> fi
> END
> chmod +x wrapper
# A program with FRNG_MAIN gets its entropy by FRNG_INPUT, and stdin is the wrapper's.
$ echo typed | frng-replay sut-compare --hex 80 --wrap './wrapper --args'
| <--args><<build>/tests/sut/sut-compare>
| typed
|  80
! entropy is in FRNG_INPUT=<path>/entropy
! frng: the test returned false after 1 of 1 bytes of entropy
? 1
# A plain one under a debugger gets a file and the line to type.
$ cat >my-gdb <<'END'
> #!/bin/sh
> printf '<%s>' "$@"; echo; cat
> eval "od -An -v -tx1 -w20 $(sed -n 's/.*run < *//p' err)"
> END
> chmod +x my-gdb
$ echo typed | frng-replay --size 20 --seed 92 --wrap ./my-gdb sut-modes -- says 41 'a b' c 2>err
| <<build>/tests/sut/sut-modes><says><41><a b><c>
| typed
|  28 61 73 70 ca 91 d9 25 46 cd fc ac 72 28 53 3b 2e 56 81 1a
$ sed 's,< /.*/,< <path>/,' err
| entropy is in a file; in a debugger: run < <path>/entropy
# Under what just runs it, it gets its entropy on stdin.
$ frng-replay --size 41 --seed 1 --wrap env sut-modes -- says 41 'out of sut' 'err of sut'
| out of sut
! entropy is in a file; in a debugger: run < <path>/entropy
! err of sut
? 1
# The exit status is the wrapper's, and no verdict is said.
$ for input in 'compare --hex 00' 'compare --hex 80' 'modes --size 40 --seed 1' 'modes --size 41 --seed 1'; do
>   frng-replay sut-$input --wrap 'timeout 50'; echo $?
> done
| 0
| 1
| 0
| 1
! entropy is in FRNG_INPUT=<path>/entropy
! entropy is in FRNG_INPUT=<path>/entropy
! frng: the test returned false after 1 of 1 bytes of entropy
! entropy is in a file; in a debugger: run < <path>/entropy
! entropy is in a file; in a debugger: run < <path>/entropy
$ for wrapper in true false "sh -c 'exit 7'" "sh -c 'kill -TERM \$\$'"
> do frng-replay sut-modes --hex 80 --wrap "$wrapper" 2>&1; echo $?; done | sed 's,< .*/,< FOLDER/,' | sort | uniq -c
|       1 0
|       1 1
|       1 143
|       1 7
|       4 entropy is in a file; in a debugger: run < FOLDER/entropy
# Options of a verdict do not go with it.
$ for option in '--runs 2' '--json -' '--only exit:1' '--ignore exit:1'
> do frng-replay sut-modes --hex 80 --wrap true $option || echo $?; done 2>&1 | sort | uniq -c
|       4 129
|       4 frng-replay: --wrap gives no verdict: leave out --runs, --json, --only and --ignore; see 'frng-replay --help'
# One that is not there.
$ frng-replay --hex 80 --wrap './no-such-wrapper --args' sut-modes
! frng-replay: ./no-such-wrapper: not found; check the path, or build it first
? 125
# Its file is private and removed; a debugger, and what is called like one, keeps the terminal.
$ printf '#!/bin/sh\nstat -c %%a "$TMPDIR" "$TMPDIR"/*; wc -c <"$(echo "$TMPDIR"/*/entropy)"\n' >shows
> chmod +x shows; mkdir -m 755 tmp
> for hex in 0001ff ''
> do TMPDIR=$PWD/tmp frng-replay sut-modes --hex "$hex" --wrap ./shows 2>/dev/null; ls -A tmp; done
| 755
| 700
| 3
| 755
| 700
| 0
$ TMPDIR=/no/such/folder frng-replay sut-modes --hex 00 --wrap true
! frng-replay: /no/such/folder: cannot be written: No such file or directory
? 125
$ mkdir gdb; for name in rust-lldb-14 a-gdb gdb/tool; do
>   printf '#!/bin/sh\nod -An -c\n' >$name; chmod +x $name
>   printf typed | frng-replay sut-modes --hex 0102 --wrap "./$name -x" 2>/dev/null
> done
|    t   y   p   e   d
|    t   y   p   e   d
|  001 002
