#include "choices.h"

#include <stdlib.h>

unsigned choices_write(candidate_form form, const draw *d, uint64_t rank,
                       uint8_t bytes[FRNG_CHOICE_MAX]) {
    if (form == CANDIDATE_BYTES) return draw_encode(d, rank, bytes);
    const frng_choice c = {.kind = d->kind,
                           .width = d->width,
                           .is_drawn = d->kind == FRNG_WEIGHTED && !d->is_by_index,
                           .number = draw_number(d, rank)};
    return (unsigned)frng_choice_store(&c, bytes);
}

bool choices_make(const testcase *t, given_bytes *out) {
    const size_t most = t->count * FRNG_CHOICE_MAX;
    if (most > out->capacity) {
        uint8_t *larger = realloc(out->bytes, most);
        if (larger == NULL) return false;
        out->bytes = larger;
        out->capacity = most;
    }
    out->size = 0;
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        out->size += choices_write(CANDIDATE_CHOICES, d, d->rank, out->bytes + out->size);
    }
    return true;
}

void choices_finish(given_bytes *out) {
    free(out->bytes);
    *out = (given_bytes){0};
}
