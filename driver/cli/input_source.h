/* input_source.h: the bytes of one test case, as a command line names them. */
#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

#include "common_options.h"
#include "finding.h"

typedef struct input_options {
    bool has_size, has_seed;
    uint64_t size, seed;
    const char *file;    /* of entropy, "-", or NULL */
    const char *hex;     /* entropy in hex, or NULL */
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

/* Get the bytes, at most size_max of them. Says what is wrong itself; input_finish in any case. */
bool input_source_read(input_source *in, const input_options *o, uint64_t size_max);
/* The same for the bytes of a regular file, by any name. */
bool input_source_read_path(input_source *in, const char *path, uint64_t size_max);
void input_source_finish(input_source *in);

/* The program and arguments of the command line, or else those of the finding: false, and said,
 * when there are none. What is filled in is borrowed. */
bool input_source_complete(const input_source *in, operands *rest);

/* Say it where the program that is run, by its name and its digest (or NULL), is not the one that a
 * finding was made with. `name` is that of the finding's file; NULL: there is none. */
void input_source_compare(const input_source *in, const char *name, const char *sut,
                          const char *digest);

#endif
