/* sync_schedule.h: when a search looks at a shared folder. */
#include "fixture.h"
#include "sync_schedule.h"

#define SECOND INT64_C(1000000000)
#define MIDDLE (UINT32_MAX / 2 + 1) /* the chance that neither shortens nor lengthens a wait */

/* The wait before the next look, after one with news and then `quiet` without, by this chance. */
static int64_t wait_after(int quiet, uint32_t chance) {
    sync_schedule s = sync_schedule_begin(SECOND, 0, chance);
    int64_t now_ns = s.next_ns;
    sync_schedule_looked(&s, now_ns, true, chance);
    for (int i = 0; i < quiet; i++) {
        now_ns = s.next_ns;
        sync_schedule_looked(&s, now_ns, false, chance);
    }
    return s.next_ns - now_ns;
}

TEST(a_look_is_due_at_its_time_and_not_before) {
    const sync_schedule s = sync_schedule_begin(SECOND, 5 * SECOND, MIDDLE);
    ck_assert(!sync_schedule_is_due(&s, s.next_ns - 1));
    ck_assert(sync_schedule_is_due(&s, s.next_ns));
}

TEST(the_first_look_is_at_any_time_of_the_first_interval) {
    ck_assert_int_eq(sync_schedule_begin(SECOND, 5 * SECOND, 0).next_ns, 5 * SECOND);
    ck_assert_int_eq(sync_schedule_begin(SECOND, 5 * SECOND, MIDDLE).next_ns,
                     5 * SECOND + SECOND / 2);
    ck_assert_int_eq(sync_schedule_begin(SECOND, 5 * SECOND, UINT32_MAX).next_ns, 6 * SECOND);
}

TEST(chance_makes_a_wait_up_to_a_quarter_shorter_or_longer) {
    for (int quiet = 0; quiet < 6; quiet++) {
        const int64_t span = wait_after(quiet, MIDDLE);
        ck_assert_int_eq(wait_after(quiet, 0), span - span / 4);
        ck_assert_int_eq(wait_after(quiet, UINT32_MAX), span + span / 4);
        ck_assert_int_gt(wait_after(quiet, MIDDLE / 2), wait_after(quiet, 0));
        ck_assert_int_lt(wait_after(quiet, MIDDLE / 2), span);
    }
}

TEST(waits_double_up_to_sixteen_times_without_news) {
    static const int64_t expected[] = {1, 2, 4, 8, 16, 16, 16};
    for (int quiet = 0; quiet < 7; quiet++) {
        ck_assert_int_eq(wait_after(quiet, MIDDLE), expected[quiet] * SECOND);
    }
}

TEST(news_brings_the_first_wait_back) {
    sync_schedule s = sync_schedule_begin(SECOND, 0, MIDDLE);
    for (int i = 0; i < 9; i++) sync_schedule_looked(&s, s.next_ns, false, MIDDLE);
    const int64_t now_ns = s.next_ns;
    sync_schedule_looked(&s, now_ns, true, MIDDLE);
    ck_assert_int_eq(s.next_ns - now_ns, SECOND);
    sync_schedule_looked(&s, s.next_ns, false, MIDDLE);
    ck_assert_int_eq(s.next_ns - now_ns, 3 * SECOND);
}

TEST(a_late_look_moves_the_next_one_and_is_not_made_up_for) {
    sync_schedule s = sync_schedule_begin(SECOND, 0, MIDDLE);
    const int64_t late_ns = 100 * SECOND;
    sync_schedule_looked(&s, late_ns, true, MIDDLE);
    ck_assert_int_eq(s.next_ns, late_ns + SECOND);
}

TEST(news_of_our_own_shorten_a_wait_and_never_lengthen_it) {
    sync_schedule s = sync_schedule_begin(SECOND, 0, MIDDLE);
    sync_schedule_hurry(&s, SECOND / 4, MIDDLE);
    ck_assert_int_eq(s.next_ns, SECOND / 2);
    for (int i = 0; i < 9; i++) sync_schedule_looked(&s, s.next_ns, false, MIDDLE);
    const int64_t now_ns = s.next_ns - 10 * SECOND;
    sync_schedule_hurry(&s, now_ns, MIDDLE);
    ck_assert_int_eq(s.next_ns, now_ns + SECOND);
}

TEST(the_next_look_comes_within_what_is_promised) {
    static const uint32_t chances[] = {0, 1, MIDDLE, UINT32_MAX};
    for (size_t c = 0; c < 4; c++) {
        sync_schedule s = sync_schedule_begin(SECOND, 0, chances[c]);
        int64_t now_ns = 0;
        for (int i = 0; i < 20; i++) {
            ck_assert_int_le(s.next_ns - now_ns, sync_schedule_within_ns(&s));
            now_ns = s.next_ns;
            sync_schedule_looked(&s, now_ns, i % 7 == 0, chances[c]);
        }
    }
}

TEST(no_interval_overflows) {
    static const int64_t intervals[] = {1, 2, 3, INT64_MAX / 16, INT64_MAX / 2, INT64_MAX};
    for (size_t i = 0; i < 6; i++) {
        sync_schedule s = sync_schedule_begin(intervals[i], INT64_MAX / 2, UINT32_MAX);
        for (int n = 0; n < 9; n++) {
            ck_assert_int_ge(s.next_ns, INT64_MAX / 2);
            sync_schedule_looked(&s, INT64_MAX / 2, false, UINT32_MAX);
            ck_assert_int_gt(sync_schedule_within_ns(&s), 0);
        }
    }
}
