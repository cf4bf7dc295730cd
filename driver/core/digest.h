/* digest.h: digests of test cases, as keys of hash tables.
 *
 * They can be combined from the digests of parts: a polynomial in a fixed base modulo the prime
 * 2^61 - 1 (Karp and Rabin). 0 is the digest of no bytes. */
#pragma once

#include "frng.h"

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 digest_wide;
#endif

/* Arithmetic modulo the prime, on numbers below it. A type of 128 bits, where there is one, is
 * faster than frng__multiply. */
static inline uint64_t digest_multiply(uint64_t a, uint64_t b) {
    const uint64_t prime = (UINT64_C(1) << 61) - 1;
#ifdef __SIZEOF_INT128__
    const digest_wide product = (digest_wide)a * b;
    const uint64_t low = (uint64_t)product, high = (uint64_t)(product >> 64);
#else
    uint64_t low;
    const uint64_t high = frng__multiply(a, b, &low);
#endif
    const uint64_t sum = (low & prime) + (high << 3 | low >> 61);
    return sum >= prime ? sum - prime : sum;
}

static inline uint64_t digest_add(uint64_t a, uint64_t b) {
    const uint64_t prime = (UINT64_C(1) << 61) - 1;
    return a + b >= prime ? a + b - prime : a + b;
}

#define DIGEST_BASE UINT64_C(0x1b1c9d2f4a3e5867)

/* Return the digest of the same bytes and one more. */
static inline uint64_t digest_more(uint64_t digest, uint8_t byte) {
    return digest_add(digest_multiply(digest, DIGEST_BASE), (uint64_t)byte + 1);
}

/* Return the digest of the same bytes and `size` more, whose own digest is `more`. */
static inline uint64_t digest_join(uint64_t digest, uint64_t more, size_t size) {
    uint64_t power = DIGEST_BASE;
    for (; size > 0 && digest != 0; size /= 2) {
        if (size % 2 == 1) digest = digest_multiply(digest, power);
        power = digest_multiply(power, power);
    }
    return digest_add(digest, more);
}

/* Return the digest of the last rest_size bytes, from the digest of the bytes before them and the
 * digest of all. */
static inline uint64_t digest_rest(uint64_t first, uint64_t all, size_t rest_size) {
    const uint64_t prime = (UINT64_C(1) << 61) - 1;
    const uint64_t moved = digest_join(first, 0, rest_size);
    return digest_add(all, moved == 0 ? 0 : prime - moved);
}

/* Turn the final polynomial into a key for hash tables; never 0. */
static inline uint64_t digest_end(uint64_t digest, size_t size) {
    digest += (uint64_t)size * UINT64_C(0x9e3779b97f4a7c15);
    digest *= UINT64_C(0xc4ceb9fe1a85ec53);
    digest ^= digest >> 32;
    return digest != 0 ? digest : 1;
}

/* Return the digest of a whole test case, as a key for hash tables. */
static inline uint64_t digest_of(const uint8_t *bytes, size_t size) {
    uint64_t digest = 0;
    for (size_t i = 0; i < size; i++) digest = digest_more(digest, bytes[i]);
    return digest_end(digest, size);
}
