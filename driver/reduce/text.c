#include "text.h"

static bool is_control(uint8_t c) {
    return (c < ' ' && !(c >= '\t' && c <= '\r') && c != '\x1b') || c == 0x7f;
}

/* Bytes of the character that begins here, or 0 where none does. */
static size_t character(const uint8_t *bytes, size_t size) {
    const uint8_t c = bytes[0];
    const size_t length = c < 0x80   ? 1
                          : c < 0xc2 ? 0
                          : c < 0xe0 ? 2
                          : c < 0xf0 ? 3
                          : c < 0xf5 ? 4
                                     : 0;
    if (length == 0 || length > size || is_control(c)) return 0;
    for (size_t i = 1; i < length; i++) {
        if (bytes[i] >> 6 != 2) return 0;
    }
    if ((c == 0xe0 && bytes[1] < 0xa0) || (c == 0xf0 && bytes[1] < 0x90)) return 0; /* too long */
    if ((c == 0xed && bytes[1] > 0x9f) || (c == 0xf4 && bytes[1] > 0x8f)) return 0; /* no such */
    return length;
}

bool text_is(const uint8_t *bytes, size_t size) {
    size_t at = 0;
    while (at < size) {
        const size_t length = character(bytes + at, size - at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}
