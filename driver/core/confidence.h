/* confidence.h: what runs say of the true share of runs that fail.
 *
 * That is an interval after some failed, and an upper bound after all passed. */
#pragma once

#include <stdint.h>

/* ---- Intervals ---- */

/* Shares of all runs, from 0 to 1. */
typedef struct rate_interval {
    double seen;      /* of the runs made */
    double low, high; /* the true share lies between them, with 95% confidence */
} rate_interval;

/* Return the share `failed` of `runs`, with the interval of Clopper and Pearson (1934): for any
 * true share, the interval misses it in at most 5 of 100 cases, at most 2.5 on either side. Without
 * any run the share is unknown: 0 to 1. */
rate_interval rate_of(uint64_t failed, uint64_t runs);

enum { RATE_TEXT_MAX = 96 };

/* Room in an argument, as NUMBERS_TEXT is (numbers.h). */
#define RATE_TEXT ((char[RATE_TEXT_MAX]){0})

/* Write an interval to `text`, as "90%, 95% confidence 68 to 99%", and return `text`. The ends are
 * rounded outward, so that the text is true. */
const char *rate_format(rate_interval r, char text[RATE_TEXT_MAX]);

/* Write an upper bound of a share to `text`, as "6.6%", and return `text`. The bound has two
 * significant digits and is rounded up. */
const char *rate_format_bound(double share, char text[RATE_TEXT_MAX]);

/* Round up, or down, to a number of decimals, never to the nearest. A value less than 1e-9 of a
 * unit away from a step is already there. */
double rate_round_up(double value, int decimals);
static inline double rate_round_down(double value, int decimals) {
    return -rate_round_up(-value, decimals);
}

/* Return an upper bound on the share of fresh runs that fail. With 95% confidence, a size at which
 * `passed` fresh runs in a row passed, in stretch `stretch_number` (1 for the first) of a search,
 * fails less often than that. The confidence holds for the bounds of all stretches of a search
 * together. It also holds for a fleet, of which both arguments are sums: the passes of all workers
 * at the size just below the smallest failure, and all stretches of all workers. Of a mixture of
 * two styles, `passed` counts as many runs of one as of the other. The proof is in
 * search/README.md.
 */
double confidence_bound(uint64_t passed, uint64_t stretch_number);
