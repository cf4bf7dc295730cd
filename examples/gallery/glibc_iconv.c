/* glibc_iconv: the size of the buffer changes the text.
 *
 * Library: the GNU C Library's iconv
 * Bug: to ISO-2022-JP-3, a character after a full buffer loses its escape sequence
 * Packages: libc6-dev
 *
 * POSIX.1-2017, iconv: "If the output buffer is not large enough to hold the entire converted
 * input, conversion shall stop just prior to the input bytes that would cause the output buffer to
 * overflow". The caller goes on with another buffer. So the pieces are what is converted at once.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

enum { CHARACTERS_MAX = 4, BYTES_MAX = 64 };

/* Convert through a buffer of `room` bytes; return how many bytes were stored in `output`. */
static size_t convert(const uint32_t *text, size_t count, size_t room, char *output) {
    iconv_t converter = iconv_open("ISO-2022-JP-3", "UTF-32LE");
    char *input = (char *)text, *const start = output;
    size_t size = 4 * count;
    bool reset = false; /* a last call for what is left, and the initial state */
    for (;;) {
        size_t left = room;
        const size_t result = reset ? iconv(converter, NULL, NULL, &output, &left)
                                    : iconv(converter, &input, &size, &output, &left);
        FRNG_ASSERT(result != (size_t)-1 || errno == E2BIG, "iconv fails: %s", strerror(errno));
        if (result == (size_t)-1) continue;
        if (reset) break;
        reset = true;
    }
    iconv_close(converter);
    return (size_t)(output - start);
}

static bool draw_text(frng *f, uint32_t *text, size_t *count) {
    static const uint32_t alphabet[] = {'A', 0x3042, 0x4e00, 0x02e9}; /* A, two of Japan, a tone */
    uint8_t length, index;
    *count = 0;
    frng_note(f, "length");
    FRNG_TRY(frng_u8_max(f, CHARACTERS_MAX, &length));
    frng_note(f, "character");
    while (*count < length) {
        FRNG_TRY(frng_u8_max(f, 3, &index));
        text[(*count)++] = alphabet[index];
    }
    return true;
}

static void check(const uint32_t *text, size_t count, size_t room) {
    char at_once[BYTES_MAX], in_pieces[BYTES_MAX], words[BYTES_MAX] = "";
    const size_t wanted = convert(text, count, BYTES_MAX, at_once);
    const size_t got = convert(text, count, room, in_pieces);
    for (size_t i = 0; i < count; i++) sprintf(words + strlen(words), "U+%04X ", text[i]);
    FRNG_ASSERT(got == wanted && memcmp(in_pieces, at_once, got) == 0,
                "%sthrough a buffer of %zu: %zu bytes, not %zu", words, room, got, wanted);
}

static bool test(frng *f) {
    uint32_t text[CHARACTERS_MAX];
    size_t count;
    uint8_t room;
    for (;;) {
        frng_note(f, "buffer");
        FRNG_TRY(frng_u8_range(f, 6, 16, &room));
        FRNG_TRY(draw_text(f, text, &count));
        check(text, count, room);
    }
}

FRNG_MAIN(test)
