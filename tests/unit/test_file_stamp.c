/* files.h: what is another file, and what is the same. */
#include "files.h"
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[PATH_MAX], other[PATH_MAX];

static void put(const char *name, const char *text, time_t when) {
    const struct timespec times[] = {{when, 0}, {when, 0}};
    FILE *file = fopen(name, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

static void set_up(void) {
    snprintf(path, sizeof path, "%s", test_dir_path("a"));
    snprintf(other, sizeof other, "%s", test_dir_path("b"));
    put(path, "text", 1000);
}

static void assert_same(file_stamp before, bool expected) {
    const file_stamp now = file_stamp_of(path);
    ck_assert_int_eq(file_stamp_equal(&before, &now), expected);
    ck_assert_int_eq(file_stamp_equal(&now, &before), expected);
}

TEST(a_file_that_nobody_touched_is_the_same) {
    const file_stamp before = file_stamp_of(path);
    ck_assert(file_stamp_is_known(&before));
    assert_same(before, true);
    ck_assert_int_eq(chmod(path, 0700), 0);
    ck_assert_int_eq(link(path, other), 0);
    assert_same(before, true);
}

TEST(one_that_was_written_is_another) {
    const file_stamp before = file_stamp_of(path);
    put(path, "text", 1001);
    assert_same(before, false);
    put(path, "texts", 1000);
    assert_same(before, false);
    put(path, "text", 1000);
    assert_same(before, true);
}

TEST(one_that_was_replaced_is_another) {
    const file_stamp before = file_stamp_of(path);
    put(other, "text", 1000);
    ck_assert_int_eq(rename(other, path), 0);
    assert_same(before, false);
}

TEST(what_is_not_there_is_equal_to_nothing) {
    const file_stamp before = file_stamp_of(path);
    ck_assert_int_eq(unlink(path), 0);
    const file_stamp gone = file_stamp_of(path);
    ck_assert(!file_stamp_is_known(&gone));
    assert_same(before, false);
    assert_same(gone, false);
}

SUITE(.before_each = set_up);
