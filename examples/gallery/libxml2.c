/* libxml2: the pattern "(a(b)*)*" accepts "b".
 *
 * Library: libxml2's regular expressions
 * Bug: the pattern `(a(b)*)*` accepts `b`
 * Packages: libxml2-dev
 * Link: $(pkg-config --cflags --libs libxml-2.0)
 *
 * W3C, XML Schema Part 2, appendix F: a branch `S|T` denotes "all strings in L(S) and all strings
 * in L(T)", S* "all strings in L(S?) and all strings st with s in L(S*) and t in L(S)". The test
 * compares with regex_model.h, which does what the appendix says.
 * SPDX-License-Identifier: MIT */
#include <libxml/xmlregexp.h>

#include "regex_model.h"

static bool step(frng *f) {
    regex_tree tree;
    char pattern[512] = "", text[REGEX_TEXT + 1];
    FRNG_TRY(regex_draw(f, REGEX_PLAIN, &tree));
    FRNG_TRY(regex_draw_text(f, text));
    regex_print(&tree, 0, pattern);
    xmlRegexpPtr compiled = xmlRegexpCompile((const xmlChar *)pattern);
    FRNG_ASSERT(compiled != NULL, "%s does not compile", pattern);
    const bool got = xmlRegexpExec(compiled, (const xmlChar *)text) == 1;
    const bool wanted = regex_matches(&tree, text);
    FRNG_ASSERT(got == wanted, "%s %s '%s'", pattern, got ? "accepts" : "refuses", text);
    xmlRegFreeRegexp(compiled);
    return true;
}

static bool test(frng *f) {
    for (;;) FRNG_TRY(step(f));
}

FRNG_MAIN(test)
