/* external_pass.h: external passes, which are programs by others that make candidates (--reducer).
 *
 * One table has how each kind of program is called and what it answers; run/predicate runs them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum external_pass_dialect {
    EXTERNAL_PASS_IN_PLACE, /* any program with Regehr's interface */
    EXTERNAL_PASS_CLEX,
    EXTERNAL_PASS_CLANG_DELTA,
    EXTERNAL_PASS_DIALECTS
} external_pass_dialect;

typedef struct external_kind {
    const char *name;         /* of the program; NULL: any other */
    const char *words[3];     /* of the command line after the program; %f: the file, %c: the
                                 command, %n: the instance, %N: the instance plus 1 */
    int made, none, none_too; /* exit statuses: a candidate; no such instance; -1: it has none */
    bool writes_stdout;       /* the candidate is its standard output, not the changed file */
    const char *commands;     /* those to use unless the user chooses, from coarse to fine */
} external_kind;

extern const external_kind external_kinds[EXTERNAL_PASS_DIALECTS];

/* One command of one program. Its instances are numbered from 0. */
typedef struct external_pass {
    external_pass_dialect dialect;
    char *program; /* absolute path; the creator of the struct owns it and the next two */
    char *command; /* the kind of change that the program makes */
    char *name;    /* for messages: "clex rm-toks-3" */
} external_pass;

typedef enum external_pass_answer {
    EXTERNAL_PASS_MADE,        /* a candidate to run */
    EXTERNAL_PASS_NOT_SIMPLER, /* a candidate that is no simpler than its original */
    EXTERNAL_PASS_KNOWN,       /* a candidate that is known to be uninteresting */
    EXTERNAL_PASS_NONE,        /* no such instance; the one before was the last */
    EXTERNAL_PASS_BROKEN,      /* no answer: a crash, or an exit status without a meaning */
    EXTERNAL_PASS_HUNG         /* no answer within the time limit */
} external_pass_answer;
