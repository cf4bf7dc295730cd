/* sanitizer.h: finds the sanitizers that a program was built with.
 *
 * A replay needs those that exclude --memory before the run: a sanitized program that fails under
 * the limit would look like a failure of the input, and mislead git bisect. */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stdbool.h>

/* Return the name of the sanitizer that `path` was built with, if its symbols show one that
 * reserves far more address space than it uses; or NULL. */
const char *sanitizer_of(const char *path);

/* True if the symbols of `path` show any sanitizer that prints reports. */
bool sanitizer_reports(const char *path);

#endif
