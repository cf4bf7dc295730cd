/* passes_values.c: passes that make values simpler and keep the number of draws. */
#include "pass.h"
#include "patch.h"

#include "frng_more.h"

static bool is_simplest(const draw *d) { return d->rank <= draw_rank_least(d); }

static bool next_not_simplest(const testcase *t, position *p) {
    while (position_next_draw(t, p)) {
        if (!is_simplest(&t->draws[p->at])) return true;
    }
    return false;
}

/* Return how far the number at `at` can be lowered. */
static uint64_t distance_limit(const testcase *t, const position *p) {
    return draw_distance(&t->draws[p->at]);
}

/* ---- Set rows of draws to their simplest values ---- */

static bool zero_edit(const testcase *t, const position *p, patch *edits) {
    (void)t;
    return patch_add(edits,
                     (change){.first = p->at, .count = p->by, .kind = CHANGE_SET, .rank = 0});
}

const pass pass_zero = {.name = "zero",
                        .cost = PASS_CHEAP,
                        .how = STEP_MOST,
                        .next = next_not_simplest,
                        .limit = position_rest,
                        .edit = zero_edit};

/* ---- Set all draws of one kind to their simplest values at once: an irrelevant kind is simplest
 * before any other pass begins ---- */

/* True if no earlier draw that is like the one at `at` can be lowered. */
static bool is_first_alike(const testcase *t, size_t at) {
    for (size_t i = 0; i < at; i++) {
        if (!is_simplest(&t->draws[i]) && draw_is_alike(&t->draws[i], &t->draws[at])) return false;
    }
    return true;
}

static bool zero_alike_next(const testcase *t, position *p) {
    while (next_not_simplest(t, p)) {
        if (is_first_alike(t, p->at)) return true;
    }
    return false;
}

static bool zero_alike_edit(const testcase *t, const position *p, patch *edits) {
    return patch_set_alike(edits, p->at, t->count - p->at, 0);
}

const pass pass_zero_alike = {.name = "zero-alike",
                              .cost = PASS_CHEAP,
                              .how = STEP_ALL,
                              .next = zero_alike_next,
                              .edit = zero_alike_edit};

/* ---- Move each value towards its simplest one ---- */

static bool minimise_edit(const testcase *t, const position *p, patch *edits) {
    return patch_set(edits, p->at, draw_rank_nearer(&t->draws[p->at], p->by));
}

const pass pass_minimise = {.name = "minimise",
                            .cost = PASS_CHEAP,
                            .how = STEP_VALUE,
                            .next = next_not_simplest,
                            .limit = distance_limit,
                            .edit = minimise_edit};

/* ---- Try simple doubles near a fraction, the simplest first ---- */

enum { REAL_WAYS = 16 };

/* Return a double that may stand in for another one. False for a way that does not fit. */
static bool simple_real(double value, size_t way, double *simple) {
    static const double steps[] = {2, 4, 8, 16, 256, 65536}, parts[] = {0.5, 0.25, 0.125, 0.0625};
    const bool is_small = value > -1e15 && value < 1e15;
    switch (way) {
    case 0: *simple = 1; return true;
    case 1: *simple = 0.5; return true;
    case 2: *simple = 1.5; return true;
    case 3: *simple = value < 0 ? -value : value; return true;
    case 4: *simple = 4611686018427387904.0; return !is_small; /* 2^62 */
    default: break;
    }
    if (!is_small) return false;
    const double whole = (double)(int64_t)value;
    if (way == 5) *simple = whole + (value < 0 ? -1 : 1);
    if (way >= 12) *simple = whole + (value < 0 ? -parts[way - 12] : parts[way - 12]);
    if (way >= 6 && way < 12) *simple = (double)(int64_t)(value * steps[way - 6]) / steps[way - 6];
    return true;
}

static bool real_fits(const testcase *t, const position *p) {
    const double value = draw_real(&t->draws[p->at]);
    return !(value >= -1e15 && value <= 1e15) || value != (double)(int64_t)value;
}

static bool is_complex_real(const testcase *t, size_t at) {
    return draw_is_real(&t->draws[at]) && !is_simplest(&t->draws[at]);
}

/* The first site tries the whole part. */
static bool real_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    const double value = draw_real(d);
    double simple;
    uint64_t rank;
    if (p->way > 0 ? !simple_real(value, p->way - 1, &simple) : !(value > -1e15 && value < 1e15)) {
        return false;
    }
    if (p->way == 0) simple = (double)(int64_t)value;
    return draw_rank_of_real(d, simple, &rank) && patch_set(edits, p->at, rank);
}

const pass pass_real = {
    .name = "real",
    .cost = PASS_CHEAP,
    .how = STEP_ALL,
    .next = position_next_nearby,
    .edit = real_edit,
    .nearby = {.ways = REAL_WAYS + 1, .is_anchor = is_complex_real, .fits = real_fits}};

/* ---- Move a date to the same day of January 2000, or towards it by the periods after which days
 * of a year return ---- */

enum { DATE_WAYS = 4 };
static const uint64_t periods[DATE_WAYS] = {31, 146097, 1461, 365}; /* days of 400 years, 4, 1 */

static bool has_period(const testcase *t, const position *p) {
    return t->draws[p->at].rank >= periods[p->way];
}

static bool is_date(const testcase *t, size_t at) { return t->draws[at].kind == FRNG_DATE; }

static uint64_t periods_limit(const testcase *t, const position *p) {
    return p->way == 0 ? 1 : t->draws[p->at].rank / periods[p->way];
}

static bool date_edit(const testcase *t, const position *p, patch *edits) {
    const uint64_t rank = t->draws[p->at].rank;
    int year, month, day;
    frng__day(rank, &year, &month, &day);
    if (p->way == 0) return patch_set(edits, p->at, (uint64_t)day - 1);
    return patch_set(edits, p->at, rank - p->by * periods[p->way]);
}

const pass pass_date = {.name = "date",
                        .cost = PASS_CHEAP,
                        .how = STEP_VALUE,
                        .next = position_next_nearby,
                        .limit = periods_limit,
                        .edit = date_edit,
                        .nearby = {.ways = DATE_WAYS, .is_anchor = is_date, .fits = has_period}};

/* ---- Clear single bits of a subset ---- */

static bool is_subset(const testcase *t, size_t at) { return t->draws[at].kind == FRNG_SUBSET; }

static bool has_bit(const testcase *t, const position *p) {
    return (t->draws[p->at].rank >> p->way & 1) != 0;
}

static bool clear_bit_edit(const testcase *t, const position *p, patch *edits) {
    return patch_set(edits, p->at, t->draws[p->at].rank & ~(UINT64_C(1) << p->way));
}

const pass pass_subset = {.name = "subset",
                          .cost = PASS_CHEAP,
                          .how = STEP_ALL,
                          .next = position_next_nearby,
                          .edit = clear_bit_edit,
                          .nearby = {.ways = 64, .is_anchor = is_subset, .fits = has_bit}};

/* ---- Lower the rank of a signed value by one, which changes the sign ---- */

static bool has_sign(const draw *d) {
    return d->kind == FRNG_INT || d->kind == FRNG_MIXED_INT || draw_is_real(d);
}

static bool flip_next(const testcase *t, position *p) {
    while (position_next_draw(t, p)) {
        if (has_sign(&t->draws[p->at]) && t->draws[p->at].rank >= 2) return true;
    }
    return false;
}

static bool flip_edit(const testcase *t, const position *p, patch *edits) {
    return patch_set(edits, p->at, t->draws[p->at].rank - p->by);
}

const pass pass_flip = {
    .name = "flip", .cost = PASS_CHEAP, .how = STEP_ALL, .next = flip_next, .edit = flip_edit};

/* ---- Try each of a few simpler values, or the simplest and multiples of small amounts: values
 * that fail need not be neighbours ---- */

enum { STRIDE_ALL = 32, STRIDE_SIMPLEST = 4, STRIDES = 12 };
static const uint8_t strides[STRIDES] = {3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 100};

static bool is_stride_at(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return !draw_is_real(d) && d->rank > draw_rank_least(d) + 1;
}

/* Return the rank to try, counted from the least, or 0 if the way is a stride. */
static uint64_t simple_rank(const draw *d, size_t way) {
    const bool is_small = d->rank - draw_rank_least(d) <= STRIDE_ALL;
    return is_small || way < STRIDE_SIMPLEST ? way + 1 : 0;
}

static uint64_t stride_of(size_t way) { return strides[way - STRIDE_SIMPLEST]; }

static bool stride_fits(const testcase *t, const position *p) {
    const draw *d = &t->draws[p->at];
    const uint64_t rank = simple_rank(d, p->way);
    if (rank > 0) return rank < d->rank - draw_rank_least(d);
    return p->way < STRIDE_SIMPLEST + STRIDES && stride_of(p->way) <= draw_distance(d);
}

static uint64_t stride_limit(const testcase *t, const position *p) {
    const draw *d = &t->draws[p->at];
    return simple_rank(d, p->way) > 0 ? 1 : draw_distance(d) / stride_of(p->way);
}

static bool stride_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    const uint64_t rank = simple_rank(d, p->way);
    if (rank > 0) return patch_set(edits, p->at, draw_rank_least(d) + rank);
    return patch_set(edits, p->at, draw_rank_nearer(d, p->by * stride_of(p->way)));
}

const pass pass_stride = {
    .name = "stride",
    .cost = PASS_LATE,
    .how = STEP_MOST,
    .next = position_next_nearby,
    .limit = stride_limit,
    .idle_share = 20,
    .idle_min = 14,
    .edit = stride_edit,
    .nearby = {.ways = STRIDE_ALL, .is_anchor = is_stride_at, .fits = stride_fits}};

/* ---- Exchange neighbours: this sorts lists, and moves empty ones to the front. Only an exchange
 * that makes the test case simpler is a candidate ---- */

enum { SWAP_ANY_MAX = 4, SWAP_FIRST_MAX = 16, SWAP_SECOND_MAX = 16, SWAP_ANY_WAYS = 12 };

/* True if what follows two blocks, the second of them up to `end`, can follow them in the other
 * order: the next block, or nothing. */
static bool ends_block(const testcase *t, const position *p, size_t end) {
    return end == t->count || (end < t->count && draw_is_of_kind(&t->draws[p->at], &t->draws[end]));
}

/* True if the draws from `at` to `other` - 1 can be exchanged with way + 1 draws from `other` on.
 * If they are many, both must be whole blocks, or alike one by one. */
static bool swap_fits(const testcase *t, const position *p) {
    const size_t length = p->other - p->at, end = p->other + p->way + 1;
    if (end > t->count || !draw_is_alike(&t->draws[p->at], &t->draws[p->other])) return false;
    if (length <= SWAP_ANY_MAX) return p->way < SWAP_ANY_WAYS;
    if (p->way + 1 < length) return ends_block(t, p, end);
    for (size_t i = 0; i < length && p->way + 1 == length; i++) {
        if (!draw_is_alike(&t->draws[p->at + i], &t->draws[p->other + i])) return false;
    }
    return p->way + 1 == length;
}

/* True if the exchange makes the first draw that it changes simpler. */
static bool simplifies(const testcase *t, size_t first, size_t length, size_t second_length) {
    for (size_t i = 0; i < length + second_length; i++) {
        const size_t from = i < second_length ? first + length + i : first + i - second_length;
        const uint64_t now = t->draws[from].rank, before = t->draws[first + i].rank;
        if (now != before) return now < before;
    }
    return false;
}

static bool swap_edit(const testcase *t, const position *p, patch *edits) {
    const size_t length = p->other - p->at;
    const size_t second_length = p->way + 1;
    if (!simplifies(t, p->at, length, second_length)) return false;
    const draw_row first = {p->at, p->other}, second = {p->other, p->other + second_length};
    return patch_copy(edits, first, second) && patch_copy(edits, second, first);
}

const pass pass_swap = {
    .name = "swap",
    .is_aligned = true,
    .how = STEP_ALL,
    .next = position_next_nearby,
    .edit = swap_edit,
    .nearby = {.first = 1, .last = SWAP_FIRST_MAX, .ways = SWAP_SECOND_MAX, .fits = swap_fits}};

/* ---- Change no value, but write each in its smallest encoding: this drops the numbers that a draw
 * rejected ---- */

static bool canonical_next(const testcase *t, position *p) {
    const bool is_first = !p->is_visited;
    (void)t;
    p->is_visited = true;
    return is_first;
}

static bool canonical_edit(const testcase *t, const position *p, patch *edits) {
    (void)t;
    (void)p;
    (void)edits;
    return true;
}

const pass pass_canonical = {
    .name = "canonical", .how = STEP_ALL, .next = canonical_next, .edit = canonical_edit};
