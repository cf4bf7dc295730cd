#include "testcase.h"

#include "frng.h"
#include "wide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t top_of(unsigned width) { return UINT64_MAX >> (64 - 8 * width); }

/* ---- Ranks of signed values: 0, 1, -1, 2, -2, ... within the bounds ---- */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t magnitude(uint64_t value) { return (int64_t)value < 0 ? 0 - value : value; }

/* Return the rank of a signed value. A range around 0 has `below` negative values and `above`
 * positive ones. */
static uint64_t rank_of_signed(const draw *d, uint64_t value) {
    const int64_t min = (int64_t)d->min, max = (int64_t)d->max;
    if (min > 0) return value - d->min;
    if (max < 0) return d->max - value;
    if (value == 0) return 0;
    const uint64_t below = magnitude(d->min), above = d->max, m = magnitude(value);
    const bool negative = (int64_t)value < 0;
    const uint64_t simpler = 1 + smaller(m - 1, above) + smaller(m - 1, below);
    return simpler + (negative && m <= above ? 1 : 0);
}

static uint64_t signed_of_rank(const draw *d, uint64_t rank) {
    const int64_t min = (int64_t)d->min, max = (int64_t)d->max;
    if (min > 0) return d->min + rank;
    if (max < 0) return d->max - rank;
    const uint64_t below = magnitude(d->min), above = d->max;
    const uint64_t both = smaller(below, above);
    if (rank == 0) return 0;
    if ((rank - 1) / 2 < both) {
        const uint64_t m = (rank + 1) / 2;
        return rank % 2 == 1 ? m : 0 - m;
    }
    return above > below ? rank - both : 0 - (rank - both);
}

/* ---- Values and ranks of any draw ---- */

bool draw_is_number(const draw *d) {
    return d->kind == FRNG_UINT || d->kind == FRNG_INT || d->kind == FRNG_INDEX ||
           d->kind == FRNG_WEIGHTED || d->kind == FRNG_BYTES;
}

bool draw_is_choice(const draw *d) { return d->kind == FRNG_BOOL || d->kind == FRNG_CHANCE; }

/* True if a chance has two possible results. */
static bool is_open(const draw *d) { return d->min > 0 && d->min < d->max; }

uint64_t draw_rank_max(const draw *d) {
    switch ((frng_kind)d->kind) {
    case FRNG_BOOL: return 1;
    case FRNG_CHANCE: return is_open(d) ? 1 : 0;
    case FRNG_BYTES: return UINT8_MAX;
    case FRNG_F64: return UINT64_MAX;
    case FRNG_UINT:
    case FRNG_INT:
    case FRNG_INDEX:
    case FRNG_WEIGHTED: return d->max - d->min;
    }
    abort();
}

uint64_t draw_value(const draw *d) {
    if (d->kind == FRNG_INT) return signed_of_rank(d, d->rank);
    return d->kind == FRNG_UINT ? d->min + d->rank : d->rank;
}

bool draw_rank_of(const draw *d, uint64_t value, uint64_t *rank) {
    if (d->kind == FRNG_INT) {
        if ((int64_t)value < (int64_t)d->min || (int64_t)value > (int64_t)d->max) return false;
        *rank = rank_of_signed(d, value);
        return true;
    }
    const uint64_t min = d->kind == FRNG_UINT ? d->min : 0;
    if (value < min || value - min > draw_rank_max(d)) return false;
    *rank = value - min;
    return true;
}

static bool has_both_signs(const draw *d) {
    return d->kind == FRNG_INT && (int64_t)d->min < 0 && (int64_t)d->max > 0;
}

uint64_t draw_distance(const draw *d) {
    return has_both_signs(d) ? magnitude(draw_value(d)) : d->rank;
}

uint64_t draw_rank_nearer(const draw *d, uint64_t by) {
    uint64_t rank = 0;
    assert(by <= draw_distance(d));
    if (!has_both_signs(d)) return d->rank - by;
    const uint64_t value = draw_value(d);
    const bool possible = draw_rank_of(d, (int64_t)value < 0 ? value + by : value - by, &rank);
    assert(possible);
    return rank;
}

/* Return the number in 0..max-min (or 0..denominator-1) that a rank represents. */
static uint64_t offset_of_rank(const draw *d, uint64_t rank) {
    if (d->kind == FRNG_CHANCE) return rank == 0 && d->min < d->max ? d->min : 0;
    return d->kind == FRNG_INT ? signed_of_rank(d, rank) - d->min : rank;
}

/* Return the smallest x of `width` bytes (w bits) for which floor(x * n / 2^w) is `offset` and the
 * remainder is at least 2^w mod n, so that the draw does not reject it. */
static uint64_t invert(unsigned width, uint64_t n, uint64_t offset) {
    const unsigned bits = 8 * width;
    const uint64_t high = bits < 64 ? offset >> (64 - bits) : offset; /* of offset * 2^w */
    const uint64_t low = bits < 64 ? offset << bits : 0;
    const uint64_t threshold = bits < 64 ? (UINT64_C(1) << bits) % n : (0 - n) % n;
    uint64_t rest;
    const uint64_t whole = wide_divide(high, low, n, &rest);
    if (rest > n - threshold) return whole + 2; /* rest + threshold > n, which may overflow */
    return whole + (rest + threshold > 0 ? 1 : 0);
}

static uint64_t encoding(const draw *d, uint64_t rank) {
    const uint64_t top = top_of(d->width);
    switch ((frng_kind)d->kind) {
    case FRNG_BOOL:
    case FRNG_BYTES:
    case FRNG_F64: return rank;
    case FRNG_CHANCE: return invert(d->width, d->max, offset_of_rank(d, rank));
    case FRNG_UINT:
    case FRNG_INT:
    case FRNG_INDEX:
    case FRNG_WEIGHTED: break;
    }
    const uint64_t offset = offset_of_rank(d, rank);
    if (d->max - d->min == top) return (d->min + offset) & top; /* the value itself */
    return invert(d->width, d->max - d->min + 1, offset);
}

void draw_encode(const draw *d, uint64_t rank, uint8_t *bytes) {
    if (d->kind == FRNG_BYTES) { /* a fast path: there can be many */
        bytes[0] = (uint8_t)rank;
        return;
    }
    const uint64_t x = encoding(d, rank);
    for (unsigned i = 0; i < d->width; i++) bytes[i] = (uint8_t)(x >> (8 * i));
}

/* ---- From the trace of a run ---- */

/* True if a record is valid for a draw at byte `at` of `size` bytes. */
static bool makes_sense(const frng_trace_record *r, uint64_t at, uint64_t size) {
    if (r->start != at || r->taken > size - at) return false;
    const uint64_t min = r->u.draw.min, max = r->u.draw.max, value = r->u.draw.value;
    if (r->kind == FRNG_BYTES) return r->taken == max;
    if (r->width < 1 || r->width > 8 || r->taken < r->width) return false;
    switch ((frng_kind)r->kind) {
    case FRNG_BOOL: return r->width == 1 && value <= 1;
    case FRNG_F64: return r->width == 8;
    case FRNG_CHANCE: return r->width == 4 && value <= 1 && max >= 1 && max <= UINT32_MAX;
    case FRNG_INT: {
        const uint64_t shift = 64 - 8u * r->width;
        const int64_t low = INT64_MIN >> shift, high = INT64_MAX >> shift;
        return (int64_t)min <= (int64_t)value && (int64_t)value <= (int64_t)max &&
               (int64_t)min >= low && (int64_t)max <= high;
    }
    case FRNG_INDEX:
    case FRNG_WEIGHTED:
        if (min != 0) return false;
        __attribute__((fallthrough));
    case FRNG_UINT: return min <= value && value <= max && max <= top_of(r->width);
    case FRNG_BYTES: break;
    }
    return false; /* a kind of a later version */
}

static uint64_t rank_of_record(const frng_trace_record *r, const draw *d) {
    uint64_t rank = 0;
    if (r->kind == FRNG_CHANCE) return is_open(d) ? r->u.draw.value : 0;
    if (r->kind == FRNG_BOOL || r->kind == FRNG_F64) return r->u.draw.value;
    const bool possible = draw_rank_of(d, r->u.draw.value, &rank);
    assert(possible);
    return rank;
}

/* Append a draw for each byte of from .. to - 1. */
static void add_bytes(testcase *t, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        t->draws[t->count++] = (draw){FRNG_BYTES, 1, 0, UINT8_MAX, t->bytes[i], false};
    }
}

/* Append the draws of a valid record. */
static void add_record(testcase *t, const frng_trace_record *r, size_t at, bool begins_step) {
    draw *d = &t->draws[t->count];
    if (r->kind == FRNG_BYTES) {
        add_bytes(t, at, at + r->taken);
    } else {
        *d = (draw){r->kind, r->width, r->u.draw.min, r->u.draw.max, 0, false};
        d->rank = rank_of_record(r, d);
        t->count++;
    }
    if (!begins_step || d == &t->draws[t->count]) return;
    d->begins_step = true;
    t->step_count++;
}

static void add_records(testcase *t, const frng_trace_record *records, size_t record_count) {
    size_t at = 0;
    bool begins_step = false;
    for (size_t i = 0; i < record_count; i++) {
        const frng_trace_record *r = &records[i];
        begins_step |= r->kind == FRNG_TRACE_STEP;
        if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP) continue;
        if (!makes_sense(r, at, t->size)) break;
        add_record(t, r, at, begins_step);
        begins_step &= r->taken == 0; /* of no bytes: the step begins with the next draw */
        t->has_trace = true;
        at += r->taken;
    }
    add_bytes(t, at, t->size);
}

static bool allocate(testcase *t, size_t size, size_t count) {
    t->bytes = malloc(size + 1);
    t->draws = calloc(count + 1, sizeof *t->draws);
    if (t->bytes != NULL && t->draws != NULL) return true;
    testcase_finish(t);
    return false;
}

bool testcase_init(testcase *t, const uint8_t *bytes, size_t size, uint64_t drawn,
                   const frng_trace_record *records, size_t record_count) {
    *t = (testcase){.size = drawn < size ? (size_t)drawn : size};
    if (!allocate(t, t->size, t->size)) return false; /* each draw takes at least one byte */
    if (t->size > 0) memcpy(t->bytes, bytes, t->size);
    add_records(t, records, record_count);
    size_t needed = 0;
    for (size_t i = 0; i < t->count; i++) needed += t->draws[i].width;
    t->has_slack_bytes = needed < t->size;
    return true;
}

bool testcase_copy(testcase *t, const testcase *from) {
    *t = *from;
    if (!allocate(t, from->size, from->count)) return false;
    memcpy(t->bytes, from->bytes, from->size);
    memcpy(t->draws, from->draws, from->count * sizeof *t->draws);
    return true;
}

void testcase_finish(testcase *t) {
    free(t->bytes);
    free(t->draws);
    *t = (testcase){0};
}

int testcase_compare(const testcase *a, const testcase *b) {
    const size_t count = a->count < b->count ? a->count : b->count;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = a->draws[i].rank, y = b->draws[i].rank;
        if (x != y) return x < y ? -1 : 1;
    }
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    return memcmp(a->bytes, b->bytes, a->size);
}
