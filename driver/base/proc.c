/* How a process is started and ended, with all that it leaves behind.
 *
 * It is started by a vfork that shares this process's memory until the exec, so that the cost does
 * not grow with that memory; the errno of a failed step comes by a pipe. Its end shows on a pidfd.
 * It is reaped within a limit of time: a process that it left may trace it, and hide its end
 * until that is killed.
 *
 * A process whose parent ends becomes the child of its nearest subreaper, or of pid 1 of its
 * namespace: of this process, which asked for that. So whatever a run started is among its children
 * sooner or later, and it need not know what runs do. A sweep kills all children but those that are
 * spared (the server or a worker, which others reap), reaps them, and looks again until a round
 * finds none: those killed may have had children of their own.
 *
 * The kernel lists the children of each thread in /proc, which is held open. Pid 1 of a namespace
 * needs no list: kill(-1) reaches all. What hinders an end: a child runs as another user, or its
 * tracer hides that it is dead, or it awaits this process as its tracer. A time limit ends the
 * sweep in any case, and what is left is given up, and reported once. */
#include "proc.h"

#include "clock.h"
#include "files.h"
#include "memory.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- /proc ---- */

static int held = -1;
static bool is_ours; /* it has the numbers of processes here, not those of another pid namespace */

void procfs_drop(void) {
    if (held >= 0) close(held);
    held = -1;
}

int procfs(void) {
    char self[16] = "";
    if (held >= 0 || (held = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0) return held;
    is_ours = readlinkat(held, "self", self, sizeof self - 1) > 0 && atoi(self) == getpid();
    return held;
}

bool procfs_write(const char *path, const char *text) {
    const int fd = openat(procfs(), path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const size_t length = strlen(text);
    const bool ok = write(fd, text, length) == (ssize_t)length;
    close(fd);
    return ok;
}

/* Open a file of /proc. NULL if it cannot be opened, as where its process has ended. */
static FILE *procfs_open(const char *path) {
    const int fd = procfs() >= 0 && is_ours ? openat(held, path, O_RDONLY | O_CLOEXEC) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && file == NULL) close(fd);
    return file;
}

static DIR *procfs_open_folder(const char *path) {
    const int fd = procfs() >= 0 ? openat(held, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && list == NULL) close(fd);
    return list;
}

static DIR *procfs_open_threads(pid_t pid) {
    char path[32];
    snprintf(path, sizeof path, "%d/task", (int)pid);
    return procfs() >= 0 && is_ours ? procfs_open_folder(path) : NULL;
}

/* ---- Children that asked for tracing ---- */

/* Resume a thread that has stopped for this signal, untraced. The thread gets the signal, except
 * for the SIGTRAP that an exec under a tracer sends itself. */
static void traced_let_go(pid_t thread, int signal_number) {
    siginfo_t info = {0};
    const bool is_exec = signal_number == SIGTRAP &&
                         ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) == 0 &&
                         info.si_code == SI_USER && info.si_pid == thread;
    ptrace(PTRACE_DETACH, thread, NULL, (void *)(intptr_t)(is_exec ? 0 : signal_number));
}

/* Resume all stopped threads of a child except the first. Reap a thread that has ended, since its
 * process cannot be reaped before. */
static void traced_let_threads_go(pid_t child) {
    const struct dirent *entry;
    DIR *list = procfs_open_threads(child);
    if (list == NULL) return;
    while ((entry = readdir(list)) != NULL) {
        const pid_t thread = atoi(entry->d_name); /* 0 for "." and ".." */
        int status;
        if (thread <= 0 || thread == child) continue;
        if (waitpid(thread, &status, WNOHANG | __WALL) != thread) continue;
        if (WIFSTOPPED(status)) traced_let_go(thread, WSTOPSIG(status));
    }
    closedir(list);
}

/* ---- Orphans ---- */

enum { SPARED_MAX = 1024 };

static bool is_begun; /* orphans_adopt was called */
static bool is_init;  /* this process is pid 1 of its own pid namespace */
static pid_t spared[SPARED_MAX];
static size_t spared_count;
static bool spared_overflow; /* too many to remember: killing any child is unsafe */
static pid_t given_up;       /* the first child given up since the last query; 0: none */

static bool is_spared(pid_t child) {
    for (size_t i = 0; i < spared_count; i++) {
        if (spared[i] == child) return true;
    }
    return spared_overflow;
}

void orphans_spare(pid_t child) {
    if (is_spared(child)) return;
    spared_overflow = spared_count == SPARED_MAX;
    if (!spared_overflow) spared[spared_count++] = child;
}

void orphans_unspare(pid_t child) {
    for (size_t i = 0; i < spared_count; i++) {
        if (spared[i] == child) spared[i] = spared[--spared_count];
    }
}

/* Call a function for each child of a thread; this process has one. False if the kernel does not
 * list them. */
static bool for_children_of(pid_t pid, pid_t thread, void (*each)(pid_t child, void *context),
                            void *context) {
    int child;
    char path[64];
    snprintf(path, sizeof path, "%d/task/%d/children", (int)pid, (int)thread);
    FILE *list = procfs_open(path);
    if (list == NULL) return false;
    while (fscanf(list, "%d", &child) == 1) each(child, context);
    fclose(list);
    return true;
}

static void for_children(pid_t pid, void (*each)(pid_t child, void *context), void *context) {
    const struct dirent *entry;
    DIR *threads = procfs_open_threads(pid);
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        const pid_t thread = atoi(entry->d_name); /* 0 for "." and ".." */
        if (thread > 0) for_children_of(pid, thread, each, context);
    }
    if (threads != NULL) closedir(threads);
}

/* Kill a process and its descendants, down to so many generations. */
static void kill_down(pid_t pid, void *generations) {
    unsigned below = *(const unsigned *)generations - 1;
    if (below > 0) for_children(pid, kill_down, &below);
    kill(pid, SIGKILL);
}

/* Send SIGKILL to all descendants of a process. One of them may trace the process, and stop it at
 * its end (PTRACE_O_TRACEEXIT), before the kernel reparents its children to this process. */
static void kill_descendants(pid_t pid) {
    unsigned generations = 32;
    for_children(pid, kill_down, &generations);
}

/* Read the fields of /proc/PID/stat that follow the process's name. False if it has ended. */
static bool read_stat(pid_t pid, char line[512]) {
    char path[64];
    snprintf(path, sizeof path, "%d/stat", (int)pid);
    FILE *stat = procfs_open(path);
    if (stat == NULL) return false;
    const char *name_end = fgets(line, 512, stat) != NULL ? strrchr(line, ')') : NULL;
    fclose(stat);
    if (name_end == NULL || name_end[1] != ' ') return false;
    memmove(line, name_end + 2, strlen(name_end + 2) + 1);
    return true;
}

/* Return the state of a process as the letter that ps(1) prints, or 0 if it has ended. */
static char state_of(pid_t pid) {
    char line[512];
    return read_stat(pid, line) ? line[0] : '\0';
}

static int64_t ns_of(struct timeval t) {
    return t.tv_sec * CLOCK_NS_PER_S + t.tv_usec * INT64_C(1000);
}

int64_t proc_cpu_ns(pid_t child) {
    char line[512];
    struct rusage ended;
    unsigned long long ticks[4] = {0};
    const long a_second = sysconf(_SC_CLK_TCK);
    int64_t all_ns = 0;
    if (getrusage(RUSAGE_CHILDREN, &ended) == 0)
        all_ns = ns_of(ended.ru_utime) + ns_of(ended.ru_stime);
    if (child <= 0 || a_second <= 0 || !read_stat(child, line)) return all_ns;
    sscanf(line, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &ticks[0],
           &ticks[1], &ticks[2], &ticks[3]);
    for (int i = 0; i < 4; i++) all_ns += (int64_t)ticks[i] * (CLOCK_NS_PER_S / a_second);
    return all_ns;
}

bool proc_is_stopped(pid_t pid) {
    const char state = state_of(pid);
    return state == 'T' || state == 't';
}

static void count_living(pid_t pid, void *count) {
    const char state = state_of(pid);
    *(unsigned *)count += state != '\0' && state != 'Z';
}

unsigned orphans_count_children(pid_t pid) {
    unsigned count = 0;
    for_children(pid, count_living, &count);
    return count;
}

static void spare(pid_t child, void *context) {
    (void)context;
    orphans_spare(child);
}

void orphans_adopt(void) {
    if (is_begun) return;
    is_begun = true;
    for_children_of(getpid(), getpid(), spare, NULL);
    if (spared_count == 0) prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void orphans_begin_process(bool owns_namespace) {
    is_begun = spared_overflow = false;
    is_init = owns_namespace;
    spared_count = 0;
    given_up = 0;
}

/* Spare a child for good, since it cannot be killed. */
static void spare_child(pid_t child) {
    orphans_spare(child);
    if (given_up == 0) given_up = child;
}

pid_t orphans_take_given_up(void) {
    const pid_t taken = given_up;
    given_up = 0;
    return taken;
}

/* A round over the children. */
typedef struct round {
    bool is_last;
    unsigned found;  /* children that are not spared */
    unsigned living; /* of these, children not yet reaped */
} round;

/* Kill a child that is not spared, and reap it if it is dead. A tracer may hide a dead child from
 * this process; a later round reaps it, when the tracer has died. */
static void end_child(pid_t pid, void *context) {
    round *r = context;
    if (is_spared(pid)) return;
    r->found++;
    const bool is_refused = kill(pid, SIGKILL) != 0 && errno == EPERM;
    const pid_t reaped = waitpid(pid, NULL, WNOHANG | __WALL);
    if (reaped < 0 && (errno == EPERM || errno == ENOSYS)) orphans_spare(pid); /* for good */
    if (reaped != 0) return;
    traced_let_threads_go(pid);
    kill_descendants(pid);
    r->living++;
    if (is_refused || r->is_last) spare_child(pid);
}

/* Reap a child that was killed with the whole namespace, if the kernel does not list children. */
static bool reap_any(void) { return spared_count == 0 && waitpid(-1, NULL, WNOHANG | __WALL) > 0; }

void orphans_sweep(void) {
    /* If processes fork faster than they are killed, each round adds a generation. As pid 1 of a
     * namespace, after some rounds this process kills all others at once, since nothing else
     * helps. */
    enum { ROUNDS_OF_INIT = 20, PAUSE_MAX_US = 2000 };
    siginfo_t info;
    long step_us = 20;
    if (spared_count == 0 && waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) {
        return;
    }
    const int64_t end_ns = clock_after(clock_now_ns(), ORPHANS_SWEEP_MS * CLOCK_NS_PER_MS);
    for (int i = 0;; i++) {
        if (is_init && (spared_count == 0 || i >= ROUNDS_OF_INIT)) kill(-1, SIGKILL);
        round r = {.is_last = clock_now_ns() >= end_ns};
        const bool is_listed = for_children_of(getpid(), getpid(), end_child, &r);
        if (!is_listed && !is_init && given_up == 0) given_up = ORPHANS_UNKNOWN;
        if (r.is_last || (r.found == 0 && !reap_any())) return;
        if (r.living == 0) continue;
        nanosleep(&(struct timespec){0, step_us * 1000}, NULL);
        if (step_us < PAUSE_MAX_US) step_us *= 2;
    }
}

/* ---- Starting ---- */

/* What a child at its start is to do. Its memory is that of its parent, which sleeps until exec,
 * or in an emulator of one process, such as qemu-user, a copy. */
typedef struct birth {
    const proc_command *command;
    const proc_setup *setup;
    pid_t parent;
    int report; /* gets the errno of a failed step; a successful exec closes it */
} birth;

static bool move_descriptor(int from, int to) {
    if (from < 0) return true;
    if (from == to) return fcntl(to, F_SETFD, 0) == 0;
    return dup2(from, to) == to;
}

static bool set_up_child(const birth *b) {
    const proc_setup *setup = b->setup;
    if (setup->dies_with_parent) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
        if (getppid() != b->parent) _exit(EXIT_FAILURE);
    }
    if (setup->place == PROC_OWN_GROUP && setpgid(0, 0) != 0) return false;
    if (setup->place == PROC_OWN_SESSION && setsid() < 0) return false;
    const struct rlimit memory = {setup->memory_max, setup->memory_max};
    const struct rlimit file = {setup->file_max, setup->file_max};
    if (setup->memory_max > 0 && setrlimit(RLIMIT_AS, &memory) != 0) return false;
    if (setup->file_max > 0 && setrlimit(RLIMIT_FSIZE, &file) != 0) return false;
    if (signal(SIGPIPE, SIG_DFL) == SIG_ERR || signal(SIGXFSZ, SIG_DFL) == SIG_ERR ||
        signal(SIGCHLD, SIG_DFL) == SIG_ERR)
        return false;
    if (setup->folder != NULL && chdir(setup->folder) != 0) return false;
    for (size_t i = 0; i < setup->inherited_count; i++) {
        if (fcntl(setup->inherited[i], F_SETFD, 0) != 0) return false;
    }
    return move_descriptor(setup->stdin_fd, STDIN_FILENO) &&
           move_descriptor(setup->stdout_fd, STDOUT_FILENO) &&
           move_descriptor(setup->stderr_fd, STDERR_FILENO) &&
           sigprocmask(SIG_SETMASK, &setup->mask, NULL) == 0;
}

static int child_main(void *argument) {
    const birth *b = argument;
    if (set_up_child(b)) execve(b->command->path, b->command->argv, b->command->envp);
    const int error = errno != 0 ? errno : EINVAL;
    if (write(b->report, &error, sizeof error) < 0) return EXIT_FAILURE;
    return EXIT_FAILURE; /* returning exits; _exit() on our own stack upsets sanitizers */
}

/* Fork a child that shares this process's memory until its exec, and sleep until then. */
static int fork_sharing(birth *b, proc *child) {
    enum { STACK_BYTES = 64 * 1024 };
    static _Alignas(16) unsigned char stack[STACK_BYTES]; /* in use only until clone() returns */
    const int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
    child->pidfd = -1;
    child->pid = clone(child_main, stack + STACK_BYTES, flags | CLONE_PIDFD, b, &child->pidfd);
    if (child->pid < 0 && errno == EINVAL) /* emulators reject CLONE_PIDFD */
        child->pid = clone(child_main, stack + STACK_BYTES, flags, b);
    return child->pid < 0 ? errno : 0;
}

int proc_spawn(const proc_command *command, const proc_setup *setup, proc *child) {
    sigset_t all, before;
    int ends[2], status;
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    birth b = {command, setup, getpid(), ends[1]};
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int error = fork_sharing(&b, child);
    const bool is_forked = error == 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (is_forked) (void)UNINTERRUPTED(read(ends[0], &error, sizeof error));
    close(ends[0]);
    if (is_forked && error != 0) proc_reap(child, false, &status);
    return error;
}

/* ---- Waiting for its end ---- */

/* True if the child can be reaped: it is a zombie that no tracer hides. Resumes the child if it has
 * stopped for a tracer. */
static bool can_be_reaped(const proc *child) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
    if (info.si_pid == child->pid && info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED) {
        return true;
    }
    if (info.si_pid == child->pid) traced_let_go(child->pid, info.si_status & 0x7f);
    traced_let_threads_go(child->pid);
    return false;
}

/* A pidfd shows the child's end even if a tracer hides it. */
bool proc_has_ended(const proc *child) {
    struct pollfd end = {child->pidfd, POLLIN, 0};
    return can_be_reaped(child) || (child->pidfd >= 0 && poll(&end, 1, 0) > 0);
}

int proc_look_ms(const proc *child, int64_t now_ns, int64_t deadline_ns) {
    enum { LOOK_MS = 50, LOOK_BLIND_MS = 2 };
    const int look_ms = clock_look_ms(now_ns, deadline_ns);
    const int most_ms = child->pidfd >= 0 ? LOOK_MS : LOOK_BLIND_MS;
    return look_ms < most_ms ? look_ms : most_ms;
}

/* Reap the child if possible now. Returns 0, EAGAIN if it is not possible, or another errno. */
static int try_reap(const proc *child, int *status) {
    const pid_t reaped = UNINTERRUPTED(waitpid(child->pid, status, WNOHANG));
    if (reaped < 0) return errno;
    if (reaped == 0) traced_let_threads_go(child->pid);
    if (reaped > 0 && WIFSTOPPED(*status)) traced_let_go(child->pid, WSTOPSIG(*status));
    if (reaped == 0 || WIFSTOPPED(*status)) return EAGAIN;
    return 0;
}

/* As try_reap, but wait for the child's end up to `limit_ms`. */
static int reap_within(const proc *child, int limit_ms, int *status) {
    const int64_t end_ns = clock_after(clock_now_ns(), limit_ms * CLOCK_NS_PER_MS);
    struct pollfd end = {child->pidfd, POLLIN, 0};
    int error;
    while ((error = try_reap(child, status)) == EAGAIN) {
        const int64_t now_ns = clock_now_ns();
        if (now_ns >= end_ns) return EAGAIN;
        /* If the pidfd shows the end but the child cannot be reaped, a tracer hides it. */
        if (child->pidfd < 0 || (end.revents & POLLIN) != 0) {
            nanosleep(&(struct timespec){0, CLOCK_NS_PER_MS}, NULL);
        } else {
            poll(&end, 1, proc_look_ms(child, now_ns, end_ns));
        }
    }
    return error;
}

int proc_reap(proc *child, bool kill_group, int *status) {
    enum { ALONE_MS = 100, ALL_MS = 3000, ROUND_MS = 20 };
    assert(child->pid > 0);
    const int64_t end_ns = clock_after(clock_now_ns(), ALL_MS * CLOCK_NS_PER_MS);
    if (kill_group) kill(-child->pid, SIGKILL);
    int error = reap_within(child, ALONE_MS, status);
    if (error == EAGAIN) proc_kill(child, kill_group);
    while (error == EAGAIN && clock_now_ns() < end_ns) { /* a process that it left may trace it */
        kill_descendants(child->pid);
        orphans_spare(child->pid);
        orphans_sweep();
        orphans_unspare(child->pid);
        error = reap_within(child, ROUND_MS, status);
    }
    if (error == EAGAIN) spare_child(child->pid); /* never wait for it a second time */
    if (error != 0) orphans_spare(child->pid);
    if (child->pidfd >= 0) close(child->pidfd);
    child->pidfd = -1;
    return error == EAGAIN ? ETIME : error;
}

void proc_kill(const proc *child, bool kill_group) {
    assert(child->pid > 0); /* 0 and -1 mean groups and all processes */
    if (kill(kill_group ? -child->pid : child->pid, SIGKILL) == 0 || child->pidfd < 0) return;
    syscall(SYS_pidfd_send_signal, child->pidfd, SIGKILL, NULL, 0);
}

void proc_wake(pid_t child) {
    siginfo_t info = {0};
    assert(child > 0);
    if (waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOHANG) != 0 || info.si_pid != child) return;
    kill(child, SIGCONT);
}

/* Close all descriptors but the standard ones, that of /proc, and `kept`, now or on exec, by the
 * list in /proc: no sandbox refuses that, as some do close_range. Returns 0 or an errno. */
static int close_all_but(int kept, bool on_exec) {
    const struct dirent *entry;
    DIR *list = procfs_open_folder("self/fd");
    if (list == NULL) return errno;
    while (errno = 0, (entry = readdir(list)) != NULL) {
        const int fd = atoi(entry->d_name); /* 0 for "." and ".." */
        if (fd <= STDERR_FILENO || fd == dirfd(list) || fd == held || fd == kept) continue;
        if ((on_exec ? fcntl(fd, F_SETFD, FD_CLOEXEC) : close(fd)) != 0) break;
    }
    const int error = errno;
    closedir(list);
    return error;
}

int proc_tidy_descriptors(void) {
    int fd;
    do { /* if stdout is closed, make it read-only: output to it must fail */
        fd = open("/dev/null", fcntl(STDOUT_FILENO, F_GETFD) < 0 ? O_RDONLY : O_RDWR);
        if (fd < 0) return errno;
    } while (fd <= STDERR_FILENO);
    close(fd);
    return close_all_but(-1, true);
}

void proc_keep_descriptor(int fd) { close_all_but(fd, false); }

int proc_open_self(void) { return (int)syscall(SYS_pidfd_open, getpid(), 0); }

void proc_die_with(int parent_pidfd) {
    struct pollfd parent = {parent_pidfd, POLLIN, 0}; /* poll ignores a negative one */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || poll(&parent, 1, 0) != 0) _exit(EXIT_FAILURE);
}

bool proc_is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *proc_find(const char *name, const char *folders) {
    if (strchr(name, '/') != NULL) return memory_text("%s", name);
    while (name[0] != '\0') {
        const size_t length = strcspn(folders, ":");
        char *path =
            memory_text("%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? folders : ".", name);
        if (proc_is_program(path)) return path;
        free(path);
        if (folders[length] == '\0') break;
        folders += length + 1;
    }
    errno = ENOENT;
    return NULL;
}

/* Return the quota of a group in processors, rounded up. */
static int quota_of(const char *root, const char *group) {
    char path[2 * PATH_MAX + 32], rest;
    unsigned long quota = 0, period = 0;
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/cpu.max", root, group);
    FILE *file = fopen(path, "re");
    if (file == NULL) return INT_MAX;
    const bool is_limited = fscanf(file, "%9lu %9lu%c", &quota, &period, &rest) == 3 &&
                            rest == '\n' && quota > 0 && quota < INT_MAX && period > 0;
    fclose(file);
    return is_limited ? (int)((quota + period - 1) / period) : INT_MAX;
}

int proc_cpu_quota(const char *root) {
    char path[PATH_MAX], line[PATH_MAX] = "", *group = line + strlen("0::"), *end;
    int least = INT_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "0::/", 4) != 0)
        line[0] = '\0';
    if (file != NULL) fclose(file);
    if (line[0] == '\0' || strstr(line, "/../") != NULL) return INT_MAX;
    for (end = strchr(line, '\n'); end != NULL; end = strrchr(group, '/')) { /* those above, too */
        *end = '\0';
        const int quota = quota_of(root, group);
        if (quota < least) least = quota;
    }
    return least;
}

unsigned proc_cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    const int allowed = CPU_COUNT(&set), quota = proc_cpu_quota("");
    const int count = quota < allowed ? quota : allowed;
    return count > 0 ? (unsigned)count : 1;
}

bool proc_oom_has_killed(const char *root) {
    static unsigned long long seen;
    unsigned long long now = 0;
    char path[PATH_MAX], line[128];
    snprintf(path, sizeof path, "%s/proc/vmstat", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "oom_kill %19llu", &now) == 1) break;
    if (file != NULL) fclose(file);
    const bool rose = now > seen;
    if (rose) seen = now;
    return rose;
}
