/* external_pass.h: programs that make candidates: passes of a reduction that others have written.
 * How each kind is called, and what its answer means; nothing is run here. */
#ifndef EXTERNAL_PASS_H
#define EXTERNAL_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum external_pass_dialect {
    EXTERNAL_PASS_IN_PLACE, /* PROGRAM FILE COMMAND NUMBER changes FILE: exit 0, or 1 where there is
                              no such instance (Regehr's interface) */
    EXTERNAL_PASS_CLEX,     /* PROGRAM COMMAND NUMBER FILE writes to stdout: 51, or 71 */
    EXTERNAL_PASS_CLANG_DELTA, /* PROGRAM --transformation=COMMAND --counter=NUMBER+1 FILE writes to
                              stdout: 0, or 1, or 255 */
    EXTERNAL_PASS_LINES /* PROGRAM COMMAND filters stdin to stdout, always 0 (topformflat): the
                              candidate is what it wrote without some of its lines, without blank
                              lines, and without blanks where a line begins */
} external_pass_dialect;

/* One command of one program. Its instances are numbered from 0. */
typedef struct external_pass {
    external_pass_dialect dialect;
    char *program;  /* absolute path; owned by who made it, as the next two */
    char *command;  /* what it is to do */
    char *name;     /* for people: "clex rm-toks-3" */
    uint64_t lines; /* EXTERNAL_PASS_LINES, at least 1: instance n leaves out lines n*lines ..
                       (n+1)*lines - 1 of those that are not blank */
} external_pass;

enum { EXTERNAL_PASS_ARGS_MAX = 8, EXTERNAL_PASS_TEXT_MAX = 512 };

/* A command line. */
typedef struct external_pass_call {
    char *argv[EXTERNAL_PASS_ARGS_MAX]; /* ended by NULL; borrowed from the external pass, the name
                                           of the file, and `text` */
    char text[EXTERNAL_PASS_TEXT_MAX];
    bool reads_stdin;   /* the file is its stdin */
    bool writes_stdout; /* the candidate is its stdout; else it is what the file has become */
} external_pass_call;

/* Instance `number` on the file of this name, which is in the current folder. False when that does
 * not fit into a call, or the number not into what the program counts with: there is no such
 * instance. */
bool external_pass_make_call(const external_pass *g, uint64_t number, const char *file,
                             external_pass_call *call);

typedef enum external_pass_answer {
    EXTERNAL_PASS_MADE,        /* a candidate, which is run */
    EXTERNAL_PASS_NOT_SIMPLER, /* a candidate that is no simpler than what it is made of */
    EXTERNAL_PASS_KNOWN,       /* a candidate that is known to be of no interest */
    EXTERNAL_PASS_NONE,        /* no such instance: the last one was the one before */
    EXTERNAL_PASS_BROKEN,      /* neither: a crash, an exit status that means nothing */
    EXTERNAL_PASS_HUNG         /* neither, in the time it was given */
} external_pass_answer;

/* Judge a wait status. */
external_pass_answer external_pass_judge(const external_pass *g, int wait_status);

/* Make the candidate of instance `number` of what the program wrote: in place, its new size goes to
 * *size. For all dialects; those but EXTERNAL_PASS_LINES leave the bytes as they are. */
external_pass_answer external_pass_finish(const external_pass *g, uint64_t number, uint8_t *bytes,
                                          size_t *size);

#endif
