/* passes_outline.c: passes that delete nested units of a text: of the outermost ones first half of
 * them, then fewer and fewer; then those inside them, of all parents in one row. This is
 * hierarchical delta debugging. The last units go first: what is defined early is used later. */
#include "outline.h"
#include "pass.h"

/* ---- Units: a row of units of one level ---- */

enum { CHUNKS = 32, COARSE = 4, SWEEPS = 2 };

/* The first sweep over all levels tries large rows alone, the second one goes down to single units.
 * way: the sweep, the level, the outline and the binary logarithm of the units in a row; at: the
 * units after the row; other: the units of the level. */
typedef struct row {
    outline_kind kind;
    size_t sweep, level, chunk;
} row;

static row row_of(const position *p) {
    const size_t number = p->way / CHUNKS;
    return (row){.kind = (outline_kind)(number % OUTLINE_KINDS),
                 .level = number / OUTLINE_KINDS % OUTLINE_LEVELS,
                 .sweep = number / OUTLINE_KINDS / OUTLINE_LEVELS,
                 .chunk = CHUNKS - 1 - p->way % CHUNKS};
}

/* True for a row that is too small for its sweep. */
static bool is_fine(const position *p) {
    const row r = row_of(p);
    return r.sweep == 0 && (p->other >> r.chunk) >> COARSE > 0;
}

static size_t units_of(const testcase *t, const position *p) {
    const row r = row_of(p);
    return outline_count(t, r.kind, r.level);
}

/* Leave the chunks that are larger than all units. */
static void skip_large(position *p, size_t units) {
    while (row_of(p).chunk > 0 && (size_t)1 << (row_of(p).chunk - 1) >= units) p->way++;
}

static bool units_next(const testcase *t, position *p) {
    if (t->has_trace) return false;
    size_t units = units_of(t, p);
    if (p->is_visited && p->other == units) p->at += (size_t)1 << row_of(p).chunk;
    p->is_visited = true;
    for (; row_of(p).sweep < SWEEPS; p->way++, p->at = 0) {
        if (p->way % CHUNKS == 0) {
            units = units_of(t, p);
            skip_large(p, units);
        }
        p->other = units;
        if (p->at < units && !is_fine(p)) return true;
    }
    return false;
}

/* A row of units that is being deleted. */
typedef struct deletion {
    size_t start, end, comma;
} deletion;

static bool delete_row(const deletion *d, bool is_last, patch *edits) {
    const size_t start = is_last && d->comma != SIZE_MAX ? d->comma : d->start;
    return d->end == start || patch_delete(edits, start, d->end - start);
}

static bool units_edit(const testcase *t, const position *p, uint64_t by, patch *edits) {
    const row r = row_of(p);
    const size_t chunk = (size_t)1 << r.chunk;
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, first = end > chunk ? end - chunk : 0;
    outline o = outline_begin(t, r.kind, r.level);
    deletion d = {0, 0, SIZE_MAX};
    bool is_last = false;
    unit u;
    (void)by;
    for (size_t i = 0; i < end && outline_next(&o, t, &u); i++) {
        if (i < first) continue;
        if (u.start != d.end || d.end == d.start) {
            if (!delete_row(&d, is_last, edits)) return false;
            d = (deletion){u.start, u.start, u.comma};
        }
        d.end = u.end;
        is_last = u.is_last;
    }
    return delete_row(&d, is_last, edits) && edits->count > 0;
}

const pass pass_units = {
    .name = "units", .is_cheap = true, .how = STEP_ALL, .next = units_next, .edit = units_edit};
