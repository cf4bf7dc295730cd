/* frng_lin.h: whether a history of overlapping operations is linearizable.
 *
 * Is there an order in which each takes effect at once, between its call and its return, and
 * returns what a model of the system says? By Wing, Gong and Lowe, as in Porcupine; up to 64
 * operations, also such as never return.
 *
 *     static bool model(uint64_t *state, const frng_lin_op *op) { // of a register
 *         if (op->kind == PUT) *state = op->in;                   // change the state ...
 *         return op->kind == PUT || frng_lin_gave(op, *state);    // false: not with this result
 *     }
 *     static int print(char *text, size_t size, const frng_lin_op *op) { // as snprintf does
 *         return op->kind == PUT ? snprintf(text, size, "put %d", (int)op->in)
 *                                : snprintf(text, size, "get returned %d", (int)op->out);
 *     }
 *     static uint64_t memory[FRNG_LIN_WORDS(8192, 1)]; // slots; a state is 1 word of 64 bits
 *     frng_lin_init(&h, memory, FRNG_LIN_WORDS(8192, 1));
 *     i = frng_lin_call(&h, now, client, PUT, 7);      // when the client calls
 *     frng_lin_return(&h, i, now, 0);                  // when it has the result
 *     frng_lin_failed(&h, i);                          // or knows that it will never happen
 *     FRNG_ASSERT(frng_lin_check(&h, model, &initial, 1) != FRNG_LIN_NO, "%s",
 *                 frng_lin_why(f, &h, print, text, sizeof(text))); // "after put 7: get returned 0"
 *
 * Times never fall. What is called at the instant when another returns overlaps it: count events
 * instead to be stricter. What never returned may have happened at any time since its call, or not;
 * model and print see an `out` of 0. FRNG_LIN_UNKNOWN, never a wrong answer: half of the slots were
 * taken, or more than 64 operations called. Keep a history for each key, all in one memory: each
 * has to be linearizable. C11 and C++11; no allocation. SPDX-License-Identifier: MIT */
#ifndef FRNG_LIN_H
#define FRNG_LIN_H

#include "frng_more.h"
#include <stdio.h>
#include <string.h>

FRNG__WRAPS

enum { FRNG_LIN_MAX = 64 }; /* operations of a history */
#define FRNG_LIN_NEVER UINT64_MAX
#define FRNG_LIN_WORDS(slots, words) (2 + (words) + (slots) * (2 + (words)))

typedef enum frng_lin_answer { FRNG_LIN_YES, FRNG_LIN_NO, FRNG_LIN_UNKNOWN } frng_lin_answer;

typedef struct frng_lin_op {
    uint64_t call, back; /* times; `back` is FRNG_LIN_NEVER for one that did not return */
    uint64_t in, out;    /* argument and result, for the model */
    uint32_t who, kind;
} frng_lin_op;

typedef struct frng_lin {
    frng_lin_op ops[FRNG_LIN_MAX];
    size_t count;     /* of operations called, also when they are too many */
    uint64_t *memory; /* round, sizes, the next state, slots: round, done, state */
    size_t memory_words;
    uint8_t order[FRNG_LIN_MAX + 1]; /* indices of `ops`: the longest order that went well, then
                                        what had to be next and cannot; FRNG_LIN_MAX: nothing */
    size_t ordered, states;          /* how many went well; how many states were seen */
} frng_lin;

/* Do `op`: change the state, or return false if it cannot have had its result here. */
typedef bool (*frng_lin_model)(uint64_t *state, const frng_lin_op *op);
typedef int (*frng_lin_print)(char *text, size_t size, const frng_lin_op *op);

/* Begin a history. `memory` begins as zeros, and later serves other histories as it is. */
static inline void frng_lin_init(frng_lin *h, uint64_t *memory, size_t memory_words) {
    h->count = h->ordered = h->states = 0;
    h->order[0] = FRNG_LIN_MAX;
    h->memory = memory;
    h->memory_words = memory_words;
}

static inline size_t frng_lin_call(frng_lin *h, uint64_t now, uint32_t who, uint32_t kind,
                                   uint64_t in) {
    const frng_lin_op op = {now, FRNG_LIN_NEVER, in, 0, who, kind};
    if (h->count < FRNG_LIN_MAX) h->ops[h->count] = op;
    return h->count++;
}

static inline void frng_lin_return(frng_lin *h, size_t index, uint64_t now, uint64_t out) {
    if (index >= FRNG_LIN_MAX) return;
    if (index >= h->count || now < h->ops[index].call) FRNG_TRAP();
    h->ops[index].back = now;
    h->ops[index].out = out;
}

static inline void frng_lin_failed(frng_lin *h, size_t index) {
    if (index < FRNG_LIN_MAX) h->ops[index].call = h->ops[index].back = FRNG_LIN_NEVER;
}

static inline bool frng_lin_gave(const frng_lin_op *op, uint64_t out) {
    return op->back == FRNG_LIN_NEVER || op->out == out;
}

/* Sets of operations are bits, in the order of their returns: what did not return comes last. */
typedef struct frng__lin_search {
    frng_lin *h;
    frng_lin_model model;
    uint64_t returned;                                /* must happen */
    uint64_t overlap[FRNG_LIN_MAX];                   /* what was called before this one returned */
    uint8_t sorted[FRNG_LIN_MAX], path[FRNG_LIN_MAX]; /* indices of `ops` */
    size_t words, slots, best;
} frng__lin_search;

static inline void frng__lin_sort(frng__lin_search *s, const frng_lin *h) {
    for (size_t i = 0, k; i < h->count; i++) {
        for (k = i; k > 0 && h->ops[s->sorted[k - 1]].back > h->ops[i].back; k--)
            s->sorted[k] = s->sorted[k - 1];
        s->sorted[k] = (uint8_t)i;
    }
    for (size_t i = 0; i < h->count && h->ops[s->sorted[i]].back != FRNG_LIN_NEVER; i++) {
        s->returned |= UINT64_C(1) << i;
        for (size_t k = 0; k < h->count; k++)
            s->overlap[i] |= (uint64_t)(h->ops[s->sorted[k]].call <= h->ops[s->sorted[i]].back)
                             << k;
    }
}

/* Return a free slot for the state in memory + 2, or NULL if that was seen with the same done, or
 * with fewer of those that never returned, which is at least as good. */
static inline uint64_t *frng__lin_slot(const frng__lin_search *s, uint64_t *memory, uint64_t done) {
    uint64_t hash = done & s->returned, *slots = memory + 2 + s->words;
    for (size_t w = 0; w < s->words; w++)
        hash = (hash ^ (hash >> 32) ^ memory[2 + w]) * UINT64_C(0x9e3779b97f4a7c15);
    hash = ((hash ^ (hash >> 29)) * UINT64_C(0xff51afd7ed558ccd)) >> 32;
    for (size_t i = (size_t)((hash * s->slots) >> 32);; i = i + 1 < s->slots ? i + 1 : 0) {
        uint64_t *slot = slots + i * (2 + s->words);
        if (slot[0] != memory[0]) return slot;
        if (((slot[1] ^ done) & (s->returned | slot[1])) != 0) continue;
        if (memcmp(slot + 2, memory + 2, s->words * sizeof(*memory)) == 0) return NULL;
    }
}

/* Do what is left in `state`, when `depth` operations are done, of which `good` returned. */
static inline bool frng__lin_from(frng__lin_search *s, size_t depth, size_t good, uint64_t done,
                                  const uint64_t *state) {
    frng_lin *const h = s->h;
    uint64_t *const here = h->memory + 2;
    const uint64_t left = s->returned & ~done;
    const size_t next = left != 0 ? (size_t)__builtin_ctzll(left) : 0;
    if (good >= s->best) {
        s->best = good + 1;
        memcpy(h->order, s->path, h->ordered = depth);
        h->order[depth] = left != 0 ? s->sorted[next] : (uint8_t)FRNG_LIN_MAX;
    }
    uint64_t todo = left != 0 ? s->overlap[next] & ~done : 0, later = todo & ~s->returned;
    todo &= s->returned; /* first those that change nothing */
    for (bool late = false; (todo | later) != 0 && h->states <= s->slots / 2; todo &= todo - 1) {
        if (todo == 0) todo = later, later = 0, late = true;
        const size_t op = (size_t)__builtin_ctzll(todo);
        const uint64_t bit = UINT64_C(1) << op, then = done | bit;
        uint64_t changes = 0, *slot;
        for (size_t w = 0; w < s->words; w++) here[w] = state[w];
        if (!s->model(here, &h->ops[s->sorted[op]])) continue;
        for (size_t w = 0; w < s->words; w++) changes |= here[w] ^ state[w];
        if (changes != 0 && !late) later |= bit;
        if (late != (changes != 0)) continue; /* what did not return and changes nothing, too */
        if ((slot = frng__lin_slot(s, h->memory, then)) == NULL) continue;
        if (++h->states > s->slots / 2) return false;
        slot[0] = h->memory[0];
        slot[1] = then;
        for (size_t w = 0; w < s->words; w++) slot[2 + w] = here[w];
        s->path[depth] = s->sorted[op];
        if (frng__lin_from(s, depth + 1, good + ((bit & s->returned) != 0), then, slot + 2))
            return true;
    }
    return left == 0;
}

/* Is there an order that the model accepts, from the `words` words at `initial` on? */
static inline frng_lin_answer frng_lin_check(frng_lin *h, frng_lin_model model,
                                             const uint64_t *initial, size_t words) {
    frng__lin_search s = {h, model, 0, {0}, {0}, {0}, words, 0, 0};
    h->ordered = h->states = 0;
    h->order[0] = FRNG_LIN_MAX;
    s.slots = h->memory_words > 2 + words ? (h->memory_words - 2 - words) / (2 + words) : 0;
    if (h->count > FRNG_LIN_MAX || s.slots < 2) return FRNG_LIN_UNKNOWN;
    const uint64_t sizes = (uint64_t)h->memory_words << 16 ^ words;
    if (h->memory[1] != sizes) memset(h->memory, 0, h->memory_words * sizeof(*h->memory));
    h->memory[0]++;
    h->memory[1] = sizes;
    frng__lin_sort(&s, h);
    if (frng__lin_from(&s, 0, 0, 0, initial)) return FRNG_LIN_YES;
    return h->states > s.slots / 2 ? FRNG_LIN_UNKNOWN : FRNG_LIN_NO;
}

/* Say the whole order, unless `f` is NULL; return its end, and what cannot be next, in `text`. */
static inline const char *frng_lin_why(frng *f, const frng_lin *h, frng_lin_print print, char *text,
                                       size_t size) {
    const size_t count = h->ordered + (h->order[h->ordered] < FRNG_LIN_MAX ? 1 : 0);
    size_t at = 0, from = h->ordered > 3 ? h->ordered - 3 : 0;
    for (size_t i = 0; f != NULL && frng_listens(f) && i < count; i++) {
        (void)print(text, size, &h->ops[h->order[i]]);
        frng_say(f, i < h->ordered ? "order %zu: %s" : "order %zu cannot be: %s", i + 1, text);
    }
    for (size_t i = from; i < count && at < size; i++) {
        const char *next = i > from ? ", " : from > 0 ? "after ..., " : "after ";
        if (i == h->ordered) next = i > 0 ? ": " : "at first: ";
        at += (size_t)snprintf(text + at, size - at, "%s", next);
        if (at < size) at += (size_t)print(text + at, size - at, &h->ops[h->order[i]]);
    }
    return text;
}

FRNG__WRAPS_END
#endif
