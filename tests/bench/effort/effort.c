/* effort.c: what a default search costs and finds; one source for frng, a bare loop and libhegel.
 *
 *     cc -DTEST=queue [-DTURNS=1000] -I bare|hegel ... effort.c
 *
 * effort.py and hegel.py compile it, the latter two with a frng_main.h of their own.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#ifndef OPERATIONS /* libhegel has a list of them */
#define OPERATIONS for (;;)
#endif
#ifndef TURNS
#define TURNS 1000
#endif
#define UNUSED __attribute__((unused)) static

/* ---- The README's queue, 8 deep, and the same repaired ---- */

typedef struct queue {
    uint8_t items[8];
    unsigned head, count, wraps;
} queue;

static bool queue_step(frng *f, queue *q, uint8_t *first, uint8_t *last) {
    bool want_push;
    FRNG_TRY(frng_bool(f, &want_push));
    if (want_push && q->count < 8) {
        q->items[(q->head + q->count++) % 8] = (*last)++;
    } else if (!want_push && q->count > 0) {
        const uint8_t got = q->items[q->head++ % q->wraps];
        q->count--;
        FRNG_ASSERT(got == *first, "got %d, not %d", got, *first);
        (*first)++;
    }
    return true;
}

UNUSED bool queue_of(frng *f, unsigned wraps) {
    queue q = {.wraps = wraps};
    uint8_t first = 0, last = 0;
    OPERATIONS FRNG_TRY(queue_step(f, &q, &first, &last));
}

UNUSED bool broken(frng *f) { return queue_of(f, 7); }
UNUSED bool repaired(frng *f) { return queue_of(f, 8); }

/* ---- A third of the runs fails, or none ---- */

UNUSED bool third_of(frng *f, unsigned bad) {
    uint8_t x = 0;
    for (int i = 0; i < 16; i++) FRNG_TRY(frng_u8(f, &x));
    FRNG_ASSERT(x % 3 != bad);
    return true;
}

UNUSED bool third(frng *f) { return third_of(f, 0); }
UNUSED bool no_third(frng *f) { return third_of(f, 3); }

/* ---- Rare failures ---- */

/* A coordinator and three participants in two phases; messages arrive in any order, or are lost.
 * One that starts again has forgotten that it voted yes. It settles: 1 run in 1,000 fails. */
enum { PARTS = 3, MESSAGES = 32 };
typedef enum phase { IDLE, VOTED, COMMITTED, ABORTED } phase;
typedef enum letter { PREPARE, YES, NO, COMMIT, ABORT } letter;

typedef struct world {
    phase part[PARTS], coordinator;
    unsigned yes;
    bool counted[PARTS];
    letter what[MESSAGES];
    size_t to[MESSAGES], count;
} world;

UNUSED void post(world *w, letter what, size_t part) {
    if (w->count == MESSAGES) return;
    w->what[w->count] = what;
    w->to[w->count++] = part;
}

UNUSED void decide(world *w, phase p) {
    w->coordinator = p;
    for (size_t i = 0; i < PARTS; i++) post(w, p == COMMITTED ? COMMIT : ABORT, i);
}

/* Take a message out. Return false if the entropy ran out; an empty queue leaves *what as it is. */
UNUSED bool take(frng *f, world *w, letter *what, size_t *part) {
    size_t at;
    FRNG_TRY(frng_index(f, w->count, &at));
    *what = w->what[at];
    *part = w->to[at];
    w->what[at] = w->what[--w->count];
    w->to[at] = w->to[w->count];
    return true;
}

UNUSED bool deliver(frng *f, world *w) {
    letter what;
    size_t part;
    bool agrees;
    FRNG_TRY(take(f, w, &what, &part));
    phase *p = &w->part[part];
    if (what == PREPARE && *p == IDLE) {
        FRNG_TRY(frng_bool(f, &agrees));
        *p = agrees ? VOTED : ABORTED;
        post(w, agrees ? YES : NO, part);
    } else if (what == YES && w->coordinator == VOTED && !w->counted[part]) {
        w->counted[part] = true;
        if (++w->yes == PARTS) decide(w, COMMITTED);
    } else if (what == NO && w->coordinator == VOTED) {
        decide(w, ABORTED);
    } else if (what >= COMMIT && *p == VOTED) {
        *p = what == COMMIT ? COMMITTED : ABORTED;
    }
    return true;
}

UNUSED bool commit_step(frng *f, world *w) {
    uint8_t rule;
    size_t who = 0;
    letter what;
    FRNG_TRY(frng_u8_max(f, 4, &rule));
    if (rule == 0 && w->coordinator == IDLE) {
        w->coordinator = VOTED;
        for (size_t i = 0; i < PARTS; i++) post(w, PREPARE, i);
    }
    if (rule == 1 && w->count > 0) FRNG_TRY(deliver(f, w));
    if (rule == 2 && w->count > 0) FRNG_TRY(take(f, w, &what, &who));
    if (rule >= 3) FRNG_TRY(frng_index(f, rule == 3 ? PARTS + 1 : PARTS, &who));
    if (rule == 3 && who == PARTS && w->coordinator == VOTED) decide(w, ABORTED);
    if (rule == 3 && who < PARTS && w->part[who] == IDLE) w->part[who] = ABORTED;
    if (rule == 4 && w->part[who] == VOTED) w->part[who] = IDLE;
    bool seen[ABORTED + 1] = {false};
    for (size_t i = 0; i < PARTS; i++) seen[w->part[i]] = true;
    FRNG_ASSERT(!seen[COMMITTED] || !seen[ABORTED], "one has committed, another one aborted");
    return true;
}

UNUSED bool commit(frng *f) {
    world w = {.count = 0};
    OPERATIONS FRNG_TRY(commit_step(f, &w));
}

/* Insert, delete, undo and redo: a redone deletion at the end of the text deletes one too early. */
typedef struct editor {
    char text[600], letters[600];
    size_t at[600], size, made, done;
    bool inserts[600];
} editor;

UNUSED void edit(editor *e, size_t i, bool inserts, size_t at) {
    if (inserts) {
        memmove(e->text + at + 1, e->text + at, e->size++ - at);
        e->text[at] = e->letters[i];
    } else {
        memmove(e->text + at, e->text + at + 1, --e->size - at);
    }
}

UNUSED bool edit_new(frng *f, editor *e, bool inserts) {
    const size_t i = e->done;
    uint8_t letter;
    FRNG_TRY(frng_index(f, e->size + inserts, &e->at[i]));
    FRNG_TRY(frng_u8_range(f, 'a', 'z', &letter));
    e->letters[i] = inserts ? (char)letter : e->text[e->at[i]];
    e->inserts[i] = inserts;
    edit(e, i, inserts, e->at[i]);
    e->made = ++e->done;
    return true;
}

UNUSED bool editing(frng *f) {
    editor e = {.size = 0};
    for (int step = 0; step < 300; step++) {
        bool more;
        size_t what;
        static const uint32_t weights[] = {5, 3, 2, 2};
        FRNG_TRY(frng_bool(f, &more));
        if (!more) return true;
        FRNG_TRY(frng_weighted(f, weights, 4, &what));
        if (what == 0 || (what == 1 && e.size > 0)) FRNG_TRY(edit_new(f, &e, what == 0));
        if (what == 2 && e.done > 0) {
            e.done--;
            edit(&e, e.done, !e.inserts[e.done], e.at[e.done]);
        }
        if (what != 3 || e.done == e.made) continue;
        const size_t i = e.done++, at = e.at[i];
        const bool is_early = !e.inserts[i] && at > 0 && at + 1 == e.size;
        FRNG_ASSERT(!is_early || e.text[at - 1] == e.letters[i], "another letter is gone");
        edit(&e, i, e.inserts[i], at - is_early);
    }
    return true;
}

/* Ten dates of 1600 to 2399 and as many ages: 29 February, and a century that is no leap year. */
UNUSED bool feb29(frng *f) {
    for (int i = 0; i < 10; i++) {
        uint16_t year;
        uint8_t month, day, age;
        FRNG_TRY(frng_u16_range(f, 1600, 2399, &year));
        FRNG_TRY(frng_u8_range(f, 1, 12, &month));
        FRNG_TRY(frng_u8_range(f, 1, 31, &day));
        FRNG_TRY(frng_u8(f, &age));
        const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        const unsigned then = year + age;
        FRNG_ASSERT(!is_leap || month != 2 || day != 29 || then % 100 != 0 || then % 400 == 0);
    }
    return true;
}

/* Eight messages with a checksum by Fletcher, as long as these are right; one of 7 bytes fails. */
UNUSED bool fletcher(frng *f) {
    for (int i = 0; i < 8; i++) {
        uint8_t size, a = 0, b = 0;
        uint16_t sum;
        const uint8_t *bytes;
        FRNG_TRY(frng_u8_max(f, 20, &size));
        FRNG_TRY(frng_bytes(f, size, &bytes));
        FRNG_TRY(frng_u16(f, &sum));
        for (unsigned k = 0; k < size; k++) {
            a = (uint8_t)((a + bytes[k]) % 255);
            b = (uint8_t)((a + b) % 255);
        }
        if (sum != (uint16_t)(b << 8 | a)) return true;
        FRNG_ASSERT(size != 7, "7 bytes");
    }
    return true;
}

/* ---- Large and slow runs ---- */

/* One run in `odds` fails, if it has this many bytes. */
UNUSED bool beyond(frng *f, uint8_t odds, size_t least) {
    const uint8_t *bytes;
    uint8_t lot;
    FRNG_TRY(frng_u8_max(f, (uint8_t)(odds - 1), &lot));
    for (size_t size = 1;; size += 500) {
        FRNG_ASSERT(lot != 0 || size < least, "%u bytes", (unsigned)size);
        FRNG_TRY(frng_bytes(f, 500, &bytes));
    }
}

UNUSED bool beyond_100k(frng *f) { return beyond(f, 20, 100000); }
UNUSED bool beyond_1m(frng *f) { return beyond(f, 100, 1000000); }

/* Passes in about TURNS ns. */
UNUSED bool spin(frng *f) {
    uint8_t byte;
    FRNG_TRY(frng_u8(f, &byte));
    for (unsigned i = 0; i < TURNS; i++) __asm__ volatile("" ::"r"(i));
    return true;
}

FRNG_MAIN(TEST)
