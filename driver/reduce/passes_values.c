/* passes_values.c: passes that make values simpler and keep the number of draws.
 *
 * First those that change one draw, or a row of draws, each by itself: to its simplest value,
 * towards it, or by rules of its kind (doubles, dates, subsets). Most are cheap, for a rank says
 * how far a value is from the simplest. Then those that lower several numbers at once where no
 * single one can be lowered: numbers that are alike (names, keys, places), and numbers that make up
 * for each other, such as two that keep their sum or their difference. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

#include "frng_more.h"

static bool is_simplest(const draw *d) { return d->rank <= draw_rank_least(d); }

static bool is_not_simplest(const testcase *t, size_t at) {
    const draw d = testcase_draw(t, at);
    return !is_simplest(&d);
}

/* Return how far the number at `at` can be lowered. */
static uint64_t distance_limit(const testcase *t, const position *p) {
    const draw d = testcase_draw(t, p->at);
    return draw_distance(&d);
}

/* ---- Set rows of draws to their simplest values ---- */

static bool zero_edit(const testcase *t, const position *p, patch *edits) {
    (void)t;
    return patch_add(edits,
                     (change){.first = p->at, .count = p->by, .kind = CHANGE_SET, .rank = 0});
}

PASS(zero, "zero", CHEAP, MOST, position_next_nearby, position_rest, zero_edit,
     .nearby = {0, 0, 1, is_not_simplest, NULL})

/* ---- Set all draws of one kind to their simplest values at once: an irrelevant kind is simplest
 * before any other pass begins ---- */

static bool is_alike_not_simplest(const draw *a, const draw *b) {
    return !is_simplest(b) && same_type(a, b);
}

static bool zero_alike_edit(const testcase *t, const position *p, patch *edits) {
    const size_t count = t->count - p->at;
    if (has_alike(t, p->at, 0, p->at, is_alike_not_simplest)) return false;
    return patch_add(edits, (change){.first = p->at, .count = count, .kind = CHANGE_SET_ALIKE});
}

PASS(zero_alike, "zero-alike", CHEAP, ALL, position_next_nearby, NULL, zero_alike_edit,
     .nearby = {0, 0, 1, is_not_simplest, NULL})

/* ---- Move each value towards its simplest one ---- */

static bool minimise_edit(const testcase *t, const position *p, patch *edits) {
    const draw d = testcase_draw(t, p->at);
    return patch_set(edits, p->at, draw_rank_nearer(&d, p->by));
}

PASS(minimise, "minimise", CHEAP, VALUE, position_next_nearby, distance_limit, minimise_edit,
     .nearby = {0, 0, 1, is_not_simplest, NULL})

/* ---- Try simple doubles near a fraction, the simplest first ---- */

typedef enum real_kind { REAL_IS, REAL_POSITIVE, REAL_BEYOND, REAL_NEXT, REAL_GRID } real_kind;

/* What may stand in for a double: a number, its own without a sign, one for those that are not
 * small, its whole part and a little, or the multiple of 1 / by that is nearer to 0. */
static const struct {
    real_kind kind;
    double by;
} real_ways[] = {
    {REAL_GRID, 1},     {REAL_IS, 1},        {REAL_IS, 0.5},
    {REAL_IS, 1.5},     {REAL_POSITIVE, 0},  {REAL_BEYOND, 4611686018427387904.0}, /* 2^62 */
    {REAL_NEXT, 1},     {REAL_GRID, 2},      {REAL_GRID, 4},
    {REAL_GRID, 8},     {REAL_GRID, 16},     {REAL_GRID, 256},
    {REAL_GRID, 65536}, {REAL_NEXT, 0.5},    {REAL_NEXT, 0.25},
    {REAL_NEXT, 0.125}, {REAL_NEXT, 0.0625},
};
enum { REAL_WAYS = sizeof real_ways / sizeof *real_ways };

static bool is_small(double value) { return value > -1e15 && value < 1e15; }

/* Find the double of a way. False for a way that does not fit. */
static bool simple_real(double value, size_t way, double *simple) {
    const double by = real_ways[way].by, size = value < 0 ? -value : value;
    if (real_ways[way].kind == REAL_POSITIVE && value < 0) return *simple = size, true;
    if (size <= 1e15 && value == (double)(int64_t)value) return false;
    switch (real_ways[way].kind) {
    case REAL_IS: *simple = by; return true;
    case REAL_POSITIVE: return false;
    case REAL_BEYOND: *simple = by; return !is_small(value);
    case REAL_NEXT:
    case REAL_GRID: break;
    }
    if (!is_small(value)) return false;
    if (real_ways[way].kind == REAL_NEXT) {
        *simple = (double)(int64_t)value + (value < 0 ? -by : by);
    } else {
        *simple = (double)(int64_t)(value * by) / by;
    }
    return true;
}

static bool is_complex_real(const testcase *t, size_t at) {
    return draw_is_real(&t->draws[at]) && !is_simplest(&t->draws[at]);
}

static bool real_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    double simple;
    uint64_t rank;
    return simple_real(draw_real(d), p->way, &simple) && draw_rank_of_real(d, simple, &rank) &&
           patch_set(edits, p->at, rank);
}

PASS(real, "real", CHEAP, ALL, position_next_nearby, NULL, real_edit,
     .nearby = {0, 0, REAL_WAYS, is_complex_real, NULL})

/* ---- Clear single bits of a subset, and set them in one behind it, or delete another draw behind
 * it: a member may have a value ---- */

enum { SET_BITS = 64, MEMBER_REACH = 8 };

static bool is_subset(const testcase *t, size_t at) { return t->draws[at].kind == FRNG_SUBSET; }

static bool has_bit(const draw *d, size_t bit) { return (d->rank >> bit & 1) != 0; }

static bool clear_bit_edit(const testcase *t, const position *p, patch *edits) {
    const uint64_t bit = UINT64_C(1) << p->way;
    const draw *d = &t->draws[p->at], *other = &t->draws[p->other];
    const bool is_moved = is_subset(t, p->other) && (other->max & ~other->rank & bit) != 0;
    if (!has_bit(d, p->way) || !patch_set(edits, p->at, d->rank ^ bit)) return false;
    return p->other == p->at || (is_moved ? patch_set(edits, p->other, other->rank | bit)
                                          : patch_delete(edits, p->other, 1));
}

PASS(subset, "subset", CHEAP, ALL, position_next_nearby, NULL, clear_bit_edit,
     .nearby = {0, MEMBER_REACH, SET_BITS, is_subset, NULL})

/* ---- Exchange two bits in all subsets of a range: members are names. And with them the indices
 * into what has so many members, or none ---- */

enum { BIT_MAX = 16, BIT_WAYS = BIT_MAX * BIT_MAX * 2 };

static size_t high_bit(const position *p) { return p->way / 2 / BIT_MAX; }
static size_t low_bit(const position *p) { return p->way / 2 % BIT_MAX; }

static bool exchange_bits_fits(const testcase *t, const position *p) {
    return low_bit(p) < high_bit(p) && has_bit(&t->draws[p->at], high_bit(p));
}

static uint64_t bits_exchanged(uint64_t set, size_t a, size_t b) {
    const uint64_t differ = (set >> a ^ set >> b) & 1;
    return set ^ (differ << a | differ << b);
}

static bool exchange_bits_edit(const testcase *t, const position *p, patch *edits) {
    const draw *set = &t->draws[p->at];
    const size_t a = high_bit(p), b = low_bit(p);
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        uint64_t rank = d->rank;
        if (same_range(d, set)) rank = bits_exchanged(rank, a, b);
        if (p->way % 2 == 0 && d->kind == FRNG_INDEX && d->max < SET_BITS &&
            set->max >> d->max == 1)
            rank = rank == a ? b : rank == b ? a : rank;
        if (rank != d->rank && !patch_set(edits, i, rank)) return false;
    }
    return true;
}

PASS(exchange_bits, "exchange-bits", CHEAP, ALL, position_next_nearby, NULL, exchange_bits_edit,
     .nearby = {0, 0, BIT_WAYS, is_subset, exchange_bits_fits})

/* ---- Try each of the simplest values, and a larger number less multiples of 8: values that fail
 * need not be neighbours, as those with one place in a hash table. Or change a number, or all that
 * equal it, to the one of the other sign that is simpler by the least: where both signs fail,
 * either side can have the simplest number ---- */

enum { SIMPLEST_VALUES = 16 }; /* a way for each; then those below */
enum { LESS_MULTIPLES = SIMPLEST_VALUES, OPPOSITE_ONE, OPPOSITE_EQUAL, STRIDE_WAYS };
enum { STRIDE_ABOVE = 32, STRIDE = 8 };

static bool is_stride_at(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return !draw_is_real(d) && d->rank > draw_rank_least(d) + 1;
}

/* Return the rank of the number of the other sign that is simpler by the least; that of the draw
 * itself if there is none. */
static uint64_t opposite_rank(const draw *d) {
    const int64_t low = (int64_t)d->min, high = (int64_t)d->max, value = (int64_t)draw_value(d);
    uint64_t rank = d->rank;
    if (!draw_is_number(d) || low >= 0 || high <= 0) return rank;
    int64_t opposite = value > 0 ? 1 - value : (int64_t)(0 - (uint64_t)value);
    if (opposite < low) opposite = low;
    if (opposite > high) opposite = high;
    return draw_rank_of(d, (uint64_t)opposite, &rank) ? rank : d->rank;
}

static uint64_t stride_limit(const testcase *t, const position *p) {
    const draw *d = &t->draws[p->at];
    const uint64_t above = d->rank - draw_rank_least(d);
    if (p->way < SIMPLEST_VALUES) return p->way + 1 < above;
    if (p->way != LESS_MULTIPLES) return opposite_rank(d) < d->rank;
    return above > STRIDE_ABOVE ? draw_distance(d) / STRIDE : 0;
}

static bool stride_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    if (p->way < SIMPLEST_VALUES) return patch_set(edits, p->at, draw_rank_least(d) + p->way + 1);
    if (p->way == LESS_MULTIPLES)
        return patch_set(edits, p->at, draw_rank_nearer(d, p->by * STRIDE));
    for (size_t i = p->at; i < t->count; i++) {
        const bool is_meant =
            i == p->at || (p->way == OPPOSITE_EQUAL && same_value(d, &t->draws[i]));
        if (is_meant && !patch_set(edits, i, opposite_rank(d))) return false;
    }
    return true;
}

PASS(stride, "stride", LATE, MOST, position_next_nearby, stride_limit, stride_edit,
     .idle_share = 20, .idle_min = 14, .nearby = {0, 0, STRIDE_WAYS, is_stride_at, NULL})

/* ---- Exchange neighbours: this sorts lists, and moves empty ones to the front. Only an exchange
 * that makes the test case simpler is a candidate ---- */

enum { SWAP_ANY_MAX = 4, SWAP_FIRST_MAX = 16, SWAP_SECOND_MAX = 16 };

/* True if what follows two blocks, the second of them up to `end`, can follow them in the other
 * order: the next block, or nothing. */
static bool ends_block(const testcase *t, const position *p, size_t end) {
    return end == t->count || (end < t->count && same_place(&t->draws[p->at], &t->draws[end]));
}

/* True if the draws from `at` to `other` - 1 can be exchanged with way + 1 draws from `other` on:
 * if these are as many, they must be few or alike one by one, else both must be whole blocks. */
static bool swap_fits(const testcase *t, const position *p) {
    const size_t length = p->other - p->at, end = p->other + p->way + 1;
    if (end > t->count || !same_type(&t->draws[p->at], &t->draws[p->other])) return false;
    if (p->way + 1 != length)
        return (p->way + 1 < length || length <= SWAP_ANY_MAX) && ends_block(t, p, end);
    for (size_t i = 0; i < length && length > SWAP_ANY_MAX; i++) {
        if (!same_type(&t->draws[p->at + i], &t->draws[p->other + i])) return false;
    }
    return true;
}

/* True if the exchange makes the first draw that it changes simpler. */
static bool simplifies(const testcase *t, size_t first, size_t length, size_t second_length) {
    for (size_t i = 0; i < length + second_length; i++) {
        const size_t from = i < second_length ? first + length + i : first + i - second_length;
        const uint64_t now = testcase_order_at(t, from), before = testcase_order_at(t, first + i);
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

PASS(swap, "swap", COSTLY, ALL, position_next_nearby, NULL, swap_edit, .is_aligned = true,
     .nearby = {1, SWAP_FIRST_MAX, SWAP_SECOND_MAX, NULL, swap_fits})

/* ---- Change no value, but write each in its smallest encoding, which also drops the numbers that
 * a draw rejected: a target that takes no choices keeps the bytes of its seed where nothing else
 * changes ---- */

static bool canonical_edit(const testcase *t, const position *p, patch *edits) {
    return p->at == 0 && patch_set(edits, 0, t->draws[0].rank);
}

PASS(canonical, "canonical", COSTLY, ALL, position_next_nearby, NULL, canonical_edit,
     .nearby = {0, 0, 1, NULL, NULL})

/* ---- Lower a number, and change a later number by the mode ---- */

enum { PAIR_REACH = 256 };

enum {
    KEEP_SUM,       /* raise it by the same amount: their sum stays the same */
    KEEP_DIFFERENCE /* lower it by the same amount: their difference stays the same */
};

static bool is_movable(const draw *d) {
    return draw_is_number(d) || draw_is_real(d) || d->kind == FRNG_DATE;
}

static bool can_lower(const draw *d) { return d->rank > 0 && is_movable(d); }

static bool is_open_at(const testcase *t, size_t at) { return can_lower(&t->draws[at]); }

static bool is_partner(const position *p, const draw *d) {
    return p->pass->mode == KEEP_DIFFERENCE ? can_lower(d) : is_movable(d);
}

/* other: a number after `at`, with at most three others between them. */
static bool pair_fits(const testcase *t, const position *p) {
    enum { REACH = 4 };
    unsigned met = 0;
    for (size_t i = p->at + 1; i < p->other && met < REACH; i++) met += is_partner(p, &t->draws[i]);
    return met < REACH && is_partner(p, &t->draws[p->other]);
}

static uint64_t lower_both_limit(const testcase *t, const position *p) {
    return smaller(draw_distance(&t->draws[p->at]), draw_distance(&t->draws[p->other]));
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

/* Return a number, or the whole part of a double. */
static int64_t number_of(const draw *d) {
    if (!draw_is_real(d)) return (int64_t)draw_value(d);
    return is_small(draw_real(d)) ? (int64_t)draw_real(d) : 0;
}

/* Negate an amount, which may be the least. */
static int64_t negated(int64_t amount) { return (int64_t)(0 - (uint64_t)amount); }

static bool lower_both_edit(const testcase *t, const position *p, patch *edits) {
    return patch_set(edits, p->at, draw_rank_nearer(&t->draws[p->at], p->by)) &&
           patch_set(edits, p->other, draw_rank_nearer(&t->draws[p->other], p->by));
}

PASS(lower_difference, "lower-difference", COSTLY, PAIR, position_next_nearby, lower_both_limit,
     lower_both_edit, .idle_share = 20, .idle_min = 16,
     .nearby = {1, PAIR_REACH, 1, is_open_at, pair_fits}, .mode = KEEP_DIFFERENCE)

/* ---- Move a date to its day of an earlier year or month, the first one before all; or towards the
 * first date by periods after which days of a year return. And a date behind it in the same way, or
 * a number by as many days, or that the other way ---- */

enum { DATE_OF_MONTH = 1, DATE_OF_FIRST = 5, DATE_WAYS, DATE_REACH = 8 };
static const uint64_t periods[DATE_WAYS] = {12, 1, 146097, 1461, 365, 1}; /* months, or days */

static bool is_of_days(size_t way) { return way > DATE_OF_MONTH && way < DATE_OF_FIRST; }

static bool is_date(const testcase *t, size_t at) { return t->draws[at].kind == FRNG_DATE; }

/* Return the months from 0001-01-01 to a rank of a date, and the day of its month. */
static int months_to(const draw *d, uint64_t rank, int *day) {
    int year, month;
    frng__day(d->min + rank, &year, &month, day);
    return (year - 1) * 12 + month - 1;
}

static uint64_t periods_limit(const testcase *t, const position *p) {
    const draw *d = &t->draws[p->at];
    const size_t way = p->way % DATE_WAYS;
    int day, first_day;
    const int months = months_to(d, d->rank, &day) - months_to(d, 0, &first_day);
    const int most = way == DATE_OF_FIRST ? months + (first_day == 1) : months - (day < first_day);
    return (is_of_days(way) ? d->rank : (uint64_t)most) / periods[way];
}

/* Return the days from a date back by so many periods of a way. Of two dates the first may go to
 * the first day of the month behind. */
static uint64_t days_back(const draw *d, const position *p, bool is_first) {
    const size_t way = p->way % DATE_WAYS;
    const uint64_t by = p->by * periods[way];
    int day;
    if (is_of_days(way)) return by;
    const int months = months_to(d, d->rank, &day);
    if ((uint64_t)months < by) return UINT64_MAX;
    is_first = is_first && way == DATE_OF_FIRST;
    const int then = months - (int)by + is_first;
    if (is_first) day = 1;
    return (d->min + d->rank + FRNG__DAYS - frng_day(1 + then / 12, 1 + then % 12, day)) %
           FRNG__DAYS; /* 0 is in 2000 */
}

static bool date_fits(const testcase *t, const position *p) {
    return is_movable(&t->draws[p->other]);
}

static bool date_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at], *other = &t->draws[p->other];
    const bool goes_along = p->way < DATE_WAYS;
    const uint64_t back = days_back(d, p, true);
    const bool moves_both = goes_along && other->kind == FRNG_DATE;
    uint64_t by = moves_both ? days_back(other, p, false) : back;
    uint64_t rank;
    if (moves_both && other->min == d->min + d->rank) by -= back; /* it is drawn from d on */
    if (back > d->rank || !patch_set(edits, p->at, d->rank - back)) return false;
    return p->other == p->at || (rank_moved(other, (int64_t)(goes_along ? 0 - by : by), &rank) &&
                                 patch_set(edits, p->other, rank));
}

PASS(date, "date", CHEAP, VALUE, position_next_nearby, periods_limit, date_edit,
     .nearby = {0, 0, DATE_OF_FIRST, is_date, NULL})

PASS(date_pair, "date-pair", LATE, VALUE, position_next_nearby, periods_limit, date_edit,
     .nearby = {1, DATE_REACH, 2 * DATE_WAYS, is_date, date_fits})

/* ---- Lower a number, and change one or two numbers behind it by other amounts, or far from it
 * ---- */

enum {
    TRADE_REACH = 12,
    TRADE_FAR = 32,     /* of two amounts without many between them */
    TRADE_AMOUNTS = 10, /* the largest of two that differ */
    TRADE_UNEQUAL = 7,  /* the first way with two that differ */
    TRADE_PAIRS = TRADE_UNEQUAL + 2 * (TRADE_AMOUNTS - 1),
    TRADE_THIRDS = 4,
    TRADE_SIGNS = 3, /* the second is raised and the third lowered, the other way, or both raised */
    TRADE_WAYS = TRADE_PAIRS + TRADE_THIRDS * TRADE_SIGNS
};

/* True for a number that is most likely no selection of a few ways. */
static bool is_amount(const draw *d) { return is_movable(d) && draw_rank_max(d) >= 8; }

/* Return the index of the third number that a trade changes, or t->count if it has none. */
static size_t third_of(const testcase *t, const position *p) {
    size_t left = (p->way - TRADE_PAIRS) / TRADE_SIGNS, i = p->other + 1;
    for (; i < t->count && i <= p->at + TRADE_REACH; i++) {
        if (is_amount(&t->draws[i]) && left-- == 0) return i;
    }
    return t->count;
}

/* The ways of `trade`: by how much the first number is lowered and the second raised, for a `by` of
 * 1; or the second becomes the largest, or the same multiple of the first as before, or gets all
 * of the first but 1. */
enum { TRADE_LARGEST = 8, TRADE_RATIO, TRADE_MOVED };
static const struct {
    int8_t first, second;
} trade_ways[TRADE_UNEQUAL] = {{1, 1}, {1, -1},          {1, TRADE_LARGEST}, {1, -10},
                               {1, 2}, {1, TRADE_RATIO}, {1, TRADE_MOVED}};

static uint64_t first_amount(const position *p) {
    if (p->way >= TRADE_PAIRS) return 1;
    if (p->way < TRADE_UNEQUAL) return (uint64_t)trade_ways[p->way].first;
    return (p->way - TRADE_UNEQUAL) / 2 + 2;
}

/* True for two amounts with few others between them, whatever else is there. */
static bool are_amounts_near(const testcase *t, const position *p) {
    enum { BETWEEN_MAX = 6 };
    size_t between = 0;
    if (p->way > 1 || !is_amount(&t->draws[p->at]) || !is_amount(&t->draws[p->other])) return false;
    for (size_t i = p->at + 1; i < p->other; i++) between += is_amount(&t->draws[i]);
    return between <= BETWEEN_MAX;
}

static bool trade_fits(const testcase *t, const position *p) {
    const draw *a = &t->draws[p->at], *b = &t->draws[p->other];
    if (!is_movable(b) || (size_t)p->pass->mode > p->way) return false;
    if (p->other - p->at > TRADE_REACH && !are_amounts_near(t, p)) return false;
    if (p->way >= TRADE_PAIRS) return is_amount(a) && is_amount(b) && third_of(t, p) < t->count;
    return p->way < TRADE_UNEQUAL || same_range(a, b);
}

static uint64_t trade_limit(const testcase *t, const position *p) {
    const uint64_t distance = draw_distance(&t->draws[p->at]), first = first_amount(p);
    if (distance < first) return p->way < TRADE_UNEQUAL || first == 1;
    return distance / first;
}

/* Return how much the second number is lowered when the first is by `amount`, in proportion. */
static uint64_t second_amount(const draw *a, const draw *b, uint64_t amount, bool rounds_up) {
    const double part = (double)draw_distance(b) / (double)draw_distance(a);
    const double second = (double)amount * part;
    return second < 1e18 ? (uint64_t)second + rounds_up : UINT64_MAX;
}

/* Find the rank with which the second number stays the multiple of the first that it is. */
static bool rank_in_ratio(const draw *a, const draw *b, uint64_t by, uint64_t *rank) {
    const uint64_t value = draw_value(a), multiple = draw_value(b);
    if (draw_is_real(a) || draw_is_real(b) || (int64_t)value < 2) return false;
    return (int64_t)multiple > (int64_t)value && multiple % value == 0 &&
           draw_rank_of(b, multiple / value * (value - by), rank);
}

/* Find what the second number becomes when the first one is lowered by an amount. */
static bool trade_second(const position *p, const draw *a, const draw *b, uint64_t *rank) {
    if (p->way < TRADE_UNEQUAL) {
        const int times = trade_ways[p->way].second;
        if (times == TRADE_RATIO) return rank_in_ratio(a, b, p->by, rank);
        *rank = draw_rank_max(b);
        return times == TRADE_LARGEST ||
               rank_moved(b, (int64_t)((uint64_t)times * (uint64_t)lost(a, p->by)), rank);
    }
    const uint64_t first = first_amount(p);
    const uint64_t second = p->by * second_amount(a, b, first, p->way % 2 == TRADE_UNEQUAL % 2);
    if (second == p->by * first || second > draw_distance(b)) return false;
    *rank = draw_rank_nearer(b, second);
    return true;
}

static bool trade_pair(const testcase *t, const position *p, patch *edits) {
    const draw *a = &t->draws[p->at], *b = &t->draws[p->other];
    const uint64_t lowered = p->by * first_amount(p);
    uint64_t first, second = a->rank;
    const int times = p->way < TRADE_UNEQUAL ? trade_ways[p->way].second : 0;
    if (times == TRADE_MOVED) {
        const bool can_move = p->by == 1 && draw_is_real(a) && same_range(a, b);
        if (!can_move || !draw_rank_of_real(a, 1, &first)) return false;
    } else {
        if (lowered > draw_distance(a)) return false;
        first = draw_rank_nearer(a, lowered);
        if (!trade_second(p, a, b, &second)) return false;
    }
    return patch_set(edits, p->at, first) && patch_set(edits, p->other, second);
}

static bool trade_edit(const testcase *t, const position *p, patch *edits) {
    if (p->way < TRADE_PAIRS) return trade_pair(t, p, edits);
    const size_t third = third_of(t, p), signs = (p->way - TRADE_PAIRS) % TRADE_SIGNS + 1;
    const draw *a = &t->draws[p->at];
    const int64_t amount = lost(a, p->by);
    uint64_t first, second;
    return rank_moved(&t->draws[p->other], (signs & 1) != 0 ? amount : negated(amount), &first) &&
           rank_moved(&t->draws[third], (signs & 2) != 0 ? amount : negated(amount), &second) &&
           patch_set(edits, p->at, draw_rank_nearer(a, p->by)) &&
           patch_set(edits, p->other, first) && patch_set(edits, third, second);
}

PASS(keep_sum, "keep-sum", COSTLY, PAIR, position_next_nearby, distance_limit, trade_edit,
     .idle_share = 12, .idle_min = 32, .nearby = {1, PAIR_REACH, 1, is_open_at, pair_fits},
     .mode = KEEP_SUM)

PASS(trade, "trade", LATE, MOST, position_next_nearby, trade_limit, trade_edit,
     .nearby = {1, TRADE_FAR, TRADE_UNEQUAL, is_open_at, trade_fits})

/* The ways of other amounts and three numbers. mode: the first of them. */
PASS(trade_unequal, "trade-unequal", LATE, MOST, position_next_nearby, trade_limit, trade_edit,
     .idle_share = 6, .idle_min = 4, .nearby = {1, TRADE_REACH, TRADE_WAYS, is_open_at, trade_fits},
     .mode = TRADE_UNEQUAL)

/* ---- Go on as the numbers have moved since this pass had its last turn (testcase_mark): those
 * that depend on each other take turns, each lowered by as little as the others allow ---- */

static int64_t moved(const draw *d) {
    draw marked = *d;
    marked.rank = d->marked;
    return can_lower(d) ? (int64_t)((uint64_t)number_of(d) - (uint64_t)number_of(&marked)) : 0;
}

/* Return how much of its way to the simplest value a number has moved, by its length from here. */
static double part_moved(const draw *d) {
    const int64_t by = lost(d, 1) < 0 ? moved(d) : negated(moved(d));
    return by > 0 ? (double)by / (double)draw_distance(d) : 0;
}

/* True if a number will be the first to have its simplest value, and others move, too. */
static bool leads(const testcase *t, size_t at) {
    const double part = part_moved(&t->draws[at]);
    bool has_other = false;
    for (size_t i = 0; i < t->count && part > 0; i++) {
        const double other = part_moved(&t->draws[i]);
        if (other > part || (other == part && i < at)) return false;
        has_other |= i != at && moved(&t->draws[i]) != 0;
    }
    return has_other;
}

static bool go_on_edit(const testcase *t, const position *p, patch *edits) {
    const draw *leader = &t->draws[p->at];
    const double turns = (double)p->by / (part_moved(leader) * (double)draw_distance(leader));
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        const double by = (double)moved(d) * turns;
        uint64_t rank = draw_rank_nearer(leader, p->by);
        if (moved(d) == 0) continue;
        if (i != p->at && (by < -9e18 || by > 9e18 || !rank_moved(d, (int64_t)by, &rank)))
            return false;
        if (rank != d->rank && !patch_set(edits, i, rank)) return false;
    }
    return edits->count > 1;
}

PASS(go_on, "go-on", COSTLY, PAIR, position_next_nearby, distance_limit, go_on_edit,
     .nearby = {0, 0, 1, leads, NULL})

/* ---- Lower all numbers or letters of the same value together: names that refer to each other,
 * counts and the numbers that the target compares with them; of these only those of one meaning,
 * and of one bound. By any amount, or to a rounder one: few keys have the same place ---- */

static bool is_equal(const draw *a, const draw *b) {
    if (a->kind == FRNG_LETTER) return same_value(a, b);
    if (a->rank == 0 || b->rank == 0 || !draw_is_number(a) || !draw_is_number(b)) return false;
    return draw_value(a) == draw_value(b);
}

static bool is_equal_of_kind(const draw *a, const draw *b) {
    return is_equal(a, b) && is_of_kind(a, b);
}

static bool is_equal_of_bound(const draw *a, const draw *b) {
    return is_equal_of_kind(a, b) && a->max == b->max;
}

/* True if two numbers have the same meaning and sign. */
static bool is_on_side(const draw *a, const draw *b) {
    return is_of_kind(a, b) && ((int64_t)draw_value(a) < 0) == ((int64_t)draw_value(b) < 0);
}

static bool is_no_less(const draw *a, const draw *b) {
    return is_on_side(a, b) && draw_distance(b) >= draw_distance(a);
}

/* The numbers that are lowered with one, by ways. mode: the first way of a pass. */
enum { EQUAL_ROUNDER = 3, EQUAL_WAYS, NO_LESS = EQUAL_WAYS };
static draws_alike *const lowered_with[] = {is_equal, is_equal_of_kind, is_equal_of_bound, is_equal,
                                            is_no_less};

static draws_alike *goes_with(const position *p) {
    return lowered_with[(size_t)p->pass->mode + p->way];
}

/* Return the amounts that a way lowers by multiples of: 1, or the lowest bit of the number, or half
 * of one that has no other bit. */
static uint64_t lowered_unit(const testcase *t, const position *p) {
    const uint64_t distance = draw_distance(&t->draws[p->at]), low = distance & (0 - distance);
    if (p->way != EQUAL_ROUNDER || distance < 2) return 1;
    return low < distance ? low : distance / 2;
}

static bool is_number_above(const testcase *t, size_t at) {
    return t->draws[at].rank > 0 && draw_is_number(&t->draws[at]);
}

static bool is_name_above(const testcase *t, size_t at) {
    return is_number_above(t, at) || t->draws[at].kind == FRNG_LETTER;
}

static bool lower_all_edit(const testcase *t, const position *p, patch *edits) {
    draws_alike *alike = goes_with(p);
    const uint64_t by = p->by * lowered_unit(t, p);
    for (size_t i = 0; i < t->count && edits->count < PATCH_FEW; i++) {
        if (alike(&t->draws[p->at], &t->draws[i]))
            patch_set(edits, i, draw_rank_nearer(&t->draws[i], by));
    }
    return true;
}

/* Only the first of several equal numbers is lowered, and some other one must be equal. */
static uint64_t lower_equal_limit(const testcase *t, const position *p) {
    draws_alike *alike = goes_with(p);
    uint64_t least = UINT64_MAX;
    if (has_alike(t, p->at, 0, p->at, alike)) return 0;
    if (count_alike(t, p->at, 0, t->count, alike) < 2) return 0;
    for (size_t i = p->at; i < t->count; i++) {
        const uint64_t distance = draw_distance(&t->draws[i]);
        if (alike(&t->draws[p->at], &t->draws[i])) least = smaller(least, distance);
    }
    return least / lowered_unit(t, p);
}

PASS(lower_equal, "lower-equal", COSTLY, PAIR, position_next_nearby, lower_equal_limit,
     lower_all_edit, .needs_draws = true, .nearby = {0, 0, EQUAL_WAYS, is_name_above, NULL})

/* ---- Lower all numbers of a meaning that are at least as large as one of them: this closes the
 * gap below it, and keeps the order of all and what is equal ---- */

/* Return how far the number of a position is from the next smaller one, which it may come to equal,
 * or 0 if no other has its meaning, or an earlier one its value. */
static uint64_t gap_below(const testcase *t, const position *p) {
    const draw *d = &t->draws[p->at];
    const uint64_t distance = draw_distance(d);
    uint64_t below = 0;
    bool has_other = false;
    if (has_alike(t, p->at, 0, p->at, same_value)) return 0;
    for (size_t i = 0; i < t->count; i++) {
        const draw *other = &t->draws[i];
        if (!is_on_side(d, other)) continue;
        const uint64_t far = draw_distance(other);
        has_other |= far != distance;
        if (far < distance && far > below) below = far;
    }
    return has_other ? distance - below : 0;
}

PASS(close_gap, "close-gap", LATE, PAIR, position_next_nearby, gap_below, lower_all_edit,
     .nearby = {0, 0, 1, is_number_above, NULL}, .mode = NO_LESS)

/* ---- Raise all numbers of a meaning by as much as the least of them is below 0: where only what
 * they differ by matters, a number that is not negative can be shorter ---- */

static bool is_lower(const draw *a, const draw *b) {
    return same_range(a, b) && number_of(b) < number_of(a);
}

/* True if a number is negative, and none of its meaning is lower. */
static bool is_least_negative(const testcase *t, size_t at) {
    return is_open_at(t, at) && number_of(&t->draws[at]) < 0 &&
           !has_alike(t, at, 0, t->count, is_lower);
}

static bool shift_edit(const testcase *t, const position *p, patch *edits) {
    const int64_t amount = negated(number_of(&t->draws[p->at]));
    uint64_t rank;
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        if (!same_range(&t->draws[p->at], d)) continue;
        if (!rank_moved(d, amount, &rank) || !patch_set(edits, i, rank)) return false;
    }
    return true;
}

PASS(shift, "shift", LATE, ALL, position_next_nearby, NULL, shift_edit,
     .nearby = {0, 0, 1, is_least_negative, NULL})
