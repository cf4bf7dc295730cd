/* subject.h: what is being tested, as its user named it, and the command that replays it. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "seed_input.h"

/* All is borrowed. */
typedef struct subject {
    const char *sut;
    const char *const *args; /* ended by NULL */
    const char *replay;      /* what frng-replay is called where this tool was called from */
    const char *options;     /* of frng-replay, that every run of it needs; "" or " --a b" */
} subject;

/* The line that a person pastes into a shell, without a newline; freed by the caller. NULL when
 * out of memory. */
char *subject_replay_line(const subject *s, seed_input t);

/* The same for bytes that an option of frng-replay names: --hex, --input, --finding. */
char *subject_replay_line_of(const subject *s, const char *option, const char *value);

/* The line that asks a predicate once more, whose subject this is, about the file `result`: in a
 * fresh folder, under `name` and with that for the first argument; or (NULL) on stdin. Likewise. */
char *subject_check_line(const subject *s, const char *result, const char *name);

/* The system under test and its arguments, quoted for a shell; likewise. */
char *subject_command(const subject *s);

#endif
