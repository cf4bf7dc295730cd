/* Passes that move what others name: names, rounds and their places, elements of an order.
 *
 * Draws can name others: by an equal number or letter, or by the place of a round. Where two names
 * or two rounds are exchanged, what names them changes, too, so that the test still means the same;
 * only the order becomes simpler. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

/* ---- Exchange two names everywhere, and then sort what repeats. Names are those of one bound, and
 * then those of any ---- */

enum { NAMES_DRAWS_MAX = 256, UNIT_MAX = 4, NAME_WAYS = 2 * (1 + UNIT_MAX) };

static bool is_named_like(const position *p, const draw *a, const draw *b) {
    return is_of_kind(a, b) && (p->way % 2 > 0 || a->max == b->max);
}

static bool is_same_name(const draw *a, const draw *b) {
    return same_value(a, b) && a->max == b->max;
}

static bool is_first_name(const testcase *t, size_t at) {
    return t->count <= NAMES_DRAWS_MAX && is_of_kind(&t->draws[at], &t->draws[at]) &&
           !has_alike(t, at, 0, at, is_same_name);
}

/* Return the end of the draws from `at` on that repeat after `unit` draws. */
static size_t repeats_until(const testcase *t, size_t at, size_t unit) {
    size_t i = at;
    while (i + unit < t->count && same_range(&t->draws[i], &t->draws[i + unit])) i++;
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

/* Sort the units of each row of them. */
static void sort_rows(const testcase *t, size_t unit, uint64_t *ranks) {
    for (size_t i = 0, end; i < t->count && unit > 0; i = end > i ? end : i + 1) {
        end = repeats_until(t, i, unit);
        sort_units(ranks + i, (end - i) / unit, unit);
    }
}

/* Return the rank of a draw after names a and b were exchanged, where it can have both. */
static uint64_t renamed(const position *p, const draw *d, const draw *a, const draw *b) {
    const uint64_t max = draw_rank_max(d);
    if (!is_named_like(p, a, d) || a->rank > max || b->rank > max) return d->rank;
    return d->rank == a->rank ? b->rank : d->rank == b->rank ? a->rank : d->rank;
}

static bool exchange_names_edit(const testcase *t, const position *p, patch *edits) {
    uint64_t ranks[NAMES_DRAWS_MAX];
    const draw *a = &t->draws[p->at], *b = &t->draws[p->other];
    if (!is_named_like(p, a, b) || !is_first_name(t, p->other)) return false;
    for (size_t i = 0; i < t->count; i++) ranks[i] = renamed(p, &t->draws[i], a, b);
    sort_rows(t, p->way / 2, ranks);
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        if (ranks[i] == d->rank) continue;
        if (ranks[i] > draw_rank_max(d) || !patch_set(edits, i, ranks[i])) return false;
    }
    return edits->count > 0;
}

PASS(exchange_names, "exchange-names", LATE, ALL, position_next_nearby, NULL, exchange_names_edit,
     .idle_share = 4, .idle_min = 100,
     .nearby = {1, NAMES_DRAWS_MAX, NAME_WAYS, is_first_name, NULL})

/* ---- Exchange two rounds, and the names of their places in all draws behind: in indices, or in
 * all numbers of a few. Rounds that begin with the same choice have places, or all of a place of
 * the test. Two that nothing names are for `swap`, unless there are others between them ---- */

enum { PLACES_REACH = 32, PLACES_MAX = 16, PLACES_BACK = 4, PLACES_WAYS };

static bool is_of_few(const draw *d) {
    return (draw_is_number(d) || draw_is_choice(d)) && draw_rank_max(d) < PLACES_MAX;
}

static bool begins_value(const testcase *t, size_t at) { return !t->draws[at].goes_on; }

/* odd ways: numbers may name places; the last one: indices count them back from the newest. */
static draws_alike *has_place(const position *p) {
    return p->way < 2 || p->way == PLACES_BACK ? same_choice : same_place;
}

static bool swap_places_fits(const testcase *t, const position *p) {
    return has_place(p)(&t->draws[p->at], &t->draws[p->other]);
}

/* True for a number that may name one of two places. */
static bool names_place(const position *p, const draw *d, uint64_t last) {
    if (last > draw_rank_max(d)) return false;
    return d->kind == FRNG_INDEX || (p->way % 2 > 0 && is_of_few(d));
}

static bool swap_places_edit(const testcase *t, const position *p, patch *edits) {
    const draw *first = &t->draws[p->at];
    const draw_row a = {p->at, round_end(t, p->at)};
    const draw_row b = {p->other, smaller(round_end(t, p->other), p->other + a.end - a.start)};
    uint64_t from = count_alike(t, a.start, 0, a.start, has_place(p));
    uint64_t to = count_alike(t, a.start, 0, b.start, has_place(p));
    if (!patch_copy(edits, a, b) || !patch_copy(edits, b, a)) return false;
    for (size_t i = b.end; i < t->count; i++) {
        const draw *d = &t->draws[i];
        if (p->way == PLACES_BACK) {
            from = count_alike(t, a.start, a.end, i, has_place(p));
            to = count_alike(t, a.start, b.end, i, has_place(p));
        }
        if (!names_place(p, d, larger(from, to)) || same_place(d, first)) continue;
        const uint64_t rank = d->rank == from ? to : d->rank == to ? from : d->rank;
        if (rank != d->rank && !patch_set(edits, i, rank)) return false;
    }
    return edits->count > 2 || a.end < b.start;
}

PASS(swap_places, "swap-places", LATE, ALL, position_next_nearby, NULL, swap_places_edit,
     .nearby = {1, PLACES_REACH, PLACES_WAYS, begins_value, swap_places_fits})

/* ---- Exchange two elements of an order. Or move one before others, or behind ---- */

enum { ORDER_WAYS = 3 };
enum { ORDER_EXCHANGE, ORDER_BEFORE };

/* other: the draw before that of the second element: the last one of a whole order has no draw. */
static bool order_fits(const testcase *t, const position *p) {
    drawn_order o;
    return order_read(t, p->at, &o) && p->other + 1 < o.first + o.draws + (o.draws + 1 == o.count);
}

static void move_element(uint8_t *items, size_t from, size_t to) {
    const uint8_t moved = items[from];
    for (; from < to; from++) items[from] = items[from + 1];
    for (; from > to; from--) items[from] = items[from - 1];
    items[to] = moved;
}

static bool order_edit(const testcase *t, const position *p, patch *edits) {
    drawn_order o;
    if (!order_read(t, p->at, &o)) return false;
    const size_t a = p->at - o.first, b = p->other + 1 - o.first;
    move_element(o.items, p->way == ORDER_BEFORE ? b : a, p->way == ORDER_BEFORE ? a : b);
    if (p->way == ORDER_EXCHANGE) move_element(o.items, b - 1, a);
    return order_write(t, &o, edits) && edits->count > 0;
}

PASS(order, "order", LATE, ALL, position_next_nearby, NULL, order_edit,
     .nearby = {0, ORDER_MAX, ORDER_WAYS, begins_value, order_fits})

/* ---- Make a round the same as another one, which begins with a simpler choice of a few ---- */

static bool copy_round_fits(const testcase *t, const position *p) {
    const draw *to = &t->draws[p->at], *from = &t->draws[p->other];
    return is_of_few(to) && same_place(to, from) && from->rank < to->rank;
}

static bool copy_round_edit(const testcase *t, const position *p, patch *edits) {
    const draw_row to = {p->at, round_end(t, p->at)}, from = {p->other, round_end(t, p->other)};
    return to.end - to.start > 1 && from.end - from.start > 1 &&
           (to.end < t->count || from.end < t->count) && patch_copy(edits, to, from);
}

PASS(copy_round, "copy-round", LATE, ALL, position_next_nearby, NULL, copy_round_edit,
     .idle_share = 24, .idle_min = 4,
     .nearby = {-PLACES_REACH, PLACES_REACH, 1, begins_value, copy_round_fits})
