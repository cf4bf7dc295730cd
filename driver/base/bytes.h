/* bytes.h: byte sequences: hex, both ends of an output, and text that is safe to show.
 *
 * Also small questions to texts, lists that grow, and sums that stop at the largest number. */
#pragma once

#include "memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Write `size` bytes as lower-case hex, ended by a zero: 2 * size + 1 bytes at `text`. */
void bytes_to_hex(const uint8_t *bytes, size_t size, char *text);

/* Parse hex `text` (either case, an even count of digits, nothing else) into at most size_max
 * bytes; *size is their count. False on anything else. */
bool bytes_from_hex(const char *text, uint8_t *bytes, size_t size_max, size_t *size);

/* Read bytes in hex as people paste them: with blanks, colons or commas between, each with or
 * without 0x or \x, in the brackets or quotes of a list or a string, or as lines of xxd. Write
 * their digits, two a byte, which are never longer, and may be written over the text; NULL:
 * nowhere. False on anything else. */
bool bytes_pasted_hex(const char *text, char *digits);

enum { BYTES_TAIL_MAX = 64 * 1024, BYTES_TAIL_HEAD = 16 * 1024 };

/* Both ends of the added bytes: all of them up to BYTES_TAIL_MAX; of more, the first
 * BYTES_TAIL_HEAD bytes, then the last ones. Empty if zeroed. */
typedef struct bytes_tail {
    size_t size;    /* bytes kept */
    uint64_t total; /* bytes added */
    uint8_t bytes[BYTES_TAIL_MAX];
} bytes_tail;

void bytes_tail_clear(bytes_tail *tail);
void bytes_tail_add(bytes_tail *tail, const uint8_t *bytes, size_t size);

/* Copy the kept bytes alone: a tail that is not full has few. NULL is an empty one. */
void bytes_tail_copy(bytes_tail *to, const bytes_tail *from);

/* Find the point of the UTF-8 character at `bytes` and return its length, or 0: no overlong forms,
 * no surrogates, nothing above U+10FFFF (RFC 3629). */
size_t utf8_length(const uint8_t *bytes, size_t size, uint32_t *point);

/* Write any bytes as valid UTF-8 without control characters: \n and \t stay if keep_lines, and all
 * else that is not printable UTF-8 becomes \xNN. The text is cut to text_max bytes, including its
 * ending zero. Returns the length. */
size_t bytes_escape(const uint8_t *bytes, size_t size, bool keep_lines, char *text,
                    size_t text_max);

/* Write all kept bytes as bytes_escape does, with \n and \t; a line says how many are left out.
 * Ended by a zero; returns the length. */
enum { BYTES_TAIL_TEXT_MAX = 4 * BYTES_TAIL_MAX + 64 };
#define BYTES_LEFT_OUT " bytes left out ..." /* the end of that line */
size_t bytes_tail_text(const bytes_tail *tail, char text[BYTES_TAIL_TEXT_MAX]);

/* ---- Texts ---- */

/* Return the last component of a path, within `path`: "" after a slash at the end, NULL for NULL.
 */
const char *path_base(const char *path);

/* True if both are NULL, or the same characters. */
bool text_equal(const char *a, const char *b);

/* True if two lists, ended by NULL, have the same texts. NULL is an empty list. */
bool texts_equal(const char *const *a, const char *const *b);

/* Return the count of texts before the NULL that ends a list. */
size_t text_count(char *const *list);

/* True if a text of a list says "@@": the name of a file with the input. */
bool texts_name_input(char *const *list);

/* Return a list with room for one more: it doubles whenever its count is a power of two. */
static inline void *with_room(void *list, size_t count, size_t size) {
    if ((count & (count - 1)) != 0) return list;
    return memory_grown(list, count > 0 ? 2 * count : 1, size);
}

/* Rows of `size` bytes are in the ascending order of the uint64_t that each begins with. Return the
 * index of the first one that begins with at least `least`, or their count. */
size_t first_row_from(const void *rows, size_t count, size_t size, uint64_t least);

/* ---- Numbers that users may choose as large as they want ---- */

static inline uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static inline uint64_t sum(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

static inline uint64_t product(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* Return the number of bits that x needs. */
static inline uint64_t bits(uint64_t x) { return x == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(x); }
