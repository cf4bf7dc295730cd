/* proc_cpu_quota: quotas of control groups, on trees as kernels show them. */
#include "fixture.h"
#include "proc.h"

#include <limits.h>

/* ---- Trees ---- */

static void make_folders(const char *path) {
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%s%.*s", test_dir, (int)(slash - path), path);
        mkdir(folder, 0700);
    }
}

static void put(const char *path, const char *text) {
    make_folders(path);
    test_dir_text(path + 1, text, 0600);
}

/* What this process belongs to. */
static void belong(const char *groups) { put("/proc/self/cgroup", groups); }

static int count(void) { return proc_cpu_quota(test_dir); }

TEST(without_files_there_is_no_quota) { ck_assert_int_eq(count(), INT_MAX); }

TEST(the_quota_of_the_own_group_counts) {
    belong("0::/user/job\n");
    put("/sys/fs/cgroup/user/job/cpu.max", "300000 100000\n");
    ck_assert_int_eq(count(), 3);
}

TEST(a_part_of_a_processor_is_one_more) {
    belong("0::/job\n");
    put("/sys/fs/cgroup/job/cpu.max", "250000 100000\n");
    ck_assert_int_eq(count(), 3);
    put("/sys/fs/cgroup/job/cpu.max", "1000 1000000\n");
    ck_assert_int_eq(count(), 1);
    put("/sys/fs/cgroup/job/cpu.max", "200001 100000\n");
    ck_assert_int_eq(count(), 3);
}

TEST(the_smallest_quota_up_to_the_root_counts) {
    belong("0::/a/b/c\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
    ck_assert_int_eq(count(), 2);
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n"); /* as the root of a namespace has it */
    ck_assert_int_eq(count(), 1);
}

TEST(groups_beside_the_own_one_do_not_count) {
    belong("0::/a/b\n");
    put("/sys/fs/cgroup/a/bb/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/c/cpu.max", "100000 100000\n");
    put("/sys/fs/cpu.max", "100000 100000\n"); /* above the mount */
    ck_assert_int_eq(count(), INT_MAX);
}

TEST(a_namespace_shows_its_own_group_as_the_root) {
    belong("0::/\n");
    put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
    ck_assert_int_eq(count(), 4);
}

TEST(a_group_outside_of_the_namespace_has_no_path_here) {
    belong("0::/../other\n");
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    put("/sys/fs/other/cpu.max", "100000 100000\n");
    ck_assert_int_eq(count(), INT_MAX);
}

TEST(names_may_look_like_escapes_or_parents) {
    belong("0::/..a/b..\n");
    put("/sys/fs/cgroup/..a/b../cpu.max", "200000 100000\n");
    ck_assert_int_eq(count(), 2);
}

/* ---- Nonsense ---- */

TEST(numbers_that_make_no_sense_are_no_quota) {
    static const char *const texts[] = {"",
                                        "\n",
                                        "max\n",
                                        "0 100000\n",
                                        "100000 0\n",
                                        "100000\n",
                                        "-1 100000\n",
                                        "1e5 100000\n",
                                        "100000 100000 7 x",
                                        "99999999999999999999999999 1\n",
                                        "0x10 1\n"};
    belong("0::/job\n");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put("/sys/fs/cgroup/job/cpu.max", texts[i]);
        ck_assert_msg(count() == INT_MAX, "'%s' is a quota", texts[i]);
    }
}

TEST(lines_that_make_no_sense_are_skipped) {
    belong("\n:\n::\n0:\n0::\n0::job\n7\n0:cpu\n0::/job\n0::/later\n");
    put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
    put("/sys/fs/cgroup/later/cpu.max", "100000 100000\n");
    ck_assert_int_eq(count(), 2);
}

TEST(what_cannot_be_read_is_no_quota) {
    belong("0::/job (deleted)\n");
    ck_assert_int_eq(count(), INT_MAX);
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    ck_assert_int_eq(count(), 2); /* of the group above, which is still there */
}
