/* explained.h: what each draw of a failure means, and what is wrong with a record, in words. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include "explanation.h"
#include "record_check.h"

#include <stdio.h>

enum { EXPLAINED_TEXT_MAX = 512, EXPLAINED_NAME_MAX = 80, EXPLAINED_VALUE_MAX = 64 };

/* Format the name of a draw: its note or its step, and its offset where that is not enough. */
const char *explained_name(const explanation *e, size_t i, char text[EXPLAINED_NAME_MAX]);

/* Return the last note or step, as `kind` says, right before a draw; NULL if there is none. */
const frng_trace_record *explained_title(const explanation *e, size_t draw, uint8_t kind);

/* Format the statement of a draw: "any", "4..1000", "= key". */
const char *explained_format(const explanation *e, size_t i, char text[EXPLAINED_TEXT_MAX]);

/* Format a value of a draw. */
const char *explained_value(const explained_draw *d, uint64_t value,
                            char text[EXPLAINED_VALUE_MAX]);

/* Make a remark for each draw that was explored. The caller frees them with
 * explained_free_remarks. None when out of memory. */
remarks explained_remarks(const explanation *e);
void explained_free_remarks(remarks *all);

/* Print the explanation as a part of a report. The input is `size` bytes. */
void explained_put(FILE *out, const explanation *e, const uint8_t *bytes, uint64_t size);

/* Write which draw is wrong and why, on one line: what the target reported, and what its bytes
 * encode. Leaves out what makes it long: the note, then the bounds. Returns `text`. */
enum { WRONG_TEXT_MAX = 512 };
const char *explained_wrong(const wrong_record *w, char text[WRONG_TEXT_MAX]);

#endif
