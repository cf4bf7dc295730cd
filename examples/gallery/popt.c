/* popt: a backslash in double quotes stays double.
 *
 * Library: popt's parser of command lines
 * Bug: the word `"\\"` is two backslashes
 * Packages: libpopt-dev
 * Link: -lpopt
 *
 * popt(3): poptParseArgvString parses a string "with rules similar to normal shell parsing". POSIX,
 * Shell Command Language, 2.2.3: in double-quotes "the <backslash> shall retain its special meaning
 * as an escape character" before $, `, ", \ and a newline. SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <popt.h>

/* Quote a word as POSIX has it. */
static void quote(const char *word, char *quoted) {
    *quoted++ = '"';
    for (; *word != '\0'; *quoted++ = *word++)
        if (*word == '"' || *word == '\\') *quoted++ = '\\';
    strcpy(quoted, "\"");
}

static bool test(frng *f) {
    for (;;) {
        char word[8], quoted[16];
        const char **words;
        int count;
        FRNG_TRY(frng_string(f, "ab\"\\", 1, 5, word));
        quote(word, quoted);
        FRNG_ASSERT(poptParseArgvString(quoted, &count, &words) == 0 && count == 1, "%s", quoted);
        FRNG_ASSERT(strcmp(words[0], word) == 0, "%s is %s, not %s", quoted, words[0], word);
        free(words);
    }
}

FRNG_MAIN(test)
