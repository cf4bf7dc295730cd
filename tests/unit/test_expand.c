/* frng_expand.h: the frozen formats, on known answers from Zig's DefaultPrng (plain) and from an
 * implementation in Python (styled), and by their laws. */
#include "frng_expand.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t seeds[] = {0, 1, 92, 0xdeadbeef, UINT64_MAX, UINT64_C(1) << 63, 16842751};
enum { SEEDS = sizeof seeds / sizeof *seeds };

/* Styled ones of each width, with and without a lead; those of 39 are even. */
static const uint64_t styled_seeds[] = {0, 1, 2, 3, 5, 11, 17, 20, 33, 39, 47, 55, 92, UINT64_MAX};
enum { STYLED_SEEDS = sizeof styled_seeds / sizeof *styled_seeds };

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

/* The styles of these seeds use each width, each kind of chance, and leads. */
static const struct {
    uint64_t seed;
    const char *hex;
} styled_known[] = {
    {0, "61ffffffffffffff7fffffffffffffff7fffffffffffffff7f000000000000008000000000000000"},
    {1, "7fd000010000324142bfd656cd059f1108bfd656cd059f1108bfd656cd059f1108bfd656cd059f11"},
    {2, "00000080000000800000008000000080000006cc0000000000000000000000000000000000000000"},
    {3, "24000000800e00000000000038ffffff7f800e00000000000038ffffff7fe00038ffffff7f800e00"},
    {5, "ca02e6c5a1f61e4b879c9e0d06d0cc24010fe7c5a1f61e4b879ce5c5a1f61e4b879c37b9929b315a"},
    {9, "30c0aaeb30c0aaeb31c0aaeba68541e2dac5a567a72e4922a78541e2a5cd3437dac5a5679530b9b9"},
    {16, "f94a0dbdf94a0dbdf94a0dbdf94a0dbdf94a0dbdf94a0dbdf94a0dbdf94a0dbdf94a0dbdd46377a5"},
    {18, "01e79c2910c8c5f3e43292a198f26b1ef1ffffffffffffff0ccfa4f8caa722ded387d7195c4be6aa"},
    {20, "04000000ffffffffff000000800000000008000000fffffffffdffffff00000000000000800f0000"},
    {27, "dc26228ebf29ed31048d636e95d3eb6b288c4fcdf6d94af81d10bf29edb68c354d57165bcf4af81d"},
    {32, "779dffffffffffffffffffffffff00000080ffffffff0000000000000080ffffffffffffff7f0000"},
    {39, "1680fdb57ea9702587bfa60ab68ca5588bbda643d740845d10c9944ea7e9ed22dc92793d8933caec"},
    {47, "6a6a6a6a6a6a6a6a6a6a6a6abd6a6a6abd6a6a6a6abd6a6abd6a6a6abd6a6a6a6a6a6a6a6a6a6a6a"},
    {52, "dbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdb"},
    {92, "464646ac4646ffffffffffffffffffffffffffffffff4646ffffffffffffffffffffffffffffffff"},
    {0xdeadbeef,
     "fffffffffffffffffeffffffffffffff2392ff6399206a432492ff6399206a436497b4be9468cb0c"},
    {UINT64_MAX,
     "0000000000000000ffffffff0080ffffffff0000000000000000008000000080ffffffffffffff7f"},
    {713, "800000ffffff7fffffffff000020000000000000800dffffffff0600000000000080000000000000"},
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

TEST(styled_seeds_have_their_known_bytes) {
    for (size_t i = 0; i < sizeof styled_known / sizeof *styled_known; i++) {
        uint8_t bytes[64];
        const size_t size = strlen(styled_known[i].hex) / 2;
        frng_expand_styled(styled_known[i].seed, bytes, size);
        ck_assert_str_eq(hex_of(bytes, size), styled_known[i].hex);
    }
}

/* FNV-1a, continued. */
static uint64_t digest_of(uint64_t digest, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    return digest;
}

enum { DIGESTED = 1 << 20 };
#define DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* The first MiB of some seeds, from implementations of their own in other languages. */
TEST(known_digests_of_a_mebibyte) {
    static const uint64_t known_of[] = {UINT64_C(0x810dc4024df73c80), UINT64_C(0x2c0f0daca538d717)};
    uint8_t *bytes = malloc(DIGESTED);
    ck_assert_ptr_nonnull(bytes);
    frng_expand(42, bytes, DIGESTED);
    ck_assert_uint_eq(digest_of(DIGEST_OF_NOTHING, bytes, DIGESTED), UINT64_C(0x08d8db0888b3315b));
    for (uint64_t seed = 1; seed <= 2; seed++) {
        frng_expand_styled(seed, bytes, DIGESTED);
        ck_assert_uint_eq(digest_of(DIGEST_OF_NOTHING, bytes, DIGESTED), known_of[seed - 1]);
    }
    free(bytes);
}

TEST(known_digest_of_a_thousand_styles) {
    uint64_t digest = DIGEST_OF_NOTHING;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        uint8_t bytes[1000];
        frng_expand_styled(seed, bytes, sizeof bytes);
        digest = digest_of(digest, bytes, sizeof bytes);
    }
    ck_assert_uint_eq(digest, UINT64_C(0xe533e67e6aa0b40b));
}

/* A style without any chance: the bytes of a plain seed, but for the output that says so. */
TEST(an_even_style_is_plain) {
    uint8_t plain[72], styled[64];
    frng_expand(39, plain, sizeof plain);
    frng_expand_styled(39, styled, sizeof styled);
    ck_assert_mem_eq(styled, plain + 8, sizeof styled);
}

/* Every size at every alignment: a prefix of the longest, and not a byte written around it. */
static void expect_prefixes(void (*expand)(uint64_t, uint8_t *, size_t), uint64_t seed) {
    uint8_t longest[64], buffer[96];
    expand(seed, longest, sizeof longest);
    for (size_t size = 0; size <= 64; size++) {
        for (size_t offset = 1; offset <= 16; offset++) {
            memset(buffer, 0x5a, sizeof buffer);
            expand(seed, buffer + offset, size);
            ck_assert_mem_eq(buffer + offset, longest, size);
            for (size_t k = 0; k < sizeof buffer; k++) {
                if (k < offset || k >= offset + size) ck_assert_uint_eq(buffer[k], 0x5a);
            }
        }
    }
}

TEST_EACH(sizes_are_prefixes_at_every_alignment, SEEDS) { expect_prefixes(frng_expand, seeds[_i]); }

TEST_EACH(styled_sizes_are_prefixes_at_every_alignment, STYLED_SEEDS) {
    expect_prefixes(frng_expand_styled, styled_seeds[_i]);
}

/* In fills of all multiples of 8, each elsewhere: nothing is read back that a test could have
 * overwritten. */
TEST_EACH(styled_fills_go_on_wherever_they_are, STYLED_SEEDS) {
    uint8_t whole[1000], part[1000];
    frng_expand_styled(styled_seeds[_i], whole, sizeof whole);
    for (size_t step = 8; step < sizeof whole; step += 8) {
        frng_expansion e = frng_expansion_styled(styled_seeds[_i]);
        for (size_t at = 0; at < sizeof whole; at += step) {
            const size_t count = sizeof whole - at < step ? sizeof whole - at : step;
            frng_expansion_fill(&e, part, count);
            ck_assert_mem_eq(part, whole + at, count);
            memset(part, 0, sizeof part);
        }
    }
}

/* ---- Beside an implementation that follows the words of DRAWS.md, one word at a time ---- */

enum { LONGEST = 5000 };

static uint64_t output(uint64_t s[4]) {
    const uint64_t sum = s[0] + s[3], result = (sum << 23 | sum >> 41) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

static uint64_t extreme_of(uint64_t random, unsigned width) {
    const uint64_t top = UINT64_MAX >> (64 - 8 * width), small = random >> 4 & 15;
    switch (random & 15) {
    case 0:
    case 1: return 0;
    case 2:
    case 3:
    case 4:
    case 5: return top;
    case 6:
    case 7: return top >> 1;
    case 8:
    case 9:
    case 10:
    case 11: return (top >> 1) + 1;
    case 12: return small;
    case 15: return top - small;
    default: return UINT64_C(1) << (random >> 4) % (8 * width);
    }
}

typedef struct plain_words {
    unsigned width, edge, repeat, near, window;
    uint64_t words[LONGEST + 8], made, distance; /* distance 0: no window is open */
    uint64_t extreme;
    unsigned extreme_left; /* bytes */
} plain_words;

static uint64_t plain_word(plain_words *w, uint64_t random, unsigned how) {
    static const unsigned wide[] = {1, 4, 4, 8};
    const uint64_t number = random & (UINT64_MAX >> (64 - 8 * w->width));
    const uint64_t back = 1 + ((number & 255) * (w->made < 64 ? w->made : 64) >> 8);
    const uint64_t *now = w->words + w->made;
    const unsigned chance = how >> 2, window = w->repeat + w->window, edge = window + w->edge;
    if (w->extreme_left > 0) {
        w->extreme >>= 8 * w->width;
        w->extreme_left -= w->width;
        return w->extreme;
    }
    if (w->distance > 0 && chance >= 8) return *(now - w->distance);
    if (w->distance > 0) {
        w->distance = 0;
        return number;
    }
    if (chance >= window && chance < edge) {
        unsigned width = w->width;
        if (width <= 2 && wide[how & 3] > width) width = wide[how & 3];
        w->extreme = extreme_of(random, width);
        w->extreme_left = width - w->width;
        return w->extreme;
    }
    if (w->made == 0 || chance >= edge + w->near) return number;
    if (chance >= edge) return *(now - back) + (how % 2 == 1 ? 1 : UINT64_MAX);
    if (chance >= w->repeat) w->distance = back;
    return *(now - back);
}

/* LONGEST bytes of a styled seed. */
static void expand_plainly(uint64_t seed, uint8_t *bytes) {
    static const unsigned widths[] = {1, 1, 2, 4, 4, 4, 8, 8},
                          edges[] = {0, 0, 0, 8, 24, 48, 60, 63};
    static const unsigned repeats[] = {0, 0, 0, 8, 32, 56, 62, 63},
                          rare[] = {0, 0, 0, 0, 2, 4, 8, 16};
    static const unsigned leads[] = {0, 0, 0, 0, 0, 1, 1, 2};
    static plain_words w;
    uint64_t s[4];
    for (int i = 0; i < 4; i++) s[i] = frng__splitmix64(&seed);
    const uint64_t pick = output(s);
    w = (plain_words){.width = widths[pick & 7],
                      .edge = edges[pick >> 3 & 7],
                      .repeat = repeats[pick >> 6 & 7],
                      .near = rare[pick >> 9 & 7],
                      .window = rare[pick >> 12 & 7]};
    if (w.edge >= 48 && (pick >> 18 & 1) == 1) w.repeat = 0;
    const bool is_even = w.edge + w.repeat + w.near + w.window == 0;
    const unsigned lead = is_even ? 0 : leads[pick >> 15 & 7] % w.width;
    for (unsigned i = 0; i < lead; i++) bytes[i] = (uint8_t)(pick >> 32 >> 8 * i);
    for (size_t at = lead; at < LONGEST;) {
        const uint64_t fresh = output(s), picks = is_even ? 0 : output(s);
        for (unsigned i = 0; i < 8 && is_even && at < LONGEST; i++) {
            bytes[at++] = (uint8_t)(fresh >> 8 * i);
        }
        for (unsigned bit = 0; bit < 64 && !is_even; bit += 8 * w.width) {
            const uint64_t random = bit == 0 ? fresh : fresh >> bit | fresh << (64 - bit);
            const uint64_t mask = UINT64_MAX >> (64 - 8 * w.width);
            const uint64_t word = plain_word(&w, random, (unsigned)(picks >> bit & 255)) & mask;
            w.words[w.made++] = word;
            for (unsigned i = 0; i < w.width && at < LONGEST; i++) {
                bytes[at++] = (uint8_t)(word >> 8 * i);
            }
        }
    }
}

/* Every size up to 300 and the longest, at once and in fills of each of some sizes. */
static void expect_plain_bytes(uint64_t seed, size_t step) {
    uint8_t expected[LONGEST], bytes[LONGEST + 1];
    expand_plainly(seed, expected);
    for (size_t size = 0; size <= LONGEST; size = size < 300 ? size + 1 : size + 1175) {
        memset(bytes, 0x5a, sizeof bytes);
        frng_expand_styled(seed, bytes, size);
        if (memcmp(bytes, expected, size) != 0) ck_abort_msg("seed %zus", (size_t)seed);
        ck_assert_uint_eq(bytes[size], 0x5a);
    }
    frng_expansion e = frng_expansion_styled(seed);
    for (size_t at = 0; at < LONGEST; at += step) {
        const size_t count = LONGEST - at < step ? LONGEST - at : step;
        frng_expansion_fill(&e, bytes, count);
        if (memcmp(bytes, expected + at, count) != 0) {
            ck_abort_msg("seed %zus at %zu, in fills of %zu", (size_t)seed, at, step);
        }
    }
}

/* Twenty seeds for each of 64 sizes of fills. */
TEST_EACH(styled_bytes_are_those_of_the_description, 64) {
    for (uint64_t k = 0; k < 20; k++) {
        uint64_t mixed = 20 * (uint64_t)_i + k;
        expect_plain_bytes(k % 2 == 0 ? mixed : frng__splitmix64(&mixed), 8 * (1 + (size_t)_i));
    }
}

/* A word of a styled seed is an extreme, an earlier one, its neighbour, or any: all occur. */
TEST(styles_have_extremes_and_repetitions) {
    uint32_t lowest = 0, equal = 0, next = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        uint8_t bytes[24];
        uint64_t words[3] = {0, 0, 0};
        frng_expand_styled(seed, bytes, sizeof bytes);
        for (unsigned i = 0; i < 24; i++) words[i / 8] |= (uint64_t)bytes[i] << (i % 8 * 8);
        lowest += words[1] == 0;
        equal += words[1] == words[2];
        next += words[1] + 1 == words[2] || words[1] == words[2] + 1;
    }
    ck_assert_uint_ge(lowest, 10);
    ck_assert_uint_ge(equal, 100);
    ck_assert_uint_ge(next, 5);
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
