/* input_source.h: the input of a replay or a reduction: from a seed, hex, a file or a finding. */
#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

#include "common_options.h"
#include "finding.h"

typedef struct input_options {
    bool has_size, has_seed;
    uint64_t size, seed;
    const char *file;    /* of the bytes, "-", or NULL */
    const char *hex;     /* or NULL */
    const char *finding; /* file, or NULL */
} input_options;

enum { INPUT_OPTIONS_COUNT = 5 };
extern const option_spec input_options_specs[INPUT_OPTIONS_COUNT];

/* Set has_size and has_seed, after options_parse. */
void input_options_complete(input_options *o, const operands *rest, const option_table *table);

/* Return what is wrong with them together, or NULL: they name exactly one input. */
const char *input_options_conflict(const input_options *o);

typedef struct input_source {
    finding finding; /* zeroed without --finding */
    uint8_t *bytes;  /* never NULL once read */
    size_t size;
} input_source;

/* Read the bytes, at most size_max of them. Prints what is wrong. Call input_source_finish in any
 * case. */
bool input_source_read(input_source *in, const input_options *o, uint64_t size_max);
/* Read the bytes of a regular file in the same way. */
bool input_source_read_path(input_source *in, const char *path, uint64_t size_max);
void input_source_finish(input_source *in);

/* Fill in the program and the arguments from the finding, if the command line has none; they are
 * borrowed. Prints an error if there is no program. */
bool input_source_complete(const input_source *in, operands *rest);

/* Print a note if the finding was made with another program than this, by its name and its digest
 * (or NULL). `name` is that of the finding's file; NULL: there is no finding. */
void input_source_compare(const input_source *in, const char *name, const char *sut,
                          const char *digest);

#endif
