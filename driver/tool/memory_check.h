/* memory_check.h: checks that --memory leaves the target enough memory to run. */
#ifndef MEMORY_CHECK_H
#define MEMORY_CHECK_H

#include <stdbool.h>

typedef struct session session;

/* True if the target of s->runs can run under --memory. May run the target on empty input. Returns
 * false after a message with the reason. Returns true if undecided, as after a signal: the first
 * real run reports the problem. */
bool memory_check(session *s);

#endif
