/* Exchange neighbours: lists get sorted, and what is empty comes first. Only an forkserver_client
 * that makes the test case simpler is run at all. */
#include "pass.h"

enum { FIRST_MAX = 4, SECOND_MAX = 12 };

/* a: the first of b + 1 draws, which change places with the c + 1 draws behind them. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        for (; s->b < FIRST_MAX; *s = (site){s->a, s->b + 1, 0}) {
            const size_t second = s->a + s->b + 1;
            const bool fits = s->c < SECOND_MAX && second + s->c < t->count;
            if (fits && draw_is_alike(&t->draws[s->a], &t->draws[second])) return true;
        }
    }
    return false;
}

/* Whether the forkserver_client puts a simpler draw where the first difference is. */
static bool simplifies(const testcase *t, size_t first, size_t length, size_t second_length) {
    for (size_t i = 0; i < length + second_length; i++) {
        const size_t from = i < second_length ? first + length + i : first + i - second_length;
        const uint64_t now = t->draws[from].rank, before = t->draws[first + i].rank;
        if (now != before) return now < before;
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const size_t length = s->b + 1, second = s->a + length, second_length = s->c + 1;
    (void)by;
    if (!simplifies(t, s->a, length, second_length)) return false;
    return patch_copy(p, s->a, length, second, second_length) &&
           patch_copy(p, second, second_length, s->a, length);
}

const pass pass_swap = {"swap", false, STEP_ALL, find, pass_limit_one, edit};
