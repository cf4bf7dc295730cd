/* subject.h: shell commands that run, replay or check a target or a predicate. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "summary.h"

#include <stdio.h>

/* Print one word of a shell's command line: bare, in single quotes, or as $'...' if it holds
 * control characters or invalid UTF-8, which must not reach a terminal. */
void subject_put_word(FILE *out, const char *word);

/* Return the shell command that replays a seed, without a newline. The caller frees it. NULL when
 * out of memory. */
char *subject_replay_line(const run_target *s, seed_input t);

/* Return the same for bytes, which an option of frng-replay names: --hex, --input, --finding. */
char *subject_replay_line_of(const run_target *s, const char *option, const char *value);

/* Most bytes of a result that are shown as hex although a file has them. */
enum { TEXT_SHORT_MAX = 64 };

/* Return the same for an input: by its seed, as hex or from a file; NULL also if its bytes are in
 * no file. */
char *subject_replay_line_found(const run_target *s, const found_input *c);

/* Return, like subject_replay_line, the shell command that runs the predicate `s` on the file
 * `result`: in a fresh folder, with a copy called `name` as the first argument; or, if `name` is
 * NULL, on stdin. */
char *subject_check_line(const run_target *s, const char *result, const char *name);

/* Return, like subject_replay_line, the target or the predicate with its arguments, quoted for a
 * shell. */
char *subject_command(const run_target *s);

#endif
