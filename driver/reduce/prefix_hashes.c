#include "prefix_hashes.h"

#include "digest.h"

#include <stdlib.h>

/* Bytes that are being put together. */
typedef struct sum {
    size_t size;
    uint64_t digest;
} sum;

static void add_draw(sum *s, const draw *d, uint64_t rank) {
    uint8_t bytes[8];
    draw_encode(d, rank, bytes);
    for (unsigned i = 0; i < d->width; i++) s->digest = digest_more(s->digest, bytes[i]);
    s->size += d->width;
}

bool prefix_hashes_make(prefix_hashes *o, const testcase *t) {
    sum s = {0, 0};
    prefix_hash *marks = reallocarray(o->marks, t->count + 1, sizeof *marks);
    if (marks == NULL) return false;
    o->marks = marks;
    for (size_t i = 0; i < t->count; i++) {
        marks[i] = (prefix_hash){s.size, s.digest};
        add_draw(&s, &t->draws[i], t->draws[i].rank);
    }
    marks[t->count] = (prefix_hash){s.size, s.digest};
    return true;
}

void prefix_hashes_finish(prefix_hashes *o) {
    free(o->marks);
    *o = (prefix_hashes){0};
}

/* The draws from .. to - 1, as they are. */
static void add_range(sum *s, const prefix_hashes *o, size_t from, size_t to) {
    const prefix_hash *first = &o->marks[from], *end = &o->marks[to];
    const size_t size = end->at - first->at;
    s->digest = digest_join(s->digest, digest_rest(first->digest, end->digest, size), size);
    s->size += size;
}

static void add_change(sum *s, const prefix_hashes *o, const testcase *t, const change *c) {
    if (c->kind == CHANGE_COPY) {
        add_range(s, o, c->from, c->from + c->length);
        return;
    }
    for (size_t i = 0; i < change_length(c); i++) {
        const draw d = change_draw(c, t, i);
        add_draw(s, &d, d.rank);
    }
}

uint64_t prefix_hashes_patched(const prefix_hashes *o, const testcase *t, const patch *p) {
    sum s = {0, 0};
    size_t at = 0;
    for (size_t i = 0; i < p->count; i++) {
        const change *c = &p->changes[i];
        add_range(&s, o, at, c->first);
        add_change(&s, o, t, c);
        if (at < c->first + c->count) at = c->first + c->count; /* as in patch_apply */
    }
    add_range(&s, o, at, t->count);
    return digest_end(s.digest, s.size);
}
