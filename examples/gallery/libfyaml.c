/* libfyaml: texts that are written without quotes, and quotes in quotes.
 *
 * Library: libfyaml
 * Bug: `""` in a sequence is written as nothing, and `'''''a'` is read as three quotes
 * Packages: libfyaml-dev
 * Link: -lfyaml
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <libfyaml.h>

static struct fy_document *parse(const char *yaml) {
    struct fy_document *document = fy_document_build_from_string(NULL, yaml, FY_NT);
    FRNG_ASSERT(document != NULL, "refused: %s", yaml);
    return document;
}

static bool test(frng *f) {
    struct fy_document *made = fy_document_create(NULL);
    fy_document_set_root(made, fy_node_create_sequence(made));
    for (char text[8], yaml[16]; frng_string(f, "a'-", 0, 5, text);) {
        char *end = stpcpy(yaml, "'"); /* a quote is written twice, and nothing else is escaped */
        for (const char *c = text; *c != '\0'; *end++ = *c++)
            if (*c == '\'') *end++ = '\'';
        strcpy(end, "'");
        struct fy_document *read = parse(yaml);
        const char *got = fy_node_get_scalar0(fy_document_root(read));
        FRNG_ASSERT(strcmp(got, text) == 0, "%s is read as %s", yaml, got);
        fy_document_destroy(read);
        struct fy_node *node = fy_node_create_scalar_copy(made, text, FY_NT);
        fy_node_sequence_append(fy_document_root(made), node);
    }
    char *flow = fy_emit_document_to_string(made, FYECF_MODE_FLOW_ONELINE);
    fy_document_destroy(parse(flow));
    fy_document_destroy(made);
    free(flow);
    return true;
}

FRNG_MAIN(test)
