/* subject.h: the commands of a subject, quoted for a shell: to run it, replay it, check it. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "summary.h"

/* The line that a person pastes into a shell, without a newline; freed by the caller. NULL when
 * out of memory. */
char *subject_replay_line(const run_target *s, seed_input t);

/* The same for bytes that an option of frng-replay names: --hex, --input, --finding. */
char *subject_replay_line_of(const run_target *s, const char *option, const char *value);

/* The line that asks a predicate once more, whose subject this is, about the file `result`: in a
 * fresh folder, under `name` and with that for the first argument; or (NULL) on stdin. Likewise. */
char *subject_check_line(const run_target *s, const char *result, const char *name);

/* The system under test and its arguments, quoted for a shell; likewise. */
char *subject_command(const run_target *s);

#endif
