#include "cpu_quota.h"

#include "regular.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Files ---- */

/* Open `root` + `path` as a stream. NULL if that is no readable regular file. */
static FILE *open_text(const char *root, const char *path) {
    uint64_t size;
    char *whole;
    if (asprintf(&whole, "%s%s", root, path) < 0) return NULL;
    const int fd = regular_open(AT_FDCWD, whole, 0, &size);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (file == NULL && fd >= 0) close(fd);
    free(whole);
    return file;
}

/* Parse a whole number, and move *text behind it and a space or the end of its line. */
static bool take_number(const char **text, uint64_t *value) {
    enum { DIGITS_MAX = 18 };
    const size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX) return false;
    *value = strtoull(*text, NULL, 10);
    *text += digits;
    const bool is_ended = **text == '\0' || strchr(" \n", **text) != NULL;
    *text += strspn(*text, " \n");
    return is_ended;
}

/* Read a file of one or two numbers. Return how many there are. */
static int read_numbers(const char *folder, const char *name, uint64_t numbers[2]) {
    char line[64];
    int count = 0;
    FILE *file = open_text(folder, name);
    const char *at = file != NULL ? fgets(line, sizeof line, file) : NULL;
    while (at != NULL && count < 2 && take_number(&at, &numbers[count])) count++;
    if (file != NULL) fclose(file);
    return at != NULL && *at == '\0' ? count : 0;
}

/* ---- Quotas ---- */

static int smaller_of(int a, int b) { return a < b ? a : b; }

static int processors_of(uint64_t quota, uint64_t period) {
    if (quota == 0 || period == 0) return CPU_QUOTA_NONE;
    const uint64_t count = quota / period + (quota % period != 0);
    return count < CPU_QUOTA_NONE ? (int)count : CPU_QUOTA_NONE;
}

/* Return the quota of a group, by the files in its folder. Without a quota these say "max" or -1,
 * and those of the other version of control groups are not there. */
static int quota_of(const char *folder) {
    uint64_t both[2], quota[2], period[2];
    if (read_numbers(folder, "/cpu.max", both) == 2) return processors_of(both[0], both[1]);
    const bool is_limited = read_numbers(folder, "/cpu.cfs_quota_us", quota) == 1 &&
                            read_numbers(folder, "/cpu.cfs_period_us", period) == 1;
    return is_limited ? processors_of(quota[0], period[0]) : CPU_QUOTA_NONE;
}

/* Return the smallest quota of a group and those above it. The folder is cut at its slashes, down
 * to `top` bytes, those of the mount. */
static int quota_up_to(char *folder, size_t top) {
    int least = quota_of(folder);
    for (size_t length = strlen(folder); length > top; length--) {
        if (folder[length - 1] != '/') continue;
        folder[length - 1] = '\0';
        least = smaller_of(least, quota_of(folder));
    }
    return least;
}

/* ---- The groups of this process ---- */

/* The paths of the groups that may have quotas, as /proc/self/cgroup names them; NULL: none. */
typedef struct own_groups {
    char *v1, *v2;
} own_groups;

/* True if `word` is in a list with commas. */
static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, word, length) == 0 && strchr(",\n", at[length]) != NULL) return true;
    }
    return false;
}

/* Take a line such as "4:cpu,cpuacct:/a/b" or "0::/a/b". */
static void take_group(own_groups *own, char *line) {
    char *rest = line;
    const char *number = strsep(&rest, ":");
    const char *controllers = strsep(&rest, ":");
    if (rest == NULL || rest[0] != '/') return;
    rest[strcspn(rest, "\n")] = '\0';
    const bool is_v2 = strcmp(number, "0") == 0 && controllers[0] == '\0';
    char **place = is_v2 ? &own->v2 : &own->v1;
    if (*place == NULL && (is_v2 || has_word(controllers, "cpu"))) *place = strdup(rest);
}

static own_groups read_groups(const char *root) {
    own_groups own = {NULL, NULL};
    char *line = NULL;
    size_t room = 0;
    FILE *file = open_text(root, "/proc/self/cgroup");
    while (file != NULL && getline(&line, &room, file) > 0) take_group(&own, line);
    if (file != NULL) fclose(file);
    free(line);
    return own;
}

/* ---- Mounts of groups ---- */

/* A mounted hierarchy, or a part of it from the group `group` on. */
typedef struct group_mount {
    char *group, *folder;
    const char *kind;    /* type of the file system */
    const char *options; /* controllers and others, with commas */
} group_mount;

/* Resolve escapes such as \040 in place. */
static void unescape(char *text) {
    char *to = text;
    for (const char *at = text; *at != '\0'; to++) {
        if (at[0] == '\\' && strspn(at + 1, "01234567") >= 3) {
            *to = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
            at += 4;
        } else {
            *to = *at++;
        }
    }
    *to = '\0';
}

/* Parse a line of mountinfo: ID PARENT DEVICE ROOT FOLDER OPTIONS [...] - TYPE SOURCE OPTIONS. */
static bool parse_mount(char *line, group_mount *m) {
    char *rest = line, *tail = strstr(line, " - ");
    if (tail == NULL) return false;
    *tail = '\0';
    tail += strlen(" - ");
    for (int i = 0; i < 3; i++) strsep(&rest, " ");
    m->group = strsep(&rest, " ");
    m->folder = strsep(&rest, " ");
    m->kind = strsep(&tail, " ");
    strsep(&tail, " ");
    m->options = tail;
    if (m->folder == NULL || m->options == NULL) return false;
    unescape(m->group);
    unescape(m->folder);
    return true;
}

/* Return the path of a group below a mount: "" or "/a/b". NULL if it is not below it, as a group
 * outside of the namespace, "/../a". */
static const char *path_below(const group_mount *m, const char *group) {
    const size_t length = strcmp(m->group, "/") == 0 ? 0 : strlen(m->group);
    if (strncmp(group, m->group, length) != 0) return NULL;
    const char *rest = strcmp(group + length, "/") == 0 ? "" : group + length;
    if (rest[0] != '\0' && rest[0] != '/') return NULL;
    const char *up = strstr(rest, "/..");
    return up != NULL && (up[3] == '/' || up[3] == '\0') ? NULL : rest;
}

static int quota_at(const char *root, const group_mount *m, const char *group) {
    const char *rest = path_below(m, group);
    char *folder;
    if (rest == NULL || asprintf(&folder, "%s%s%s", root, m->folder, rest) < 0)
        return CPU_QUOTA_NONE;
    const int quota = quota_up_to(folder, strlen(root) + strlen(m->folder));
    free(folder);
    return quota;
}

/* Return the smallest quota in a line of mountinfo, if it is of control groups. */
static int quota_of_line(const char *root, const own_groups *own, char *line) {
    group_mount m;
    if (strstr(line, " - cgroup") == NULL || !parse_mount(line, &m)) return CPU_QUOTA_NONE;
    const bool is_v1 = strcmp(m.kind, "cgroup") == 0 && has_word(m.options, "cpu");
    const char *group = strcmp(m.kind, "cgroup2") == 0 ? own->v2 : is_v1 ? own->v1 : NULL;
    return group != NULL ? quota_at(root, &m, group) : CPU_QUOTA_NONE;
}

int cpu_quota_count(const char *root) {
    own_groups own = read_groups(root);
    int least = CPU_QUOTA_NONE;
    char *line = NULL;
    size_t room = 0;
    FILE *file = open_text(root, "/proc/self/mountinfo");
    while (file != NULL && getline(&line, &room, file) > 0)
        least = smaller_of(least, quota_of_line(root, &own, line));
    if (file != NULL) fclose(file);
    free(line);
    free(own.v1);
    free(own.v2);
    return least;
}
