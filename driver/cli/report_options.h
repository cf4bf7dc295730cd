/* report_options.h: the command line of frng-report. */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include "options.h"

#include <stdbool.h>

typedef struct report_options {
    operands rest;      /* `files`: events, folders of findings, or - */
    const char *output; /* file, or - */
    bool open;
} report_options;

options_answer report_options_parse(int argc, char **argv, report_options *o);

extern const option_table report_options_table;

#endif
