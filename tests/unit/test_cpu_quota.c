/* cpu_quota.h: quotas of control groups, on trees as kernels of both versions show them. */
#include "cpu_quota.h"
#include "fixture.h"

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

/* What this process belongs to, and what is mounted where. */
static void belong(const char *groups, const char *mounts) {
    put("/proc/self/cgroup", groups);
    put("/proc/self/mountinfo", mounts);
}

static int count(void) { return cpu_quota_count(test_dir); }

#define V2_MOUNT "42 31 0:38 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT "33 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"

/* ---- Version 2 ---- */

TEST(without_files_there_is_no_quota) { ck_assert_int_eq(count(), CPU_QUOTA_NONE); }

TEST(the_quota_of_the_own_group_counts) {
    belong("0::/user/job\n", "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n" V2_MOUNT);
    put("/sys/fs/cgroup/user/job/cpu.max", "300000 100000\n");
    ck_assert_int_eq(count(), 3);
}

TEST(a_part_of_a_processor_is_one_more) {
    belong("0::/job\n", V2_MOUNT);
    put("/sys/fs/cgroup/job/cpu.max", "250000 100000\n");
    ck_assert_int_eq(count(), 3);
    put("/sys/fs/cgroup/job/cpu.max", "1000 1000000\n");
    ck_assert_int_eq(count(), 1);
    put("/sys/fs/cgroup/job/cpu.max", "200001 100000\n");
    ck_assert_int_eq(count(), 3);
}

TEST(the_smallest_quota_up_to_the_root_counts) {
    belong("0::/a/b/c\n", V2_MOUNT);
    put("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
    ck_assert_int_eq(count(), 2);
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n"); /* as the root of a namespace has it */
    ck_assert_int_eq(count(), 1);
}

TEST(groups_beside_the_own_one_do_not_count) {
    belong("0::/a/b\n", V2_MOUNT);
    put("/sys/fs/cgroup/a/bb/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/c/cpu.max", "100000 100000\n");
    put("/sys/fs/cpu.max", "100000 100000\n"); /* above the mount */
    ck_assert_int_eq(count(), CPU_QUOTA_NONE);
}

TEST(a_namespace_shows_its_own_group_as_the_root) {
    belong("0::/\n", V2_MOUNT);
    put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
    ck_assert_int_eq(count(), 4);
}

TEST(a_group_outside_of_the_namespace_has_no_path_here) {
    belong("0::/../other\n", V2_MOUNT);
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    put("/sys/fs/other/cpu.max", "100000 100000\n");
    ck_assert_int_eq(count(), CPU_QUOTA_NONE);
}

TEST(a_part_of_the_tree_may_be_mounted_anywhere) {
    belong("0::/docker/7e/job\n", "42 31 0:38 /docker/7e /my\\040groups rw - cgroup2 none rw\n"
                                  "43 31 0:38 /docker/7 /wrong rw - cgroup2 none rw\n");
    put("/my groups/job/cpu.max", "500000 100000\n");
    put("/wrong/e/job/cpu.max", "100000 100000\n");
    put("/wrong/cpu.max", "100000 100000\n");
    ck_assert_int_eq(count(), 5);
    put("/my groups/cpu.max", "200000 100000\n");
    ck_assert_int_eq(count(), 2);
}

TEST(names_may_look_like_escapes_or_parents) {
    belong("0::/..a/b..\n", V2_MOUNT);
    put("/sys/fs/cgroup/..a/b../cpu.max", "200000 100000\n");
    ck_assert_int_eq(count(), 2);
}

/* ---- Version 1 ---- */

TEST(version_1_has_a_file_for_each_number) {
    belong("4:memory:/m\n3:cpu,cpuacct:/job\n1:name=systemd:/s\n", V1_MOUNT);
    put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(count(), 2);
    put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    ck_assert_int_eq(count(), CPU_QUOTA_NONE);
    put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "50000\n");
    ck_assert_int_eq(count(), 1);
}

TEST(other_controllers_have_no_quota) {
    belong("3:cpuset:/job\n2:cpuacct:/job\n",
           "33 31 0:29 / /cpuset rw - cgroup cgroup rw,cpuset\n"
           "34 31 0:30 / /cpuacct rw - cgroup cgroup rw,cpuacct\n");
    put("/cpuset/job/cpu.cfs_quota_us", "100000\n");
    put("/cpuset/job/cpu.cfs_period_us", "100000\n");
    put("/cpuacct/job/cpu.cfs_quota_us", "100000\n");
    put("/cpuacct/job/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(count(), CPU_QUOTA_NONE);
}

TEST(both_versions_may_be_mounted) {
    belong("1:cpu:/old\n0::/new\n", V2_MOUNT V1_MOUNT);
    put("/sys/fs/cgroup/new/cpu.max", "600000 100000\n");
    ck_assert_int_eq(count(), 6);
    put("/sys/fs/cgroup/cpu,cpuacct/old/cpu.cfs_quota_us", "300000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/old/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(count(), 3);
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
                                        "0x10 1\n",
                                        "100000\t100000\n"};
    belong("0::/job\n", V2_MOUNT);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put("/sys/fs/cgroup/job/cpu.max", texts[i]);
        ck_assert_msg(count() == CPU_QUOTA_NONE, "'%s' is a quota", texts[i]);
    }
    put("/sys/fs/cgroup/job/cpu.max", "999999999999999999 1\n");
    ck_assert_int_eq(count(), CPU_QUOTA_NONE); /* more than any machine has */
}

TEST(lines_that_make_no_sense_are_skipped) {
    belong("\n:\n::\n0:\n0::\n0::job\n7\n0:cpu\n0::/job\n0::/later\n",
           "\n - cgroup2\n - cgroup2 a b\n1 2 3 - cgroup2 a b\n1 2 3 / - cgroup2 a b\n"
           "cgroup2\n1 2 3 / /x rw - cgroup2\n1 2 3 / /x rw - cgroup\n" V2_MOUNT);
    put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
    put("/sys/fs/cgroup/later/cpu.max", "100000 100000\n");
    ck_assert_int_eq(count(), 2);
}

TEST(what_cannot_be_read_is_no_quota) {
    belong("0::/job (deleted)\n", V2_MOUNT);
    ck_assert_int_eq(count(), CPU_QUOTA_NONE);
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    ck_assert_int_eq(count(), 2); /* of the group above, which is still there */
    ck_assert_int_eq(unlink(test_dir_path("sys/fs/cgroup/cpu.max")), 0);
    ck_assert_int_eq(mkfifo(test_dir_path("sys/fs/cgroup/cpu.max"), 0600), 0);
    ck_assert_int_eq(count(), CPU_QUOTA_NONE); /* and nothing waits for a writer */
}
