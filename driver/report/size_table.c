#include "size_table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const size_row *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

static uint64_t sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* Add a row to the one before it. */
static void add_row(size_row *to, const size_row *row) {
    if (row->high > to->high) to->high = row->high;
    to->runs = sum(to->runs, row->runs);
    to->failures = sum(to->failures, row->failures);
}

/* Return the number of the bin of a size. Bins are of the same width on the axis log(1 + size). */
static double bin_of(uint64_t size, double width) { return floor(log1p((double)size) / width); }

/* Make one row of all that are in the same bin, or that overlap. A width of 0: of one size. */
static void join(size_table *t, double width) {
    size_t kept = 0;
    for (size_t i = 1; i < t->count; i++) {
        size_row *last = &t->rows[kept];
        const size_row *row = &t->rows[i];
        const bool overlaps = row->low <= last->high;
        if (overlaps || (width > 0 && bin_of(last->low, width) == bin_of(row->high, width))) {
            add_row(last, row);
        } else {
            t->rows[++kept] = *row;
        }
    }
    t->count = t->count > 0 ? kept + 1 : 0;
}

void size_table_sort(size_table *t, size_t most) {
    assert(most > 0);
    if (t->count == 0) return;
    qsort(t->rows, t->count, sizeof *t->rows, compare);
    join(t, 0);
    if (t->count <= most) return;
    const double span = log1p((double)t->rows[t->count - 1].high) - log1p((double)t->rows[0].low);
    for (double width = span / (double)most; t->count > most; width *= 1.25) join(t, width);
}

void size_table_add(size_table *t, uint64_t size, uint64_t runs, uint64_t failures) {
    if (t->count == SIZE_TABLE_MAX) size_table_sort(t, SIZE_TABLE_MAX / 2);
    if (t->count == t->room) {
        const size_t room = t->room == 0 ? 64 : 2 * t->room;
        size_row *grown = realloc(t->rows, room * sizeof *grown);
        if (grown == NULL) {
            t->failed = true;
            return;
        }
        t->rows = grown;
        t->room = room;
    }
    t->rows[t->count++] = (size_row){size, size, runs, failures < runs ? failures : runs};
}

void size_table_finish(size_table *t) {
    free(t->rows);
    *t = (size_table){.rows = NULL};
}
