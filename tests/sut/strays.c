/* strays.c: targets that speak the protocol, and leave processes, kill or stop their parent, or are
 * traced (ptrace).
 *
 *     sut-strays WAY N [clean]
 *
 * A way to leave a process is gone in every run, which then exits with 1 iff it draws N bytes
 * (0: it never does). With `clean` it exits with 3 where a process of an earlier run still lives:
 * right for one job. A way to be traced, `traced-...`, is gone when N bytes are drawn, before it
 * aborts or as it says. Without arguments it takes both from the variable FRNG_WAY, "WAY N": a
 * predicate has no arguments of its own.
 *
 * All that lives holds a lock on the file `living` in the scenario's folder, by which it is found
 * wherever it went and whatever it calls itself; and all of it ends by itself after LIFE_S.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

enum { FAIL = 1, MET_ANOTHER = 3, USAGE = 64, BROKEN = 65, UNPROTECTED = 77, LIFE_S = 60 };

static unsigned long needed;
static bool wants_clean;

static void broken(const char *what) {
    perror(what);
    exit(BROKEN);
}

static pid_t start(void) {
    const pid_t pid = fork();
    if (pid < 0) broken("fork");
    return pid;
}

static void live_on(void) {
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    for (int i = 0; i < LIFE_S; i++) sleep(1);
    _exit(0);
}

/* ---- Ways to leave a process ---- */

static void leave_child(void) {
    if (start() == 0) live_on();
}

static void leave_session(void) {
    if (start() != 0) return;
    setsid();
    live_on();
}

static void leave_daemon(void) {
    if (start() != 0) return;
    setsid();
    if (start() == 0) live_on();
    _exit(0);
}

/* Has what the run prints to, and nothing else that could tell of it. */
static void leave_output(void) {
    if (start() != 0) return;
    setsid();
    close(STDIN_FILENO);
    if (chdir("/") != 0) _exit(0);
    live_on();
}

/* SIGKILL ends what is stopped, and nothing else does. */
static void leave_stopped(void) {
    const pid_t child = start();
    if (child == 0) {
        setsid();
        for (int i = 0; i < LIFE_S; i++) raise(SIGSTOP);
        live_on();
    }
    kill(child, SIGSTOP);
}

/* Calls itself a thread of the kernel, and is a parent to what its own children leave. */
static void leave_reaper(void) {
    if (start() != 0) return;
    prctl(PR_SET_NAME, "kworker/0:0");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setsid();
    for (int i = 0; i < 3; i++) leave_daemon();
    live_on();
}

/* A chain of processes: each forks the next and exits. A driver that kills them one by one may
 * never reach the last. All look at one clock, so the chain lives no longer than one process. */
static void leave_chain(void) {
    struct timespec now, begun;
    if (start() != 0) return;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        const pid_t next = fork();
        if (next > 0) _exit(0);
        if (next == 0) setsid();
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < begun.tv_sec + LIFE_S / 4);
    _exit(0);
}

/* The same with several at once; their number does not grow. */
static void leave_chains(void) {
    for (int i = 0; i < 4; i++) leave_chain();
}

/* ---- Ways to kill or stop the parent ---- */

static void kill_parent(void) { kill(getppid(), SIGKILL); }

static void leave_and_kill_parent(void) {
    leave_session();
    kill_parent();
}

/* True if process 1 is the driver's own worker. Any other process must be left alone. */
static bool is_contained(void) {
    char name[32] = "";
    FILE *file = fopen("/proc/1/comm", "r");
    const bool is_read = file != NULL && fgets(name, sizeof name, file) != NULL;
    if (file != NULL) fclose(file);
    return is_read && strncmp(name, "frng-", 5) == 0;
}

static void kill_all(void) {
    if (!is_contained()) exit(UNPROTECTED);
    kill(-1, SIGKILL);
}

/* ---- Ways to be traced ---- */

/* Fork a process in a session of its own that traces `pid`, and lives on, be it with its parent. */
static void start_tracer(pid_t pid, unsigned long options, bool stops_it, bool has_parent) {
    int ends[2];
    char byte;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (pipe(ends) != 0) broken("pipe");
    if (start() != 0) {
        close(ends[1]);
        if (read(ends[0], &byte, 1) != 1) broken("the tracer ended");
        close(ends[0]);
        return;
    }
    setsid();
    if (has_parent && start() != 0) live_on();
    if (ptrace(PTRACE_SEIZE, pid, NULL, options) != 0) broken("PTRACE_SEIZE");
    if (stops_it) ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
    if (write(ends[1], "", 1) != 1) broken("write");
    close(ends[1]);
    live_on();
}

static void be_traced_by_parent(void) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) broken("PTRACE_TRACEME");
}

static void be_traced_by_child(void) { start_tracer(getpid(), 0, false, false); }
static void be_traced_by_grandchild(void) { start_tracer(getpid(), 0, false, true); }

static void exec_under_trace(void) {
    be_traced_by_parent();
    execl("/bin/false", "false", (char *)NULL);
    broken("/bin/false");
}

/* A zombie that its parent does not see: its tracer never waits for it. */
static void exit_under_trace(void) {
    be_traced_by_child();
    _exit(FAIL);
}

/* SIGKILL does not end a process that its tracer stops at its end. */
static void stop_at_exit(void) { start_tracer(getpid(), PTRACE_O_TRACEEXIT, false, false); }

static void *abort_under_trace(void *nothing) {
    be_traced_by_parent();
    abort();
    return nothing;
}

/* Not the first thread of its process. */
static void be_traced_in_a_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, abort_under_trace, NULL) != 0) broken("pthread_create");
    pthread_join(thread, NULL);
}

static void leave_traced_thread(void) {
    if (start() == 0) {
        setsid();
        be_traced_in_a_thread();
    }
    usleep(20000);
}

/* One straggler traces another, which has ended: a zombie that its parent does not see. */
static void leave_traced_zombie(void) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0) broken("pipe");
    const pid_t traced = start();
    if (traced == 0) {
        setsid();
        close(ends[1]);
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
        _exit(read(ends[0], &byte, 1) != 0);
    }
    start_tracer(traced, 0, false, false);
}

/* Stop the process that started this one, which then sees no deadline. */
static void freeze_parent(void) {
    start_tracer(getppid(), 0, true, false);
    live_on();
}

/* Once; all runs after it pass. */
static void freeze_parent_once(void) {
    if (open("frozen", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600) >= 0) freeze_parent();
    exit(0);
}

/* ---- A run ---- */

static const struct way {
    const char *name;
    void (*leave)(void), (*go)(void); /* in each run; when N bytes are drawn */
} ways[] = {
    {"chain", leave_chain, NULL},
    {"chains", leave_chains, NULL},
    {"child", leave_child, NULL},
    {"daemon", leave_daemon, NULL},
    {"kill-all", kill_all, NULL},
    {"kill-parent", kill_parent, NULL},
    {"leave-and-kill-parent", leave_and_kill_parent, NULL},
    {"output", leave_output, NULL},
    {"reaper", leave_reaper, NULL},
    {"session", leave_session, NULL},
    {"stopped", leave_stopped, NULL},
    {"freeze", NULL, freeze_parent},
    {"freeze-once", NULL, freeze_parent_once},
    {"traced-at-exit", NULL, stop_at_exit},
    {"traced-by-child", NULL, be_traced_by_child},
    {"traced-by-grandchild", NULL, be_traced_by_grandchild},
    {"traced-by-parent", NULL, be_traced_by_parent},
    {"traced-exec", NULL, exec_under_trace},
    {"traced-hidden", NULL, exit_under_trace},
    {"traced-thread", NULL, be_traced_in_a_thread},
    {"traced-threads", NULL, leave_traced_thread},
    {"traced-zombie", NULL, leave_traced_zombie},
};

static const struct way *chosen;

/* Hold the lock, together with all that this run will leave: each run of a process anew. */
static void be_counted(void) {
    static int fd = -1;
    char path[512];
    const char *folder = getenv("FRNG_SCENARIO");
    snprintf(path, sizeof path, "%s/living", folder != NULL ? folder : "/nonexistent");
    if (fd >= 0) close(fd);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) broken(path);
    if (wants_clean && flock(fd, LOCK_EX | LOCK_NB) != 0) exit(MET_ANOTHER);
    if (flock(fd, LOCK_SH) != 0) broken("flock");
}

static bool test(frng *f) {
    uint8_t byte;
    if (chosen->leave != NULL) {
        be_counted();
        chosen->leave();
    }
    for (unsigned long i = 0; i < needed; i++) FRNG_TRY(frng_u8(f, &byte));
    if (chosen->leave != NULL) {
        if (needed > 0) exit(FAIL);
        return true;
    }
    chosen->go();
    abort();
}

int main(int argc, char **argv) {
    char name[32] = "";
    const char *variable = getenv("FRNG_WAY");
    if (argc >= 3) {
        snprintf(name, sizeof name, "%s", argv[1]);
        needed = strtoul(argv[2], NULL, 0);
        wants_clean = argc > 3 && strcmp(argv[3], "clean") == 0;
    } else if (variable == NULL || sscanf(variable, "%31s %lu", name, &needed) != 2) {
        fputs("sut-strays: see strays.c\n", stderr);
        return USAGE;
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(name, ways[i].name) == 0) chosen = &ways[i];
    }
    return chosen != NULL ? frng_run(test) : USAGE;
}
