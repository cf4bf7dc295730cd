/* text.h: whether bytes are a text. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Valid UTF-8 (of which ASCII is a part) without control characters but blanks, line ends, form
 * feeds and escapes. */
bool text_is(const uint8_t *bytes, size_t size);

#endif
