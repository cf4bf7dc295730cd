/* record_text.h: says what is wrong with a record of a trace. */
#ifndef RECORD_TEXT_H
#define RECORD_TEXT_H

#include "record_check.h"

enum { RECORD_TEXT_MAX = 512 };

/* Write which draw is wrong and why, on one line: what the target reported, and what its bytes
 * encode. Leaves out what makes it long: the note, then the bounds. Returns `text`. */
const char *record_text(const wrong_record *w, char text[RECORD_TEXT_MAX]);

#endif
