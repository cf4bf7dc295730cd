#include "bests.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool bests_init(bests *b) {
    *b = (bests){.list = calloc(BESTS_MAX, sizeof(failure))};
    return b->list != NULL;
}

void bests_finish(bests *b) {
    bests_clear(b);
    free(b->list);
    *b = (bests){0};
}

failure *bests_smallest(const bests *b) {
    assert(b->count <= BESTS_MAX);
    return b->count > 0 ? &b->list[b->count - 1] : NULL;
}

bool bests_add(bests *b, const failure *f) {
    assert(b->list != NULL && b->count <= BESTS_MAX);
    if (b->count == BESTS_MAX) {
        failure_drop(&b->list[0]);
        b->count--;
        memmove(b->list, b->list + 1, b->count * sizeof *b->list);
    }
    size_t place = b->count;
    while (place > 0 && !seed_input_less(f->input, b->list[place - 1].input)) place--;
    memmove(b->list + place + 1, b->list + place, (b->count - place) * sizeof *b->list);
    b->list[place] = (failure){0};
    failure_keep(&b->list[place], f);
    b->count++;
    return place + 1 == b->count;
}

void bests_drop_smallest(bests *b) {
    assert(b->count > 0);
    failure_drop(&b->list[--b->count]);
}

void bests_clear(bests *b) {
    while (b->count > 0) bests_drop_smallest(b);
}

void fallbacks_add(fallbacks *k, fallback_kind kind, const failure *f, fallback_state state) {
    assert(kind < FALLBACK_KINDS && state != FALLBACK_NONE);
    fallback *kept = &k->of[kind];
    if (kept->state != FALLBACK_NONE && !seed_input_less(f->input, kept->failure.input)) return;
    kept->state = state;
    failure_keep(&kept->failure, f);
}

void fallbacks_finish(fallbacks *k) {
    for (size_t i = 0; i < FALLBACK_KINDS; i++) failure_drop(&k->of[i].failure);
}

fallback_kind fallbacks_preferred(const fallbacks *k) {
    fallback_kind kind = 0;
    while (kind < FALLBACK_KINDS && k->of[kind].state == FALLBACK_NONE) kind++;
    return kind;
}
