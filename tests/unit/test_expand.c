/* frng_expand.h: the frozen format, on known answers from Zig's DefaultPrng and by its laws. */
#include "frng_expand.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t seeds[] = {0, 1, 92, 0xdeadbeef, UINT64_MAX, UINT64_C(1) << 63, 16842751};
enum { SEEDS = sizeof seeds / sizeof *seeds };

static const struct {
    uint64_t seed;
    const char *hex;
} known[] = {
    {0, "df230b49615d175307d580c33d6fda61fc7b9aec"},
    {1, "9bc2036f7fd0c5cf8de03f96324142bf20f5aa57"},
    {92, "28617370ca91d92546cdfcac7228533b2e56811a"},
    {0xdeadbeef, "de8ea9feb80e520ce2e0808b33a6742b225379c3"},
    {UINT64_MAX, "b2278e94cef8cc56905b5a2e438885e68bca1981"},
    {92, "28617370ca91d92546cdfcac7228533b2e56811a1a43cfab20d60609641ee2cb"
         "fb789ab7b190e74d3a49dc85062ee4f90fc9774855ab28416347bb7403b00939"},
};

static const char *hex_of(const uint8_t *bytes, size_t size) {
    static char text[256];
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    text[2 * size] = 0;
    return text;
}

TEST(seeds_have_their_known_bytes) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint8_t bytes[64];
        const size_t size = strlen(known[i].hex) / 2;
        frng_expand(known[i].seed, bytes, size);
        ck_assert_str_eq(hex_of(bytes, size), known[i].hex);
    }
    ck_assert_int_eq(FRNG_EXPAND_FORMAT, 1);
}

/* FNV-1a of the first MiB of seed 42, from an implementation of its own in another language. */
TEST(known_digest_of_a_mebibyte) {
    const size_t size = 1 << 20;
    uint8_t *bytes = malloc(size);
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    ck_assert_ptr_nonnull(bytes);
    frng_expand(42, bytes, size);
    for (size_t i = 0; i < size; i++) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    free(bytes);
    ck_assert_uint_eq(digest, UINT64_C(0x08d8db0888b3315b));
}

/* Every size at every alignment: a prefix of the longest, and not a byte written around it. */
TEST_EACH(sizes_are_prefixes_at_every_alignment, SEEDS) {
    uint8_t longest[64], buffer[96];
    frng_expand(seeds[_i], longest, sizeof longest);
    for (size_t size = 0; size <= 64; size++) {
        for (size_t offset = 1; offset <= 16; offset++) {
            memset(buffer, 0x5a, sizeof buffer);
            frng_expand(seeds[_i], buffer + offset, size);
            ck_assert_mem_eq(buffer + offset, longest, size);
            for (size_t k = 0; k < sizeof buffer; k++) {
                if (k < offset || k >= offset + size) ck_assert_uint_eq(buffer[k], 0x5a);
            }
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

/* In two fills, cut at every multiple of 8, and in fills of 8. */
TEST_EACH(fills_go_on_at_whole_words, SEEDS) {
    uint8_t whole[61], parts[61];
    frng_expand(seeds[_i], whole, sizeof whole);
    for (size_t cut = 0; cut < sizeof whole; cut += 8) {
        memset(parts, 0, sizeof parts);
        frng_expansion e = frng_expansion_init(seeds[_i]);
        frng_expansion_fill(&e, parts, cut);
        frng_expansion_fill(&e, parts + cut, sizeof parts - cut);
        ck_assert_mem_eq(parts, whole, sizeof whole);
    }
    memset(parts, 0, sizeof parts);
    frng_expansion e = frng_expansion_init(seeds[_i]);
    for (size_t at = 0; at < 56; at += 8) frng_expansion_fill(&e, parts + at, 8);
    frng_expansion_fill(&e, parts + 56, sizeof parts - 56);
    ck_assert_mem_eq(parts, whole, sizeof whole);
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

TEST(seeds_have_different_bytes) {
    uint8_t bytes[SEEDS][8];
    for (size_t i = 0; i < SEEDS; i++) {
        frng_expand(seeds[i], bytes[i], 8);
        for (size_t k = 0; k < i; k++) ck_assert_mem_ne(bytes[i], bytes[k], 8);
    }
}
