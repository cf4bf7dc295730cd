/* The clock is monotonic and knows of SIGCONT, so that a stop by Ctrl-Z does not count. */
#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <time.h>

static volatile sig_atomic_t continued; /* counter of SIGCONT, restarts at 0 at its limit */

static void on_continued(int number) {
    (void)number;
    continued = continued < SIG_ATOMIC_MAX ? continued + 1 : 0;
}

void clock_heed_pauses(void) {
    const struct sigaction action = {.sa_handler = on_continued, .sa_flags = SA_RESTART};
    sigset_t set;
    sigaction(SIGCONT, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGCONT);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int clock_pauses(void) { return continued; }

static int64_t monotonic_ns(void) {
    struct timespec now;
    const int failed = clock_gettime(CLOCK_MONOTONIC, &now);
    assert(failed == 0);
    return (int64_t)now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
}

int64_t clock_now_ns(void) {
    static int64_t paused_ns, looked_ns;
    static sig_atomic_t seen;
    sig_atomic_t before;
    int64_t now_ns;
    do { /* otherwise a pause between the two reads would be missed */
        before = continued;
        now_ns = monotonic_ns();
    } while (before != continued);
    if (before != seen && looked_ns != 0) {
        const int64_t span_ns = now_ns - looked_ns;
        if (span_ns >= CLOCK_PAUSE_MS * CLOCK_NS_PER_MS) paused_ns += span_ns;
    }
    seen = before;
    looked_ns = now_ns;
    return now_ns - paused_ns;
}

int64_t clock_after(int64_t now_ns, int64_t span_ns) {
    assert(span_ns >= 0);
    return span_ns > CLOCK_NEVER - now_ns ? CLOCK_NEVER : now_ns + span_ns;
}

int clock_poll_ms(int64_t now_ns, int64_t deadline_ns) {
    if (deadline_ns == CLOCK_NEVER) return -1;
    if (deadline_ns <= now_ns) return 0;
    const int64_t left_ms = (deadline_ns - now_ns - 1) / CLOCK_NS_PER_MS + 1;
    return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

int clock_look_ms(int64_t now_ns, int64_t deadline_ns) {
    enum { LOOK_MS = CLOCK_PAUSE_MS / 4 };
    const int poll_ms = clock_poll_ms(now_ns, deadline_ns);
    return poll_ms < 0 || poll_ms > LOOK_MS ? LOOK_MS : poll_ms;
}

/* ---- Waits for scarce resources ---- */

bool backoff_helps(int error_number) {
    return error_number == EAGAIN || error_number == ENOMEM || error_number == ENFILE ||
           error_number == ENOBUFS;
}

bool backoff_wait(backoff *p) {
    const int64_t step_max_ns = CLOCK_NS_PER_S / 2;
    assert(p->waited_ns >= 0 && p->next_ns >= 0 && p->next_ns <= step_max_ns);
    if (p->waited_ns >= BACKOFF_MAX_MS * CLOCK_NS_PER_MS) return false;
    const int64_t start_ns = clock_now_ns();
    if (p->next_ns == 0) p->next_ns = CLOCK_NS_PER_MS;
    const int64_t end_ns = clock_after(start_ns, p->next_ns);
    int64_t left_ns;
    while ((left_ns = end_ns - clock_now_ns()) > 0) {
        nanosleep(&(struct timespec){left_ns / CLOCK_NS_PER_S, left_ns % CLOCK_NS_PER_S}, NULL);
    }
    p->waited_ns += p->next_ns;
    p->next_ns = 2 * p->next_ns < step_max_ns ? 2 * p->next_ns : step_max_ns;
    return true;
}
