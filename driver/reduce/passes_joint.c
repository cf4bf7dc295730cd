/* passes_joint.c: passes that change a few draws at once, where no smaller step stays a failure.
 * They go last, and are for what is small. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

#include "frng_expand.h"

enum { NEAR = 16 };

static bool is_quantity(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return draw_is_number(d) && draw_rank_max(d) >= SELECTOR_VALUES;
}

static bool is_selector(const testcase *t, size_t at) { return draw_is_selector(&t->draws[at]); }

/* ---- Rounds: what begins at the first draw whose meaning returns, again and again ---- */

static size_t first_round(const testcase *t) {
    for (size_t i = 0; i < t->count && i < NEAR; i++) {
        for (size_t k = i + 1; k < t->count && k <= i + NEAR; k++) {
            if (same_range(&t->draws[i], &t->draws[k])) return i;
        }
    }
    return t->count;
}

/* Return the end of what begins at a draw: the next draw of its meaning, or the end of all. */
static size_t round_end(const testcase *t, size_t at) {
    size_t end = at + 1;
    while (end < t->count && !same_range(&t->draws[at], &t->draws[end])) end++;
    return end;
}

/* ---- Delete a round, and change a quantity near it: by a little, or by one of the round and a
 * little ---- */

/* The ways: the number of the round is added to the other; that of two rounds; a little alone. */
enum {
    AMOUNT_MAX = 16,
    ADD_OF_TWO = 1,
    ADD_WAYS,
    DELETE_WAYS = ADD_WAYS + 2 * AMOUNT_MAX,
    BEFORE_MAX = 2,
    BEHIND_MAX = 1
};

static bool begins_round(const testcase *t, size_t at) {
    const size_t first = first_round(t);
    return first < t->count && same_range(&t->draws[first], &t->draws[at]);
}

/* Return how far to look around a number: in proportion to it. */
static uint64_t look_around(const draw *d) {
    const uint64_t part = draw_distance(d) / 8 + 1;
    return smaller(part, AMOUNT_MAX);
}

static bool is_open_quantity(const testcase *t, size_t at) {
    return is_quantity(t, at) && draw_distance(&t->draws[at]) > 0;
}

static size_t count_open(const testcase *t, size_t from, size_t to) {
    size_t count = 0;
    for (size_t i = from; i < to; i++) count += is_open_quantity(t, i);
    return count;
}

/* True if few other open quantities are between the round first..end - 1 and draw `at`. */
static bool is_near(const testcase *t, size_t first, size_t end, size_t at) {
    return at < first ? count_open(t, at + 1, first) < BEFORE_MAX
                      : count_open(t, end, at) < BEHIND_MAX;
}

/* Return the last quantity of a round that is not 0, or the round's end. */
static size_t quantity_of_round(const testcase *t, size_t first, size_t end) {
    for (size_t i = end; i > first; i--) {
        if (is_quantity(t, i - 1) && draw_value(&t->draws[i - 1]) != 0) return i - 1;
    }
    return end;
}

/* Return the end of what goes: a round, or two. */
static size_t deleted_end(const testcase *t, const position *p) {
    const size_t end = round_end(t, p->at);
    return p->way == ADD_OF_TWO && end < t->count ? round_end(t, end) : end;
}

static bool delete_and_change_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->other];
    const size_t end = deleted_end(t, p), quantity = quantity_of_round(t, p->at, end);
    uint64_t rank, value = draw_value(d);
    if (!is_quantity(t, p->other) || (p->other >= p->at && p->other < end)) return false;
    if (!is_near(t, p->at, end, p->other)) return false;
    if (p->way < ADD_WAYS) {
        if (quantity == end) return false;
        value += draw_value(&t->draws[quantity]);
    } else {
        const uint64_t way = p->way - ADD_WAYS, little = way / 2 + 1;
        if (draw_distance(d) == 0 || little > look_around(d)) return false;
        value += way % 2 == 0 ? 0 - little : little;
    }
    return draw_rank_of(d, value, &rank) && patch_delete(edits, p->at, end - p->at) &&
           patch_set(edits, p->other, rank);
}

PASS(delete_and_change, "delete-and-change", LATE, ALL, position_next_nearby, NULL,
     delete_and_change_edit, .idle_share = 12, .idle_min = 4,
     .nearby = {-NEAR, NEAR, DELETE_WAYS, begins_round, NULL})

/* ---- Make another choice among a few, and delete what it led to: the next draw, or all up to the
 * next draw of this meaning. A quantity near it may have to be the largest for that ---- */

enum { SWITCH_BEFORE = 4, SWITCH_BEHIND = 6, SWITCH_DELETES = 2 };

static size_t switch_end(const testcase *t, const position *p) {
    const size_t end = round_end(t, p->at);
    return p->way % SWITCH_DELETES == 0 || end == p->at + 1 ? end : p->at + 2;
}

/* Make the quantity the largest. False if it is not the nearest, or goes. */
static bool raise_near(const testcase *t, const position *p, size_t end, patch *edits) {
    const uint64_t max = draw_rank_max(&t->draws[p->other]);
    const bool is_before = p->other < p->at;
    if (!is_before && p->other < end) return false;
    return is_open_quantity(t, p->other) && t->draws[p->other].rank < max &&
           count_open(t, is_before ? p->other + 1 : end, is_before ? p->at : p->other) == 0 &&
           patch_set(edits, p->other, max);
}

static bool switch_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    const uint64_t rank = p->way / SWITCH_DELETES;
    const size_t end = switch_end(t, p);
    if (rank > draw_rank_max(d) || rank == d->rank || end == p->at + 1) return false;
    if (p->way % SWITCH_DELETES > 0 && round_end(t, p->at) <= end) return false;
    return (p->other == p->at || raise_near(t, p, end, edits)) && patch_set(edits, p->at, rank) &&
           patch_delete(edits, p->at + 1, end - p->at - 1);
}

PASS(switch, "switch", LATE, ALL, position_next_nearby, NULL, switch_edit, .idle_share = 12,
     .idle_min = 4,
     .nearby = {-SWITCH_BEFORE, SWITCH_BEHIND, (SWITCH_DELETES * SELECTOR_VALUES), is_selector,
                NULL})

/* ---- Set all numbers of a meaning to their simplest values but one, which is a power of two
 * ---- */

enum { ALL_BUT_ONE_REACH = 256, ALL_BUT_ONE_WAYS = 8, ALL_BUT_ONE_LAST = 2 };

static bool is_open_of_kind(const draw *a, const draw *b) {
    return b->rank > 0 && same_range(a, b);
}

static bool is_first_of_kind(const testcase *t, size_t at) {
    if (!draw_is_number(&t->draws[at]) || has_alike(t, at, 0, at, same_range)) return false;
    const size_t open = count_alike(t, at, at, t->count, is_open_of_kind);
    return open > 1 && open < PATCH_MAX;
}

/* True if few draws behind one have its meaning. */
static bool is_late(const testcase *t, size_t at) {
    size_t behind = 0;
    for (size_t i = at + 1; i < t->count && behind < ALL_BUT_ONE_LAST; i++)
        behind += same_range(&t->draws[i], &t->draws[at]);
    return behind < ALL_BUT_ONE_LAST;
}

static bool all_but_one_edit(const testcase *t, const position *p, patch *edits) {
    const draw *other = &t->draws[p->other];
    if (!same_range(other, &t->draws[p->at]) || !is_late(t, p->other)) return false;
    if (UINT64_C(1) << p->way > draw_rank_max(other)) return false;
    for (size_t i = p->at; i < t->count; i++) {
        const draw *d = &t->draws[i];
        if (i == p->other || d->rank == 0 || !same_range(d, &t->draws[p->at])) continue;
        if (!patch_set(edits, i, 0)) return false;
    }
    return patch_set(edits, p->other, UINT64_C(1) << p->way);
}

PASS(all_but_one, "all-but-one", COSTLY, ALL, position_next_nearby, NULL, all_but_one_edit,
     .idle_share = 30, .idle_min = 4,
     .nearby = {0, ALL_BUT_ONE_REACH, ALL_BUT_ONE_WAYS, is_first_of_kind, NULL})

/* ---- Exchange a round with the next one, and change a draw of few values in one of the two or in
 * the round behind them: what refers to a place or to a thing may have to refer to another one
 * ---- */

static bool is_of_few(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return (draw_is_number(d) || draw_is_choice(d)) && draw_rank_max(d) > 0 &&
           draw_rank_max(d) < SELECTOR_VALUES;
}

/* Return the draw that stands at a place after an exchange of the rounds at..middle - 1 and
 * middle..end - 1. */
static size_t exchanged(size_t at, size_t middle, size_t end, size_t place) {
    if (place >= end) return place;
    return place < at + (end - middle) ? place + (middle - at) : place - (end - middle);
}

/* other: the place to change after the exchange; way: its rank, of which an index may get one more
 * that it has not now. */
static bool change_exchanged(const testcase *t, const position *p, size_t from) {
    const draw *d = &t->draws[from];
    return is_of_few(t, from) && p->way != d->rank &&
           p->way <= draw_rank_max(d) + (d->kind == FRNG_INDEX ? 1 : 0);
}

/* What is put in stands in the place of the first draws, of which there are at least three. */
static bool exchange_rounds_edit(const testcase *t, const position *p, patch *edits) {
    const size_t at = p->at, middle = round_end(t, at);
    const size_t end = middle < t->count ? round_end(t, middle) : 0;
    if (end < at + 3 || p->other >= (end < t->count ? round_end(t, end) : end)) return false;
    const size_t from = exchanged(at, middle, end, p->other);
    if (!change_exchanged(t, p, from)) return false;
    const draw_row first = {at, at + 1}, second = {at + 1, at + 2}, rest = {at + 2, end};
    if (p->other >= end) {
        return patch_copy(edits, (draw_row){at, middle}, (draw_row){middle, end}) &&
               patch_copy(edits, (draw_row){middle, end}, (draw_row){at, middle}) &&
               patch_set(edits, p->other, p->way);
    }
    if (from >= middle) {
        return patch_copy(edits, first, (draw_row){middle, from}) &&
               patch_copy(edits, second, (draw_row){from + 1, end}) &&
               patch_insert(edits, at + 1, from, p->way) &&
               patch_copy(edits, rest, (draw_row){at, middle});
    }
    return patch_copy(edits, first, (draw_row){middle, end}) &&
           patch_copy(edits, second, (draw_row){at, from}) &&
           patch_copy(edits, rest, (draw_row){from + 1, middle}) &&
           patch_insert(edits, at + 2, from, p->way);
}

PASS(exchange_rounds, "exchange-rounds", LATE, ALL, position_next_nearby, NULL,
     exchange_rounds_edit, .idle_share = 20, .idle_min = 4,
     .nearby = {0, NEAR, SELECTOR_VALUES + 1, begins_round, NULL})

/* ---- Delete a row or a column of a matrix: two counts, and so many rows of draws that
 * are alike ---- */

enum { MATRIX_SIDE_MAX = 32 };

static bool is_matrix(const testcase *t, size_t at) {
    const size_t first = at + 2;
    if (first >= t->count || !draw_is_number(&t->draws[at])) return false;
    const draw *rows = &t->draws[at], *columns = &t->draws[at + 1];
    if (!draw_is_number(columns) || rows->rank == 0) return false;
    const uint64_t a = draw_value(rows), b = draw_value(columns);
    if (a < 1 || b < 1 || a > MATRIX_SIDE_MAX || b > MATRIX_SIDE_MAX) return false;
    if (a * b > t->count - first) return false;
    for (size_t i = first + b; i < first + a * b; i++) {
        if (!same_type(&t->draws[i], &t->draws[i - b])) return false;
    }
    return true;
}

/* way: a row, or a column behind them. */
static bool matrix_edit(const testcase *t, const position *p, patch *edits) {
    const bool is_row = p->way < MATRIX_SIDE_MAX;
    const size_t rows = (size_t)draw_value(&t->draws[p->at]), number = p->way % MATRIX_SIDE_MAX;
    const size_t columns = (size_t)draw_value(&t->draws[p->at + 1]), first = p->at + 2;
    const size_t at = p->at + (is_row ? 0 : 1);
    if (number >= (is_row ? rows : columns) || t->draws[at].rank == 0) return false;
    patch_set(edits, at, draw_rank_nearer(&t->draws[at], p->by));
    if (is_row) return patch_delete(edits, first + number * columns, columns);
    for (size_t i = 0; i < rows; i++) patch_delete(edits, first + i * columns + number, 1);
    return true;
}

PASS(matrix, "matrix", CHEAP, ALL, position_next_nearby, NULL, matrix_edit,
     .nearby = {0, 0, 2 * MATRIX_SIDE_MAX, is_matrix, NULL})

/* ---- A last resort. Below a fixpoint of all other passes, changes by chance of a few draws near
 * each other find what no rule finds. A try is the same in each run of a reduction ---- */

enum {
    WALK_TRIES = 1500,
    WALK_REACH = 12,
    WALK_OTHERS_MAX = 3,
    WALK_STEP_MAX = 4,
    WALK_DELETED_MAX = 4
};

static bool walk_next(const testcase *t, position *p) {
    position_leave(p, &p->way);
    return t->count > 0 && p->way < WALK_TRIES;
}

/* Return a number below `count`. */
static uint64_t dice(uint64_t *state, uint64_t count) { return frng__splitmix64(state) % count; }

static uint64_t lower_rank(const draw *d, uint64_t *state) {
    const uint64_t step = 1 + dice(state, WALK_STEP_MAX);
    if (dice(state, 2) == 0) return dice(state, d->rank);
    return d->rank > step ? d->rank - step : 0;
}

static uint64_t any_rank(const draw *d, uint64_t *state) {
    const uint64_t step = 1 + dice(state, WALK_STEP_MAX);
    switch (dice(state, 4)) {
    case 0: return d->rank > step ? d->rank - step : 0;
    case 1: return dice(state, 2 * WALK_STEP_MAX);
    case 2: return dice(state, 4) == 0 ? draw_rank_max(d) : d->rank;
    default: return d->rank < UINT64_MAX - step ? d->rank + step : d->rank;
    }
}

/* Add changes of a few draws from `from` on. */
static void change_some(const testcase *t, size_t from, uint64_t *state, patch *edits) {
    for (uint64_t left = 1 + dice(state, WALK_OTHERS_MAX); left > 0; left--) {
        const size_t i = from + (size_t)dice(state, WALK_REACH);
        if (i < t->count) patch_set(edits, i, any_rank(&t->draws[i], state));
    }
}

static bool walk_edit(const testcase *t, const position *p, patch *edits) {
    uint64_t state = p->way + p->by;
    const size_t at = (size_t)dice(&state, t->count);
    const draw *d = &t->draws[at];
    if (dice(&state, 3) == 0) {
        const size_t left = t->count - at, length = 1 + (size_t)dice(&state, WALK_DELETED_MAX);
        patch_delete(edits, at, smaller(length, left));
        change_some(t, at > WALK_REACH / 2 ? at - WALK_REACH / 2 : 0, &state, edits);
    } else {
        if (d->rank == 0) return false;
        patch_set(edits, at, lower_rank(d, &state));
        change_some(t, at + 1, &state, edits);
    }
    return true;
}

PASS(walk, "walk", LAST, ALL, walk_next, NULL, walk_edit)
