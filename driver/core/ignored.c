#include "ignored.h"

#include <string.h>

void ignored_add(ignored *all, const failure *f) {
    size_t i = 0;
    while (i < all->count && (!signature_equal(all->list[i].signature, f->signature) ||
                              strcmp(all->list[i].site, f->site) != 0)) {
        i++;
    }
    if (i == IGNORED_MAX) {
        all->rest++;
        return;
    }
    ignored_row *row = &all->list[i];
    if (i == all->count) {
        *row = (ignored_row){.signature = f->signature};
        memcpy(row->site, f->site, sizeof row->site);
        all->count++;
    }
    row->runs++;
}

uint64_t ignored_runs(const ignored *all) {
    uint64_t runs = all->rest;
    for (size_t i = 0; i < all->count; i++) runs += all->list[i].runs;
    return runs;
}
