/* file_signs.h: what a file says about how a target is run. */
#include "file_signs.h"

#include "fixture.h"

#include <limits.h>

static const char *file_of(const char *text, size_t size) {
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", test_dir_file("file", text, size, 0600));
    return path;
}

static bool names_protocol(const char *text) {
    return file_signs_protocol(file_of(text, strlen(text)), FILE_SIGNS_ANY_SIZE);
}

TEST(a_script_names_the_protocol_by_a_whole_word) {
    static const char *const named[] = {"frng",
                                        "import frng\n",
                                        "from './frng.mjs'",
                                        "use frng::Frng;",
                                        "# frng",
                                        "\"frng\"",
                                        "frng_ frng",
                                        "FRNG_DRIVER",
                                        "XFRNG_DRIVERS x",
                                        "frngs.frng(frng_x)",
                                        "@frng.main",
                                        "frng-x frng\xff",
                                        "\"./frng/frng.mjs\"",
                                        "a.b/frng",
                                        "frng/x"};
    static const char *const silent[] = {
        "",      "\n",   "fr ng", "frngs",  "_frng", "frng-",     "-frng",      "1frng",
        "frng2", "Frng", "frn",   "frnfrn", "FRNG",  "frng_main", "FRNG_DRIVE", "/a/frng/b"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        ck_assert_msg(names_protocol(named[i]), "%s", named[i]);
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        ck_assert_msg(!names_protocol(silent[i]), "%s", silent[i]);
}

/* A zero in its first 4 KiB makes a file a binary. */
TEST(a_binary_names_it_by_the_variable_only) {
    enum { SIZE = 8192 };
    static char bytes[SIZE];
    memset(bytes, 'x', SIZE);
    memcpy(bytes + SIZE - 6, " frng ", 6);
    ck_assert(file_signs_protocol(file_of(bytes, SIZE), FILE_SIGNS_ANY_SIZE));
    bytes[4095] = '\0';
    ck_assert(!file_signs_protocol(file_of(bytes, SIZE), FILE_SIGNS_ANY_SIZE));
    memcpy(bytes + 5000, "FRNG_DRIVER", 11);
    ck_assert(file_signs_protocol(file_of(bytes, SIZE), FILE_SIGNS_ANY_SIZE));
    ck_assert(file_signs_protocol(file_of(bytes, SIZE), SIZE));
    ck_assert(!file_signs_protocol(file_of(bytes, SIZE), SIZE - 1));
}

TEST(the_word_counts_in_the_first_mebibyte) {
    enum { SIZE = (1 << 20) + 100 };
    static char text[SIZE];
    memset(text, ' ', SIZE);
    memcpy(text + (1 << 20) - 4, "frng", 4);
    ck_assert(file_signs_protocol(file_of(text, SIZE), FILE_SIGNS_ANY_SIZE));
    memset(text, ' ', SIZE);
    memcpy(text + (1 << 20) - 3, "frng", 4);
    ck_assert(!file_signs_protocol(file_of(text, SIZE), FILE_SIGNS_ANY_SIZE));
}

TEST(the_byte_order_of_a_program) {
    const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    char head[64] = "\177ELF\2\1\1";
    ck_assert_int_eq(file_signs_other_order(file_of(head, sizeof head), 64), !is_little);
    head[5] = 2;
    ck_assert_int_eq(file_signs_other_order(file_of(head, sizeof head), 64), is_little);
    ck_assert(!file_signs_other_order(file_of(head, 15), 64));
    head[5] = 0;
    ck_assert(!file_signs_other_order(file_of(head, sizeof head), 64));
    ck_assert(!file_signs_other_order(file_of("#!/bin/sh\n exit 0 # long", 24), 64));
}

TEST(what_is_no_file_has_no_signs) {
    static const char *const paths[] = {"/", "/dev/zero", "/dev/null", "/no/such/file", ""};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        ck_assert(!file_signs_protocol(paths[i], FILE_SIGNS_ANY_SIZE));
        ck_assert(!file_signs_frng_input(paths[i], FILE_SIGNS_ANY_SIZE));
        ck_assert(!file_signs_other_order(paths[i], FILE_SIGNS_ANY_SIZE));
    }
}
