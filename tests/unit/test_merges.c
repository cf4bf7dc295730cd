/* merges.h: late successes on literal sequences of draws: which are tried together, and what
 * becomes of them. */
#include "merges.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static merges all;
static patch together;

/* ---- Patches ---- */

static patch set_of(size_t at, uint64_t rank) {
    patch p = {0};
    ck_assert(patch_set(&p, at, rank));
    return p;
}

static patch delete_of(size_t first, size_t count) {
    patch p = {0};
    ck_assert(patch_delete(&p, first, count));
    return p;
}

static void add(patch p) {
    patch *owned = malloc(sizeof *owned);
    ck_assert_ptr_nonnull(owned);
    *owned = p;
    merges_add(&all, owned);
}

static void add_sets(size_t count) {
    for (size_t i = 0; i < count; i++) add(set_of(i, 100 + i));
}

/* The changes of a patch: what is set, as at=rank, and what is deleted, as -first+count. */
static const char *text_of(const patch *p) {
    static char text[PATCH_MAX * 24 + 1];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < p->count; i++) {
        const change *c = &p->changes[i];
        const char *space = i > 0 ? " " : "";
        const size_t left = sizeof text - used;
        used +=
            (size_t)(c->kind == CHANGE_SET
                         ? snprintf(text + used, left, "%s%zu=%d", space, c->first, (int)c->rank)
                         : snprintf(text + used, left, "%s-%zu+%zu", space, c->first, c->count));
        ck_assert_uint_lt(used, sizeof text);
    }
    return text;
}

static const char *next(void) {
    return merges_next(&all, &together) ? text_of(&together) : "nothing";
}

/* ---- Tests ---- */

TEST(nothing_to_try) {
    together = set_of(3, 4);
    ck_assert_str_eq(next(), "nothing");
    ck_assert_uint_eq(together.count, 0);
    const patch done = set_of(0, 0);
    merges_rebase(&all, &done);
    ck_assert_str_eq(next(), "nothing");
    merges_finish(&all);
    ck_assert_str_eq(next(), "nothing");
}

TEST(all_of_them_first) {
    add(set_of(5, 1));
    add(delete_of(2, 2));
    add(set_of(0, 7)); /* in the order of their draws, whatever came first */
    ck_assert_str_eq(next(), "0=7 -2+2 5=1");
    ck_assert_str_eq(next(), "0=7 -2+2 5=1"); /* asking changes nothing */
    merges_told(&all, true);
    ck_assert_uint_eq(all.count, 0);
    ck_assert_str_eq(next(), "nothing");
}

TEST(halves_after_a_failure) {
    add_sets(8);
    ck_assert_str_eq(next(), "0=100 1=101 2=102 3=103 4=104 5=105 6=106 7=107");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "0=100 1=101 2=102 3=103");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "0=100 1=101");
    merges_told(&all, true);
    ck_assert_uint_eq(all.count, 6);
    ck_assert_str_eq(next(), "2=102 3=103 4=104 5=105 6=106 7=107");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "2=102 3=103 4=104");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "2=102");
    merges_finish(&all);
}

TEST(a_single_one_is_given_up) {
    add_sets(3);
    ck_assert_str_eq(next(), "0=100 1=101 2=102");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "0=100");
    merges_told(&all, false);
    ck_assert_uint_eq(all.count, 2);
    ck_assert_str_eq(next(), "1=101 2=102"); /* all of the rest again */
    merges_told(&all, false);
    ck_assert_str_eq(next(), "1=101");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "2=102");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "nothing");
    ck_assert_uint_eq(all.count, 0);
}

/* What only ever fails comes to an end, and each was tried alone. */
TEST(all_fail) {
    for (size_t count = 1; count <= MERGES_MAX; count++) {
        size_t tries = 0, alone = 0;
        add_sets(count);
        while (merges_next(&all, &together)) {
            ck_assert_uint_le(tries++, count * 8);
            alone += together.count == 1;
            merges_told(&all, false);
        }
        ck_assert_uint_eq(alone, count);
        ck_assert_uint_eq(all.count, 0);
    }
}

/* Only one of them does no more: all the others are taken. */
TEST(one_spoils_it) {
    enum { COUNT = 20 };
    for (size_t bad = 0; bad < COUNT; bad++) {
        size_t taken = 0;
        add_sets(COUNT);
        for (int tries = 0; merges_next(&all, &together); tries++) {
            bool good = true;
            ck_assert_int_lt(tries, 4 * COUNT);
            for (size_t i = 0; i < together.count; i++) good &= together.changes[i].first != bad;
            taken += good ? together.count : 0;
            merges_told(&all, good);
        }
        ck_assert_uint_eq(taken, COUNT - 1);
    }
}

TEST(up_to_what_overlaps) {
    add(set_of(0, 1));
    add(set_of(1, 1));
    add(delete_of(1, 3));
    add(set_of(9, 1));
    ck_assert_str_eq(next(), "0=1 1=1");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "0=1");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "1=1");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "-1+3 9=1");
    merges_told(&all, true);
    ck_assert_str_eq(next(), "nothing");
}

TEST(those_that_overlap_a_success_are_dropped) {
    add(set_of(0, 1));
    add(set_of(4, 1));
    add(delete_of(3, 2));
    add(set_of(6, 1));
    const patch done = set_of(4, 0);
    merges_rebase(&all, &done);
    ck_assert_uint_eq(all.count, 2);
    ck_assert_str_eq(next(), "0=1 6=1");
    merges_finish(&all);
}

TEST(those_behind_a_success_move) {
    add(set_of(0, 1));
    add(set_of(7, 1));
    add(delete_of(8, 2));
    const patch done = delete_of(2, 3);
    merges_rebase(&all, &done);
    ck_assert_str_eq(next(), "0=1 4=1 -5+2");
    merges_finish(&all);
}

/* After the success of the first half the rest is moved, and tried as a whole. */
TEST(told_and_then_rebased) {
    add(delete_of(0, 2));
    add(set_of(5, 1));
    add(set_of(6, 1));
    ck_assert_str_eq(next(), "-0+2 5=1 6=1");
    merges_told(&all, false);
    ck_assert_str_eq(next(), "-0+2");
    const patch done = together;
    merges_told(&all, true);
    merges_rebase(&all, &done);
    ck_assert_str_eq(next(), "3=1 4=1");
    merges_finish(&all);
}

/* Another success while one half is under way: nobody tells, and all are tried. */
TEST(rebased_and_not_told) {
    add_sets(4);
    (void)next();
    merges_told(&all, false);
    ck_assert_str_eq(next(), "0=100 1=101");
    const patch done = set_of(1, 0);
    merges_rebase(&all, &done);
    ck_assert_str_eq(next(), "0=100 2=102 3=103");
    merges_finish(&all);
}

/* One more may come while some are tried; it was not part of them. */
TEST(added_while_some_are_tried) {
    add_sets(2);
    ck_assert_str_eq(next(), "0=100 1=101");
    add(set_of(7, 1));
    merges_told(&all, true);
    ck_assert_str_eq(next(), "7=1");
    add(set_of(8, 1));
    merges_told(&all, false);
    ck_assert_str_eq(next(), "8=1");
    merges_finish(&all);
}

TEST(a_full_list) {
    add_sets(MERGES_MAX + 10);
    ck_assert_uint_eq(all.count, MERGES_MAX);
    ck_assert(merges_next(&all, &together));
    ck_assert_uint_eq(together.count, MERGES_MAX);
    ck_assert_uint_eq(together.changes[MERGES_MAX - 1].first, MERGES_MAX - 1);
    merges_told(&all, false);
    ck_assert(merges_next(&all, &together));
    ck_assert_uint_eq(together.count, MERGES_MAX / 2);
    merges_told(&all, true);
    add(set_of(1000, 1)); /* there is room again */
    ck_assert_uint_eq(all.count, MERGES_MAX / 2 + 1);
    merges_finish(&all);
    ck_assert_uint_eq(all.count, 0);
}

/* More changes than a patch has room for: as many as fit, and then the others. */
TEST(a_full_patch) {
    for (size_t k = 0; k < 3; k++) {
        patch p = {0};
        for (size_t i = 0; i < PATCH_MAX / 2; i++) ck_assert(patch_set(&p, 3 * i + k, k));
        add(p);
    }
    ck_assert(merges_next(&all, &together));
    ck_assert_uint_eq(together.count, PATCH_MAX);
    merges_told(&all, true);
    ck_assert(merges_next(&all, &together));
    ck_assert_uint_eq(together.count, PATCH_MAX / 2);
    ck_assert_uint_eq(together.changes[0].rank, 2);
    merges_told(&all, true);
    ck_assert_str_eq(next(), "nothing");
}
