#include "seed_input.h"

#include "frng_expand.h"

void seed_input_expand(const seed_input *t, uint8_t *bytes) {
    switch (t->style) {
    case SEED_PLAIN: frng_expand(t->seed, bytes, t->size); return;
    case SEED_STYLED: frng_expand_styled(t->seed, bytes, t->size); return;
    }
}
