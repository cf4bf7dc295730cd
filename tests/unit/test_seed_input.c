/* seed_input.h: chains of seeds, their bytes and their order. */
#include "seed_input.h"

#include "frng_expand.h"
#include "suite.h"

#include <string.h>

enum { SIZE = 64 };

static const seed_input chain = {
    .size = SIZE,
    .seed = 5,
    .prefix = {2, {{40, 17, SEED_PLAIN}, {7, 99, SEED_PLAIN}}},
};

TEST(a_chain_has_the_bytes_of_its_links_in_turn) {
    uint8_t expected[SIZE], bytes[SIZE];
    frng_expand(17, expected, 40);
    frng_expand(99, expected + 40, 7);
    frng_expand(5, expected + 47, SIZE - 47);
    seed_input_expand(&chain, bytes);
    ck_assert_mem_eq(bytes, expected, SIZE);
    ck_assert_uint_eq(seed_prefix_size(&chain.prefix), 47);
}

TEST(a_cut_chain_has_the_first_bytes_and_no_link_too_many) {
    uint8_t whole[SIZE], bytes[SIZE];
    seed_input_expand(&chain, whole);
    for (uint64_t size = 0; size <= SIZE; size++) {
        const seed_input cut = seed_input_cut(chain, size);
        seed_input_expand(&cut, bytes);
        ck_assert_mem_eq(bytes, whole, size);
        ck_assert_uint_eq(cut.size, size);
        ck_assert_uint_eq(cut.prefix.count, size <= 40 ? 0 : size <= 47 ? 1 : 2);
        ck_assert(seed_input_equal(cut, seed_input_cut(seed_input_cut(chain, size), size)));
    }
}

TEST(a_prefix_of_a_chain_has_its_first_bytes_unless_it_takes_too_many_links) {
    uint8_t whole[SIZE], bytes[SIZE];
    seed_prefix prefix;
    seed_input_expand(&chain, whole);
    for (uint64_t size = 0; size <= SIZE; size++) {
        ck_assert(seed_input_prefix(chain, size, &prefix));
        ck_assert_uint_eq(seed_prefix_size(&prefix), size);
        seed_prefix_expand(&prefix, bytes);
        ck_assert_mem_eq(bytes, whole, size);
        ck_assert_uint_eq(prefix.count, size == 0 ? 0 : size <= 40 ? 1 : size <= 47 ? 2 : 3);
    }
    seed_input longest = {.size = 8, .seed = 1, .prefix = {.count = SEED_LINKS_MAX - 1}};
    for (uint32_t i = 0; i < longest.prefix.count; i++) longest.prefix.links[i].size = 1;
    ck_assert(seed_input_prefix(longest, 7, &prefix));
    ck_assert(!seed_input_prefix(longest, 8, &prefix));
}

TEST(inputs_are_equal_only_with_equal_chains_and_have_an_order) {
    seed_input other = chain, plain = chain, styled = chain;
    ck_assert(seed_input_equal(chain, other));
    ck_assert(!seed_input_less(chain, other));
    other.prefix.links[1].size = 8;
    plain.prefix.count = 0;
    styled.prefix.links[1].style = SEED_STYLED;
    const seed_input ordered[] = {seed_input_cut(chain, 60), plain, chain, styled, other};
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < 5; k++) {
            ck_assert_int_eq(seed_input_less(ordered[i], ordered[k]), i < k);
            ck_assert_int_eq(seed_input_equal(ordered[i], ordered[k]), i == k);
        }
    }
}
