#include "real.h"

#include "frng_encode.h"

static const uint64_t SIGN = UINT64_C(1) << 63, INFINITE = UINT64_C(2047) << 52;
static const uint64_t WHOLE = UINT64_C(1) << 53; /* the largest whole number with its own rank */
static const uint64_t MINUS_ZERO = REAL_WHOLE_MAX + 1, OTHERS = REAL_WHOLE_MAX + 2;

double real_of_bits(uint64_t bits) { return frng__double_of(bits); }

/* ---- All doubles. Without its sign, a double is a number of 63 bits, in the order of values
 * ---- */

/* Return the count of whole numbers 0..2^53 below a double without its sign. */
static uint64_t wholes_below(uint64_t magnitude) {
    const double value = real_of_bits(magnitude);
    if (magnitude > INFINITE || value > (double)WHOLE) return WHOLE + 1;
    const uint64_t floor = (uint64_t)value;
    return floor + ((double)floor < value ? 1 : 0);
}

uint64_t real_rank(uint64_t bits) {
    const double value = real_of_bits(bits);
    const uint64_t magnitude = bits & ~SIGN;
    if (bits == SIGN) return MINUS_ZERO;
    if (frng__is_whole(value)) return frng__whole_rank(value);
    return OTHERS + 2 * (magnitude - wholes_below(magnitude)) + (bits >> 63);
}

uint64_t real_bits(uint64_t rank) {
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

/* ---- Ranges ---- */

bool real_range_init(real_range *r, uint64_t min, uint64_t max) {
    *r = (real_range){.min = real_of_bits(min), .max = real_of_bits(max)};
    if ((min & ~SIGN) >= INFINITE || (max & ~SIGN) >= INFINITE || r->min > r->max) return false;
    const int exponent = frng__grid(r->min, r->max, &r->low, &r->high);
    r->unit = frng__power(exponent);
    if (exponent >= 0) return true; /* all are whole */
    r->whole_low = frng__units(r->min, 0, true);
    r->whole_high = frng__units(r->max, 0, false);
    if (r->whole_low <= r->whole_high) {
        r->whole_count = (uint64_t)r->whole_high - (uint64_t)r->whole_low + 1;
    }
    return true;
}

uint64_t real_range_rank_max(const real_range *r) {
    return r->whole_count + ((uint64_t)r->high - (uint64_t)r->low);
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

bool real_range_rank(const real_range *r, double value, uint64_t *rank) {
    int64_t unit;
    if (!find_unit(r, value, &unit)) return false;
    if (r->whole_count > 0 && frng__is_whole(value)) {
        *rank = rank_between(r->whole_low, r->whole_high, (int64_t)value);
    } else {
        *rank = r->whole_count + rank_between(r->low, r->high, unit);
    }
    return true;
}

double real_range_value(const real_range *r, uint64_t rank) {
    if (rank < r->whole_count) return (double)value_between(r->whole_low, r->whole_high, rank);
    const double value = (double)value_between(r->low, r->high, rank - r->whole_count) * r->unit;
    return value < r->min ? r->min : value > r->max ? r->max : value;
}
