/* finding_list.h: the findings of a folder as a table: the smallest of each signature. */
#ifndef FINDING_LIST_H
#define FINDING_LIST_H

#include "signature_filter.h"

#include <stdbool.h>

typedef struct finding_list_options {
    const char *folder;
    const char *tool;               /* how the user called frng-replay */
    const signature_filter *filter; /* which signatures count */
    bool only_results;              /* result lines, and nothing for people */
} finding_list_options;

/* Print the table, or result lines, to standard output. Returns false after a message if the folder
 * cannot be read or the table not be written. */
bool finding_list_print(const finding_list_options *o);

#endif
