/* clock.h: monotonic time, deadlines, and waits for scarce resources. */
#pragma once

#include <stdbool.h>
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

/* ---- Waits for scarce system resources, but not for ever ---- */

/* Limit on the whole wait; then it ends in an error. */
enum { BACKOFF_MAX_MS = 4000 };

/* The time waited so far for one resource, and the next step. Initialize with zeroes. */
typedef struct backoff {
    int64_t waited_ns, next_ns;
} backoff;

/* True if an errno is about a resource that other processes may release: processes, memory, the
 * system's descriptors, buffers. No other process can release a process's own descriptors
 * (EMFILE). */
bool backoff_helps(int error_number);

/* Wait before another try: a millisecond, then twice as long each time, up to half a second.
 * Signals do not shorten the wait. Returns false at once after BACKOFF_MAX_MS in all. */
bool backoff_wait(backoff *p);
