/* operations: up to 32 operations on a table of three keys, each with another number of draws, all
 * of one kind. Fails when a range is asked for that begins at a key that was inserted, erased and
 * inserted again. COUNTED draws how many there are first; else a number, 0 at the end, comes before
 * each. With STEPS, the test says where operations begin.
 *
 * Smallest: nothing but these four, on key 10.
 *
 *     operations          insert 10 0, erase 10, insert 10 0, range 10 10 0
 *         0801010008340108010100089a010100
 *     operations_steps    insert 10 0, erase 10, insert 10 0, range 10 10 0
 *         0801010008340108010100089a010100
 *     operations_counted  insert 10 0, erase 10, insert 10 0, range 10 10 0
 *         2001010034010101009a010100
 *     operations_both     insert 10 0, erase 10, insert 10 0, range 10 10 0
 *         2001010034010101009a010100
 */
#include "challenge.h"

enum { KEYS = 3, FIRST_KEY = 10, OPERATIONS_MAX = 32 };

typedef enum kind { INSERT, ERASE, MOVE, RANGE, TICK, KINDS } kind;

/* How far a key has come: 1 inserted, 2 erased, 3 inserted again. */
typedef struct table {
    uint8_t state[KEYS];
} table;

static void begin(frng *f, const char *name) {
#ifdef STEPS
    frng_step(f, name);
#else
    (void)f;
    (void)name;
#endif
}

static bool draw_key(frng *f, uint8_t *key) {
    return frng_u8_range(f, FIRST_KEY, FIRST_KEY + KEYS - 1, key);
}

static bool insert(frng *f, table *t) {
    uint8_t key, value;
    begin(f, "insert");
    FRNG_TRY(draw_key(f, &key) && frng_u8(f, &value));
    if (t->state[key - FIRST_KEY] == 0 || t->state[key - FIRST_KEY] == 2)
        t->state[key - FIRST_KEY]++;
    return true;
}

static bool erase(frng *f, table *t) {
    uint8_t key;
    begin(f, "erase");
    FRNG_TRY(draw_key(f, &key));
    if (t->state[key - FIRST_KEY] == 1) t->state[key - FIRST_KEY]++;
    return true;
}

static bool move(frng *f, table *t) {
    uint8_t from, to;
    begin(f, "move");
    FRNG_TRY(draw_key(f, &from) && draw_key(f, &to));
    if (from == to || t->state[from - FIRST_KEY] == 0) return true;
    t->state[from - FIRST_KEY] = 0; /* forgotten, and so is the other one */
    t->state[to - FIRST_KEY] = 1;
    return true;
}

static bool range(frng *f, const table *t) {
    uint8_t first, last, step;
    begin(f, "range");
    FRNG_TRY(draw_key(f, &first) && draw_key(f, &last));
    FRNG_TRY(frng_u8(f, &step));
    FRNG_ASSERT(t->state[first - FIRST_KEY] != 3, "key %d is there twice", first);
    return true;
}

static bool operate(frng *f, table *t) {
    uint8_t drawn;
    FRNG_TRY(frng_u8_max(f, KINDS - 1, &drawn));
    switch ((kind)drawn) {
    case INSERT: return insert(f, t);
    case ERASE: return erase(f, t);
    case MOVE: return move(f, t);
    case RANGE: return range(f, t);
    case TICK:
    case KINDS: break;
    }
    begin(f, "tick");
    return true;
}

static bool test(frng *f) {
    table t = {{0}};
    uint8_t count = OPERATIONS_MAX;
#ifdef COUNTED
    FRNG_TRY(frng_u8_max(f, OPERATIONS_MAX, &count));
#endif
    for (unsigned i = 0; i < count; i++) {
#ifndef COUNTED
        uint8_t more;
        FRNG_TRY(frng_u8_max(f, 31, &more));
        if (more == 0) return true;
#endif
        FRNG_TRY(operate(f, &t));
    }
    return true;
}
