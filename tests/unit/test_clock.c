/* clock.h: deadlines at the edges of what fits. */
#include "clock.h"
#include "fixture.h"

#include <time.h>

TEST(a_deadline_saturates_at_never) {
    static const int64_t sums[][3] = {{0, 0, 0},
                                      {5, 7, 12},
                                      {5, CLOCK_NEVER, CLOCK_NEVER},
                                      {1, CLOCK_NEVER - 2, CLOCK_NEVER - 1},
                                      {1, CLOCK_NEVER - 1, CLOCK_NEVER},
                                      {2, CLOCK_NEVER - 1, CLOCK_NEVER},
                                      {CLOCK_NEVER, 0, CLOCK_NEVER}};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        ck_assert_int_eq(clock_after(sums[i][0], sums[i][1]), sums[i][2]);
}

TEST_RAISES(a_negative_span_is_a_bug, SIGABRT) { clock_after(10, -1); }

static int64_t monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
}

/* Stop a child for `pause_ms` while it looks at the clock every `step_ms`, or (0) not at all.
 * Returns how far its clock was behind afterwards, in milliseconds. */
static long behind_after(bool heeds, long pause_ms, long step_ms) {
    const struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * CLOCK_NS_PER_MS};
    const struct timespec step = {0, step_ms * CLOCK_NS_PER_MS};
    int ends[2], status;
    int64_t behind_ns;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (heeds) clock_heed_pauses();
        const int64_t before_ns = clock_now_ns() - monotonic_ns();
        raise(SIGSTOP);
        for (int i = 0; i < 20 && step_ms > 0; i++) {
            nanosleep(&step, NULL);
            clock_now_ns();
        }
        behind_ns = before_ns - (clock_now_ns() - monotonic_ns());
        _exit(write(ends[1], &behind_ns, sizeof behind_ns) != sizeof behind_ns);
    }
    ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
    ck_assert(WIFSTOPPED(status));
    nanosleep(&pause, NULL);
    ck_assert_int_eq(kill(pid, SIGCONT), 0);
    ck_assert_int_eq(read(ends[0], &behind_ns, sizeof behind_ns), sizeof behind_ns);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return (long)(behind_ns / CLOCK_NS_PER_MS);
}

TEST(a_pause_does_not_count) {
    ck_assert_int_ge(behind_after(true, CLOCK_PAUSE_MS + 100, 1), CLOCK_PAUSE_MS + 90);
    ck_assert_int_lt(behind_after(false, CLOCK_PAUSE_MS + 100, 0), CLOCK_PAUSE_MS / 2);
}

/* A timeout that is rounded down would make poll spin until the deadline. A look is bounded too: a
 * longer wait would be taken for a pause of the process. */
TEST(a_timeout_of_poll_is_rounded_up) {
    static const struct {
        int64_t now, deadline;
        int expected;
    } cases[] = {{0, CLOCK_NEVER, -1},
                 {CLOCK_NEVER, CLOCK_NEVER, -1},
                 {0, 0, 0},
                 {100, 99, 0},
                 {0, 1, 1},
                 {0, CLOCK_NS_PER_MS, 1},
                 {0, CLOCK_NS_PER_MS + 1, 2},
                 {CLOCK_NS_PER_MS / 2, 10 * CLOCK_NS_PER_MS, 10},
                 {0, CLOCK_NS_PER_MS * INT32_MAX, INT32_MAX},
                 {0, CLOCK_NS_PER_MS * INT32_MAX + 1, INT32_MAX},
                 {0, CLOCK_NEVER - 1, INT32_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(clock_poll_ms(cases[i].now, cases[i].deadline), cases[i].expected);
        const int look_ms = clock_look_ms(cases[i].now, cases[i].deadline);
        ck_assert_int_lt(look_ms, CLOCK_PAUSE_MS / 2);
        if (cases[i].expected >= 0 && cases[i].expected <= 10)
            ck_assert_int_eq(look_ms, cases[i].expected);
        if (cases[i].expected != 0) ck_assert_int_gt(look_ms, 0);
    }
}
