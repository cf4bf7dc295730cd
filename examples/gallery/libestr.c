/* libestr: 0xff is 85.
 *
 * Library: libestr, the strings of rsyslog
 * Bug: `0xf` is 5; a part of an empty string has characters; two more functions are wrong
 * Packages: libestr-dev
 * Link: -lestr
 *
 * libestr.h describes each function; the test has four of them:
 * - es_str2num: "strings starting with 0x are interpreted as being hex"
 * - es_newStrFromSubStr: "if start+len > strlen, the rest of the string starting at start will be
 *   returned"
 * - es_strncasecmp: "semantics are the same as strncmp()", case-insensitive
 * - es_unescapeStr: "\\ooo ASCII Character in octal notation (o being octal digit)"
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_more.h>

#include <libestr.h>
#include <strings.h>

enum { LENGTH_MAX = 6, BUFFER_SIZE = 64 };

/* The string, and zeros behind it: es_str2num reads there, and a replay has to read the same. */
static es_str_t *string_of(const char *text) {
    es_str_t *string = es_newStr(BUFFER_SIZE);
    if (string == NULL) exit(FRNG_EXIT_CANNOT_JUDGE);
    memset(es_getBufAddr(string), 0, BUFFER_SIZE);
    es_addBuf(&string, text, (es_size_t)strlen(text));
    return string;
}

static bool draw_text(frng *f, const char *alphabet, char *text) {
    uint8_t length, letter;
    FRNG_TRY(frng_u8_max(f, LENGTH_MAX, &length));
    for (uint8_t i = 0; i < length; i++) {
        FRNG_TRY(frng_u8_max(f, (uint8_t)(strlen(alphabet) - 1), &letter));
        text[i] = alphabet[letter];
    }
    text[length] = '\0';
    return true;
}

static bool hex_number(frng *f) {
    char digits[LENGTH_MAX + 1], text[LENGTH_MAX + 3];
    FRNG_TRY(draw_text(f, "0123456789abcdef", digits));
    snprintf(text, sizeof text, "0x%s", digits);
    es_str_t *string = string_of(text);
    const long long got = es_str2num(string, NULL);
    es_deleteStr(string);
    FRNG_ASSERT(got == strtoll(text, NULL, 16), "%s is %lld", text, got);
    return true;
}

static bool part(frng *f) {
    char text[LENGTH_MAX + 1];
    uint8_t start, length;
    FRNG_TRY(draw_text(f, "ab", text));
    FRNG_TRY(frng_u8_max(f, LENGTH_MAX, &start));
    FRNG_TRY(frng_u8_max(f, LENGTH_MAX, &length));
    const size_t size = strlen(text), rest = start < size ? size - start : 0;
    es_str_t *string = string_of(text), *substring = es_newStrFromSubStr(string, start, length);
    const size_t got = es_strlen(substring);
    es_deleteStr(string);
    es_deleteStr(substring);
    FRNG_ASSERT(got == (length < rest ? length : rest), "%u characters of \"%s\" from %u: %zu",
                length, text, start, got);
    return true;
}

static bool compare(frng *f) {
    char a[LENGTH_MAX + 1], b[LENGTH_MAX + 1];
    uint8_t count;
    FRNG_TRY(draw_text(f, "aAb", a));
    FRNG_TRY(draw_text(f, "aAb", b));
    FRNG_TRY(frng_u8_max(f, LENGTH_MAX, &count));
    es_str_t *string_a = string_of(a), *string_b = string_of(b);
    const int got = es_strncasecmp(string_a, string_b, count), wanted = strncasecmp(a, b, count);
    es_deleteStr(string_a);
    es_deleteStr(string_b);
    FRNG_ASSERT((got > 0) - (got < 0) == (wanted > 0) - (wanted < 0),
                "\"%s\" and \"%s\" compare as %d in %u characters", a, b, got, count);
    return true;
}

static bool unescape(frng *f) {
    char before[LENGTH_MAX + 1], after[LENGTH_MAX + 1], text[2 * LENGTH_MAX + 5];
    uint8_t byte;
    FRNG_TRY(draw_text(f, "ab", before));
    FRNG_TRY(frng_u8_range(f, 1, UINT8_MAX, &byte));
    FRNG_TRY(draw_text(f, "ab", after));
    snprintf(text, sizeof text, "%s\\%03o%s", before, (unsigned)byte, after);
    es_str_t *string = string_of(text);
    es_unescapeStr(string);
    const size_t got = es_strlen(string), wanted = strlen(before) + 1 + strlen(after);
    es_deleteStr(string);
    FRNG_ASSERT(got == wanted, "%s has %zu characters, not %zu", text, got, wanted);
    return true;
}

static bool test(frng *f) {
    static bool (*const operations[])(frng *) = {hex_number, part, compare, unescape};
    static const char *const names[] = {"es_str2num", "es_newStrFromSubStr", "es_strncasecmp",
                                        "es_unescapeStr"};
    uint8_t operation;
    for (;;) {
        FRNG_TRY(frng_u8_max(f, 3, &operation));
        frng_step(f, names[operation]);
        FRNG_TRY(operations[operation](f));
    }
}

FRNG_MAIN(test)
