/* constants.h: the numbers and texts in a program's code, with which tests may compare draws. */
#pragma once

#include "dictionary.h"

/* Return what the functions of a program have, but for those of frng: numbers that they compare or
 * subtract, and texts whose addresses they take. The caller frees it. NULL if nothing was found: a
 * program for another machine than x86-64, or a stripped one, has none of these. */
dictionary *constants_find(const char *path);
