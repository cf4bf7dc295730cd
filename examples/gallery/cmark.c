/* cmark: a paragraph that begins with a line break loses it.
 *
 * Library: cmark's writer of CommonMark
 * Bug: `\`, a newline and `a` are written as `a` alone
 * Packages: libcmark-dev
 * Link: -lcmark
 *
 * cmark.h: cmark_render_commonmark will "Render a 'node' tree as a commonmark document". The HTML
 * of that document is the HTML of the tree. SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <cmark.h>

static void check(const char *text) {
    cmark_node *tree = cmark_parse_document(text, strlen(text), CMARK_OPT_DEFAULT);
    char *html = cmark_render_html(tree, CMARK_OPT_DEFAULT);
    char *written = cmark_render_commonmark(tree, CMARK_OPT_DEFAULT, 0);
    char *again = cmark_markdown_to_html(written, strlen(written), CMARK_OPT_DEFAULT);
    FRNG_ASSERT(strcmp(html, again) == 0, "%s is written as %s", html, again);
    cmark_node_free(tree);
    free(html);
    free(written);
    free(again);
}

static bool test(frng *f) {
    for (;;) {
        char text[16];
        FRNG_TRY(frng_string(f, "ab \\\n", 0, 8, text));
        check(text);
    }
}

FRNG_MAIN(test)
