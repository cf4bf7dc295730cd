/* tre: "^((a{2})?a)?$" matches "aa".
 *
 * Library: TRE's regular expressions
 * Bug: `^((a{2})?a)?$` matches `aa`
 * Packages: libtre-dev
 * Link: -ltre
 *
 * POSIX.1-2017, 9.4.6, on extended regular expressions: "{m,n}" matches "any number of
 * occurrences between m and n, inclusive". TRE is "POSIX compliant" (README). The test compares
 * with regex_model.h.
 * SPDX-License-Identifier: MIT */
#include <tre/tre.h>

#include "regex_model.h"

static bool step(frng *f) {
    regex_tree tree;
    char pattern[512] = "^", text[REGEX_TEXT + 1];
    regex_t compiled;
    FRNG_TRY(regex_draw(f, REGEX_COUNTED, &tree));
    FRNG_TRY(regex_draw_text(f, text));
    strcat(pattern, "(");
    regex_print(&tree, 0, pattern);
    strcat(pattern, ")$");
    FRNG_ASSERT(tre_regcomp(&compiled, pattern, REG_EXTENDED) == 0, "%s does not compile", pattern);
    const bool got = tre_regexec(&compiled, text, 0, NULL, 0) == 0;
    const bool wanted = regex_matches(&tree, text);
    FRNG_ASSERT(got == wanted, "%s %s '%s'", pattern, got ? "matches" : "does not match", text);
    tre_regfree(&compiled);
    return true;
}

static bool test(frng *f) {
    for (;;) FRNG_TRY(step(f));
}

FRNG_MAIN(test)
