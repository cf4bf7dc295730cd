/* frng_blocked.h: names the call in which a run of frng_sched.h is blocked.
 *
 * All its threads are on one real thread: one that blocks in a call that the scheduler does not
 * answer (a pipe, epoll, a lock of an unknown library) stops them all. A timer looks every second.
 * If a run came to no point for two of them, took no time of a processor, and waited of its own
 * accord, it fails, with the thread, the call and who called it, before the driver's time limit,
 * which knows none of these:
 *
 *     t.c:12: assertion failed: blocked: thread 1 is in read, called at t(look+0x1d), since t.c:12
 *
 * A run that comes to no point since it never stops to compute may end yet: where its thread was is
 * said, and is the site if the time limit ends the run. Of one that comes to points it is said.
 *
 * The timer is that of alarm(2): a program that handles SIGALRM itself is left alone. C11 and
 * C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_BLOCKED_H
#define FRNG_BLOCKED_H

#include "frng_assert.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timerfd.h>

/* What a look saw. */
typedef struct frng__look_at_run {
    uint64_t run, points;
    long waits; /* voluntary context switches */
    int quiet;  /* looks in a row that saw the same */
    int looks;  /* in a row at this run */
    int64_t us; /* of a processor */
} frng__look_at_run;

typedef struct frng__watch {
    const void *real; /* the thread of the runs: its errno; NULL: no run is in progress */
    const uint64_t *run, *points;
    void (*fail)(const char *call, const char *caller);
    void (*tell)(bool spins); /* the run takes long, with or without points */
    frng__look_at_run last;
    bool is_armed, is_others; /* the program has a handler of its own */
} frng__watch;
__attribute__((weak)) frng__watch frng__watch_now;

/* Return what is between the last '/' and " [": "lib.so.1(name+0x12)". */
static inline char *frng__frame_text(char *frame) {
    char *slash = strrchr(frame, '/'), *end = strstr(frame, " [");
    if (end != NULL) *end = '\0';
    return slash != NULL ? slash + 1 : frame;
}

/* Find the function of the C library that was interrupted, and the first frame outside of it and of
 * a sanitizer. The first frame in the C library is where the kernel returns from this handler. */
static inline void frng__name_call(void) {
    enum { FRAMES = 32 };
    void *addresses[FRAMES];
    char call[64] = "", *caller = NULL;
    bool is_below = false;
    const int count = backtrace(addresses, FRAMES);
    char **const frames = backtrace_symbols(addresses, count);
    for (int i = 0; frames != NULL && caller == NULL && i < count; i++) {
        char *text = frng__frame_text(frames[i]);
        const char *name = text + strcspn(text, "(");
        while (*name == '(' || *name == '_') name++;
        const size_t size = strcspn(name, "+)");
        const bool is_libc = strncmp(text, "libc.", 5) == 0;
        const bool is_own = is_libc || strstr(text, "san.so") != NULL ||
                            strncmp(name, "interceptor_", 12) == 0 ||
                            (size > 0 && strncmp(name, call, size) == 0);
        if (is_below && !is_own) caller = text;
        if (is_below && is_libc && call[0] == '\0')
            (void)snprintf(call, sizeof call, "%.*s", (int)size, name);
        is_below = is_below || is_libc;
    }
    frng__watch_now.fail(call[0] != '\0' ? call : "a call", caller != NULL ? caller : "?");
}

#ifdef __cplusplus
extern "C"
#endif
    void (*frng__signal(int number, void (*handler)(int)))(int) __asm__("signal"); /* as BSD's */

static inline void frng__arm(long seconds) {
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = timer.it_interval.tv_sec = seconds;
    frng__watch_now.is_armed = seconds > 0;
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

static inline frng__look_at_run frng__watch_look(void) {
    const frng__watch *w = &frng__watch_now;
    frng__look_at_run now;
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    now.run = *w->run;
    now.points = *w->points;
    now.waits = used.ru_nvcsw;
    now.us = (int64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
             (int64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    now.quiet = now.looks = 0;
    return now;
}

__attribute__((unused)) static void frng__look_at(int signal) {
    enum { LOOKS = 2, BUSY_US = 100000 };
    frng__watch *w = &frng__watch_now;
    const int error = errno;
    (void)signal;
    if (w->real == NULL) frng__arm(0);
    if (w->real != (const void *)&errno) return; /* another thread of the process */
    frng__look_at_run now = frng__watch_look();
    const bool is_same = now.run == w->last.run && now.points == w->last.points;
    if (is_same && now.waits > w->last.waits && now.us - w->last.us < BUSY_US)
        now.quiet = w->last.quiet + 1;
    if (now.run == w->last.run) now.looks = w->last.looks + 1;
    const bool spins = is_same && now.waits == w->last.waits;
    w->last = now;
    if (now.quiet >= LOOKS) frng__name_call();
    if (spins || (now.looks > LOOKS && (now.looks & (now.looks - 1)) == 0)) w->tell(spins);
    errno = error;
}

/* Does a timer of the kernel run, which keeps real time? The one of this header does not count. */
__attribute__((unused)) static bool frng__has_timer(void) {
    enum { FILES = 1024 };
    FILE *const timers = fopen("/proc/self/timers", "r");
    bool found = timers != NULL && fgetc(timers) != EOF;
    struct itimerspec t;
    if (timers != NULL) (void)fclose(timers);
    for (int i = 0; i < FILES && !found; i++)
        found = timerfd_gettime(i, &t) == 0 && (t.it_value.tv_sec | t.it_value.tv_nsec) != 0;
    return found;
}

/* A run begins. Its number and the count of its points are looked at. */
static inline void frng__watch_begin(const uint64_t *run, const uint64_t *points,
                                     void (*fail)(const char *call, const char *caller),
                                     void (*tell)(bool spins)) {
    frng__watch *w = &frng__watch_now;
    void (*old)(int);
    w->run = run;
    w->points = points;
    w->fail = fail;
    w->tell = tell;
    w->real = &errno;
    if (w->is_armed || w->is_others) return;
    old = frng__signal(SIGALRM, frng__look_at);
    w->is_others = old != SIG_DFL && old != frng__look_at;
    if (w->is_others) (void)frng__signal(SIGALRM, old);
    w->last = frng__watch_look();
    if (!w->is_others) frng__arm(1);
}

#endif
