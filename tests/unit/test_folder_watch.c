/* folder_watch.h: when a shared folder is listed again. */
#include "clock.h"
#include "fixture.h"
#include "folder_watch.h"

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

TEST(a_listing_can_be_asked_for) {
    folder_watch w = {.since_ns = 0};
    const store_stamp s = stamp_of(1000);
    const int64_t now_ns = settle(&w, &s, 0);
    folder_watch_forget(&w);
    ck_assert(folder_watch_look(&w, &s, now_ns));
}
