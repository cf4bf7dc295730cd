/* backoff.h: waits for scarce system resources, but not for ever. */
#ifndef BACKOFF_H
#define BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
