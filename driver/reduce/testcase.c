#include "testcase.h"

#include "bytes.h"
#include "frng_encode.h"
#include "real.h"
#include "record_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kinds ---- */

static bool is_signed(const draw *d) { return d->kind == FRNG_INT || d->kind == FRNG_MIXED_INT; }

static bool is_unsigned(const draw *d) {
    return d->kind == FRNG_UINT || d->kind == FRNG_MIXED_UINT;
}

bool draw_is_number(const draw *d) {
    return is_signed(d) || is_unsigned(d) || d->kind == FRNG_INDEX || d->kind == FRNG_WEIGHTED ||
           d->kind == FRNG_BYTES;
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

static real_range range_of(const draw *d) {
    real_range r;
    const bool is_range = real_range_init(&r, d->min, d->max);
    assert(is_range);
    return r;
}

/* ---- Ranks ---- */

/* Return the picks (frng__next) of a list or a string that its draw can have: 0 ends it. */
static uint64_t pick_min(const draw *d) { return frng__pick_min(d->min); }
static uint64_t pick_max(const draw *d) { return frng__pick_max(d->min, d->max); }

uint64_t draw_rank_max(const draw *d) {
    switch (d->kind) {
    case FRNG_BOOL: return 1;
    case FRNG_CHANCE: return is_open(d) ? 1 : 0;
    case FRNG_BYTES: return UINT8_MAX;
    case FRNG_F64:
    case FRNG_REAL: return UINT64_MAX;
    case FRNG_MORE:
    case FRNG_LETTER: return pick_max(d) - pick_min(d);
    case FRNG_REAL_RANGE: {
        const real_range r = range_of(d);
        return real_range_rank_max(&r);
    }
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
    return real_range_value(&r, d->rank);
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

/* Return the whole part of a double that is no whole number, without its sign, or 0. */
static uint64_t whole_part(const draw *d) {
    const double value = draw_real(d), size = value < 0 ? -value : value;
    if (!(size < 9007199254740992.0) || size == (double)(uint64_t)size) return 0;
    return (uint64_t)size;
}

/* True if 0 is among the whole numbers that a draw can have. */
static bool has_zero(const draw *d) {
    if (d->kind == FRNG_REAL) return true;
    const real_range r = range_of(d);
    return r.whole_count > 0 && r.whole_low <= 0 && r.whole_high >= 0;
}

static uint64_t magnitude(double value) { return (uint64_t)(value < 0 ? -value : value); }

static uint64_t real_distance(const draw *d) {
    const uint64_t whole = whole_part(d);
    const uint64_t wholes = d->kind == FRNG_REAL ? REAL_WHOLE_MAX : range_of(d).whole_count;
    if (whole > 0) return whole;
    if (d->rank > wholes) return d->rank - wholes;
    if (has_zero(d)) return magnitude(draw_real(d));
    return d->rank;
}

static uint64_t real_nearer(const draw *d, uint64_t by) {
    const double value = draw_real(d), change = (double)by;
    uint64_t rank;
    if (whole_part(d) > 0) {
        const bool possible =
            draw_rank_of_real(d, value < 0 ? value + change : value - change, &rank);
        return possible ? rank : d->rank;
    }
    const uint64_t wholes = d->kind == FRNG_REAL ? REAL_WHOLE_MAX : range_of(d).whole_count;
    if (d->rank <= wholes && has_zero(d)) { /* keeps its sign */
        const bool possible =
            draw_rank_of_real(d, value < 0 ? value + change : value - change, &rank);
        return possible ? rank : d->rank;
    }
    return d->rank - by;
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

bool draw_has_one_width(const draw *d) {
    return d->kind != FRNG_MIXED_UINT && d->kind != FRNG_MIXED_INT && d->kind != FRNG_REAL;
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
    return draw_has_one_width(d) ? d->width : draw_encode(d, d->rank, bytes);
}

/* ---- From the trace of a run ---- */

static bool is_in_range(const frng_trace_record *r) {
    real_range range;
    uint64_t rank;
    return real_range_init(&range, r->u.draw.min, r->u.draw.max) &&
           real_range_rank(&range, real_of_bits(r->u.draw.value), &rank);
}

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
    d.rank = rank_of_record(r, &d);
    if (r->kind != FRNG_WEIGHTED || r->u.draw.index == 0) return d;
    d.is_by_index = true;
    d.max = (r->u.draw.index >> 32) - 1;
    d.rank = (uint32_t)r->u.draw.index - 1;
    return d;
}

/* True if a possible record has a value that a draw of its bounds can have. */
static bool has_value(const frng_trace_record *r) {
    const uint64_t min = r->u.draw.min, max = r->u.draw.max, value = r->u.draw.value;
    const draw d = {.min = min, .max = max};
    const uint32_t pick = (uint32_t)value;
    switch (r->kind) {
    case FRNG_BOOL:
    case FRNG_CHANCE: return value <= 1;
    case FRNG_F64:
    case FRNG_REAL: return true;
    case FRNG_REAL_RANGE: return is_in_range(r);
    case FRNG_INT:
    case FRNG_MIXED_INT: return (int64_t)min <= (int64_t)value && (int64_t)value <= (int64_t)max;
    case FRNG_MORE:
    case FRNG_LETTER:
        return pick >= pick_min(&d) && pick <= pick_max(&d) &&
               value >> (r->kind == FRNG_MORE ? 32 : 40) == 0;
    default: return min <= value && value <= max;
    }
}

/* True if a record is valid for a draw at byte `at` of `size` bytes. */
static bool makes_sense(const frng_trace_record *r, uint64_t at, uint64_t size) {
    if (r->start != at || r->taken > size - at) return false;
    if (r->kind == FRNG_BYTES) return r->taken == r->u.draw.max;
    if (r->kind > FRNG_KIND_MAX) return true; /* of a later version: its bytes are opaque */
    if (!record_is_possible(r) || !has_value(r)) return false;
    const draw d = draw_of_record(r);
    return draw_size(&d) <= r->taken;
}

/* Append a draw for each byte of from .. to - 1. */
static void add_bytes(testcase *t, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        t->draws[t->count++] =
            (draw){.kind = FRNG_BYTES, .width = 1, .max = UINT8_MAX, .rank = t->bytes[i]};
    }
}

/* Return a digest of a note, which is not 0. */
static uint32_t digest_of_note(const frng_trace_record *r) {
    uint32_t digest = UINT32_C(2166136261); /* FNV-1a */
    for (size_t i = 0; i < sizeof r->u.text && r->u.text[i] != '\0'; i++)
        digest = (digest ^ (uint8_t)r->u.text[i]) * UINT32_C(16777619);
    return digest | 1;
}

/* Append the draws of a valid record. */
static void add_record(testcase *t, const frng_trace_record *r, bool begins_step, uint32_t note) {
    enum { VALUE_MAX = 8 }; /* raw bytes, beyond which they are data */
    draw *d = &t->draws[t->count];
    if (r->kind == FRNG_BYTES || r->kind > FRNG_KIND_MAX) {
        add_bytes(t, r->start, r->start + r->taken);
        for (size_t i = 1; i < r->taken && r->taken <= VALUE_MAX; i++) d[i].goes_on = true;
    } else {
        *d = draw_of_record(r);
        t->count++;
    }
    if (d == &t->draws[t->count]) return;
    d->note = note;
    if (!begins_step) return;
    d->begins_step = true;
    t->step_count++;
}

static void add_records(testcase *t, const frng_trace_record *records, size_t record_count) {
    size_t at = 0;
    bool begins_step = false, is_known = true;
    uint32_t note = 0;
    for (size_t i = 0; i < record_count; i++) {
        const frng_trace_record *r = &records[i];
        begins_step |= r->kind == FRNG_TRACE_STEP;
        if (r->kind == FRNG_TRACE_NOTE) note = digest_of_note(r);
        if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP) continue;
        if (!makes_sense(r, at, t->size)) break;
        if (r->kind > FRNG_KIND_MAX) is_known = false;
        add_record(t, r, begins_step, note);
        begins_step &= r->taken == 0; /* of no bytes: the step begins with the next draw */
        if (r->taken > 0) note = 0;
        t->trace = TRACE_PART;
        at += r->taken;
    }
    if (t->trace == TRACE_PART && is_known && at == t->size) t->trace = TRACE_WHOLE;
    add_bytes(t, at, t->size);
}

static bool allocate(testcase *t, size_t size, size_t count) {
    t->bytes = malloc(size + 1);
    t->draws = calloc(count + 1, sizeof *t->draws);
    if (t->bytes != NULL && t->draws != NULL) return true;
    testcase_finish(t);
    return false;
}

bool testcase_init(testcase *t, traced_run run) {
    *t = (testcase){.size = smaller(run.drawn, run.size)};
    if (!allocate(t, t->size, t->size)) return false; /* each draw takes at least one byte */
    if (t->size > 0) memcpy(t->bytes, run.bytes, t->size);
    add_records(t, run.records, run.record_count);
    size_t needed = 0;
    for (size_t i = 0; i < t->count; i++) needed += draw_size(&t->draws[i]);
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

uint64_t testcase_rank_bits(const testcase *t) {
    uint64_t bits = 0;
    for (size_t i = 0; i < t->count; i++) {
        const uint64_t rank = t->draws[i].rank;
        if (rank > 0) bits += 64 - (unsigned)__builtin_clzll(rank);
    }
    return bits;
}

int testcase_compare(const testcase *a, const testcase *b) {
    const size_t count = smaller(a->count, b->count);
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = a->draws[i].rank, y = b->draws[i].rank;
        if (x != y) return x < y ? -1 : 1;
    }
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    return memcmp(a->bytes, b->bytes, a->size);
}
