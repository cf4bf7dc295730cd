/* passes.c: the passes in the order in which they are tried, and what they share.
 *
 * There is a list for draws, one for bytes and one for texts. Behind them stand the iterators over
 * the sites of a pass, ways in which draws are alike, and orders of things, which several draws
 * make. */
#include "pass.h"
#include "patch.h"

#include <string.h>

const pass *const pass_list[] = {
    &pass_half_rounds, &pass_zero_alike, &pass_last_rounds, &pass_steps, &pass_delete, &pass_zero,
    &pass_real, &pass_date, &pass_subset, &pass_exchange_bits, &pass_minimise,
    &pass_lower_and_delete,
    /* Costly passes wait until the passes above are stuck. */
    &pass_go_on, &pass_delete_and_lower, &pass_lower_equal, &pass_swap, &pass_lower_difference,
    &pass_keep_sum, &pass_canonical,
    /* Late passes wait until all passes above are stuck. */
    &pass_run_out, &pass_delete_place, &pass_delete_two, &pass_merge, &pass_close_gap, &pass_shift,
    &pass_stride, &pass_equal_lengths, &pass_exchange_names, &pass_swap_places, &pass_order,
    &pass_copy_round, &pass_switch, &pass_trade, &pass_trade_unequal, &pass_delete_and_raise,
    &pass_hoist_child, &pass_date_pair, NULL};

const pass *const pass_list_of_bytes[] = {
    &pass_zero_alike, &pass_members, &pass_contents, &pass_numbered, &pass_records,
    &pass_chunk_halves, &pass_chunks, &pass_places, &pass_bodies, &pass_blocks, &pass_bytes,
    &pass_body_strides, &pass_zero, &pass_minimise, &pass_lower_and_delete,
    /* Costly passes. */
    &pass_delete, &pass_delete_and_lower, &pass_lower_equal, &pass_swap, &pass_lower_difference,
    &pass_keep_sum, NULL};

const pass *const pass_list_of_text[] = {
    &pass_members, &pass_contents, &pass_halves, &pass_export, &pass_declare, &pass_unused,
    &pass_undefine, &pass_units, &pass_columns, &pass_levels, &pass_frames, &pass_hoist,
    &pass_unwrap, &pass_all_units, &pass_blanks, &pass_brackets, &pass_large_blocks, &pass_terms,
    &pass_bytes,
    /* Costly passes. */
    &pass_clauses, &pass_inline, &pass_folds, &pass_words, &pass_token_runs, &pass_token_pairs,
    &pass_byte_runs, NULL};

/* Count the control characters that end fields: of messages, as those of FIX, and ASCII's own. */
static size_t count_separators(const testcase *t) {
    size_t count = 0;
    for (size_t i = 0; i < t->size; i++)
        count += t->bytes[i] == 1 || (t->bytes[i] >= 0x1c && t->bytes[i] <= 0x1f);
    return count;
}

/* A text may have a few bytes of another encoding, and a file of messages separators. A few bytes
 * that a target reads can look like one by chance. Of a file no value changes first. */
const pass *const *passes_for(const testcase *t, bool is_file) {
    enum { ERRORS_SHARE = 16, SEPARATORS_SHARE = 8, ENTROPY_MIN = 64 };
    const size_t separators = is_file && t->width == 1 ? count_separators(t) : 0;
    const size_t few = separators <= t->size / SEPARATORS_SHARE ? separators : 0;
    const bool is_text =
        t->width > 1 || text_errors(t->bytes, t->size) - few <= t->size / ERRORS_SHARE;
    if (t->trace != TRACE_NONE) return pass_list;
    if (is_text && (is_file || t->size >= ENTROPY_MIN)) return pass_list_of_text;
    return pass_list_of_bytes + is_file;
}

/* ---- Iterators ---- */

static void move_to(position *p, size_t at, size_t other) {
    p->at = at;
    p->other = other;
    p->way = 0;
}

/* Move to the next way at `other` that fits. False when none is left. */
static bool find_way(const testcase *t, position *p) {
    const vicinity *v = &p->pass->nearby;
    for (; p->way < v->ways; p->way++) {
        if (v->fits == NULL || v->fits(t, p)) return true;
    }
    return false;
}

bool position_next_nearby(const testcase *t, position *p) {
    const vicinity *v = &p->pass->nearby;
    for (position_leave(p, &p->way); p->at < t->count; move_to(p, p->at + 1, 0)) {
        if (v->is_anchor != NULL && !v->is_anchor(t, p->at)) continue;
        const int64_t first = (int64_t)p->at + v->first, last = (int64_t)p->at + v->last;
        if ((int64_t)p->other < first) move_to(p, p->at, (size_t)first);
        for (; p->other < t->count && (int64_t)p->other <= last; move_to(p, p->at, p->other + 1)) {
            if (find_way(t, p)) return true;
        }
    }
    return false;
}

bool position_next_of_way(const testcase *t, position *p) {
    const vicinity *v = &p->pass->nearby;
    for (position_leave(p, &p->at); p->way < v->ways; p->way++, p->at = 0) {
        for (; p->at < t->count; p->at++) {
            if (v->fits == NULL || v->fits(t, p)) return true;
        }
    }
    return false;
}

bool position_next_row(const testcase *t, position *p, size_t units, size_t most, size_t vain) {
    row_search *r = &p->rows;
    const bool has_gone = p->count != t->count;
    if (!p->is_visited) {
        r->size = most;
    } else {
        p->misses = has_gone ? 0 : p->misses + 1;
        p->at += row_search_go_on(r, has_gone);
    }
    p->is_visited = true;
    p->other = units;
    p->count = t->count;
    if (p->at >= p->other || p->misses > vain) return false;
    r->size = smaller(smaller(r->size, most), p->other - p->at);
    return true;
}

uint64_t position_rest(const testcase *t, const position *p) { return t->count - p->at; }

bool has_alike(const testcase *t, size_t at, size_t from, size_t to, draws_alike *alike) {
    size_t i = from;
    while (i < to && !alike(&t->draws[at], &t->draws[i])) i++;
    return i < to;
}

size_t count_alike(const testcase *t, size_t at, size_t from, size_t to, draws_alike *alike) {
    size_t count = 0;
    for (size_t i = from; i < to; i++) count += alike(&t->draws[at], &t->draws[i]);
    return count;
}

bool same_place(const draw *a, const draw *b) {
    if (a->site > 0 && b->site > 0) return a->site == b->site && same_type(a, b);
    return same_range(a, b) && a->max == b->max;
}

bool is_of_kind(const draw *a, const draw *b) {
    return (draw_is_number(a) || a->kind == FRNG_LETTER) && same_range(a, b);
}

bool same_choice(const draw *a, const draw *b) { return same_place(a, b) && a->rank == b->rank; }

size_t round_end(const testcase *t, size_t at) {
    enum { LOOK_MAX = 1024 };
    const size_t last = t->count - at < LOOK_MAX ? t->count : at + LOOK_MAX;
    size_t end = at + 1;
    while (end < last && !same_place(&t->draws[at], &t->draws[end])) end++;
    return end < last ? end : t->count;
}

/* ---- Orders ---- */

static bool follows_in_order(const testcase *t, size_t at) {
    const draw *a = &t->draws[at - 1], *b = &t->draws[at];
    return a->kind == FRNG_INDEX && same_type(a, b) && a->site == b->site && a->max == b->max + 1;
}

/* Move the item at a distance to the first place. */
static void put_first(uint8_t *items, uint64_t distance, bool swaps) {
    const uint8_t taken = items[distance];
    if (swaps)
        items[distance] = items[0];
    else
        memmove(items + 1, items, distance);
    items[0] = taken;
}

bool order_read(const testcase *t, size_t at, drawn_order *o) {
    size_t first = at, end = at + 1;
    while (first > 0 && follows_in_order(t, first)) first--;
    while (end < t->count && follows_in_order(t, end)) end++;
    if (end - first == 1 || t->draws[first].max >= ORDER_MAX) return false;
    *o = (drawn_order){.first = first,
                       .draws = end - first,
                       .count = (size_t)t->draws[first].max + 1,
                       .swaps = t->draws[at].width == sizeof(uint64_t)}; /* frng_shuffle */
    for (size_t i = 0; i < ORDER_MAX; i++) o->items[i] = (uint8_t)i;
    for (size_t i = first; i < end; i++)
        put_first(o->items + (i - first), t->draws[i].rank, o->swaps);
    return true;
}

bool order_write(const testcase *t, const drawn_order *o, patch *edits) {
    uint8_t left[ORDER_MAX];
    for (size_t i = 0; i < ORDER_MAX; i++) left[i] = (uint8_t)i;
    for (size_t i = 0; i < o->draws; i++) {
        const uint8_t *place = memchr(left + i, o->items[i], ORDER_MAX - i);
        const size_t distance = (size_t)(place - (left + i));
        put_first(left + i, distance, o->swaps);
        if (distance != t->draws[o->first + i].rank && !patch_set(edits, o->first + i, distance))
            return false;
    }
    return true;
}
