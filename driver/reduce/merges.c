#include "merges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void drop(merges *m, size_t at, size_t count) {
    for (size_t i = at; i < at + count; i++) free(m->list[i]);
    m->count -= count;
    memmove(&m->list[at], &m->list[at + count], (m->count - at) * sizeof m->list[0]);
}

void merges_add(merges *m, patch *late) {
    if (m->count < MERGES_MAX) {
        m->list[m->count++] = late;
    } else {
        free(late);
    }
}

void merges_rebase(merges *m, const patch *done) {
    m->trying = 0;
    for (size_t i = m->count; i-- > 0;) {
        if (done == NULL || !patch_rebase(m->list[i], done)) drop(m, i, 1);
    }
}

bool merges_next(merges *m, patch *together) {
    size_t merged = 0;
    const size_t wanted = m->trying > 0 && m->trying < m->count ? m->trying : m->count;
    patch_clear(together);
    while (merged < wanted && patch_merge(together, m->list[merged])) merged++;
    m->trying = merged;
    return merged > 0;
}

/* The first half of what failed together is tried next; what fails alone is given up. */
void merges_told(merges *m, bool success) {
    assert(m->trying > 0 && m->trying <= m->count);
    if (success || m->trying == 1) {
        drop(m, 0, m->trying);
        m->trying = 0;
    } else {
        m->trying /= 2;
    }
}

void merges_finish(merges *m) {
    drop(m, 0, m->count);
    m->trying = 0;
}
