/* intervals: a set of intervals of 0..99 that are added and removed. An added one is joined to one
 * that it touches at each side. Fails when three become one of 24 or more: their names are too long
 * for its buffer.
 *
 * Smallest: two of 4 and 10, and what is between them.
 *
 *     intervals           add 0 4, add 14 10, add 4 10
 *         01014e0125e7010be7
 */
#include "challenge.h"

enum { END = 100, LENGTH_MAX = 10, NAME_MAX = 24 };

typedef struct set {
    bool has[END + LENGTH_MAX + 2]; /* from -1 on */
} set;

/* Return how many follow each other from `at` on. */
static unsigned run_from(const set *s, int at, int step) {
    unsigned count = 0;
    for (; at >= 0 && s->has[at]; at += step) count++;
    return count;
}

static void add(set *s, unsigned start, unsigned length) {
    bool is_free = true;
    for (unsigned i = start; i < start + length; i++) is_free &= !s->has[i + 1];
    const unsigned before = run_from(s, (int)start, -1);
    const unsigned after = run_from(s, (int)(start + length) + 1, 1);
    for (unsigned i = start; i < start + length; i++) s->has[i + 1] = true;
    if (!is_free || before == 0 || after == 0) return;
    FRNG_ASSERT(before + length + after < NAME_MAX, "%u and %u and %u", before, length, after);
}

static bool operate(frng *f, set *s) {
    uint8_t removes, start, length;
    FRNG_TRY(frng_u8_max(f, 2, &removes) && frng_u8_max(f, END - 1, &start));
    FRNG_TRY(frng_u8_range(f, 1, LENGTH_MAX, &length));
    if (removes < 2)
        add(s, start, length);
    else
        for (unsigned i = start; i < (unsigned)start + length; i++) s->has[i + 1] = false;
    return true;
}

static bool test(frng *f) {
    set s = {{false}};
    for (;;) FRNG_TRY(operate(f, &s));
}
