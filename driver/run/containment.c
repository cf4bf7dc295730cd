#include "containment.h"

#include "messages.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char *containment_name(containment c) {
    switch (c) {
    case CONTAINMENT_SUBREAPER: return "subreaper";
    case CONTAINMENT_USER: return "pid namespace in a user namespace";
    case CONTAINMENT_NAMESPACE: return "pid namespace";
    }
    abort();
}

static bool write_text(const char *path, const char *text, int length) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool ok = write(fd, text, (size_t)length) == length;
    close(fd);
    return ok;
}

/* Map the user and the group to themselves, so that a run sees the same ids as outside. */
static bool map_ids(uid_t user, gid_t group) {
    char line[64];
    int length = snprintf(line, sizeof line, "%u %u 1\n", user, user);
    if (!write_text("/proc/self/uid_map", line, length)) return false;
    if (!write_text("/proc/self/setgroups", "deny", 4)) return false;
    length = snprintf(line, sizeof line, "%u %u 1\n", group, group);
    return write_text("/proc/self/gid_map", line, length);
}

/* Mount a /proc of this namespace: leak checkers and debuggers look themselves up in it. Later
 * mounts from outside appear here, but not the reverse. */
static bool mount_proc(void) {
    return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0 &&
           mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

static bool move_in(containment c, uid_t user, gid_t group) {
    orphans_begin_process(c != CONTAINMENT_SUBREAPER);
    bug_begin_process();
    setsid(); /* keeps runs from the terminal, and the terminal's signals from here */
    if (c == CONTAINMENT_SUBREAPER) {
        orphans_adopt();
        return true;
    }
    if (c == CONTAINMENT_USER && !map_ids(user, group)) return false;
    if (!mount_proc()) return false;
    procfs_drop(); /* that of the driver */
    return true;
}

/* As fork(), with flags. The rest of fork() is unnecessary in a process with one thread. */
static pid_t fork_with(unsigned long flags) {
#ifdef __s390__ /* the only current Linux architecture with the stack first */
    return (pid_t)syscall(SYS_clone, NULL, flags | SIGCHLD, NULL, NULL, NULL);
#else
    return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
#endif
}

static pid_t fork_into(containment c) {
    switch (c) {
    case CONTAINMENT_SUBREAPER: return fork();
    case CONTAINMENT_USER: return fork_with(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS);
    case CONTAINMENT_NAMESPACE: return fork_with(CLONE_NEWPID | CLONE_NEWNS);
    }
    abort();
}

pid_t containment_fork(containment c) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const int driver = proc_open_self();
    if (driver < 0 && errno != ENOSYS && errno != EPERM) return -1; /* else skip the check */
    const pid_t pid = fork_into(c);
    const int error = errno;
    if (pid == 0) proc_die_with(driver);
    if (driver >= 0) close(driver);
    if (pid == 0 && !move_in(c, user, group)) _exit(EXIT_FAILURE);
    errno = error;
    return pid;
}

static bool is_granted(containment c) {
    int status = 0;
    pid_t reaped = -1;
    const pid_t pid = containment_fork(c);
    if (pid == 0) _exit(EXIT_SUCCESS);
    while (pid > 0 && (reaped = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
    }
    return pid > 0 && reaped == pid && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* Root gets no user namespace, since root would lose its power over other users' files there. */
containment containment_detect(void) {
    const bool is_super = geteuid() == 0;
    if (is_granted(CONTAINMENT_NAMESPACE)) return CONTAINMENT_NAMESPACE;
    if (!is_super && is_granted(CONTAINMENT_USER)) return CONTAINMENT_USER;
    return CONTAINMENT_SUBREAPER;
}
