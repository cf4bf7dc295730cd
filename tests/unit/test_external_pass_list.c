/* reduce_failure.h: the words of --reducer: which programs, and which of their commands. */
#include "fixture.h"
#include "reduce_failure.h"

#include "bytes.h"
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

/* Add what is no reducer to a list: one line says why, and nothing is added. */
static void refuses(external_pass_list *r, const char *cmd, const char *said) {
    const size_t count = r->count;
    ck_assert_msg(!add(r, cmd), "'%s' was taken", cmd);
    const char *end = strchr(capture_text, '\n');
    ck_assert_msg(end != NULL && end[1] == '\0', "not one line: '%s'", capture_text);
    assert_contains(capture_text, said);
    ck_assert_uint_eq(r->count, count);
}

/* Check a pass: its program is in test_dir, and its name follows from the rest. */
static void is(const external_pass *g, external_pass_dialect dialect, const char *program,
               const char *command, uint64_t lines) {
    char name[128];
    snprintf(name, sizeof name, lines > 0 ? "%s %s by %u" : "%s %s", path_base(program), command,
             (unsigned)lines);
    ck_assert_int_eq(g->dialect, dialect);
    ck_assert_str_eq(g->program, test_dir_path(program));
    ck_assert_str_eq(g->command, command);
    ck_assert_uint_eq(g->lines, lines);
    ck_assert_str_eq(g->name, name);
}

static void make_programs(void) {
    ck_assert_int_eq(mkdir(test_dir_path("bin"), 0700), 0);
    ck_assert_int_eq(mkdir(test_dir_path("sub"), 0700), 0);
    static const char *const names[] = {"bin/tool",       "sub/tool",        "sub/clex",
                                        "a tool.py",      "sub/clang_delta", "tool.py",
                                        "sub/topformflat"};
    for (size_t i = 0; i < COUNT_OF(names); i++) test_dir_text(names[i], "#!/bin/sh\n", 0700);
    ck_assert_int_eq(symlink("tool.py", test_dir_path("clex")), 0); /* one program, many names */
    ck_assert_int_eq(symlink("sub", test_dir_path("link")), 0);
}

/* Words are split as those of --wrap (target.h). */
TEST(programs_and_their_commands) {
    static const struct {
        const char *cmd, *program, *commands[3];
        external_pass_dialect dialect;
    } cases[] = {
        {"./tool.py", "tool.py", {"all"}, EXTERNAL_PASS_IN_PLACE},
        {" \t./tool.py  drop\n\tlower ", "tool.py", {"drop", "lower"}, EXTERNAL_PASS_IN_PLACE},
        {"'./a tool.py' \"x y\" z\\ z", "a tool.py", {"x y", "z z"}, EXTERNAL_PASS_IN_PLACE},
        {"tool x", "bin/tool", {"x"}, EXTERNAL_PASS_IN_PLACE},
        {"sub/clex rm-toks-2", "sub/clex", {"rm-toks-2"}, EXTERNAL_PASS_CLEX},
        {"sub/../tool.py", "tool.py", {"all"}, EXTERNAL_PASS_IN_PLACE},
        {"./clex c", "clex", {"c"}, EXTERNAL_PASS_CLEX},
        {"link/tool c", "sub/tool", {"c"}, EXTERNAL_PASS_IN_PLACE},
    };
    external_pass_list r = {NULL, 0};
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ck_assert_msg(add(&r, cases[i].cmd), "'%s' was refused: %s", cases[i].cmd, capture_text);
        refuses(&r, "sub/none a b", "sub/none: not found");
        for (size_t k = 0; cases[i].commands[k] != NULL; k++)
            is(&r.list[count++], cases[i].dialect, cases[i].program, cases[i].commands[k], 0);
        ck_assert_uint_eq(r.count, count);
    }
    external_pass_list_finish(&r);
    ck_assert(r.count == 0 && r.list == NULL);
}

TEST(known_programs_have_all_their_commands) {
    external_pass_list r = {NULL, 0};
    ck_assert(add(&r, "sub/clex") && r.count == 21);
    is(&r.list[0], EXTERNAL_PASS_CLEX, "sub/clex", "rm-toks-16", 0);
    is(&r.list[15], EXTERNAL_PASS_CLEX, "sub/clex", "rm-toks-1", 0);
    is(&r.list[20], EXTERNAL_PASS_CLEX, "sub/clex", "rename-toks", 0);
    external_pass_list_finish(&r);
    ck_assert(add(&r, "sub/clang_delta") && r.count == 65);
    is(&r.list[0], EXTERNAL_PASS_CLANG_DELTA, "sub/clang_delta", "replace-function-def-with-decl",
       0);
    for (size_t i = 0; i < r.count; i++) {
        for (size_t j = 0; j < i; j++) ck_assert_str_ne(r.list[i].command, r.list[j].command);
    }
    external_pass_list_finish(&r);
}

TEST(topformflat_leaves_out_many_lines_then_few) {
    static const uint64_t lines[] = {256, 64, 16, 4, 1};
    external_pass_list r = {NULL, 0};
    ck_assert(add(&r, "sub/topformflat") && r.count == 8 * COUNT_OF(lines));
    is(&r.list[39], EXTERNAL_PASS_LINES, "sub/topformflat", "10", 1);
    external_pass_list_finish(&r);
    ck_assert(add(&r, "sub/topformflat 2 7") && r.count == 2 * COUNT_OF(lines));
    for (size_t i = 0; i < r.count; i++)
        is(&r.list[i], EXTERNAL_PASS_LINES, "sub/topformflat", i < 5 ? "2" : "7", lines[i % 5]);
    external_pass_list_finish(&r);
}

/* PATH comes before the folders of packages; where none is installed it is said how to get it. */
TEST(packages_are_found_off_path) {
    static const char *const names[] = {"clex", "topformflat", "clang_delta"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char place[32];
        external_pass_list r = {NULL, 0};
        if (add(&r, names[i])) {
            ck_assert_int_eq(access(r.list[0].program, X_OK), 0);
        } else {
            assert_contains(capture_text, "install the package creduce or cvise");
        }
        external_pass_list_finish(&r);
        snprintf(place, sizeof place, "bin/%s", names[i]);
        test_dir_text(place, "#!/bin/sh\n", 0700);
        ck_assert(add(&r, names[i]));
        ck_assert_str_eq(r.list[0].program, test_dir_path(place));
        ck_assert_int_ne(r.list[0].dialect, EXTERNAL_PASS_IN_PLACE);
        external_pass_list_finish(&r);
    }
}

TEST(what_is_no_reducer) {
    static const char *const cases[][2] = {
        {"", "--reducer '' is not valid"},
        {" \t\n", "--reducer ' \\x09\\x0a' is not valid"},
        {"tool 'x", "--reducer 'tool 'x' is not valid"},
        {"no-such-tool x", "no-such-tool: not found on PATH; give the path"},
        {"tool.py", "for the file in this folder say ./tool.py"},
        {"./none all", "not found"},
        {"plain/deeper", "Not a directory"},
        {"./sub", "is a folder"},
        {"./plain", "not executable; try 'chmod +x "},
        {"/dev/null", "cannot be started"},
        {"sub/nowhere/clex", "not found"},
        {"a\033[2J", "a\\x1b[2J: not found on PATH"}};
    external_pass_list r = {NULL, 0};
    test_dir_text("plain", "text", 0600);
    for (size_t i = 0; i < COUNT_OF(cases); i++) refuses(&r, cases[i][0], cases[i][1]);
    external_pass_list_finish(&r);
}

SUITE(.before_each = make_programs);
