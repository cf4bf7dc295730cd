/* search_options.h: the command line of frng-search. */
#ifndef SEARCH_OPTIONS_H
#define SEARCH_OPTIONS_H

#include "common_options.h"
#include "seed_input.h"
#include "stats.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct search_options {
    work_options work;
    uint64_t attempts;
    requirement_list requirements;
    uint64_t size_max;
    bool has_rng_seed;
    uint64_t rng_seed;
    seed_expansion expand;
    bool keep_going;
    int64_t sync_ns;    /* between looks at the findings of others; 0: never */
    const char *worker; /* name of this search in the folder of findings; NULL: none is given */
    bool all;
    bool reduce;
} search_options;

options_answer search_options_parse(int argc, char **argv, search_options *o);

extern const option_table search_options_table;

#endif
