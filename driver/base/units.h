/* units.h: sizes, durations, counts and seeds as people write and read them. */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each parser takes the whole text or nothing: false for an empty one, signs, blanks, junk and
 * overflow, with *value untouched. */
bool units_parse_count(const char *text, uint64_t *value);         /* 16, 10k, 2M: times 1000 */
bool units_parse_seed(const char *text, uint64_t *value);          /* decimal, or 0x and hex */
bool units_parse_size(const char *text, uint64_t *bytes);          /* 16, 4K, 4KiB: times 1024 */
bool units_parse_duration(const char *text, int64_t *duration_ns); /* 250ms, 1.5h, 1h30m; > 0 */

enum { UNITS_TEXT_MAX = 32 }; /* bytes that any of these texts fits in, its end included */

/* Each formatter fills `text` and returns it. */
const char *units_format_count(char text[UNITS_TEXT_MAX], uint64_t value); /* 1,234,567 */
/* count in a second, as a count */
const char *units_format_rate(char text[UNITS_TEXT_MAX], uint64_t count, int64_t span_ns);
const char *units_format_size(char text[UNITS_TEXT_MAX], uint64_t bytes);      /* 4M, or 41 */
const char *units_format_elapsed(char text[UNITS_TEXT_MAX], int64_t span_ns);  /* 0.4s, 1:07 */
const char *units_format_duration(char text[UNITS_TEXT_MAX], int64_t span_ns); /* as parsed */

#endif
