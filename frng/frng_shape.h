/* frng_shape.h: the shape of an assertion's message. frng_main.h includes it.
 *
 * One assertion can show many bugs, which only its message tells apart: FRNG_ASSERT(false, "%s",
 * why). Where a format has a text ("%s"), the first line of the message is a part of the failure's
 * site, with `#` for numbers, quotations and hex. A word is a value, too, unless the constants of
 * the program have it beside a conversion ("lost %s") or another word of the message: else each
 * name that is drawn would be a bug of its own. A format without a text has one shape, which says
 * nothing. Drivers split failures by it where several are looked for.
 * C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_SHAPE_H
#define FRNG_SHAPE_H

#include "frng_guide.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FRNG__SHAPE_READS __attribute__((no_sanitize("address", "thread")))

enum { FRNG__SHAPE_MAX = 56 }; /* bytes of a shape */

/* A shape that is written. */
typedef struct frng__shape {
    char *text;
    size_t length;   /* of the text, whose end is no separator */
    size_t pending;  /* separators after it */
    bool ends_value; /* it ends with # */
} frng__shape;

static inline FRNG__UNSEEN bool frng__is_of_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* What of a constant a text of a message is. */
typedef enum frng__shape_rule {
    FRNG__SHAPE_PART, /* any part, but of no longer word */
    FRNG__SHAPE_NEXT  /* one beside a conversion: "%d, not %d" */
} frng__shape_rule;

/* True if a text between two conversions, or a conversion and an end, is here: *at is its first
 * byte in the memory from `from` on, *end is behind it. */
FRNG__COLD FRNG__UNSEEN FRNG__SHAPE_READS bool frng__shape_is_next(const char *from, const char *at,
                                                                   const char *end) {
    while (*end != 0 && *end != '%' && !frng__is_of_word(*end)) end++;
    while (frng__is_of_word(*end)) end++; /* "0x%x" */
    if (*end == '%') return true;
    while (at > from && at[-1] != 0 && !frng__is_of_word(at[-1])) at--;
    while (at > from && frng__is_of_word(at[-1])) at--;
    return at > from && at[-1] == '%';
}

/* Eight bytes, wherever they are. */
typedef uint64_t frng__shape_bytes __attribute__((aligned(1), may_alias));

/* True if a text is in this memory. Redzones of sanitizers are between constants. Most texts are
 * values that are nowhere, and each is looked for in all constants: so eight bytes without the
 * first one are passed at once. */
static inline FRNG__UNSEEN FRNG__SHAPE_READS bool frng__shape_is_in(const char *from,
                                                                    const char *end,
                                                                    const char *text, size_t length,
                                                                    frng__shape_rule rule) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const char *at = from + 1;
    for (; at + length < end; at++) {
        size_t i = 0;
        while (at + length + sizeof ones < end) {
            const uint64_t others = *(const frng__shape_bytes *)at ^ ones * (unsigned char)*text;
            if (((others - ones) & ~others & ones << 7) != 0) break;
            at += sizeof ones;
        }
        if (*at != *text || frng__is_of_word(at[-1]) || at[-1] == '%') continue;
        while (i < length && at[i] == text[i]) i++;
        if (i < length || frng__is_of_word(at[length])) continue;
        if (rule == FRNG__SHAPE_PART || frng__shape_is_next(from, at, at + length)) return true;
    }
    return false;
}

/* A segment of the program. <elf.h> and what includes it have names that tests have, too. */
typedef struct frng__segment {
    uint32_t type;
#if UINTPTR_MAX > UINT32_MAX
    uint32_t flags;
#endif
    uintptr_t offset, address, physical, size, room;
#if UINTPTR_MAX == UINT32_MAX
    uint32_t flags;
#endif
    uintptr_t alignment;
} frng__segment;

#ifdef __cplusplus
extern "C" {
#endif
extern unsigned long frng__auxiliary(unsigned long type) __asm__("getauxval");
#ifdef __cplusplus
}
#endif

/* True if a constant of the program has this text. They are in segments that can only be read, or
 * where some linkers put them: beside the code. A static program has no segment of its table, which
 * follows the head of the file. */
FRNG__COLD bool frng__shape_is_constant(const char *text, size_t length, frng__shape_rule rule) {
    enum { TABLE = 3, COUNT = 5, LOADED = 1, OF_TABLE = 6, CODE = 1, READ = 4 };
    const frng__segment *table = (const frng__segment *)frng__auxiliary(TABLE);
    const size_t count = table != NULL ? (size_t)frng__auxiliary(COUNT) : 0;
    const uintptr_t head = (uintptr_t)table - (sizeof(uintptr_t) == 8 ? 64 : 52);
    uintptr_t base = 0;
    bool has_own = false, has_base = false, is_found = false;
    size_t i;
    for (i = 0; i < count; i++) {
        const frng__segment *s = &table[i];
        if (s->type == OF_TABLE) base = (uintptr_t)table - s->address;
        if (s->type == LOADED && s->offset == 0 && !has_base) base = head - s->address;
        has_base |= s->type == OF_TABLE;
        has_own |= s->type == LOADED && s->flags == READ;
    }
    for (i = 0; i < count && !is_found; i++) {
        const char *from = (const char *)(base + table[i].address);
        const uint32_t wanted = has_own ? READ : READ | CODE;
        if (table[i].type != LOADED || table[i].flags != wanted) continue;
        is_found = frng__shape_is_in(from, from + table[i].size, text, length, rule);
    }
    return is_found;
}

/* The same from a cache: runs that fail may be many. */
FRNG__COLD bool frng__shape_knows(const char *text, size_t length, frng__shape_rule rule) {
    static struct {
        uint64_t text;
        bool is_constant;
    } known[64];
    uint64_t hash = (uint64_t)rule + 1;
    size_t i;
    for (i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    i = (size_t)(hash >> 32) % (sizeof known / sizeof known[0]);
    if (known[i].text != hash) {
        known[i].is_constant = frng__shape_is_constant(text, length, rule);
        known[i].text = hash;
    }
    return known[i].is_constant;
}

FRNG__COLD size_t frng__shape_word(const char *text) {
    size_t length = 0;
    while (frng__is_of_word(text[length]) ||
           (text[length] == '\'' && length > 0 && frng__is_of_word(text[length + 1])))
        length++;
    return length;
}

/* True if a word is one of the program, and no value: two words in a row that a constant has, one
 * beside a conversion, or all that the message says. *until is the end of two such words. */
FRNG__COLD bool frng__shape_is_word(const char *word, size_t length, bool is_first,
                                    const char **until) {
    const char *next = word + length;
    size_t more;
    if (strcspn(word, "0123456789") < length) return false;
    if (is_first && *next == 0) return frng__shape_knows(word, length, FRNG__SHAPE_PART);
    while (*next != 0 && !frng__is_of_word(*next)) next++;
    more = frng__shape_word(next);
    if (more > 0 && frng__shape_knows(word, (size_t)(next - word) + more, FRNG__SHAPE_PART)) {
        *until = next + more;
        return true;
    }
    return word < *until || (length > 1 && frng__shape_knows(word, length, FRNG__SHAPE_NEXT));
}

/* Add a value, or a word if it is not NULL. False: there is no room. */
FRNG__COLD bool frng__shape_add(frng__shape *s, const char *word, size_t length) {
    const bool is_value = word == NULL;
    char *end = s->text + s->length;
    size_t skipped = 0;
    if (is_value && s->ends_value) return s->pending = 0, true; /* one value with that before */
    if (is_value) {                                             /* without its sign and brackets */
        while (s->pending > 0 && strchr("+-.([{<$&", end[s->pending - 1]) != NULL) s->pending--;
    } else if (s->ends_value) {
        while (skipped < s->pending && strchr(")]}>%", end[skipped]) != NULL) skipped++;
    }
    s->pending -= skipped;
    memmove(end, end + skipped, s->pending);
    if (s->length + s->pending + (is_value ? 1 : length) > FRNG__SHAPE_MAX) return false;
    if (is_value)
        end[s->pending] = '#';
    else
        memcpy(end + s->pending, word, length);
    s->length += s->pending + (is_value ? 1 : length);
    s->pending = 0;
    s->ends_value = is_value;
    return true;
}

/* Return the length of a quotation, or of an empty list, at the start of a text, or 0. */
FRNG__COLD size_t frng__shape_quoted(const char *text, bool is_in_word) {
    const char *end = text;
    if (strncmp(text, "[]", 2) == 0 || strncmp(text, "{}", 2) == 0) return 2;
    if (is_in_word || strchr("\"'`", *text) == NULL) return 0;
    do {
        end = strpbrk(end + 1, *text == '`' ? "`'" : *text == '"' ? "\"" : "'");
    } while (end != NULL && frng__is_of_word(end[1]));
    return end != NULL ? (size_t)(end - text) + 1 : 0;
}

/* Write the shape of a line. */
FRNG__COLD void frng__shape_write(const char *line, char text[FRNG__SHAPE_MAX + 1]) {
    frng__shape s = {text, 0, 0, false};
    const char *at = line + strspn(line, " \t"), *until = line;
    bool has_room = true;
    while (*at != 0 && has_room) {
        const size_t quoted = frng__shape_quoted(at, at > line && frng__is_of_word(at[-1]));
        const size_t length = frng__shape_word(at);
        if (quoted > 0) {
            has_room = frng__shape_add(&s, NULL, 0);
            at += quoted;
        } else if (length > 0) {
            const bool is_word = frng__shape_is_word(at, length, s.length == 0, &until);
            has_room = frng__shape_add(&s, is_word ? at : NULL, length);
            at += length;
        } else {
            const char c =
                (char)(isprint((unsigned char)*at) && strchr("'*", *at) == NULL ? *at : ' ');
            const char last = s.length + s.pending > 0 ? text[s.length + s.pending - 1] : ' ';
            if (s.length + s.pending < FRNG__SHAPE_MAX && (c != ' ' || last != ' '))
                text[s.length + s.pending++] = c;
            at++;
        }
    }
    text[s.length] = 0;
}

/* True if the first line of a format has a text that no quotes enclose. */
FRNG__COLD bool frng__shape_varies(const char *format) {
    const char *at = format, *end = format + strcspn(format, "\n");
    while ((at = strchr(at, '%')) != NULL && at < end) {
        const char before = at > format ? at[-1] : ' ';
        at += 1 + strspn(at + 1, "-+ #0123456789.*lhjztL");
        if (*at == 's' && (strchr("\"'`", before) == NULL || strchr("\"'", at[1]) == NULL))
            return true;
        if (*at != 0) at++;
    }
    return false;
}

/* Write the shape of a message, "" if its format has but one. frng_assert.h calls it. */
FRNG__C_LINKAGE void frng__message_shape(const char *format, va_list arguments, char *text);
FRNG__C_LINKAGE __attribute__((weak, format(printf, 1, 0))) void
frng__message_shape(const char *format, va_list arguments, char *text) {
    char line[512];
    text[0] = 0;
    if (!frng__shape_varies(format)) return;
    (void)vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\r\n")] = 0;
    frng__shape_write(line + strspn(line, ": "), text);
    if (text[0] == 0) text[0] = '#', text[1] = 0;
}

#endif
