/* text_summary.h: the summary at the end of a tool, for people. */
#ifndef TEXT_SUMMARY_H
#define TEXT_SUMMARY_H

#include "phrase.h"
#include "summary.h"

#include <stdio.h>

/* Print a summary, with statistics of each pass if `with_passes`. Prints nothing if the target
 * could not be started at all. */
void text_summary_put(FILE *out, const summary *s, bool with_passes);

/* ---- Parts of lines ---- */

/* Print how many runs passed below the best, and which share of them can fail, if that says
 * anything: then return true. The line goes on. `between` is written between the two. */
bool text_put_passes(FILE *out, const run_claim *c, const char *between);

/* Print of which inputs a claim speaks, if not of uniform ones. */
void text_put_expansion(FILE *out, const char *label, seed_expansion expand);

/* Print the line of a failure with the command that replays it. If that needs a file, and there is
 * none, the line of the result has the bytes; those of other failures (no label) are gone. */
void text_put_replay(FILE *out, const char *label, const run_setup *setup, const found_input *c);

/* Print a line about the limit that may have caused a failure, if there is one. */
void text_put_limited(FILE *out, const failure *f);

#endif
