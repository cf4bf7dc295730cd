/* passes_numbers.c: passes that lower several numbers at once: those that are alike (names, keys,
 * places), and those that make up for each other. */
#include "pass.h"
#include "patch.h"

/* ---- Lower a number, and change a later number by the mode ---- */

enum {
    KEEP_SUM,       /* raise it by the same amount: their sum stays the same */
    KEEP_DIFFERENCE /* lower it by the same amount: their difference stays the same */
};

static bool is_movable(const draw *d) { return draw_is_number(d) || draw_is_real(d); }

static bool is_open(const draw *d) { return d->rank > 0 && is_movable(d); }

/* other: a number after `at`, with at most three others between them. */
static bool next_pair(const testcase *t, position *p) {
    enum { REACH = 4 };
    position_leave(p, &p->other);
    for (; p->at < t->count; p->at++, p->other = 0) {
        unsigned met = 0;
        if (!is_open(&t->draws[p->at])) continue;
        for (size_t i = p->at + 1; i < t->count && met < REACH; i++) {
            const draw *d = &t->draws[i];
            const bool fits = p->pass->mode == KEEP_DIFFERENCE ? is_open(d) : is_movable(d);
            if (fits && i >= p->other) {
                p->other = i;
                return true;
            }
            met += fits;
        }
    }
    return false;
}

/* Return how far the first number can be lowered. */
static uint64_t first_limit(const testcase *t, const position *p) {
    return draw_distance(&t->draws[p->at]);
}

static uint64_t lower_both_limit(const testcase *t, const position *p) {
    const uint64_t a = draw_distance(&t->draws[p->at]), b = draw_distance(&t->draws[p->other]);
    return a < b ? a : b;
}

/* Find the rank of a number that is larger by an amount, which is negative for a smaller one. */
static bool rank_moved(const draw *d, int64_t by, uint64_t *rank) {
    if (!draw_is_real(d)) return draw_rank_of(d, draw_value(d) + (uint64_t)by, rank);
    const double value = draw_real(d) + (double)by;
    return value > -1e15 && value < 1e15 && draw_rank_of_real(d, value, rank);
}

/* Return how much a number lost, which is negative for a negative one. */
static int64_t lost(const draw *d, uint64_t by) {
    const bool is_negative = draw_is_real(d) ? draw_real(d) < 0 : (int64_t)draw_value(d) < 0;
    return (int64_t)(is_negative ? 0 - by : by);
}

/* Negate an amount, which may be the least. */
static int64_t negated(int64_t amount) { return (int64_t)(0 - (uint64_t)amount); }

static bool change_pair(const testcase *t, const position *p, patch *edits) {
    const draw *a = &t->draws[p->at], *b = &t->draws[p->other];
    uint64_t rank;
    if (p->pass->mode == KEEP_DIFFERENCE) {
        rank = draw_rank_nearer(b, p->by);
    } else if (!rank_moved(b, lost(a, p->by), &rank)) {
        return false;
    }
    return patch_set(edits, p->at, draw_rank_nearer(a, p->by)) && patch_set(edits, p->other, rank);
}

const pass pass_keep_sum = {.name = "keep-sum",
                            .how = STEP_PAIR,
                            .next = next_pair,
                            .limit = first_limit,
                            .edit = change_pair,
                            .mode = KEEP_SUM};

const pass pass_lower_difference = {.name = "lower-difference",
                                    .how = STEP_PAIR,
                                    .next = next_pair,
                                    .limit = lower_both_limit,
                                    .edit = change_pair,
                                    .mode = KEEP_DIFFERENCE};

/* ---- Lower a number, and change one or two numbers behind it by other amounts, or far from it
 * ---- */

enum {
    TRADE_REACH = 12,
    TRADE_AMOUNTS = 16, /* the largest of two that differ */
    TRADE_UNEQUAL = 6,  /* the first way with two that differ */
    TRADE_PAIRS = TRADE_UNEQUAL + 2 * (TRADE_AMOUNTS - 1),
    TRADE_THIRDS = 4,
    TRADE_SIGNS = 4
};

static bool is_open_at(const testcase *t, size_t at) { return is_open(&t->draws[at]); }

/* True for a number that is most likely no selection of a few ways. */
static bool is_amount(const draw *d) { return is_movable(d) && draw_rank_max(d) >= 8; }

/* Return the third number of a trade: one of those behind the second. t->count: there is none. */
static size_t third_of(const testcase *t, const position *p) {
    size_t left = (p->way - TRADE_PAIRS) / TRADE_SIGNS, i = p->other + 1;
    for (; i < t->count && i <= p->at + TRADE_REACH; i++) {
        if (is_amount(&t->draws[i]) && left-- == 0) return i;
    }
    return t->count;
}

/* Return how much the first number is lowered, for a `by` of 1. */
static uint64_t first_amount(const position *p) {
    if (p->way >= TRADE_PAIRS || p->way < TRADE_UNEQUAL) return p->way == 4 ? 2 : 1;
    return (p->way - TRADE_UNEQUAL) / 2 + 2;
}

static bool trade_fits(const testcase *t, const position *p) {
    if (!is_movable(&t->draws[p->other]) || (size_t)p->pass->mode > p->way) return false;
    const draw *a = &t->draws[p->at], *b = &t->draws[p->other];
    if (p->way >= TRADE_PAIRS) return is_amount(a) && is_amount(b) && third_of(t, p) < t->count;
    if (p->way >= TRADE_UNEQUAL && !draw_is_of_kind(a, b)) return false;
    return p->way < TRADE_UNEQUAL || draw_distance(&t->draws[p->at]) >= first_amount(p);
}

static uint64_t trade_limit(const testcase *t, const position *p) {
    const uint64_t distance = draw_distance(&t->draws[p->at]), first = first_amount(p);
    return distance > first ? distance / first : 1;
}

/* Return how much the second number is lowered when the first is by `amount`, in proportion. */
static uint64_t second_amount(const draw *a, const draw *b, uint64_t amount, bool rounds_up) {
    const double part = (double)draw_distance(b) / (double)draw_distance(a);
    const double second = (double)amount * part;
    return second < 1e18 ? (uint64_t)second + rounds_up : UINT64_MAX;
}

/* Move the fraction of a double to another one. */
static bool trade_fraction(const draw *a, const draw *b, uint64_t *first, uint64_t *second) {
    if (!draw_is_real(a) || !draw_is_real(b)) return false;
    const double value = draw_real(a);
    if (!(value > -1e15 && value < 1e15)) return false;
    const double whole = (double)(int64_t)value;
    return draw_rank_of_real(a, whole, first) &&
           draw_rank_of_real(b, draw_real(b) - (value - whole), second);
}

/* Find what the second number becomes when the first one is lowered by an amount. */
static bool trade_second(const position *p, const draw *a, const draw *b, uint64_t *rank) {
    const int64_t amount = lost(a, p->by);
    switch (p->way) {
    case 0:
    case 4: return rank_moved(b, amount, rank);
    case 1: return rank_moved(b, negated(amount), rank);
    case 2: *rank = draw_rank_max(b); return true;
    case 3: return rank_moved(b, (int64_t)(2 * (uint64_t)amount), rank);
    default: break;
    }
    const uint64_t first = first_amount(p);
    const uint64_t second = p->by * second_amount(a, b, first, p->way % 2 == 1);
    if (second == p->by * first || second > draw_distance(b)) return false;
    *rank = draw_rank_nearer(b, second);
    return true;
}

static bool trade_pair(const testcase *t, const position *p, patch *edits) {
    const draw *a = &t->draws[p->at], *b = &t->draws[p->other];
    const uint64_t lowered = p->by * first_amount(p);
    uint64_t first, second;
    if (p->way == 5) {
        if (p->by > 1 || !trade_fraction(a, b, &first, &second)) return false;
    } else {
        if (lowered > draw_distance(a)) return false;
        first = draw_rank_nearer(a, lowered);
        if (!trade_second(p, a, b, &second)) return false;
    }
    return patch_set(edits, p->at, first) && patch_set(edits, p->other, second);
}

static bool trade_edit(const testcase *t, const position *p, patch *edits) {
    if (p->way < TRADE_PAIRS) return trade_pair(t, p, edits);
    const size_t third = third_of(t, p), signs = p->way % TRADE_SIGNS;
    const draw *a = &t->draws[p->at];
    const int64_t amount = lost(a, p->by);
    uint64_t first, second;
    return rank_moved(&t->draws[p->other], (signs & 1) != 0 ? amount : negated(amount), &first) &&
           rank_moved(&t->draws[third], (signs & 2) != 0 ? amount : negated(amount), &second) &&
           patch_set(edits, p->at, draw_rank_nearer(a, p->by)) &&
           patch_set(edits, p->other, first) && patch_set(edits, third, second);
}

const pass pass_trade = {.name = "trade",
                         .cost = PASS_LATE,
                         .how = STEP_MOST,
                         .next = position_next_nearby,
                         .limit = trade_limit,
                         .edit = trade_edit,
                         .nearby = {.first = 1,
                                    .last = TRADE_REACH,
                                    .ways = TRADE_UNEQUAL,
                                    .is_anchor = is_open_at,
                                    .fits = trade_fits}};

/* The ways of other amounts and three numbers. mode: the first of them. */
const pass pass_trade_unequal = {.name = "trade-unequal",
                                 .cost = PASS_LATE,
                                 .idle_share = 10,
                                 .idle_min = 4,
                                 .how = STEP_MOST,
                                 .next = position_next_nearby,
                                 .limit = trade_limit,
                                 .edit = trade_edit,
                                 .nearby = {.first = 1,
                                            .last = TRADE_REACH,
                                            .ways = TRADE_PAIRS + TRADE_THIRDS * TRADE_SIGNS,
                                            .is_anchor = is_open_at,
                                            .fits = trade_fits},
                                 .mode = TRADE_UNEQUAL};

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
