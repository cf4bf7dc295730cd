#include "chunk.h"

#include <assert.h>

/* Where nobody tells the draws, each byte is a chunk of its own, the last one as well. A program
 * that does tell them would, without all that follows the last of its kind, only run out of
 * entropy. */
uint64_t chunk_count(const testcase *t, size_t at, size_t step) {
    enum { LOOK_MAX = 1024 };
    uint64_t alike = 0;
    if (!t->has_trace) return (t->count - at) / step;
    for (size_t i = at + 1; i < t->count && alike < LOOK_MAX; i++) {
        alike += draw_is_alike(&t->draws[at], &t->draws[i]);
    }
    return alike / step;
}

size_t chunk_end(const testcase *t, size_t at, size_t step, uint64_t count) {
    uint64_t left = count * step;
    size_t i = at;
    if (!t->has_trace) return at + (size_t)left;
    while (left > 0) {
        i++;
        assert(i < t->count);
        left -= draw_is_alike(&t->draws[at], &t->draws[i]);
    }
    return i;
}

bool chunk_repeats(const testcase *t, size_t at) {
    if (chunk_count(t, at, 1) == 0) return false;
    const size_t next = chunk_end(t, at, 1, 1), length = next - at;
    if (next + length > t->count) return false;
    for (size_t i = 0; i < length; i++) {
        const draw *a = &t->draws[at + i], *b = &t->draws[next + i];
        if (!draw_is_alike(a, b) || a->rank != b->rank) return false;
    }
    return true;
}
