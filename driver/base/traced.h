/* traced.h: children that asked to be traced by their parent (PTRACE_TRACEME), which does not. */
#ifndef TRACED_H
#define TRACED_H

#include <sys/types.h>

/* Let a thread go on, untraced, that has stopped for this signal. It gets the signal, but for the
 * SIGTRAP that an exec under a tracer sends itself. */
void traced_let_go(pid_t thread, int signal_number);

/* The same for all threads but the first of a child that have stopped. One of them that has ended
 * is reaped: until then its process cannot be. */
void traced_let_threads_go(pid_t child);

#endif
