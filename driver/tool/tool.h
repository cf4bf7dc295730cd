/* tool.h: how every tool starts, how it was called, its end by a signal, and its private folder. */
#pragma once

#include "summary.h"
#include "work_folder.h"

#include <signal.h>

/* The signals that stop a tool. */
typedef struct tool_signals {
    sigset_t mask; /* the mask before tool_init, for the runs */
    int signal_fd; /* readable while a signal is pending */
} tool_signals;

/* Set the name for messages, and the exit status after an assertion that failed (bug_init). Open
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

/* Write text to standard output. Prints an error if that fails. */
bool tool_print(const char *text);

/* Write the time of the wall clock as UTC in ISO 8601. Returns `text`. */
const char *tool_call_utc(char text[SUMMARY_UTC_MAX]);

/* Return when, where and how this tool was called, for events and worker files. The texts last
 * until the next call. */
run_call tool_call_make(char *const *argv);

/* Print the message about a process that was given up (proc.h). */
void tool_given_up(pid_t pid);

/* Return the user's folder for temporary files: TMPDIR, or else /tmp. */
const char *tool_temp_folder(void);

/* Make a folder for runs in that of TMPDIR, or in /tmp (work_folder.h). Returns false after a
 * message. */
bool tool_open_work(work_folder *w);

/* Remove it. Prints a message if a part of it stays. */
void tool_close_work(work_folder *w);
