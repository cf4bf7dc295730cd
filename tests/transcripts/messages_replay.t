# Usage errors of frng-replay are exit status 129, for `git bisect run` to stop.
$ frng-replay
! frng-replay: which input? Give --size and --seed, --input, --hex or --finding; see 'frng-replay --help'
? 129
$ frng-replay --size 3 --seed 1
! frng-replay: which program? Usage: frng-replay TARGET [options] [-- ARG...]; see 'frng-replay --help'
? 129
$ frng-replay sut-modes --size 3
! frng-replay: --size needs --seed; see 'frng-replay --help'
? 129
$ frng-replay sut-modes --seed 3
! frng-replay: --seed needs --size; see 'frng-replay --help'
? 129
$ frng-replay sut-modes at-least --size 1 --seed 1
! frng-replay: unexpected argument 'at-least': arguments for the program under test follow '--'
? 129
$ frng-replay sut-modes --size x --seed 1
! frng-replay: --size 'x' is not valid: give a size of at most 8G, such as 41, 64K or 4MiB
? 129
$ frng-replay sut-modes --size 1 --seed 1 --runs 0
! frng-replay: --runs '0' is not valid: give a whole number, at least 1, such as 500 or 10k
? 129
$ frng-replay sut-modes --hex 01 --size 3
! frng-replay: --size and --hex disagree: leave --size out, --hex gives the size; see 'frng-replay --help'
? 129
$ for line in '' 'gdb "--args'
> do frng-replay sut-modes --size 1 --seed 1 --wrap "$line" || s="$s $?"; done; echo $s
| 129 129
! frng-replay: --wrap '' is not valid: give a program and its arguments, such as 'gdb --args'
! frng-replay: --wrap 'gdb "--args' is not valid: give a program and its arguments, such as 'gdb --args'

# A file that cannot be read, or is no finding, is named.
$ frng-replay sut-modes --input no-such-file
! frng-replay: no-such-file: cannot be opened: No such file or directory
? 129
$ frng-replay sut-modes --input /dev/zero
! frng-replay: /dev/zero: is no file, and has 256 MiB or more; give a file of them, or less
? 129
$ frng-replay sut-modes --input .
! frng-replay: .: is a folder; give a file in it
? 129
$ frng-replay sut-modes --finding no-such-file
! frng-replay: no-such-file: cannot be read: No such file or directory
? 129
$ for content in '{' '{}' '{"format": 1, "size": "x"}'; do
>   printf "$content" >some.json
>   frng-replay sut-modes --finding some.json || s="$s $?"
> done; echo $s
| 129 129 129
! frng-replay: some.json: cannot be read: it is cut short, or not a JSON object
! frng-replay: some.json: cannot be read: it is not a finding of frng
! frng-replay: some.json: cannot be read: its "size" makes no sense
# Events do not go into the program.
$ cp $BUILD/tests/sut/sut-modes sut; frng-replay --hex 00 --json sut ./sut -- never || echo $?; cmp sut $BUILD/tests/sut/sut-modes
| 125
! frng-replay: sut: is ./sut itself, and would be overwritten; give another --output, or --json
