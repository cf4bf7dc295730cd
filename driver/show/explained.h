/* explained.h: what each draw of a failure means, and what is wrong with a record of one. */
#pragma once

#include "explanation.h"
#include "record_check.h"

#include <stdio.h>

/* Return the name of a draw: its note or its step, and its offset where that is not enough. */
const char *explained_name(const explanation *e, size_t i);

/* Return the last record of `kind`, FRNG_TRACE_NOTE or FRNG_TRACE_STEP, between a draw and the
 * draw before it; NULL if the test made none there. */
const frng_trace_record *explained_title(const explanation *e, size_t draw, uint8_t kind);

/* Return the statement of a draw: "any", "4..1000", "= key". */
const char *explained_format(const explanation *e, size_t i);

const char *explained_value(const explained_draw *d, uint64_t value);

/* Make a remark for each draw that was explored. The caller frees them with
 * explained_free_remarks. */
remarks explained_remarks(const explanation *e);
void explained_free_remarks(remarks *all);

/* Print the explanation as a part of a report. The input is `size` bytes. */
void explained_put(FILE *out, const explanation *e, const uint8_t *bytes, uint64_t size);

/* Return which draw is wrong and why, on one line: what the target reported, and what its bytes
 * encode. Long parts are cut. */
const char *explained_wrong(const wrong_record *w);
