/* frng_utf8.h: texts in UTF-8, of letters that print and of those that break programs.
 *
 *     char name[81];
 *     size_t size;
 *     FRNG_TRY(frng_utf8(f, 0, 20, name, &size));
 *
 * No I/O, no allocation, no globals; C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_UTF8_H
#define FRNG_UTF8_H

#include "frng_more.h"

FRNG__WRAPS

/* NUL, the ends of lines and other controls, spaces, letters whose other case is longer or not
 * there, a combining accent, Greek, Cyrillic, right to left, marks of no width and of direction, a
 * ligature, what is no character, and beyond 16 bits a wide one, a letter and the last of all. */
#define FRNG__ODD_LETTERS                                                                          \
    0, 0x9, 0xa, 0xd, 0x1b, 0x7f, 0x80, 0xa0, 0xad, 0xb2, 0xdf, 0xe0, 0xff, 0x130, 0x131, 0x149,   \
        0x17f, 0x1c5, 0x301, 0x3a9, 0x44f, 0x5d0, 0x661, 0x200b, 0x200d, 0x202e, 0x2028, 0xfb00,   \
        0xfeff, 0xffff, 0x1f600, 0x1d4b3, 0x10ffff

FRNG__HELPER size_t frng__store_utf8(uint32_t code, char *text) {
    static const uint8_t heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    const size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; code >>= 6) text[i] = (char)(uint8_t)(0x80 | (code & 63));
    text[0] = (char)(uint8_t)(heads[size] | code);
    return size;
}

FRNG_DRAW bool frng__code_point(frng *f, size_t done, size_t min, size_t max, uint32_t *code,
                                bool *more) {
    static const uint32_t odd[] = {FRNG__ODD_LETTERS};
    enum { PRINT = sizeof(FRNG_PRINTABLE) - 1, LETTERS = PRINT + sizeof odd / sizeof *odd };
    const size_t start = f->used;
    uint64_t how, pick;
    FRNG__TRY(frng__next(f, LETTERS, done, min, max, &how, &pick), (frng_kind)FRNG_LETTER, start, 1,
              how, LETTERS, NULL);
    *more = pick > 0;
    *code = pick == 0      ? 0
            : pick > PRINT ? odd[pick - 1 - PRINT]
                           : (uint8_t)FRNG_PRINTABLE[pick - 1];
    return frng__done(f, (frng_kind)FRNG_LETTER, start, 1, how, LETTERS,
                      pick | (uint64_t)(*code < 0x80 ? *code : '?') << 32);
}

/* A text of min..max code points, valid UTF-8: the 95 of ASCII that print, simplest first as in
 * FRNG_PRINTABLE, and 33 that break programs, all as likely. `text` has room for 4 * max + 1 bytes;
 * *size of them are the text, of which zeros can be some, and a zero follows. 1 byte for each code
 * point, and for the end. */
FRNG_DRAW bool frng_utf8(frng *f, size_t min, size_t max, char *text, size_t *size) {
    bool ok = true, more = true;
    *size = 0;
    for (size_t done = 0; ok && more; done++) {
        uint32_t code = 0;
        ok = frng__code_point(f, done, min, max, &code, &more);
        if (ok && more) *size += frng__store_utf8(code, text + *size);
    }
    if (!ok) *size = 0;
    text[*size] = '\0';
    return ok;
}

FRNG__WRAPS_END
#endif
