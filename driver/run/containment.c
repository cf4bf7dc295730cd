/* A contained process is forked into new namespaces, as far as these are permitted. */
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
    static const char *const names[] = {[CONTAINMENT_SUBREAPER] = "subreaper",
                                        [CONTAINMENT_USER] = "pid namespace in a user namespace",
                                        [CONTAINMENT_NAMESPACE] = "pid namespace"};
    return names[c];
}

/* Map the user and the group to themselves, so that a run sees the same ids as outside. */
static bool map_ids(uid_t user, gid_t group) {
    char line[64];
    snprintf(line, sizeof line, "%u %u 1\n", user, user);
    if (!procfs_write("self/uid_map", line)) return false;
    if (!procfs_write("self/setgroups", "deny")) return false;
    snprintf(line, sizeof line, "%u %u 1\n", group, group);
    return procfs_write("self/gid_map", line);
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
    /* A /proc of this namespace, in which leak checkers and debuggers look themselves up. Later
     * mounts from outside appear here, but not the reverse. */
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) return false;
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) return false;
    procfs_drop(); /* that of the driver */
    return true;
}

/* Fork into new namespaces, or none. The rest of fork() is unnecessary in a process with one
 * thread. */
static pid_t fork_into(containment c) {
    const unsigned long user = c == CONTAINMENT_USER ? CLONE_NEWUSER : 0;
    const unsigned long flags = user | CLONE_NEWPID | CLONE_NEWNS | SIGCHLD;
    if (c == CONTAINMENT_SUBREAPER) return fork();
#ifdef __s390__ /* the only current Linux architecture with the stack first */
    return (pid_t)syscall(SYS_clone, NULL, flags, NULL, NULL, NULL);
#else
    return (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
#endif
}

pid_t containment_fork(containment c) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const int driver = proc_open_self();
    if (driver < 0 && errno != ENOSYS && errno != EPERM) return -1; /* a sandbox: no check */
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
    const pid_t pid = containment_fork(c);
    if (pid == 0) _exit(EXIT_SUCCESS);
    return pid > 0 && UNINTERRUPTED(waitpid(pid, &status, 0)) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* Root gets no user namespace, since root would lose its power over other users' files there. */
containment containment_detect(void) {
    const bool is_super = geteuid() == 0;
    if (is_granted(CONTAINMENT_NAMESPACE)) return CONTAINMENT_NAMESPACE;
    if (!is_super && is_granted(CONTAINMENT_USER)) return CONTAINMENT_USER;
    return CONTAINMENT_SUBREAPER;
}

/* ---- The numbers of processes ----
 *
 * A pid namespace counts from 1, but programs take their number for the name of a file in /tmp, a
 * socket or a shared memory, which all jobs share. So each job has a block of numbers of its own.
 * Blocks follow from the driver's pid, so that those of tools side by side differ; where one starts
 * in its block does too, since a crashed run of another tool may have left its lock. */

/* Return the number in a file of /proc/sys/kernel, whose descriptor this is; -1 without one. */
static long read_kernel_number(int fd) {
    char digits[24];
    const ssize_t length = pread(fd, digits, sizeof digits - 1, 0);
    if (length <= 0) return -1;
    digits[length] = '\0';
    return strtol(digits, NULL, 10);
}

/* Let the next process have the number after this one. */
static bool set_last_pid(long number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", number);
    return procfs_write("sys/kernel/ns_last_pid", digits);
}

pid_block pid_block_begin(pid_t driver_pid, unsigned worker, unsigned workers) {
    enum { LOWEST = 1024, LEAST = 512, MOST = 32 * 1024, TOOLS = 32, STEP = 89 };
    pid_block b = {.fd = -1};
    if (getpid() != 1) return b; /* no namespace */
    const int max_fd = openat(procfs(), "sys/kernel/pid_max", O_RDONLY | O_CLOEXEC);
    const long max = max_fd >= 0 ? read_kernel_number(max_fd) : -1, jobs = (long)workers;
    if (max_fd >= 0) close(max_fd);
    if (max < LOWEST + 2 * jobs) return b;
    const long range = max - LOWEST;
    b.count = range / (jobs * TOOLS);
    b.count = b.count < LEAST ? LEAST : b.count > MOST ? MOST : b.count;
    if (b.count > range / jobs) b.count = range / jobs;
    const long tools = range / b.count / jobs;
    const long driver = (long)driver_pid, job = (long)worker;
    b.first = LOWEST + (driver % tools * jobs + job) * b.count;
    if (set_last_pid(b.first + driver / tools * STEP % (b.count / 2)))
        b.fd = openat(procfs(), "sys/kernel/ns_last_pid", O_RDONLY | O_CLOEXEC);
    return b;
}

void pid_block_go_on(const pid_block *b) {
    if (b->fd < 0) return;
    const long last = read_kernel_number(b->fd);
    if (last < b->first || last >= b->first + b->count / 4 * 3) set_last_pid(b->first);
}
