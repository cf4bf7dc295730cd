/* clock.h: time that only goes forward. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#define CLOCK_NS_PER_MS INT64_C(1000000)
#define CLOCK_NS_PER_S INT64_C(1000000000)

/* "No deadline", for every function that takes one. */
#define CLOCK_NEVER INT64_MAX

/* Nanoseconds since some moment in the past; no step of the wall clock moves it, and after
 * clock_heed_pauses it stands still while this process is stopped. */
int64_t clock_now_ns(void);

/* From now on the time that this process, or one forked by it, is stopped (SIGSTOP, Ctrl-Z) and
 * then continued does not count: all of it since the clock was last looked at, unless that was less
 * than CLOCK_PAUSE_MS. A signal without a pause does nothing as long as the clock is looked at more
 * often than that, for which there is clock_look_ms. */
#define CLOCK_PAUSE_MS 1000
void clock_heed_pauses(void);

/* now + span_ns, or CLOCK_NEVER where that is out of range. */
int64_t clock_after(int64_t now_ns, int64_t span_ns);

/* The timeout of a poll() that wakes up at deadline_ns: milliseconds rounded up, 0 when it has
 * passed, -1 for CLOCK_NEVER. */
int clock_poll_ms(int64_t now_ns, int64_t deadline_ns);

/* The same, but no later than the clock should be looked at again. */
int clock_look_ms(int64_t now_ns, int64_t deadline_ns);

#endif
