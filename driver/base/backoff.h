/* backoff.h: what to do when the system is short of something: wait, but not for ever. */
#ifndef BACKOFF_H
#define BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

/* A wait for what the system is short of lasts so long in all, and then ends in an error. */
enum { BACKOFF_MAX_MS = 4000 };

/* The time waited for one thing so far, and the next step. Begins as zeroes. */
typedef struct backoff {
    int64_t waited_ns, next_ns;
} backoff;

/* True if an errno is of what others may give back: processes, memory, the system's descriptors,
 * buffers. A process's own descriptors (EMFILE) no other process gives back. */
bool backoff_helps(int error_number);

/* Wait before another try: a millisecond, then twice as long each time, up to half a second.
 * Signals do not cut it short. False, at once, when BACKOFF_MAX_MS were spent so. */
bool backoff_wait(backoff *p);

#endif
