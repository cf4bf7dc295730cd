/* proc.h: what is spared, what is killed, and that no sweep waits without a limit. */
#include "fixture.h"
#include "proc.h"

#include "clock.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/resource.h>

/* Fork a child that lives until it is killed, or a minute. */
static pid_t start_child(void) {
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid > 0) return pid;
    signal(SIGTERM, SIG_IGN);
    alarm(60);
    for (;;) pause();
}

static bool lives(pid_t pid) { return waitpid(pid, NULL, WNOHANG) == 0; }

static void end_child(pid_t pid) {
    int status;
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(WTERMSIG(status), SIGKILL);
}

/* Those that a test begins with are spared from the first call to orphans_adopt on. */
TEST(a_sweep_ends_all_children_but_the_spared_ones) {
    const pid_t before = start_child();
    orphans_adopt();
    const pid_t spared = start_child(), other = start_child();
    orphans_adopt(); /* a second time changes nothing */
    orphans_spare(spared);
    orphans_sweep();
    ck_assert(lives(before) && lives(spared));
    ck_assert_int_eq(waitpid(other, NULL, WNOHANG), -1);
    orphans_unspare(spared);
    orphans_sweep();
    ck_assert(lives(before));
    end_child(before);
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    ck_assert_int_eq(orphans_take_given_up(), 0);
}

TEST(a_sweep_that_cannot_look_says_so) {
    struct rlimit before, none;
    const pid_t child = start_child();
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){0, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    orphans_sweep();
    setrlimit(RLIMIT_NOFILE, &before);
    ck_assert(lives(child));
    ck_assert_int_eq(orphans_take_given_up(), ORPHANS_UNKNOWN);
    end_child(child);
}

TEST(living_children_are_counted) {
    ck_assert_uint_eq(orphans_count_children(getpid()), 0);
    const pid_t first = start_child(), second = start_child();
    ck_assert_uint_eq(orphans_count_children(getpid()), 2);
    kill(first, SIGKILL);
    siginfo_t info;
    ck_assert_int_eq(waitid(P_PID, (id_t)first, &info, WEXITED | WNOWAIT), 0); /* a zombie */
    ck_assert_uint_eq(orphans_count_children(getpid()), 1);
    end_child(second);
    ck_assert_int_eq(waitpid(first, NULL, 0), first);
    ck_assert_uint_eq(orphans_count_children(getpid()), 0);
    ck_assert_uint_eq(orphans_count_children(INT_MAX), 0);
}

TEST(orphans_become_children_and_are_swept) {
    int ends[2];
    pid_t orphan = 0;
    ck_assert_int_eq(pipe(ends), 0);
    orphans_adopt();
    if (fork() == 0) {
        setsid();
        orphan = start_child();
        _exit(write(ends[1], &orphan, sizeof orphan) != (ssize_t)sizeof orphan);
    }
    ck_assert_int_eq(read(ends[0], &orphan, sizeof orphan), (ssize_t)sizeof orphan);
    orphans_sweep();
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    ck_assert_int_eq(kill(orphan, 0), -1);
}

/* Trace a process without ever waiting for it, so that its parent does not see its end. */
static pid_t start_tracer(pid_t traced) {
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_SEIZE, traced, NULL, NULL) != 0 || write(ends[1], "", 1) != 1) _exit(1);
        close(ends[1]);
        alarm(60);
        for (;;) pause();
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

/* It is reaped once its tracer is dead; of a tracer that is spared it is given up. */
TEST_EACH(a_child_that_another_hides, 2) {
    const pid_t hidden = start_child(), tracer = start_tracer(hidden);
    const int64_t start_ns = clock_now_ns();
    if (_i == 1) orphans_spare(tracer);
    orphans_sweep();
    ck_assert_int_eq(orphans_take_given_up(), _i == 1 ? hidden : 0);
    if (_i == 1) {
        ck_assert_int_ge(clock_now_ns() - start_ns, ORPHANS_SWEEP_MS * CLOCK_NS_PER_MS);
        orphans_sweep(); /* it is not given up again */
        ck_assert_int_eq(orphans_take_given_up(), 0);
        end_child(tracer);
        ck_assert_int_eq(waitpid(hidden, NULL, 0), hidden);
    }
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}
