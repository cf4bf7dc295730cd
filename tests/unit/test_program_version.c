/* program_version.h: is the target another file than before? */
#include "program_version.h"

#include "suite.h"

static const file_stamp unknown, first = {1, 2, 3, 4}, second = {1, 2, 3, 5}, third = {1, 9, 3, 5};

TEST(the_first_file_replaces_none) {
    program_version v = {0};
    ck_assert(!program_version_update(&v, &unknown));
    ck_assert(!program_version_update(&v, &first));
    ck_assert(!program_version_update(&v, &first));
    ck_assert(!v.is_replaced);
}

TEST(another_file_is_news_once_though_late_workers_still_run_the_old_one) {
    program_version v = {0};
    program_version_update(&v, &first);
    ck_assert(program_version_update(&v, &second));
    ck_assert(v.is_replaced);
    ck_assert(!program_version_update(&v, &first));
    ck_assert(!program_version_update(&v, &second));
    ck_assert(program_version_update(&v, &third));
}

TEST(failures_of_the_file_before_are_outdated) {
    program_version v = {0};
    ck_assert(!program_version_is_outdated(&v, &first));
    program_version_update(&v, &first);
    program_version_update(&v, &second);
    ck_assert(program_version_is_outdated(&v, &first));
    ck_assert(!program_version_is_outdated(&v, &second));
    ck_assert(!program_version_is_outdated(&v, &unknown));
}
