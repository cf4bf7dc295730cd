#include "fallbacks.h"

#include <assert.h>

void fallbacks_add(fallbacks *k, fallback_kind kind, const failure *f, fallback_state state) {
    assert(kind < FALLBACK_KINDS && state != FALLBACK_NONE);
    fallback *kept = &k->of[kind];
    if (kept->state != FALLBACK_NONE && !seed_input_less(f->input, kept->failure.input)) return;
    *kept = (fallback){state, *f};
}

fallback_kind fallbacks_preferred(const fallbacks *k) {
    fallback_kind kind = 0;
    while (kind < FALLBACK_KINDS && k->of[kind].state == FALLBACK_NONE) kind++;
    return kind;
}
