#include "step_search.h"

#include <assert.h>
#include <stdlib.h>

/* ---- STEP_MOST ---- */

static uint64_t next_most(const step_search *a) {
    enum { LINEAR = 4 };
    if (a->good == a->limit || a->bad == a->good + 1) return 0;
    if (a->bad > 0) return a->good + (a->bad - a->good) / 2;
    if (a->good < LINEAR) return a->good + 1;
    return a->good <= a->limit / 2 ? a->good * 2 : a->limit;
}

static uint64_t next_run(const step_search *a) {
    if (a->good == a->limit || a->bad == a->good + 1) return 0;
    if (a->bad > 0) return a->good + (a->bad - a->good) / 2;
    if (a->good == 0) return a->hint < a->limit ? a->hint : a->limit;
    return a->good <= a->limit / 2 ? a->good * 2 : a->limit;
}

/* ---- STEP_VALUE, STEP_PAIR: the remaining value is limit - amount ---- */

enum { TRY_ALL, TRY_ONE, TRY_HALF, TRY_TWO, TRIES };

static unsigned bits_of(uint64_t value) {
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

/* Return a value between one that is too low and one that is not. Average their counts of bits
 * first, then the values. */
static uint64_t middle(uint64_t low, uint64_t high) {
    const unsigned low_bits = bits_of(low), high_bits = bits_of(high);
    if (high_bits <= low_bits + 1) return low + (high - low) / 2;
    return (UINT64_C(1) << ((low_bits + high_bits) / 2)) - 1;
}

/* Return the amount of a first try, or 0 if the limit makes the try useless. */
static uint64_t first_try(const step_search *a) {
    if (a->kind == STEP_PAIR && a->tried > TRY_ONE) return 0;
    switch (a->tried) {
    case TRY_ALL: return a->limit;
    case TRY_ONE: return a->limit > 1 ? 1 : 0;
    case TRY_HALF: return a->limit > 3 ? a->limit - a->limit / 2 : 0;
    case TRY_TWO: return a->limit > 2 && a->limit != 4 ? 2 : 0; /* TRY_HALF tries 2 of 4 */
    default: return 0;
    }
}

/* The kinds of tries after the first success. */
enum { LEAP = 8 };
enum { PACE_BITS, PACE_HALF, PACE_LEAP, PACE_BISECT };

/* Return the next amount. If good > 0, the value `high` succeeded; `low` is the bound below it. */
static uint64_t next_value(const step_search *a) {
    if (a->good == 0) return first_try(a);
    const uint64_t high = a->limit - a->good;
    const uint64_t low = a->bad == 0 ? 0 : a->limit - a->bad;
    if (high - low <= 1) return 0;
    if (a->pace == PACE_HALF && high / 2 > low) return a->limit - high / 2;
    if (a->pace == PACE_LEAP && a->good <= (a->bad - 1) / LEAP) return a->good * LEAP;
    return a->limit - middle(low, high);
}

static uint8_t next_pace(uint8_t pace, bool success) {
    switch (pace) {
    case PACE_BITS: return success ? PACE_BITS : PACE_HALF;
    case PACE_HALF: return success ? PACE_BISECT : PACE_LEAP;
    case PACE_LEAP: return success ? PACE_LEAP : PACE_BISECT;
    default: return PACE_BISECT;
    }
}

static void skip_senseless(step_search *a) {
    while (a->tried < TRIES && first_try(a) == 0) a->tried++;
}

static void take_value(step_search *a, bool success) {
    const uint64_t tried = next_value(a);
    if (a->good > 0) a->pace = next_pace(a->pace, success);
    if (success && a->good == 0 && a->tried == TRY_TWO && a->limit > 4) {
        a->bad = a->limit - a->limit / 2; /* TRY_HALF failed before */
        a->pace = PACE_LEAP;
    }
    if (success) {
        a->good = tried;
    } else if (a->good > 0) {
        a->bad = tried;
    } else {
        a->tried++; /* do not set `bad`: a smaller value may succeed, for values are not monotone */
        skip_senseless(a);
    }
}

uint64_t step_search_next(const step_search *a) {
    switch (a->kind) {
    case STEP_ALL: return a->good == 0 && a->bad == 0 ? a->limit : 0;
    case STEP_MOST: return next_most(a);
    case STEP_RUN: return next_run(a);
    case STEP_VALUE:
    case STEP_PAIR: return next_value(a);
    }
    abort();
}

void step_search_feedback(step_search *a, bool success) {
    const uint64_t tried = step_search_next(a);
    assert(tried > 0);
    if (a->kind == STEP_VALUE || a->kind == STEP_PAIR) {
        take_value(a, success);
    } else if (success) {
        a->good = tried;
    } else {
        a->bad = tried;
    }
}
