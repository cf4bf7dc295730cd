/* messages.h: standard error: messages of one line, and the stream for reports.
 *
 * A message explains a problem and its remedy. The caller provides its text. Control characters in
 * it are escaped, so that untrusted text can neither start a second line nor control the
 * terminal. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Set the name that begins each message, borrowed, and whether standard error is a terminal that
 * can rewrite a line. Call it first. */
void message_init(const char *program, bool is_terminal);

const char *message_program(void);
bool message_is_terminal(void);

/* Print "frng-search: TEXT". Returns false, as does the caller that cannot go on: so with those
 * below. */
__attribute__((format(printf, 1, 2))) bool message(const char *format, ...);

/* Print "frng-search: TEXT: No space left on device". */
__attribute__((format(printf, 2, 3))) bool message_error(int error_number, const char *format, ...);

/* Print "frng-search: TEXT; see 'frng-search --help'". */
__attribute__((format(printf, 1, 2))) bool message_usage(const char *format, ...);

/* Set what erases the lines that are shown in place, for the time being (screen.h). It is called
 * before each message and report. */
void message_before(void (*erases)(void));

/* Return standard error for reports, after erasing such lines. */
FILE *message_stream(void);

/* ---- Assertions of the tools that fail ----
 *
 * One line on stderr, and an exit status that neither a run nor a verdict has. */

/* From now on an assertion that fails in this process prints a line and ends it with this status.
 * Before, it aborts. Returns 0 or an errno. */
int bug_init(int exit_status);

/* Leave the line to the process that called bug_init, in one that was just forked. */
void bug_begin_process(void);

/* End this process, which lacks what it cannot do without, with that status, and say so; but in a
 * child without a word. `ends` is called before. */
_Noreturn void bug_end(int error_number);
void bug_before_end(void (*ends)(void));

/* True if an assertion has failed in a child of this process. */
bool bug_was_found(void);

/* Print the line of an assertion that has failed, and return the status of bug_init; without one,
 * return `exit_status`. */
int bug_report(int exit_status);
