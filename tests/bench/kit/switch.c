/* switch.c: what a switch of frng_sched.h costs, and a point at which the same thread goes on.
 *
 *     switch [RUNS]        a line for each: what: ns, with its share of what a run costs */
#include <frng_sched.h>

#include <stdlib.h>
#include <time.h>

enum { RUNS = 1000, POINTS = 1000 };

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *yields(void *unused) {
    for (int i = 0; i < POINTS; i++) frng_yield();
    return unused;
}

static void *goes_on(void *unused) {
    for (int i = 0; i < POINTS; i++) frng_point("goes on");
    return unused;
}

static void *two_yield(void *unused) {
    frng_spawn(yields, NULL);
    frng_spawn(yields, NULL);
    return unused;
}

static void *two_go_on(void *unused) {
    frng_spawn(goes_on, NULL);
    frng_spawn(goes_on, NULL);
    return unused;
}

static void *ends(void *unused) { return unused; }

static void *two_end(void *unused) {
    frng_spawn(ends, NULL);
    frng_spawn(ends, NULL);
    return unused;
}

static void measure(const char *what, void *(*run)(void *), long runs, double per_run) {
    const double begin = now_ns();
    for (long i = 0; i < runs; i++) {
        frng f = frng_init(NULL, 0);
        if (!frng_sched_run(&f, run, NULL)) exit(1);
    }
    printf("frng_sched, %s: %.0f ns\n", what, (now_ns() - begin) / (double)runs / per_run);
}

int main(int argc, char **argv) {
    const long runs = argc > 1 ? strtol(argv[1], NULL, 10) : RUNS;
    if (runs < 1) return 2;
    measure("a switch", two_yield, runs, 2 * POINTS);
    measure("a point without one", two_go_on, runs, 2 * POINTS);
    measure("a run of three threads that do nothing", two_end, runs * 100, 1);
    return 0;
}
