/* probe.c: a set of numbers in a table with linear probing, which remembers distances in 4 bits.
 *
 * A number belongs at the slot of its hash, and lies in the first free one from there on. Each slot
 * has the distance to where its number belongs, by which a lookup ends early and a removal moves
 * numbers back. Fails when the table loses a number that it was given: where many numbers belong
 * close together, a distance needs a fifth bit. SPDX-License-Identifier: MIT */
#include <frng_main.h>

enum { SLOTS = 64, NUMBERS = 24, EMPTY = 0 };

#ifdef FIXED
enum { DISTANCES = SLOTS };
#else
enum { DISTANCES = 16 };
#endif

typedef struct table {
    uint8_t numbers[SLOTS]; /* EMPTY marks a free slot */
    uint8_t distances[SLOTS];
    size_t count;
} table;

static size_t home_of(uint8_t number) { return (uint8_t)(number * 157u) >> 2; }

static size_t slot_at(uint8_t number, size_t distance) {
    return (home_of(number) + distance) % SLOTS;
}

/* Return the distance at which a number is, or the first free slot for it. */
static size_t look_up(const table *t, uint8_t number) {
    size_t distance = 0;
    while (t->numbers[slot_at(number, distance)] != EMPTY &&
           t->numbers[slot_at(number, distance)] != number)
        distance++;
    return distance;
}

static bool has(const table *t, uint8_t number) {
    const size_t slot = slot_at(number, look_up(t, number));
    return t->numbers[slot] == number;
}

static void insert(table *t, uint8_t number) {
    const size_t distance = look_up(t, number), slot = slot_at(number, distance);
    t->count += t->numbers[slot] == EMPTY;
    t->numbers[slot] = number;
    t->distances[slot] = (uint8_t)(distance % DISTANCES);
}

/* Move numbers back into the slot that gets free, as far as each may go. */
static void erase(table *t, uint8_t number) {
    size_t hole = slot_at(number, look_up(t, number));
    if (t->numbers[hole] != number) return;
    for (size_t step = 1, at = (hole + 1) % SLOTS; t->numbers[at] != EMPTY;
         at = (at + 1) % SLOTS, step++) {
        if (t->distances[at] < step) continue; /* it belongs behind the hole */
        t->numbers[hole] = t->numbers[at];
        t->distances[hole] = (uint8_t)(t->distances[at] - step);
        hole = at;
        step = 0;
    }
    t->numbers[hole] = EMPTY;
    t->count--;
}

/* ---- The test: a list of what the table has ---- */

typedef struct model {
    uint8_t numbers[NUMBERS];
    size_t count;
} model;

static size_t longest_way(const table *t) {
    size_t longest = 0;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        if (t->numbers[slot] == EMPTY) continue;
        const size_t distance = look_up(t, t->numbers[slot]);
        if (distance > longest) longest = distance;
    }
    return longest;
}

static void check(const table *t, const model *m) {
    for (size_t i = 0; i < m->count; i++)
        FRNG_ASSERT(has(t, m->numbers[i]), "%d of %zu is lost", m->numbers[i], m->count);
    FRNG_ASSERT(t->count == m->count, "%zu numbers, not %zu", t->count, m->count);
}

static bool step(frng *f, table *t, model *m) {
    bool is_insert;
    FRNG_TRY(frng_bool(f, &is_insert));
    if (is_insert && m->count < NUMBERS) {
        uint8_t number;
        frng_step(f, "insert");
        FRNG_TRY(frng_u8(f, &number));
        FRNG_TRY(frng_assume(f, number != EMPTY)); /* as the table's caller promises */
        if (!has(t, number)) m->numbers[m->count++] = number;
        insert(t, number);
    } else if (m->count > 0) {
        size_t i;
        frng_step(f, "erase");
        FRNG_TRY(frng_pick(f, m->count, &i));
        erase(t, m->numbers[i]);
        m->numbers[i] = m->numbers[--m->count];
    }
    frng_maximize(f, "longest way", longest_way(t));
    check(t, m);
    return true;
}

static bool test(frng *f) {
    table t = {.count = 0};
    model m = {.count = 0};
    for (;;) FRNG_TRY(step(f, &t, &m));
}

FRNG_MAIN(test)
