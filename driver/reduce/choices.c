#include "choices.h"

#include <stdlib.h>

/* Return the number of a draw with another rank. The largest rank stays the largest under other
 * bounds: where a size grows, so does what used all of it. */
static uint64_t number_of(const draw *d, uint64_t rank) {
    const bool is_bounded = d->kind == FRNG_UINT || d->kind == FRNG_INT || d->kind == FRNG_INDEX;
    if (is_bounded && rank > 0 && rank == draw_rank_max(d))
        return UINT64_MAX >> (64 - 8 * d->width);
    return draw_number(d, rank);
}

static unsigned store(const draw *d, uint64_t number, uint8_t bytes[FRNG_CHOICE_MAX]) {
    const frng_choice c = {.kind = d->kind,
                           .width = d->width,
                           .is_drawn = d->kind == FRNG_WEIGHTED && !d->is_by_index,
                           .number = number};
    return (unsigned)frng_choice_store(&c, bytes);
}

unsigned choices_write(candidate_form form, const draw *d, uint64_t rank,
                       uint8_t bytes[FRNG_CHOICE_MAX]) {
    if (form == CANDIDATE_BYTES) return draw_encode(d, rank, bytes);
    return store(d, number_of(d, rank), bytes);
}

unsigned choices_write_exact(candidate_form form, const draw *d, uint64_t rank,
                             uint8_t bytes[FRNG_CHOICE_MAX]) {
    if (form == CANDIDATE_BYTES) return draw_encode(d, rank, bytes);
    return store(d, draw_number(d, rank), bytes);
}

unsigned choices_write_end(uint8_t bytes[FRNG_CHOICE_MAX]) {
    const frng_choice end = {.kind = FRNG_BOOL, .width = 8};
    return (unsigned)frng_choice_store(&end, bytes);
}

bool choices_make(const testcase *t, encoded_bytes *out) {
    const size_t most = (t->count + 1) * FRNG_CHOICE_MAX;
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
    if (t->has_run_out) out->size += choices_write_end(out->bytes + out->size);
    return true;
}

void choices_finish(encoded_bytes *out) {
    free(out->bytes);
    *out = (encoded_bytes){0};
}
