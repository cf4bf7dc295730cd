/* tool_init.h: the start of every tool (descriptors, signals), and its end by a signal. */
#ifndef TOOL_INIT_H
#define TOOL_INIT_H

#include "mounts.h"

#include <signal.h>
#include <stdbool.h>

/* The signals that stop a tool, from its start on. */
typedef struct tool_signals {
    sigset_t mask; /* the mask before tool_init, which runs get */
    int signal_fd; /* readable once a signal has come */
} tool_signals;

/* Set the name for messages, open standard descriptors that are closed, ignore SIGPIPE, and block
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT. Prints what failed. */
bool tool_init(tool_signals *s, const char *program);

/* Take the signal that came; 0 for none. A second signal then ends the process at once. */
int tool_take_signal(tool_signals *s);

/* Unblock the signals while the tool waits for a pipe or a terminal of the user, before there is
 * anything to tidy up. The mask is kept in *held, for tool_hold_back. */
void tool_let_through(sigset_t *held);
void tool_hold_back(const sigset_t *held);

/* End the process by signal `number`, so that a shell loop ends too. */
_Noreturn void tool_die_of(int number);

/* Write text to standard output. Prints an error if that fails. */
bool tool_print(const char *text);

/* Print that a run left a mount that cannot be removed, if one did. */
void tool_mount_left(const mounts_left *left);

#endif
