/* bug.h: assertions of the tools that fail: one line on stderr, and an exit status that neither a
 * run nor a verdict has. */
#ifndef BUG_H
#define BUG_H

#include <stdbool.h>

/* From now on an assertion that fails in this process prints a line and ends it with this status.
 * Before, it aborts. Returns 0 or an errno. */
int bug_init(int exit_status);

/* Leave the line to the process that called bug_init, in one that was just forked. */
void bug_begin_process(void);

/* True if an assertion has failed in a child of this process. */
bool bug_was_found(void);

/* Print the line of an assertion that has failed, and return the status of bug_init; without one,
 * return `exit_status`. */
int bug_report(int exit_status);

#endif
