/* json_line.h: values of JSON objects, and where the objects go, a line each: a file that others
 * may append to, a pipe... */
#ifndef JSON_LINE_H
#define JSON_LINE_H

#include "seed_input.h"

#include <jansson.h>
#include <stdbool.h>

/* ---- Values ---- */

/* Set a member to a new value; NULL becomes null. The name is unique. */
void json_set(json_t *object, const char *name, json_t *value);

/* Return a number. JSON's integers end at INT64_MAX here. */
json_t *json_of_integer(uint64_t value);

/* Return a number that may be unknown, or a limit that may be none: NULL for UINT64_MAX. */
json_t *json_of_known(uint64_t value);

/* Return untrusted text of any length, with escapes for bytes that are not UTF-8; NULL for NULL. */
json_t *json_of_text(const char *value);

/* Return an array of untrusted texts, ended by NULL. NULL becomes an empty one. */
json_t *json_of_texts(const char *const *values);

/* Return a seed as a string, since many JSON readers keep at most 53 bits of a number; NULL for
 * NULL. */
json_t *json_of_seed(const seed_input *t);

/* ---- Lines ---- */

typedef struct json_output {
    int fd;       /* borrowed */
    bool is_file; /* a regular file: a line is one write, so that lines of two writers never mix */
    bool is_torn; /* its last line has no end: a kill or a full disk cut it short */
} json_output;

/* Return an output on an open descriptor. `is_torn`: see above. */
json_output json_output_on(int fd, bool is_torn);

/* Write an object as a line at once, after the end of a torn line, and free it. Returns 0 or an
 * errno. */
int json_output_put(json_output *o, json_t *line);

#endif
