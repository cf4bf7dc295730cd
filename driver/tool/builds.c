#include "builds.h"

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

/* Return the entry of a build. There is room for one more. */
static build *entry_of(builds *b, const char *path, const char *digest) {
    const char *sut = path_base(path);
    for (size_t i = b->count; i > 0; i--) {
        build *of = &b->list[i - 1];
        if (text_equal(of->digest, digest) && text_equal(of->sut, sut)) return of;
    }
    b->list[b->count] = (build){.sut = sut, .digest = digest};
    return &b->list[b->count++];
}

static void add_campaign(builds *b, const fleet_campaign *c) {
    build *of = entry_of(b, c->target.sut, c->target.digest);
    of->workers += c->workers;
    of->running += c->running;
}

static void add_row(builds *b, const finding_row *r) {
    build *of = entry_of(b, r->smallest.sut, r->smallest.sut_digest);
    if (of->findings == 0 || finding_row_size(r) < of->smallest) of->smallest = finding_row_size(r);
    of->findings += r->count;
}

static int by_use(const void *a, const void *b) {
    const build *x = a, *y = b;
    if ((x->workers > 0) != (y->workers > 0)) return x->workers > 0 ? -1 : 1;
    if ((x->findings > 0) != (y->findings > 0)) return x->findings > 0 ? -1 : 1;
    return (x->smallest > y->smallest) - (x->smallest < y->smallest);
}

bool builds_collect(builds *b, const fleet *f, const finding_table *t) {
    const size_t room = f->campaign_count + t->count + 1;
    *b = (builds){calloc(room, sizeof *b->list), 0};
    if (b->list == NULL) return false;
    for (size_t i = 0; i < f->campaign_count; i++) add_campaign(b, &f->campaigns[i]);
    for (size_t i = 0; i < t->count; i++) add_row(b, &t->rows[i]);
    qsort(b->list, b->count, sizeof *b->list, by_use);
    return true;
}

void builds_finish(builds *b) { free(b->list); }
