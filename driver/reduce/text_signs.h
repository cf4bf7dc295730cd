/* text_signs.h: the bytes of a text by what they are to most languages. */
#ifndef TEXT_SIGNS_H
#define TEXT_SIGNS_H

#include "testcase.h"

/* Return a byte of a text, and the end of a line behind its end. */
static inline uint8_t text_byte(const testcase *t, size_t at) {
    return at < t->count ? (uint8_t)t->draws[at].rank : '\n';
}

static inline bool text_is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

static inline bool text_is_word(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c >= 0x80;
}

static inline bool text_is_opening(uint8_t c) { return c == '(' || c == '[' || c == '{'; }
static inline bool text_is_closing(uint8_t c) { return c == ')' || c == ']' || c == '}'; }

/* Return the index of the first byte at a place or after it that is no blank. */
static inline size_t text_skip_blanks(const testcase *t, size_t at) {
    while (at < t->count && text_is_blank(text_byte(t, at))) at++;
    return at;
}

/* Return the index after the line of a place. */
static inline size_t text_line_end(const testcase *t, size_t at) {
    while (at < t->count && text_byte(t, at) != '\n') at++;
    return at < t->count ? at + 1 : at;
}

/* True at the first byte of a word, number or single sign. */
static inline bool text_begins_token(const testcase *t, size_t at) {
    const uint8_t c = text_byte(t, at);
    if (at == 0) return true;
    return !text_is_blank(c) && c != '\n' &&
           !(text_is_word(c) && text_is_word(text_byte(t, at - 1)));
}

#endif
