/* oom.h: whether the kernel's out-of-memory killer has been at work. */
#ifndef OOM_H
#define OOM_H

#include <stdbool.h>
#include <stdint.h>

/* The file in which the kernel counts the processes that it killed for want of memory, be it the
 * machine's, or that of a group of processes with a limit. */
#define OOM_VMSTAT "/proc/vmstat"

typedef struct oom_watch {
    const char *path; /* borrowed */
    uint64_t kills;   /* when it was looked at last; 0 where it is not told */
    int64_t looked_ns;
} oom_watch;

/* `path` is OOM_VMSTAT, but for tests. */
void oom_watch_init(oom_watch *w, const char *path);

/* True if it has killed any process since this was looked at last. */
bool oom_watch_look(oom_watch *w);

/* Something begins that what was killed before has nothing to do with. Looks no more often than
 * each OOM_LOOK_MS, for that takes longer than some runs. */
enum { OOM_LOOK_MS = 100 };
void oom_watch_begin(oom_watch *w);

#endif
