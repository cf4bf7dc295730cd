#include "domain.h"

#include "real.h"

#include <assert.h>

#define SIGN (UINT64_C(1) << 63)

/* ---- Doubles in their order ---- */

/* Return a number that grows with the double of these bits; NaNs are at both ends. */
static uint64_t key_of_bits(uint64_t bits) { return (bits & SIGN) != 0 ? ~bits : bits | SIGN; }

static uint64_t bits_of_key(uint64_t key) { return (key & SIGN) != 0 ? key & ~SIGN : ~key; }

/* ---- Domains ---- */

static bool is_signed(const draw *d) { return d->kind == FRNG_INT || d->kind == FRNG_MIXED_INT; }

static domain_order order_of(const draw *d) {
    switch (d->kind) {
    case FRNG_INT:
    case FRNG_MIXED_INT: return DOMAIN_SIGNED;
    case FRNG_DATE: return DOMAIN_DATES;
    case FRNG_REAL: return DOMAIN_REALS;
    case FRNG_UINT:
    case FRNG_MIXED_UINT:
    case FRNG_INDEX:
    case FRNG_BYTES: return DOMAIN_UNSIGNED;
    default: return DOMAIN_UNORDERED;
    }
}

static domain domain_of_range(const draw *d) {
    real_range r;
    const bool is_range = real_range_init(&r, d->min, d->max);
    assert(is_range);
    const double value = draw_real(d);
    const uint64_t last = (uint64_t)r.high - (uint64_t)r.low;
    uint64_t at = (uint64_t)(int64_t)(value / r.unit) - (uint64_t)r.low;
    if (value <= r.min) at = 0;
    if (value >= r.max) at = last;
    return (domain){DOMAIN_UNORDERED, 0, {last, at, true}};
}

/* Return the value of a draw of a range of doubles, all of whose values are multiples of a unit. */
static double range_value(const draw *d, uint64_t position) {
    real_range r;
    const bool is_range = real_range_init(&r, d->min, d->max);
    assert(is_range);
    const double value = (double)(int64_t)((uint64_t)r.low + position) * r.unit;
    return value < r.min ? r.min : value > r.max ? r.max : value;
}

domain domain_of(const draw *d) {
    const domain_order order = order_of(d);
    const uint64_t last = draw_rank_max(d);
    if (d->kind == FRNG_REAL_RANGE) return domain_of_range(d);
    if (d->kind == FRNG_REAL)
        return (domain){order, 0, {UINT64_MAX, key_of_bits(real_bits(d->rank)), true}};
    if (is_signed(d))
        return (domain){order, d->min ^ SIGN, {d->max - d->min, draw_value(d) - d->min, true}};
    if (d->kind == FRNG_F64) return (domain){order, 0, {last >> 11, d->rank >> 11, true}};
    const uint64_t first = order == DOMAIN_UNSIGNED ? draw_value(d) - d->rank : 0;
    return (domain){order, first, {last, d->rank, d->kind != FRNG_SUBSET}};
}

bool domain_rank(const draw *d, const domain *o, uint64_t position, uint64_t *rank) {
    *rank = d->rank;
    if (position == o->axis.at) return true;
    *rank = d->kind == FRNG_F64 ? position << 11 : position;
    if (is_signed(d)) return draw_rank_of(d, d->min + position, rank);
    if (d->kind == FRNG_REAL) *rank = real_rank(bits_of_key(position));
    if (d->kind == FRNG_REAL_RANGE) return draw_rank_of_real(d, range_value(d, position), rank);
    return true;
}

uint64_t domain_recorded(const draw *d, uint64_t rank) {
    draw same = *d;
    same.rank = rank;
    return draw_is_number(d) ? draw_value(&same) : draw_number(d, rank);
}
