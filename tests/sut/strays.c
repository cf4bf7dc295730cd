/* strays.c: systems under test that speak the protocol, and leave processes in every run.
 *
 *     sut-strays WAY N [clean|seldom]
 *
 * Whatever else it does, a run exits with 1 iff it draws N bytes (0: it never does). With `clean`
 * it exits with 3 where a process of an earlier run still lives: right for one job. With `seldom`
 * it does not fail unless the first byte is less than 32.
 *
 * All that lives holds a lock on the file `living` in the scenario's folder, by which it is found
 * wherever it went and whatever it calls itself; and all of it ends by itself after LIFE_S.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <time.h>

enum { FAIL = 1, MET_ANOTHER = 3, USAGE = 64, BROKEN = 65, UNPROTECTED = 77, LIFE_S = 60 };

static unsigned long needed;
static bool wants_clean, is_seldom;
static void (*leave)(void);

static void broken(const char *what) {
    perror(what);
    exit(BROKEN);
}

/* Of the machine, not of a process: a chain of processes ends as its first would. */
static time_t now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static pid_t start(void) {
    const pid_t pid = fork();
    if (pid < 0) broken("fork");
    return pid;
}

static void be_deaf(void) {
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
}

static void live_on(void) {
    be_deaf();
    for (int i = 0; i < LIFE_S; i++) sleep(1);
    _exit(0);
}

/* ---- Ways to leave a process ---- */

static void nothing(void) {}

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

static void go_on_forking(time_t end_s) {
    while (now_s() < end_s) {
        const pid_t next = fork();
        if (next > 0) _exit(0);
        if (next == 0) setsid();
    }
    _exit(0);
}

/* Each is gone when it is seen, and has left another: whoever kills them one by one may never be
 * done. */
static void leave_chain(void) {
    if (start() == 0) go_on_forking(now_s() + LIFE_S / 4);
}

/* The same with several at once; their number does not grow. */
static void leave_chains(void) {
    for (int i = 0; i < 4; i++) leave_chain();
}

/* ---- Ways to hurt whoever started it ---- */

static void kill_parent(void) { kill(getppid(), SIGKILL); }

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

/* ---- A run ---- */

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
    uint8_t first = 0, byte;
    be_counted();
    leave();
    for (unsigned long i = 0; i < needed; i++) FRNG_TRY(frng_u8(f, i == 0 ? &first : &byte));
    if (needed > 0 && (!is_seldom || first < 32)) exit(FAIL);
    return true;
}

static const struct way {
    const char *name;
    void (*leave)(void);
} ways[] = {
    {"chain", leave_chain},     {"chains", leave_chains},   {"child", leave_child},
    {"daemon", leave_daemon},   {"kill-all", kill_all},     {"kill-parent", kill_parent},
    {"nothing", nothing},       {"output", leave_output},   {"reaper", leave_reaper},
    {"session", leave_session}, {"stopped", leave_stopped},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (argc < 3 || strcmp(argv[1], ways[i].name) != 0) continue;
        leave = ways[i].leave;
        needed = strtoul(argv[2], NULL, 0);
        wants_clean = argc > 3 && strcmp(argv[3], "clean") == 0;
        is_seldom = argc > 3 && strcmp(argv[3], "seldom") == 0;
        return frng_run(test);
    }
    fputs("sut-strays: see strays.c\n", stderr);
    return USAGE;
}
