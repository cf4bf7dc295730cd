#include "pair.h"

enum { REACH = 4 };

static bool is_open(const draw *d) { return draw_is_number(d) && d->rank > 0; }

bool pair_find(const testcase *t, site *s, bool both) {
    if (s->c > 0) *s = (site){s->a, s->b + 1, 0};
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        unsigned met = 0;
        if (!is_open(&t->draws[s->a])) continue;
        for (size_t i = s->a + 1; i < t->count && met < REACH; i++) {
            const draw *d = &t->draws[i];
            const bool fits = both ? is_open(d) : draw_is_number(d);
            if (fits && i >= s->b) {
                s->b = i;
                return true;
            }
            met += fits;
        }
    }
    return false;
}
