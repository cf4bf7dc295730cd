/* reduce_options.h: the command line of frng-reduce. */
#ifndef REDUCE_OPTIONS_H
#define REDUCE_OPTIONS_H

#include "common_options.h"
#include "input_source.h"

enum { REDUCE_OPTIONS_REDUCERS_MAX = 64 };

/* The values of --reducer, which may be given several times. */
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
    const char *predicate;    /* program that judges a file; NULL: reduce the input of a failure */
    reducer_options reducers; /* only with a predicate, as the next */
    bool on_stdin;            /* --input-mode stdin */
} reduce_options;

/* When this returns OPTIONS_RUN, exactly one source of bytes is given; or a predicate, and the file
 * to be reduced in place of the program under test. There a timeout of 0 means that none was
 * given. */
options_answer reduce_options_parse(int argc, char **argv, reduce_options *o);

extern const option_table reduce_options_table;

#endif
