/* Products of 64 by 64 bits: divided back, and as digests make them. */
#include "candidate_set.h"
#include "frng_encode.h"
#include "suite.h"

/* Dividing a * b + more by b, which is above `more`. */
static void divides_back(uint64_t a, uint64_t b, uint64_t more) {
    uint64_t low, rest;
    uint64_t high = frng__multiply(a, b, &low);
    low += more;
    if (low < more) high++;
    ck_assert_uint_eq(frng__divide(high, low, b, &rest), a);
    ck_assert_uint_eq(rest, more);
    ck_assert_uint_eq(frng__divide_by_steps(high, low, b, &rest), a);
    ck_assert_uint_eq(rest, more);
}

TEST(a_quotient_undoes_a_product) {
    static const uint64_t edges[] = {1, 2, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX};
    uint64_t state = 1;
    for (int i = 0; i < 25; i++) {
        divides_back(edges[i / 5], edges[i % 5], 0);
        divides_back(edges[i / 5], edges[i % 5], edges[i % 5] - 1);
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t random[3];
        for (int k = 0; k < 3; k++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            random[k] = (state ^ state >> 29) >> (state >> 58);
        }
        if (random[1] > 0) divides_back(random[0], random[1], random[2] % random[1]);
    }
}

TEST(digests_multiply_modulo_a_prime) {
    uint64_t state = 7;
    for (int i = 0; i < 20000; i++) {
        uint64_t low, rest;
        const uint64_t prime = (UINT64_C(1) << 61) - 1;
        const uint64_t a = state * UINT64_C(0x9e3779b97f4a7c15) & prime,
                       b = (a ^ state << 17) % prime;
        state += 3;
        const uint64_t high = frng__multiply(a, b, &low);
        frng__divide(high, low, prime, &rest);
        ck_assert_uint_eq(digest_multiply(a, b), rest);
    }
}
