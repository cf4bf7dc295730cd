/* containment.h: a process that runs are held in, so that none of theirs outlives it, however it
 * ends. Where permitted it is pid 1 of a pid namespace, with its own mounts and /proc: its end ends
 * all in it. Elsewhere it is a subreaper (proc.h), which sweeps what runs leave behind. */
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

#endif
