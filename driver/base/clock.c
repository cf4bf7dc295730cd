#include "clock.h"

#include <assert.h>
#include <limits.h>
#include <time.h>

int64_t clock_now_ns(void) {
    struct timespec now;
    const int failed = clock_gettime(CLOCK_MONOTONIC, &now);
    assert(failed == 0);
    return (int64_t)now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
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
