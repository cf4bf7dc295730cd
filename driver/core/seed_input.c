#include "seed_input.h"

#include "frng_expand.h"

void seed_input_expand(const seed_input *t, uint8_t *bytes) {
    frng_expand(t->seed, bytes, t->size);
}
