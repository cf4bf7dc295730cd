/* reduce_file.h: reduces a file by a predicate, from the command line to the report: frng-reduce
 * --predicate. */
#ifndef REDUCE_FILE_H
#define REDUCE_FILE_H

typedef struct tool_options tool_options;
typedef struct session session;

/* Run the whole reduction. *s is zeroed except for `signals`. Returns the exit status. */
int reduce_file(session *s, const tool_options *o);

#endif
