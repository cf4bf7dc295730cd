/* series.h and size_table.h: what a chart keeps of many points. */
#include "fixture.h"
#include "series.h"
#include "size_table.h"

#include <stdlib.h>

TEST(few_points_all_stay) {
    series s = {.points = NULL};
    for (int i = 0; i < 1000; i++) series_add(&s, (series_point){i, 1000 - i, 0});
    series_thin(&s, 1000);
    ck_assert_uint_eq(s.count, 1000);
    for (int i = 0; i < 1000; i++) ck_assert_double_eq(s.points[i].y, 1000 - i);
    series_finish(&s);
}

/* Points of a noisy curve with one spike either way, more of them than fit. */
static series noisy(int count) {
    series s = {.points = NULL};
    srand(1);
    for (int i = 0; i < count; i++) {
        double y = 500 + rand() % 100;
        if (i == count / 3) y = 2;
        if (i == count / 2) y = 9999;
        series_add(&s, (series_point){i, y, 0});
    }
    return s;
}

TEST_EACH(ends_and_extremes_stay, 4) {
    static const int counts[] = {50, 4096, 100000, 1000000};
    static const size_t most[] = {8, 9, 400, 2000};
    for (size_t k = 0; k < 4; k++) {
        series s = noisy(counts[_i]);
        const double first = s.points[0].y, last = s.points[s.count - 1].y;
        bool has_low = false, has_high = false;
        ck_assert(s.count <= SERIES_MAX);
        series_thin(&s, most[k]);
        ck_assert(s.count <= most[k] || s.count == (size_t)counts[_i]);
        ck_assert_double_eq(s.points[0].y, first);
        ck_assert_double_eq(s.points[s.count - 1].y, last);
        for (size_t i = 0; i < s.count; i++) {
            if (i > 0) ck_assert(s.points[i].x > s.points[i - 1].x);
            has_low |= s.points[i].y == 2;
            has_high |= s.points[i].y == 9999;
        }
        ck_assert(has_low && has_high);
        series_finish(&s);
    }
}

TEST(points_of_the_same_run_are_no_problem) {
    series s = {.points = NULL};
    for (int i = 0; i < 10000; i++) series_add(&s, (series_point){7, i, 0});
    series_thin(&s, 8);
    ck_assert(s.count <= 8);
    ck_assert_double_eq(s.points[s.count - 1].y, 9999);
    series_finish(&s);
}

/* ---- Sizes ---- */

static void total(const size_table *t, uint64_t *runs, uint64_t *failures) {
    *runs = *failures = 0;
    for (size_t i = 0; i < t->count; i++) {
        *runs += t->rows[i].runs;
        *failures += t->rows[i].failures;
        ck_assert(t->rows[i].low <= t->rows[i].high);
        if (i > 0) ck_assert(t->rows[i].low > t->rows[i - 1].high);
    }
}

TEST(runs_of_a_size_add_up) {
    size_table t = {.rows = NULL};
    size_table_add(&t, 40, 10, 1);
    size_table_add(&t, 7, 5, 0);
    size_table_add(&t, 40, 20, 2);
    size_table_sort(&t, 10);
    ck_assert_uint_eq(t.count, 2);
    ck_assert_uint_eq(t.rows[0].low, 7);
    ck_assert_uint_eq(t.rows[1].low, 40);
    ck_assert_uint_eq(t.rows[1].runs, 30);
    ck_assert_uint_eq(t.rows[1].failures, 3);
    size_table_finish(&t);
}

TEST(no_more_can_fail_than_run) {
    size_table t = {.rows = NULL};
    size_table_add(&t, 1, 10, 11);
    ck_assert_uint_eq(t.rows[0].failures, 10);
    size_table_finish(&t);
}

TEST_EACH(no_run_is_lost_when_sizes_share_a_row, 3) {
    static const uint64_t counts[] = {100, 50000, 200000};
    size_table t = {.rows = NULL};
    uint64_t runs, failures, expected = 0;
    for (uint64_t i = 0; i < counts[_i]; i++) {
        size_table_add(&t, i * 7919 % 1000003, i % 5 + 1, i % 2);
        expected += i % 5 + 1;
    }
    ck_assert(t.count <= SIZE_TABLE_MAX);
    size_table_sort(&t, 80);
    ck_assert(t.count <= 80 && t.count >= 10);
    total(&t, &runs, &failures);
    ck_assert_uint_eq(runs, expected);
    ck_assert_uint_eq(failures, counts[_i] / 2);
    size_table_finish(&t);
}

TEST(sums_do_not_overflow) {
    size_table t = {.rows = NULL};
    size_table_add(&t, UINT64_MAX, UINT64_MAX, 0);
    size_table_add(&t, UINT64_MAX, UINT64_MAX, 5);
    size_table_add(&t, 0, 1, 1);
    size_table_sort(&t, 1);
    ck_assert_uint_eq(t.count, 1);
    ck_assert_uint_eq(t.rows[0].runs, UINT64_MAX);
    size_table_finish(&t);
}
