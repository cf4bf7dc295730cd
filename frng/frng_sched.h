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
 * and what they own is no leak. Memory is sequentially consistent: weak memory is not modelled. All
 * threads share thread-local variables, but not errno. Any number of files of a program may
 * include this. SPDX-License-Identifier: MIT */
#ifndef FRNG_SCHED_H
#define FRNG_SCHED_H

#include "frng_turns.h"

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

/* End this thread. */
__attribute__((noreturn, unused)) static void frng_exit(void *result) {
    frng_thread *t = frng__sched.now;
    if (frng__sched.at_exit != NULL) frng__sched.at_exit();
    t->result = result;
    t->has_ended = true;
    if (t->is_detached) t->run = NULL;
    frng_wake(t, FRNG_THREADS);
    frng__schedule(false);
    FRNG_TRAP();
}

static void frng__thread_main(void) { frng_exit(frng__sched.now->run(frng__sched.now->argument)); }

/* Return a new thread, or NULL if there are too many. */
static inline frng_thread *frng__spawn(void *(*run)(void *), void *argument, bool is_detached,
                                       const char *site) {
    frng_sched *s = &frng__sched;
    size_t place = 0;
    while (place < FRNG_THREADS && frng__threads[place].run != NULL) place++;
    if (place == FRNG_THREADS) return NULL;
    if (place >= s->places) s->places = place + 1;
    frng_thread *t = &frng__threads[place];
    const frng_fiber used = t->fiber; /* of an earlier thread on this stack */
    memset(t, 0, sizeof *t);
    t->fiber = used;
    t->run = run;
    t->argument = argument;
    t->number = s->made++;
    t->until = FRNG_NEVER;
    t->site = t->made = site;
    t->does = "begins";
    t->is_detached = is_detached;
    frng_fiber_begin(&t->fiber, frng__thread_main, frng__stacks[place], FRNG_SCHED_STACK);
    return t;
}

static inline void frng__spawn_detached(void *(*run)(void *), void *argument, const char *site) {
    const frng_thread *t = frng__spawn(run, argument, true, site);
    FRNG_ASSERT(t != NULL, "%s: more than %d threads", site, (int)FRNG_THREADS);
    frng__point(true, site, "creates a thread");
}

static inline bool frng__sched_run(frng *f, void *(*run)(void *), void *argument,
                                   const char *site) {
    frng_sched *s = &frng__sched;
    const uint64_t runs = s->run + 1;
    FRNG_ASSERT(s->now == NULL, "frng_sched_run in a run of its own");
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < FRNG_THREADS; i++) frng__threads[i].run = NULL;
    s->run = runs;
    s->f = f;
    s->is_out = f->exhausted;
    f->exhausted = false;
    frng_fiber_adopt(&frng__home);
    s->now = frng__spawn(run, argument, true, site);
    frng_fiber_switch(&s->now->fiber);
    for (size_t i = 0; i < s->places; i++) frng_fiber_end(&frng__threads[i].fiber);
    s->now = NULL;
    const bool has_passed = f->exhausted;
    f->exhausted = has_passed || s->is_out;
    return !has_passed;
}

#define frng_sched_run(f, run, argument) frng__sched_run(f, run, argument, FRNG__SITE)
#define frng_spawn(run, argument) frng__spawn_detached(run, argument, FRNG__SITE)
#define frng_yield() frng__point(false, FRNG__SITE, "yields")
#define frng_point(does) frng__point(true, FRNG__SITE, does)
#define frng_wait(object, does) ((void)frng__wait(object, FRNG_NEVER, FRNG__SITE, does))

#endif
