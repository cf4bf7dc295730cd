#include "seed_input.h"

#include "frng_expand.h"

void seed_input_expand(const seed_input *t, uint8_t *bytes) {
    switch (t->style) {
    case SEED_PLAIN: frng_expand(t->seed, bytes, t->size); return;
    case SEED_STYLED: frng_expand_styled(t->seed, bytes, t->size); return;
    }
}

bool seed_input_equal(seed_input a, seed_input b) {
    return a.size == b.size && a.seed == b.seed && a.style == b.style;
}

bool seed_input_less(seed_input a, seed_input b) {
    if (a.size != b.size) return a.size < b.size;
    return a.seed != b.seed ? a.seed < b.seed : a.style < b.style;
}
