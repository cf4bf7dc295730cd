/* How the processes that a run leaves behind are ended.
 *
 * A process whose parent ends becomes the child of its nearest subreaper, or of pid 1 of its
 * namespace: of this process, which asked for that. So whatever a run started is among its children
 * sooner or later, and it need not know what runs do. A sweep kills all children but those that are
 * spared (the server, a worker: somebody waits for them), reaps them, and looks again until a round
 * finds none: those killed may have had children of their own.
 *
 * The kernel lists the children of each thread in /proc, which is held open. Pid 1 of a namespace
 * needs no list: kill(-1) reaches all. What hinders an end: a child runs as another user, or its
 * tracer hides that it is dead, or it awaits this process as its tracer. A time limit ends the
 * sweep in any case, and what is left is given up, and reported once. */
#include "orphans.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* Open the kernel's list of a thread's children; NULL if there is no such list. */
static FILE *open_children_of(pid_t pid, pid_t thread) {
    char path[64];
    snprintf(path, sizeof path, "%d/task/%d/children", (int)pid, (int)thread);
    return procfs_open(path);
}

static FILE *open_children(void) { return open_children_of(getpid(), getpid()); }

/* Call a function for each child of a process. */
static void for_children(pid_t pid, void (*each)(pid_t child, unsigned *context),
                         unsigned *context) {
    const struct dirent *entry;
    int child;
    DIR *threads = procfs_open_threads(pid);
    if (threads == NULL) return;
    while ((entry = readdir(threads)) != NULL) {
        const pid_t thread = atoi(entry->d_name); /* 0 for "." and ".." */
        FILE *list = thread > 0 ? open_children_of(pid, thread) : NULL;
        while (list != NULL && fscanf(list, "%d", &child) == 1) each(child, context);
        if (list != NULL) fclose(list);
    }
    closedir(threads);
}

/* Kill a process and its descendants, down to so many generations. */
static void kill_down(pid_t pid, unsigned *generations) {
    unsigned below = *generations - 1;
    if (below > 0) for_children(pid, kill_down, &below);
    kill(pid, SIGKILL);
}

void orphans_kill_descendants(pid_t pid) {
    unsigned generations = 32;
    for_children(pid, kill_down, &generations);
}

static void count_living(pid_t pid, unsigned *count) {
    char path[64], line[256];
    snprintf(path, sizeof path, "%d/stat", (int)pid);
    FILE *stat = procfs_open(path);
    if (stat == NULL) return;
    const char *name_end = fgets(line, sizeof line, stat) != NULL ? strrchr(line, ')') : NULL;
    if (name_end != NULL && strncmp(name_end, ") Z", 3) != 0) ++*count;
    fclose(stat);
}

unsigned orphans_count_children(pid_t pid) {
    unsigned count = 0;
    for_children(pid, count_living, &count);
    return count;
}

void orphans_adopt(void) {
    int pid;
    if (is_begun) return;
    is_begun = true;
    FILE *list = open_children();
    while (list != NULL && fscanf(list, "%d", &pid) == 1) orphans_spare(pid);
    if (list != NULL) fclose(list);
    if (spared_count == 0) prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void orphans_begin_process(void) {
    is_begun = is_init = spared_overflow = false;
    spared_count = 0;
    given_up = 0;
}

void orphans_own_namespace(void) { is_init = true; }

void orphans_give_up(pid_t child) {
    orphans_spare(child);
    if (given_up == 0) given_up = child;
}

pid_t orphans_take_given_up(void) {
    const pid_t taken = given_up;
    given_up = 0;
    return taken;
}

/* The result of a round over the children. */
typedef struct round {
    unsigned found;  /* children that are not spared */
    unsigned living; /* of these, children not yet reaped */
} round;

/* Kill each child that is not spared, and reap dead ones. A tracer may hide a dead child from this
 * process; a later round reaps it, when the tracer has died. */
static round end_children(bool is_last) {
    round r = {0};
    int pid;
    FILE *list = open_children();
    if (list == NULL) {
        if (!is_init && given_up == 0) given_up = ORPHANS_UNKNOWN;
        return r;
    }
    while (fscanf(list, "%d", &pid) == 1) {
        if (is_spared(pid)) continue;
        r.found++;
        const bool is_refused = kill(pid, SIGKILL) != 0 && errno == EPERM;
        const pid_t reaped = waitpid(pid, NULL, WNOHANG | __WALL);
        if (reaped < 0 && (errno == EPERM || errno == ENOSYS)) orphans_spare(pid); /* for good */
        if (reaped != 0) continue;
        traced_let_threads_go(pid);
        orphans_kill_descendants(pid);
        r.living++;
        if (is_refused || is_last) orphans_give_up(pid);
    }
    fclose(list);
    return r;
}

/* Reap a child that was killed with the whole namespace, if the kernel does not list children. */
static bool reap_any(void) { return spared_count == 0 && waitpid(-1, NULL, WNOHANG | __WALL) > 0; }

static void pause_us(long us) { nanosleep(&(struct timespec){0, us * 1000}, NULL); }

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
        const bool is_last = clock_now_ns() >= end_ns;
        const round r = end_children(is_last);
        if (is_last || (r.found == 0 && !reap_any())) return;
        if (r.living == 0) continue;
        pause_us(step_us);
        if (step_us < PAUSE_MAX_US) step_us *= 2;
    }
}

/* ---- Children that asked for tracing ---- */

void traced_let_go(pid_t thread, int signal_number) {
    siginfo_t info = {0};
    const bool is_exec = signal_number == SIGTRAP &&
                         ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) == 0 &&
                         info.si_code == SI_USER && info.si_pid == thread;
    ptrace(PTRACE_DETACH, thread, NULL, (void *)(intptr_t)(is_exec ? 0 : signal_number));
}

void traced_let_threads_go(pid_t child) {
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

/* ---- /proc ---- */

static int held = -1;

void procfs_hold(void) {
    if (held < 0) held = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void procfs_drop(void) {
    if (held >= 0) close(held);
    held = -1;
}

FILE *procfs_open(const char *path) {
    procfs_hold();
    const int fd = openat(held, path, O_RDONLY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && file == NULL) close(fd);
    return file;
}

DIR *procfs_open_threads(pid_t pid) {
    char path[32];
    procfs_hold();
    snprintf(path, sizeof path, "%d/task", (int)pid);
    const int fd = openat(held, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && list == NULL) close(fd);
    return list;
}
