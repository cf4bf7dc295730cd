/* json_set.h: members of JSON objects, by the kinds of their values. Names are unique and valid. */
#ifndef JSON_SET_H
#define JSON_SET_H

#include "bytes.h"
#include "seed_input.h"
#include "summary.h"

#include <jansson.h>

/* Set a number. JSON's integers end at INT64_MAX here. */
void json_set_integer(json_t *line, const char *name, uint64_t value);

/* Set a number that may be unknown, or a limit that may be none: UINT64_MAX becomes null. */
void json_set_known(json_t *line, const char *name, uint64_t value);
void json_set_real(json_t *line, const char *name, double value);
void json_set_null(json_t *line, const char *name);

/* Set a trusted word, or null for NULL. */
void json_set_word(json_t *line, const char *name, const char *word);

/* Set untrusted text of any length, with escapes for bytes that are not UTF-8; null for NULL. */
void json_set_text(json_t *line, const char *name, const char *value);

/* Set an array of untrusted texts, ended by NULL. NULL becomes an empty one. */
void json_set_texts(json_t *line, const char *name, const char *const *values);

/* Set a seed as a string, since many JSON readers keep at most 53 bits of a number; null
 * for NULL. */
void json_set_seed(json_t *line, const char *name, const seed_input *t);

/* Set a time in seconds; CLOCK_NEVER becomes null. */
void json_set_seconds(json_t *line, const char *name, int64_t time_ns);

/* Set both ends of an output. NULL or an empty one sets nothing. */
void json_set_output(json_t *line, const char *name, const bytes_tail *output);

/* Set bytes as hex: the first `shown` of `size`, at most JSON_SET_HEX_MAX. */
enum { JSON_SET_HEX_MAX = 4096 };
void json_set_hex(json_t *line, const char *name, const uint8_t *bytes, uint64_t size,
                  size_t shown);

#endif
