/* oom.h: detects kills by the kernel's out-of-memory killer. */
#ifndef OOM_H
#define OOM_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel's count of processes killed for lack of memory, of the whole machine or of a cgroup
 * with a limit. */
#define OOM_VMSTAT "/proc/vmstat"

typedef struct oom_watch {
    const char *path; /* borrowed */
    uint64_t kills;   /* the count at the last look; 0 if it is not available */
    int64_t looked_ns;
} oom_watch;

/* `path` is OOM_VMSTAT, except in tests. */
void oom_watch_init(oom_watch *w, const char *path);

/* True if any process was killed since the last look. */
bool oom_watch_look(oom_watch *w);

/* Forget earlier kills, before a run. Looks at most once each OOM_LOOK_MS, since a look takes
 * longer than some runs. */
enum { OOM_LOOK_MS = 100 };
void oom_watch_begin(oom_watch *w);

#endif
