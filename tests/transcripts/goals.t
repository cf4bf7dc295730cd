#! needs gcc
# A goal: the search goes on from the inputs that came highest, in a plain build. No fresh run finds this.
$ cat >queue.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     unsigned length = 0;
>     uint16_t way;
>     FRNG_TRY(frng_u16(f, &way));
>     if (way % LATE != 0) return true;
>     for (int steps = 0; steps < 100; steps++) {
>         uint8_t ticket;
>         FRNG_TRY(frng_u8(f, &ticket));
>         length = ticket == (uint8_t)((length + 1) * 0x9d) ? length + 1 : 0;
>         frng_maximize(f, "queue length", length);
>         FRNG_ASSERT(length < LIMIT);
>     }
>     return true;
> }
> FRNG_MAIN(test)
> END
> for limit in 6 99; do gcc -O1 -I $SOURCE/frng -DLIMIT=$limit -DLATE=1 -o queue-$limit queue.c; done
> gcc -O1 -I $SOURCE/frng -DLIMIT=5 -DLATE=9973 -o late queue.c
$ for jobs in 1 2 5; do frng-search ./queue-6 -q --rng-seed 1 --time 1h --jobs $jobs --json events-$jobs; done | uniq -c
|       3 size=11 hex=ebeb68684b9d3ad77411ae
$ sed -n 's/.*"done".*\("runs":[0-9]*\),.*\("guided":[0-9]*\).*/\1 \2/p' events-* | uniq | wc -l
| 1
# A goal that is first reached after runs that could have been guided, too.
$ for jobs in 1 2 5; do frng-search ./late -q --rng-seed 1 --jobs $jobs --json late-$jobs; done
> sed -n 's/.*"done".*\("runs":[0-9]*\),.*\("guided":[0-9]*\).*/\1 \2/p' late-* | uniq -c
| size=7 hex=00009d3ad77411
| size=7 hex=00009d3ad77411
| size=7 hex=00009d3ad77411
|       3 "runs":55817 "guided":11046
# Without a goal, a long search goes on from the runs that drew most before they ended.
$ cat >steps.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     for (unsigned step = 1; step <= 9; step++) {
>         uint8_t ticket;
>         FRNG_TRY(frng_u8(f, &ticket));
>         if (ticket != (uint8_t)(step * 0x9d)) return true;
>     }
>     return false;
> }
> FRNG_MAIN(test)
> END
> gcc -O1 -I $SOURCE/frng -o steps steps.c
$ for jobs in 1 2 5; do frng-search ./steps -q --rng-seed 1 --time 1h --jobs $jobs; done | uniq -c
|       3 size=9 hex=9d3ad77411ae4be885
# ... and, on x86-64, tries the numbers and texts that its code compares.
$ cat >words.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     static const char *const words[] = {"for", "while"};
>     const uint8_t *magic;
>     char word[9];
>     uint32_t size;
>     int year, month, day, kind = 2;
>     FRNG_TRY(frng_bytes(f, 4, &magic));
>     if (memcmp(magic, "\x89PNG", 4) != 0) return true;
>     FRNG_TRY(frng_string(f, FRNG_LOWER, 0, 8, word));
>     FRNG_TRY(frng_u32(f, &size) && frng_date(f, &year, &month, &day));
>     while (kind > 0 && strcmp(word, words[kind - 1]) != 0) kind--;
>     if (kind == 2 && size == 0xdeadbeef && year == 1752) abort();
>     return true;
> }
> FRNG_MAIN(test)
> END
> gcc -O1 -I $SOURCE/frng -o words words.c && g++ -O1 -x c++ -I $SOURCE/frng -o words++ words.c && strip -o stripped words
$ for it in 'words --jobs 1' 'words++ --jobs 2' 'words --jobs 5'; do frng-search ./$it -q --rng-seed 1 --time 1h --reduce | tail -1; done | uniq -c
|       3 size=18 hex=89504e47e0646c854c01efbeaddefe8ba6f9
$ frng-search ./stripped -q --rng-seed 1 --keep-going --runs 300k
$ frng-search ./words -q --rng-seed 1 --keep-going --runs 300k --size-max 13
# At -O2 a text is compared piece by piece. Runs that all end for lack of bytes get it, too.
$ cat >lines.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     for (;;) {
>         char word[8];
>         uint16_t x;
>         FRNG_TRY(frng_string(f, FRNG_LOWER, 0, 7, word));
>         FRNG_TRY(frng_u16(f, &x));
>         if (strcmp(word, "comment") == 0 && x == 54321) return false;
>     }
> }
> FRNG_MAIN(test)
> END
> gcc -O2 -I $SOURCE/frng -o lines lines.c
$ for jobs in 1 3; do frng-search ./lines -q --rng-seed 1 --keep-going --runs 300k --size-max 64 --reduce --jobs $jobs | tail -1; done | uniq -c
|       2 size=10 hex=43a29292539ac90131d4
# What found nothing shows how high runs came, and how to make the first of them.
$ for how in '--jobs 1 --json none' '--jobs 5 --json end' '--guide off' '--mode spawn --attempts 20'; do
>   frng-search ./queue-99 --rng-seed 1 --size-max 128 $how 2>&1 | grep -A1 goals; done
|   goals    queue length: at most 11, 18 bytes of a guided run
|            frng-replay ./queue-99 --hex 75ac49687868c39d3ad77411ae4be88522bf
|   goals    queue length: at most 11, 18 bytes of a guided run
|            frng-replay ./queue-99 --hex 75ac49687868c39d3ad77411ae4be88522bf
|   goals    queue length: at most 2, size 64, seed 15903160598761771160s
|            frng-replay ./queue-99 --size 64 --seed 15903160598761771160s
|   goals    queue length: at most 2, size 64, seed 15903160598761770203
|            frng-replay ./queue-99 --size 64 --seed 15903160598761770203
$ sed -n 's/.*\("goals":[^]]*\).*/\1/p' end
| "goals":[{"name":"queue length","runs":33362,"most":11,"size":18,"seed":null,"hex":"75ac49687868c39d3ad77411ae4be88522bf"}

# A run that the test discards reached no goal, and of two goals with one place (g26, g80) none has
# what guided runs reached.
$ cat >apart.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint32_t x;
>     FRNG_TRY(frng_u32(f, &x));
>     frng_maximize(f, "x", x);
>     frng_maximize(f, "g26", x % 10);
>     frng_maximize(f, "g80", x);
>     return frng_assume(f, x < 1000000000);
> }
> FRNG_MAIN(test)
> END
> cc -g -w -I $SOURCE/frng -o apart apart.c
$ frng-search ./apart --rng-seed 3 --attempts 1000 2>&1 | grep -o '\(x\|g26\|g80\): at most [^ ]*'
| g26: at most 9,
| g80: at most 999,924,535,
| x: at most 999,924,535,

# More names than a table has rows: the same answer with any number of jobs.
$ cat >many.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint8_t n, ticket;
>     unsigned length = 0;
>     char name[16];
>     FRNG_TRY(frng_u8(f, &n));
>     sprintf(name, "goal %d", n);
>     for (int steps = 0; steps < 40; steps++) {
>         FRNG_TRY(frng_u8(f, &ticket));
>         length = ticket == (uint8_t)((length + 1) * 0x9d) ? length + 1 : 0;
>         frng_maximize(f, name, length * 1000 + ticket);
>     }
>     return true;
> }
> FRNG_MAIN(test)
> END
> cc -O1 -w -I $SOURCE/frng -o many many.c
$ for seed in 9 14; do for jobs in 1 2 5; do [ $SLOWER = 1 ] || { echo "two seconds end it"; continue; }
>   frng-search ./many -q --rng-seed $seed --jobs $jobs --json many-$seed-$jobs >/dev/null
>   sed -n 's/.*"done".*\("runs":[0-9]*\),.*\("guided":[0-9]*\).*/\1 \2/p' many-$seed-$jobs; done | uniq | wc -l; done
| 1
| 1
