/* reduce_file.h: the reduction of a file as a predicate says, from the command line to the report:
 * frng-reduce --predicate. */
#ifndef REDUCE_FILE_H
#define REDUCE_FILE_H

#include "reduce_options.h"
#include "session.h"

/* Do all of it; *s is zeroed but for its startup. Returns the exit status. */
int reduce_file(session *s, const reduce_options *o);

#endif
