/* sanitizer.h: whether a program was built with a sanitizer that no limit of memory goes with. */
#ifndef SANITIZER_H
#define SANITIZER_H

/* The name of the sanitizer that `path` was built with, if it is one that reserves far more address
 * space than it uses (its symbols tell); or NULL. */
const char *sanitizer_of(const char *path);

#endif
