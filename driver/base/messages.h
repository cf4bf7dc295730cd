/* messages.h: standard error: messages of one line, and the stream for reports.
 *
 * A message explains a problem and its remedy. The caller provides its text. Control characters in
 * it are escaped, so that untrusted text can neither start a second line nor control the
 * terminal. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stdio.h>

/* Set the name that begins each message, borrowed, and whether standard error is a terminal that
 * can rewrite a line. Call it first. */
void message_init(const char *program, bool is_terminal);

const char *message_program(void);
bool message_is_terminal(void);

/* Print "frng-search: TEXT". */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* Print "frng-search: TEXT: No space left on device". */
__attribute__((format(printf, 2, 3))) void message_error(int error_number, const char *format, ...);

/* Print "frng-search: TEXT; see 'frng-search --help'". */
__attribute__((format(printf, 1, 2))) void message_usage(const char *format, ...);

/* Return standard error for reports, after erasing the live lines (live.h). */
FILE *message_stream(void);

#endif
