#include "diff.h"

#include <assert.h>

bool diff_deletions(const testcase *t, const uint8_t *bytes, size_t size, patch *p) {
    size_t end = t->size, at = 0, made_end = size;
    assert(!t->has_trace && t->count == t->size);
    patch_clear(p);
    if (size > t->size) return false;
    while (made_end > 0 && t->bytes[end - 1] == bytes[made_end - 1]) { /* what they end with */
        end--;
        made_end--;
    }
    for (size_t i = 0; i < made_end; i++, at++) {
        size_t first = at;
        while (at < end && t->bytes[at] != bytes[i]) at++;
        if (at == end) return false;
        if (at > first && !patch_delete(p, first, at - first)) return false;
    }
    return at == end || patch_delete(p, at, end - at);
}

static bool is_same(const draw *a, const draw *b) {
    return draw_is_alike(a, b) && a->rank == b->rank && a->min == b->min && a->max == b->max;
}

bool diff_change(const testcase *t, const testcase *next, patch *p) {
    size_t first = 0, end = t->count, next_end = next->count;
    patch_clear(p);
    while (first < end && first < next_end && is_same(&t->draws[first], &next->draws[first])) {
        first++;
    }
    if (first == end && first == next_end) return false; /* nothing has changed */
    if (first == end && first > 0) first--; /* what is only added to is touched as well */
    while (end > first + 1 && next_end > first &&
           is_same(&t->draws[end - 1], &next->draws[next_end - 1])) {
        end--;
        next_end--;
    }
    return end > first && patch_copy(p, first, end - first, first, next_end - first);
}
