/* share.h: when a search looks at a shared folder. */
#include "clock.h"
#include "share.h"
#include "suite.h"

#define SECOND CLOCK_NS_PER_S

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
