/* clock.h: monotonic time and deadlines. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#define CLOCK_NS_PER_MS INT64_C(1000000)
#define CLOCK_NS_PER_S INT64_C(1000000000)

/* No deadline, for every function that takes one. */
#define CLOCK_NEVER INT64_MAX

/* Return the nanoseconds since some moment in the past. Steps of the wall clock do not affect it.
 * After clock_heed_pauses it stands still while this process is stopped. */
int64_t clock_now_ns(void);

/* From now on exclude pauses: times when this process, or one forked by it, is stopped (SIGSTOP,
 * Ctrl-Z) and then continued. A SIGCONT excludes the whole time since the last clock_now_ns, unless
 * that is less than CLOCK_PAUSE_MS. So a SIGCONT without a pause has no effect as long as the clock
 * is read more often than that; clock_look_ms ensures it. */
#define CLOCK_PAUSE_MS 1000
void clock_heed_pauses(void);

/* Return a number that changes whenever this process is continued. */
int clock_pauses(void);

/* Return now + span_ns, or CLOCK_NEVER if that is out of range. */
int64_t clock_after(int64_t now_ns, int64_t span_ns);

/* Return the timeout of a poll() that wakes up at deadline_ns: milliseconds rounded up, 0 if the
 * deadline has passed, -1 for CLOCK_NEVER. */
int clock_poll_ms(int64_t now_ns, int64_t deadline_ns);

/* As clock_poll_ms, but no later than the clock should be read again. */
int clock_look_ms(int64_t now_ns, int64_t deadline_ns);

#endif
