/* status_options.h: the command line of frng-status. */
#ifndef STATUS_OPTIONS_H
#define STATUS_OPTIONS_H

#include "options.h"

#include <stdbool.h>

typedef struct status_options {
    operands rest; /* `files`: findings folders */
    bool json;
} status_options;

options_answer status_options_parse(int argc, char **argv, status_options *o);

extern const option_table status_options_table;

#endif
