# Draws that a program reports and its bytes contradict: a line says so, and bytes are reduced.
$ for claim in honest unknown modulo huge back silent nothing beyond width wide bounds; do
>   echo "$claim:"; frng-reduce --size 400 --seed 5 --jobs 1 sut-claims -- $claim 2>&1 |
>     grep -e ': draw ' -e ' after draw ' -e size= -e 'add --trace'; done
| honest:
|   draws    add --trace to see them
| size=2 hex=0007
| unknown:
|   draws    add --trace to see them
| size=2 hex=0007
| modulo:
| frng-reduce: draw 2 (digit: u8 0..9 at byte 1) says 2, but its byte is 9: reduces bytes, not draws
| size=2 hex=00c5
| huge:
| frng-reduce: draw 2 (digit: u8 0..9 at byte 1) says 18446744073709551615, but its byte is 9: reduces bytes, not draws
| size=2 hex=00c5
| back:
| frng-reduce: draw 2 (digit: u8 0..9 at byte 0) goes back: the last one ends at byte 1: reduces bytes, not draws
| size=2 hex=00c5
| silent:
| frng-reduce: draw 2 (digit: bool at byte 2) leaves out byte 1: reduces bytes, not draws
| size=2 hex=00c5
| nothing:
| frng-reduce: draw 2 (digit: u8 0..9 at byte 2) leaves out byte 1: reduces bytes, not draws
| size=2 hex=00c5
| beyond:
| frng-reduce: draw 2 (digit: u8 0..9 at byte 18446744073709551612) ends beyond the 10 bytes of its run: reduces bytes, not draws
| size=2 hex=00c5
| width:
| frng-reduce: draw 2 (digit: u64 0..9 at byte 1) has a width of 9 bytes, which no such draw has: reduces bytes, not draws
| size=2 hex=00c5
| wide:
| frng-reduce: draw 2 (digit: u16 0..9 at byte 1) takes 1 byte, but needs more: reduces bytes, not draws
| size=2 hex=00c5
| bounds:
| frng-reduce: draw 2 (digit: u8 0..300 at byte 1) has bounds that no such draw has: reduces bytes, not draws
| size=2 hex=00c5
# The table of a trace is printed, and then doubted.
$ for claim in honest unknown modulo huge back silent nothing beyond width wide bounds; do
>   frng-replay --size 400 --seed 5 --trace sut-claims -- $claim 2>&1 >table |
>     grep -e ': draw ' -e ' after draw '; grep -c digit table; done
| 5
| 5
| frng-replay: draw 2 (digit: u8 0..9 at byte 1) says 2, but its byte is 9: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: u8 0..9 at byte 1) says 18446744073709551615, but its byte is 9: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: u8 0..9 at byte 0) goes back: the last one ends at byte 1: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: bool at byte 2) leaves out byte 1: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: u8 0..9 at byte 2) leaves out byte 1: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: u8 0..9 at byte 18446744073709551612) ends beyond the 400 bytes of its run: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: u64 0..9 at byte 1) has a width of 9 bytes, which no such draw has: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: u16 0..9 at byte 1) takes 1 byte, but needs more: is reduced as bytes
| 5
| frng-replay: draw 2 (digit: u8 0..300 at byte 1) has bounds that no such draw has: is reduced as bytes
| 5
# In every mode, once where much is reduced, in no other run if it is quiet.
$ for mode in spawn fork persistent; do frng-reduce --size 400 --seed 5 --mode $mode sut-claims 2>&1 |
>   grep -c ': reduces bytes, not draws$'; done
| 1
| 1
| 1
$ frng-search --reduce --all --attempts 50 --size-max 64 --rng-seed 1 sut-claims -- two 2>&1 |
>   grep -c ': reduces bytes, not draws$'
| 1
$ frng-reduce --quiet --size 400 --seed 5 --jobs 1 sut-claims
| size=2 hex=00c5
? 1
$ frng-reduce --size 400 --seed 5 --json events --jobs 1 sut-claims 2>/dev/null; grep wrong_record events
| size=2 hex=00c5
| {"event":"wrong_record","schema":1,"draw":2,"offset":1,"note":"digit","kind":"u8 0..9","text":"draw 2 (digit: u8 0..9 at byte 1) says 2, but its byte is 9"}
$ frng-replay --size 400 --seed 5 --trace --json - sut-claims 2>/dev/null | grep -A1 '"number":2,' |
>   sed 's/,.*//'; frng-replay --size 400 --seed 5 --trace --json - sut-claims 2>/dev/null | grep -c wrong_record
| {"event":"draw"
| {"event":"draw"
| 1
# A lie of a later run: what the input reported was true.
$ for seed in $(seq 40); do
>   frng-replay --size 400 --seed $seed --trace sut-claims -- later 2>&1 >table | grep -q ': draw ' && continue
>   frng-reduce --size 400 --seed $seed --jobs 1 sut-claims -- later 2>&1 | grep -e ': draw ' -e size=
>   break; done
| frng-reduce: draw 2 (digit: u8 0..9 at byte 1) says 7, but its byte is 0: reduces bytes, not draws
| size=2 hex=0007

# Records of any content: start, taken, kind, width, min, max, value. The first are true.
$ cat >raw <<'PYTHON'
> #!/usr/bin/env python3
> import mmap, os, struct, sys
> offer = os.environ.get("FRNG_DRIVER", "0,-1,-1,-1").split(",")
> if offer[0] == "1":
>     with mmap.mmap(int(offer[2]), 0) as report:
>         start, = struct.unpack_from("=Q", report, 16)
>         for i, text in enumerate(sys.argv[1:]):
>             record = [int(word) for word in text.split(",")]
>             struct.pack_into("=QQBB6x4Q", report, start + 56 * i, *record, 0)
>         struct.pack_into("=Q", report, 168, len(sys.argv) - 1)
> PYTHON
> chmod +x raw; top=18446744073709551615
> for records in "0,0,255,0,0,0,0 0,1,2,1,0,9,2 1,2,0,1,0,2,0 3,1,1,1,0,1,1 4,1,3,1,${top%615}488,127,127" \
>   "0,1,2,1,0,9,2 0,1,2,1,0,9,2" "0,1,2,1,0,9,2 0,0,255,0,0,0,0" "5,$top,0,1,0,$top,0" "0,0,2,1,0,9,2" \
>   "0,1,2,255,$top,$top,$top" "0,1,1,1,0,1,2"; do
>   frng-replay --hex 40ff80017f --trace ./raw -- $records 2>&1 >table | grep -e ': draw ' -e ' after draw '
> done
| frng-replay: draw 2 (u8 0..9 at byte 0) goes back: the last one ends at byte 1: is reduced as bytes
| frng-replay: the note after draw 1 (at byte 0) goes back: the last one ends at byte 1: is reduced as bytes
| frng-replay: draw 1 (bytes 18446744073709551615 at byte 5) ends beyond the 5 bytes of its run: is reduced as bytes
| frng-replay: draw 1 (u8 0..9 at byte 0) takes 0 bytes, but needs more: is reduced as bytes
| frng-replay: draw 1 (u64 18446744073709551615..18446744073709551615 at byte 0) has a width of 255 bytes, which no such draw has: is reduced as bytes
| frng-replay: draw 1 (bool at byte 0) says true, but its byte is false: is reduced as bytes
