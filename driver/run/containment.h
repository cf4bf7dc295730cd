/* containment.h: isolates the process that starts runs, so that no process of a run outlives it,
 * however it ends. */
#ifndef CONTAINMENT_H
#define CONTAINMENT_H

#include "mode.h"

#include <stdint.h>
#include <sys/types.h>

/* Return the name, such as "pid namespace". */
const char *containment_name(containment c);

/* Return the best containment that this process is permitted, by trying. Many container engines
 * refuse pid namespaces, and some distributions refuse unprivileged user namespaces. */
containment containment_detect(void);

/* Fork a contained process in its own session; it gets SIGKILL when the caller ends. If it is pid 1
 * of a pid namespace, it has its own mounts and /proc, no process in the namespace outlives it, and
 * the processes that it starts can neither kill nor stop it. Returns -1 with errno if the fork
 * fails. A process that was forked, but is refused something it needs, exits nonzero. */
pid_t containment_fork(containment c);

/* Called before each wait for a scarce resource: the errno, and the time waited so far. */
typedef void shortage_callback(void *context, int error_number, int64_t waited_ns);

/* As containment_fork, but wait (backoff.h) while the system is short of processes or memory.
 * `on_shortage` may be NULL; its first argument is `context`. */
pid_t containment_fork_patiently(containment c, shortage_callback *on_shortage, void *context);

#endif
