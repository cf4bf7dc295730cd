/* memory_check.h: whether a program gets far enough to be tested under a limit of memory. */
#ifndef MEMORY_CHECK_H
#define MEMORY_CHECK_H

#include "session.h"

/* Check that the program of s->runs can run under --memory at all, for which it may be started on
 * empty input. Returns false after a message that says why it cannot. Returns true if undecided,
 * as after a signal: the first real run reports the problem. */
bool memory_check(session *s);

#endif
