/* proc_cpu_quota: quotas of control groups, on trees as kernels show them. */
#include "fixture.h"
#include "proc.h"

#include <limits.h>

static void put(const char *path, const char *text) {
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%s%.*s", test_dir, (int)(slash - path), path);
        mkdir(folder, 0700);
    }
    test_dir_text(path + 1, text, 0600);
}

#define TOP "/sys/fs/cgroup"

/* The groups of this process, files and what they hold, and the processors allowed; 0: no quota. */
static const struct {
    const char *groups, *files[4][2];
    int count;
} cases[] = {
    {NULL, {{NULL}}, 0},
    {"0::/user/job\n", {{TOP "/user/job/cpu.max", "300000 100000\n"}}, 3},
    {"0::/job\n", {{TOP "/job/cpu.max", "250000 100000\n"}}, 3}, /* a part is one more */
    {"0::/job\n", {{TOP "/job/cpu.max", "1000 1000000\n"}}, 1},
    {"0::/job\n", {{TOP "/job/cpu.max", "200001 100000\n"}}, 3},
    {"0::/a/b/c\n", /* the smallest one up to the root counts */
     {{TOP "/a/b/c/cpu.max", "800000 100000\n"},
      {TOP "/a/b/cpu.max", "max 100000\n"},
      {TOP "/a/cpu.max", "200000 100000\n"}},
     2},
    {"0::/a/b\n", /* none beside it, and none above the mount */
     {{TOP "/a/bb/cpu.max", "100000 100000\n"},
      {TOP "/c/cpu.max", "100000 100000\n"},
      {"/sys/fs/cpu.max", "100000 100000\n"}},
     0},
    {"0::/\n", {{TOP "/cpu.max", "400000 100000\n"}}, 4}, /* in a namespace */
    {"0::/../other\n", {{TOP "/cpu.max", "100000 100000\n"}}, 0},
    {"0::/..a/b..\n", {{TOP "/..a/b../cpu.max", "200000 100000\n"}}, 2},
    {"0::/job (deleted)\n", {{NULL}}, 0},
    {"0::/job (deleted)\n", {{TOP "/cpu.max", "200000 100000\n"}}, 2},
    {"\n:\n::\n0:\n0::\n0::job\n7\n0:cpu\n0::/job\n0::/later\n",
     {{TOP "/job/cpu.max", "200000 100000\n"}, {TOP "/later/cpu.max", "100000 100000\n"}},
     2},
};

TEST_EACH(quotas_of_trees, sizeof cases / sizeof *cases) {
    if (cases[_i].groups != NULL) put("/proc/self/cgroup", cases[_i].groups);
    for (int i = 0; i < 4 && cases[_i].files[i][0] != NULL; i++)
        put(cases[_i].files[i][0], cases[_i].files[i][1]);
    ck_assert_int_eq(proc_cpu_quota(test_dir), cases[_i].count > 0 ? cases[_i].count : INT_MAX);
}

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
    put("/proc/self/cgroup", "0::/job\n");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put(TOP "/job/cpu.max", texts[i]);
        ck_assert_msg(proc_cpu_quota(test_dir) == INT_MAX, "'%s' is a quota", texts[i]);
    }
}
