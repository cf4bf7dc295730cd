/* file_reducing.h: the reduction of a file as a predicate says, from the command line to the
 * report: frng-reduce --predicate. */
#ifndef FILE_REDUCING_H
#define FILE_REDUCING_H

#include "reduce_options.h"
#include "work.h"

/* Do all of it; *w is zeroed but for its signals. Returns the exit status; w->signal_number is the
 * signal that stopped it. */
int file_reduce(work *w, const reduce_options *o);

#endif
