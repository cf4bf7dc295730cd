/* share.h: when a search looks at a shared folder, and when it lists it again. */
#include "clock.h"
#include "share.h"
#include "suite.h"

#define SECOND CLOCK_NS_PER_S
#define SETTLED (FOLDER_WATCH_SETTLE_MS * CLOCK_NS_PER_MS)

/* A change in the tick of the last one leaves the stamp as it is: so the folder is listed until the
 * stamp is older than any tick. Clocks that are off or go back make no difference. */
TEST(a_folder_is_listed_when_it_changes_and_until_its_stamp_has_settled) {
    static const int64_t clocks_s[] = {0, 1, -3600, 3600, INT32_MAX};
    for (size_t i = 0; i < sizeof clocks_s / sizeof *clocks_s; i++) {
        file_stamp s = {.device = 1, .inode = 2, .written_ns = clocks_s[i] * SECOND};
        folder_watch w = {.since_ns = 0};
        for (int change = 0; change < 4; change++) {
            const int64_t now_ns = change * 100 * SECOND;
            if (change == 1) s.written_ns++;
            if (change == 2) s.written_ns -= 7200 * SECOND; /* a clock was set */
            if (change == 3) s.inode++;
            ck_assert(folder_watch_look(&w, &s, now_ns));
            if (change % 2 == 0) ck_assert(folder_watch_look(&w, &s, now_ns + SETTLED / 2));
            ck_assert(folder_watch_look(&w, &s, now_ns + SETTLED)); /* one is enough after a wait */
            ck_assert(!folder_watch_look(&w, &s, now_ns + SETTLED + 1));
        }
    }
}

TEST(waits_double_without_news_and_chance_changes_them_by_a_quarter) {
    static const int64_t expected[] = {1, 2, 4, 8, 16, 16, 16, 1, 2};
    static const uint32_t chances[] = {0, UINT32_MAX / 2 + 1, UINT32_MAX};
    for (int64_t c = 0; c < 3; c++) {
        sync_schedule s = {.interval_ns = SECOND}, longest = {.interval_ns = SYNC_MAX_NS};
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            const int64_t now_ns = s.next_ns + 100 * SECOND; /* late: that is not made up for */
            sync_schedule_looked(&s, now_ns, i == 0 || i == 7, chances[c]);
            ck_assert_int_eq(s.next_ns - now_ns, expected[i] * SECOND / 4 * (c + 3));
            ck_assert_int_le(s.next_ns - now_ns, sync_schedule_within_ns(&s));
            sync_schedule_looked(&longest, 0, i == 0, chances[c]);
            ck_assert(longest.next_ns > 0 &&
                      sync_schedule_within_ns(&longest) > 0); /* no overflow */
        }
    }
}
