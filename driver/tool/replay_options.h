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
    const char *list; /* folder whose findings are listed, and nothing is run; or NULL */
    const char *wrap; /* command of the wrapper, or NULL */
    uint64_t runs;
    const char *json; /* file, "-", or NULL */
    bool dump, trace, quiet;
} replay_options;

/* Parse the command line. After OPTIONS_RUN there is exactly one source of entropy. */
options_answer replay_options_parse(int argc, char **argv, replay_options *o);

extern const option_table replay_options_table;

#endif
