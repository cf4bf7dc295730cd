/* passes_pairs.c: passes that lower a number, and change one or two others to make up for it. */
#include "pass.h"

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
