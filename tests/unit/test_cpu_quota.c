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
    char line[128];
    snprintf(line, sizeof line, "%s\n", text);
    test_dir_text(path + 1, line, 0600);
}

#define TOP "/sys/fs/cgroup"

/* The groups of this process, files and what they hold, and the processors allowed; 0: no quota. */
static const struct {
    const char *groups, *files[4][2];
    int count;
} cases[] = {
    {NULL, {{NULL}}, 0},
    {"0::/user/job", {{TOP "/user/job/cpu.max", "300000 100000"}}, 3},
    {"0::/job", {{TOP "/job/cpu.max", "250000 100000"}}, 3}, /* a part is one more */
    {"0::/a/b/c", /* the smallest one up to the root counts */
     {{TOP "/a/b/c/cpu.max", "800000 100000"},
      {TOP "/a/b/cpu.max", "max 100000"},
      {TOP "/a/cpu.max", "200000 100000"}},
     2},
    {"0::/a/b", /* none beside it, and none above the mount */
     {{TOP "/a/bb/cpu.max", "100000 100000"},
      {TOP "/c/cpu.max", "100000 100000"},
      {"/sys/fs/cpu.max", "100000 100000"}},
     0},
    {"0::/", {{TOP "/cpu.max", "400000 100000"}}, 4}, /* in a namespace */
    {"0::/../other", {{TOP "/cpu.max", "100000 100000"}}, 0},
    {"0::/job (deleted)", {{TOP "/cpu.max", "200000 100000"}}, 2},
    {"\n:\n::\n0:\n0::\n0::job\n7\n0:cpu\n0::/job\n0::/later",
     {{TOP "/job/cpu.max", "200000 100000"}, {TOP "/later/cpu.max", "100000 100000"}},
     2},
    {"0::/job", {{TOP "/job/cpu.max", ""}}, 0}, /* numbers that make no sense */
    {"0::/job", {{TOP "/job/cpu.max", "0 100000"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "100000 0"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "-1 100000"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "100000 100000 7 x"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "99999999999999999999999999 1"}}, 0},
};

TEST_EACH(quotas_of_trees, sizeof cases / sizeof *cases) {
    if (cases[_i].groups != NULL) put("/proc/self/cgroup", cases[_i].groups);
    for (int i = 0; i < 4 && cases[_i].files[i][0] != NULL; i++)
        put(cases[_i].files[i][0], cases[_i].files[i][1]);
    ck_assert_int_eq(proc_cpu_quota(test_dir), cases[_i].count > 0 ? cases[_i].count : INT_MAX);
}
