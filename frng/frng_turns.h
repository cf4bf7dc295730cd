/* frng_turns.h: which thread goes on, for frng_sched.h: the threads, and entropy that deviates.
 *
 * Where several threads can go on, the one that runs does, or the next one in a circle if it waits
 * or ends: without a draw. A deviation passes the turn on to the next one; each draw says how many
 * such points come before it. This is delay-bounded scheduling (Emmi, Qadeer, Rakamaric 2011), with
 * entropy as the bound. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_TURNS_H
#define FRNG_TURNS_H

#include "frng_assert.h"
#include "frng_fiber.h"
#include "frng_more.h"

#ifndef FRNG_THREADS
#define FRNG_THREADS 16 /* alive at once */
#endif
#ifndef FRNG_SCHED_STACK
#define FRNG_SCHED_STACK 65536 /* bytes of each thread */
#endif
#ifndef FRNG_SCHED_POINTS
#define FRNG_SCHED_POINTS 1000000 /* of a run; more are a livelock */
#endif
/* A thread may have this many points in a row before the next one goes on, and all of them before
 * time passes for those that wait until a time: a thread that spins does not stop the others. */
enum { FRNG__PATIENCE = 250, FRNG__HOUR = 1000 };
#define FRNG_NEVER UINT64_MAX

typedef struct frng_thread {
    frng_fiber fiber;
    void *(*run)(void *); /* NULL: this place is free */
    void *argument, *result;
    const void *waits; /* for this object; NULL: it can run */
    uint64_t number, turn, until, points;
    const char *site, *does, *made; /* the last point: where, and what; where it was created */
    bool has_ended, is_detached;    /* has_ended: and it was not joined */
    bool is_late, may_wake;         /* waited until its time; may wake for no reason */
} frng_thread;

/* The state of a run. */
typedef struct frng_sched {
    frng *f;
    frng_thread *now;     /* NULL: no run is in progress */
    size_t places, quiet; /* threads[0..places-1] are in use; points until the next deviation */
    uint64_t run, made, turns, points, time, ticked; /* ticked: the point at which time passed */
    bool is_drawn, is_far, is_out; /* quiet: it is drawn; nothing comes after it; no entropy */
    void (*at_exit)(void);         /* at the end of each thread, or NULL */
} frng_sched;

/* All files of a program share a weak variable. */
__attribute__((weak)) frng_sched frng__sched;
__attribute__((weak)) frng_thread frng__threads[FRNG_THREADS];
__attribute__((weak)) frng_fiber frng__home; /* the caller of frng_sched_run */
__attribute__((weak, aligned(64))) char frng__stacks[FRNG_THREADS][FRNG_SCHED_STACK];

static inline uint64_t frng_self(void) {
    return frng__sched.now != NULL ? frng__sched.now->number : 0;
}

static inline uint64_t frng_now(void) { return frng__sched.time; }

/* Return "file:line" without folders. */
static inline const char *frng__short(const char *site) {
    const char *slash = strrchr(site, '/');
    return slash != NULL ? slash + 1 : site;
}

/* Nobody can go on, or too long: fail, and say where each thread is. If a draw of a thread's own
 * has run out, it may never wake the others: the run has passed. */
FRNG__COLD void frng__stuck(const char *what, bool nobody_waits) {
    frng_sched *s = &frng__sched;
    const char *site = NULL;
    char text[2048] = "";
    size_t end = 0;
    if (s->f->exhausted) frng_fiber_switch(&frng__home);
    for (size_t i = 0; i < s->places; i++) {
        const frng_thread *t = &frng__threads[i], *joined = frng__threads;
        while (joined < &frng__threads[FRNG_THREADS] && t->waits != joined) joined++;
        if (t->run == NULL || (t->has_ended && !nobody_waits)) continue;
        if (site == NULL || (t->waits != NULL && t->waits != joined)) site = t->site;
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
            frng__world_step(s->f, "deviation");
            frng_note(s->f, "quiet");
            const bool has_failed = s->f->exhausted; /* a draw of a thread's own */
            s->is_out = !frng_pick_weighted(s->f, weights, NEAR + 4, &s->quiet);
            s->f->exhausted = has_failed;
            s->is_far = s->quiet >= NEAR; /* 32, 128, 512, 2048: then it draws again */
            if (s->is_far) s->quiet = (size_t)32 << 2 * (s->quiet - NEAR);
            s->is_drawn = true;
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

/* Nobody can go on: the end of the run, or a failure. */
FRNG__COLD void frng__nobody(void) {
    size_t alive = 0, left = 0;
    for (const frng_thread *t = frng__threads; t < frng__threads + frng__sched.places; t++) {
        alive += t->run != NULL && !t->has_ended;
        left += t->run != NULL;
    }
    if (left > 0) frng__stuck(alive > 0 ? "deadlock" : "not joined", alive == 0);
    frng_fiber_switch(&frng__home);
}

/* Let the thread go on whose turn it is. `stays`: this one can, and does without a deviation. */
static inline void frng__schedule(bool stays) {
    frng_sched *s = &frng__sched;
    frng_thread *able[FRNG_THREADS], *const from = s->now;
    size_t count;
    if (++s->points > FRNG_SCHED_POINTS) frng__stuck("livelock", false);
    if (++from->points > FRNG__PATIENCE) stays = false;
    const size_t all = frng__able(able, stays, &count);
    if (count == 0) frng__nobody();
    const size_t pick = count > 1 ? frng__deviate(able, all) : 0;
    frng_thread *const to = able[pick];
    to->is_late = to->waits != NULL && pick < count;
    to->waits = NULL;
    if (to->is_late) s->ticked = s->points;
    if (to->is_late && s->time < to->until) s->time = to->until;
    if (to == from) return;
    if (frng_fiber_overflows(&from->fiber))
        frng__assert_failed(from->site, "stack overflow", ": thread %d needs more than %d bytes",
                            (int)from->number, (int)FRNG_SCHED_STACK);
    from->points = 0;
    if (frng_listens(s->f)) frng__say_turn(from, to);
    frng_digest(s->f, s->points << 8 | to->number);
    s->now = to;
    frng_fiber_switch(&to->fiber);
}

#endif
