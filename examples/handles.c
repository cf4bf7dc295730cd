/* handles.c: a table of objects, whose handles end with them.
 *
 * A handle is a slot and its generation, which counts the objects that have been there. So a handle
 * whose object is gone is refused, whatever is in its slot now. Fails when it is not.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_pool.h>

#ifdef FIXED
enum { SLOTS = 8, GENERATIONS = 1 << 16 };
#else
enum { SLOTS = 8, GENERATIONS = 1 << 2 }; /* the low bits of a pointer, which are free */
#endif

typedef struct table {
    unsigned generations[SLOTS], objects[SLOTS]; /* object 0: the slot is free */
    unsigned made;
} table;

static bool table_open(table *t, size_t *handle) {
    size_t slot = 0;
    while (slot < SLOTS && t->objects[slot] > 0) slot++;
    if (slot == SLOTS) return false;
    t->objects[slot] = ++t->made;
    *handle = (size_t)t->generations[slot] * SLOTS + slot;
    return true;
}

/* The object of a handle, or 0. */
static unsigned table_find(const table *t, size_t handle) {
    const size_t slot = handle % SLOTS;
    return t->generations[slot] == handle / SLOTS ? t->objects[slot] : 0;
}

static void table_close(table *t, size_t handle) {
    const size_t slot = handle % SLOTS;
    t->objects[slot] = 0;
    t->generations[slot] = (t->generations[slot] + 1) % GENERATIONS;
}

/* ---- Test ---- */

enum { USERS = 256 };

/* Each object has a user, who goes on to use its handle when it is closed. */
typedef struct world {
    table t;
    size_t handles[USERS];
    unsigned users; /* the object of user i is i + 1 */
    frng_pool open, stale;
} world;

static bool open_one(frng *f, void *state) {
    world *w = state;
    if (w->users == USERS || !table_open(&w->t, &w->handles[w->users])) return true;
    frng_say(f, "user %u gets handle %zu", w->users, w->handles[w->users]);
    frng_pool_add(f, &w->open, w->users++);
    return true;
}

static bool close_one(frng *f, void *state) {
    world *w = state;
    size_t user;
    if (w->open.count == 0) return true;
    FRNG_TRY(frng_pool_take(f, &w->open, &user));
    frng_say(f, "user %zu closes handle %zu", user, w->handles[user]);
    table_close(&w->t, w->handles[user]);
    frng_pool_add(f, &w->stale, user);
    return true;
}

static bool use_one(frng *f, void *state) {
    world *w = state;
    size_t user;
    if (w->open.count == 0) return true;
    FRNG_TRY(frng_pool_draw(f, &w->open, &user));
    const unsigned object = table_find(&w->t, w->handles[user]);
    FRNG_ASSERT(object == user + 1, "user %zu has object %u", user, object);
    return true;
}

static bool use_stale(frng *f, void *state) {
    world *w = state;
    size_t user;
    if (w->stale.count == 0) return true;
    FRNG_TRY(frng_pool_draw(f, &w->stale, &user));
    const size_t old = w->handles[user];
    const unsigned object = table_find(&w->t, old);
    FRNG_ASSERT(object == 0, "user %zu, who closed handle %zu, has object %u", user, old, object);
    return true;
}

static bool test(frng *f) {
    static const frng_rule rules[] = {
        {"open", open_one}, {"close", close_one}, {"use", use_one}, {"use stale", use_stale}};
    world w = {.users = 0};
    return frng_repeat(f, rules, 4, &w, NULL);
}

FRNG_MAIN(test)
