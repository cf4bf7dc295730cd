/* libfyaml: quotes in quotes.
 *
 * Library: libfyaml's parser
 * Bug: `'''''a'` is read as three quotes
 * Packages: libfyaml-dev
 * Link: -lfyaml
 *
 * YAML 1.2, 7.3.2: in single-quoted style a quote is written twice, and nothing else is escaped.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <libfyaml.h>

static void quote(const char *text, char *yaml) {
    *yaml++ = '\'';
    for (; *text != '\0'; *yaml++ = *text++)
        if (*text == '\'') *yaml++ = '\'';
    strcpy(yaml, "'");
}

static bool test(frng *f) {
    for (;;) {
        char text[8], yaml[16];
        FRNG_TRY(frng_string(f, "a'", 0, 5, text));
        quote(text, yaml);
        struct fy_document *document = fy_document_build_from_string(NULL, yaml, FY_NT);
        FRNG_ASSERT(document != NULL, "%s is refused", yaml);
        const char *got = fy_node_get_scalar0(fy_document_root(document));
        FRNG_ASSERT(strcmp(got, text) == 0, "%s is read as %s", yaml, got);
        fy_document_destroy(document);
    }
}

FRNG_MAIN(test)
