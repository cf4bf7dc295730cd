/* sanitizer.h: finds sanitizers that exclude --memory.
 *
 * A replay needs this before the run: a sanitized program that fails under the limit would look
 * like a failure of the input, and mislead git bisect. */
#ifndef SANITIZER_H
#define SANITIZER_H

/* Return the name of the sanitizer that `path` was built with, if its symbols show one that
 * reserves far more address space than it uses; or NULL. */
const char *sanitizer_of(const char *path);

#endif
