/* flight.h: a row of flights: what comes first, what is under way, and what a success leaves of the
 * edits. */
#include "flight.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static flights row;

/* Plans are told apart by their site. */
static schedule schedule_at(size_t a) { return (schedule){.site = {a, 0, 0}}; }

static patch set_of(size_t at) {
    patch p = {0};
    ck_assert(patch_set(&p, at, 0));
    return p;
}

/* A flight of candidates whose digests are digest, digest + 1, ... */
static flight *add(uint64_t digest, size_t count) {
    flight *f = flights_add(&row);
    ck_assert_uint_eq(f->count, 0);
    ck_assert(!f->if_success && !f->is_stale && !f->is_merge);
    for (size_t i = 0; i < count; i++) {
        const schedule before = schedule_at((size_t)digest + i);
        flight_add(f, &before, digest + i, NULL);
    }
    return f;
}

static uint64_t take(void) { return flights_take(&row)->candidates[0].digest; }

/* ---- The row ---- */

/* The best has changed, nobody knows how. */
static void lose(flights *f) {
    static future other = {.owners = 1}; /* one owner too many to be freed */
    flights_outdate(f, NULL, NULL, &other);
}

TEST(an_empty_row) {
    flights zeroed = {0};
    flights_finish(&zeroed);
    ck_assert(flights_init(&row, 1));
    ck_assert_uint_eq(row.count, 0);
    ck_assert_uint_eq(row.max, 1);
    ck_assert_uint_eq(flights_load(&row), 0);
    ck_assert(!flights_have(&row, 0));
    flights_outdate(&row, NULL, NULL, NULL);
    lose(&row);
    flights_clear(&row);
    flights_finish(&row);
    ck_assert_uint_eq(row.max, 0);
    flights_finish(&row);
}

TEST(first_in_first_out) {
    for (size_t max = 1; max <= 5; max++) {
        uint64_t in = 0, out = 0;
        ck_assert(flights_init(&row, max));
        for (size_t round = 0; round < 20; round++) {
            const size_t wanted = round % max + 1; /* so many in the row */
            while (row.count < wanted) add(in++, 1);
            ck_assert_uint_eq(flights_load(&row), row.count);
            ck_assert_uint_eq(take(), out++);
        }
        while (row.count > 0) ck_assert_uint_eq(take(), out++);
        ck_assert_uint_eq(in, out);
        flights_finish(&row);
    }
}

TEST(what_was_taken_stays_until_another_is_added) {
    const patch edits = set_of(3);
    ck_assert(flights_init(&row, 2));
    flight *f = add(1, 0);
    const schedule before = schedule_at(7);
    flight_add(f, &before, 1, &edits);
    add(2, 1);
    flight *first = flights_take(&row);
    flights_outdate(&row, NULL, NULL, NULL);
    lose(&row);
    flights_clear(&row);
    ck_assert(!first->is_stale);
    ck_assert_uint_eq(first->count, 1);
    ck_assert_uint_eq(first->candidates[0].before.site.a, 7);
    ck_assert_ptr_nonnull(first->candidates[0].edits);
    ck_assert_uint_eq(first->candidates[0].edits->changes[0].first, 3);
    flights_finish(&row); /* and is freed by that */
}

TEST(the_last_is_dropped) {
    ck_assert(flights_init(&row, 3));
    add(10, 2);
    flight *f = add(20, 3);
    f->if_success = f->is_stale = f->is_merge = true;
    flights_drop_last(&row);
    ck_assert_uint_eq(flights_load(&row), 2);
    ck_assert(!flights_have(&row, 20));
    ck_assert(flights_have(&row, 11));
    ck_assert_ptr_eq(add(30, 1), f); /* which is as new */
    ck_assert_uint_eq(take(), 10);
    ck_assert_uint_eq(take(), 30);
    flights_finish(&row);
}

TEST(all_are_cleared) {
    ck_assert(flights_init(&row, 3));
    add(10, 2);
    add(20, 3);
    (void)take();
    add(30, 1);
    flights_clear(&row);
    ck_assert_uint_eq(row.count, 0);
    ck_assert_uint_eq(flights_load(&row), 0);
    for (uint64_t digest = 0; digest < 40; digest++) ck_assert(!flights_have(&row, digest));
    for (uint64_t i = 0; i < 3; i++) add(40 + i, 1);
    for (uint64_t i = 0; i < 3; i++) ck_assert_uint_eq(take(), 40 + i);
    flights_finish(&row);
}

TEST(digests_and_load) {
    ck_assert(flights_init(&row, 3));
    add(100, CANDIDATE_SET_COUNT_MAX);
    add(1000, 0);
    add(2000, 5);
    ck_assert_uint_eq(flights_load(&row), CANDIDATE_SET_COUNT_MAX + 5);
    ck_assert(flights_have(&row, 100));
    ck_assert(flights_have(&row, 100 + CANDIDATE_SET_COUNT_MAX - 1));
    ck_assert(!flights_have(&row, 100 + CANDIDATE_SET_COUNT_MAX));
    ck_assert(flights_have(&row, 2004));
    ck_assert(!flights_have(&row, 1000));
    ck_assert(!flights_have(&row, 0));
    flights_outdate(&row, NULL, NULL, NULL); /* they are under way all the same */
    ck_assert(flights_have(&row, 2004));
    (void)take();
    ck_assert(!flights_have(&row, 100));
    ck_assert_uint_eq(flights_load(&row), 5);
    flights_finish(&row);
}

/* ---- Edits ---- */

static candidate *candidate_at(size_t flight_at, size_t i) {
    return &row.ring[(row.first + flight_at) % row.max]->candidates[i];
}

/* Three flights across the end of the ring: one that sets draws 0 and 4 in two candidates, one of
 * draw 6 with a candidate without edits before it, and one that deletes 8 and 9. */
static void fill(void) {
    static const schedule nothing;
    patch edits = set_of(0);
    ck_assert(flights_init(&row, 3));
    add(0, 1);
    add(0, 1);
    (void)take();
    (void)take();
    flight *f = add(10, 0);
    flight_add(f, &nothing, 10, &edits);
    edits = set_of(4);
    flight_add(f, &nothing, 11, &edits);
    edits = set_of(6);
    f = add(20, 1);
    flight_add(f, &nothing, 21, &edits);
    patch_clear(&edits);
    ck_assert(patch_delete(&edits, 8, 2));
    flight_add(add(30, 0), &nothing, 30, &edits);
    edits.changes[0].first = 77; /* they have copies */
}

/* The draw that the edits of a candidate change, or -1 where there are none. */
static int draw_of(size_t flight_at, size_t i) {
    const patch *edits = candidate_at(flight_at, i)->edits;
    if (edits == NULL) return -1;
    ck_assert_uint_eq(edits->count, 1);
    return (int)edits->changes[0].first;
}

static void check_edits(int a, int b, int c, int d) {
    ck_assert_int_eq(draw_of(0, 0), a);
    ck_assert_int_eq(draw_of(0, 1), b);
    ck_assert_int_eq(draw_of(1, 0), -1);
    ck_assert_int_eq(draw_of(1, 1), c);
    ck_assert_int_eq(draw_of(2, 0), d);
}

static bool are_stale(bool stale) {
    for (size_t i = 0; i < row.count; i++) {
        if (row.ring[(row.first + i) % row.max]->is_stale != stale) return false;
    }
    return true;
}

TEST(outdated_without_a_patch) {
    fill();
    ck_assert(are_stale(false));
    check_edits(0, 4, 6, 8);
    flights_outdate(&row, NULL, NULL, NULL);
    ck_assert(are_stale(true));
    check_edits(0, 4, 6, 8);
    ck_assert_uint_eq(flights_load(&row), 5);
    flights_finish(&row);
}

TEST(outdated_by_a_patch) {
    patch done = {0};
    fill();
    ck_assert(patch_delete(&done, 1, 4)); /* 4 among them */
    flights_outdate(&row, &done, NULL, NULL);
    ck_assert(are_stale(true));
    check_edits(0, -1, 2, 4);
    patch_clear(&done);
    ck_assert(patch_set(&done, 5, 0)); /* the second one of those that are deleted */
    flights_outdate(&row, &done, NULL, NULL);
    check_edits(0, -1, 2, -1);
    flights_outdate(&row, NULL, NULL, NULL);
    check_edits(0, -1, 2, -1);
    ck_assert_uint_eq(flights_load(&row), 5);
    flights_finish(&row);
}

TEST(only_what_is_under_way_is_outdated) {
    patch done = set_of(4);
    fill();
    const flight *first = flights_take(&row);
    flights_outdate(&row, &done, NULL, NULL);
    ck_assert(!first->is_stale);
    ck_assert_ptr_nonnull(first->candidates[1].edits);
    ck_assert(are_stale(true));
    ck_assert(!add(40, 1)->is_stale); /* and what comes later is not */
    flights_finish(&row);
}

TEST(lost) {
    fill();
    lose(&row);
    ck_assert(are_stale(true));
    check_edits(-1, -1, -1, -1);
    ck_assert(flights_have(&row, 21));
    ck_assert_uint_eq(flights_load(&row), 5);
    flights_outdate(&row, NULL, NULL, NULL);
    flights_finish(&row);
}

/* Edits may be taken over by somebody else, who frees them. */
TEST(edits_that_are_taken_away) {
    fill();
    patch *mine = candidate_at(0, 1)->edits;
    candidate_at(0, 1)->edits = NULL;
    lose(&row);
    flights_finish(&row);
    ck_assert_uint_eq(mine->changes[0].first, 4);
    free(mine);
}

/* However they leave the row, their edits are freed: ASan knows. */
TEST(nothing_leaks) {
    const patch edits = set_of(1), other = set_of(2);
    const schedule nothing = {0};
    ck_assert(flights_init(&row, 4));
    for (int round = 0; round < 40; round++) {
        while (row.count < row.max) {
            flight *f = flights_add(&row);
            for (uint64_t i = 0; i < 3; i++) flight_add(f, &nothing, i, &edits);
        }
        switch (round % 5) {
        case 0: flights_clear(&row); break;
        case 1: flights_drop_last(&row); break;
        case 2: (void)flights_take(&row); break;
        case 3: flights_outdate(&row, round % 2 ? &edits : &other, NULL, NULL); break;
        default: flight_clear(row.ring[row.first]); break;
        }
        if (row.count == row.max) (void)flights_take(&row);
    }
    flights_finish(&row);
}

TEST(a_flight_is_cleared) {
    const patch edits = set_of(1);
    const schedule nothing = {0};
    static flight f;
    flight_add(&f, &nothing, 5, &edits);
    f.if_success = f.is_stale = f.is_merge = true;
    flight_clear(&f);
    ck_assert_uint_eq(f.count, 0);
    ck_assert_ptr_null(f.candidates[0].edits);
    ck_assert(!f.if_success && !f.is_stale && !f.is_merge);
    flight_clear(&f);
}
