/* text.h: asks the same small things of texts everywhere. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Return the last component of a path, within `path`: "" after a slash at the end, NULL for NULL.
 */
const char *path_base(const char *path);

/* True if both are NULL, or the same characters. */
bool text_equal(const char *a, const char *b);

/* Return the count of texts before the NULL that ends a list. */
size_t text_count(char *const *list);

#endif
