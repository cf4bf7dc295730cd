/* real.h: doubles by rank: 0, 1, -1, 2, ... for whole numbers, then all others by magnitude. */
#ifndef REAL_H
#define REAL_H

#include <stdbool.h>
#include <stdint.h>

/* Whole numbers up to 2^53 have the ranks up to this one. */
#define REAL_WHOLE_MAX (UINT64_C(1) << 54)

double real_of_bits(uint64_t bits);

/* Return the rank of the double with these bits, among all doubles; and back. */
uint64_t real_rank(uint64_t bits);
uint64_t real_bits(uint64_t rank);

/* The doubles that frng_f64_range draws, which are multiples of `unit` or a bound. */
typedef struct real_range {
    double min, max, unit;
    int64_t low, high; /* in units */
    /* Whole numbers have the ranks below whole_count, if units are smaller; others follow. */
    int64_t whole_low, whole_high;
    uint64_t whole_count;
} real_range;

/* Make a range of two bounds, given by their bits. False if they are none. */
bool real_range_init(real_range *r, uint64_t min, uint64_t max);
uint64_t real_range_rank_max(const real_range *r);

/* Find the rank of a double. False if the range has no such double. */
bool real_range_rank(const real_range *r, double value, uint64_t *rank);
double real_range_value(const real_range *r, uint64_t rank);

#endif
