/* patch.h: changes by draws on literal sequences, and the laws of merging and moving them. */
#include "patch.h"
#include "suite.h"

#include "drawn.h"
#include "rounds.h"

/* Of bytes, a byte a draw. */
static testcase bytes_of(const char *text) {
    testcase t;
    const size_t size = strlen(text);
    ck_assert(testcase_init(&t, traced_run_of((const uint8_t *)text, size)));
    ck_assert_uint_eq(t.count, size);
    return t;
}

static const char *text_of(const testcase *t) {
    static char text[256];
    ck_assert_uint_lt(t->size, sizeof text);
    memcpy(text, t->bytes, t->size);
    text[t->size] = '\0';
    return text;
}

static const char *apply(const patch *p, const char *text) {
    testcase base = bytes_of(text), out = {0};
    ck_assert(patch_apply(p, &base, &out));
    ck_assert_uint_eq(out.count, out.size);
    const char *made = text_of(&out);
    testcase_finish(&base);
    testcase_finish(&out);
    return made;
}

TEST(literal_changes) {
    static patch p;
    ck_assert_str_eq(apply(&p, "abc"), "abc");
    ck_assert_str_eq(apply(&p, ""), "");
    ck_assert(patch_delete(&p, 1, 2));
    ck_assert_str_eq(apply(&p, "abcd"), "ad");
    ck_assert(patch_set(&p, 0, 'x'));
    ck_assert_str_eq(apply(&p, "abcd"), "xd");
    ck_assert_uint_eq(p.changes[0].first, 0);
    ck_assert(patch_copy(&p, (draw_row){3, 4}, (draw_row){0, 2})); /* of what was there before */
    ck_assert_str_eq(apply(&p, "abcde"), "xabe");
    patch_clear(&p);
    ck_assert(patch_add(&p, (change){.first = 1, .count = 3, .kind = CHANGE_SET, .rank = '.'}));
    ck_assert_str_eq(apply(&p, "abcde"), "a...e");
    patch_clear(&p);
    ck_assert(patch_delete(&p, 0, 3));
    ck_assert_str_eq(apply(&p, "abc"), "");
    patch_clear(&p);
    ck_assert(patch_copy(&p, (draw_row){0, 1}, (draw_row){1, 3})); /* a swap */
    ck_assert(patch_copy(&p, (draw_row){1, 3}, (draw_row){0, 1}));
    ck_assert_str_eq(apply(&p, "abcd"), "bcad");
}

TEST(insertions_and_what_is_alike) {
    static patch p;
    ck_assert(patch_insert(&p, 3, 0, 'x'));
    ck_assert_str_eq(apply(&p, "abc"), "abcx");
    ck_assert_str_eq(apply(&p, "abcd"), "abcxd");
    ck_assert(patch_delete(&p, 1, 2)); /* they meet at 3, and do not touch */
    ck_assert_str_eq(apply(&p, "abcd"), "axd");
    patch_clear(&p);
    ck_assert(patch_insert(&p, 0, 2, 'y'));
    ck_assert_str_eq(apply(&p, "abc"), "yabc");
    patch_clear(&p);
    ck_assert(patch_set_alike(&p, 1, 2, '.'));
    ck_assert(!patch_set(&p, 2, 'z'));
    ck_assert_str_eq(apply(&p, "abcd"), "a..d");
}

TEST(overlap_is_refused_and_changes_nothing) {
    static patch p, q;
    ck_assert(patch_delete(&p, 2, 3));
    q = p;
    for (size_t first = 0; first < 8; first++) {
        for (size_t count = 1; count < 8; count++) {
            patch now = p;
            const bool touches = first < 5 && first + count > 2;
            ck_assert_int_eq(patch_delete(&now, first, count), !touches);
            if (touches) ck_assert_mem_eq(&now, &q, sizeof q);
        }
    }
    ck_assert(patch_set(&p, 5, 0));
    ck_assert(patch_set(&p, 1, 0));
    ck_assert(!patch_set(&p, 5, 1));
    ck_assert_uint_eq(p.count, 3);
}

TEST(there_is_room_for_so_many) {
    static patch p;
    for (size_t i = 0; i < PATCH_MAX; i++) ck_assert(patch_set(&p, 2 * (PATCH_MAX - i), 1));
    ck_assert(!patch_set(&p, 1, 1));
    ck_assert_uint_eq(p.count, PATCH_MAX);
    for (size_t i = 1; i < PATCH_MAX; i++) {
        ck_assert_uint_lt(p.changes[i - 1].first, p.changes[i].first);
    }
}

/* ---- Draws of other widths ---- */

static bool mixed(frng *f, int *status) {
    uint8_t a;
    int16_t b;
    size_t c;
    bool d;
    (void)status;
    FRNG_TRY(frng_u8_max(f, 9, &a));
    FRNG_TRY(frng_i16_range(f, -3, 3, &b));
    FRNG_TRY(frng_index(f, 7, &c));
    FRNG_TRY(frng_bool(f, &d));
    return true;
}

/* Of a byte, two coins, two bytes and a coin. */
static bool bytes_and_coins(frng *f, int *status) {
    uint8_t byte;
    bool coin;
    (void)status;
    for (unsigned i = 0; i < 6; i++) {
        if (i == 0 || i == 3 || i == 4)
            FRNG_TRY(frng_u8(f, &byte));
        else
            FRNG_TRY(frng_bool(f, &coin));
    }
    return true;
}

static const struct {
    change edit;
    bool keeps;
} moves[] = {
    {{.first = 1, .count = 1, .kind = CHANGE_DELETE}, true},  /* a coin comes to the coin */
    {{.first = 1, .count = 2, .kind = CHANGE_DELETE}, false}, /* a byte */
    {{.first = 0, .count = 3, .kind = CHANGE_DELETE}, true},
    {{.first = 3, .count = 3, .kind = CHANGE_DELETE}, true}, /* the end */
    {{.first = 1, .count = 1, .kind = CHANGE_COPY, .from = 5, .length = 1}, true},
    {{.first = 1, .count = 1, .kind = CHANGE_COPY, .from = 4, .length = 1}, false},
    {{.first = 4, .count = 1, .kind = CHANGE_SET, .rank = 3}, true},
    {{.first = 6, .count = 0, .kind = CHANGE_INSERT, .from = 0, .rank = 3}, true},
};

TEST_EACH(what_is_moved_keeps_its_meaning_or_not, sizeof moves / sizeof moves[0]) {
    static const uint8_t bytes[] = {9, 1, 0, 8, 7, 1};
    testcase base = testcase_drawn(bytes_and_coins, bytes, sizeof bytes);
    static patch p;
    ck_assert_uint_eq(base.count, 6);
    ck_assert(patch_add(&p, moves[_i].edit));
    ck_assert_int_eq(patch_keeps_meaning(&p, &base), moves[_i].keeps);
    testcase_finish(&base);
}

TEST(bytes_are_canonical_and_ranks_within_bounds) {
    uint8_t noise[64];
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)(i * 37 + 200);
    testcase base = testcase_drawn(mixed, noise, sizeof noise), out = {0};
    static patch p;
    ck_assert_uint_eq(base.count, 4);
    ck_assert(patch_apply(&p, &base, &out));
    ck_assert_uint_eq(out.size, 12);
    testcase again = testcase_drawn(mixed, out.bytes, out.size); /* it draws what it says */
    ck_assert_uint_eq(again.size, out.size);
    ck_assert_int_eq(testcase_compare(&again, &out), 0);
    for (size_t i = 0; i < 4; i++) ck_assert_uint_eq(out.draws[i].rank, base.draws[i].rank);
    ck_assert(patch_add(&p, (change){.count = 4, .kind = CHANGE_SET, .rank = 1000}));
    ck_assert(patch_apply(&p, &base, &out));
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(out.draws[i].rank, draw_rank_max(&base.draws[i]));
    }
    ck_assert_str_eq(values_of(&out), "9 -3 6 1");
    patch_clear(&p);
    ck_assert(patch_set_alike(&p, 2, 2, 1000)); /* of two kinds */
    ck_assert(patch_insert(&p, 4, 3, 1));
    ck_assert(patch_apply(&p, &base, &out));
    ck_assert_uint_eq(out.draws[2].rank, 6);
    ck_assert_uint_eq(out.draws[3].rank, base.draws[3].rank);
    ck_assert_uint_eq(out.draws[4].kind, FRNG_BOOL);
    ck_assert_uint_eq(out.size, 13);
    testcase_finish(&base);
    testcase_finish(&again);
    testcase_finish(&out);
}

/* ---- Laws ---- */

enum { LENGTH = 24 };

static bool inserts_anywhere; /* not only at the end */

static void random_patch(patch *p, uint64_t *state) {
    const uint64_t changes = 1 + dice(state, 4);
    patch_clear(p);
    for (uint64_t i = 0; i < changes; i++) {
        const size_t first = dice(state, LENGTH), count = 1 + dice(state, 3);
        const size_t from = dice(state, LENGTH), length = dice(state, 4);
        if (first + count > LENGTH || from + length > LENGTH) continue;
        switch (dice(state, 5)) {
        case 0: patch_delete(p, first, count); break;
        case 3: patch_set_alike(p, first, count, 'A' + dice(state, 26)); break;
        case 4:
            patch_insert(p, inserts_anywhere ? first : LENGTH, from, 'A' + dice(state, 26));
            break;
        case 1:
            patch_add(p, (change){.first = first,
                                  .count = count,
                                  .kind = CHANGE_SET,
                                  .rank = 'A' + dice(state, 26)});
            break;
        default:
            patch_copy(p, (draw_row){first, first + count}, (draw_row){from, from + length});
            break;
        }
    }
}

TEST(insertions_where_others_begin) {
    static patch p;
    ck_assert(patch_delete(&p, 1, 2));
    ck_assert(patch_insert(&p, 1, 0, 'x'));
    ck_assert_str_eq(apply(&p, "abcd"), "axd");
}

/* It may see too little, but nothing simpler is overlooked. */
TEST(what_can_be_simpler) {
    inserts_anywhere = true;
    static patch p;
    uint64_t state = 2;
    unsigned simpler = 0, refused = 0;
    testcase out = {0};
    for (int i = 0; i < 100000 / ROUNDS_STEP; i++) {
        char text[LENGTH + 1] = {0};
        for (size_t k = 0; k < LENGTH; k++) text[k] = (char)('@' + dice(&state, 4));
        testcase base = bytes_of(text);
        random_patch(&p, &state);
        ck_assert(patch_apply(&p, &base, &out));
        const bool may = patch_may_simplify(&p, &base);
        if (testcase_compare(&out, &base) < 0) {
            simpler++;
            if (!may) ck_abort_msg("overlooked in %s: %s", text, text_of(&out));
        }
        refused += !may;
        testcase_finish(&base);
    }
    ck_assert_uint_gt(simpler, 1000);
    ck_assert_uint_gt(refused, 1000);
    testcase_finish(&out);
}
