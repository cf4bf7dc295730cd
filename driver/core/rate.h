/* rate.h: how often something that failed some times in so many runs does so in the long run. */
#ifndef RATE_H
#define RATE_H

#include <stdint.h>

/* Shares of all runs, from 0 to 1. */
typedef struct rate_interval {
    double seen;      /* of the runs that were made */
    double low, high; /* what it is in truth lies between them, with 95% confidence */
} rate_interval;

/* `failed` of `runs`, with the interval of Clopper and Pearson (1934): however often it fails in
 * truth, it is outside in at most 5 of 100 cases, at most 2.5 on either side. Without any run
 * nothing is known: 0 to 1. */
rate_interval rate_of(uint64_t failed, uint64_t runs);

enum { RATE_TEXT_MAX = 96 };

/* "90%, 95% confidence 68 to 99%", written to `text`, which is returned. The ends are rounded
 * outward, so that what is said holds. */
const char *rate_format(rate_interval r, char text[RATE_TEXT_MAX]);

/* An upper bound of a share as "6.6%", with two digits that count, rounded up; written to `text`,
 * which is returned. */
const char *rate_format_bound(double share, char text[RATE_TEXT_MAX]);

/* To so many decimals, never to the nearest: up, or down. What is less than 1e-9 of a unit away is
 * there already. */
double rate_round_up(double value, int decimals);
double rate_round_down(double value, int decimals);

#endif
