#include "encoding.h"

#include "frng_more.h"
#include "wide.h"

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* A range around 0 has `below` negative values and `above` positive ones. */
uint64_t encoding_zigzag_rank(uint64_t min, uint64_t max, uint64_t value) {
    if ((int64_t)min > 0) return value - min;
    if ((int64_t)max < 0) return max - value;
    if (value == 0) return 0;
    const bool is_negative = (int64_t)value < 0;
    const uint64_t below = 0 - min, above = max, m = is_negative ? 0 - value : value;
    const uint64_t simpler = 1 + smaller(m - 1, above) + smaller(m - 1, below);
    return simpler + (is_negative && m <= above ? 1 : 0);
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

uint64_t encoding_bounded(unsigned width, uint64_t max, uint64_t value) {
    return max == UINT64_MAX >> (64 - 8 * width) ? value : invert(width, max + 1, value);
}

void encoding_write(uint64_t number, unsigned width, uint8_t *bytes) {
    for (unsigned i = 0; i < width; i++) bytes[i] = (uint8_t)(number >> (8 * i));
}

unsigned encoding_of_bits(uint64_t number, uint64_t max, uint8_t *bytes) {
    const uint64_t bits = frng__bits(number);
    const uint64_t low = bits > 0 ? UINT64_C(1) << (bits - 1) : 0;
    const uint64_t span = bits > 0 ? smaller(low - 1, max - low) : 0;
    if (span == 0) return 0;
    const unsigned width = (unsigned)frng__width(span);
    encoding_write(encoding_bounded(width, span, number - low), width, bytes);
    return width;
}
