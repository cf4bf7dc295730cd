/* nearest.h: how far a word is from a name that it was meant to be. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

enum { NEAREST_NAME_MAX = 31 }; /* characters */

/* The least count of characters that are to be inserted, deleted, replaced or swapped with the next
 * to make `name` of the `length` characters at `word` (the optimal string alignment distance).
 * `name` has at most NEAREST_NAME_MAX characters. */
size_t nearest_distance(const char *word, size_t length, const char *name);

#endif
