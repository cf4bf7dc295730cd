/* external_pass.h: external passes, programs by others that make candidates. This file knows the
 * command line of each kind and the meaning of its answer; it runs nothing. */
#ifndef EXTERNAL_PASS_H
#define EXTERNAL_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum external_pass_dialect {
    EXTERNAL_PASS_IN_PLACE,    /* PROGRAM FILE COMMAND NUMBER changes FILE and exits with 0, or with
                                  1 if there is no such instance (Regehr's interface) */
    EXTERNAL_PASS_CLEX,        /* PROGRAM COMMAND NUMBER FILE writes to stdout and exits with 51, or
                                  with 71 if there is no such instance */
    EXTERNAL_PASS_CLANG_DELTA, /* PROGRAM --transformation=COMMAND --counter=NUMBER+1 FILE writes to
                                  stdout and exits with 0, or with 1 or 255 if there is no such
                                  instance */
    EXTERNAL_PASS_LINES        /* PROGRAM COMMAND filters stdin to stdout and always exits with 0
                                  (topformflat); the candidate is its output without some of its
                                  lines, without blank lines and without indentation */
} external_pass_dialect;

/* One command of one program. Its instances are numbered from 0. */
typedef struct external_pass {
    external_pass_dialect dialect;
    char *program;  /* absolute path; the creator of the struct owns it and the next two */
    char *command;  /* the kind of change that the program makes */
    char *name;     /* for messages: "clex rm-toks-3" */
    uint64_t lines; /* EXTERNAL_PASS_LINES, at least 1: instance n leaves out lines n*lines ..
                       (n+1)*lines - 1, counted without blank lines */
} external_pass;

enum { EXTERNAL_PASS_ARGS_MAX = 8, EXTERNAL_PASS_TEXT_MAX = 512 };

/* A command line. */
typedef struct external_pass_call {
    char *argv[EXTERNAL_PASS_ARGS_MAX]; /* ended by NULL; borrowed from the external pass, the name
                                           of the file, and `text` */
    char text[EXTERNAL_PASS_TEXT_MAX];
    bool reads_stdin;   /* stdin is the file */
    bool writes_stdout; /* the candidate comes on stdout; else it is the changed file */
} external_pass_call;

/* Make the command line for instance `number` on `file`, a name in the current folder. Return false
 * if there is no such instance: the arguments do not fit into a call, or the number does not fit
 * into the counter of the program. */
bool external_pass_make_call(const external_pass *g, uint64_t number, const char *file,
                             external_pass_call *call);

typedef enum external_pass_answer {
    EXTERNAL_PASS_MADE,        /* a candidate to run */
    EXTERNAL_PASS_NOT_SIMPLER, /* a candidate that is no simpler than its original */
    EXTERNAL_PASS_KNOWN,       /* a candidate that is known to be uninteresting */
    EXTERNAL_PASS_NONE,        /* no such instance; the one before was the last */
    EXTERNAL_PASS_BROKEN,      /* no answer: a crash, or an exit status without a meaning */
    EXTERNAL_PASS_HUNG         /* no answer within the time limit */
} external_pass_answer;

/* Return the answer in a wait status: MADE, NONE or BROKEN. */
external_pass_answer external_pass_judge(const external_pass *g, int wait_status);

/* Turn the output of the program into the candidate of instance `number`, in place, and store its
 * new size in *size. Only EXTERNAL_PASS_LINES changes the bytes. Return MADE or NONE. */
external_pass_answer external_pass_finish(const external_pass *g, uint64_t number, uint8_t *bytes,
                                          size_t *size);

#endif
