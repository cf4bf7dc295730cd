/* nearest.h: the distance of a typo from the name of an option. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

enum { NEAREST_NAME_MAX = 31 }; /* characters */

/* Return the edit distance (optimal string alignment) from the `length` characters at `word` to
 * `name`: the least count of insertions, deletions, replacements and swaps of neighbours. `name`
 * has at most NEAREST_NAME_MAX characters. */
size_t nearest_distance(const char *word, size_t length, const char *name);

#endif
