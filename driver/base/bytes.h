/* bytes.h: runs of bytes: hex, both ends of an output, and text that is safe to show. */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lower-case hex of `size` bytes, ended by a zero: 2 * size + 1 bytes at `text`. */
void bytes_to_hex(const uint8_t *bytes, size_t size, char *text);

/* The bytes that hex `text` (either case, an even count of digits, nothing else) stands for, at
 * most size_max of them; *size is their count. False on anything else. */
bool bytes_from_hex(const char *text, uint8_t *bytes, size_t size_max, size_t *size);

enum { BYTES_TAIL_MAX = 4096, BYTES_TAIL_HEAD = 1024 };

/* Both ends of all that was added: everything up to BYTES_TAIL_MAX bytes; of more the first
 * BYTES_TAIL_HEAD bytes, and the last ones behind them. Zeroed it is empty. */
typedef struct bytes_tail {
    size_t size;    /* bytes kept */
    uint64_t total; /* bytes added */
    uint8_t bytes[BYTES_TAIL_MAX];
} bytes_tail;

void bytes_tail_add(bytes_tail *tail, const uint8_t *bytes, size_t size);

/* Valid UTF-8 without control characters, from any bytes: \n and \t stay when keep_lines, all
 * else that is no printable UTF-8 becomes \xNN. Cut to what fits in text_max bytes, its ending
 * zero included; returns the length. */
size_t bytes_escape(const uint8_t *bytes, size_t size, bool keep_lines, char *text,
                    size_t text_max);

/* All of it as bytes_escape writes it, with \n and \t; a line "..." stands where bytes were left
 * out. Ended by a zero; returns the length. */
enum { BYTES_TAIL_TEXT_MAX = 4 * BYTES_TAIL_MAX + 8 };
size_t bytes_tail_text(const bytes_tail *tail, char text[BYTES_TAIL_TEXT_MAX]);

#endif
