/* generator.h: programs that make candidates: passes of a reduction that others have written. How
 * each kind is called, and what its answer means; nothing is run here. */
#ifndef GENERATOR_H
#define GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum generator_dialect {
    GENERATOR_IN_PLACE,    /* PROGRAM FILE COMMAND NUMBER changes FILE: exit 0, or 1 where there is
                              no such instance (Regehr's interface) */
    GENERATOR_CLEX,        /* PROGRAM COMMAND NUMBER FILE writes to stdout: 51, or 71 */
    GENERATOR_CLANG_DELTA, /* PROGRAM --transformation=COMMAND --counter=NUMBER+1 FILE writes to
                              stdout: 0, or 1, or 255 */
    GENERATOR_LINES        /* PROGRAM COMMAND filters stdin to stdout, always 0 (topformflat): the
                              candidate is what it wrote without some of its lines, without blank
                              lines, and without blanks where a line begins */
} generator_dialect;

/* One command of one program. Its instances are numbered from 0. */
typedef struct generator {
    generator_dialect dialect;
    char *program;  /* absolute path; owned by who made it, as the next two */
    char *command;  /* what it is to do */
    char *name;     /* for people: "clex rm-toks-3" */
    uint64_t lines; /* GENERATOR_LINES, at least 1: instance n leaves out lines n*lines ..
                       (n+1)*lines - 1 of those that are not blank */
} generator;

enum { GENERATOR_ARGS_MAX = 8, GENERATOR_TEXT_MAX = 512 };

/* A command line. */
typedef struct generator_call {
    char *argv[GENERATOR_ARGS_MAX]; /* ended by NULL; borrowed from the generator, the name of the
                                       file, and `text` */
    char text[GENERATOR_TEXT_MAX];
    bool reads_stdin;   /* the file is its stdin */
    bool writes_stdout; /* the candidate is its stdout; else it is what the file has become */
} generator_call;

/* Instance `number` on the file of this name, which is in the current folder. False when that does
 * not fit into a call, or the number not into what the program counts with: there is no such
 * instance. */
bool generator_make_call(const generator *g, uint64_t number, const char *file,
                         generator_call *call);

typedef enum generator_answer {
    GENERATOR_MADE,   /* a candidate */
    GENERATOR_NONE,   /* no such instance: the last one was the one before */
    GENERATOR_BROKEN, /* neither: a crash, an exit status that means nothing */
    GENERATOR_HUNG    /* neither, in the time it was given */
} generator_answer;

/* What a wait status says. */
generator_answer generator_judge(const generator *g, int wait_status);

/* Make the candidate of instance `number` of what the program wrote: in place, its new size goes to
 * *size. For all dialects; those but GENERATOR_LINES leave the bytes as they are. */
generator_answer generator_finish(const generator *g, uint64_t number, uint8_t *bytes,
                                  size_t *size);

#endif
