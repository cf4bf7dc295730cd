/* frng_assert.h: what a failing FRNG_ASSERT prints and does, and that a holding one does not. */
#include "dying.h"
#include "frng_assert.h"

#include <stdbool.h>

/* Says so on stderr, where the message follows. */
void frng_on_assert(const char *site);
void frng_on_assert(const char *site) { fprintf(stderr, "hook: %s\n", site); }

static const char *step_name = "";
const char *frng__step_in_progress(void);
const char *frng__step_in_progress(void) { return step_name; }

#define LIMIT 5
#define EQUAL(a, b) ((a) == (b))
#define PAIR 1, 2

static int evaluated;
static int three = 3, four = 4;

static bool same(int a, int b) {
    evaluated++;
    return a == b;
}

static void call(const void *act) { (*(void (*const *)(void))act)(); }

static const char *message_of(void (*act)(void)) {
    return dying_message(call, &act, false, STDERR_FILENO);
}

/* `act` fails at one line of this file, returned, saying `expected` and telling the hook. */
static int check_failure(void (*act)(void), const char *expected) {
    const char *text = message_of(act);
    const char site[] = "hook: " __FILE__ ":";
    char whole[1024];
    ck_assert_int_eq(strncmp(text, site, strlen(site)), 0);
    const int line = atoi(text + strlen(site));
    snprintf(whole, sizeof whole, "%s%d\n%s:%d: assertion failed: %s\n", site, line, __FILE__, line,
             expected);
    ck_assert_str_eq(text, whole);
    return line;
}

static void plain(void) { FRNG_ASSERT(three == four); }
enum { PLAIN_LINE = __LINE__ - 1 };
static void macros(void) { FRNG_ASSERT(EQUAL(three, LIMIT) && NULL == NULL); }
static void commas(void) { FRNG_ASSERT(same(three, four), "%d, not %d", three, four); }
static void strings(void) { FRNG_ASSERT(strcmp("a,(\"b", "a\\") == 0, "text, with, commas"); }
static void chars(void) {
    FRNG_ASSERT(three == ',' || three == '(' || three == '"' || three == '\'', "c");
}
static void brackets(void) { FRNG_ASSERT(((int[]){0, 1}[0] == 1), "literal"); }
static void expanded_comma(void) { FRNG_ASSERT(same(PAIR)); }
static void percent_s(void) { FRNG_ASSERT(four % three == 0 && "%s%n"); }
static void pointer(void) {
    const char *p = NULL;
    FRNG_ASSERT(p);
}
static void two_lines(void) {
    FRNG_ASSERT(three == 3 && "a condition that takes two lines of the source" && three == four);
}
static void most(void) {
    FRNG_ASSERT(!three, "%d%d%d%d%d%d%d%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                14);
}
static void wide_argument(void) { FRNG_ASSERT(!three, "%s %zu", "and", sizeof(int[3])); }
static void empty_message(void) { FRNG_ASSERT(!three, ""); }

static const struct {
    void (*act)(void);
    const char *expected;
} failures[] = {
    {plain, "three == four"},
    {macros, "EQUAL(three, LIMIT) && NULL == NULL"},
    {commas, "same(three, four): 3, not 4"},
    {strings, "strcmp(\"a,(\\\"b\", \"a\\\\\") == 0: text, with, commas"},
    {chars, "three == ',' || three == '(' || three == '\"' || three == '\\'': c"},
    {brackets, "((int[]){0, 1}[0] == 1): literal"},
    {expanded_comma, "same(PAIR)"},
    {percent_s, "four % three == 0 && \"%s%n\""},
    {pointer, "p"},
    {two_lines,
     "three == 3 && \"a condition that takes two lines of the source\" && three == four"},
    {most, "!three: 1234567891011121314"},
    {wide_argument, "!three: and 12"},
    {empty_message, "!three: "},
};

TEST_EACH(a_failure_prints_what_was_written, sizeof failures / sizeof *failures) {
    const int line = check_failure(failures[_i].act, failures[_i].expected);
    if (failures[_i].act == plain) ck_assert_int_eq(line, PLAIN_LINE);
}

TEST(a_failure_in_a_step_names_it) {
    char expected[1024];
    step_name = "pop";
    snprintf(expected, sizeof expected,
             "hook: %s:%d in pop\n%s:%d: assertion failed in pop: three == four\n", __FILE__,
             PLAIN_LINE, __FILE__, PLAIN_LINE);
    ck_assert_str_eq(message_of(plain), expected);
    step_name = "";
}

static void with_output(void) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    printf("before ");
    FRNG_ASSERT(three == four);
}

TEST(what_was_printed_before_is_not_lost) {
    ck_assert_ptr_nonnull(strstr(message_of(with_output), "before " __FILE__ ":"));
}

TEST(what_holds_is_evaluated_once_and_silent) {
    evaluated = 0;
    FRNG_ASSERT(same(3, 3));
    ck_assert_int_eq(evaluated, 1);
    FRNG_ASSERT(same(3, 3), "arguments are %d", ++evaluated);
    ck_assert_msg(evaluated == 2, "arguments of the message are evaluated only when it is said");
    const int *any = &three;
    FRNG_ASSERT(any, "any scalar is a condition");
}

/* One statement, without braces in an if and else. */
static int branch(bool first) {
    int taken = 0;
    if (first)
        FRNG_ASSERT(three == 3, "first");
    else
        FRNG_ASSERT((taken = 2) == 2);
    for (int i = 0; i < 3; FRNG_ASSERT(i < 3), i++) FRNG_ASSERT(i >= 0);
    return taken;
}

TEST(it_is_one_expression) {
    ck_assert_int_eq(branch(true), 0);
    ck_assert_int_eq(branch(false), 2);
}

SUITE(.emulator_lacks = "a silent stderr when a signal kills");
