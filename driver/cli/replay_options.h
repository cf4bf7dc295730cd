/* replay_options.h: the command line of frng-replay. */
#ifndef REPLAY_OPTIONS_H
#define REPLAY_OPTIONS_H

#include "options.h"

typedef struct replay_options {
    run_options run;
    operands rest;
    bool has_size, has_seed, has_timeout;
    uint64_t size, seed;
    const char *input;   /* file of entropy, or NULL */
    const char *hex;     /* entropy in hex, or NULL */
    const char *finding; /* file, or NULL */
    const char *wrap;    /* words of the program to run it under, or NULL */
    uint64_t runs;
    bool dump, trace, quiet;
} replay_options;

/* Exactly one source of entropy is given when this answers OPTIONS_RUN. */
options_answer replay_options_parse(int argc, char **argv, replay_options *o);

extern const char replay_options_help[];

#endif
