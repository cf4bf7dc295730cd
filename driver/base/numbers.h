/* numbers.h: parses and formats sizes, durations, counts and seeds as people write them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each parser requires the whole text to be valid. It returns false for empty text, signs, blanks,
 * junk and overflow, and leaves *value unchanged. */
bool numbers_parse_count(const char *text, uint64_t *value);         /* 16, 10k, 2M: times 1000 */
bool numbers_parse_seed(const char *text, uint64_t *value);          /* decimal, or 0x and hex */
bool numbers_parse_size(const char *text, uint64_t *bytes);          /* 16, 4K, 4KiB: times 1024 */
bool numbers_parse_duration(const char *text, int64_t *duration_ns); /* 250ms, 1.5h, 1h30m; > 0 */

/* Parse the seed that *text begins with, and move *text behind it. False if *text begins with no
 * seed: then nothing has changed. */
bool numbers_scan_seed(const char **text, uint64_t *value);

enum { NUMBERS_TEXT_MAX = 32 }; /* room for any of these texts, including its end */

/* Room in an argument of a call, which lives until the end of the block around it: the call prints
 * or copies the text, and keeps no pointer to it. */
#define NUMBERS_TEXT ((char[NUMBERS_TEXT_MAX]){0})

/* Each formatter fills `text` and returns it. */
const char *numbers_format_count(char text[NUMBERS_TEXT_MAX], uint64_t value); /* 1,234,567 */
/* What is made in a second, or how long each takes: 627/s, 1.5 s/run */
const char *numbers_format_rate(char text[NUMBERS_TEXT_MAX], double rate, const char *noun);
const char *numbers_format_size(char text[NUMBERS_TEXT_MAX], uint64_t bytes);     /* 4M, or 41 */
const char *numbers_format_elapsed(char text[NUMBERS_TEXT_MAX], int64_t span_ns); /* 0.02 s, 1:07 */
const char *numbers_format_clock(char text[NUMBERS_TEXT_MAX], int64_t span_ns);   /* 0:02, 1:07 */
const char *numbers_format_duration(char text[NUMBERS_TEXT_MAX], int64_t span_ns); /* as parsed */
