/* interval: a set of up to 16 intervals of 16 bits. To add one that touches two others at once
 * keeps the end of the first. */
#include <frng_main.h>

enum { INTERVALS = 16 };

typedef struct set {
    unsigned from[INTERVALS], to[INTERVALS], count; /* ordered, to excluded */
} set;

static void add(set *s, unsigned from, unsigned to) {
    unsigned kept = 0, joined = 0;
    set next;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->to[i] < from || s->from[i] > to) {
            next.from[kept] = s->from[i];
            next.to[kept++] = s->to[i];
            continue;
        }
        joined++;
        if (s->from[i] < from) from = s->from[i];
        if (s->to[i] > to && joined < 3) to = s->to[i]; /* the bug: not the third */
    }
    next.from[kept] = from;
    next.to[kept++] = to;
    next.count = kept;
    if (kept < INTERVALS) *s = next;
}

static bool test(frng *f) {
    set s = {.count = 0};
    for (;;) {
        uint16_t from, size;
        FRNG_TRY(frng_u16_max(f, 4000, &from));
        FRNG_TRY(frng_u16_range(f, 1, 1000, &size));
        unsigned before = 0, after = 0;
        for (unsigned i = 0; i < s.count; i++) before += s.to[i] - s.from[i];
        add(&s, from, from + size);
        for (unsigned i = 0; i < s.count; i++) after += s.to[i] - s.from[i];
        FRNG_ASSERT(after >= before, "%u, then %u", before, after);
    }
}

FRNG_MAIN(test)
