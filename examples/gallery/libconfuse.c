/* libconfuse: a written ${ is a variable when it is read.
 *
 * Library: libconfuse, a parser of configuration files
 * Bug: `${a}` in a string comes back as the value of the variable
 * Packages: libconfuse-dev
 * Link: -lconfuse
 *
 * confuse.h, cfg_print: "Option values given with environment variables in the parsed input are
 * also printed expanded." So what was read is read again. SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <confuse.h>

static bool test(frng *f) {
    for (;;) {
        char text[8], *written;
        size_t size;
        cfg_opt_t options[] = {CFG_STR("a", "", CFGF_NONE), CFG_END()};
        cfg_t *first = cfg_init(options, CFGF_NONE), *second = cfg_init(options, CFGF_NONE);
        FRNG_TRY(frng_string(f, "a\"\\'${}\n", 0, 7, text));
        cfg_setstr(first, "a", text);
        FILE *file = open_memstream(&written, &size);
        cfg_print(first, file);
        fclose(file);
        FRNG_ASSERT(cfg_parse_buf(second, written) == CFG_SUCCESS, "not read again: %s", written);
        const char *got = cfg_getstr(second, "a");
        FRNG_ASSERT(strcmp(got, text) == 0, "'%s' comes back as '%s'", text, got);
        cfg_free(first), cfg_free(second), free(written);
    }
}

FRNG_MAIN(test)
