/* tracers.c: systems under test that trace processes (ptrace), or are traced.
 *
 *     sut-tracers WAY N
 *
 * A run that draws N bytes (0: each run) goes the WAY, then fails: by SIGABRT, or as the WAY says.
 * Without arguments it takes both from the variable FRNG_WAY, "WAY N": a predicate has no arguments
 * of its own. What it leaves ends by itself after LIFE_S.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

enum { FAIL = 1, USAGE = 64, BROKEN = 65, LIFE_S = 60 };

static unsigned long needed;
static void (*go)(void);

static void broken(const char *what) {
    perror(what);
    exit(BROKEN);
}

static void live_on(void) {
    alarm(LIFE_S);
    for (;;) pause();
}

static unsigned long options; /* of PTRACE_SEIZE */

static void attach(pid_t pid) {
    if (ptrace(PTRACE_SEIZE, pid, NULL, options) != 0) broken("PTRACE_SEIZE");
}

/* Fork a process in a session of its own that traces `pid`, and lives on. */
static pid_t start_tracer(pid_t pid, bool stops_it) {
    int ends[2];
    char byte;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (pipe(ends) != 0) broken("pipe");
    const pid_t tracer = fork();
    if (tracer < 0) broken("fork");
    if (tracer == 0) {
        setsid();
        attach(pid);
        if (stops_it) ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
        if (write(ends[1], "", 1) != 1) broken("write");
        close(ends[1]);
        live_on();
    }
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 1) broken("the tracer ended");
    close(ends[0]);
    return tracer;
}

/* ---- Ways ---- */

static void be_traced_by_parent(void) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) broken("PTRACE_TRACEME");
}

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

/* Such a process is left behind. */
static void leave_traced_thread(void) {
    const pid_t child = fork();
    if (child < 0) broken("fork");
    if (child == 0) {
        setsid();
        be_traced_in_a_thread();
    }
    usleep(20000);
}

/* Ends with exit status 1. */
static void exec_under_trace(void) {
    be_traced_by_parent();
    execl("/bin/false", "false", (char *)NULL);
    broken("/bin/false");
}

static void be_traced_by_child(void) { start_tracer(getpid(), false); }

/* A zombie that its parent does not see: its tracer never waits for it. Ends with exit status 1. */
static void exit_under_trace(void) {
    start_tracer(getpid(), false);
    _exit(FAIL);
}

/* The tracer is no child, but one of a process that lives on. */
static void be_traced_by_grandchild(void) {
    int ends[2];
    char byte;
    const pid_t run = getpid();
    if (pipe(ends) != 0) broken("pipe");
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    const pid_t child = fork();
    if (child < 0) broken("fork");
    if (child == 0) {
        setsid();
        start_tracer(run, false);
        if (write(ends[1], "", 1) != 1) broken("write");
        live_on();
    }
    if (read(ends[0], &byte, 1) != 1) broken("the tracer ended");
}

/* One straggler traces another, which has ended: a zombie that its parent does not see. */
static void leave_traced_zombie(void) {
    int ends[2];
    if (pipe(ends) != 0) broken("pipe");
    const pid_t traced = fork();
    if (traced < 0) broken("fork");
    if (traced == 0) {
        char byte;
        setsid();
        close(ends[1]);
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
        _exit(read(ends[0], &byte, 1) != 0);
    }
    start_tracer(traced, false);
}

/* Stops the process that started this one, which then sees no deadline. */
static void freeze_parent(void) {
    start_tracer(getppid(), true);
    live_on();
}

/* SIGKILL does not end a process that its tracer stops at its end. */
static void stop_at_exit(void) {
    options = PTRACE_O_TRACEEXIT;
    start_tracer(getpid(), false);
}

/* Once; all runs after it pass. */
static void freeze_parent_once(void) {
    const int fd = open("frozen", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) freeze_parent();
    exit(0);
}

/* Leaves a process in a session of its own, and kills its parent. */
static void kill_parent(void) {
    const pid_t child = fork();
    if (child < 0) broken("fork");
    if (child == 0) {
        setsid();
        live_on();
    }
    kill(getppid(), SIGKILL);
}

static bool test(frng *f) {
    uint8_t byte;
    for (unsigned long i = 0; i < needed; i++) FRNG_TRY(frng_u8(f, &byte));
    go();
    abort();
}

static const struct way {
    const char *name;
    void (*go)(void);
} ways[] = {
    {"child", be_traced_by_child},
    {"exec", exec_under_trace},
    {"exit", stop_at_exit},
    {"freeze", freeze_parent},
    {"freeze-once", freeze_parent_once},
    {"hidden", exit_under_trace},
    {"grandchild", be_traced_by_grandchild},
    {"kill-parent", kill_parent},
    {"parent", be_traced_by_parent},
    {"thread", be_traced_in_a_thread},
    {"threads", leave_traced_thread},
    {"zombie", leave_traced_zombie},
};

int main(int argc, char **argv) {
    char name[32];
    const char *variable = getenv("FRNG_WAY");
    if (argc == 3) {
        snprintf(name, sizeof name, "%s", argv[1]);
        needed = strtoul(argv[2], NULL, 0);
    } else if (variable == NULL || sscanf(variable, "%31s %lu", name, &needed) != 2) {
        fputs("sut-tracers: see tracers.c\n", stderr);
        return USAGE;
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(name, ways[i].name) == 0) go = ways[i].go;
    }
    return go != NULL ? frng_run(test) : USAGE;
}
