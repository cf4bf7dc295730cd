/* byte_diff.h: which bytes two test cases have in common. */
#ifndef BYTE_DIFF_H
#define BYTE_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer test cases are not compared: the time grows with the square of their size. */
enum { BYTE_DIFF_MAX = 2048 };

/* Mark the bytes of a longest common subsequence in both, arrays of a_size and b_size. Returns
 * false when out of memory, or if a test case has more than BYTE_DIFF_MAX bytes. */
bool byte_diff_mark(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, bool *in_a,
                    bool *in_b);

#endif
