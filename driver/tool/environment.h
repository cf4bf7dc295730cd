/* environment.h: the environment of a target: the user's, with options of sanitizers. */
#pragma once

#include <stddef.h>

#define SANITIZER_OPTION "symbolize=0"

/* By itself UBSan reports and goes on, so that a run with a report passes. Any target gets this
 * option first of those in UBSAN_OPTIONS, since one that a script starts shows no symbols. It is
 * left out if they decide on it, or if the program contains the opposite as its own option. */
#define UBSAN_HALTS "halt_on_error=1"

enum { ENVIRONMENT_TEXTS_MAX = 11 };
typedef struct environment {
    char **list;  /* ended by NULL; without FRNG_INPUT and FRNG_DRIVER; room for one more */
    char **terse; /* of runs whose output is not shown; NULL: list */
    char *texts[ENVIRONMENT_TEXTS_MAX]; /* owned; variables of ours */
    size_t text_count;
} environment;

/* Fill an environment that is zeroed. */
void environment_make(environment *e);
void environment_finish(environment *e);

/* Set UBSAN_HALTS, unless the user decides on that. */
void environment_let_ubsan_halt(environment *e);

/* Set `terse`, where the options of all sanitizers end in SANITIZER_OPTION: to name the functions
 * and lines of a report takes a sanitizer a hundred times as long as to fail. Leave it NULL if the
 * user's options decide on that. */
void environment_make_terse(environment *e);
