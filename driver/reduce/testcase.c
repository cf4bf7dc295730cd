/* testcase.c: the draws of a test case: ranks, values and encodings, and the order of test cases.
 *
 * What a draw can be follows from its kind and bounds, as the target reported them. The rank of a
 * value counts the values that are simpler: for numbers those nearer to 0 or to the least, for
 * doubles first all whole numbers, for letters the end of the string. Encodings are those of
 * frng_encode.h, the exact inverse of the draws, so that a test case of other ranks is bytes again.
 *
 * Records are untrusted: each is drawn again from the bytes of the run (record_check.h), and if one
 * is wrong, none is used: each byte is a draw. */
#include "testcase.h"

#include "bytes.h"
#include "record_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers up to 2^53 have the ranks up to this one. */
#define REAL_WHOLE_MAX (UINT64_C(1) << 54)

static const uint64_t SIGN = UINT64_C(1) << 63, INFINITE = UINT64_C(2047) << 52;
static const uint64_t WHOLE = UINT64_C(1) << 53; /* the largest whole number with its own rank */
static const uint64_t MINUS_ZERO = REAL_WHOLE_MAX + 1, OTHERS = REAL_WHOLE_MAX + 2;

static double real_of_bits(uint64_t bits) { return frng__double_of(bits); }

/* ---- Doubles by rank: 0, 1, -1, 2, ... for whole numbers, then all others by magnitude. Without
 * its sign, a double is a number of 63 bits, in the order of values ---- */

/* Return the count of whole numbers 0..2^53 below a double without its sign. */
static uint64_t wholes_below(uint64_t magnitude) {
    const double value = real_of_bits(magnitude);
    if (magnitude > INFINITE || value > (double)WHOLE) return WHOLE + 1;
    const uint64_t floor = (uint64_t)value;
    return floor + ((double)floor < value ? 1 : 0);
}

/* Return the rank of the double with these bits, among all doubles; and back. */
static uint64_t real_rank(uint64_t bits) {
    const double value = real_of_bits(bits);
    const uint64_t magnitude = bits & ~SIGN;
    if (bits == SIGN) return MINUS_ZERO;
    if (frng__is_whole(value)) return frng__whole_rank(value);
    return OTHERS + 2 * (magnitude - wholes_below(magnitude)) + (bits >> 63);
}

static uint64_t real_bits(uint64_t rank) {
    if (rank <= REAL_WHOLE_MAX) {
        return frng__bits_of((double)(int64_t)frng__zigzag(0 - WHOLE, WHOLE, rank));
    }
    if (rank == MINUS_ZERO) return SIGN;
    const uint64_t index = (rank - OTHERS) / 2; /* of the magnitude among those not whole */
    uint64_t low = index, high = index + WHOLE + 1;
    while (low < high) { /* the largest magnitude with no more others below it */
        const uint64_t middle = high - (high - low) / 2;
        if (middle - wholes_below(middle) <= index) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low | (rank - OTHERS) % 2 << 63;
}

/* ---- Doubles of a range ---- */

/* The doubles that frng_f64_range draws, which are multiples of `unit` or a bound. */
typedef struct real_range {
    double min, max, unit;
    int64_t low, high; /* in units */
    /* Whole numbers have the ranks below whole_count, if units are smaller; others follow. */
    int64_t whole_low, whole_high;
    uint64_t whole_count;
} real_range;

static real_range range_of(const draw *d) {
    real_range r = {.min = real_of_bits(d->min), .max = real_of_bits(d->max)};
    assert((d->min & ~SIGN) < INFINITE && (d->max & ~SIGN) < INFINITE && r.min <= r.max);
    const int exponent = frng__grid(r.min, r.max, &r.low, &r.high);
    r.unit = frng__power(exponent);
    if (exponent >= 0) return r; /* all are whole */
    r.whole_low = frng__units(r.min, 0, true);
    r.whole_high = frng__units(r.max, 0, false);
    if (r.whole_low <= r.whole_high)
        r.whole_count = (uint64_t)r.whole_high - (uint64_t)r.whole_low + 1;
    return r;
}

static uint64_t rank_between(int64_t low, int64_t high, int64_t value) {
    return frng__unzigzag((uint64_t)low, (uint64_t)high, (uint64_t)value);
}

static int64_t value_between(int64_t low, int64_t high, uint64_t rank) {
    return (int64_t)frng__zigzag((uint64_t)low, (uint64_t)high, rank);
}

/* Find a double in units; a bound may lie between two. */
static bool find_unit(const real_range *r, double value, int64_t *unit) {
    const double units = value / r->unit;
    if (!(value >= r->min && value <= r->max)) return false;
    *unit = value <= r->min ? r->low : value >= r->max ? r->high : (int64_t)units;
    return value <= r->min || value >= r->max || (double)*unit == units;
}

/* Find the rank of a double. False if the range has no such double. */
static bool real_range_rank(const real_range *r, double value, uint64_t *rank) {
    int64_t unit;
    if (!find_unit(r, value, &unit)) return false;
    if (r->whole_count > 0 && frng__is_whole(value)) {
        *rank = rank_between(r->whole_low, r->whole_high, (int64_t)value);
    } else {
        *rank = r->whole_count + rank_between(r->low, r->high, unit);
    }
    return true;
}

/* ---- Kinds ---- */

static bool is_signed(const draw *d) { return d->kind == FRNG_INT || d->kind == FRNG_MIXED_INT; }

static bool is_unsigned(const draw *d) {
    return d->kind == FRNG_UINT || d->kind == FRNG_MIXED_UINT || d->kind == FRNG_DATE;
}

bool draw_is_number(const draw *d) {
    return is_signed(d) || (is_unsigned(d) && d->kind != FRNG_DATE) || d->kind == FRNG_INDEX ||
           d->kind == FRNG_WEIGHTED || d->kind == FRNG_BYTES;
}

bool same_range(const draw *a, const draw *b) {
    if (!same_type(a, b) || a->min != b->min) return false;
    return a->max == b->max || a->kind == FRNG_INDEX || a->kind == FRNG_WEIGHTED;
}

bool draw_is_choice(const draw *d) {
    return d->kind == FRNG_BOOL || d->kind == FRNG_CHANCE || d->kind == FRNG_MORE;
}

/* True if a chance has two possible results. */
static bool is_open(const draw *d) { return d->min > 0 && d->min < d->max; }

/* ---- Ranks ---- */

/* Return the least pick (frng__next) of a list or a string that its draw can have: 0 ends it. */
static uint64_t pick_min(const draw *d) { return frng__pick_min(d->min); }

uint64_t draw_rank_max(const draw *d) {
    real_range r;
    switch (d->kind) {
    case FRNG_BOOL: return 1;
    case FRNG_CHANCE: return is_open(d) ? 1 : 0;
    case FRNG_BYTES: return d->width > 1 ? d->max : UINT8_MAX;
    case FRNG_F64:
    case FRNG_REAL: return UINT64_MAX;
    case FRNG_MORE:
    case FRNG_LETTER: return frng__pick_max(d->min, d->max) - pick_min(d);
    case FRNG_REAL_RANGE:
        r = range_of(d);
        return r.whole_count + ((uint64_t)r.high - (uint64_t)r.low);
    default: return d->max - d->min;
    }
}

uint64_t draw_rank_least(const draw *d) {
    return d->kind == FRNG_LETTER && d->rank > 0 && pick_min(d) == 0 ? 1 : 0;
}

uint64_t draw_value(const draw *d) {
    if (is_signed(d)) return frng__zigzag(d->min, d->max, d->rank);
    return is_unsigned(d) ? d->min + d->rank : d->rank;
}

bool draw_rank_of(const draw *d, uint64_t value, uint64_t *rank) {
    if (is_signed(d)) {
        if ((int64_t)value < (int64_t)d->min || (int64_t)value > (int64_t)d->max) return false;
        *rank = frng__unzigzag(d->min, d->max, value);
        return true;
    }
    const uint64_t min = is_unsigned(d) ? d->min : 0;
    if (value < min || value - min > draw_rank_max(d)) return false;
    *rank = value - min;
    return true;
}

static bool has_both_signs(const draw *d) {
    return is_signed(d) && (int64_t)d->min < 0 && (int64_t)d->max > 0;
}

bool draw_is_real(const draw *d) { return d->kind == FRNG_REAL || d->kind == FRNG_REAL_RANGE; }

double draw_real(const draw *d) {
    if (d->kind == FRNG_REAL) return real_of_bits(real_bits(d->rank));
    const real_range r = range_of(d);
    if (d->rank < r.whole_count) return (double)value_between(r.whole_low, r.whole_high, d->rank);
    const double value = (double)value_between(r.low, r.high, d->rank - r.whole_count) * r.unit;
    return value < r.min ? r.min : value > r.max ? r.max : value;
}

bool draw_rank_of_real(const draw *d, double value, uint64_t *rank) {
    if (d->kind == FRNG_REAL_RANGE) {
        const real_range r = range_of(d);
        return real_range_rank(&r, value, rank);
    }
    *rank = real_rank(frng__bits_of(value));
    return true;
}

/* ---- Distances ---- */

/* A double, as passes lower it. */
typedef struct real_value {
    double value, size; /* `size` is without the sign */
    uint64_t whole;     /* the whole part of what is no whole number, without its sign, or 0 */
    uint64_t wholes;    /* count of ranks of whole numbers */
    bool has_zero;      /* 0 is among those */
} real_value;

static real_value real_of(const draw *d) {
    real_value v = {.value = draw_real(d), .wholes = REAL_WHOLE_MAX, .has_zero = true};
    v.size = v.value < 0 ? -v.value : v.value;
    if (v.size < (double)WHOLE && v.size != (double)(uint64_t)v.size) v.whole = (uint64_t)v.size;
    if (d->kind == FRNG_REAL) return v;
    const real_range r = range_of(d);
    v.wholes = r.whole_count;
    v.has_zero = r.whole_count > 0 && r.whole_low <= 0 && r.whole_high >= 0;
    return v;
}

static uint64_t real_distance(const draw *d) {
    const real_value v = real_of(d);
    if (v.whole > 0) return v.whole;
    if (d->rank > v.wholes) return d->rank - v.wholes;
    return v.has_zero ? (uint64_t)v.size : d->rank;
}

/* It keeps its sign. */
static uint64_t real_nearer(const draw *d, uint64_t by) {
    const real_value v = real_of(d);
    const double nearer = v.value < 0 ? v.value + (double)by : v.value - (double)by;
    uint64_t rank;
    if (v.whole == 0 && (d->rank > v.wholes || !v.has_zero)) return d->rank - by;
    return draw_rank_of_real(d, nearer, &rank) ? rank : d->rank;
}

uint64_t draw_distance(const draw *d) {
    if (has_both_signs(d)) return (int64_t)draw_value(d) < 0 ? 0 - draw_value(d) : draw_value(d);
    return draw_is_real(d) ? real_distance(d) : d->rank - draw_rank_least(d);
}

uint64_t draw_rank_nearer(const draw *d, uint64_t by) {
    uint64_t rank = 0;
    assert(by <= draw_distance(d));
    if (draw_is_real(d)) return real_nearer(d, by);
    if (!has_both_signs(d)) return d->rank - by;
    const uint64_t value = draw_value(d);
    const bool possible = draw_rank_of(d, (int64_t)value < 0 ? value + by : value - by, &rank);
    assert(possible);
    return rank;
}

/* ---- Axes ---- */

/* Return a number that grows with the double of these bits; NaNs are at both ends. */
static uint64_t key_of_bits(uint64_t bits) { return (bits & SIGN) != 0 ? ~bits : bits | SIGN; }
static uint64_t bits_of_key(uint64_t key) { return (key & SIGN) != 0 ? key & ~SIGN : ~key; }

static value_order order_of(const draw *d) {
    switch (d->kind) {
    case FRNG_INT:
    case FRNG_MIXED_INT: return ORDER_SIGNED;
    case FRNG_DATE: return ORDER_DATES;
    case FRNG_REAL: return ORDER_REALS;
    case FRNG_UINT:
    case FRNG_MIXED_UINT:
    case FRNG_INDEX:
    case FRNG_BYTES: return ORDER_UNSIGNED;
    default: return ORDER_NONE;
    }
}

axis draw_axis(const draw *d) {
    const uint64_t last = draw_rank_max(d);
    axis a = {.order = order_of(d), .last = last, .at = d->rank, .is_ordered = true};
    if (d->kind == FRNG_SUBSET) a.is_ordered = false;
    if (a.order == ORDER_UNSIGNED || a.order == ORDER_DATES) a.first = draw_value(d) - d->rank;
    if (is_signed(d)) {
        a.first = d->min ^ SIGN;
        a.last = d->max - d->min;
        a.at = draw_value(d) - d->min;
    } else if (d->kind == FRNG_F64) {
        a.last = last >> 11;
        a.at = d->rank >> 11;
    } else if (d->kind == FRNG_REAL) {
        a.last = UINT64_MAX;
        a.at = key_of_bits(real_bits(d->rank));
    } else if (d->kind == FRNG_REAL_RANGE) { /* all multiples of a unit */
        const real_range r = range_of(d);
        const double value = draw_real(d);
        a.last = (uint64_t)r.high - (uint64_t)r.low;
        a.at = (uint64_t)(int64_t)(value / r.unit) - (uint64_t)r.low;
        if (value <= r.min) a.at = 0;
        if (value >= r.max) a.at = a.last;
    }
    return a;
}

uint64_t draw_rank_at(const draw *d, const axis *a, uint64_t at) {
    uint64_t rank = d->rank;
    bool exists = true;
    if (at == a->at) return rank;
    if (is_signed(d)) {
        exists = draw_rank_of(d, d->min + at, &rank);
    } else if (d->kind == FRNG_REAL_RANGE) {
        const real_range r = range_of(d);
        const double value = (double)(int64_t)((uint64_t)r.low + at) * r.unit;
        exists = draw_rank_of_real(d, value < r.min ? r.min : value > r.max ? r.max : value, &rank);
    } else {
        rank = d->kind == FRNG_F64    ? at << 11
               : d->kind == FRNG_REAL ? real_rank(bits_of_key(at))
                                      : at;
    }
    return exists ? rank : d->rank;
}

/* ---- Encodings ---- */

uint64_t draw_number(const draw *d, uint64_t rank) {
    draw same = *d;
    switch (d->kind) {
    case FRNG_MORE:
    case FRNG_LETTER: return rank + pick_min(d);
    case FRNG_REAL: return real_bits(rank);
    case FRNG_REAL_RANGE: same.rank = rank; return frng__bits_of(draw_real(&same));
    default: return rank;
    }
}

unsigned draw_encode(const draw *d, uint64_t rank, uint8_t *bytes) {
    if (d->kind == FRNG_BYTES) { /* a fast path: there can be many */
        bytes[0] = (uint8_t)rank;
        return 1;
    }
    const frng_request r = {(frng_kind)d->kind, d->width, d->min, d->max, NULL};
    return (unsigned)frng_encode(&r, draw_number(d, rank), bytes);
}

unsigned draw_size(const draw *d) {
    uint8_t bytes[DRAW_BYTES_MAX];
    const bool varies =
        d->kind == FRNG_MIXED_UINT || d->kind == FRNG_MIXED_INT || d->kind == FRNG_REAL;
    return varies ? draw_encode(d, d->rank, bytes) : d->width;
}

/* ---- From the trace of a run ---- */

static uint64_t rank_of_record(const frng_trace_record *r, const draw *d) {
    const uint64_t value = r->u.draw.value;
    uint64_t rank = 0;
    bool possible = true;
    switch (r->kind) {
    case FRNG_CHANCE: return is_open(d) ? value : 0;
    case FRNG_BOOL:
    case FRNG_F64: return value;
    case FRNG_MORE:
    case FRNG_LETTER: return (uint32_t)value - pick_min(d);
    case FRNG_REAL: return real_rank(value);
    case FRNG_REAL_RANGE: possible = draw_rank_of_real(d, real_of_bits(value), &rank); break;
    default: possible = draw_rank_of(d, value, &rank);
    }
    assert(possible);
    return rank;
}

static draw draw_of_record(const frng_trace_record *r) {
    draw d = {.kind = r->kind, .width = r->width, .min = r->u.draw.min, .max = r->u.draw.max};
    d.site = r->site, d.depth = r->depth;
    d.rank = rank_of_record(r, &d);
    if (r->kind != FRNG_WEIGHTED || r->u.draw.index == 0) return d;
    d.is_by_index = true;
    d.max = (r->u.draw.index >> 32) - 1;
    d.rank = (uint32_t)r->u.draw.index - 1;
    return d;
}

/* Append a draw for each byte of from .. to - 1. */
static void add_bytes(testcase *t, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        t->draws[t->count++] =
            (draw){.kind = FRNG_BYTES, .width = 1, .max = UINT8_MAX, .rank = t->bytes[i]};
    }
}

/* Append the draws of a record. Each takes a byte or more. */
static void add_record(testcase *t, const frng_trace_record *r, bool begins_step) {
    enum { VALUE_MAX = 8 }; /* raw bytes, beyond which they are data */
    draw *d = &t->draws[t->count];
    if (r->kind == FRNG_BYTES || r->kind > FRNG_KIND_MAX) {
        add_bytes(t, r->start, r->start + r->taken);
        for (size_t i = 1; i < r->taken && r->taken <= VALUE_MAX; i++) d[i].goes_on = true;
    } else {
        *d = draw_of_record(r);
        t->count++;
    }
    if (!begins_step || d == &t->draws[t->count]) return;
    d->begins_step = true;
    t->step_count++;
}

static void add_records(testcase *t, const frng_trace_record *records, size_t record_count) {
    size_t at = 0;
    bool begins_step = false, is_known = true;
    for (size_t i = 0; i < record_count; i++) {
        const frng_trace_record *r = &records[i];
        begins_step |= r->kind == FRNG_TRACE_STEP;
        if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP) continue;
        if (r->kind > FRNG_KIND_MAX) is_known = false;
        add_record(t, r, begins_step);
        begins_step &= r->taken == 0; /* of no bytes: the step begins with the next draw */
        t->trace = TRACE_PART;
        at += r->taken;
    }
    if (t->trace == TRACE_PART && is_known && at == t->size) t->trace = TRACE_WHOLE;
    add_bytes(t, at, t->size);
}

/* ---- Units ---- */

testcase testcase_of_units(const uint8_t *bytes, size_t size, uint8_t width, bool is_big) {
    return (testcase){.bytes = (uint8_t *)(uintptr_t)bytes, /* which are only read */
                      .size = size,
                      .count = size / width + size % width,
                      .width = width,
                      .is_big = is_big,
                      .is_borrowed = true};
}

void testcase_own(testcase *t) {
    t->bytes = memcpy(memory_new(t->size + 1), t->bytes, t->size);
    t->owners = memory_new(sizeof *t->owners);
    *t->owners = 1;
    t->is_borrowed = false;
}

uint64_t testcase_unit(const testcase *t, size_t at) {
    const unsigned width = testcase_unit_width(t, at);
    const uint8_t *bytes = t->bytes + testcase_place(t, at);
    uint64_t number = 0;
    for (unsigned i = 0; i < width; i++)
        number |= (uint64_t)bytes[t->is_big ? width - 1 - i : i] << 8 * i;
    return number;
}

draw testcase_draw(const testcase *t, size_t at) {
    if (t->draws != NULL) return t->draws[at];
    const unsigned width = testcase_unit_width(t, at);
    return (draw){.kind = FRNG_BYTES,
                  .width = (uint8_t)width,
                  .max = UINT64_MAX >> (64 - 8 * width),
                  .rank = testcase_rank(t, at)};
}

static void allocate_testcase(testcase *t, size_t size, size_t count) {
    t->bytes = memory_new(size + 1);
    t->draws = memory_zeroed(count + 1, sizeof *t->draws);
}

void testcase_init(testcase *t, const uint8_t *bytes, size_t size, const frng_trace_record *records,
                   size_t record_count) {
    *t = (testcase){.size = size, .width = 1};
    allocate_testcase(t, size, size); /* each draw takes at least one byte */
    if (size > 0) memcpy(t->bytes, bytes, size);
    const wrong_record wrong = record_check(t->bytes, size, records, record_count);
    t->has_wrong_record = wrong.error != RECORD_RIGHT;
    add_records(t, records, t->has_wrong_record ? 0 : record_count);
    assert(t->count <= size);
    testcase_mark(t);
}

void testcase_copy(testcase *t, const testcase *from) {
    *t = *from;
    t->hashes = NULL;
    if (from->owners != NULL) ++*from->owners;
    if (from->owners != NULL || from->is_borrowed) return;
    allocate_testcase(t, from->size, from->count);
    memcpy(t->bytes, from->bytes, from->size);
    memcpy(t->draws, from->draws, from->count * sizeof *t->draws);
}

void testcase_finish(testcase *t) {
    const bool is_shared = t->is_borrowed || (t->owners != NULL && --*t->owners > 0);
    if (!is_shared) free(t->bytes);
    if (!is_shared || t->is_borrowed) free(t->owners);
    free(t->draws);
    free(t->hashes);
    *t = (testcase){0};
}

void testcase_mark(testcase *t) {
    for (size_t i = 0; i < t->count && t->draws != NULL; i++) t->draws[i].marked = t->draws[i].rank;
}

void testcase_keep_marks(testcase *t, const testcase *from) {
    size_t i = 0;
    if (t->draws == NULL || from->draws == NULL) return;
    while (i < t->count && i < from->count && same_range(&t->draws[i], &from->draws[i])) i++;
    if (i < t->count || i < from->count) return;
    while (i-- > 0) t->draws[i].marked = from->draws[i].marked;
}

uint64_t testcase_order_at(const testcase *t, size_t at) {
    const draw *d = t->draws != NULL ? &t->draws[at] : NULL;
    const bool is_pick = d != NULL && (d->kind == FRNG_MORE || d->kind == FRNG_LETTER);
    return testcase_rank(t, at) + (is_pick ? pick_min(d) : 0);
}

int testcase_compare(const testcase *a, const testcase *b) {
    const size_t count = smaller(a->count, b->count);
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = testcase_order_at(a, i), y = testcase_order_at(b, i);
        if (x != y) return x < y ? -1 : 1;
    }
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    size_t left = a->size;
    while (left > 0 && a->bytes[left - 1] == b->bytes[left - 1]) left--;
    return left > 0 ? (int)a->bytes[left - 1] - (int)b->bytes[left - 1] : 0;
}
