/* seed_text.h: seeds as people and programs write them: 17 is a plain one, 17s a styled one. */
#ifndef SEED_TEXT_H
#define SEED_TEXT_H

#include "seed_input.h"

#include <stdbool.h>

/* Parse a seed: a decimal number, or 0x and hex; then an s if it is styled. Sets all of *t but its
 * size. The whole text must be valid; else returns false, and *t is unchanged. */
bool seed_text_parse(const char *text, seed_input *t);

/* Return the name of an expansion, as --expand has it. */
const char *seed_text_expansion(seed_expansion e);

enum { SEED_TEXT_MAX = 24 }; /* room for any seed, including its end */

#define SEED_TEXT ((char[SEED_TEXT_MAX]){0}) /* room in an argument, as UNITS_TEXT is */

/* Fill `text` with the seed of *t, in decimal, and return it. */
const char *seed_text_format(char text[SEED_TEXT_MAX], const seed_input *t);

#endif
