/* worker.h: what a contained process is, and that nothing it starts outlives it. Kinds that
 * this machine refuses are not tested, but that they are refused is told. */
#include "containment.h"
#include "fixture.h"

static const containment kinds[] = {CONTAINMENT_SUBREAPER, CONTAINMENT_USER, CONTAINMENT_NAMESPACE};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Run `act` in a contained process: its exit status, or -1 where it is refused. */
static int contained(containment c, int (*act)(containment c)) {
    int status;
    const pid_t pid = containment_fork(c);
    if (pid == 0) _exit(act(c));
    if (pid < 0) return -1;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int does_nothing(containment c) {
    (void)c;
    return 42;
}

static bool is_granted(containment c) { return contained(c, does_nothing) == 42; }

/* ---- What it is ---- */

static uid_t user;
static gid_t group;

static int is_what_it_says(containment c) {
    char link[16];
    const ssize_t length = readlink("/proc/self", link, sizeof link - 1);
    if (getsid(0) != getpid()) return 1;
    if (geteuid() != user || getegid() != group) return 2;
    if (length <= 0) return 3;
    link[length] = '\0';
    if (atoi(link) != getpid()) return 4; /* so /proc is that of its namespace */
    return c == CONTAINMENT_SUBREAPER || getpid() == 1 ? 0 : 5;
}

TEST(the_best_that_is_granted) {
    const containment best = containment_detect();
    ck_assert(is_granted(best));
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i] <= best || (geteuid() == 0 && kinds[i] == CONTAINMENT_USER)) continue;
        ck_assert_msg(!is_granted(kinds[i]), "%s is granted", containment_name(kinds[i]));
    }
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}

TEST_EACH(it_is_what_it_says, KINDS) {
    user = geteuid();
    group = getegid();
    if (!is_granted(kinds[_i])) return;
    ck_assert_int_eq(contained(kinds[_i], is_what_it_says), 0);
}

/* ---- How it ends ---- */

/* Fork: 0 in the child. */
static pid_t start(void) {
    const pid_t pid = fork();
    if (pid < 0) _exit(EXIT_FAILURE);
    return pid;
}

static _Noreturn void linger(void) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    alarm(60); /* should a test fail */
    for (;;) pause();
}

/* A driver that is killed. All that is below it holds the pipe. */
static void kill_a_driver(containment c, int ends[2]) {
    int status;
    char byte;
    const pid_t driver = fork();
    ck_assert_int_ge(driver, 0);
    if (driver == 0) {
        close(ends[0]);
        if (containment_fork(c) == 0) {
            if (c != CONTAINMENT_SUBREAPER && start() == 0) {
                setsid();
                if (start() == 0) linger();
                _exit(0);
            }
            if (write(ends[1], "x", 1) != 1) _exit(1);
            linger();
        }
        linger();
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    kill(driver, SIGKILL);
    ck_assert_int_eq(waitpid(driver, &status, 0), driver);
}

TEST_EACH(all_goes_with_a_driver_that_is_killed, KINDS) {
    char rest[16];
    int ends[2];
    if (!is_granted(kinds[_i])) return;
    ck_assert_int_eq(pipe(ends), 0);
    kill_a_driver(kinds[_i], ends);
    ck_assert_uint_eq(read_all(ends[0], rest, sizeof rest), 0);
}

SUITE(.emulator_lacks = "namespaces");
