/* pair.h: two numbers that are changed together. */
#ifndef PAIR_H
#define PAIR_H

#include "pass.h"

/* As find of a pass: a and b > a are numbers, `a` not yet at its simplest, and no more than a few
 * others that are not either stand between them. Where `both`, neither is b. */
bool pair_find(const testcase *t, site *s, bool both);

#endif
