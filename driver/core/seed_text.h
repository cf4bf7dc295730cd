/* seed_text.h: seeds as people and programs write them: 17 is a plain one, 17s a styled one, and
 * 17:40,99s:7,5 a chain of 40 bytes of 17, 7 of 99s, and then those of 5. */
#ifndef SEED_TEXT_H
#define SEED_TEXT_H

#include "seed_input.h"

#include <stdbool.h>

/* Parse a seed: a decimal number, or 0x and hex; then an s if it is styled; or a chain of at most
 * SEED_LINKS_MAX of them. Sets all of *t but its size, which may be less than the links have: see
 * seed_input_cut. The whole text must be valid; else returns false, and *t is unchanged. */
bool seed_text_parse(const char *text, seed_input *t);

/* Return the name of an expansion, as --expand has it. */
const char *seed_text_expansion(seed_expansion e);

enum { SEED_TEXT_MAX = 24 + (SEED_LINKS_MAX - 1) * 36 }; /* room for any seed, including its end */

#define SEED_TEXT ((char[SEED_TEXT_MAX]){0}) /* room in an argument, as UNITS_TEXT is */

/* Fill `text` with the seed of *t, in decimal, and return it. */
const char *seed_text_format(char text[SEED_TEXT_MAX], const seed_input *t);

#endif
