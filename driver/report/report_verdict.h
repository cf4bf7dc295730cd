/* report_verdict.h: the beginning of a program's part of a report: whether it fails, how to repeat
 * that, and what is known of smaller failures. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "html.h"
#include "night.h"

/* Return the signature whose smallest failure is the smallest of all; NULL if nothing failed. */
const night_signature *report_verdict_best(const night_program *p);

/* Write a sentence as plain text, such as "queue fails on 16 bytes". */
enum { REPORT_SENTENCE_MAX = 400 };
void report_verdict_sentence(const night_program *p, char text[REPORT_SENTENCE_MAX]);

void report_verdict_put(html *h, const night_program *p);

/* Return the command that replays a failure, which the caller frees: "" if its bytes are not known,
 * NULL when out of memory. */
char *report_verdict_replay(const night_program *p, const night_failure *f);

/* Write a table of all signatures, if there are several. */
void report_verdict_put_signatures(html *h, const night_program *p);

#endif
