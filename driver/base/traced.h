/* traced.h: children that asked for tracing by their parent (PTRACE_TRACEME), which does not
 * trace. */
#ifndef TRACED_H
#define TRACED_H

#include <sys/types.h>

/* Resume a thread that has stopped for this signal, untraced. The thread gets the signal, except
 * for the SIGTRAP that an exec under a tracer sends itself. */
void traced_let_go(pid_t thread, int signal_number);

/* Resume all stopped threads of a child except the first. Reap a thread that has ended, since its
 * process cannot be reaped before. */
void traced_let_threads_go(pid_t child);

#endif
