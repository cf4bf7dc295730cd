#! needs gcc clang pkg-config
# Guided runs: a program that is built with the flags of pkg-config is searched by comparisons, too. (suites: plain)
# What they find is bytes; the claim is of fresh runs.
$ cat >magic.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     char word[9];
>     uint32_t magic;
>     FRNG_TRY(frng_u32(f, &magic));
>     if (magic != 0xdeadbeef) return true;
>     FRNG_TRY(frng_string(f, FRNG_LOWER, 0, 8, word));
>     if (strcmp(word, "while") == 0) abort();
>     return true;
> }
> FRNG_MAIN(test)
> END
> config() { PKG_CONFIG_PATH=$BUILD/meson-uninstalled pkg-config "$@" frng; }
> flags="$(config --cflags) $(config --variable=guided)"
> gcc -o magic magic.c $flags && clang -o magic-clang magic.c $flags
> clang -o magic-asan magic.c $flags -fsanitize=address,undefined
> gcc -o plain magic.c $(config --cflags)
> g++ -x c++ -std=c++11 -o magic-c++ magic.c $flags
> sed 's/abort();/for (volatile int on = 1; on;) usleep(100);/' magic.c >hang.c && gcc -o hang hang.c $flags
$ frng-search ./magic --rng-seed 1 --attempts 600 --jobs 2
| size=10 hex=<hex>
! fails with signal:SIGABRT at test: 10 bytes of a guided run (run <n>)
! ...
? 1
$ for jobs in 1 2 5; do frng-search ./magic -q --rng-seed 1 --attempts 600 --jobs $jobs --json events-$jobs >result-$jobs
>   sed -n 's/.*"done".*\("hex":"[0-9a-f]*"\).*\("runs":[0-9]*\),.*\("guided":[0-9]*\).*/\1 \2 \3/p' events-$jobs; done | uniq -c | wc -l
> cmp result-1 result-5 && frng-replay ./magic $(cat result-1) 2>&1 | tail -1
| 1
| fails with signal:SIGABRT at test
# The runs of --runs are the same, too.
$ for jobs in 1 3; do frng-search ./magic --size-max 4 --rng-seed 1 --runs 3000 --jobs $jobs 2>&1 | grep -o '^no failure in [0-9,]* runs'; done
| no failure in 3,000 runs
| no failure in 3,000 runs
$ for program in magic-clang magic-asan magic-c++; do frng-search ./$program -q --rng-seed 1 --attempts 600 | cut -c1-20
> done; frng-search ./magic -q --mode fork --attempts 150 --rng-seed 4 | cut -c1-20
| size=10 hex=efbeadde
| size=10 hex=efbeadde
| size=10 hex=efbeadde
| size=10 hex=efbeadde
# A sum with carries must be right again after a draw got another value.
$ cat >sum.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint16_t words[4];
>     uint32_t sum = 0;
>     for (int i = 0; i < 4; i++) FRNG_TRY(frng_u16(f, &words[i]));
>     for (int i = 0; i < 4; i++) sum += words[i];
>     if ((uint16_t)~(sum + (sum >> 16)) != 0) return true;
>     if (words[1] == 0xbeef && words[2] > 9) abort();
>     return true;
> }
> FRNG_MAIN(test)
> END
> flags="-I $SOURCE/frng $(PKG_CONFIG_PATH=$BUILD/meson-uninstalled pkg-config --variable=guided frng)"
> gcc -o sum sum.c $flags && clang -o sum-clang sum.c $flags
> for program in sum sum-clang; do frng-search ./$program -q --rng-seed 1 --attempts 600 | cut -c1-6; done
| size=8
| size=8
# clang's flags of its own show comparisons that end a loop, too.
$ cat >loop.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint8_t word[8];
>     for (int i = 0; i < 8; i++) FRNG_TRY(frng_u8(f, &word[i]));
>     for (int i = 0; i < 8; i++)
>         if (word[i] != (uint8_t)"revoked"[i]) return true;
>     return false;
> }
> FRNG_MAIN(test)
> END
> clang -O1 -o loop loop.c -I $SOURCE/frng $(PKG_CONFIG_PATH=$BUILD/meson-uninstalled pkg-config --variable=guided_clang frng)
> frng-search ./loop -q --rng-seed 1 --attempts 600
| size=8 hex=7265766f6b656400
? 1
# Failures that are ignored are no fewer than they are, and leave room for one that counts.
$ cat >often.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint32_t x;
>     uint8_t often;
>     FRNG_TRY(frng_u32(f, &x));
>     FRNG_TRY(frng_u8(f, &often));
>     if (often > 0) exit(3);
>     return (x == 0x9e3779b1) + 1;
> }
> FRNG_MAIN(test)
> END
> gcc -o often often.c -I $SOURCE/frng $(PKG_CONFIG_PATH=$BUILD/meson-uninstalled pkg-config --variable=guided frng); frng-search -q ./often --ignore exit:3 --rng-seed 1 --attempts 3000 --size-max 16 --json events
> sed -n 's/.*"others":\([0-9]*\).*/- \1/p; s/.*"ignored":.*"runs":\([0-9]*\)}\].*/+ \1/p' events | { echo 0; cat; } | tr '\n' ' ' | { read sum; test $(($sum)) -gt 2000; }
# Not without the flags, nor where each run is a new process, nor where nobody wants them.
$ for how in './plain' './magic --guide off' './magic --mode spawn'; do
>   frng-search $how --rng-seed 1 --attempts 30 2>&1 | grep -c guided; done
| 0
| 0
| 0
? 1
# Runs that are not looked at call no hooks for long, unless there are threads, or the system denies
# it, of which a test sees nothing; guided ones go on.
$ cat >hooks.c <<'END'
> #include <frng_main.h>
> #include <frng_more.h>
> #include <pthread.h>
> #ifdef DENIED
> int mprotect(void *at, size_t size, int mode) {
>     return (void)at, (void)size, (void)mode, errno = EACCES, -1;
> }
> #endif
> static volatile bool is_seven;
> static __attribute__((noinline)) void compare(uint32_t x) {
>     is_seven = x == 7;
> }
> static void *hold(void *lock) {
>     return pthread_mutex_lock(lock), pthread_mutex_unlock(lock), NULL;
> }
> static bool test(frng *f) {
>     pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
>     pthread_t thread;
>     uint32_t magic;
>     if (THREADS) pthread_mutex_lock(&lock), pthread_create(&thread, NULL, hold, &lock);
>     errno = 0;
>     for (uint32_t i = 0; i < 3000; i++) compare(i);
>     if (errno != 0) return false;
>     *(volatile uint32_t *)&frng__guide.calls = 1000; /* each one takes 1 */
>     compare(0);
>     const uint32_t calls = 1000 - *(volatile uint32_t *)&frng__guide.calls;
>     if (THREADS) pthread_mutex_unlock(&lock), pthread_join(thread, NULL);
>     frng_label(f, calls > 0 ? "calls hooks" : "calls no hooks");
>     FRNG_TRY(frng_u32(f, &magic));
>     if (magic == 0xdeadbeef) abort();
>     return true;
> }
> FRNG_MAIN(test)
> END
> flags="-I $SOURCE/frng $(PKG_CONFIG_PATH=$BUILD/meson-uninstalled pkg-config --variable=guided frng)"
> for how in 'gcc -DTHREADS=0 -O2' 'clang -DTHREADS=0' 'gcc -DTHREADS=1' 'gcc -DTHREADS=0 -DDENIED'; do $how -o hooks hooks.c $flags -pthread
>   frng-search ./hooks --rng-seed 1 --attempts 600 2>&1 | sed -n '/^size/p; s/.*0%.* calls/calls/p'; done
| calls no hooks
| size=4 hex=efbeadde
| calls no hooks
| size=4 hex=efbeadde
| calls hooks
| size=4 hex=efbeadde
| calls hooks
| size=4 hex=efbeadde
# A program of another layout of the records is not asked for them.
$ mkdir older; cp $SOURCE/frng/*.h older; sed -i 's/FRNG_CAN_GUIDE = 1024/FRNG_CAN_GUIDE = 512/' older/frng_protocol.h
> gcc -I older -o older/magic magic.c $(PKG_CONFIG_PATH=$BUILD/meson-uninstalled pkg-config --variable=guided frng)
> for guide in auto off; do frng-search older/magic --rng-seed 1 --attempts 30 --guide $guide 2>&1 | grep guided; done
| frng-search: older/magic: no guided runs: it was built with another version of frng
? 1
# Where the library beside the test was not built for guided runs, the report says so; not of one that
# was, of a test alone, or once something has failed.
$ cat >library.c <<'END'
> int is_magic(unsigned x) {
>     return x == 0xdeadbeef;
> }
> END
> cat >beside.c <<'END'
> #include <frng_main.h>
> int is_magic(unsigned x);
> static bool test(frng *f) {
>     uint32_t x;
>     FRNG_TRY(frng_u32(f, &x));
>     return !(is_magic(x) || x == FAILS);
> }
> FRNG_MAIN(test)
> END
> printf 'int is_magic(unsigned x) { return x == 1 && x == 2; }\n' | cat - beside.c >within.c
> flags="-I $SOURCE/frng $(PKG_CONFIG_PATH=$BUILD/meson-uninstalled pkg-config --variable=guided frng)"
> build() { $cc -o "$1" "$1.c" "-DFAILS=$2" $flags -L. $3 -Wl,-rpath,$PWD; }
> says() { frng-search "./$1" --rng-seed 1 --attempts 600 2>&1 | grep -E "^size|guided runs saw"; }
> for cc in gcc clang; do $cc -shared -fPIC -o libplain.so library.c; $cc -shared -fPIC $flags -o libguided.so library.c
>   build beside x+1 -lplain; says beside; build beside 0xdeadbee7 -lplain; says beside
>   build beside x+1 -lguided; says beside; build within x+1; says within; done; true
|            guided runs saw no comparison outside of the test: see frng(7)
| size=4 hex=e7beadde
| size=4 hex=efbeadde
|            guided runs saw no comparison outside of the test: see frng(7)
| size=4 hex=e7beadde
| size=4 hex=efbeadde
# A finding is stored as bytes, and a reduction goes on from it.
$ frng-search ./magic -q --rng-seed 1 --attempts 600 --reduce --findings found; ls found | wc -l
| size=10 hex=efbeaddee0646c854c01
| size=10 hex=efbeaddee0646c854c01
| 1
$ frng-replay --list found
| signature                 size  reruns  findings  found
| signal:SIGABRT at test      10     3/3         1  <text>
|     frng-replay ./magic --hex efbeaddee0646c854c01
# A later search, or another one of the folder, begins with it.
$ frng-search ./magic --attempts 10 --findings found 2>&1 | grep known
| known finding, 10 bytes: still fails
# One that may hang, and is cut off at the end of the time, is named by its bytes.
$ frng-search ./hang --rng-seed 1 --attempts 600 --time 2s --timeout 1m
!
! inconclusive: the run of <n> bytes had not ended after <time>
!   replay   frng-replay ./hang --hex efbeadde<hex> --timeout 1m
! ...
? 3
