/* tally.h: statistics of runs: bytes drawn, draws, labels and measures.
 *
 * Tallies add up: that of a search is the sum of those of its batches. From that follows whether
 * the shares of --require are met. */
#pragma once

#include "frng_protocol.h"
#include "seed_input.h"

enum { TALLY_BUCKETS = 512 };

/* Counts of values in the buckets of frng__bucket. Empty if zeroed. */
typedef struct histogram {
    uint64_t count, min, max; /* exact */
    uint64_t buckets[TALLY_BUCKETS];
} histogram;

void histogram_add(histogram *h, uint64_t value);

/* Add the counts of a report, which is untrusted, as those of at most `count_max` values. */
void histogram_add_untrusted(histogram *h, const frng_histogram *more, uint64_t count_max);

/* Return the value below which `part` of `parts` of the values lie: 1 of 2 is the median. It is
 * exact below 16, and at most an eighth off above. 0 if there are no values. */
uint64_t histogram_quantile(const histogram *h, unsigned part, unsigned parts);

typedef enum tally_kind { TALLY_LABEL, TALLY_MEASURE, TALLY_GOAL } tally_kind;

/* A label, a measure or a goal. */
typedef struct tally_row {
    char name[sizeof(((frng_label_row *)0)->name)]; /* untrusted text, ended by 0 */
    tally_kind kind;
    uint64_t runs; /* runs that had it */
    histogram
        values;    /* a label: bytes that they drew, if known; a measure or a goal: its numbers */
    uint64_t most; /* a goal: the largest number, of guided runs, too, */
    seed_input at; /* and the first input that came so high */
} tally_row;

/* Empty if zeroed; but only `row_count` rows need be. */
typedef struct tally {
    uint64_t runs;     /* runs that are counted */
    uint64_t reported; /* those of them that the target counted itself, so the numbers below know
                         them; a run that fails is not among them */
    uint64_t failed;   /* those of them that did not pass */
    uint64_t ran_out;  /* runs that passed because their entropy ran out */
    uint64_t few[FRNG_FEW_DRAWS];         /* runs that made i draws and ended with entropy left */
    uint64_t discarded, discarded_styled; /* runs that the test discarded; those of them that were
                                             styled */
    uint64_t unread;                      /* runs that were seen not to read their input */
    uint64_t lost;                        /* marks of labels without room */
    uint64_t size_max;                    /* bytes of the largest run */
    uint64_t used_max;     /* the most bytes that a run could use: all of its bytes if it ran out
                              of them, else those that it drew */
    histogram drawn;       /* bytes that each run drew, if known */
    histogram draws;       /* draws of the runs whose draws were counted */
    bool compares_outside; /* guided runs saw that code outside of the test compares */
    size_t row_count;
    tally_row rows[FRNG_LABELS_MAX];
} tally;

void tally_clear(tally *t);
void tally_merge(tally *t, const tally *more);

/* Return the row of this name, which is added if it is new; NULL if there is no room. */
tally_row *tally_row_of(tally *t, tally_kind kind, const char *name);

/* An input came so high to a goal. */
void tally_climbed(tally_row *goal, uint64_t value, seed_input at);

/* Return the goal that most runs had, or NULL if there are no goals. */
const tally_row *tally_goal(const tally *t);

/* Fill `sorted` with the indices of all rows of a kind, the most frequent first; return their
 * number. */
size_t tally_sort(const tally *t, tally_kind kind, size_t sorted[FRNG_LABELS_MAX]);

/* True if enough runs were seen to tell that none read its input: neither its stdin, nor a file
 * with it, nor, if it reports its draws, any byte. */
bool tally_is_unread(const tally *t);

/* True if it is of no use to go on: none failed either, so all runs are the same. A program may
 * look at the size of its input first, so some of them (up to `size_max` bytes) are large. */
bool tally_ends_unread(const tally *t, uint64_t size_max);

/* True if the test discarded over nine tenths of the runs: the search has no verdict. */
bool tally_is_discarded(const tally *t);

/* Return used_max, or UINT64_MAX if it is not known of each run. */
uint64_t tally_most_used(const tally *t);

/* Return the bytes that all runs drew together, or UINT64_MAX if it is not known of each. Each run
 * counts with the least number of its bucket, so that sums of batches add up to that of all. */
uint64_t tally_sum_drawn(const tally *t);

/* Return the word of the warning that runs which passed tested nothing: they drew nothing
 * ("no-draws"), ran out of entropy before their first draw ("starved"), most of them ended within a
 * few draws ("few-draws"), or were discarded ("discarded"). NULL without a sign of that, or if the
 * target does not tell what it draws, or there are too few runs to judge. */
const char *tally_warning(const tally *t);

/* True if the test discarded over half of the runs. */
bool tally_is_half_discarded(const tally *t);

/* Return the number of runs that ended by themselves within a few draws. */
uint64_t tally_few_draws(const tally *t);

/* ---- Shares that labels must have ---- */

/* A share of runs that must have a label: LABEL:1%. The text is borrowed. */
typedef struct requirement {
    const char *text;
    char label[sizeof(((tally_row *)0)->name)]; /* as much of it as is kept of labels */
    double percent;                             /* above 0, and at most 100 */
} requirement;

enum { REQUIREMENTS_MAX = 64 };

/* The labels of --require. */
typedef struct requirement_list {
    size_t count;
    requirement list[REQUIREMENTS_MAX];
} requirement_list;

/* Parse LABEL:PERCENT%. A label can contain colons. Returns false, and leaves *r alone, if the text
 * is not valid. */
bool requirement_parse(const char *text, requirement *r);

uint64_t requirement_runs(const requirement *r, const tally *t);

/* False also if there were no runs. */
bool requirement_is_met(const requirement *r, const tally *t);
