/* text_summary.h: how a run of the tools ended, for people. */
#ifndef TEXT_SUMMARY_H
#define TEXT_SUMMARY_H

#include "summary.h"

#include <stdio.h>

/* Bytes of a result that are shown whole, as hex. */
enum { TEXT_SHORT_MAX = 64 };

/* Print a summary; nothing if the program could not be started at all. With what each pass did
 * if `with_passes`. */
void text_summary_put(FILE *out, const summary *s, bool with_passes);

/* The result line for standard output, with a newline: size=41 seed=7, size=2 hex=00ff, or the
 * file of the bytes. Freed by the caller; NULL if memory is out. */
char *text_result_line(const summary *s);

/* ---- Parts of lines ---- */

/* "" for 1, else "s". */
const char *text_plural(uint64_t count);

/* Text from outside, on its way to a terminal. */
void text_put_escaped(FILE *out, const char *text);

/* The limit that may have caused a failure, in a line; nothing if there is none. */
void text_put_limited(FILE *out, const failure *f);

#endif
