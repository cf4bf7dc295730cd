/* sites.c: records know where a draw was made, and how deep, in each compiler and at each level: a
 * letter for each site, by its first draw, and a digit for each frame below the first one.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

enum { RECORDS = 64 };
static union {
    frng_report report;
    char bytes[sizeof(frng_report) + RECORDS * sizeof(frng_trace_record)];
} shared;

/* A tree: 1 has two children, 0 is a leaf. */
__attribute__((noinline)) static bool tree(frng *f, int depth) {
    size_t node;
    uint8_t leaf;
    FRNG_TRY(frng_pick(f, 2, &node));
    if (node == 0) {
        FRNG_TRY(frng_u8_max(f, 9, &leaf));
    } else {
        FRNG_TRY(tree(f, depth + 1));
        FRNG_TRY(tree(f, depth + 1));
    }
    return frng_used(f) > 0; /* a call in the last place would share the frame */
}

static bool test(frng *f) {
    char word[4];
    int x;
    double real;
    uint64_t mask;
    size_t order[3];
    for (volatile int i = 0; i < 2; i++) { /* one place, of several bounds */
        FRNG_TRY(frng_int_range(f, 0, i, &x));
        FRNG_TRY(frng_string(f, FRNG_LOWER, 2, 2, word));
    }
    FRNG_TRY(frng_int_range(f, 0, 1, &x)); /* the same bounds, another place */
    FRNG_TRY(frng_f64_any(f, &real));
    FRNG_TRY(frng_subset(f, 3, &mask));
    FRNG_TRY(frng_permutation(f, 3, order));
    FRNG_TRY(tree(f, 0));
    return frng_used(f) > 0;
}

static bool test_of_many(frng *f) {
    uint8_t x;
    for (;;) FRNG_TRY(frng_u8(f, &x));
}

/* Run a test, and write its draws to `seen`. */
static void see(frng_test run, const char *bytes, size_t size, char *seen) {
    frng__run_state *state = frng__state();
    frng f = frng_init(bytes, size);
    uint16_t depths[RECORDS];
    size_t known = 0, k;
    state->report = &shared.report;
    state->records = (frng_trace_record *)(void *)(&shared.report + 1);
    state->record_count = RECORDS;
    shared.report.traced = 0;
    f.host = &state->tracing;
    FRNG_ASSERT(frng__judge(run, &f) == FRNG_EXIT_PASS);
    for (size_t i = 0; i < shared.report.traced && i < RECORDS; i++) {
        const frng_trace_record *r = &state->records[i];
        for (k = 0; k < known && depths[k] != r->depth; k++) {
        }
        FRNG_ASSERT(r->depth > 0 && (k < known || k == 0 || r->depth > depths[k - 1]));
        if (k == known) depths[known++] = r->depth;
        *seen++ = (char)(r->site == 0 ? '?' : 'a' + (int)r->site - 1);
        *seen++ = (char)('0' + k);
    }
    *seen = '\0';
}

int main(void) {
    static const char bytes[] = "\0\0\0\0"
                                "zzz"
                                "\0\0\0\0"
                                "zzz"
                                "\0\0\0\0"
                                "\0"
                                "\7"
                                "zz"
                                "\377\377\1\5\3\5\4\5";
    static const char expected[] = "a0b0b0b0a0b0b0b0c0d0e0f0f0g1g2g3h3g3h3g2h2";
    char seen[2 * RECORDS + 1];
    frng__set_hosts();
    for (int i = 0; i < 2; i++) { /* each run numbers its own sites */
        see(test, bytes, sizeof bytes - 1, seen);
        FRNG_ASSERT(strcmp(seen, expected) == 0, "%s", seen);
        see(test_of_many, "ab", 2, seen);
        FRNG_ASSERT(strcmp(seen, "a0a0") == 0, "%s", seen);
    }
    /* A stack that is far away, or above the first one, has no depth; places beyond the table have
     * no number. */
    frng__run_state *state = frng__state();
    FRNG_ASSERT(frng__depth(state, (const char *)state->frame - 32) == 2);
    FRNG_ASSERT(frng__depth(state, (const char *)state->frame + 32) == 0);
    FRNG_ASSERT(frng__depth(state, (const char *)state->frame - ((size_t)1 << 20)) == 0);
    for (size_t i = 0; i < 300; i++) {
        const uint32_t site = frng__site(state, shared.bytes + i);
        FRNG_ASSERT(site == (i < 255 ? i + 2 : 0), "%d: %u", (int)i, site);
    }
    return 0;
}
