/* frng_expand.h: the frozen formats by their laws, and long ones by digests of implementations in
 * other languages. frng/vectors.json has literal bytes, and tests/ports compares ports on random
 * seeds. SPDX-License-Identifier: MIT */
#include "frng_expand.h"
#include "suite.h"

/* The styled seeds have each width, with and without a lead; those of 39 are even. */
static const uint64_t seeds[] = {0, 1, 2, 3, 5, 11, 16, 17, 20, 33, 39, 47, 55, 92, UINT64_MAX};
enum { SEEDS = sizeof seeds / sizeof *seeds };

static void expand(bool is_styled, uint64_t seed, uint8_t *bytes, size_t size) {
    (is_styled ? frng_expand_styled : frng_expand)(seed, bytes, size);
}

static frng_expansion expansion(bool is_styled, uint64_t seed) {
    return is_styled ? frng_expansion_styled(seed) : frng_expansion_init(seed);
}

/* FNV-1a, continued. */
static uint64_t digest_of(uint64_t digest, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    return digest;
}

enum { DIGESTED = 1 << 20 };
#define DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* The first MiB of some seeds, from implementations of their own in other languages; and the first
 * 1,000 bytes of a thousand styles. */
TEST(known_digests) {
    static const struct {
        bool is_styled;
        uint64_t seed, digest;
    } digests[] = {{false, 42, UINT64_C(0x08d8db0888b3315b)},
                   {true, 1, UINT64_C(0x810dc4024df73c80)},
                   {true, 2, UINT64_C(0x2c0f0daca538d717)}};
    static uint8_t bytes[DIGESTED];
    uint64_t digest = DIGEST_OF_NOTHING;
    ck_assert_int_eq(FRNG_EXPAND_FORMAT, 1);
    for (size_t i = 0; i < 3; i++) {
        expand(digests[i].is_styled, digests[i].seed, bytes, sizeof bytes);
        ck_assert_uint_eq(digest_of(DIGEST_OF_NOTHING, bytes, DIGESTED), digests[i].digest);
    }
    for (uint64_t seed = 0; seed < 1000; seed++) {
        frng_expand_styled(seed, bytes, 1000);
        digest = digest_of(digest, bytes, 1000);
    }
    ck_assert_uint_eq(digest, UINT64_C(0xe533e67e6aa0b40b));
}

/* Every size at every alignment: a prefix of the longest, and not a byte written around it. */
TEST_EACH(a_size_is_a_prefix_of_a_longer_one, 2 * SEEDS) {
    const uint64_t seed = seeds[_i / 2];
    uint8_t longest[64], buffer[96];
    expand(_i % 2, seed, longest, sizeof longest);
    for (size_t size = 0; size <= 64; size++) {
        for (size_t offset = 1; offset <= 16; offset++) {
            memset(buffer, 0x5a, sizeof buffer);
            expand(_i % 2, seed, buffer + offset, size);
            ck_assert_mem_eq(buffer + offset, longest, size);
            for (size_t k = 0; k < sizeof buffer; k++) {
                if (k < offset || k >= offset + size) ck_assert_uint_eq(buffer[k], 0x5a);
            }
        }
    }
}

/* In fills of each multiple of 8, into the same place. */
TEST_EACH(fills_go_on_at_whole_words, 2 * SEEDS) {
    uint8_t whole[1000], part[1000];
    expand(_i % 2, seeds[_i / 2], whole, sizeof whole);
    for (size_t step = 8; step < sizeof whole; step += 8) {
        frng_expansion e = expansion(_i % 2, seeds[_i / 2]);
        for (size_t at = 0; at < sizeof whole; at += step) {
            const size_t count = sizeof whole - at < step ? sizeof whole - at : step;
            frng_expansion_fill(&e, part, count);
            ck_assert_mem_eq(part, whole + at, count);
            memset(part, 0, sizeof part);
        }
    }
}

TEST(nothing_may_be_nowhere) {
    uint8_t byte;
    frng_expansion e = frng_expansion_init(1);
    frng_expand(1, NULL, 0);
    frng_expansion_fill(&e, NULL, 0);
    frng_expansion_fill(&e, &byte, 1);
    ck_assert_uint_eq(byte, 0x9b);
}

/* A tail takes one output whole: what follows it starts at the next one. */
TEST(a_tail_costs_a_whole_word) {
    uint8_t whole[24], parts[16];
    frng_expand(92, whole, sizeof whole);
    for (size_t tail = 1; tail < 8; tail++) {
        frng_expansion e = frng_expansion_init(92);
        frng_expansion_fill(&e, parts, tail);
        frng_expansion_fill(&e, parts, sizeof parts);
        ck_assert_mem_eq(parts, whole + 8, sizeof parts);
    }
}
