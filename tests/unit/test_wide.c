/* Products of 64 by 64 bits: on literals, divided back, and as digests make them. */
#include "candidate_set.h"
#include "frng_encode.h"
#include "suite.h"

#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TOP UINT64_MAX
#define HALF (UINT64_C(1) << 63)

static const struct {
    uint64_t a, b, high, low;
} products[] = {{0, TOP, 0, 0},
                {1, TOP, 0, TOP},
                {2, HALF, 1, 0},
                {TOP, TOP, TOP - 1, 1},
                {HALF, HALF, HALF / 2, 0},
                {0xffffffff, 0xffffffff, 0, UINT64_C(0xfffffffe00000001)},
                {UINT64_C(0x123456789abcdef0), UINT64_C(0xfedcba9876543210),
                 UINT64_C(0x121fa00ad77d7422), UINT64_C(0x236d88fe5618cf00)}};

TEST(products_have_their_known_values) {
    for (size_t i = 0; i < COUNT_OF(products); i++) {
        uint64_t low;
        ck_assert_uint_eq(frng__multiply(products[i].b, products[i].a, &low), products[i].high);
        ck_assert_uint_eq(low, products[i].low);
    }
}

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
    uint64_t state = 1;
    for (size_t i = 0; i < COUNT_OF(products); i++) {
        divides_back(products[i].a, products[i].b, 0);
        divides_back(products[i].a, products[i].b, products[i].b - 1);
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
