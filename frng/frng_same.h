/* frng_same.h: asserts that two texts, or two blocks of bytes, are the same, and shows where not.
 *
 *     FRNG_ASSERT_SAME_TEXT(parsed, text);
 *     FRNG_ASSERT_SAME(unpacked, unpacked_size, data, size);
 *
 * The first is what the program gave, the second is what it should have given:
 *
 *     codec.c:31: assertion failed: parsed == text: byte 3 differs, of 5 and 4
 *       got       "ab\nc\xff"
 *       expected  "ab\tc"
 *                    ^
 *
 * C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_SAME_H
#define FRNG_SAME_H

#include "frng_assert.h"

#define FRNG_ASSERT_SAME(got, got_size, expected, expected_size)                                   \
    frng__same(FRNG__SITE, #got " == " #expected, got, got_size, expected, expected_size)
/* The same of texts that end by 0; NULL is the same as NULL. */
#define FRNG_ASSERT_SAME_TEXT(got, expected)                                                       \
    frng__same_text(FRNG__SITE, #got " == " #expected, got, expected)

enum { FRNG__SAME_BEFORE = 24, FRNG__SAME_BYTES = 56 }; /* shown before the difference; in all */

/* Write a byte as in a literal of C. Return the characters. */
__attribute__((unused)) static int frng__same_byte(char out[8], unsigned char byte) {
    static const char named[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
    const char *at = byte != 0 ? strchr(named, byte) : NULL;
    if (at != NULL) return snprintf(out, 8, "\\%c", letters[at - named]);
    if (byte >= ' ' && byte < 0x7f) return snprintf(out, 8, "%c", byte);
    return snprintf(out, 8, "\\x%02x", byte);
}

/* Write the bytes near `mark` as one line. Return the characters before `mark`. */
__attribute__((unused)) static int frng__same_line(char line[FRNG__SAME_BYTES * 4 + 16],
                                                   const unsigned char *bytes, size_t size,
                                                   size_t mark) {
    const size_t from = mark > FRNG__SAME_BEFORE ? mark - FRNG__SAME_BEFORE : 0;
    const size_t end = size - from > FRNG__SAME_BYTES ? from + FRNG__SAME_BYTES : size;
    int length = sprintf(line, "%s\"", from > 0 ? "..." : ""), column = 0;
    for (size_t i = from; i < end; i++) {
        if (i == mark) column = length;
        length += frng__same_byte(line + length, bytes[i]);
    }
    if (mark == end) column = length;
    sprintf(line + length, "\"%s", end < size ? "..." : "");
    return column;
}

__attribute__((unused, noinline)) static void frng__same(const char *site, const char *text,
                                                         const void *got, size_t got_size,
                                                         const void *expected,
                                                         size_t expected_size) {
    const unsigned char *a = (const unsigned char *)got, *b = (const unsigned char *)expected;
    const size_t both = got_size < expected_size ? got_size : expected_size;
    char lines[2][FRNG__SAME_BYTES * 4 + 16];
    size_t mark = 0;
    if (got_size == expected_size && (both == 0 || memcmp(a, b, both) == 0)) return;
    while (mark < both && a[mark] == b[mark]) mark++;
    frng__same_line(lines[0], a, got_size, mark);
    const int column = frng__same_line(lines[1], b, expected_size, mark);
    frng__assert_failed(site, text,
                        ": byte %zu differs, of %zu and %zu\n  got       %s\n  expected  %s\n%*s^",
                        mark, got_size, expected_size, lines[0], lines[1], 12 + column, "");
}

__attribute__((unused)) static void frng__same_text(const char *site, const char *text,
                                                    const char *got, const char *expected) {
    if (got != NULL && expected != NULL) {
        frng__same(site, text, got, strlen(got), expected, strlen(expected));
    } else if (got != expected) {
        frng__assert_failed(site, text, ": %s is NULL", got == NULL ? "the first" : "the second");
    }
}

#endif
