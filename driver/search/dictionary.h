/* dictionary.h: changes draws of an input to numbers and texts that the program's code has.
 *
 * libFuzzer and AFL++ learn such entries from instrumented code; this needs no special build. */
#pragma once

#include "replacements.h"

enum { DICTIONARY_MAX = 4096, DICTIONARY_TEXT_MAX = 24, DICTIONARY_LISTS = 3 };

/* The first numbers that were added; 32, 256 or all: the sooner, the more likely. */
typedef struct number_list {
    size_t count;
    uint64_t numbers[DICTIONARY_MAX]; /* in ascending order */
} number_list;

typedef struct dictionary {
    size_t text_count;
    char texts[DICTIONARY_MAX][DICTIONARY_TEXT_MAX + 1];
    number_list lists[DICTIONARY_LISTS];
} dictionary;

/* Add an entry that is not there yet; one of too many, or too long, is left out. */
void dictionary_add_number(dictionary *d, uint64_t number);
void dictionary_add_text(dictionary *d, const char *text);

/* Write an input that differs from one of these draws in some of them, which have entries of the
 * dictionary. Return its size; 0: it would have more than `most` bytes. */
size_t dictionary_rewrite(const dictionary *d, uint64_t *random, const frng_guide_record *draws,
                          size_t count, const uint8_t *from, size_t size,
                          const letter_table *letters, uint8_t *bytes, size_t most);
