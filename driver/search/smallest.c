#include "smallest.h"

#include <string.h>

bool seed_input_equal(seed_input a, seed_input b) { return a.size == b.size && a.seed == b.seed; }

static bool ranks_before(const failure *a, const failure *b) {
    if (failure_is_flaky(a) != failure_is_flaky(b)) return failure_is_flaky(b);
    return seed_input_less(a->input, b->input);
}

bool smallest_note(search_result *r, const failure *f) {
    size_t i = 0;
    while (i < r->other_count && !failure_is_alike(&r->others[i], f)) i++;
    if (i == SEARCH_IDENTITY_MAX) return false;
    if (i < r->other_count && !seed_input_equal(f->input, r->others[i].input) &&
        !ranks_before(f, &r->others[i])) {
        return false;
    }
    if (i == r->other_count) r->other_count++;
    r->others[i] = *f;
    return true;
}

void smallest_forget(search_result *r, const failure *f) {
    for (size_t i = 0; i < r->other_count; i++) {
        if (!failure_is_alike(&r->others[i], f)) continue;
        r->other_count--;
        memmove(&r->others[i], &r->others[i + 1], (r->other_count - i) * sizeof r->others[0]);
        return;
    }
}

void smallest_add(search_result *r, const failure *f) {
    if (r->other_count < SEARCH_IDENTITY_MAX) r->others[r->other_count++] = *f;
}
