/* reduce_options.h: the command line of frng-reduce. */
#ifndef REDUCE_OPTIONS_H
#define REDUCE_OPTIONS_H

#include "common_options.h"
#include "input_source.h"
#include "reduce.h"

enum { REDUCE_OPTIONS_REDUCERS_MAX = 64 };

/* The values of --reducer, a repeatable option. */
typedef struct reducer_options {
    const char *commands[REDUCE_OPTIONS_REDUCERS_MAX];
    size_t count;
} reducer_options;

/* The values of --explain. */
typedef enum explain_choice {
    EXPLAIN_AUTO, /* with few runs */
    EXPLAIN_YES,
    EXPLAIN_NO
} explain_choice;

typedef struct reduce_options {
    work_options work;
    input_options input;
    const char *output; /* file, or NULL */
    uint64_t calls_max; /* UINT64_MAX: no limit */
    reduce_effort effort;
    explain_choice explain;
    bool any_failure;
    const char *predicate;    /* program that judges a file; NULL: reduce the input of a failure */
    reducer_options reducers; /* only with a predicate */
} reduce_options;

/* Parse the command line. After OPTIONS_RUN there is exactly one source of bytes; or there is a
 * predicate, and work.rest.sut is the file to reduce. With a predicate, a timeout of 0 means that
 * --timeout is absent. */
options_answer reduce_options_parse(int argc, char **argv, reduce_options *o);

/* Return the budget that a choice allows. */
explain_limits reduce_options_explain(explain_choice choice);

extern const option_table reduce_options_table;

#endif
