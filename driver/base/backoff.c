#include "backoff.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

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
