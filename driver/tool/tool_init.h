/* tool_init.h: the start of every tool (descriptors, signals), and its end by a signal. */
#ifndef TOOL_INIT_H
#define TOOL_INIT_H

#include <signal.h>
#include <stdbool.h>

/* The signals that stop a tool. */
typedef struct tool_signals {
    sigset_t mask; /* the mask before tool_init, for the runs */
    int signal_fd; /* readable while a signal is pending */
} tool_signals;

/* Set the name for messages, and the exit status after an assertion that failed (bug.h). Open
 * standard descriptors that are closed, ignore SIGPIPE, and block SIGINT, SIGTERM, SIGHUP and
 * SIGQUIT. Prints errors. */
bool tool_init(tool_signals *s, const char *program, int bug_status);

/* Take and return the pending signal; 0 for none. A second signal then ends the process at once. */
int tool_take_signal(tool_signals *s);

/* Unblock the signals while the tool waits for a pipe or a terminal of the user, before there is
 * anything to tidy up. Saves the mask in *held for tool_hold_back. */
void tool_let_through(sigset_t *held);
void tool_hold_back(const sigset_t *held);

/* End the process by signal `number`, so that a shell loop ends too. */
_Noreturn void tool_die_of(int number);

/* Execute this tool anew with these arguments. Return an errno if that fails. */
int tool_execute_again(char **argv);

/* Write text to standard output. Prints an error if that fails. */
bool tool_print(const char *text);

/* Print the message about a process that was given up (orphans.h). */
void tool_given_up(pid_t pid);

/* Remove a private folder (scratch_dir.h). Prints a message if a part of it stays. */
void tool_remove_scratch(const char *path);

#endif
