/* window.h: batches come back in the order in which they were added, stale ones too. */
#include "suite.h"
#include "window.h"

enum { MAX = 3 };

static inflight window;
static candidate_set sets[MAX];
static const schedule proposed;

/* Hand out a batch of these two digests. */
static inflight_batch *hand_out(size_t set, uint64_t first, uint64_t second) {
    inflight_batch *b = inflight_add(&window);
    ck_assert_int_eq(b->state, INFLIGHT_FILLING);
    inflight_put(b, &proposed, first, 0);
    inflight_put(b, &proposed, second, 0);
    sets[set].count = 2;
    inflight_start(b, &sets[set]);
    return b;
}

TEST(batches_are_taken_in_the_order_of_adding) {
    ck_assert(inflight_init(&window, MAX));
    for (uint64_t i = 1; i < 20; i++) {
        hand_out(0, i, i + 100);
        hand_out(1, i + 200, i + 300);
        ck_assert_uint_eq(inflight_load(&window), 4);
        ck_assert_uint_eq(inflight_take(&window)->candidates[1].digest, i + 100);
        ck_assert_uint_eq(inflight_take(&window)->candidates[0].digest, i + 200);
        ck_assert_uint_eq(inflight_load(&window), 0);
    }
    inflight_finish(&window);
}

TEST(a_batch_without_candidates_is_dropped) {
    ck_assert(inflight_init(&window, MAX));
    hand_out(0, 1, 2);
    inflight_batch *b = inflight_add(&window);
    inflight_drop_last(&window);
    ck_assert_int_eq(b->state, INFLIGHT_FREE);
    ck_assert_uint_eq(window.count, 1);
    inflight_finish(&window);
}

TEST(a_candidate_is_found_until_its_batch_is_stale) {
    ck_assert(inflight_init(&window, MAX));
    hand_out(0, 1, 2);
    ck_assert(inflight_has(&window, 2) && !inflight_has(&window, 3));
    ck_assert_ptr_eq(inflight_outdate(&window)->set, &sets[0]);
    ck_assert(!inflight_has(&window, 2));
    hand_out(1, 2, 3); /* tried again, for the new best */
    ck_assert(inflight_has(&window, 2));
    ck_assert_ptr_eq(inflight_outdate(&window)->set, &sets[1]);
    ck_assert_ptr_null(inflight_outdate(&window));
    ck_assert_int_eq(inflight_take(&window)->state, INFLIGHT_STALE);
    inflight_finish(&window);
}

TEST(a_target_may_draw_about_twice_as_much) {
    const inflight_candidate none = {.draws = 0}, many = {.draws = 100};
    ck_assert_uint_eq(inflight_draws_max(&none), 32);
    ck_assert_uint_eq(inflight_draws_max(&many), 232);
}

TEST(a_cleared_window_has_room_again) {
    ck_assert(inflight_init(&window, MAX));
    for (size_t i = 0; i < MAX; i++) hand_out(i, i, i + 10);
    inflight_clear(&window);
    ck_assert(!inflight_has(&window, 1));
    for (size_t i = 0; i < MAX; i++) hand_out(i, i, i + 10);
    ck_assert_ptr_eq(inflight_take(&window)->set, &sets[0]);
    inflight_finish(&window);
}
