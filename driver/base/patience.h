/* patience.h: what to do when the system is short of something: wait, but not for ever. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* What one has waited for one thing, in all. Begins as zeroes. */
typedef struct patience {
    int64_t waited_ns, next_ns;
} patience;

/* Whether an errno is of what others may give back: processes, memory, the system's descriptors,
 * buffers. A process's own descriptors (EMFILE) nobody else gives back. */
bool patience_helps(int error_number);

/* Wait before another try: a millisecond, then twice as long each time, up to half a second.
 * Signals do not cut it short. False, at once, when some 4 seconds were spent so. */
bool patience_wait(patience *p);

#endif
