/* rejected.c: what was rejected is known, what begins with a rejected prefix too, nothing else. */
#include "reduction.h"
#include "suite.h"

static const uint8_t *bytes_of(const char *text) { return (const uint8_t *)text; }

static bool knows(const rejected_cache *c, const uint8_t *bytes, size_t size) {
    return rejected_cache_has_digest(c, digest_of(bytes, size)) ||
           rejected_cache_has_prefix(c, bytes, size);
}

static bool has(const rejected_cache *c, const char *text) {
    return knows(c, bytes_of(text), strlen(text));
}

TEST(a_rejected_candidate_or_prefix_is_known_and_no_other) {
    rejected_cache c;
    rejected_cache_init(&c, 4);
    ck_assert(!has(&c, "") && !has(&c, "a"));
    rejected_cache_add_digest(&c, digest_of(bytes_of("ab"), 2));
    ck_assert(has(&c, "ab") && !has(&c, "a") && !has(&c, "abc") && !has(&c, "ba"));
    ck_assert(!knows(&c, bytes_of("ab\0"), 3)); /* the size counts */
    rejected_cache_add_digest(&c, digest_of(NULL, 0));
    for (unsigned i = 0; i <= UINT8_MAX; i++) ck_assert(!knows(&c, &(uint8_t){(uint8_t)i}, 1));
    rejected_cache_add_prefix(&c, bytes_of("cd"), 2);
    rejected_cache_add_prefix(&c, bytes_of("efghi"), 5); /* too long: nothing to remember */
    ck_assert(has(&c, "cd") && has(&c, "cdefghij") && !has(&c, "c") && !has(&c, "ce"));
    rejected_cache_add_prefix(&c, NULL, 0);
    ck_assert(has(&c, "") && has(&c, "q"));
    rejected_cache_finish(&c);
}

/* It may forget, but never invents; what was just added is there. */
TEST(more_candidates_fit_than_are_kept) {
    enum { MANY = 2200000 }; /* at 2^21 the table is emptied */
    rejected_cache c;
    rejected_cache_init(&c, 8);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t odd = 2 * i + 1, even = 2 * i;
        if (i % 3 == 0) rejected_cache_add_prefix(&c, (const uint8_t *)&odd, sizeof odd);
        if (i % 3 != 0) rejected_cache_add_digest(&c, digest_of((const uint8_t *)&odd, sizeof odd));
        if (!knows(&c, (const uint8_t *)&odd, sizeof odd)) ck_abort_msg("%u is lost", i);
        if (knows(&c, (const uint8_t *)&even, sizeof even)) ck_abort_msg("%u is invented", i);
    }
    ck_assert(c.count <= c.capacity / 2 && c.capacity <= 1 << 22);
    rejected_cache_finish(&c);
}
