#include "server_life.h"

#include <assert.h>
#include <string.h>

/* True if these runs follow the last ones, with the same size, mix and prefix. */
static bool continues(const server_life *l, const batch *runs) {
    if (l->count == 0) return false;
    const batch *last = &l->batches[l->count - 1];
    return last->first_seed + last->count == runs->first_seed && last->size == runs->size &&
           last->mix == runs->mix && seed_prefix_equal(&last->prefix, &runs->prefix) &&
           last->count <= UINT32_MAX - runs->count;
}

static void forget_oldest(server_life *l) {
    l->count--;
    memmove(l->batches, l->batches + 1, l->count * sizeof l->batches[0]);
}

void server_life_add(server_life *l, const batch *runs, uint32_t passed) {
    assert(l->count <= SERVER_LIFE_MAX && passed <= runs->count);
    if (runs->candidates != NULL) l->count = 0;
    if (runs->candidates != NULL || passed == 0) return;
    if (continues(l, runs)) {
        l->batches[l->count - 1].count += passed;
        return;
    }
    if (l->count == SERVER_LIFE_MAX) forget_oldest(l);
    l->batches[l->count] = *runs;
    l->batches[l->count++].count = passed;
}
