/* patch.c: edits of a test case, as what a target gets, and as the digest of that.
 *
 * A pass makes a patch: a few changes of rows of draws. Most candidates are known already, so that
 * the digest of one is computed from the digests of the unchanged rows between the changes, without
 * making the test case. digest_join concatenates them (digest.h). */
#include "patch.h"

#include "bytes.h"
#include "candidate_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The changes are apart and in order, so that only those next to a new one can touch its draws. */
bool patch_add(patch *p, change c) {
    size_t at = p->count;
    assert((c.count == 0) == (c.kind == CHANGE_INSERT));
    const bool is_insertion = c.count == 0; /* it goes before a change at its draw */
    while (at > 0 && p->changes[at - 1].first + is_insertion > c.first) at--;
    const change *before = at > 0 ? &p->changes[at - 1] : NULL, *behind = &p->changes[at];
    if (p->count == PATCH_MAX) return false;
    if (before != NULL && before->first + before->count > c.first) return false;
    if (at < p->count && c.first + c.count + (is_insertion && behind->count == 0) > behind->first)
        return false; /* two insertions at a draw would have no order */
    memmove(&p->changes[at + 1], behind, (p->count - at) * sizeof c);
    p->changes[at] = c;
    p->count++;
    return true;
}

bool patch_delete(patch *p, size_t first, size_t count) {
    return patch_add(p, (change){.first = first, .count = count, .kind = CHANGE_DELETE});
}

bool patch_set(patch *p, size_t at, uint64_t rank) {
    return patch_add(p, (change){.first = at, .count = 1, .kind = CHANGE_SET, .rank = rank});
}

bool patch_insert(patch *p, size_t first, size_t from, uint64_t rank) {
    return patch_add(p,
                     (change){.first = first, .kind = CHANGE_INSERT, .rank = rank, .from = from});
}

void patch_move(patch *p, size_t by) {
    for (size_t i = 0; i < p->count; i++) {
        p->changes[i].first += by;
        p->changes[i].from += by;
    }
}

bool patch_copy(patch *p, draw_row place, draw_row from) {
    return patch_add(p, (change){.first = place.start,
                                 .count = place.end - place.start,
                                 .kind = CHANGE_COPY,
                                 .from = from.start,
                                 .length = from.end - from.start});
}

/* ---- Applying ---- */

/* Return the number of draws that a change puts in place of those it touches. */
static size_t change_length(const change *c) {
    switch (c->kind) {
    case CHANGE_DELETE: return 0;
    case CHANGE_SET:
    case CHANGE_SET_ALIKE: return c->count;
    case CHANGE_COPY: return c->length;
    case CHANGE_INSERT: return 1;
    }
    abort();
}

static void make_room(const patch *p, const testcase *base, testcase *out) {
    size_t count = base->count;
    for (size_t i = 0; i < p->count; i++) count += change_length(&p->changes[i]);
    out->draws = memory_grown(out->draws, count + 1, sizeof *out->draws);
    out->bytes = memory_grown(out->bytes, count + 1, DRAW_BYTES_MAX);
    out->count = out->size = 0;
}

static void put_draw(testcase *out, const draw *d) {
    out->draws[out->count++] = *d;
    out->size += draw_encode(d, d->rank, out->bytes + out->size);
}

static void put_range(testcase *out, const testcase *base, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) put_draw(out, &base->draws[i]);
}

/* Return draw i of them. One that is set gets the nearest rank that it can have. */
static draw change_draw(const change *c, const testcase *base, size_t i) {
    draw d = testcase_draw(base, c->kind == CHANGE_COPY     ? c->from + i
                                 : c->kind == CHANGE_INSERT ? c->from
                                                            : c->first + i);
    const uint64_t nearest = larger(draw_rank_least(&d), smaller(c->rank, draw_rank_max(&d)));
    bool stays = c->kind == CHANGE_COPY;
    if (c->kind == CHANGE_SET_ALIKE) {
        const draw first = testcase_draw(base, c->first);
        stays = !same_type(&d, &first);
    }
    if (!stays) d.rank = c->kind == CHANGE_INSERT ? c->rank : nearest;
    return d;
}

void patch_apply(const patch *p, const testcase *base, testcase *out) {
    size_t at = 0;
    make_room(p, base, out);
    out->has_run_out = p->runs_out || base->has_run_out;
    for (size_t i = 0; i < p->count; i++) {
        const change *c = &p->changes[i];
        assert(c->first + c->count <= base->count);
        put_range(out, base, at, c->first);
        for (size_t k = 0; k < change_length(c); k++) {
            const draw d = change_draw(c, base, k);
            put_draw(out, &d);
        }
        if (at < c->first + c->count) at = c->first + c->count; /* an insertion replaces no draw */
    }
    put_range(out, base, at, base->count);
}

/* ---- The same of units ---- */

static unsigned write_unit(const testcase *base, const draw *d, uint8_t *bytes) {
    for (unsigned i = 0; i < d->width; i++)
        bytes[base->is_big ? d->width - 1 - i : i] = (uint8_t)(d->rank >> 8 * i);
    return d->width;
}

size_t patch_size(const patch *p, const testcase *base) {
    size_t size = base->size;
    for (size_t i = 0; i < p->count; i++) {
        const change *c = &p->changes[i];
        size -= testcase_place(base, c->first + c->count) - testcase_place(base, c->first);
        for (size_t k = 0; k < change_length(c); k++) size += change_draw(c, base, k).width;
    }
    return size;
}

void patch_write(const patch *p, const testcase *base, uint8_t *bytes) {
    size_t at = 0;
    for (size_t i = 0; i <= p->count; i++) {
        const change *c = i < p->count ? &p->changes[i] : NULL;
        const size_t end = c != NULL ? testcase_place(base, c->first) : base->size;
        memcpy(bytes, base->bytes + at, end - at);
        bytes += end - at;
        for (size_t k = 0; c != NULL && k < change_length(c); k++) {
            const draw d = change_draw(c, base, k);
            bytes += write_unit(base, &d, bytes);
        }
        at = c != NULL ? testcase_place(base, c->first + c->count) : end;
    }
}

static bool same_meaning(const draw *a, const draw *b) {
    return same_range(a, b) || (a->site > 0 && a->site == b->site && same_type(a, b));
}

bool patch_keeps_meaning(const patch *p, const testcase *base) {
    for (size_t i = 0; i < p->count; i++) {
        const change *c = &p->changes[i];
        size_t from = c->first;
        if (c->kind == CHANGE_DELETE) from = c->first + c->count;
        if (c->kind == CHANGE_COPY) from = c->from;
        if (from < base->count && !same_meaning(&base->draws[c->first], &base->draws[from]))
            return false;
    }
    return true;
}

/* ---- Choices ---- */

static unsigned store(const draw *d, uint64_t number, uint8_t bytes[FRNG_CHOICE_MAX]) {
    const frng_choice c = {.kind = d->kind,
                           .width = d->width,
                           .is_drawn = d->kind == FRNG_WEIGHTED && !d->is_by_index,
                           .number = number};
    return (unsigned)frng_choice_store(&c, bytes);
}

unsigned draw_write(const draw *d, candidate_form form, uint64_t rank, bool is_exact,
                    uint8_t bytes[FRNG_CHOICE_MAX]) {
    const bool is_bounded = d->kind == FRNG_UINT || d->kind == FRNG_INT || d->kind == FRNG_INDEX;
    if (form == CANDIDATE_BYTES) return draw_encode(d, rank, bytes);
    if (is_bounded && !is_exact && rank > 0 && rank == draw_rank_max(d))
        return store(d, UINT64_MAX >> (d->kind == FRNG_INDEX ? 0 : 64 - 8 * d->width), bytes);
    return store(d, draw_number(d, rank), bytes);
}

unsigned choices_write_end(uint8_t bytes[FRNG_CHOICE_MAX]) {
    const frng_choice end = {.kind = FRNG_BOOL, .width = 8};
    return (unsigned)frng_choice_store(&end, bytes);
}

size_t testcase_write(const testcase *t, candidate_form form, uint8_t *bytes) {
    size_t size = 0;
    if (form == CANDIDATE_BYTES) {
        memcpy(bytes, t->bytes, t->size);
        return t->size;
    }
    for (size_t i = 0; i < t->count; i++)
        size += draw_write(&t->draws[i], form, t->draws[i].rank, false, bytes + size);
    if (t->has_run_out) size += choices_write_end(bytes + size);
    return size;
}

/* ---- Prefix hashes: the size and the digest of the bytes before each draw ---- */

static void add_bytes(prefix_hash *s, const uint8_t *bytes, unsigned size) {
    for (unsigned i = 0; i < size; i++) s->digest = digest_more(s->digest, bytes[i]);
    s->at += size;
}

static void add_draw(prefix_hash *s, const testcase *t, const draw *d) {
    uint8_t bytes[FRNG_CHOICE_MAX];
    if (t->draws == NULL)
        add_bytes(s, bytes, write_unit(t, d, bytes));
    else
        add_bytes(s, bytes, draw_write(d, t->hashed, d->rank, false, bytes));
}

static void add_as_is(prefix_hash *s, const testcase *t, size_t at) {
    if (t->draws == NULL)
        add_bytes(s, t->bytes + testcase_place(t, at), testcase_unit_width(t, at));
    else
        add_draw(s, t, &t->draws[at]);
}

/* One hash for each draw, or for so many units. */
static size_t hash_step(const testcase *t) { return t->draws != NULL ? 1 : 256; }

static void make_hashes(testcase *t, candidate_form form) {
    const size_t step = hash_step(t);
    prefix_hash s = {0, 0};
    t->hashes = memory_grown(t->hashes, t->count / step + 1, sizeof *t->hashes);
    t->hashed = form;
    for (size_t i = 0; i <= t->count; i++) {
        if (i % step == 0) t->hashes[i / step] = s;
        if (i < t->count) add_as_is(&s, t, i);
    }
}

static prefix_hash hash_before(const testcase *t, size_t at) {
    const size_t step = hash_step(t);
    prefix_hash s = t->hashes[at / step];
    for (size_t i = at / step * step; i < at; i++) add_as_is(&s, t, i);
    return s;
}

/* Append the draws from .. to - 1, unchanged. */
static void add_range(prefix_hash *s, const testcase *t, size_t from, size_t to) {
    const prefix_hash first = hash_before(t, from), end = hash_before(t, to);
    const size_t size = end.at - first.at;
    s->digest = digest_join(s->digest, digest_rest(first.digest, end.digest, size), size);
    s->at += size;
}

static void add_change(prefix_hash *s, const testcase *t, const change *c) {
    if (c->kind == CHANGE_COPY) {
        add_range(s, t, c->from, c->from + c->length);
        return;
    }
    for (size_t i = 0; i < change_length(c); i++) {
        const draw d = change_draw(c, t, i);
        add_draw(s, t, &d);
    }
}

uint64_t patch_digest(const patch *p, testcase *base, candidate_form form) {
    prefix_hash s = {0, 0};
    size_t at = 0;
    uint8_t end[FRNG_CHOICE_MAX];
    if (base->hashes == NULL || base->hashed != form) make_hashes(base, form);
    for (size_t i = 0; i < p->count; i++) {
        const change *c = &p->changes[i];
        add_range(&s, base, at, c->first);
        add_change(&s, base, c);
        if (at < c->first + c->count) at = c->first + c->count; /* as in patch_apply */
    }
    add_range(&s, base, at, base->count);
    if (form == CANDIDATE_CHOICES && (p->runs_out || base->has_run_out))
        add_bytes(&s, end, choices_write_end(end));
    return digest_end(s.digest, s.at);
}
