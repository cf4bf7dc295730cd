/* escapes: texts of the characters from space to '?'. Quotes and '<' and '>' are escaped first, and
 * then '&', also that of the escapes. This matters after '#' or '?' only. Fails when a text does
 * not come back.
 *
 * Smallest: of '#' and '?' and of '"', '<' and '>' those that come first.
 *
 *     escapes             #"
 *         261f01
 */
#include "challenge.h"

enum { LENGTH_MAX = 60, ESCAPE_MAX = 16 };

static const char alphabet[] = " !\"#$%&'()*+,-./0123456789:;<=>?";

/* Escape a character, twice if asked to. */
static const char *escape(char c, bool twice) {
    switch (c) {
    case '"': return twice ? "&amp;quot;" : "&quot;";
    case '<': return twice ? "&amp;lt;" : "&lt;";
    case '>': return twice ? "&amp;gt;" : "&gt;";
    case '&': return "&amp;";
    default: return NULL;
    }
}

/* Read a character back from what it was written as. */
static char unescape(const char *text) {
    if (strncmp(text, "&quot;", 6) == 0) return '"';
    if (strncmp(text, "&lt;", 4) == 0) return '<';
    if (strncmp(text, "&gt;", 4) == 0) return '>';
    return '&';
}

static bool round_trip(frng *f) {
    char text[LENGTH_MAX + 1];
    bool is_query = false;
    FRNG_TRY(frng_string(f, alphabet, 0, LENGTH_MAX, text));
    for (const char *c = text; *c != '\0'; c++) {
        const char *escaped = escape(*c, is_query);
        FRNG_ASSERT(escaped == NULL || unescape(escaped) == *c, "%s", escaped);
        if (*c == '#' || *c == '?') is_query = true;
    }
    return true;
}

TEST_AGAIN(round_trip)
