/* tool_init.h: what every tool does first, and how it ends. */
#ifndef TOOL_INIT_H
#define TOOL_INIT_H

#include "mounts.h"

#include <signal.h>
#include <stdbool.h>

/* The signals that stop a tool, from its start on. */
typedef struct tool_signals {
    sigset_t mask; /* the signal mask before, which runs get */
    int signal_fd; /* has something to read once a signal has come */
} tool_signals;

/* Names the tool in messages; opens standard descriptors that are closed, ignores SIGPIPE, and
 * holds back SIGINT, SIGTERM, SIGHUP and SIGQUIT. False when that failed, and was said. */
bool tool_init(tool_signals *s, const char *program);

/* The signal that came; 0 for none. From then on another ends the process at once. */
int tool_take_signal(tool_signals *s);

/* Let those signals end the process at once while it waits for a pipe or a terminal of the user's,
 * before there is anything to tidy up; the mask until then goes to *held, for tool_hold_back. */
void tool_let_through(sigset_t *held);
void tool_hold_back(const sigset_t *held);

/* End the process as signal `number` would have, so that a shell loop ends too. */
_Noreturn void tool_die_of(int number);

/* Write text to standard output. False when that failed, and was said. */
bool tool_print(const char *text);

/* Print that a run left a mount that cannot be removed, if one did. */
void tool_mount_left(const mounts_left *left);

#endif
