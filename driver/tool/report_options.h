/* report_options.h: the command line of frng-report. */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include "options.h"

typedef struct report_options {
    operands rest;      /* `files`: events, findings, folders of them, or - */
    const char *output; /* file, or - */
} report_options;

options_answer report_options_parse(int argc, char **argv, report_options *o);

extern const option_table report_options_table;

#endif
