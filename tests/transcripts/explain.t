# What an explanation says of each draw: the values that fail, with one draw changed at a time. (suites: compiled)
$ cat >explain <<'END'
> #!/bin/sh
> # explain WAY OPTION...: what is left of a failure, and its table with what is below
> way=$1; shift; found=$(frng-search --quiet --rng-seed 1 sut-explained -- $way)
> frng-reduce "$found" --explain yes "$@" sut-explained -- $way 2>&1 | sed '/^  effort/d; /^offset/,$!{/^size/!d}'
> END
> chmod +x explain; for way in sizes equal kinds sum counted; do ./explain $way; done
| offset  note  bytes  draw      value  fails with
|      0  key   01     u8 0..30  0      any
|      1  size  1a     u8 0..40  4      4..20
|      2  rest  01     u8 0..25  0      any
|            random values of all "any" draws at once fail, too (20 runs)
| size=3 hex=011a01
| offset  note  bytes  draw      value  fails with
|      0  key   01     u8 0..30  0      = size
|      1  size  01     u8 0..40  0      = key
|      2  rest  01     u8 0..25  0      any
| size=3 hex=010101
| offset  note    bytes             draw            value  fails with
|      0  number  d4fe              i16             -300   -32768..-300
|      2  coin    01                bool            true   only true
|      3  real    7cc4cccccccccc4c  double -10..10  3      2.5..10
|     11  text    6a5601            string          "da"   1 of 3 are any
|     14  wide    00000000          u32             0      any
|            random values of all "any" draws at once fail, too (20 runs)
| size=18 hex=d4fe017cc4cccccccccc4c6a560100000000
| offset  note  bytes  draw      value  fails with
|      0  key   01     u8 0..30  0      any
|      1  size  01     u8 0..40  0      any
|      2  rest  c6     u8 0..25  20     20..25
|            random values of all "any" draws at once fail, too (20 runs)
| size=3 hex=0101c6
| offset  bytes  draw     value  fails with
|      0  4a     u8 0..6  2      only 2
|      1  80     u8 0..3  2      2..3
|      2  c0     u8 0..3  3      only 3
| size=3 hex=4a80c0
# Values whose encodings are longer than the input are tried; a failure at another place is another one.
$ for how in '03010100 lengths' 'c7 placed'; do
>   set -- $how; frng-reduce --hex $1 --explain yes sut-explained -- $2 2>&1 >/dev/null | grep -A5 ^offset | grep -v effort; done
| offset  bytes  draw                 value  fails with
|      0  03     u8                   3      3..255
|      1  01     mixed u32 0..100000  0      any
|      2  01     mixed i64            0      any
|      3  00     double               0      any
|            random values of all "any" draws at once fail, too (20 runs)
| offset  bytes  draw  value  fails with
|      0  64     u8    100    100..199
# Jobs and modes change no statement, and none changes the result.
$ for how in '--jobs 1' '--jobs 3' '--mode spawn' '--mode fork' '--mode persistent'
> do ./explain larger $how; done | sort | uniq -c
|       5      0  key   01     u8 0..30  0      only 0
|       5      1  size  07     u8 0..40  1      1..40
|       5      2  rest  01     u8 0..25  0      any
|       5 offset  note  bytes  draw      value  fails with
|       5 size=3 hex=010701
$ frng-reduce --quiet "$(frng-search -q --rng-seed 1 sut-explained -- larger)" --explain no sut-explained -- larger
| size=3 hex=010701
? 1
# By default it is some rows; what costs more is cut, and says so.
$ frng-reduce --hex 011a01 --jobs 1 sut-explained -- sizes 2>&1 | sed -n '/^  explain/,/^   .* random/p'
|   explain  values that fail, with one draw changed at a time (248 runs)
|            key   any
|            size  4..20
|            rest  any
|            random values of all "any" draws at once fail, too (20 runs)
$ printf '#!/bin/sh\nsleep 0.2\nexit $(( $(wc -c) > 0 ))\n' >slow; chmod +x slow
> frng-reduce --hex 00 --jobs 1 ./slow 2>&1 | grep explain
|   explain  nothing: runs take over 50 ms; --explain yes takes the time
# A flaky failure has none; bytes of a program without draws have one, if they are few.
$ printf '#!/bin/sh\nprintf x >>n\ntest $(($(wc -c <n) %% 5)) = 0\n' >fifths; chmod +x fifths
$ frng-reduce --hex 00000000 --jobs 1 --explain yes ./fifths 2>&1 | grep explain
|   explain  nothing: the failure is flaky
$ for how in 'ff0741 byte 7' "$(printf 'ff%.0s' $(seq 100)) at-least 100"; do
>   set -- $how; hex=$1; shift; frng-reduce --hex $hex --explain yes sut-modes -- $* 2>&1 | grep -A1 explain | grep -v effort; done
|   explain  values that fail, with one draw changed at a time (261 runs)
|            offset 0  only 0x07
|   explain  nothing: the program reports no draws, and 64 bytes are the most
# A finding keeps it for its replay.
$ frng-reduce --quiet --hex 011a01 --explain yes --findings found sut-explained -- sizes
> (frng-replay --finding found/* --trace; echo $?) 2>&1 | sed 's/ at three$//'
| size=3 hex=011a01
| offset  note  bytes  draw      value  fails with
|      0  key   01     u8 0..30  0      any
|      1  size  1a     u8 0..40  4      4..20
|      2  rest  01     u8 0..25  0      any
| fails with signal:SIGABRT
| 1
