/* How a worker works.
 *
 * It is a contained fork of the driver. It takes requests from its socket, one batch after another,
 * and looks for more while a run lasts: that is how a batch is cancelled. When the driver dies, the
 * socket closes and a SIGCONT comes, which also wakes a worker that a run has stopped. Then it ends
 * its run, removes the files of it, and exits; an alarm ends it if that gets stuck. */
#include "worker.h"

#include "messages.h"
#include "proc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Containment ---- */

const char *containment_name(containment c) {
    static const char *const names[] = {[CONTAINMENT_SUBREAPER] = "subreaper",
                                        [CONTAINMENT_USER] = "pid namespace in a user namespace",
                                        [CONTAINMENT_NAMESPACE] = "pid namespace"};
    return names[c];
}

/* Write a text to a file of /proc. */
static bool write_text(const char *path, const char *text, int length) {
    const int fd = openat(procfs(), path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool ok = write(fd, text, (size_t)length) == length;
    close(fd);
    return ok;
}

/* Map the user and the group to themselves, so that a run sees the same ids as outside. */
static bool map_ids(uid_t user, gid_t group) {
    char line[64];
    int length = snprintf(line, sizeof line, "%u %u 1\n", user, user);
    if (!write_text("self/uid_map", line, length)) return false;
    if (!write_text("self/setgroups", "deny", 4)) return false;
    length = snprintf(line, sizeof line, "%u %u 1\n", group, group);
    return write_text("self/gid_map", line, length);
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

typedef struct pid_block {
    int fd; /* of ns_last_pid; -1: the numbers are those of the system */
    long first, count;
} pid_block;

/* Return the number in a file of /proc/sys/kernel, whose descriptor this is; -1 without one. */
static long read_number(int fd) {
    char digits[24];
    const ssize_t length = pread(fd, digits, sizeof digits - 1, 0);
    if (length <= 0) return -1;
    digits[length] = '\0';
    return strtol(digits, NULL, 10);
}

/* Let the next process have the number after this one. */
static bool set_last_pid(long number) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%ld", number);
    return write_text("sys/kernel/ns_last_pid", digits, length);
}

static pid_block pid_block_begin(const worker_setup *setup) {
    enum { LOWEST = 1024, LEAST = 512, MOST = 32 * 1024, TOOLS = 32, STEP = 89 };
    pid_block b = {.fd = -1};
    if (getpid() != 1) return b; /* no namespace */
    const int max_fd = openat(procfs(), "sys/kernel/pid_max", O_RDONLY | O_CLOEXEC);
    const long max = max_fd >= 0 ? read_number(max_fd) : -1, jobs = (long)setup->jobs;
    if (max_fd >= 0) close(max_fd);
    if (max < LOWEST + 2 * jobs) return b;
    const long range = max - LOWEST;
    b.count = range / (jobs * TOOLS);
    b.count = b.count < LEAST ? LEAST : b.count > MOST ? MOST : b.count;
    if (b.count > range / jobs) b.count = range / jobs;
    const long tools = range / b.count / jobs;
    const long driver = (long)setup->driver, job = (long)setup->job;
    b.first = LOWEST + (driver % tools * jobs + job) * b.count;
    if (set_last_pid(b.first + driver / tools * STEP % (b.count / 2)))
        b.fd = openat(procfs(), "sys/kernel/ns_last_pid", O_RDONLY | O_CLOEXEC);
    return b;
}

/* Begin again where the block ends. A batch may take as many numbers as a quarter of it. */
static void pid_block_go_on(const pid_block *b) {
    if (b->fd < 0) return;
    const long last = read_number(b->fd);
    if (last < b->first || last >= b->first + b->count / 4 * 3) set_last_pid(b->first);
}

/* ---- Requests ---- */

/* The state of a worker. It serves until the driver requests its end, or dies without a request
 * (SIGKILL). */
typedef enum worker_state { SERVING, SHUTDOWN_REQUESTED, DRIVER_DIED } worker_state;

typedef struct worker {
    int driver_fd;
    worker_state state;
    uint32_t count;            /* unanswered requests */
    slot *slots[WORKER_DEPTH]; /* the oldest first, which may be in progress */
} worker;

static void take_request(worker *w) {
    worker_request request;
    const ssize_t size = UNINTERRUPTED(recv(w->driver_fd, &request, sizeof request, 0));
    if (size <= 0) {
        if (w->state == SERVING) w->state = DRIVER_DIED; /* the run in progress stops too */
        return;
    }
    assert((size_t)size == sizeof request);
    assert(request.verb != WORKER_RUN || w->count < WORKER_DEPTH);
    if (request.verb == WORKER_RUN) w->slots[w->count++] = request.slot;
    if (request.verb == WORKER_END && w->state == SERVING) w->state = SHUTDOWN_REQUESTED;
}

static bool is_void(const worker *w) { return w->state != SERVING || w->slots[0]->is_void; }

static bool is_cancelled(void *context) {
    take_request(context);
    return is_void(context);
}

/* Wait for a request, and take all that are there. False if there are no more. */
static bool take_requests(worker *w) {
    struct pollfd fd = {w->driver_fd, POLLIN, 0};
    while (w->state == SERVING && (w->count == 0 || poll(&fd, 1, 0) > 0)) take_request(w);
    return w->state == SERVING;
}

/* Send an answer. False if the driver is gone. */
static bool answer(const worker *w, worker_answer a) {
    return UNINTERRUPTED(send(w->driver_fd, &a, sizeof a, MSG_NOSIGNAL)) >= 0;
}

/* Run batches until there are no more requests. An interrupted batch has no answer. */
static void serve(worker *w, runner *r, const runner_watch *watch, const pid_block *pids) {
    while (take_requests(w)) {
        pid_block_go_on(pids);
        slot *s = w->slots[0];
        watch->step->batch = s->number;
        runner_begin_step(watch, s->batch.first_seed, 0);
        run_result_clear(&s->result);
        if (s->batch.tally != NULL) tally_clear(s->batch.tally);
        s->known.count = 0;
        s->result.cancelled = is_void(w);
        if (!s->result.cancelled) r->run(r, &s->batch, s->purpose, &s->result);
        s->result.tally = s->batch.tally;
        s->result.known = s->known.count > 0 ? &s->known : NULL;
        s->result.unkillable = orphans_take_given_up();
        if (w->state != SERVING || !answer(w, (worker_answer){.slot = s})) return;
        memmove(w->slots, w->slots + 1, --w->count * sizeof s);
    }
}

/* Data for signal handlers. */
static int driver_end;                /* the socket */
static void (*continued)(int number); /* the previous handler of SIGCONT; may be NULL */

static void on_alarm(int number) {
    (void)number;
    _exit(EXIT_FAILURE);
}

/* React to SIGCONT, which comes when the driver dies. The worker also sees the closed socket, ends
 * its run and cleans up. If that gets stuck, the alarm ends the worker, and its namespace with it.
 * A run may send SIGCONT too, so the socket is checked. */
static void on_driver_death(int number) {
    enum { LAST_S = 10 };
    const int error = errno;
    struct pollfd driver = {driver_end, 0, 0};
    if (continued != NULL) continued(number);
    if (poll(&driver, 1, 0) > 0 && (driver.revents & POLLHUP) != 0) alarm(LAST_S);
    errno = error;
}

/* Request SIGCONT for the driver's death. SIGKILL would leave the files of a run behind, and
 * SIGCONT also continues this process if a run has stopped it. */
static void hear_of_driver_death(int driver_fd) {
    const struct sigaction on_death = {.sa_handler = on_driver_death}; /* no SA_RESTART */
    const struct sigaction on_end = {.sa_handler = on_alarm};
    struct sigaction before;
    sigset_t set;
    driver_end = driver_fd;
    sigaction(SIGCONT, NULL, &before);
    continued =
        before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN ? NULL : before.sa_handler;
    sigaction(SIGALRM, &on_end, NULL);
    sigaction(SIGCONT, &on_death, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGCONT);
    sigaddset(&set, SIGALRM); /* the tool's parent may have blocked it */
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    prctl(PR_SET_PDEATHSIG, SIGCONT);
}

_Noreturn void worker_main(int driver_fd, const worker_setup *setup) {
    static worker w;
    static job_folder folder;
    const runner_watch watch = {driver_fd, is_cancelled, &w, setup->step, &folder};
    int error;
    hear_of_driver_death(driver_fd);
    prctl(PR_SET_NAME, "frng-worker");
    /* If memory runs out, the kernel kills it and its runs first, so that the driver survives. */
    write_text("self/oom_score_adj", "1000", 4);
    w.driver_fd = driver_fd;
    runner_go_on(&watch, WORK_FOLDER_NS);
    const pid_block pids = pid_block_begin(setup);
    job_folder_open(&folder, setup->work, setup->job);
    runner *r = setup->create(setup->config, &watch, &error);
    if (r == NULL) {
        answer(&w, (worker_answer){.start_error = error});
        _exit(EXIT_FAILURE);
    }
    serve(&w, r, &watch, &pids);
    r->destroy(r);
    job_folder_close(&folder, setup->work, w.state == DRIVER_DIED);
    _exit(EXIT_SUCCESS);
}
