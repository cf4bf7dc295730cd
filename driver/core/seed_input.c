#include "seed_input.h"

#include "frng_expand.h"

static void expand(uint64_t seed, seed_style style, uint8_t *bytes, uint64_t size) {
    switch (style) {
    case SEED_PLAIN: frng_expand(seed, bytes, size); return;
    case SEED_STYLED: frng_expand_styled(seed, bytes, size); return;
    }
}

uint64_t seed_prefix_size(const seed_prefix *p) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < p->count; i++) size += p->links[i].size;
    return size;
}

void seed_prefix_expand(const seed_prefix *p, uint8_t *bytes) {
    for (uint32_t i = 0; i < p->count; i++) {
        expand(p->links[i].seed, p->links[i].style, bytes, p->links[i].size);
        bytes += p->links[i].size;
    }
}

void seed_input_expand(const seed_input *t, uint8_t *bytes) {
    const uint64_t start = seed_prefix_size(&t->prefix);
    seed_prefix_expand(&t->prefix, bytes);
    expand(t->seed, t->style, bytes + start, t->size - start);
}

seed_input seed_input_cut(seed_input t, uint64_t size) {
    uint64_t start = 0;
    for (uint32_t i = 0; i < t.prefix.count; i++) {
        const seed_link link = t.prefix.links[i];
        start += link.size;
        if (size > start) continue;
        t.seed = link.seed;
        t.style = link.style;
        t.prefix.count = i;
    }
    t.size = size;
    return t;
}

bool seed_input_prefix(seed_input t, uint64_t size, seed_prefix *prefix) {
    const seed_input cut = seed_input_cut(t, size);
    *prefix = cut.prefix;
    if (size == 0 || prefix->count == SEED_LINKS_MAX - 1) return size == 0;
    const uint64_t start = seed_prefix_size(prefix);
    prefix->links[prefix->count++] = (seed_link){size - start, cut.seed, cut.style};
    return true;
}

/* Return a negative number, 0 or a positive one, as `a` is before, at or behind `b`. */
static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_links(const seed_prefix *a, const seed_prefix *b) {
    int order = compare(a->count, b->count);
    for (uint32_t i = 0; i < a->count && order == 0; i++) {
        const seed_link *x = &a->links[i], *y = &b->links[i];
        order = compare(x->size, y->size);
        if (order == 0) order = compare(x->seed, y->seed);
        if (order == 0) order = compare(x->style, y->style);
    }
    return order;
}

static int compare_inputs(const seed_input *a, const seed_input *b) {
    int order = compare(a->size, b->size);
    if (order == 0) order = compare_links(&a->prefix, &b->prefix);
    if (order == 0) order = compare(a->seed, b->seed);
    return order == 0 ? compare(a->style, b->style) : order;
}

bool seed_prefix_equal(const seed_prefix *a, const seed_prefix *b) {
    return compare_links(a, b) == 0;
}

bool seed_input_equal(seed_input a, seed_input b) { return compare_inputs(&a, &b) == 0; }

bool seed_input_less(seed_input a, seed_input b) { return compare_inputs(&a, &b) < 0; }
