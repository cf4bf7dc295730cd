/* text.h: events and the summary as lines for people, and the result line for programs. */
#pragma once

#include "event.h"
#include "failure.h"
#include "phrase.h"
#include "screen.h"
#include "tally.h"

#include <stdio.h>

typedef struct text_sink {
    bool is_quiet;          /* print only errors */
    bool is_verbose;        /* print also the start, each best and a time limit */
    const run_setup *setup; /* of the event STARTED */
    screen screen;
    bool has_best;         /* a best was printed */
    int64_t best_ns;       /* elapsed time of the last printed best */
    bool has_wrong_record; /* a wrong record was printed */
} text_sink;

/* The function of an event_sink whose context is a text_sink. */
void text_sink_take(void *context, const event *e);

/* Return the result line, with a newline: size=41 seed=7, size=2 hex=00ff, or the file of the
 * bytes. A search for all failures gives a line for each, with its signature. The caller frees it.
 */
char *text_summary_result(const summary *s);

/* ---- Parts, which others print, too ---- */

/* Print the result line of one of several failures. The signature is last: it can have blanks. */
void text_put_result_named(FILE *out, const found_input *c);

/* Return the signature of a failure with its site, as phrase_escaped does. */
const char *text_failure_name(const failure *f);

/* Return how many runs passed below the best, `between`, and which share of them can fail, if that
 * says anything. */
const char *text_passes(const run_claim *c, const char *between);

/* Return of which sizes a claim speaks, as "9 sizes (16, 32, ... 4K)": not of those between, which
 * were not run. text_sizes: "each of" them, or the only one. */
const char *text_size_list(const run_claim *c);
const char *text_sizes(const run_claim *c);

/* Return the bounds of a claim by size, as "up to 256 under 0.08%, 4M 31% (10 runs)"; NULL if all
 * sizes have about the same. */
const char *text_bounds(const run_claim *c);

/* Return what a search that passed claims: in how many runs it saw no failure, and the bound that
 * follows, if there is one. */
const char *text_claim(const summary *s);

/* Print a message for each required label that too few runs had. */
void text_print_unmet(const requirement_list *required, const tally *t);
