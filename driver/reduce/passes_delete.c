/* passes_delete.c: passes that delete draws, and those that change a few draws at once.
 *
 * Most delete a chunk and adjust a draw elsewhere. Then come those that take whole steps
 * (frng_step), and those that take rounds: what begins at the first draw that comes again, at the
 * same place. Passes for what no smaller step finds go last, and are for what is small. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

#include <assert.h>

static bool draw_begins_step(const testcase *t, size_t at) { return t->draws[at].begins_step; }

/* Return the draw that begins the step `steps` steps after draw `at`, or t->count. */
static size_t draw_of_step_after(const testcase *t, size_t at, uint64_t steps) {
    while (steps > 0 && ++at < t->count) steps -= draw_begins_step(t, at);
    return at;
}

/* ---- Chunks: draws whose deletion moves a draw that is alike into the place of their first: items
 * of a list, rounds of a loop ---- */

/* Count the consecutive chunks from draw `at` on. Each has `step` draws like the one at `at`;
 * distant chunks are not counted. Without a trace each byte is a chunk, even the last one. With a
 * trace the last draw of a kind begins no chunk: without all draws from there on, the target would
 * only run out of entropy. */
static uint64_t chunk_count(const testcase *t, size_t at, size_t step) {
    enum { LOOK_MAX = 1024 };
    uint64_t alike = 0;
    assert(at < t->count && step > 0);
    if (t->trace == TRACE_NONE) return (t->count - at) / step;
    for (size_t i = at + 1; i < t->count && alike < LOOK_MAX; i++) {
        alike += same_type(&t->draws[at], &t->draws[i]);
    }
    return alike / step;
}

/* Return the index of the draw after `count` chunks; count is 1..chunk_count. */
static size_t chunk_end(const testcase *t, size_t at, size_t step, uint64_t count) {
    uint64_t left = count * step;
    size_t i = at;
    if (t->trace == TRACE_NONE) return at + (size_t)left;
    while (left > 0) {
        i++;
        assert(i < t->count);
        left -= same_type(&t->draws[at], &t->draws[i]);
    }
    return i;
}

/* True if there is a chunk at a position: way + 1 draws like its first, and what follows each.
 * Where the target has steps, chunks of several parts stay within one: steps go as a whole. */
static bool is_chunk(const testcase *t, const position *p) {
    if (t->draws[p->at].goes_on || chunk_count(t, p->at, p->way + 1) == 0) return false;
    if (p->way == 0 || t->step_count == 0) return true;
    return draw_of_step_after(t, p->at, 1) >= chunk_end(t, p->at, p->way + 1, 1);
}

static bool delete_to(patch *edits, size_t first, size_t end) {
    return end > first && patch_delete(edits, first, end - first);
}

/* ---- Delete chunks: items of lists, rounds of loops ---- */

static uint64_t delete_limit(const testcase *t, const position *p) {
    return chunk_count(t, p->at, p->way + 1);
}

static bool delete_edit(const testcase *t, const position *p, patch *edits) {
    return delete_to(edits, p->at, chunk_end(t, p->at, p->way + 1, p->by));
}

PASS(delete, "delete", CHEAP, MOST, position_next_nearby, delete_limit, delete_edit,
     .is_aligned = true, .saves_bytes = true, .nearby = {0, 0, 4, NULL, is_chunk})

/* ---- Keep the last rounds only, of those that begin at the first draw of a meaning: a loop may
 * fail without all that it did before ---- */

static bool is_first_of_meaning(const testcase *t, size_t at) {
    enum { FIRST_MAX = 16 };
    return at < FIRST_MAX && !has_alike(t, at, 0, at, same_range);
}

/* Return the first of the last 2^way draws of the meaning of the one at `at`, or `at`. */
static size_t first_kept(const testcase *t, const position *p) {
    size_t left = (size_t)1 << p->way, i = t->count;
    while (i > p->at && left > 0) left -= same_range(&t->draws[p->at], &t->draws[--i]);
    return i;
}

static bool last_rounds_edit(const testcase *t, const position *p, patch *edits) {
    enum { DELETED_MIN = 32 };
    const size_t end = first_kept(t, p);
    return !t->draws[p->at].goes_on && end >= p->at + DELETED_MIN && delete_to(edits, p->at, end);
}

PASS(last_rounds, "last-rounds", CHEAP, ALL, position_next_nearby, NULL, last_rounds_edit,
     .saves_bytes = true, .nearby = {0, 0, 16, is_first_of_meaning, NULL})

/* ---- Let the entropy run out before the last draws: a test that goes on after a check has failed
 * may need none of them ---- */

static bool run_out_edit(const testcase *t, const position *p, patch *edits) {
    edits->runs_out = true;
    return p->at == 0 && patch_delete(edits, t->count - p->by, p->by);
}

PASS(run_out, "run-out", LATE, MOST, position_next_nearby, position_rest, run_out_edit,
     .saves_bytes = true, .nearby = {0, 0, 1, NULL, NULL})

/* ---- Delete chunks, and lower by one the numbers elsewhere that are like a draw of the chunk:
 * indices into a list move when an earlier item goes, and so do lengths ---- */

static bool delete_and_lower_edit(const testcase *t, const position *p, patch *edits) {
    enum { REACH = 1024 };
    const size_t end = chunk_end(t, p->at, p->way + 1, p->by);
    const size_t first = p->at > REACH ? p->at - REACH : 0;
    const size_t last = t->count - end > REACH ? end + REACH : t->count;
    if (!delete_to(edits, p->at, end)) return false;
    for (size_t i = first; i < last && edits->count < PATCH_FEW; i++) {
        const draw *d = &t->draws[i];
        if ((i >= p->at && i < end) || d->rank == 0 || !draw_is_number(d)) continue;
        if (has_alike(t, i, p->at, end, same_type)) patch_set(edits, i, draw_rank_nearer(d, 1));
    }
    return edits->count > 1;
}

PASS(delete_and_lower, "delete-and-lower", COSTLY, ALL, position_next_nearby, NULL,
     delete_and_lower_edit, .idle_share = 24, .idle_min = 16, .is_aligned = true,
     .nearby = {0, 0, 1, NULL, is_chunk})

/* ---- Delete a round, and lower by one the indices and the bits of subsets that name later rounds:
 * those of as many things as there are rounds before them of its place, or as begin with its
 * choice. Before all rounds there may be a thing that draws none. A number that counts the things
 * of a place is lowered, and an order of them loses one ---- */

enum { OF_CHOICE, OF_PLACE, BEHIND_FIRST, PLACE_WAYS };

static bool begins_place(const testcase *t, size_t at) {
    return !t->draws[at].goes_on && round_end(t, at) < t->count;
}

static bool begins_thing(const testcase *t, size_t at) {
    return begins_place(t, at) || t->draws[at].kind == FRNG_SUBSET;
}

/* Return the rank of a draw that selects of so many things, once one of them is gone: in a mask the
 * bits above its place move. */
static uint64_t rank_without(const draw *d, uint64_t count, uint64_t place) {
    if (d->kind == FRNG_SUBSET && d->max > 0 && bits(d->max) == count)
        return (d->rank & ((UINT64_C(1) << place) - 1)) | d->rank >> place >> 1 << place;
    return d->rank - (d->kind == FRNG_INDEX && d->max + 1 == count && d->rank > place);
}

/* Return the last number before one that counts the draws of its place up to the next number like
 * it, and so many more things, or t->count. */
static size_t count_before(const testcase *t, size_t at, uint64_t more) {
    enum { REACH = 256 };
    for (size_t i = at; i-- > 0 && i + REACH >= at;) {
        const draw *d = &t->draws[i];
        if (!draw_is_number(d) || draw_distance(d) == 0 || draw_value(d) > t->count) continue;
        const size_t end = round_end(t, i);
        if (end > at && draw_value(d) == more + count_alike(t, at, i + 1, end, same_place))
            return i;
    }
    return t->count;
}

static bool add_to(const testcase *t, size_t at, uint64_t amount, patch *edits) {
    uint64_t rank;
    const draw *d = &t->draws[at];
    return draw_rank_of(d, draw_value(d) + amount, &rank) && patch_set(edits, at, rank);
}

/* Delete an item of the first order of so many from a draw on, if there is one. */
static bool delete_of_order(const testcase *t, size_t at, size_t count, size_t item, patch *edits) {
    drawn_order o;
    size_t kept = 0;
    while (at < t->count && !(order_read(t, at, &o) && o.first == at && o.count == count)) at++;
    if (at == t->count || o.draws + 1 < count) return true; /* some may have been left out */
    for (size_t i = 0; i < count; i++) {
        if (o.items[i] != item) o.items[kept++] = (uint8_t)(o.items[i] - (o.items[i] > item));
    }
    o.first++; /* whose bound is that of fewer */
    o.draws--;
    o.count--;
    return order_write(t, &o, edits) && patch_delete(edits, at, 1);
}

/* Return the end of a round: of the last one, as many draws as the one before it has. */
static size_t thing_end(const testcase *t, size_t at) {
    const size_t end = round_end(t, at);
    size_t before = at;
    if (end < t->count || at == 0) return end;
    while (before > 0 && !same_place(&t->draws[--before], &t->draws[at])) continue;
    return smaller(t->count,
                   same_place(&t->draws[before], &t->draws[at]) ? 2 * at - before : at + 1);
}

static bool delete_thing(const testcase *t, size_t at, size_t end, uint64_t place, patch *edits) {
    size_t number = count_before(t, at, 0);
    if (number == t->count) number = count_before(t, at, 1);
    if (number == t->count) return true;
    const uint64_t things = draw_value(&t->draws[number]);
    return add_to(t, number, UINT64_MAX, edits) &&
           (place >= things || delete_of_order(t, end, (size_t)things, (size_t)place, edits));
}

static bool delete_place_edit(const testcase *t, const position *p, patch *edits) {
    const draw *begin = &t->draws[p->at];
    const size_t end = thing_end(t, p->at);
    draws_alike *alike = p->way == OF_CHOICE ? same_choice : same_place;
    uint64_t count = count_alike(t, p->at, 0, p->at, alike);
    const uint64_t place = count + (p->way == BEHIND_FIRST);
    bool counts = false; /* the round before */
    if (!delete_to(edits, p->at, end)) return false;
    for (size_t i = p->at; i < t->count; i++) {
        const draw *d = &t->draws[i];
        if (same_place(begin, d)) {
            count += counts || p->way != OF_CHOICE;
            counts = same_choice(begin, d);
        }
        const uint64_t rank = i < end ? d->rank : rank_without(d, count, place);
        if (rank != d->rank && !patch_set(edits, i, rank)) return false;
    }
    if (p->way != OF_CHOICE && !delete_thing(t, p->at, end, place, edits)) return false;
    return edits->count > 1;
}

PASS(delete_place, "delete-place", LATE, ALL, position_next_nearby, NULL, delete_place_edit,
     .needs_draws = true, .nearby = {0, 0, PLACE_WAYS, begins_thing, NULL})

/* ---- Delete two rounds: of what makes a thing and takes it away again neither goes alone ---- */

static bool delete_two_edit(const testcase *t, const position *p, patch *edits) {
    return same_place(&t->draws[p->at], &t->draws[p->other]) &&
           delete_to(edits, p->at, round_end(t, p->at)) &&
           delete_to(edits, p->other, thing_end(t, p->other));
}

PASS(delete_two, "delete-two", LATE, ALL, position_next_nearby, NULL, delete_two_edit,
     .idle_share = 20, .idle_min = 8, .saves_bytes = true, .nearby = {1, 64, 1, begins_place, NULL})

static bool is_length(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return d->rank > draw_rank_least(d) && !draw_is_choice(d) && !draw_is_real(d);
}

/* ---- Lower by one all numbers of a meaning that are equal, and delete a draw behind each: lists
 * whose lengths must be equal lose an item each. Or change all rows of two draws that are equal so
 * that only the first is left, or one next to it: a name of several letters stays a name. A row of
 * two letters may be the only one ---- */

enum { EQUAL_LENGTHS, ROW_KEPT, ROW_RAISED, ROW_WAYS };

static bool is_equal_to_first(const testcase *t, const position *p, size_t i) {
    const size_t behind = i + (p->other - p->at);
    const bool is_same = same_value(&t->draws[p->at], &t->draws[i]);
    if (!is_same || p->way == EQUAL_LENGTHS) return is_same;
    return behind < t->count && same_value(&t->draws[p->other], &t->draws[behind]);
}

/* True if draw `at` can begin a row: it is a letter or a number, and not all of it is simplest. */
static bool begins_row(const testcase *t, const position *p) {
    const draw *d = &t->draws[p->at];
    if (p->way == EQUAL_LENGTHS || d->kind != FRNG_LETTER) return draw_is_number(d) && d->rank > 0;
    return d->rank > 0 || t->draws[p->other].rank > 0;
}

/* True if the row is of two letters, of which the second makes a text another one. */
static bool is_of_letters(const testcase *t, const position *p) {
    const draw *first = &t->draws[p->at], *second = &t->draws[p->other];
    return p->way == ROW_RAISED && p->other == p->at + 1 && first->kind == FRNG_LETTER &&
           second->kind == FRNG_LETTER && second->rank > 0;
}

static bool equal_lengths_fits(const testcase *t, const position *p) {
    size_t equal = 0;
    if (!begins_row(t, p)) return false;
    for (size_t i = 0; i < t->count; i++) {
        if (is_equal_to_first(t, p, i) && (i < p->at || ++equal > PATCH_FEW / 2)) return false;
    }
    return equal > 1 || is_of_letters(t, p);
}

static bool equal_lengths_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    const size_t behind = p->other - p->at;
    const uint64_t rank =
        p->way == EQUAL_LENGTHS ? draw_rank_nearer(d, p->by) : d->rank + (p->way == ROW_RAISED);
    for (size_t i = p->at; i < t->count; i++) {
        if (!is_equal_to_first(t, p, i)) continue;
        if (i + behind >= t->count || !patch_delete(edits, i + behind, 1)) return false;
        if (rank != d->rank && !patch_set(edits, i, rank)) return false;
    }
    return true;
}

PASS(equal_lengths, "equal-lengths", LATE, ALL, position_next_nearby, NULL, equal_lengths_edit,
     .nearby = {1, 8, ROW_WAYS, NULL, equal_lengths_fits})

/* ---- Delete chunks that a number at `at` counts, and lower the number: data after a length
 * shrinks in no other way. Or an item of several draws of one kind but other bounds. Or a letter
 * before the number, which is a place in a text ---- */

enum { ITEM_AS_ROUND = 2, ITEM_WAYS };

/* other: the first item; behind `at`, or a letter before it. */
static bool lower_and_delete_fits(const testcase *t, const position *p) {
    const bool is_letter = t->draws[p->other].kind == FRNG_LETTER;
    return p->other > p->at || (p->way == 0 && is_letter && draw_is_number(&t->draws[p->at]));
}

static uint64_t lower_and_delete_limit(const testcase *t, const position *p) {
    const uint64_t distance = draw_distance(&t->draws[p->at]);
    if (t->draws[p->other].goes_on) return 0;
    if (p->way != ITEM_AS_ROUND) return smaller(chunk_count(t, p->other, p->way + 1), distance);
    /* An item that has more of its kind than the other ways delete. */
    const size_t end = round_end(t, p->other);
    return end < t->count && count_alike(t, p->other, p->other, end, same_type) > ITEM_AS_ROUND;
}

static bool lower_and_delete_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = p->way == ITEM_AS_ROUND ? round_end(t, p->other)
                                               : chunk_end(t, p->other, p->way + 1, p->by);
    return patch_set(edits, p->at, draw_rank_nearer(&t->draws[p->at], p->by)) &&
           delete_to(edits, p->other, end);
}

PASS(lower_and_delete, "lower-and-delete", CHEAP, MOST, position_next_nearby,
     lower_and_delete_limit, lower_and_delete_edit, .idle_share = 12, .idle_min = 24,
     .is_aligned = true, .nearby = {-8, 8, ITEM_WAYS, is_length, lower_and_delete_fits})

/* ---- Delete whole steps (frng_step), whatever they draw. The draws that chose a step, such as a
 * coin and an index, come before its mark ---- */

enum { LEADS = 4 };

/* way: the number of draws that chose each step, which differs from target to target. */
static uint64_t steps_limit(const testcase *t, const position *p) {
    enum { LOOK_MAX = 1024 };
    uint64_t steps = 0;
    if (p->way > p->at) return 0;
    for (size_t i = p->at + 1; i < t->count && steps < LOOK_MAX; i++)
        steps += draw_begins_step(t, i);
    return steps;
}

static bool steps_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = draw_of_step_after(t, p->at, p->by);
    return end > p->at && patch_delete(edits, p->at - p->way, end - p->at);
}

PASS(steps, "steps", CHEAP, MOST, position_next_nearby, steps_limit, steps_edit,
     .nearby = {0, 0, LEADS, draw_begins_step, NULL})

enum { NEAR = 16 };

static bool is_quantity(const testcase *t, size_t at) {
    enum { QUANTITY_MIN = 8 };
    const draw *d = &t->draws[at];
    return draw_is_number(d) && draw_rank_max(d) >= QUANTITY_MIN;
}

/* ---- Rounds: what begins at the first draw whose meaning returns, again and again, up to near the
 * end: a list before them may have rounds of its own ---- */

static size_t first_round(const testcase *t) {
    const size_t last = t->count > NEAR ? t->count - NEAR : 0;
    size_t first = t->count;
    for (size_t i = 0; i < t->count && i < NEAR; i++) {
        if (!has_alike(t, i, i + 1, smaller(i + 1 + NEAR, t->count), same_place)) continue;
        if (first == t->count) first = i;
        if (has_alike(t, i, larger(last, i + 1), t->count, same_place)) return i;
    }
    return first;
}

/* ---- Delete the first or the last half, quarter, eighth of the rounds but the last one, which may
 * tell what the others did ---- */

enum { HALF_MIN = 32 };

static bool begins_like(const draw *first, const draw *d) {
    return same_place(first, d) && !d->goes_on;
}

/* Return the first draw from `at` on that begins a round like the one at `first`. */
static size_t round_from(const testcase *t, size_t first, size_t at) {
    while (at < t->count && !begins_like(&t->draws[first], &t->draws[at])) at++;
    return at;
}

/* After a success, the half of what is left goes first. */
static bool half_rounds_next(const testcase *t, position *p) {
    position_leave(p, &p->way);
    if (p->count != t->count) p->way = 0;
    p->count = t->count;
    return t->count >> (p->way / 2 + 1) >= HALF_MIN;
}

static bool half_rounds_edit(const testcase *t, const position *p, patch *edits) {
    const size_t part = t->count >> (p->way / 2 + 1), first = first_round(t);
    size_t last = t->count;
    if (first == t->count || t->draws[first].goes_on) return false;
    while (!begins_like(&t->draws[first], &t->draws[--last])) continue;
    const size_t at = p->way % 2 == 0 ? first : round_from(t, first, t->count - part);
    if (p->way % 2 == 0) last = round_from(t, first, smaller(first + part, last));
    return delete_to(edits, at, last);
}

PASS(half_rounds, "half-rounds", CHEAP, ALL, half_rounds_next, NULL, half_rounds_edit,
     .saves_bytes = true)

/* ---- Delete a round, and add a number of it to one of its place in another round. A number before
 * that counts the rounds is lowered ---- */

/* A sum beyond the bounds becomes the largest value. */
static bool merge_edit(const testcase *t, const position *p, patch *edits) {
    const draw *to = &t->draws[p->other];
    const size_t end = round_end(t, p->at);
    uint64_t rank = draw_rank_max(to);
    size_t from = p->at;
    while (from < end && !same_place(&t->draws[from], to)) from++;
    if (from == end || (p->other >= p->at && p->other < end) || !draw_is_number(to)) return false;
    draw_rank_of(to, draw_value(to) + draw_value(&t->draws[from]), &rank);
    if (rank <= to->rank || !delete_to(edits, p->at, end)) return false;
    const size_t count = count_before(t, p->at, 0);
    return patch_set(edits, p->other, rank) &&
           (count == t->count || add_to(t, count, UINT64_MAX, edits));
}

PASS(merge, "merge", LATE, ALL, position_next_nearby, NULL, merge_edit, .idle_share = 12,
     .idle_min = 4, .nearby = {-NEAR, NEAR, 1, begins_place, NULL})

/* ---- Delete the only index of a counted list, and raise a quantity before it by one: what waited
 * for what the index names goes on as late ---- */

static bool counts_one_index(const testcase *t, size_t at) {
    return is_length(t, at) && t->draws[at].rank == draw_rank_least(&t->draws[at]) + 1 &&
           at + 1 < t->count && t->draws[at + 1].kind == FRNG_INDEX;
}

static bool delete_and_raise_edit(const testcase *t, const position *p, patch *edits) {
    return is_quantity(t, p->other) && patch_set(edits, p->at, t->draws[p->at].rank - 1) &&
           patch_delete(edits, p->at + 1, 1) && add_to(t, p->other, 1, edits);
}

PASS(delete_and_raise, "delete-and-raise", LATE, ALL, position_next_nearby, NULL,
     delete_and_raise_edit, .idle_share = 24, .idle_min = 2,
     .nearby = {-2, -1, 1, counts_one_index, NULL})

/* ---- Make another choice among a few, and delete what it led to: all up to the next draw of its
 * place, for which a quantity near it may have to be the largest; or one to three draws ---- */

enum { SWITCH_BEFORE = 4, SWITCH_BEHIND = 6, SWITCH_VALUES = 8, SWITCH_DELETES = 3 };

/* True if a draw most likely selects one of a few ways to go on. A number with more values is a
 * quantity, and a coin may only say whether a list goes on: these select nothing. */
static bool is_selector(const testcase *t, size_t at) {
    enum { SELECTED_MAX = 15 };
    const draw *d = &t->draws[at];
    const uint64_t most = draw_rank_max(d);
    return most > 0 && ((draw_is_number(d) && most <= SELECTED_MAX) ||
                        (draw_is_choice(d) && d->kind != FRNG_MORE));
}

static bool is_open_quantity(const testcase *t, size_t at) {
    return is_quantity(t, at) && draw_distance(&t->draws[at]) > 0;
}

static size_t count_open(const testcase *t, size_t from, size_t to) {
    size_t count = 0;
    for (size_t i = from; i < to; i++) count += is_open_quantity(t, i);
    return count;
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
    const size_t few = p->way % SWITCH_DELETES + draw_is_choice(d), round = round_end(t, p->at);
    const size_t end = few == 0 || round == p->at + 1 ? round : p->at + 1 + few;
    if (rank > draw_rank_max(d) || rank == d->rank || end == p->at + 1) return false;
    if (few > 0 && (end >= round || p->other != p->at)) return false;
    return (p->other == p->at || raise_near(t, p, end, edits)) && patch_set(edits, p->at, rank) &&
           patch_delete(edits, p->at + 1, end - p->at - 1);
}

PASS(switch, "switch", LATE, ALL, position_next_nearby, NULL, switch_edit, .idle_share = 12,
     .idle_min = 32,
     .nearby = {-SWITCH_BEFORE, SWITCH_BEHIND, (SWITCH_DELETES * SWITCH_VALUES), is_selector, NULL})
