/* replay_options.h: the command line of frng-replay. */
#ifndef REPLAY_OPTIONS_H
#define REPLAY_OPTIONS_H

#include "common_options.h"
#include "input_source.h"

typedef struct replay_options {
    run_options run;
    operands rest;
    input_options input;
    bool has_timeout;
    const char *wrap; /* words of the program to run it under, or NULL */
    uint64_t runs;
    bool dump, trace, quiet;
} replay_options;

/* Exactly one source of entropy is given when this answers OPTIONS_RUN. */
options_answer replay_options_parse(int argc, char **argv, replay_options *o);

extern const option_table replay_options_table;

#endif
