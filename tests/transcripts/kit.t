# What a test says stands where it said it; what it says is whole up to 159 bytes, and escaped. (suites: plain)
$ for name in says worlds; do ln -s $BUILD/tests/kit/kit-$name $name; done
> frng-replay --trace --hex 0044 ./says | grep -v xxx
| sum 1 after 2 bytes, heard
| offset  note  bytes  draw     value
| 1. fault
|       > round 1 of two
|      0  who   00     u8 0..3  0
|       > cuts off S0 for 0 ms
| 2. fault
|       > round 2 of two
|      1  who   44     u8 0..3  1
|       > cuts off S1 for 20 ms
|       > all rounds
|       >
|       > raw \x1b[31mred\x0aand \xff\xfe
! passes
$ frng-replay --trace --hex 0000 ./says | awk '/xxx/ { print length($0) - 8 }'
| 32
| 64
| 159
| 159
! passes
# Also after the last draw, where entropy runs out, before a crash; and with or without who listens.
$ frng-replay --trace --hex 00 ./says | sed -n '/ who$/,$p' | grep -v xxx
|         who
|       > out of entropy
|       >
|       > raw \x1b[31mred\x0aand \xff\xfe
! passes
$ frng-replay --trace --hex 0000 ./says -- aborts | grep '> all rounds'
|       > all rounds
! fails with signal:SIGABRT at test
$ for hex in "" 80 80ff 80ff10; do for trace in --quiet --trace
> do frng-replay $trace --hex "$hex" ./says -- draws 2>&1 | grep '^sum'; done | xargs; done
| sum 0 after 0 bytes sum 0 after 0 bytes, heard
| sum 2 after 1 bytes sum 2 after 1 bytes, heard
| sum 5 after 2 bytes sum 5 after 2 bytes, heard
| sum 5 after 2 bytes sum 5 after 2 bytes, heard
$ frng-search --attempts 20 ./says -- aborts 2>&1 | grep -c heard
| 0
? 1
$ frng-replay --trace --hex 0000 ./says -- many | sed -n '/and .* more/p'
| ... and <n> more
! passes
# What a line tells of a world has no rows, and equal steps are counted, but not with --verbose.
$ frng-replay --trace --hex 01010201010101 ./says -- repeats; frng-replay --trace -v --hex 0101 ./says -- repeats
| offset  bytes  draw  value
| 1-2. push, 2 times
|      0  01     u8    1
|       > 1 items
| 3. push
|      2  02     u8    2
|       > 2 items
| 4-7. push, 4 times
|      3  01     u8    1
|       > 1 items
| offset  bytes  draw  value
| 1. push
|      0  01     u8    1
|       > 1 items
| 2. push
|      1  01     u8    1
|       > 1 items
| 3. push
! passes
! passes
$ frng-replay --trace --hex 0144400144ff ./worlds -- cluster-index; frng-replay --trace --verbose --hex 0144400144ff ./worlds -- cluster-index
|       >     1.000 ms  S0       gets 1
|       >     1.000 ms  network  S0 -> S1 ask, sent
| 1. fault    1.000 ms  network  loses the next message to S1
|       >     2.000 ms  S1       gets 1
|       >     2.000 ms  network  S1 -> S0 ask, sent
|       >     2.000 ms  network  S1 -> S2 ask, sent
|       >     2.000 ms  network  S1 -> S3 ask, sent
|       >     2.000 ms  network  S1 -> S4 ask, sent
|       >     2.000 ms  network  S0 -> S1 ask, lost after 1 ms
|       >     2.000 ms  network  S0 -> S2 ask, 1 ms
|       >     2.000 ms  S2       gets 0
|       >     2.000 ms  network  S0 -> S3 ask, 1 ms
|       >     2.000 ms  S3       gets 0
|       >     2.000 ms  network  S0 -> S4 ask, 1 ms
|       >     2.000 ms  S4       gets 0
| 2. fault    2.000 ms  network  loses the next message to S4
| offset  note   bytes  draw            value
| 1. fault
|      0  quiet  01     u8              1
|       >     1.000 ms  S0       gets 1
|       >     1.000 ms  network  S0 -> S1 ask, sent
|       >     1.000 ms  network  S0 -> S2 ask, sent
|       >     1.000 ms  network  S0 -> S3 ask, sent
|       >     1.000 ms  network  S0 -> S4 ask, sent
|      1  what   44     weighted 0..31  8
|      2  whom   40     index 0..4      1
|         long
|       >     1.000 ms  network  loses the next message to S1
| 2. fault
|      3  quiet  01     u8              1
|       >     2.000 ms  S1       gets 1
|       >     2.000 ms  network  S1 -> S0 ask, sent
|       >     2.000 ms  network  S1 -> S2 ask, sent
|       >     2.000 ms  network  S1 -> S3 ask, sent
|       >     2.000 ms  network  S1 -> S4 ask, sent
|       >     2.000 ms  network  S0 -> S1 ask, lost after 1 ms
|       >     2.000 ms  network  S0 -> S2 ask, 1 ms
|       >     2.000 ms  S2       gets 0
|       >     2.000 ms  network  S0 -> S3 ask, 1 ms
|       >     2.000 ms  S3       gets 0
|       >     2.000 ms  network  S0 -> S4 ask, 1 ms
|       >     2.000 ms  S4       gets 0
|      4  what   44     weighted 0..31  8
|      5  whom   ff     index 0..4      4
|         long
|       >     2.000 ms  network  loses the next message to S4
| 3. fault
|         quiet
! passes
! passes
$ frng-replay --trace --hex 66e4 stack 2>&1 | sed -n '1,3p; /^2/p'
| examples/stack.c:62: assertion failed: by == NOBODY: threads 2 and 1 both own buffer 1
| 1. deviation  6 points later:
|       > thread 0 ends at stack.c:85 (creates a thread)
| 2. deviation  28 points later:
# Events have them, with their draws, and so has a page.
$ frng-replay --trace --hex 0044 --json replay.jsonl ./says >/dev/null
> grep -E '"event":"(say|draw)"' replay.jsonl | head -n 6
> frng-report replay.jsonl && grep -c 'round 1 of two' report.html; grep -c "$(printf '\033')" report.html
| {"event":"say","schema":1,"draws":0,"offset":0,"text":"round 1 of two","step":"fault","step_number":1}
| {"event":"draw","schema":1,"number":1,"offset":0,"size":1,"bytes":"00","kind":"u8 0..3","min":"0","max":"3","value":"0","note":"who","step":"fault","step_number":1}
| {"event":"say","schema":1,"draws":1,"offset":1,"text":"cuts off S0 for 0 ms","step":null,"step_number":1}
| {"event":"say","schema":1,"draws":1,"offset":1,"text":"round 2 of two","step":"fault","step_number":2}
| {"event":"draw","schema":1,"number":2,"offset":1,"size":1,"bytes":"44","kind":"u8 0..3","min":"0","max":"3","value":"1","note":"who","step":"fault","step_number":2}
| {"event":"say","schema":1,"draws":2,"offset":2,"text":"cuts off S1 for 20 ms","step":null,"step_number":2}
| 1
| 0
! passes
? 1
$ frng-replay --trace --size 93 --seed 4000043702 ring | grep '^ *> ' | tail -2
|       > interrupt: takes 18, tail = 29
|       > main: reads from 207 up to 212
! examples/ring.c:<n>: assertion failed: got == want: byte 207 is 20 and was sent as 207: overwritten before it was read
! fails with signal:SIGABRT at examples/ring.c:<n>
# Names that look like lines change nothing: messages are data.
$ frng-replay --trace --hex 044440010044 --json names.jsonl ./worlds -- cluster-names 2>&1 | sed -n '/ 3.5/,$d;/-> g/p;/gets/p'
|       >     1.000 ms  a -> b   gets 1
|       >     1.000 ms  network  a -> b -> g, sent ask, 1 ms, sent
|       >     2.000 ms  c -> d   gets 1
|       >     2.000 ms  network  c -> d -> g, sent ask, 1 ms, sent
|       >     3.000 ms  e -> f   gets 1
|       >     3.000 ms  network  e -> f -> g, sent ask, 1 ms, sent
$ sed -n '/"fate"/s/.*"time_us"/"time_us"/p' names.jsonl | sed -n '1,3p;/lost/p'
| "time_us":1000,"node":"a -> b","to":"c -> d","what":"ask, 1 ms","fate":"sent","sent_us":1000,"step":null,"step_number":1}
| "time_us":1000,"node":"a -> b","to":"e -> f","what":"ask, 1 ms","fate":"sent","sent_us":1000,"step":null,"step_number":1}
| "time_us":1000,"node":"a -> b","to":"g, sent","what":"ask, 1 ms","fate":"sent","sent_us":1000,"step":null,"step_number":1}
| "time_us":5500,"node":"e -> f","to":"c -> d","what":"ask, 1 ms","fate":"lost","sent_us":3000,"step":null,"step_number":3}
# frng_digest: worlds that depend on more than their draws are reported, once, with what shows it.
$ cat >tell <<'END'
> #!/bin/sh
> # tell WORLD OPTION...: the exit status, and how often stderr and events say that it differs.
> # A search compares few runs where the machine is busy, so that a world that differs has five.
> world=$1; shift
> case $world in *index | content | fails | silent) tries=1 ;; *) tries=5 ;; esac
> until [ $tries = 0 ]; do
> tries=$((tries - 1))
> MALLOC_PERTURB_=0 frng-search --attempts 300 --size-max 64 --jobs 1 --json $world.jsonl "$@" ./worlds -- $world >/dev/null 2>errors
> status=$?; grep -q 'not deterministic' errors && break; done
> said=$(sed -n 's/.*size \([0-9]*\), seed \([0-9a-z]*\) differs.*/"size":\1,"seed":"\2"/p' errors)
> echo "$world: $status, $(grep -c 'the test is not deterministic' errors), $(grep -c "nondeterministic.*$said" $world.jsonl)"
> rm $world.jsonl
> END
> chmod +x tell; for mode in auto fork spawn; do for world in sorted hashed; do ./tell $world --mode $mode; done; done | sort | uniq -c
|       3 hashed: 0, 1, 1
|       3 sorted: 0, 1, 1
$ for world in stack heap draws cluster threads; do ./tell $world --size-max 256; done
| stack: 0, 1, 1
| heap: 0, 1, 1
| draws: 0, 1, 1
| cluster: 0, 1, 1
| threads: 0, 1, 1
$ for mode in auto fork spawn; do for world in index content; do ./tell $world --mode $mode --attempts 60; done; done | sort | uniq -c
|       3 content: 0, 0, 0
|       3 index: 0, 0, 0
$ for world in fails silent cluster-index threads-index; do ./tell $world --size-max 256; done
| fails: 1, 0, 0
| silent: 0, 0, 0
| cluster-index: 0, 0, 0
| threads-index: 0, 0, 0
$ frng-search --attempts 300 --size-max 64 --json events.jsonl ./worlds -- hashed >/dev/null 2>&1; frng-report events.jsonl
# A goal finds what no fresh run does: without it the same search finds nothing.
$ for guide in auto off; do frng-search probe -q --rng-seed 2 --attempts 300 --size-max 1K --guide $guide | cut -d' ' -f1; done
| size=668
$ frng-search probe-fixed -q --rng-seed 2 --attempts 100 --size-max 256
$ frng-replay probe --hex 010101040109010e01110116011b0128014a016601690188018d01b401ea01ef01e00001 2>&1
| examples/probe.c:85: assertion failed in erase: has(t, m->numbers[i]): 224 of 16 is lost
| fails with signal:SIGABRT at examples/probe.c:85 in erase
? 1
# Texts that match, code points and levels shrink. The things of a pool stay those that were meant.
$ for seed in 1 3 4 7; do frng-reduce -q --explain no --jobs 1 expr --size 300 --seed $seed; done | uniq -c
|       4 size=11 hex=0100000101000001000001
$ for seed in 5 6 12; do frng-reduce -q --explain no --jobs 1 handles --size 300 --seed $seed; done | uniq -c
|       3 size=19 hex=0000000000400000400000400000400000c0c0
$ frng-replay handles --hex 0000000000400000400000400000400000c0c0 2>&1 | tail -2
| examples/handles.c:89: assertion failed in use stale: object == 0: user 0, who closed handle 0, has object 5
| fails with signal:SIGABRT at examples/handles.c:89 in use stale
