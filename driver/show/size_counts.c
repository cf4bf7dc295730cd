#include "size_counts.h"

#include <stdlib.h>
#include <string.h>

/* Sizes at a time. When there are more, all are emitted and forgotten. */
enum { SLOTS = 8192, ROWS_MAX = SLOTS / 2 };

/* The fewest runs of a size that are emitted while the search stays there. */
enum { RUNS_MIN = 64 };

typedef struct row {
    tested_runs pending; /* not emitted yet */
    uint64_t emitted;    /* runs */
    bool is_used;
} row;

struct size_counts {
    row rows[SLOTS]; /* an open hash table */
    size_t count;
    row *current; /* of the last runs; NULL: none */
};

size_counts *size_counts_create(void) { return calloc(1, sizeof(size_counts)); }

void size_counts_destroy(size_counts *c) { free(c); }

static void emit(row *r, const size_counts_sink *sink) {
    const tested_runs due = r->pending;
    if (due.runs == 0) return;
    r->emitted += due.runs;
    r->pending = (tested_runs){.size = due.size, .is_fresh = due.is_fresh};
    sink->take(sink->context, &due);
}

void size_counts_flush(size_counts *c, const size_counts_sink *sink) {
    for (size_t i = 0; i < SLOTS; i++) emit(&c->rows[i], sink);
    memset(c, 0, sizeof *c);
}

/* Return the row of these runs, which is added if it is new. There is room. */
static row *row_of(size_counts *c, const tested_runs *t) {
    size_t i = (size_t)((t->size * UINT64_C(0x9e3779b97f4a7c15)) >> 40) + t->is_fresh;
    for (;; i++) {
        row *r = &c->rows[i % SLOTS];
        if (!r->is_used) {
            c->count++;
            *r = (row){.pending = {.size = t->size, .is_fresh = t->is_fresh}, .is_used = true};
            return r;
        }
        if (r->pending.size == t->size && r->pending.is_fresh == t->is_fresh) return r;
    }
}

static void add(tested_runs *to, const tested_runs *more) {
    to->runs += more->runs;
    to->failures += more->failures;
    to->others += more->others;
    to->unreliable += more->unreliable;
    const bool is_known = to->drawn != UINT64_MAX && more->drawn != UINT64_MAX;
    to->drawn = is_known ? to->drawn + more->drawn : UINT64_MAX;
}

void size_counts_add(size_counts *c, const tested_runs *more, const size_counts_sink *sink) {
    if (c->count == ROWS_MAX) size_counts_flush(c, sink);
    row *r = row_of(c, more), *left = c->current;
    if (left != NULL && left != r && left->pending.runs >= left->emitted) emit(left, sink);
    c->current = r;
    add(&r->pending, more);
    if (r->pending.runs >= RUNS_MIN && r->pending.runs >= r->emitted) emit(r, sink);
}
