/* passes_alike.c: passes that change all numbers of one meaning at once: names, keys, places. */
#include "pass.h"

/* True if two numbers most likely have the same meaning. */
static bool is_of_kind(const draw *a, const draw *b) {
    return draw_is_number(a) && draw_is_of_kind(a, b);
}

/* ---- Lower all numbers of the same value together: names that refer to each other, counts and the
 * numbers that the target compares with them; and of these only those of one meaning ---- */

enum { EQUAL_ANY, EQUAL_OF_KIND, EQUAL_WAYS };

static bool is_equal(const draw *a, const draw *b, size_t way) {
    if (a->rank == 0 || b->rank == 0 || !draw_is_number(a) || !draw_is_number(b)) return false;
    return draw_value(a) == draw_value(b) && (way == EQUAL_ANY || is_of_kind(a, b));
}

/* True for the first of several equal numbers. Of one meaning, some other one must be equal. */
static bool lower_equal_fits(const testcase *t, const position *p) {
    const draw *d = &t->draws[p->at];
    size_t any = 0, of_kind = 0;
    for (size_t i = 0; i < p->at; i++) {
        if (is_equal(d, &t->draws[i], p->way)) return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (!is_equal(d, &t->draws[i], EQUAL_ANY)) continue;
        any++;
        of_kind += is_of_kind(d, &t->draws[i]);
    }
    return p->way == EQUAL_ANY ? any > 1 : of_kind > 1 && of_kind < any;
}

static bool is_number_above(const testcase *t, size_t at) {
    return t->draws[at].rank > 0 && draw_is_number(&t->draws[at]);
}

static uint64_t lower_equal_limit(const testcase *t, const position *p) {
    uint64_t least = UINT64_MAX;
    for (size_t i = p->at; i < t->count; i++) {
        const uint64_t distance = draw_distance(&t->draws[i]);
        if (is_equal(&t->draws[p->at], &t->draws[i], p->way) && distance < least) least = distance;
    }
    return least;
}

static bool lower_equal_edit(const testcase *t, const position *p, patch *edits) {
    for (size_t i = p->at; i < t->count && edits->count < PATCH_MAX; i++) {
        if (!is_equal(&t->draws[p->at], &t->draws[i], p->way)) continue;
        patch_set(edits, i, draw_rank_nearer(&t->draws[i], p->by));
    }
    return true;
}

const pass pass_lower_equal = {
    .name = "lower-equal",
    .how = STEP_PAIR,
    .next = position_next_nearby,
    .limit = lower_equal_limit,
    .edit = lower_equal_edit,
    .nearby = {.ways = EQUAL_WAYS, .is_anchor = is_number_above, .fits = lower_equal_fits}};

/* True if two numbers have the same meaning and sign. */
static bool is_on_side(const draw *a, const draw *b) {
    return is_of_kind(a, b) && ((int64_t)draw_value(a) < 0) == ((int64_t)draw_value(b) < 0);
}

/* ---- Lower all numbers of a meaning that are at least as large as one of them: this closes the
 * gap below it, and keeps the order of all and what is equal ---- */

/* Return how far the number at `at` is from the next smaller one, which it may come to equal. It
 * must be the first of its value. Return 0 if it is not, or if no other has its meaning. */
static uint64_t gap_below(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    const uint64_t distance = draw_distance(d);
    uint64_t below = 0;
    bool has_other = false;
    for (size_t i = 0; i < at; i++) {
        if (is_on_side(d, &t->draws[i]) && draw_distance(&t->draws[i]) == distance) return 0;
    }
    for (size_t i = 0; i < t->count; i++) {
        const draw *other = &t->draws[i];
        if (i == at || !is_on_side(d, other)) continue;
        const uint64_t far = draw_distance(other);
        has_other |= far != distance;
        if (far < distance && far > below) below = far;
    }
    return has_other ? distance - below : 0;
}

static bool close_gap_next(const testcase *t, position *p) {
    while (position_next_draw(t, p)) {
        const draw *d = &t->draws[p->at];
        if (draw_is_number(d) && draw_distance(d) > 0 && gap_below(t, p->at) > 0) return true;
    }
    return false;
}

static uint64_t close_gap_limit(const testcase *t, const position *p) {
    return gap_below(t, p->at);
}

static bool close_gap_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    for (size_t i = 0; i < t->count; i++) {
        const draw *other = &t->draws[i];
        if (!is_on_side(d, other) || draw_distance(other) < draw_distance(d)) continue;
        if (!patch_set(edits, i, draw_rank_nearer(other, p->by))) return false;
    }
    return true;
}

const pass pass_close_gap = {.name = "close-gap",
                             .cost = PASS_LATE,
                             .how = STEP_PAIR,
                             .next = close_gap_next,
                             .limit = close_gap_limit,
                             .edit = close_gap_edit};

/* ---- Exchange two names everywhere, and then sort what repeats, or exchange the two units that
 * the names number ---- */

enum { NAMES_DRAWS_MAX = 256, UNIT_MAX = 8, NAME_WAYS = 1 + 2 * UNIT_MAX };

/* Return the draws of a unit, and set *sorts if the units have to be sorted. 0: names only. */
static size_t unit_of(const position *p, bool *sorts) {
    *sorts = p->way <= UNIT_MAX;
    return p->way <= UNIT_MAX ? p->way : p->way - UNIT_MAX;
}

static bool is_first_name(const testcase *t, size_t at) {
    if (!draw_is_number(&t->draws[at])) return false;
    for (size_t i = 0; i < at; i++) {
        if (is_of_kind(&t->draws[i], &t->draws[at]) && t->draws[i].rank == t->draws[at].rank)
            return false;
    }
    return true;
}

static bool names_fit(const testcase *t, const position *p) {
    return is_of_kind(&t->draws[p->at], &t->draws[p->other]) && is_first_name(t, p->other);
}

static bool exchange_names_next(const testcase *t, position *p) {
    return t->count <= NAMES_DRAWS_MAX && position_next_nearby(t, p);
}

/* Return the end of the draws from `at` on that repeat after `unit` draws. */
static size_t repeats_until(const testcase *t, size_t at, size_t unit) {
    size_t i = at;
    while (i + unit < t->count && draw_is_of_kind(&t->draws[i], &t->draws[i + unit])) i++;
    return i > at ? at + (i + unit - at) / unit * unit : at;
}

static void exchange_units(uint64_t *a, uint64_t *b, size_t unit) {
    for (size_t i = 0; i < unit; i++) {
        const uint64_t rank = a[i];
        a[i] = b[i];
        b[i] = rank;
    }
}

static bool is_less(const uint64_t *a, const uint64_t *b, size_t unit) {
    for (size_t i = 0; i < unit; i++) {
        if (a[i] != b[i]) return a[i] < b[i];
    }
    return false;
}

static void sort_units(uint64_t *ranks, size_t count, size_t unit) {
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0 && is_less(ranks + k * unit, ranks + (k - 1) * unit, unit); k--)
            exchange_units(ranks + k * unit, ranks + (k - 1) * unit, unit);
    }
}

/* Sort the units of each row of them, or exchange units `a` and `b` where they have no names. */
static void move_units(const testcase *t, const position *p, uint64_t *ranks) {
    bool sorts;
    const draw *name = &t->draws[p->at];
    const uint64_t a = name->rank, b = t->draws[p->other].rank;
    const size_t unit = unit_of(p, &sorts);
    for (size_t i = 0, end; i < t->count && unit > 0; i = end > i ? end : i + 1) {
        end = repeats_until(t, i, unit);
        const size_t count = (end - i) / unit;
        if (sorts)
            sort_units(ranks + i, count, unit);
        else if (a < count && b < count && !is_of_kind(name, &t->draws[i]))
            exchange_units(ranks + i + a * unit, ranks + i + b * unit, unit);
    }
}

/* Return the rank of a draw after names a and b were exchanged, where it can have both. */
static uint64_t renamed(const draw *d, const draw *a, const draw *b) {
    const uint64_t max = draw_rank_max(d);
    if (!is_of_kind(a, d) || a->rank > max || b->rank > max) return d->rank;
    return d->rank == a->rank ? b->rank : d->rank == b->rank ? a->rank : d->rank;
}

static bool exchange_names_edit(const testcase *t, const position *p, patch *edits) {
    uint64_t ranks[NAMES_DRAWS_MAX];
    const draw *a = &t->draws[p->at], *b = &t->draws[p->other];
    for (size_t i = 0; i < t->count; i++) ranks[i] = renamed(&t->draws[i], a, b);
    move_units(t, p, ranks);
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        if (ranks[i] == d->rank) continue;
        if (ranks[i] > draw_rank_max(d) || !patch_set(edits, i, ranks[i])) return false;
    }
    return edits->count > 0;
}

const pass pass_exchange_names = {.name = "exchange-names",
                                  .cost = PASS_LATE,
                                  .idle_share = 4,
                                  .idle_min = 100,
                                  .how = STEP_ALL,
                                  .next = exchange_names_next,
                                  .edit = exchange_names_edit,
                                  .nearby = {.first = 1,
                                             .last = NAMES_DRAWS_MAX,
                                             .ways = NAME_WAYS,
                                             .is_anchor = is_first_name,
                                             .fits = names_fit}};
