/* search_options.h: the command line of frng-search. */
#ifndef SEARCH_OPTIONS_H
#define SEARCH_OPTIONS_H

#include "fast.h"
#include "options.h"
#include "walk.h"

typedef struct search_options {
    run_options run;
    operands rest;
    uint64_t attempts;
    uint64_t size_max;
    unsigned jobs;
    int64_t budget_ns; /* CLOCK_NEVER: none */
    walk_strategy strategy;
    bool has_mode; /* false: auto */
    run_mode mode;
    bool has_rng_seed;
    uint64_t rng_seed;
    const char *findings; /* folder, or NULL */
    const char *json;     /* file, "-", or NULL */
    bool quiet, verbose;
} search_options;

options_answer search_options_parse(int argc, char **argv, search_options *o);

extern const char search_options_help[];

#endif
