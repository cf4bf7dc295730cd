/* external_pass.h: how each kind of reducer is called, and what its answer means. */
#include "external_pass.h"
#include "suite.h"

#include "statuses.h"

#include <signal.h>

static char program[] = "/opt/tool", command[] = "cut", depth[] = "3";

static const external_pass in_place = {
    .dialect = EXTERNAL_PASS_IN_PLACE, .program = program, .command = command};
static const external_pass clex = {
    .dialect = EXTERNAL_PASS_CLEX, .program = program, .command = command};
static const external_pass clang_delta = {
    .dialect = EXTERNAL_PASS_CLANG_DELTA, .program = program, .command = command};
static const external_pass filter = {
    .dialect = EXTERNAL_PASS_LINES, .program = program, .command = depth, .lines = 2};

/* ---- Calls ---- */

static void calls(const external_pass *g, uint64_t number, const char *file, const char *expected) {
    char said[1024] = "";
    external_pass_call call;
    memset(&call, 0xa5, sizeof call);
    ck_assert(external_pass_make_call(g, number, file, &call));
    for (char **word = call.argv; *word != NULL; word++) {
        ck_assert_int_lt(word - call.argv, (int)(sizeof call.argv / sizeof *call.argv));
        if (word != call.argv) strcat(said, "|");
        strcat(said, *word);
    }
    ck_assert_str_eq(said, expected);
    const external_kind *kind = &external_kinds[g->dialect];
    ck_assert_int_eq(kind->reads_stdin, g->dialect == EXTERNAL_PASS_LINES);
    ck_assert_int_eq(kind->writes_stdout, g->dialect != EXTERNAL_PASS_IN_PLACE);
}

TEST(each_dialect_has_its_command_line) {
    calls(&in_place, 0, "a.c", "/opt/tool|a.c|cut|0");
    calls(&in_place, UINT64_MAX, "a b", "/opt/tool|a b|cut|18446744073709551615");
    calls(&clex, 0, "a.c", "/opt/tool|cut|0|a.c");
    calls(&clex, 127, "a.c", "/opt/tool|cut|127|a.c");
    calls(&clang_delta, 0, "a.c", "/opt/tool|--transformation=cut|--counter=1|a.c");
    calls(&clang_delta, 41, "a.c", "/opt/tool|--transformation=cut|--counter=42|a.c");
    calls(&filter, 0, "a.c", "/opt/tool|3");
    calls(&filter, 9, "a.c", "/opt/tool|3");
}

TEST(a_file_is_no_option) {
    calls(&in_place, 1, "-rf", "/opt/tool|./-rf|cut|1");
    calls(&clex, 1, "-", "/opt/tool|cut|1|./-");
    calls(&clang_delta, 1, "--help", "/opt/tool|--transformation=cut|--counter=2|./--help");
    calls(&filter, 1, "-x", "/opt/tool|3");
}

TEST(what_does_not_fit) {
    external_pass_call call;
    static char filler[sizeof call.text + 1];
    external_pass long_command = clang_delta;
    const size_t rest = sizeof "--transformation=" + sizeof "--counter=1" + sizeof "f";
    memset(filler, 'x', sizeof call.text);
    long_command.command = filler;
    ck_assert(!external_pass_make_call(&long_command, 0, "f", &call));
    filler[sizeof call.text - rest] = '\0';
    ck_assert(external_pass_make_call(&long_command, 0, "f", &call));
    ck_assert_str_eq(call.argv[2], "--counter=1");
    ck_assert(!external_pass_make_call(&long_command, 9, "f", &call));
    ck_assert(!external_pass_make_call(&long_command, 0, "-f", &call));
}

/* ---- Answers ---- */

static int exited(int status) { return W_EXITCODE(status, 0); }

static int died(int signal_number) { return W_EXITCODE(0, signal_number); }

/* The one status that means a candidate, those that mean none (-1: it has no such); all else is
 * broken. */
static void judges(const external_pass *g, int made, int none, int none_too) {
    for (int status = 0; status <= 255; status++) {
        external_pass_answer expected = EXTERNAL_PASS_BROKEN;
        if (status == made) expected = EXTERNAL_PASS_MADE;
        if (status == none || status == none_too) expected = EXTERNAL_PASS_NONE;
        ck_assert_msg(external_pass_judge(g, exited(status)) == expected, "status %d", status);
    }
    for (int number = 1; number <= 64; number++) {
        ck_assert_int_eq(external_pass_judge(g, died(number)), EXTERNAL_PASS_BROKEN);
        ck_assert_int_eq(external_pass_judge(g, died(number) | WCOREFLAG), EXTERNAL_PASS_BROKEN);
    }
    ck_assert_int_eq(external_pass_judge(g, W_STOPCODE(SIGSTOP)), EXTERNAL_PASS_BROKEN);
}

TEST(each_dialect_has_its_exit_statuses) {
    judges(&in_place, 0, 1, -1);
    judges(&clex, 51, 71, -1);
    judges(&clang_delta, 0, 1, 255);
    judges(&filter, 0, -1, -1);
}

/* ---- Lines ---- */

/* What is left of `text` without its instance `number`, or NULL where there is none. */
static void cuts_bytes(uint64_t lines, uint64_t number, const void *text, size_t size,
                       const void *expected, size_t expected_size) {
    external_pass g = filter;
    g.lines = lines;
    uint8_t *bytes = malloc(size > 0 ? size : 1); /* as long as that, for sanitizers */
    memcpy(bytes, text, size);
    const external_pass_answer answer = external_pass_finish(&g, number, bytes, &size);
    ck_assert_int_eq(answer, expected != NULL ? EXTERNAL_PASS_MADE : EXTERNAL_PASS_NONE);
    if (expected != NULL) {
        ck_assert_uint_eq(size, expected_size);
        ck_assert_mem_eq(bytes, expected, expected_size);
    }
    free(bytes);
}

/* What is left of a text without its lines number * lines .., and NULL after the last of them. The
 * filter sees no blanks: topformflat adds them, each time again. */
TEST(lines_are_left_out) {
    static const struct {
        uint64_t lines, number;
        const char *text, *left;
    } all[] = {{1, 0, "a\nb\nc\n", "b\nc\n"},
               {1, 1, "a\nb\nc\n", "a\nc\n"},
               {1, 2, "a\nb\nc\n", "a\nb\n"},
               {1, 3, "a\nb\nc\n", NULL},
               {1, UINT64_MAX, "a\nb\nc\n", NULL},
               {1, 0, "a", ""},
               {1, 1, "a", NULL},
               {2, 0, "a\nb\nc\nd\ne\n", "c\nd\ne\n"},
               {2, 1, "a\nb\nc\nd\ne\n", "a\nb\ne\n"},
               {2, 2, "a\nb\nc\nd\ne\n", "a\nb\nc\nd\n"},
               {2, 3, "a\nb\nc\nd\ne\n", NULL},
               {2, 2, "a\nb\nc\nd\n", NULL},
               {5, 0, "a\nb\nc\nd\ne\n", ""},
               {256, 0, "a\nb\n", ""},
               {256, 1, "a\nb\n", NULL},
               {UINT64_MAX, 0, "a\n", ""},
               {UINT64_MAX, 1, "a\n", NULL},
               {UINT64_C(1) << 63, 2, "a\nb\n", NULL}, /* 2 * lines is 0 */
               {1, 0, "a\nb", "b"},
               {1, 1, "a\nb", "a\n"},
               {1, 2, "a\nb", NULL},
               {1, 0, "", NULL},
               {1, 0, "\n", NULL},
               {1, 0, "\n \t\n\r\n  ", NULL},
               {1, 0, "\na;\n b;\n\n \t c;\n \n", "b;\nc;\n"},
               {1, 2, "\na;\n b;\n\n \t c;\n ", "a;\nb;\n"},
               {1, 3, "\na;\n b;\n\n \t c;\n ", NULL},
               {1, 0, "x\na  b \r\n\r\n\f\vc", "a  b \r\nc"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cuts_bytes(all[i].lines, all[i].number, all[i].text, strlen(all[i].text), all[i].left,
                   all[i].left != NULL ? strlen(all[i].left) : 0);
}

TEST(a_filter_sees_any_bytes) {
    cuts_bytes(1, 1, "\0a\n\0\n\xff\0", 7, "\0a\n\xff\0", 5);
    cuts_bytes(1, 0, "\0", 1, "", 0);
    cuts_bytes(1, 2, "\0a\n\0\n\xff\0", 7, "\0a\n\0\n", 5);
}

TEST(other_kinds_leave_bytes_alone) {
    static const external_pass *const others[] = {&in_place, &clex, &clang_delta};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint8_t bytes[] = "\n a\n\n";
        size_t size = sizeof bytes;
        ck_assert_int_eq(external_pass_finish(others[i], 7, bytes, &size), EXTERNAL_PASS_MADE);
        ck_assert_uint_eq(size, sizeof bytes);
        ck_assert_mem_eq(bytes, "\n a\n\n", sizeof bytes);
    }
}
