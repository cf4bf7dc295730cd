/* reduce_options.h: the command line of frng-reduce. */
#ifndef REDUCE_OPTIONS_H
#define REDUCE_OPTIONS_H

#include "input.h"
#include "options.h"

enum { REDUCE_OPTIONS_REDUCERS_MAX = 64 };

/* Of --reducer, said any number of times. */
typedef struct reducer_options {
    const char *commands[REDUCE_OPTIONS_REDUCERS_MAX];
    size_t count;
} reducer_options;

typedef struct reduce_options {
    work_options work;
    input_options input;
    const char *output; /* file, or NULL */
    uint64_t calls_max; /* UINT64_MAX: none */
    bool any_failure;
    const char
        *predicate; /* program, or NULL: what is reduced makes a system under test fail ... */
    reducer_options reducers; /* ... and this and what follows is as it was */
    bool on_stdin;            /* --input-mode stdin */
} reduce_options;

/* When this answers OPTIONS_RUN, exactly one source of entropy is given; or a predicate, and in
 * place of the system under test the file to be reduced. There a timeout of 0 is none that was
 * said. */
options_answer reduce_options_parse(int argc, char **argv, reduce_options *o);

extern const char reduce_options_help[];

#endif
