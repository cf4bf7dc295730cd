/* Take out records that say how long they are: a row of them from the first byte to the last. */
#include "pass.h"

/* A length of 1, 2 or 4 bytes, little-endian or big-endian. */
typedef struct layout {
    size_t width;
    bool is_big;
} layout;

static const layout layouts[] = {{1, false}, {2, false}, {2, true}, {4, false}, {4, true}};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* The draw behind the record at `at`, or SIZE_MAX where none fits. */
static size_t record_end(const testcase *t, const layout *l, size_t at) {
    uint64_t length = 0;
    if (l->width > t->count - at) return SIZE_MAX;
    for (size_t i = 0; i < l->width; i++) {
        const size_t shift = 8 * (l->is_big ? l->width - 1 - i : i);
        length |= t->draws[at + i].rank << shift;
    }
    return length <= t->count - at - l->width ? at + l->width + (size_t)length : SIZE_MAX;
}

/* Whether all of it is records, and more than one. */
static bool is_row(const testcase *t, const layout *l) {
    uint64_t records = 0;
    for (size_t at = 0; at < t->count; records++) {
        at = record_end(t, l, at);
        if (at == SIZE_MAX) return false;
    }
    return records > 1;
}

/* a: the layout; b: the first draw of the record. What was a row of records stays one when some of
 * them are taken out, and the first one behind them takes their place. */
static bool find(const testcase *t, site *s) {
    if (t->has_trace) return false;
    for (; s->a < LAYOUTS; *s = (site){s->a + 1, 0, 0}) {
        const layout *l = &layouts[s->a];
        if (s->b == 0 && s->c == 0 && !is_row(t, l)) continue;
        if (s->c > 0 && s->b < t->count) *s = (site){s->a, record_end(t, l, s->b), 0};
        if (s->b < t->count && record_end(t, l, s->b) != SIZE_MAX) return true;
    }
    return false;
}

/* At most; to count them would take as long as to look at all that follows, at each of them. */
static uint64_t limit(const testcase *t, const site *s) { return t->count - s->b; }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    size_t end = s->b;
    for (uint64_t i = 0; i < by; i++) {
        if (end >= t->count) return false; /* there are not so many */
        end = record_end(t, &layouts[s->a], end);
    }
    return end <= t->count && patch_delete(p, s->b, end - s->b);
}

const pass pass_records = {"records", true, STEP_MOST, find, limit, edit};
