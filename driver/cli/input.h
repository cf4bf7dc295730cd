/* input.h: the bytes of one test case, as a command line names them. */
#ifndef INPUT_H
#define INPUT_H

#include "finding.h"
#include "options.h"

typedef struct input_options {
    bool has_size, has_seed;
    uint64_t size, seed;
    const char *file;    /* of entropy, "-", or NULL */
    const char *hex;     /* entropy in hex, or NULL */
    const char *finding; /* file, or NULL */
} input_options;

bool input_options_set_size(void *options, const char *value);
bool input_options_set_seed(void *options, const char *value);
bool input_options_set_hex(void *options, const char *value);
#define INPUT_EXPECT_HEX "an even count of hex digits"

/* What is wrong with them together, or NULL: they name exactly one input. */
const char *input_options_conflict(const input_options *o);

typedef struct input {
    finding finding; /* zeroed without --finding */
    uint8_t *bytes;  /* never NULL once read */
    size_t size;
} input;

/* Get the bytes, at most size_max of them. Says what is wrong itself; input_finish in any case. */
bool input_read(input *in, const input_options *o, uint64_t size_max);
/* The same for the bytes of a regular file, by any name. */
bool input_read_path(input *in, const char *path, uint64_t size_max);
void input_finish(input *in);

/* The program and arguments of the command line, or else those of the finding: false, and said,
 * when there are none. What is filled in is borrowed. */
bool input_complete(const input *in, operands *rest);

/* Say it where the program that is run, by its name and its digest (or NULL), is not the one that a
 * finding was made with. `name` is that of the finding's file; NULL: there is none. */
void input_compare(const input *in, const char *name, const char *sut, const char *digest);

#endif
