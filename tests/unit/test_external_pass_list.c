/* reduce_file.h: the words of --reducer: which programs, and which of their commands. */
#include "reduce_file.h"
#include "fixture.h"

#include "messages.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Add with PATH as the folder `bin` of test_dir, in test_dir. */
static bool add(external_pass_list *r, const char *cmd) {
    message_init("frng-test", false);
    ck_assert_int_eq(setenv("PATH", test_dir_path("bin"), 1), 0);
    ck_assert_int_eq(chdir(test_dir), 0);
    capture_begin();
    const bool ok = external_pass_list_add(r, cmd);
    capture_end();
    return ok;
}

static void takes(external_pass_list *r, const char *cmd) {
    ck_assert_msg(add(r, cmd), "'%s' was refused: %s", cmd, capture_text);
    ck_assert_str_eq(capture_text, "");
}

static void refuses(const char *cmd, const char *said) {
    external_pass_list r = {NULL, 0};
    ck_assert_msg(!add(&r, cmd), "'%s' was taken", cmd);
    const char *end = strchr(capture_text, '\n');
    ck_assert_msg(end != NULL && end[1] == '\0', "not one line: '%s'", capture_text);
    assert_contains(capture_text, said);
    ck_assert_uint_eq(r.count, 0);
    external_pass_list_finish(&r);
}

static void is(const external_pass *g, external_pass_dialect dialect, const char *program,
               const char *command, const char *name, uint64_t lines) {
    ck_assert_int_eq(g->dialect, dialect);
    ck_assert_str_eq(g->program, program);
    ck_assert_str_eq(g->command, command);
    ck_assert_str_eq(g->name, name);
    ck_assert_uint_eq(g->lines, lines);
}

static void make_programs(void) {
    ck_assert_int_eq(mkdir(test_dir_path("bin"), 0700), 0);
    ck_assert_int_eq(mkdir(test_dir_path("sub"), 0700), 0);
    static const char *const names[] = {"bin/tool",        "sub/tool", "sub/clex",
                                        "sub/clang_delta", "tool.py",  "sub/topformflat"};
    for (size_t i = 0; i < COUNT_OF(names); i++) test_dir_text(names[i], "#!/bin/sh\n", 0700);
}

TEST(a_program_alone) {
    external_pass_list r = {NULL, 0};
    takes(&r, "./tool.py");
    ck_assert_uint_eq(r.count, 1);
    is(&r.list[0], EXTERNAL_PASS_IN_PLACE, test_dir_path("tool.py"), "all", "tool.py all", 0);
    external_pass_list_finish(&r);
    ck_assert_uint_eq(r.count, 0);
    ck_assert_ptr_null(r.list);
}

TEST(commands_between_blanks) {
    external_pass_list r = {NULL, 0};
    takes(&r, " \t./tool.py  drop\n\tlower ");
    ck_assert_uint_eq(r.count, 2);
    is(&r.list[0], EXTERNAL_PASS_IN_PLACE, test_dir_path("tool.py"), "drop", "tool.py drop", 0);
    is(&r.list[1], EXTERNAL_PASS_IN_PLACE, test_dir_path("tool.py"), "lower", "tool.py lower", 0);
    external_pass_list_finish(&r);
}

/* As those of --wrap, which the tests of replay_wrap.h compare with a shell's. */
TEST(quotes_group) {
    external_pass_list r = {NULL, 0};
    test_dir_text("a tool.py", "#!/bin/sh\n", 0700);
    takes(&r, "'./a tool.py' \"drop all\" lower\\ one");
    ck_assert_uint_eq(r.count, 2);
    is(&r.list[0], EXTERNAL_PASS_IN_PLACE, test_dir_path("a tool.py"), "drop all",
       "a tool.py drop all", 0);
    is(&r.list[1], EXTERNAL_PASS_IN_PLACE, test_dir_path("a tool.py"), "lower one",
       "a tool.py lower one", 0);
    external_pass_list_finish(&r);
}

TEST(one_after_the_other) {
    external_pass_list r = {NULL, 0};
    takes(&r, "tool x");
    takes(&r, "sub/clex rm-toks-2");
    ck_assert(!add(&r, "sub/none a b"));
    takes(&r, "sub/../tool.py");
    ck_assert_uint_eq(r.count, 3);
    is(&r.list[0], EXTERNAL_PASS_IN_PLACE, test_dir_path("bin/tool"), "x", "tool x", 0);
    is(&r.list[1], EXTERNAL_PASS_CLEX, test_dir_path("sub/clex"), "rm-toks-2", "clex rm-toks-2", 0);
    is(&r.list[2], EXTERNAL_PASS_IN_PLACE, test_dir_path("tool.py"), "all", "tool.py all", 0);
    external_pass_list_finish(&r);
}

TEST(clex_knows_its_commands) {
    external_pass_list r = {NULL, 0};
    takes(&r, "sub/clex");
    ck_assert_uint_eq(r.count, 21);
    for (size_t i = 0; i < r.count; i++) ck_assert_int_eq(r.list[i].dialect, EXTERNAL_PASS_CLEX);
    ck_assert_str_eq(r.list[0].command, "rm-toks-16");
    ck_assert_str_eq(r.list[15].command, "rm-toks-1");
    ck_assert_str_eq(r.list[20].command, "rename-toks");
    external_pass_list_finish(&r);
}

TEST(clang_delta_knows_its_commands) {
    external_pass_list r = {NULL, 0};
    takes(&r, "sub/clang_delta");
    ck_assert_uint_eq(r.count, 65);
    for (size_t i = 0; i < r.count; i++) {
        ck_assert_int_eq(r.list[i].dialect, EXTERNAL_PASS_CLANG_DELTA);
        for (size_t j = 0; j < i; j++) ck_assert_str_ne(r.list[i].command, r.list[j].command);
    }
    ck_assert_str_eq(r.list[0].name, "clang_delta replace-function-def-with-decl");
    external_pass_list_finish(&r);
}

TEST(topformflat_leaves_out_many_lines_then_few) {
    static const uint64_t lines[] = {256, 64, 16, 4, 1};
    const char *program = test_dir_path("sub/topformflat");
    external_pass_list r = {NULL, 0};
    takes(&r, "sub/topformflat");
    ck_assert_uint_eq(r.count, 8 * COUNT_OF(lines));
    ck_assert_str_eq(r.list[39].command, "10");
    external_pass_list_finish(&r);
    takes(&r, "sub/topformflat 2 7");
    ck_assert_uint_eq(r.count, 2 * COUNT_OF(lines));
    is(&r.list[0], EXTERNAL_PASS_LINES, program, "2", "topformflat 2 by 256", 256);
    for (size_t i = 0; i < r.count; i++) {
        ck_assert_str_eq(r.list[i].command, i < 5 ? "2" : "7");
        ck_assert_uint_eq(r.list[i].lines, lines[i % 5]);
    }
    external_pass_list_finish(&r);
}

/* It may be one program with many names. */
TEST(a_link_keeps_its_name) {
    external_pass_list r = {NULL, 0};
    ck_assert_int_eq(symlink("tool.py", test_dir_path("clex")), 0);
    ck_assert_int_eq(symlink("sub", test_dir_path("link")), 0);
    takes(&r, "./clex c");
    takes(&r, "link/tool c");
    is(&r.list[0], EXTERNAL_PASS_CLEX, test_dir_path("clex"), "c", "clex c", 0);
    is(&r.list[1], EXTERNAL_PASS_IN_PLACE, test_dir_path("sub/tool"), "c", "tool c", 0);
    external_pass_list_finish(&r);
    ck_assert_int_eq(unlink(test_dir_path("clex")), 0);
}

TEST(path_comes_before_the_packages) {
    static const char *const names[] = {"clex", "topformflat", "clang_delta"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char place[32];
        external_pass_list r = {NULL, 0};
        snprintf(place, sizeof place, "bin/%s", names[i]);
        const char *path = test_dir_text(place, "#!/bin/sh\n", 0700);
        takes(&r, names[i]);
        ck_assert_str_eq(r.list[0].program, path);
        ck_assert_int_ne(r.list[0].dialect, EXTERNAL_PASS_IN_PLACE);
        external_pass_list_finish(&r);
        ck_assert_int_eq(unlink(path), 0);
    }
}

/* Where the packages are installed they are found off PATH; else it is said how to get them. */
TEST(packages_are_found) {
    static const char *const names[] = {"clex", "topformflat", "clang_delta"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        external_pass_list r = {NULL, 0};
        if (add(&r, names[i])) {
            ck_assert_int_eq(r.list[0].program[0], '/');
            ck_assert_int_eq(access(r.list[0].program, X_OK), 0);
        } else {
            assert_contains(capture_text, "install the package creduce or cvise");
        }
        external_pass_list_finish(&r);
    }
}

TEST(what_is_no_reducer) {
    test_dir_text("plain", "text", 0600);
    refuses("", "--reducer '' is not valid");
    refuses(" \t\n", "--reducer ' \\x09\\x0a' is not valid");
    refuses("tool 'x", "--reducer 'tool 'x' is not valid");
    refuses("no-such-tool x", "no-such-tool: not found on PATH; give the path");
    refuses("tool.py", "for the file in this folder say ./tool.py");
    refuses("./none all", "not found");
    refuses("plain/deeper", "Not a directory");
    refuses("./sub", "is a folder");
    refuses("./plain", "not executable; try 'chmod +x ");
    refuses("/dev/null", "cannot be started");
    refuses("sub/nowhere/clex", "not found");
    refuses("a\033[2J", "a\\x1b[2J: not found on PATH");
}

SUITE(.before_each = make_programs);
