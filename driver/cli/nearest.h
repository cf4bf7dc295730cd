/* nearest.h: the distance of a typo from the name of an option. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

enum { NEAREST_NAME_MAX = 31 }; /* characters */

/* Return the least count of characters to insert, delete, replace or swap with the next that turns
 * the `length` characters at `word` into `name` (the optimal string alignment distance).
 * `name` has at most NEAREST_NAME_MAX characters. */
size_t nearest_distance(const char *word, size_t length, const char *name);

#endif
