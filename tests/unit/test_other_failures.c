/* other_failures.h: the smallest failure of each kind is kept. */
#include "other_failures.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

static void add(other_failures *o, int status, const char *site, uint8_t byte, size_t size) {
    uint8_t bytes[8] = {byte};
    failure f = {.input = {size, 0}, .signature = {SIGNATURE_EXIT, status}};
    testcase t;
    snprintf(f.site, sizeof f.site, "%s", site);
    ck_assert(testcase_init(&t, traced_run_of(bytes, size)));
    other_failures_add(o, &f, &t);
    testcase_finish(&t);
}

TEST(the_smallest_of_each) {
    other_failures o = {0};
    ck_assert_uint_eq(other_failures_pending(&o), o.failures.count);
    add(&o, 3, "", 5, 2);
    add(&o, 3, "", 5, 2); /* the same */
    add(&o, 3, "", 9, 2);
    add(&o, 3, "", 0, 3);
    ck_assert_uint_eq(o.failures.count, 1);
    ck_assert_uint_eq(o.cases[0].testcase.bytes[0], 5);
    add(&o, 4, "", 7, 1);
    ck_assert_uint_eq(o.failures.count, 2);
    const size_t first = other_failures_pending(&o);
    ck_assert_uint_lt(first, 2);
    o.cases[first].is_pending = false;
    add(&o, 3, "", 6, 2);
    ck_assert_uint_eq(other_failures_pending(&o), 1);
    o.cases[1].is_pending = false;
    ck_assert_uint_eq(other_failures_pending(&o), o.failures.count);
    add(&o, 3, "", 4, 2); /* smaller: to be looked at again */
    ck_assert_uint_eq(other_failures_pending(&o), 0);
    ck_assert_uint_eq(o.cases[0].testcase.bytes[0], 4);
    other_failures_finish(&o);
    ck_assert_uint_eq(o.failures.count, 0);
}

TEST(failures_at_other_sites_are_other_failures) {
    other_failures o = {0};
    add(&o, 3, "a.c:1", 5, 2);
    add(&o, 3, "a.c:2", 6, 2);
    ck_assert_uint_eq(o.failures.count, 2);
    add(&o, 3, "a.c:2", 1, 0);
    ck_assert_uint_eq(o.failures.count, 2);
    ck_assert_uint_eq(o.cases[1].testcase.size, 0);
    other_failures_finish(&o);
}

TEST(so_many_and_no_more) {
    other_failures o = {0};
    for (int i = 1; i <= DISTINCT_FAILURES_MAX + 10; i++) add(&o, i, "", 5, 2);
    ck_assert_uint_eq(o.failures.count, DISTINCT_FAILURES_MAX);
    add(&o, 1, "", 4, 2);
    ck_assert_uint_eq(o.cases[0].testcase.bytes[0], 4);
    other_failures_finish(&o);
}
