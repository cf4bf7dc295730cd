/* input_source.h: the input of a replay or a reduction: from a seed, hex, a file or a finding. */
#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

#include "finding.h"
#include "options.h"

typedef struct input_source {
    finding finding; /* zeroed without --finding */
    uint8_t *bytes;  /* not NULL after a successful read */
    size_t size;
} input_source;

/* Read the bytes; more than size_max of them are an error. Prints errors. Call input_source_finish
 * in any case. */
bool input_source_read(input_source *in, const input_options *o, uint64_t size_max);
void input_source_finish(input_source *in);

/* Take the target and its arguments from the finding where the command line has none. They are
 * borrowed. Prints an error and returns false if there is no target. */
bool input_source_complete(const input_source *in, operands *rest);

/* Print a note if the finding is of another target than `sut`, or of another build than `digest`
 * (NULL: unknown). `name` is the finding's file; NULL: there is no finding. */
void input_source_compare(const input_source *in, const char *name, const char *sut,
                          const char *digest);

#endif
