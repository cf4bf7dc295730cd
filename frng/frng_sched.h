/* frng_sched.h: threads that entropy schedules, as coroutines on one real thread.
 *
 *     static void *work(void *p) {
 *         for (int i = 0; i < 2; i++) {
 *             int was = count;
 *             frng_point("adds");                     // another thread may go on here
 *             count = was + 1;
 *         }
 *         return NULL;
 *     }
 *     static void *begin(void *p) {                   // thread 0
 *         frng_spawn(work, NULL), frng_spawn(work, NULL);
 *         return NULL;
 *     }
 *     static bool test(frng *f) {
 *         count = 0;
 *         FRNG_TRY(frng_sched_run(f, begin, NULL));   // all threads, to their ends
 *         FRNG_ASSERT(count == 4, "lost an update: %d", count);
 *         return true;
 *     }
 *     FRNG_MAIN(test)
 *
 * A thread runs until it waits or ends, then the next one in a circle. That costs no entropy. Each
 * byte of it is a deviation: at the n-th point from here the turn passes to the next thread. Where
 * one thread alone can run nothing is drawn. When the entropy is out, all threads run to their ends
 * without deviations, so what is checked there holds for runs of every size.
 *
 *     frng_sched_run(f, run, argument)  true: all threads have ended; false: see below
 *     frng_spawn(run, argument)         a new thread; joining it is optional
 *     frng_exit(result)                 ends this thread
 *     frng_point("reads the head")      a point; frng_atomic.h and frng_pthread.h make their own
 *     frng_yield()                      a point, too, where others go on if they can
 *     frng_wait(object, "a token")      waits, until frng_wake(object, n) wakes it or n others
 *     frng_self(), frng_now()           the number of this thread; virtual time in ns
 *
 * A deadlock, a livelock (FRNG_SCHED_POINTS) and a thread that is not joined fail, with the threads
 * and their lines. Time passes where all threads wait, or by a deviation. A thread may draw, too:
 * if such a draw runs out, others that wait for ever are abandoned, frng_sched_run returns false,
 * and what they own is no leak. Memory is sequentially consistent: weak memory is not modelled.
 * Each thread has thread-local variables of the program, thread 0 the caller's. Any number of files
 * of a program may include this. SPDX-License-Identifier: MIT */
#ifndef FRNG_SCHED_H
#define FRNG_SCHED_H

#include "frng_assert.h"
#include "frng_blocked.h"
#include "frng_fiber.h"
#include "frng_more.h"

FRNG__WRAPS

/* ---- Which thread goes on ----
 *
 * Where several threads can go on, the one that runs does, or the next one in a circle if it waits
 * or ends: without a draw. A deviation passes the turn on to the next one; each draw says how many
 * such points come before it. This is delay-bounded scheduling (Emmi, Qadeer, Rakamaric 2011), with
 * entropy as the bound. */

#ifndef FRNG_THREADS
#define FRNG_THREADS 64 /* alive at once */
#endif
#ifndef FRNG_SCHED_STACK
#define FRNG_SCHED_STACK 8388608 /* bytes of each thread; untouched pages cost nothing */
#endif
#ifndef FRNG_SCHED_POINTS
#define FRNG_SCHED_POINTS 1000000 /* of a run; more are a livelock */
#endif
/* A thread may have this many points in a row before the next one goes on, and all of them before
 * time passes for those that wait until a time: a thread that spins does not stop the others. */
enum { FRNG__PATIENCE = 250, FRNG__HOUR = 1000 };
enum { FRNG__POINTS_AFTER = 2000 }; /* points of a library's threads once all others have ended */
enum { FRNG__ENDS = 16 };           /* thread-local objects of a thread with destructors, at most */
#define FRNG_NEVER UINT64_MAX

/* A thread-local object of C++, which ends with its thread. */
typedef struct frng__end {
    void (*destroy)(void *);
    void *object;
} frng__end;

typedef struct frng_thread {
    frng_fiber fiber;
    void *(*run)(void *); /* NULL: this place is free */
    void *argument, *result;
    const void *waits;                   /* for this object; NULL: it can run */
    bool (*is_ready)(const void *waits); /* or NULL: looks whether it can go on, unless woken */
    uint64_t number, turn, until, points;
    frng__end ends[FRNG__ENDS];
    size_t end_count;
    const char *site, *does, *made; /* the last point: where, and what; where it was created */
    const char *holds;              /* where it took the first of the locks that it holds */
    char name[16];                  /* that it got; empty: that of the process */
    size_t held;                    /* such locks */
    bool has_ended, is_detached;    /* has_ended: and it was not joined */
    bool is_of_library;             /* a shared library made it */
    bool is_late, may_wake;         /* waited until its time; may wake for no reason */
} frng_thread;

/* The state of a run. */
typedef struct frng_sched {
    frng *f;
    frng_thread *now;     /* NULL: no run is in progress */
    const void *real;     /* names the real thread that all are on: its errno */
    size_t places, quiet; /* threads[0..places-1] are in use; points until the next deviation */
    uint64_t run, made, turns, points, time, ticked; /* ticked: the point at which time passed */
    uint64_t points_most;
    uint64_t places_to_turn; /* points of a thread that goes on where another one could, too */
    bool is_drawn, is_far, is_out; /* quiet: it is drawn; nothing comes after it; no entropy */
    bool has_daemons; /* threads that are detached or a library's may wait for ever, not thread 0 */
    bool (*has_unseen)(void); /* of the libraries: have they atomic operations? NULL: none */
    volatile bool is_told;    /* where it spins is the site of the run */
    void (*at_exit)(void);    /* at the end of each thread, or NULL */
    void (*at_turn)(void);    /* where another thread goes on, or NULL */
} frng_sched;

/* All files of a program share a weak variable. */
__attribute__((weak)) frng_sched frng__sched;
__attribute__((weak)) frng_thread frng__threads[FRNG_THREADS];
__attribute__((weak)) frng_fiber frng__home; /* the caller of frng_sched_run */
/* Of each place, and of thread 0, which shares those of the caller. */
__attribute__((weak, aligned(64))) char frng__locals_of[FRNG_THREADS + 1][FRNG_FIBER_LOCALS];

static inline uint64_t frng_self(void) {
    return frng__sched.now != NULL ? frng__sched.now->number : 0;
}

static inline uint64_t frng_now(void) { return frng__sched.time; }

/* Return "file:line" without folders. */
static inline const char *frng__short(const char *site) {
    const char *slash = strrchr(site, '/');
    return slash != NULL ? slash + 1 : site;
}

/* True if this thread may wait for ever, as those of a pool that a library keeps. */
static inline bool frng__is_daemon(const frng_thread *t) {
    return frng__sched.has_daemons && t->run != NULL && !t->has_ended && t->number > 0 &&
           (t->is_detached || t->is_of_library);
}

/* Nobody can go on, or too long: fail, and say where each thread is. If a draw of a thread's own
 * has run out, it may never wake the others: the run has passed. */
FRNG__COLD void frng__stuck(const char *what, bool nobody_waits) {
    frng_sched *s = &frng__sched;
    const bool is_over = frng__threads[0].run == NULL || frng__threads[0].number > 0; /* thread 0 */
    const char *site = NULL;
    char text[2048] = "";
    size_t end = 0;
    if (s->f->exhausted) frng_fiber_switch(&frng__home);
    for (size_t i = 0; i < s->places; i++) {
        const frng_thread *t = &frng__threads[i], *joined = frng__threads;
        while (joined < &frng__threads[FRNG_THREADS] && t->waits != joined) joined++;
        if (t->run == NULL || (t->has_ended && !nobody_waits)) continue;
        const bool is_left = is_over && frng__is_daemon(t);
        if (site == NULL || (t->waits != NULL && t->waits != joined && !is_left)) site = t->site;
        const int n = snprintf(text + end, sizeof text - end, "%sthread %d %s at %s (%s)",
                               end > 0 ? ", " : "", (int)t->number,
                               t->has_ended       ? "ended"
                               : t->waits != NULL ? "waits"
                                                  : "runs",
                               t->site, t->does);
        if (n > 0 && (size_t)n < sizeof text - end) end += (size_t)n;
    }
    frng__assert_failed(site != NULL ? site : "frng_sched", what, ": %s", text);
}

/* Return who of `count` goes on: 0, or the next one for each deviation at this point. */
static inline size_t frng__deviate(frng_thread *const *able, size_t count) {
    static const uint32_t weights[] = {28, 20, 16, 14, 12, 12, 12, 10, 8, 8, 8, 8,
                                       6,  6,  6,  6,  4,  4,  4,  4,  4, 4, 4, 4,
                                       4,  4,  4,  4,  4,  4,  4,  4,  4, 3, 3, 2};
    enum { NEAR = sizeof weights / sizeof *weights - 4 };
    frng_sched *s = &frng__sched;
    size_t pick = 0;
    while (pick + 1 < count && !s->is_out) {
        if (!s->is_drawn) {
            frng__told_step(s->f, "deviation");
            frng__world_note(s->f, "quiet");
            const bool has_failed = s->f->exhausted; /* a draw of a thread's own */
            s->is_out = !frng_pick_weighted(s->f, weights, NEAR + 4, &s->quiet);
            s->f->exhausted = has_failed;
            s->is_far = s->quiet >= NEAR; /* 32, 128, 512, 2048: then it draws again */
            if (s->is_far) s->quiet = (size_t)32 << 2 * (s->quiet - NEAR);
            s->is_drawn = true;
            if (!s->is_out) frng__world_note(s->f, "");
            if (!s->is_out)
                frng_say(s->f, "%d point%s later:", (int)s->quiet, s->quiet == 1 ? "" : "s");
        }
        if (s->is_out || s->quiet-- > 0) return pick;
        s->is_drawn = false;
        if (s->is_far) continue;
        if (able[pick] == s->now)
            frng_say(s->f, "thread %d is interrupted at %s (%s)", (int)s->now->number,
                     frng__short(s->now->site), s->now->does);
        else
            frng_say(s->f, "thread %d is passed over", (int)able[pick]->number);
        pick++;
    }
    return pick;
}

/* List who can go on: first the one that does so without a deviation, last those that time or
 * nothing at all would wake. Return how many, *count of them without the last sort. */
static inline size_t frng__able(frng_thread **able, bool stays, size_t *count) {
    frng_sched *s = &frng__sched;
    frng_thread *late = NULL, *idle[FRNG_THREADS];
    size_t n = 0, idles = 0, place = (size_t)(s->now - frng__threads);
    if (stays) able[n++] = s->now;
    for (size_t i = 0; i < s->places; i++) {
        place = place + 1 < s->places ? place + 1 : 0;
        frng_thread *t = &frng__threads[place];
        if (t->run == NULL || t->has_ended || (stays && t == s->now)) continue;
        if (t->waits != NULL && t->is_ready != NULL && t->is_ready(t->waits)) t->waits = NULL;
        if (t->waits == NULL)
            able[n++] = t;
        else if (t->until < (late != NULL ? late->until : FRNG_NEVER))
            late = t;
        else if (t->may_wake)
            idle[idles++] = t;
    }
    if (late != NULL) able[n++] = late;
    if (late != NULL && s->points - s->ticked > FRNG__HOUR) {
        able[n - 1] = able[0];
        able[0] = late;
    }
    *count = n;
    for (size_t i = 0; i < idles && n > 1; i++) able[n++] = idle[i];
    return n;
}

/* Say that the turn passes. */
FRNG__COLD void frng__say_turn(const frng_thread *from, const frng_thread *to) {
    const bool ends = from->run == NULL || from->has_ended;
    if (ends || from->waits != NULL)
        frng_say(frng__sched.f, "thread %d %s at %s (%s)", (int)from->number,
                 ends ? "ends" : "waits", frng__short(from->site), from->does);
    frng_say(frng__sched.f, "thread %d goes on at %s (%s)%s", (int)to->number,
             frng__short(to->site), to->does, to->is_late ? ": time is up" : "");
}

/* Label the run with the threads that it leaves, and with a lock that one of them holds. */
static inline void frng__label_left(size_t count) {
    const size_t many = 9;
    static char text[2][56];
    frng *f = frng__sched.f;
    (void)snprintf(text[0], sizeof text[0], "threads left waiting: %d%s",
                   (int)(count < many ? count : many), count < many ? "" : " or more");
    frng__mark(f, FRNG_LABEL, text[0], 0);
    for (const frng_thread *t = frng__threads; t < frng__threads + frng__sched.places; t++) {
        if (!frng__is_daemon(t) || t->held == 0) continue;
        (void)snprintf(text[1], sizeof text[1], "left waiting with the lock of %s",
                       frng__short(t->holds));
        frng__mark(f, FRNG_LABEL, text[1], 0);
        return;
    }
}

/* Nobody can go on: the end of the run, or a failure. */
FRNG__COLD __attribute__((noreturn)) void frng__nobody(void) {
    const frng_sched *s = &frng__sched;
    size_t alive = 0, left = 0, daemons = 0;
    for (const frng_thread *t = frng__threads; t < frng__threads + s->places; t++) {
        daemons += frng__is_daemon(t);
        if (t->run == NULL || frng__is_daemon(t)) continue;
        alive += !t->has_ended;
        left++;
    }
    if (alive > 0 && frng__has_timer())
        frng__no_verdict(
            "all threads wait while a timer of the kernel runs, which is not modelled");
    if (left > 0) frng__stuck(alive > 0 ? "deadlock" : "not joined", alive == 0);
    if (daemons > 0) {
        frng__label_left(daemons);
        frng__mark(s->f, FRNG_LAST_RUN, "", 0); /* the library believes that they live */
    }
    /* To create and to join are places, too; a thread may take a lock to enter a list, and to leave
     * it, and interleave by atomics in between. */
    enum { NONE = 2, ENTERS = 8 };
    const uint64_t others = s->made - 1;
    if (s->has_daemons &&
        (s->places_to_turn <= NONE * others || (s->places_to_turn < ENTERS * (others - daemons) &&
                                                s->has_unseen != NULL && s->has_unseen())))
        frng__mark(s->f, FRNG_LABEL, "few places to interleave (atomics are unseen)", 0);
    frng_fiber_switch(&frng__home);
    FRNG_TRAP();
}

/* True if all threads that are left are a library's, or detached and wait for ever. */
static inline bool frng__has_ended_but_for_daemons(void) {
    const frng_thread *t = frng__threads;
    while (t < frng__threads + frng__sched.places &&
           (t->run == NULL || (frng__is_daemon(t) && (t->is_of_library || t->waits != NULL))))
        t++;
    return t == frng__threads + frng__sched.places;
}

/* The run has had all its points: those that a library's threads still make are none of the test's.
 */
FRNG__COLD void frng__too_long(void) {
    if (frng__has_ended_but_for_daemons()) frng__nobody();
    frng__stuck("livelock", false);
}

/* A thread goes on: errno may be its own. */
static inline void frng__is_here(void) {
    frng__sched.real = &errno;
    if (frng__watch_now.real != NULL) frng__watch_now.real = &errno;
    if (frng__sched.at_turn != NULL) frng__sched.at_turn();
}

/* Let the thread go on whose turn it is. `stays`: this one can, and does without a deviation. */
static inline void frng__schedule(bool stays) {
    frng_sched *s = &frng__sched;
    frng_thread *able[FRNG_THREADS], *const from = s->now;
    size_t count;
    if (++s->points > s->points_most) frng__too_long();
    if (++from->points > FRNG__PATIENCE) stays = false;
    if (s->is_told) frng__report_site("", ""); /* it did not spin for ever */
    s->is_told = false;
    const bool can = from->run != NULL && !from->has_ended && from->waits == NULL;
    const size_t all = frng__able(able, stays, &count);
    if (count == 0) frng__nobody();
    s->places_to_turn += can && count > 1;
    const size_t pick = count > 1 ? frng__deviate(able, all) : 0;
    frng_thread *const to = able[pick];
    to->is_late = to->waits != NULL && pick < count;
    if (pick >= count && count > 1)
        frng_say(s->f, "thread %d wakes for no reason at %s (%s)", (int)to->number,
                 frng__short(to->site), to->does);
    to->waits = NULL;
    if (to->is_late) s->ticked = s->points;
    if (to->is_late && s->time < to->until) s->time = to->until;
    if (to == from) return;
    from->points = 0;
    if (frng_listens(s->f)) frng__say_turn(from, to);
    frng_digest(s->f, s->points << 8 | to->number);
    s->now = to;
    frng_fiber_switch(&to->fiber);
    frng__is_here();
}

/* ---- Points, waits and the run ---- */

/* A point of this thread: another one may go on. Outside of a run it is nothing. */
static inline void frng__point(bool stays, const char *site, const char *does) {
    frng_thread *t = frng__sched.now;
    if (t == NULL) return;
    t->site = site;
    t->does = does;
    frng__schedule(stays);
}

/* Wait until frng_wake, or until a time. Return false if the time has come. */
static inline bool frng__wait(const void *object, uint64_t until, const char *site,
                              const char *does) {
    frng_thread *t = frng__sched.now;
    if (t == NULL) FRNG_TRAP(); /* outside of a run */
    t->waits = object;
    t->until = until;
    t->turn = frng__sched.turns++;
    frng__point(false, site, does);
    return !t->is_late;
}

/* Wake up to `most` threads that wait for an object: those that came first, but for deviations.
 * Return false if no thread waits. */
static inline bool frng_wake(const void *object, size_t most) {
    const frng_sched *s = &frng__sched;
    bool wakes = false;
    for (size_t n = 1; n > 0 && most > 0; most--) {
        frng_thread *waiting[FRNG_THREADS];
        n = 0;
        for (size_t i = 0; i < s->places; i++) {
            size_t k = n;
            if (frng__threads[i].run == NULL || frng__threads[i].waits != object) continue;
            for (; k > 0 && waiting[k - 1]->turn > frng__threads[i].turn; k--)
                waiting[k] = waiting[k - 1];
            waiting[k] = &frng__threads[i];
            n++;
        }
        if (n > 0) waiting[most < n ? frng__deviate(waiting, n) : 0]->waits = NULL;
        wakes = wakes || n > 0;
    }
    return wakes;
}

/* The compiler calls this when a thread-local object of C++ begins. */
#ifdef __cplusplus
extern "C" {
#endif
int frng__ends_later(void (*destroy)(void *), void *object, void *library) //
    __asm__("__cxa_thread_atexit_impl");
__attribute__((weak)) int frng__ends(void (*destroy)(void *), void *object, void *library) //
    __asm__("__cxa_thread_atexit");
int frng__ends(void (*destroy)(void *), void *object, void *library) {
    frng_thread *t = frng__sched.now;
    if (t == NULL || t->number == 0 || frng__sched.real != &errno || !frng__is_local(object))
        return frng__ends_later(destroy, object, library);
    if (t->end_count == FRNG__ENDS)
        frng__no_verdict("more than %d thread-local objects of a thread", (int)FRNG__ENDS);
    t->ends[t->end_count].destroy = destroy;
    t->ends[t->end_count++].object = object;
    return 0;
}
#ifdef __cplusplus
}
#endif

/* True until the C library makes a thread: C++ then leaves locks and wakes out. */
extern char frng__is_single __asm__("__libc_single_threaded") __attribute__((weak));

/* End this thread. */
__attribute__((noreturn, unused)) static void frng_exit(void *result) {
    frng_thread *t = frng__sched.now;
    while (t->end_count > 0) {
        const frng__end last = t->ends[--t->end_count];
        last.destroy(last.object);
    }
    if (frng__sched.at_exit != NULL) frng__sched.at_exit();
    t->result = result;
    t->has_ended = true;
    if (t->is_detached) t->run = NULL;
    frng_wake(t, FRNG_THREADS);
    const uint64_t most = frng__sched.points + FRNG__POINTS_AFTER;
    if (most < frng__sched.points_most && frng__has_ended_but_for_daemons())
        frng__sched.points_most = most;
    frng__schedule(false);
    FRNG_TRAP();
}

/* Clear the stacks of the threads that have ended. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void frng__wipe_threads(void);
void frng__wipe_threads(void) {
    for (const frng_thread *t = frng__threads; t < frng__threads + frng__sched.places; t++)
        if (t->run == NULL || t->has_ended)
            (void)frng__map(t->fiber.stack, t->fiber.size, MAP_FIXED);
}
#ifdef __cplusplus
}
#endif

static void frng__thread_main(void) {
    frng__is_here();
    if (frng__sched.now->fiber.pointer != frng__home.pointer) {
        (void)frng__find_locals();
        frng__begin_locals(NULL);
        frng__fiber_count_leaks(&frng__sched.now->fiber);
    }
    frng_exit(frng__sched.now->run(frng__sched.now->argument));
}

/* Make a thread. Its stack has `stack` bytes, or FRNG_SCHED_STACK if that is more. */
static inline frng_thread *frng__spawn(void *(*run)(void *), void *argument, bool is_detached,
                                       size_t stack, const char *site) {
    frng_sched *s = &frng__sched;
    size_t place = 0;
    while (place < FRNG_THREADS && frng__threads[place].run != NULL) place++;
    if (place == FRNG_THREADS)
        frng__no_verdict("more than %d threads: compile with -DFRNG_THREADS=N", (int)FRNG_THREADS);
    if (place >= s->places) s->places = place + 1;
    frng_thread *t = &frng__threads[place];
    const frng_fiber used = t->fiber; /* of an earlier thread on this stack */
    const bool is_own = s->made > 0;  /* thread 0 has the variables of the caller */
    uintptr_t pointer = frng__home.pointer;
    memset(t, 0, sizeof *t);
    t->fiber = used;
    t->run = run;
    t->argument = argument;
    t->number = s->made++;
    t->until = FRNG_NEVER;
    t->site = t->made = site;
    t->does = "begins";
    t->is_detached = is_detached;
    if (pointer != 0 && is_own) pointer = frng__locals_now.lend(place);
    frng_fiber_begin(&t->fiber, frng__thread_main,
                     stack > FRNG_SCHED_STACK ? stack : FRNG_SCHED_STACK,
                     frng__locals_of[is_own ? place : (size_t)FRNG_THREADS], pointer);
    return t;
}

static inline void frng__spawn_detached(void *(*run)(void *), void *argument, const char *site) {
    (void)frng__spawn(run, argument, true, 0, site);
    frng__point(true, site, "creates a thread");
}

/* If another thread could go on, it might end the wait. */
__attribute__((unused)) static void frng__is_blocked(const char *call, const char *caller) {
    const frng_thread *t = frng__sched.now;
    for (size_t i = 0; i < frng__sched.places; i++) {
        const frng_thread *o = &frng__threads[i];
        if (o == t || o->run == NULL || o->has_ended) continue;
        if (o->waits == NULL || o->is_ready != NULL || o->until != FRNG_NEVER)
            frng__no_verdict("thread %d blocks in %s, called at %s, which is not modelled",
                             (int)t->number, call, caller);
    }
    frng__assert_failed(t->site, "blocked", ": thread %d is in %s, called at %s, since %s (%s)",
                        (int)t->number, call, caller, frng__short(t->site), t->does);
}

/* A run takes long: say where its thread is. This is in a handler, so it takes no lock. */
__attribute__((unused)) static void frng__takes_long(bool spins) {
    const frng_thread *t = frng__sched.now;
    char text[256];
    if (frng__sched.is_told) return;
    const int length =
        snprintf(text, sizeof text, "frng: thread %d %s %.150s (%s)\n", (int)t->number,
                 spins ? "spins, without a point since" : "runs on, the last point is",
                 frng__short(t->site), t->does);
    if (length > 0) (void)!write(STDERR_FILENO, text, (size_t)length);
    if (!spins || frng__on_assert == NULL) return;
    frng__report_site(t->site, "");
    frng__sched.is_told = true;
}

static inline bool frng__sched_run(frng *f, void *(*run)(void *), void *argument,
                                   const char *site) {
    frng_sched *s = &frng__sched;
    const uint64_t runs = s->run + 1;
    FRNG_ASSERT(s->now == NULL, "frng_sched_run in a run of its own");
    for (size_t i = 0; i < s->places; i++) frng__threads[i].run = NULL;
    memset(s, 0, sizeof *s);
    s->run = runs;
    s->points_most = FRNG_SCHED_POINTS;
    s->f = f;
    s->real = &errno;
    s->is_out = f->exhausted;
    f->exhausted = false;
    if (&frng__is_single != NULL) frng__is_single = 0;
    const size_t locals = frng__find_locals();
    const bool borrows = frng__locals_now.has_lists && frng__locals_now.lend != NULL;
    if (locals > FRNG_FIBER_LOCALS && !borrows)
        frng__no_verdict("%zu bytes of thread-local variables: compile with -DFRNG_FIBER_LOCALS=N",
                         locals);
    frng_fiber_adopt(&frng__home, frng__locals_of[FRNG_THREADS], borrows);
    s->now = frng__spawn(run, argument, true, 0, site);
    if (frng__tsan_go == NULL)
        frng__watch_begin(&s->run, &s->points, frng__is_blocked, frng__takes_long);
    frng_fiber_switch(&s->now->fiber);
    for (size_t i = 0; i < s->places; i++) frng_fiber_end(&frng__threads[i].fiber);
    s->now = NULL;
    if (s->at_turn != NULL) s->at_turn();
    frng__watch_now.real = NULL;
    const bool has_passed = f->exhausted;
    f->exhausted = has_passed || s->is_out;
    return !has_passed;
}

#define frng_sched_run(f, run, argument) frng__sched_run(f, run, argument, FRNG__SITE)
#define frng_spawn(run, argument) frng__spawn_detached(run, argument, FRNG__SITE)
#define frng_yield() frng__point(false, FRNG__SITE, "yields")
#define frng_point(does) frng__point(true, FRNG__SITE, does)
#define frng_wait(object, does) ((void)frng__wait(object, FRNG_NEVER, FRNG__SITE, does))

FRNG__WRAPS_END
#endif
