/* finding_table.h: the smallest finding of each program, signature and site; what is skipped. */
#pragma once

#include "signature_filter.h"
#include "store.h"

#include <stdio.h>

/* Files that a tool skips in a folder: a line for each of the first, then one with the count of the
 * others. */
typedef struct skipped_files {
    const char *folder; /* as the user wrote it; borrowed */
    uint64_t count;
} skipped_files;

enum { SKIPPED_FILES_LINES = 3 };

/* Count a file, and print its line if it is one of the first. */
void skipped_files_add(skipped_files *s, const char *name, const char *why);

/* Print the count of the others, if there are any. The next file is a first one again. */
void skipped_files_end(skipped_files *s);

/* The findings of one program and list of arguments (finding_has_subject), signature and site. */
typedef struct finding_row {
    finding smallest; /* the best by failure_is_better; owned, as the next */
    char *path;       /* of its file */
    uint64_t count;
} finding_row;

/* Empty if zeroed, but for the filter. */
typedef struct finding_table {
    const signature_filter *filter; /* which count; NULL: all */
    finding_row *rows;
    size_t count;
    uint64_t seen;    /* findings read, those that the filter leaves out too */
    uint64_t skipped; /* files that could not be read; a caller may count others here, too */
    char **folders;   /* that were read; owned */
    size_t folder_count;
} finding_table;

/* Add the findings of a folder and of those right below it, and put the rows in the order of their
 * smallest. Prints a line for each of the first files that are skipped. Return 0 or an errno. */
int finding_table_read(finding_table *t, const char *folder);
void finding_table_finish(finding_table *t);

/* Return the shell command that replays it; `tool` is how the user calls frng-replay. */
const char *finding_row_replay(const finding_row *r, const char *tool);

/* Print a heading and the rows, each with its replay command below. A name of more columns than
 * `name_width` has a line of its own. */
void finding_table_put(FILE *out, const finding_table *t, const char *tool, int name_width);

/* Print the table of a folder, or only its result lines, to standard output. `tool` is how the user
 * called frng-replay; `filter` says which signatures count. Returns false after a message if the
 * folder or all that is in it cannot be read, or the table not be written. */
bool finding_list_print(const char *folder, const char *tool, const signature_filter *filter,
                        bool only_results);
