/* reduce_file.h: reduces a file by a predicate, from the command line to the report: frng-reduce
 * --predicate. */
#ifndef REDUCE_FILE_H
#define REDUCE_FILE_H

#include "external_pass.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct session session;
typedef struct tool_options tool_options;

/* Run the whole reduction. *s is zeroed except for `signals`. Returns the exit status. */
int reduce_file(session *s, const tool_options *o);

/* Empty when zeroed. */
typedef struct external_pass_list {
    external_pass *list; /* in the order of addition; default commands from coarse to fine */
    size_t count;
} external_pass_list;

/* Append the external passes of `cmd`: a program and its commands, split by words_next. Without
 * commands, clex, topformflat and clang_delta get all their known commands, and any other program
 * gets "all". These three programs are also searched in Debian's folders. On failure (no program,
 * no memory) prints the reason. */
bool external_pass_list_add(external_pass_list *r, const char *cmd);

void external_pass_list_finish(external_pass_list *r);

#endif
