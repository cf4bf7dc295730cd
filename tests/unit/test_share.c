/* share.h: when a search looks at a shared folder, and when it lists it again. */
#include "clock.h"
#include "fixture.h"
#include "share.h"

#define SECOND CLOCK_NS_PER_S
#define SETTLED (FOLDER_WATCH_SETTLE_MS * CLOCK_NS_PER_MS)

static store_stamp stamp_of(int64_t changed_s) {
    return (store_stamp){.device = 1, .inode = 2, .changed = {changed_s, 0}};
}

/* Look at a folder that stays as it is, until it is not listed any more. */
static int64_t settle(folder_watch *w, const store_stamp *s, int64_t now_ns) {
    while (folder_watch_look(w, s, now_ns)) now_ns += SECOND;
    return now_ns;
}

TEST(a_folder_is_listed_when_it_is_first_seen_and_when_it_changes) {
    folder_watch w = {.since_ns = 0};
    store_stamp s = stamp_of(1000);
    int64_t now_ns = settle(&w, &s, 0);
    ck_assert(!folder_watch_look(&w, &s, now_ns + SECOND));
    s.changed.tv_nsec = 1;
    ck_assert(folder_watch_look(&w, &s, now_ns + 2 * SECOND));
}

TEST(a_change_in_the_tick_of_the_last_one_is_found_by_a_later_listing) {
    folder_watch w = {.since_ns = 0};
    const store_stamp s = stamp_of(1000);
    ck_assert(folder_watch_look(&w, &s, 0));
    /* now a name appears, and the stamp stays */
    ck_assert(folder_watch_look(&w, &s, SETTLED / 2));
    ck_assert(folder_watch_look(&w, &s, SETTLED));
    ck_assert(!folder_watch_look(&w, &s, SETTLED + 1));
}

TEST(one_listing_is_enough_after_a_long_wait) {
    folder_watch w = {.since_ns = 0};
    const store_stamp s = stamp_of(1000);
    ck_assert(folder_watch_look(&w, &s, 0));
    ck_assert(folder_watch_look(&w, &s, 60 * SECOND));
    ck_assert(!folder_watch_look(&w, &s, 120 * SECOND));
}

TEST(a_folder_that_was_replaced_is_listed) {
    folder_watch w = {.since_ns = 0};
    store_stamp s = stamp_of(1000);
    const int64_t now_ns = settle(&w, &s, 0);
    s.inode = 3;
    ck_assert(folder_watch_look(&w, &s, now_ns));
}

TEST(a_clock_that_is_off_or_goes_back_makes_no_difference) {
    static const int64_t clocks_s[] = {0, 1, -3600, 3600, INT32_MAX};
    for (size_t i = 0; i < 5; i++) {
        folder_watch w = {.since_ns = 0};
        store_stamp s = stamp_of(clocks_s[i]);
        const int64_t now_ns = settle(&w, &s, 0);
        ck_assert_int_le(now_ns, SETTLED + 2 * SECOND);
        s.changed.tv_sec -= 7200; /* rsync gives a folder the time of its origin */
        ck_assert(folder_watch_look(&w, &s, now_ns));
    }
}

/* ---- When to look ---- */

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
