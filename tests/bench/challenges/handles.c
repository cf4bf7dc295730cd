/* handles: objects that link to each other, each named by its place among those alive. Dropping one
 * ends the links to it, but forgets those from objects of its own colour. Fails when a link is
 * followed to an object that is gone.
 *
 * Smallest: one object links to another one of its colour, which is dropped.
 *
 *     handles             create 0, create 0, link 0 1, drop 1, follow 0
 *         000100014000808080c000
 */
#include "challenge.h"

enum { OBJECTS_MAX = 32, COLOURS = 3 };

typedef enum operation { CREATE, LINK, DROP, FOLLOW, OPERATIONS } operation;

typedef struct object {
    unsigned id, link; /* ids begin with 1 */
    uint8_t colour;
} object;

typedef struct pool {
    object alive[OBJECTS_MAX];
    size_t count;
    unsigned last_id;
} pool;

static bool create(frng *f, pool *p) {
    uint8_t colour;
    FRNG_TRY(frng_u8_max(f, COLOURS - 1, &colour));
    if (p->count < OBJECTS_MAX)
        p->alive[p->count++] = (object){.id = ++p->last_id, .colour = colour};
    return true;
}

static void drop(pool *p, size_t at) {
    const object gone = p->alive[at];
    for (size_t i = at + 1; i < p->count; i++) p->alive[i - 1] = p->alive[i];
    p->count--;
    for (size_t i = 0; i < p->count; i++) {
        object *o = &p->alive[i];
        if (o->link == gone.id && o->colour != gone.colour) o->link = 0;
    }
}

static void follow(const pool *p, size_t at) {
    bool found = p->alive[at].link == 0;
    for (size_t i = 0; i < p->count; i++) found |= p->alive[i].id == p->alive[at].link;
    FRNG_ASSERT(found, "object %u is gone", p->alive[at].link);
}

static bool operate(frng *f, pool *p) {
    uint8_t drawn;
    size_t at, to;
    FRNG_TRY(frng_u8_max(f, OPERATIONS - 1, &drawn));
    if ((operation)drawn == CREATE) return create(f, p);
    if (p->count == 0) return true;
    FRNG_TRY(frng_pick(f, p->count, &at));
    if ((operation)drawn == LINK) {
        FRNG_TRY(frng_pick(f, p->count, &to));
        if (to != at) p->alive[at].link = p->alive[to].id;
    } else if ((operation)drawn == DROP) {
        drop(p, at);
    } else {
        follow(p, at);
    }
    return true;
}

static bool test(frng *f) {
    pool p = {.count = 0};
    for (;;) FRNG_TRY(operate(f, &p));
}
