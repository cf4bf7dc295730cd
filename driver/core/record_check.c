/* A trace is true if each of its draws, made again from the bytes, says the same.
 *
 * A record says where its draw began, how many bytes it took, under which bounds, and which value
 * came out. All of that follows from the bytes: the check makes the draw again, with the functions
 * of frng.h and frng_more.h that targets in C have, and compares. So ports to other languages are
 * held to the same draws, and a reduction that trusts records cannot be led astray by a wrong one.
 *
 * What no draw can be (a width or bounds that no kind has) is found before that, because the
 * functions trap on it. Records of unknown kinds are opaque: only their place is checked. */
#include "record_check.h"

#include "frng_more.h"

#include <stdio.h>

static uint64_t top_of(unsigned width) { return UINT64_MAX >> (64 - 8 * width); }

static bool is_draw(const frng_trace_record *r) { return r->kind < FRNG_TRACE_STATE; }

/* ---- What a draw can be ---- */

static bool has_width(const frng_trace_record *r) {
    const unsigned width = r->width;
    switch (r->kind) {
    case FRNG_BYTES: return true; /* the width says nothing */
    case FRNG_BOOL:
    case FRNG_MORE: return width == 1;
    case FRNG_LETTER: return width == (r->u.draw.max <= 128 ? 1 : 2);
    case FRNG_CHANCE:
    case FRNG_DATE: return width == 4;
    case FRNG_F64:
    case FRNG_REAL:
    case FRNG_REAL_RANGE: return width == 8;
    case FRNG_SUBSET: return width == frng__width(r->u.draw.max);
    default: return width == 1 || width == 2 || width == 4 || width == 8;
    }
}

static bool is_signed_range(const frng_trace_record *r) {
    const unsigned shift = 64 - 8u * r->width;
    const int64_t min = (int64_t)r->u.draw.min, max = (int64_t)r->u.draw.max;
    return INT64_MIN >> shift <= min && min <= max && max <= INT64_MAX >> shift;
}

/* True if `min` and `max` are those of an element of a list or a string (frng__next). */
static bool is_pick(const frng_trace_record *r) {
    const uint64_t how = r->u.draw.min, count = r->u.draw.max;
    const uint64_t end = (uint16_t)how, share = (uint16_t)(how >> 16);
    const bool must_both = (how & FRNG_MUST_END) != 0 && (how & FRNG_MUST_GO_ON) != 0;
    if (count < 1 || count > (r->kind == FRNG_MORE ? 1 : 32768) || how >> 34 != 0) return false;
    return end > 0 && share > 0 && end + share * count - 1 <= top_of(r->width) && !must_both;
}

static bool is_real_range(const frng_trace_record *r) {
    double min, max;
    frng__copy(&min, &r->u.draw.min, sizeof min);
    frng__copy(&max, &r->u.draw.max, sizeof max);
    return min <= max && min - min == 0 && max - max == 0;
}

/* True if a weighted draw says which of its weights the number selects, or does not say it. */
static bool has_index(const frng_trace_record *r) {
    const uint64_t index = (uint32_t)r->u.draw.index, count = r->u.draw.index >> 32;
    return r->u.draw.index == 0 || (index > 0 && index <= count && count - 1 <= top_of(r->width));
}

static bool has_bounds(const frng_trace_record *r) {
    const uint64_t min = r->u.draw.min, max = r->u.draw.max;
    switch (r->kind) {
    case FRNG_UINT:
    case FRNG_MIXED_UINT: return min <= max && max <= top_of(r->width);
    case FRNG_INT:
    case FRNG_MIXED_INT: return is_signed_range(r);
    case FRNG_INDEX: return min == 0 && max <= top_of(r->width);
    case FRNG_WEIGHTED: return min == 0 && max <= top_of(r->width) && has_index(r);
    case FRNG_CHANCE: return min <= max && max > 0 && max <= UINT32_MAX;
    case FRNG_MORE:
    case FRNG_LETTER: return is_pick(r);
    case FRNG_REAL_RANGE: return is_real_range(r);
    case FRNG_SUBSET: return min == 0 && max > 0 && (max & (max + 1)) == 0;
    case FRNG_DATE: return min < FRNG__DAYS && min <= max && max - min < FRNG__DAYS;
    default: return true;
    }
}

/* ---- Drawing again ---- */

/* As frng__next draws, under the rules that `min` has. The letter itself is the target's. */
static bool draw_pick(frng *f, const frng_trace_record *r, uint64_t *value) {
    const uint64_t how = r->u.draw.min, end = (uint16_t)how, share = (uint16_t)(how >> 16);
    uint64_t number;
    do {
        if (!frng__bounded(f, r->width, end + share * r->u.draw.max - 1, &number)) return false;
    } while ((how & FRNG_MUST_GO_ON) != 0 && number < end);
    const bool is_end = (how & FRNG_MUST_END) != 0 || number < end;
    *value = is_end ? 0 : (number - end) / share + 1;
    if (r->kind == FRNG_LETTER && !is_end) *value |= r->u.draw.value & UINT64_C(0xff) << 32;
    return true;
}

/* Make the draw of a possible record. False if it needs more bytes than there are. */
static bool draw_again(frng *f, const frng_trace_record *r, uint64_t *value) {
    const uint64_t min = r->u.draw.min, max = r->u.draw.max;
    double real = 0, low, high;
    bool is_drawn, coin = false;
    switch (r->kind) {
    case FRNG_F64: return frng__number(f, r->width, value);
    case FRNG_MORE:
    case FRNG_LETTER: return draw_pick(f, r, value);
    case FRNG_MIXED_UINT:
    case FRNG_MIXED_INT: return frng__mixed(f, (frng_more_kind)r->kind, r->width, min, max, value);
    case FRNG_BOOL:
    case FRNG_SUBSET:
        is_drawn = frng__number(f, r->width, value);
        *value &= r->kind == FRNG_BOOL ? 1 : max;
        return is_drawn;
    case FRNG_CHANCE:
        is_drawn = frng_chance(f, (uint32_t)min, (uint32_t)max, &coin);
        *value = coin;
        return is_drawn;
    case FRNG_REAL: is_drawn = frng_f64_any(f, &real); break;
    case FRNG_REAL_RANGE:
        frng__copy(&low, &min, sizeof low);
        frng__copy(&high, &max, sizeof high);
        is_drawn = frng_f64_range(f, low, high, &real);
        break;
    default: return frng__of(f, (frng_kind)r->kind, r->width, min, max, NULL, value);
    }
    frng__copy(value, &real, sizeof real);
    return is_drawn;
}

/* ---- One record ---- */

/* What a check of one record found: wrong_record.right explains `right`. */
typedef struct answer {
    record_error error;
    uint64_t right;
} answer;

static answer check_value(const uint8_t *bytes, const frng_trace_record *r) {
    frng f = frng_init(bytes, (size_t)r->taken);
    uint64_t value = 0;
    if (!draw_again(&f, r, &value)) return (answer){RECORD_LENGTH, 0};
    if (f.used != r->taken) return (answer){RECORD_LENGTH, f.used};
    return (answer){value == r->u.draw.value ? RECORD_RIGHT : RECORD_VALUE, value};
}

static answer check(const uint8_t *bytes, uint64_t size, uint64_t at, const frng_trace_record *r) {
    if (r->start != at) return (answer){RECORD_PLACE, at};
    if (r->taken > size - at) return (answer){RECORD_BEYOND, size};
    if (!is_draw(r)) return (answer){r->taken == 0 ? RECORD_RIGHT : RECORD_LENGTH, 0};
    if (r->kind > FRNG_KIND_MAX) return (answer){RECORD_RIGHT, 0};
    if (r->kind == FRNG_BYTES)
        return (answer){r->taken == r->u.draw.max ? RECORD_RIGHT : RECORD_LENGTH, r->u.draw.max};
    if (!has_width(r) || !has_bounds(r)) return (answer){RECORD_BOUNDS, 0};
    return check_value(bytes + at, r);
}

wrong_record record_check(const uint8_t *bytes, size_t size, const frng_trace_record *records,
                          size_t count) {
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const answer f = check(bytes, size, at, &records[i]);
        at += records[i].taken;
        if (f.error == RECORD_RIGHT) continue;
        wrong_record w = {.error = f.error, .record = records[i], .right = f.right};
        for (size_t k = i; k > 0 && w.note[0] == '\0' && !is_draw(&records[k - 1]); k--) {
            const frng_trace_record *r = &records[k - 1];
            if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP)
                snprintf(w.note, sizeof w.note, "%.31s", r->u.text);
        }
        return w;
    }
    return (wrong_record){.error = RECORD_RIGHT};
}

void records_settle(frng_trace_record *records, size_t count) {
    const frng_trace_record *found = frng__first_chooser(records, count);
    const frng_trace_record first = found != NULL ? *found : (frng_trace_record){0};
    for (size_t i = 0; i < count; i++) {
        if (!frng__is_chooser(records, count, i, found != NULL ? &first : NULL)) continue;
        const frng_trace_record chooser = records[i];
        records[i] = records[i + 1];
        records[i].start = chooser.start;
        records[++i] = chooser;
    }
}

draws_seen records_draws(const frng_trace_record *records, size_t count, uint64_t most) {
    draws_seen seen = {0, FRNG_DRAWS_DIGEST};
    for (size_t i = 0; i < count && seen.count < most; i++) {
        const frng_trace_record r = records[i];
        if (!is_draw(&r)) continue;
        seen.count++;
        seen.digest = frng__digest_draw(seen.digest, r.kind, r.width, r.u.draw.min, r.u.draw.max);
    }
    return seen;
}

bool records_draw_others(const frng_trace_record *records, size_t count, uint64_t reported,
                         draws_seen than) {
    const draws_seen now = records_draws(records, count, than.count);
    return now.count < than.count ? reported <= count : now.digest != than.digest;
}
