/* output_site.h: the site of a failure, found in the output of its run: reports of sanitizers,
 * assertions, uncaught exceptions and panics. The output is untrusted. */
#pragma once

#include "bytes.h"
#include "failure.h"

#include <regex.h>

/* Write the site that an output names, or "". A user's `rule` (NULL: none) comes first: its first
 * group in the output, or else its whole match, is the place. */
void output_site(const bytes_tail *output, const regex_t *rule, char site[SITE_MAX]);

/* Compile a user's rule, a POSIX extended regular expression. Return NULL, or the reason why it is
 * none; then there is nothing to free. */
const char *output_site_rule(const char *text, regex_t *rule);

enum { OUTPUT_END_MAX = 256 };

#define OUTPUT_END ((char[OUTPUT_END_MAX]){0}) /* room in an argument, as UNITS_TEXT is (units.h) */

/* Write the last line of an output that is not blank, or "", to `line`, and return `line`. */
const char *output_last_line(const bytes_tail *output, char line[OUTPUT_END_MAX]);

/* True if the last lines of two outputs are the same, but for numbers, quotations and blanks. */
bool output_ends_alike(const bytes_tail *a, const bytes_tail *b);
