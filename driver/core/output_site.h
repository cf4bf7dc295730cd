/* output_site.h: the site of a failure, found in the output of its run, which is untrusted.
 *
 * Reports of sanitizers, assertions, uncaught exceptions, panics and test runners name it. */
#pragma once

#include "bytes.h"
#include "failure.h"

#include <regex.h>

/* The search for the site in an output, as that comes. A user's `rule` (NULL: none) comes first:
 * its first group, or else its whole match, is the place. */
typedef struct output_scan output_scan;

/* The caller frees it. */
output_scan *output_scan_create(void);

/* Begin with another output. */
void output_scan_begin(output_scan *s, const regex_t *rule);
void output_scan_add(output_scan *s, const uint8_t *bytes, size_t size);

/* Write the site that the whole output names, or "". */
void output_scan_end(output_scan *s, char site[SITE_MAX]);

/* True if some kinds of sites begin with these characters and a colon. */
bool output_site_is_family(const char *text, size_t length);

/* True if a place, "path:line", is in the headers of the system or of frng. */
bool output_site_is_foreign(const char *place);

/* Compile a user's rule, a POSIX extended regular expression. Return NULL, or the reason why it is
 * none; then there is nothing to free. */
const char *output_site_rule(const char *text, regex_t *rule);

enum { OUTPUT_END_MAX = 256 };

#define OUTPUT_END                                                                                 \
    ((char[OUTPUT_END_MAX]){0}) /* room in an argument, as NUMBERS_TEXT is (numbers.h) */

/* Write the message of a failure of this site to `message`, and return that: the first line of its
 * output that names the place, with the next one that has a letter if it ends with a colon or an
 * opening bracket; or else the last one that has a letter, since a message of several
 * lines can end with "]"; or else the last one that is not blank, or "". */
const char *output_message(const bytes_tail *output, const char *site,
                           char message[OUTPUT_END_MAX]);

/* True if the messages of two outputs are the same, but for numbers, quotations and blanks; also if
 * neither message names the place, since text printed before a crash does not describe it. */
bool output_messages_alike(const bytes_tail *a, const bytes_tail *b, const char *site);
