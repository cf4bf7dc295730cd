/* libyaml: a long line that begins with a space is broken.
 *
 * Library: libyaml's emitter
 * Bug: a space of a folded scalar that begins with one comes back as a newline
 * Packages: libyaml-dev
 * Link: -lyaml
 *
 * YAML 1.1, 9.2.3, of folded scalars: "lines starting with white space characters (more indented
 * lines) are not folded". Lines have 10 columns here. SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <yaml.h>

static bool test(frng *f) {
    for (;;) {
        unsigned char text[256];
        char value[16];
        size_t size;
        yaml_emitter_t emitter;
        yaml_parser_t parser;
        yaml_document_t d;
        FRNG_TRY(frng_string(f, "a ", 1, 14, value));
        yaml_emitter_initialize(&emitter);
        yaml_emitter_set_width(&emitter, 10);
        yaml_emitter_set_output_string(&emitter, text, sizeof text, &size);
        yaml_document_initialize(&d, NULL, NULL, NULL, 1, 1);
        yaml_document_add_scalar(&d, NULL, (yaml_char_t *)value, -1, YAML_FOLDED_SCALAR_STYLE);
        FRNG_ASSERT(yaml_emitter_dump(&emitter, &d) && yaml_emitter_close(&emitter), "%s", value);
        yaml_emitter_delete(&emitter);
        yaml_parser_initialize(&parser);
        yaml_parser_set_input_string(&parser, text, size);
        FRNG_ASSERT(yaml_parser_load(&parser, &d), "'%s' is no YAML", value);
        const char *back = (const char *)yaml_document_get_root_node(&d)->data.scalar.value;
        FRNG_ASSERT(strcmp(back, value) == 0, "'%s' comes back as '%s'", value, back);
        yaml_document_delete(&d);
        yaml_parser_delete(&parser);
    }
}

FRNG_MAIN(test)
