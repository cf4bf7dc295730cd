/* encoding.h: the bytes that make frng.h and frng_more.h draw a number. */
#ifndef ENCODING_H
#define ENCODING_H

#include <stdint.h>

/* Return the rank of a signed value among 0, 1, -1, 2, -2, ... within min..max. All are in two's
 * complement. frng__zigzag is the way back. */
uint64_t encoding_zigzag_rank(uint64_t min, uint64_t max, uint64_t value);

/* Return the smallest number of `width` bytes that frng__bounded maps to `value` of 0..max. */
uint64_t encoding_bounded(unsigned width, uint64_t max, uint64_t value);

/* Write a number of `width` bytes. */
void encoding_write(uint64_t number, unsigned width, uint8_t *bytes);

/* Write what frng__of_bits draws for a number of 0..max, at most 8 bytes. Return their count. */
unsigned encoding_of_bits(uint64_t number, uint64_t max, uint8_t *bytes);

#endif
