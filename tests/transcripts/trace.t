# frng-replay --trace: the draws of one run as a table. No row has a control character. (suites: sanitized compiled)
$ frng-replay --trace --size 1000 --seed 1 sut-shows >fails 2>said; echo $?; head -20 fails; sed 's/ at shows$//' said >&2; tail -1 fails
| 1
| offset  note                             bytes               draw                         value
|      0  first                            9bc203              bytes 3
|      3                                   6f7fd0c5cf8de03f..  bytes 20
|     23                                   19                  bool                         true
|     24                                   d6                  u8                           214
|     25  \x1b[31mred\x1b]0;t\x07\x0a      56cd                u16 0..1000                  802
|     27                                   059f1108bfa46f18    u64 1..18446744073709551614  1760807119706234629
|     35                                   86                  i8 -3..3                     0
|     36                                   4b18472f            i32                          793188427
|     40                                   452320e7ca9f2997    i64 -1..1                    0
|     48  a name that is far longer than   0715f40895c7a3fc    index 0..9                   9
|     56                                   21f26303c9a5fe85    weighted 0..3                2
|     64                                   d04b330db3e5ba18    f64                          0.096601825917969397
|     72                                   16ec26f0            chance 1/3                   false
|     76                                   13 (1 rejected)     u8 0..128                    9
|     78                                   61                  u8 0..128                    48
|     79                                   49 (1 rejected)     u8 0..128                    36
|     81                                   e6                  u8 0..128                    115
|     82                                   dc (1 rejected)     u8 0..128                    110
|     84                                   9e (2 rejected)     u8 0..128                    79
|         last
! fails with signal:SIGABRT
$ grep '^offset' fails | wc -l; LC_ALL=C grep -c '[[:cntrl:]]' fails
| 1
| 0
? 1
$ frng-replay --trace --size 1000 --seed 1 sut-shows -- passes >passes; cmp fails passes
! passes
# A run without entropy ends its table.
$ for size in 0 24; do frng-replay --trace --size $size --seed 1 sut-shows; done
| offset  note   bytes  draw  value
|         first
| offset  note   bytes               draw      value
|      0  first  9bc203              bytes 3
|      3         6f7fd0c5cf8de03f..  bytes 20
|     23         19                  bool      true
! passes
! passes
# A script that starts a program which reports them needs no such line.
$ printf '#!/bin/sh\nexec ring\n' >starts; chmod +x starts; frng-replay --trace --hex 0102 ./starts
| offset  note       bytes  draw      value
|      0  interrupt  01     bool      true
|      1  burst      02     u8 1..24  1
|       > interrupt: takes 1, tail = 1
|         interrupt
! passes
