/* json_line.h: members of JSON objects, by the kinds of their values, and where the objects go, a
 * line each: a file that others may append to, a pipe... */
#ifndef JSON_LINE_H
#define JSON_LINE_H

#include "bytes.h"
#include "seed_input.h"

#include <jansson.h>
#include <stdbool.h>

/* ---- Members: names are unique and valid ---- */

/* Set a number. JSON's integers end at INT64_MAX here. */
void json_set_integer(json_t *line, const char *name, uint64_t value);

/* Set a number that may be unknown, or a limit that may be none: UINT64_MAX becomes null. */
void json_set_known(json_t *line, const char *name, uint64_t value);
void json_set_real(json_t *line, const char *name, double value);

/* Set a trusted word, or null for NULL. */
void json_set_word(json_t *line, const char *name, const char *word);

/* Set untrusted text of any length, with escapes for bytes that are not UTF-8; null for NULL. */
void json_set_text(json_t *line, const char *name, const char *value);

/* Set an array of untrusted texts, ended by NULL. NULL becomes an empty one. */
void json_set_texts(json_t *line, const char *name, const char *const *values);

/* Set a seed as a string, since many JSON readers keep at most 53 bits of a number; null
 * for NULL. */
void json_set_seed(json_t *line, const char *name, const seed_input *t);

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
