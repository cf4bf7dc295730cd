/* replacements.h: changes of an input that would make two sides of a comparison equal. */
#pragma once

#include "frng_protocol.h"

enum { REPLACEMENT_MAX = 64 };

/* "Put these bytes in the place of bytes from..to of the run's input." */
typedef struct replacement {
    uint32_t from, to;
    uint32_t size;
    uint8_t bytes[REPLACEMENT_MAX];
} replacement;

/* Which comparisons also change draws whose value is no side: none; the newest one, as where a sum
 * is checked, if none asks for a value; or all. */
typedef enum replacement_steps { STEPS_NONE, STEPS_OF_SUM, STEPS_ALL } replacement_steps;

/* What a run has recorded, checked: its draws, and what it compared, the oldest first. */
typedef struct guide_run {
    const uint8_t *bytes; /* the input; borrowed */
    uint64_t size;
    size_t draw_count, pair_count;
    const frng_guide_record *draws[FRNG_GUIDE_DRAWS_MAX]; /* borrowed */
    const frng_guide_record *pairs[FRNG_GUIDE_RUN_MAX];
} guide_run;

/* The letters that strings of an alphabet were seen to have, by its size. */
typedef struct letter_table {
    uint16_t index[257][256]; /* 1 and the index; 0: unknown */
} letter_table;

/* Learn the letter that a draw shows, if it is one of a string. */
void guide_learn_letter(const frng_guide_record *draw, letter_table *letters);

/* Take the records of a run, in any order and untrusted, and learn letters. */
void guide_run_read(guide_run *run, const frng_guide_record *records, size_t count,
                    letter_table *letters);

/* Write the bytes for which a draw has a value, at most FRNG_ENCODED_MAX. Return their count; 0: it
 * cannot have it. */
size_t guide_encode(const frng_guide_record *draw, uint64_t value, const letter_table *letters,
                    uint8_t *bytes);

/* Return the value of a draw as the test sees it: of a letter, the letter. */
uint64_t guide_value(const frng_guide_record *draw);

/* Find at most `most` different replacements of draws from byte `from` on, the newest comparisons
 * first. Return their count. */
size_t replacements_find(const guide_run *run, const letter_table *letters, uint64_t from,
                         replacement_steps steps, replacement *replacements, size_t most);
