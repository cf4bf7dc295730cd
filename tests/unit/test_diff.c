/* diff.h: differences as patches, on all small strings and some test cases with draws. */
#include "diff.h"
#include "suite.h"

#include "drawn.h"

#include <assert.h>

#include <stdint.h>

static testcase bytes_of(const uint8_t *bytes, size_t size) {
    testcase t;
    ck_assert(testcase_init(&t, bytes, size, size, NULL, 0));
    return t;
}

static testcase text_of(const char *text) { return bytes_of((const uint8_t *)text, strlen(text)); }

/* ---- Deletions ---- */

enum { SMALL = 7, LARGE = 12 };

/* String `number` of this size over {a, b}. */
static void spell(unsigned number, size_t size, uint8_t *bytes) {
    assert(size <= LARGE);
    for (size_t i = 0; i < size; i++) bytes[i] = number >> i & 1 ? 'b' : 'a';
}

static bool is_subsequence(const uint8_t *of, size_t of_size, const uint8_t *bytes, size_t size) {
    size_t found = 0;
    for (size_t i = 0; i < of_size && found < size; i++) found += of[i] == bytes[found];
    return found == size;
}

/* When it says so, the patch makes just that, in order and of deletions. */
static bool check_deletions(const testcase *t, const uint8_t *bytes, size_t size) {
    static patch p;
    static testcase made;
    memset(&p, 0xee, sizeof p);
    if (!diff_deletions(t, bytes, size, &p)) return false;
    for (size_t i = 0; i < p.count; i++) {
        ck_assert_int_eq(p.changes[i].kind, CHANGE_DELETE);
        ck_assert_uint_gt(p.changes[i].count, 0);
        ck_assert_uint_le(p.changes[i].first + p.changes[i].count, t->count);
    }
    ck_assert(patch_apply(&p, t, &made));
    ck_assert_uint_eq(made.size, size);
    ck_assert(size == 0 || memcmp(made.bytes, bytes, size) == 0);
    return true;
}

TEST(all_small_strings) {
    uint8_t whole[LARGE], part[LARGE];
    for (size_t size = 0; size <= SMALL; size++) {
        for (unsigned n = 0; n < 1u << size; n++) {
            spell(n, size, whole);
            testcase t = bytes_of(whole, size);
            for (size_t part_size = 0; part_size <= SMALL; part_size++) {
                for (unsigned k = 0; k < 1u << part_size; k++) {
                    spell(k, part_size, part);
                    ck_assert(check_deletions(&t, part, part_size) ==
                              is_subsequence(whole, size, part, part_size));
                }
            }
            testcase_finish(&t);
        }
    }
}

/* One stretch was left out of a string over {a, b}, wherever. */
TEST(one_stretch) {
    uint8_t whole[LARGE], part[LARGE];
    for (unsigned n = 0; n < 1u << sizeof whole; n += 5) {
        spell(n, sizeof whole, whole);
        testcase t = bytes_of(whole, sizeof whole);
        for (size_t first = 0; first < sizeof whole; first++) {
            for (size_t count = 0; first + count <= sizeof whole; count++) {
                memcpy(part, whole, first);
                memcpy(part + first, whole + first + count, sizeof whole - first - count);
                ck_assert(check_deletions(&t, part, sizeof whole - count));
            }
        }
        testcase_finish(&t);
    }
}

TEST(no_deletions) {
    static const char *const others[] = {"abcabcx", "xabcabc", "abxabc",
                                         "cba",     "abcabca", "bb\xff"};
    static patch p;
    testcase t = text_of("abcabc"), none = {0};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const uint8_t *bytes = (const uint8_t *)others[i];
        ck_assert(strlen(others[i]) == 2 || !check_deletions(&t, bytes, strlen(others[i])));
    }
    ck_assert(diff_deletions(&t, t.bytes, t.size, &p));
    ck_assert_msg(p.count == 0, "it is the same");
    ck_assert(diff_deletions(&t, NULL, 0, &p));
    ck_assert_uint_eq(p.count, 1);
    ck_assert_uint_eq(p.changes[0].count, 6);
    ck_assert(check_deletions(&none, NULL, 0));
    ck_assert(!check_deletions(&none, t.bytes, 1));
    testcase_finish(&t);
}

/* A patch has room for so many places, and not for one more. */
TEST(many_places) {
    uint8_t whole[2 * PATCH_MAX + 3], part[PATCH_MAX + 2];
    for (size_t i = 0; i < sizeof whole; i++) whole[i] = i % 2 == 0 ? 'k' : (uint8_t)(128 + i / 2);
    memset(part, 'k', sizeof part);
    testcase fits = bytes_of(whole, sizeof whole - 2), more = bytes_of(whole, sizeof whole);
    ck_assert(check_deletions(&fits, part, PATCH_MAX + 1));
    ck_assert(!check_deletions(&more, part, PATCH_MAX + 2));
    testcase_finish(&fits);
    testcase_finish(&more);
}

/* ---- Changes ---- */

/* Where patch_rebase takes a set of draw `at`, or -1 where that was touched. */
static int where(const patch *done, size_t at) {
    static patch p;
    patch_clear(&p);
    ck_assert(patch_set(&p, at, 0));
    return patch_rebase(&p, done) ? (int)p.changes[0].first : -1;
}

static bool same_draw(const draw *a, const draw *b) {
    return draw_is_alike(a, b) && a->rank == b->rank && a->min == b->min && a->max == b->max;
}

/* All outside the change maps to what it is in `next`, and what is inside is touched. */
static void check_change(const testcase *t, const testcase *next) {
    patch p;
    ck_assert(diff_change(t, next, &p));
    ck_assert_uint_eq(p.count, 1);
    const change *c = &p.changes[0];
    ck_assert_uint_le(c->first + c->count, t->count);
    ck_assert_uint_eq(t->count - c->count + change_length(c), next->count);
    for (size_t i = 0; i < t->count; i++) {
        const int moved = where(&p, i);
        const bool is_inside = i >= c->first && i < c->first + c->count;
        ck_assert(is_inside == (moved < 0));
        if (is_inside) continue;
        ck_assert_int_lt(moved, (int)next->count);
        ck_assert_int_eq(moved, (int)(i < c->first ? i : i - c->count + c->length));
        ck_assert(same_draw(&t->draws[i], &next->draws[moved]));
    }
}

TEST(changes_of_all_small_strings) {
    static patch p;
    uint8_t bytes[SMALL];
    for (size_t size = 0; size <= 5; size++) {
        for (unsigned n = 0; n < 1u << size; n++) {
            spell(n, size, bytes);
            testcase t = bytes_of(bytes, size);
            for (size_t next_size = 0; next_size <= 6; next_size++) {
                for (unsigned k = 0; k < 1u << next_size; k++) {
                    spell(k, next_size, bytes);
                    testcase next = bytes_of(bytes, next_size);
                    const bool is_same =
                        size == next_size && (size == 0 || memcmp(t.bytes, bytes, size) == 0);
                    if (size == 0) ck_assert(!diff_change(&t, &next, &p));
                    if (size > 0 && !is_same) check_change(&t, &next);
                    testcase_finish(&next);
                }
            }
            testcase_finish(&t);
        }
    }
}

/* Literally: before a change all stays, behind it all moves. */
TEST(literal_changes) {
    patch p;
    testcase t = text_of("abcdef"), next = text_of("abXf");
    ck_assert(diff_change(&t, &next, &p));
    ck_assert_uint_eq(p.changes[0].first, 2);
    ck_assert_uint_eq(p.changes[0].count, 3);
    ck_assert_uint_eq(change_length(&p.changes[0]), 1);
    const int places[] = {0, 1, -1, -1, -1, 3};
    for (size_t i = 0; i < 6; i++) ck_assert_int_eq(where(&p, i), places[i]);
    testcase_finish(&t);
    testcase_finish(&next);
}

static void check_same(testcase t) {
    patch p;
    testcase copy;
    ck_assert(testcase_copy(&copy, &t));
    ck_assert_msg(!diff_change(&t, &copy, &p), "\"%s\" has not changed", values_of(&t));
    testcase_finish(&copy);
    testcase_finish(&t);
}

static bool two_draws(frng *f, int *status) {
    uint8_t a;
    bool b;
    (void)status;
    return frng_u8_max(f, 9, &a) && frng_bool(f, &b);
}

static bool two_other_draws(frng *f, int *status) {
    uint8_t a;
    bool b;
    (void)status;
    return frng_u8_max(f, 8, &a) && frng_bool(f, &b);
}

TEST(no_change) {
    static const uint8_t bytes[] = {5, 1};
    check_same(text_of(""));
    check_same(text_of("a"));
    check_same(text_of("aaaa"));
    check_same(text_of("abcabc"));
    check_same(testcase_drawn(two_draws, bytes, 2));
}

/* Other bounds make another draw, of the same value. */
TEST(draws_that_mean_something_else) {
    static const uint8_t bytes[] = {5, 1};
    patch p;
    testcase t = testcase_drawn(two_draws, bytes, 2);
    testcase next = testcase_drawn(two_other_draws, bytes, 2);
    ck_assert(diff_change(&t, &next, &p));
    ck_assert_int_eq(where(&p, 0), -1);
    ck_assert_int_eq(where(&p, 1), 1);
    testcase_finish(&t);
    testcase_finish(&next);
}
