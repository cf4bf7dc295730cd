/* choices.h: test cases as lists of choices (frng_choices.h), for targets that write the bytes of
 * their draws themselves: an edit of one draw then leaves all others what they are, whatever bounds
 * they get. */
#ifndef CHOICES_H
#define CHOICES_H

#include "candidate_set.h"
#include "frng_choices.h"
#include "testcase.h"

/* A buffer for a candidate as its target gets it. */
typedef struct encoded_bytes {
    uint8_t *bytes; /* owned */
    size_t size, capacity;
} encoded_bytes;

/* Write a draw with another rank as the target gets it. Return the count of bytes. */
unsigned choices_write(candidate_form form, const draw *d, uint64_t rank,
                       uint8_t bytes[FRNG_CHOICE_MAX]);

/* The same, but the largest rank does not grow with its bounds. */
unsigned choices_write_exact(candidate_form form, const draw *d, uint64_t rank,
                             uint8_t bytes[FRNG_CHOICE_MAX]);

/* Write the choice that ends the entropy. Return the count of bytes. */
unsigned choices_write_end(uint8_t bytes[FRNG_CHOICE_MAX]);

/* Make the choices of a test case in *out, whose memory is reused. False when out of memory. */
bool choices_make(const testcase *t, encoded_bytes *out);
void choices_finish(encoded_bytes *out);

#endif
