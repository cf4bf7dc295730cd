/* options.h: command lines by a table; and the three real tables. */
#include "fixture.h"
#include "options.h"

#include "clock.h"
#include "messages.h"
#include "nearest.h"
#include "reduce_options.h"
#include "replay_options.h"
#include "search_options.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define WORDS(...) ((const char *const[]){"frng-test", __VA_ARGS__, NULL})

enum { COPIES = 4, WORDS_MAX = 32, WORD_MAX = 64 };

/* An argv of our own, as getopt wants one; good for a few more calls. */
static char **copy_words(const char *const *words, int *count) {
    static char texts[COPIES][WORDS_MAX][WORD_MAX], *copies[COPIES][WORDS_MAX];
    static unsigned turn;
    const unsigned now = turn++ % COPIES;
    for (*count = 0; words[*count] != NULL; ++*count) {
        ck_assert_int_lt(*count, WORDS_MAX - 1);
        snprintf(texts[now][*count], WORD_MAX, "%s", words[*count]);
        copies[now][*count] = texts[now][*count];
    }
    copies[now][*count] = NULL;
    return copies[now];
}

/* ---- A table ---- */

typedef struct toy_shared {
    const char *text;
    bool on;
} toy_shared;

typedef struct toy {
    char value[64];
    int calls;
    bool flag;
    toy_shared shared;
} toy;

static bool set_value(void *options, const char *value) {
    toy *t = options;
    snprintf(t->value, sizeof t->value, "%s", value);
    t->calls++;
    return strcmp(value, "bad") != 0;
}

static bool set_text(void *field, const char *value) {
    *(const char **)field = value;
    return value[0] != '\0';
}

static const option_kind value_kind = {"anything but bad", NULL, set_value};
static const option_kind text_kind = {"a text", NULL, set_text};

static const option_spec specs[] = {
    {"value", 'v', OPTION_INPUT, &value_kind, 0, "VALUE", "A value", NULL, false},
    {"vast", 0, OPTION_INPUT, &value_kind, 0, "WORD", "A word", NULL, false},
    {"flag", 'f', OPTION_OUTPUT, NULL, offsetof(toy, flag), NULL, "A flag", NULL, true},
};

/* Fields of a struct within the struct. */
static const option_spec shared_specs[] = {
    {"on", 0, OPTION_OUTPUT, NULL, offsetof(toy_shared, on), NULL, "Another flag", NULL, false},
    {"text", 0, OPTION_STOP, &text_kind, offsetof(toy_shared, text), "TEXT", "A text", "usual",
     false},
};

static const option_table table = {
    "Usage: frng-test\n",
    "The end.\n",
    {OPTION_SECTION(specs, 0), OPTION_SECTION(shared_specs, offsetof(toy, shared))},
};

static options_answer parse(const char *const *words, toy *t, operands *rest) {
    int count;
    char **argv = copy_words(words, &count);
    memset(t, 0, sizeof *t);
    message_init("frng-test", false);
    capture_begin();
    const options_answer answer = options_parse(count, argv, &table, t, rest);
    capture_end();
    const char *end = strchr(capture_text, '\n');
    if (answer == OPTIONS_WRONG) {
        ck_assert_msg(end != NULL && end[1] == '\0', "not one line: '%s'", capture_text);
    } else {
        ck_assert_str_eq(capture_text, "");
    }
    return answer;
}

TEST(options_stand_before_and_after) {
    const char *const *const lines[] = {
        WORDS("--value", "x", "-f", "./sut"), WORDS("./sut", "--value", "x", "-f"),
        WORDS("-f", "./sut", "--value=x"),    WORDS("-fvx", "./sut"),
        WORDS("-v", "x", "./sut", "--flag"),  WORDS("-vx", "./sut", "-f", "--")};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        toy t;
        operands rest;
        ck_assert_int_eq(parse(lines[i], &t, &rest), OPTIONS_RUN);
        ck_assert_str_eq(rest.sut, "./sut");
        ck_assert_str_eq(t.value, "x");
        ck_assert(t.flag);
        ck_assert_ptr_nonnull(rest.args);
        ck_assert_ptr_null(rest.args[0]);
    }
}

TEST(arguments_follow_two_dashes) {
    toy t;
    operands rest;
    ck_assert_int_eq(
        parse(WORDS("./sut", "-f", "--", "-f", "--value", "--", "--help", "x"), &t, &rest),
        OPTIONS_RUN);
    ck_assert(t.flag);
    ck_assert_str_eq(rest.args[0], "-f");
    ck_assert_str_eq(rest.args[2], "--");
    ck_assert_str_eq(rest.args[4], "x");
    ck_assert_ptr_null(rest.args[5]);
    ck_assert_int_eq(parse(WORDS("--", "./sut"), &t, &rest), OPTIONS_RUN);
    ck_assert_ptr_null(rest.sut);
    ck_assert_str_eq(rest.args[0], "./sut");
    ck_assert_int_eq(parse(WORDS("-v", "--", "./sut"), &t, &rest), OPTIONS_RUN);
    ck_assert_msg(strcmp(t.value, "--") == 0, "a value may be the end of the options");
    ck_assert_str_eq(rest.sut, "./sut");
}

TEST(values_and_their_order) {
    toy t;
    operands rest;
    ck_assert_int_eq(parse(WORDS("--value="), &t, &rest), OPTIONS_RUN);
    ck_assert_int_eq(t.calls, 1);
    ck_assert_str_eq(t.value, "");
    ck_assert_ptr_null(rest.sut);
    ck_assert_int_eq(parse(WORDS("--value", "a", "--value=b=c"), &t, &rest), OPTIONS_RUN);
    ck_assert_str_eq(t.value, "b=c");
    ck_assert_int_eq(parse(WORDS("--value=--flag"), &t, &rest), OPTIONS_RUN);
    ck_assert_str_eq(t.value, "--flag");
    ck_assert_int_eq(parse(WORDS("-v--flag"), &t, &rest), OPTIONS_RUN);
    ck_assert_str_eq(t.value, "--flag");
    ck_assert_int_eq(parse(WORDS("-v-1", "-"), &t, &rest), OPTIONS_RUN);
    ck_assert_str_eq(t.value, "-1");
#ifdef __GLIBC__ /* for musl a lone "-" ends the options as "--" does */
    ck_assert_str_eq(rest.sut, "-");
#endif
    const char *const none[] = {"frng-test", NULL};
    ck_assert_int_eq(parse(none, &t, &rest), OPTIONS_RUN);
    ck_assert_ptr_null(rest.sut);
    ck_assert_ptr_null(rest.args[0]);
}

TEST(a_field_is_set_where_the_table_says) {
    toy t;
    operands rest;
    ck_assert_int_eq(parse(WORDS("./sut", "-f"), &t, &rest), OPTIONS_RUN);
    ck_assert(!t.shared.on);
    ck_assert_str_eq(t.shared.text, "usual");
    ck_assert_int_eq(parse(WORDS("./sut", "--on", "--text", "x"), &t, &rest), OPTIONS_RUN);
    ck_assert(t.shared.on && !t.flag && t.value[0] == '\0');
    ck_assert_str_eq(t.shared.text, "x");
    ck_assert_int_eq(parse(WORDS("./sut", "--text="), &t, &rest), OPTIONS_WRONG);
    assert_contains(capture_text, "--text '' is not valid: give a text");
}

TEST(help_and_version) {
    toy t;
    operands rest;
    ck_assert_int_eq(parse(WORDS("--help"), &t, &rest), OPTIONS_HELP);
    ck_assert_int_eq(parse(WORDS("./sut", "-h", "--nonsense"), &t, &rest), OPTIONS_HELP);
    ck_assert_int_eq(parse(WORDS("-fh"), &t, &rest), OPTIONS_HELP);
    ck_assert_int_eq(parse(WORDS("--version"), &t, &rest), OPTIONS_VERSION);
    ck_assert_int_eq(parse(WORDS("--", "--help"), &t, &rest), OPTIONS_RUN);
    ck_assert_int_eq(parse(WORDS("--nonsense", "--help"), &t, &rest), OPTIONS_WRONG);
}

TEST(what_is_wrong_is_said) {
    const struct {
        const char *const *words;
        const char *said;
    } cases[] = {
        {WORDS("--nonsense"), "unknown option '--nonsense'"},
        {WORDS("--nonsense=5"), "unknown option '--nonsense"},
        {WORDS("-x"), "unknown option '-x'"},
        {WORDS("-fx", "./sut"), "unknown option '-x'"},
        {WORDS("--va", "1"), "unknown option '--va'; see"},
        {WORDS("--valu", "1", "--nonsense"), "option '--valu' is cut short: say --value"},
        {WORDS("--fl"), "option '--fl' is cut short: say --flag"},
        {WORDS("--val=5"), "option '--val' is cut short: say --value"},
        {WORDS("--hel"), "option '--hel' is cut short: say --help"},
        {WORDS("--vers"), "option '--vers' is cut short: say --version"},
        {WORDS("--vaule", "1"), "unknown option '--vaule': did you mean --value? See 'frng-test"},
        {WORDS("--vlaue=5"), "unknown option '--vlaue=5': did you mean --value?"},
        {WORDS("--values=5"), "did you mean --value?"},
        {WORDS("--flog"), "did you mean --flag?"},
        {WORDS("--hlep"), "did you mean --help?"},
        {WORDS("--verison"), "did you mean --version?"},
        {WORDS("--x"), "unknown option '--x'; see"},
        {WORDS("--nothing-like-any-of-these-and-longer-than-all-of-them"), "them'; see"},
        {WORDS("--value"), "option '--value' needs a value"},
        {WORDS("./sut", "-v"), "option '-v' needs a value"},
        {WORDS("--value", "--flag"), "option '--value' needs a value before '--flag'; see"},
        {WORDS("-v", "--flag"), "option '-v' needs a value before '--flag'"},
        {WORDS("-fv", "--nonsense"), "option '-fv' needs a value before '--nonsense'"},
        {WORDS("--flag=1"), "option '--flag=1' takes no value"},
        {WORDS("--help=1"), "option '--help=1' takes no value"},
        {WORDS("--value", "bad"), "--value 'bad' is not valid: give anything but bad"},
        {WORDS("-vbad"), "--value 'bad' is not valid"},
        {WORDS("a", "b"), "unexpected argument 'b'"},
        {WORDS("a", "-f", "b", "--", "c"), "unexpected argument 'b'"},
        {WORDS("-\xc3\xa9"), "unknown option"},
        {WORDS("--\033[2J"), "unknown option '--\\x1b[2J'"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        toy t;
        operands rest;
        ck_assert_int_eq(parse(cases[i].words, &t, &rest), OPTIONS_WRONG);
        assert_contains(capture_text, cases[i].said);
    }
}

/* Brute force over what one or two edits make of a name. */
TEST(words_are_near_by_their_letters) {
    static const struct {
        const char *word, *name;
        size_t distance;
    } cases[] = {
        {"", "", 0},         {"", "seed", 4},        {"seed", "", 4},      {"seed", "seed", 0},
        {"sede", "seed", 1}, {"sed", "seed", 1},     {"seeed", "seed", 1}, {"sead", "seed", 1},
        {"dees", "seed", 2}, {"time", "timeout", 3}, {"ab", "ba", 1},      {"ca", "abc", 3}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *word = cases[i].word;
        ck_assert_uint_eq(nearest_distance(word, strlen(word), cases[i].name), cases[i].distance);
    }
    ck_assert_uint_eq(nearest_distance("seedling", 4, "seed"), 0);
}

/* ---- The real tables ---- */

static options_answer search(const char *const *words, search_options *o) {
    int count;
    char **argv = copy_words(words, &count);
    capture_begin();
    const options_answer answer = search_options_parse(count, argv, o);
    capture_end();
    return answer;
}

static options_answer replay(const char *const *words, replay_options *o) {
    int count;
    char **argv = copy_words(words, &count);
    capture_begin();
    const options_answer answer = replay_options_parse(count, argv, o);
    capture_end();
    return answer;
}

/* The real --timeout, --memory, --stdin and --only. */
TEST(run_options_are_read) {
    search_options s;
    const run_options *o = &s.work.run;
    ck_assert_int_eq(search(WORDS("./sut"), &s), OPTIONS_RUN);
    ck_assert_int_eq(o->timeout_ns, 10 * CLOCK_NS_PER_S);
    ck_assert_uint_eq(o->memory_max, 0);
    ck_assert_int_eq(o->stdin_kind, RUN_STDIN_FILE);
    ck_assert(signature_filter_is_empty(&o->filter) && site_rule_of(&o->rule) == NULL);
    ck_assert_int_eq(search(WORDS("./sut", "--timeout", "1.5s", "--memory", "512M", "--stdin",
                                  "pipe", "--only", "signal:ABRT", "--only", "exit:3", "--ignore",
                                  "asan:SEGV at a.c:*", "--signature", "bug ([0-9]+)"),
                            &s),
                     OPTIONS_RUN);
    ck_assert_int_eq(o->timeout_ns, CLOCK_NS_PER_S * 3 / 2);
    ck_assert_uint_eq(o->memory_max, UINT64_C(512) << 20);
    ck_assert_int_eq(o->stdin_kind, RUN_STDIN_PIPE);
    ck_assert(o->filter.only.count == 2 && o->filter.ignored.count == 1);
    ck_assert(signature_equal(o->filter.only.list[0].how, (signature){SIGNATURE_SIGNAL, SIGABRT}));
    ck_assert_str_eq(o->filter.ignored.list[0].text, "asan:SEGV at a.c:*");
    ck_assert_str_eq(o->rule.text, "bug ([0-9]+)");
    ck_assert_ptr_eq(site_rule_of(&o->rule), &o->rule.compiled);
    regfree(&s.work.run.rule.compiled);
    const char *const *const bad[] = {
        WORDS("./sut", "--timeout", "0s"),    WORDS("./sut", "--timeout", "5"),
        WORDS("./sut", "--memory", "0"),      WORDS("./sut", "--memory", "x"),
        WORDS("./sut", "--stdin", ""),        WORDS("./sut", "--stdin", "pipes"),
        WORDS("./sut", "--only", "abort"),    WORDS("./sut", "--ignore", "a.c"),
        WORDS("./sut", "--signature", "a(b"), WORDS("./sut", "--signature", "")};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ck_assert_int_eq(search(bad[i], &s), OPTIONS_WRONG);
    }
}

static void writes(const char *const *words, const char *expected) {
    search_options s;
    ck_assert_int_eq(search(words, &s), OPTIONS_RUN);
    char *text = run_options_text(&s.work.run);
    ck_assert_str_eq(text, expected);
    free(text);
}

TEST(run_options_are_written_as_they_are_read) {
    writes(WORDS("./sut"), "");
    writes(WORDS("./sut", "--timeout", "10s", "--stdin", "file"), "");
    writes(WORDS("./sut", "--timeout", "500ms", "--memory", "2G", "--stdin", "pipe"),
           " --timeout 500ms --memory 2G --stdin pipe");
    writes(WORDS("./sut", "--timeout", "0.5ms", "--memory", "1"), " --timeout 0.5ms --memory 1");
}

TEST(sizes_of_input_have_units_and_a_limit) {
    const bool is_wide = INPUT_SIZE_MAX >> 33 != 0;
    search_options s;
    ck_assert_int_eq(search(WORDS("./sut", "--size-max", "0"), &s), OPTIONS_RUN);
    ck_assert_uint_eq(s.size_max, 0);
    ck_assert_int_eq(search(WORDS("./sut", "--size-max", "64K"), &s), OPTIONS_RUN);
    ck_assert_uint_eq(s.size_max, 65536);
    ck_assert_int_eq(search(WORDS("./sut", "--size-max", is_wide ? "8G" : "1G"), &s), OPTIONS_RUN);
    ck_assert_uint_eq(s.size_max, INPUT_SIZE_MAX);
    const char *more = is_wide ? "8589934593" : "1073741825";
    ck_assert_int_eq(search(WORDS("./sut", "--size-max", more), &s), OPTIONS_WRONG);
    ck_assert_int_eq(search(WORDS("./sut", "--size-max", "9G"), &s), OPTIONS_WRONG);
    ck_assert_int_eq(search(WORDS("./sut", "--size-max", ""), &s), OPTIONS_WRONG);
}

TEST(search_defaults_and_values) {
    search_options o;
    ck_assert_int_eq(search(WORDS("./sut"), &o), OPTIONS_RUN);
    ck_assert_uint_eq(o.attempts, 100);
    ck_assert_uint_eq(o.size_max, 4 << 20);
    ck_assert_uint_ge(o.work.jobs, 1);
    ck_assert_int_eq(o.work.budget_ns, CLOCK_NEVER);
    ck_assert_int_eq(o.expand, EXPAND_BOTH);
    ck_assert(!o.has_rng_seed && o.work.findings == NULL && o.work.json == NULL && !o.work.quiet &&
              !o.work.verbose);
    ck_assert_int_eq(search(WORDS("./sut", "--attempts", "7", "--size-max=1K", "-j3", "--time",
                                  "2m", "--mode", "spawn", "--rng-seed", "0xff", "--findings", "d",
                                  "--expand", "styled", "--json", "-", "-q", "--", "-v"),
                            &o),
                     OPTIONS_RUN);
    ck_assert_uint_eq(o.attempts, 7);
    ck_assert_uint_eq(o.size_max, 1024);
    ck_assert_int_eq(o.expand, EXPAND_STYLED);
    ck_assert_uint_eq(o.work.jobs, 3);
    ck_assert_int_eq(o.work.budget_ns, 120 * CLOCK_NS_PER_S);
    ck_assert(o.has_rng_seed && o.rng_seed == 255 && o.work.quiet && !o.work.verbose);
    ck_assert_str_eq(o.work.findings, "d");
    ck_assert_str_eq(o.work.json, "-");
    ck_assert_str_eq(o.work.rest.args[0], "-v");
}

TEST(frng_search_refuses_bad_options_in_one_line) {
    const char *const *const lines[] = {WORDS("--", "./sut"),
                                        WORDS("./sut", "--attempts", "0"),
                                        WORDS("./sut", "--attempts", "-1"),
                                        WORDS("./sut", "--attempts", "1000000000001"),
                                        WORDS("./sut", "--size-max", "9G"),
                                        WORDS("./sut", "--jobs", "0"),
                                        WORDS("./sut", "--jobs", "257"),
                                        WORDS("./sut", "--jobs", "4294967297"),
                                        WORDS("./sut", "--time", "0s"),
                                        WORDS("./sut", "--memory", "0"),
                                        WORDS("./sut", "--mode", "fast"),
                                        WORDS("./sut", "--strategy", "auto"),
                                        WORDS("./sut", "--rng-seed", "18446744073709551616"),
                                        WORDS("./sut", "--rng-seed", "17s"),
                                        WORDS("./sut", "--expand", "plain"),
                                        WORDS("./sut", "--expand", ""),
                                        WORDS("./sut", "--findings", ""),
                                        WORDS("./sut", "--json", ""),
                                        WORDS("./sut", "-q", "-v"),
                                        WORDS("./sut", "--only", "exit:0")};
    search_options o;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        ck_assert_msg(search(lines[i], &o) == OPTIONS_WRONG, "line %zu was taken", i);
        ck_assert_str_ne(capture_text, "");
    }
}

TEST(replay_takes_one_source) {
    const char *const *const good[] = {WORDS("./sut", "--size", "0", "--seed", "0"),
                                       WORDS("./sut", "--input", "-"),
                                       WORDS("./sut", "--hex", ""),
                                       WORDS("./sut", "--hex", "00fF"),
                                       WORDS("--finding", "f.json"),
                                       WORDS("--dump", "--size", "1", "--seed", "1"),
                                       WORDS("./sut", "--hex", "00", "--wrap", "gdb --args"),
                                       WORDS("./sut", "--hex", "00", "--runs", "1000000000")};
    const char *const *const bad[] = {WORDS("./sut"),
                                      WORDS("./sut", "--size", "1"),
                                      WORDS("./sut", "--seed", "1"),
                                      WORDS("--size", "1", "--seed", "1"),
                                      WORDS("./sut", "--size", "1", "--seed", "1", "--hex", "00"),
                                      WORDS("./sut", "--seed", "1", "--input", "x"),
                                      WORDS("./sut", "--hex", "00", "--finding", "x"),
                                      WORDS("./sut", "--hex", "0"),
                                      WORDS("./sut", "--hex", "0g"),
                                      WORDS("./sut", "--hex", "00", "--runs", "0"),
                                      WORDS("./sut", "--hex", "00", "--runs", "1000000001"),
                                      WORDS("./sut", "--hex", "00", "--wrap", " \t"),
                                      WORDS("./sut", "--hex", "00", "--wrap", "gdb", "--runs", "2"),
                                      WORDS("./sut", "--hex", "00", "--dump", "--wrap", "gdb"),
                                      WORDS("./sut", "--hex", "00", "--dump", "--runs", "2"),
                                      WORDS("./sut", "--finding", ""),
                                      WORDS("./sut", "--input", "")};
    replay_options o;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        ck_assert_msg(replay(good[i], &o) == OPTIONS_RUN, "line %zu: %s", i, capture_text);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ck_assert_msg(replay(bad[i], &o) == OPTIONS_WRONG, "line %zu was taken", i);
        ck_assert_str_ne(capture_text, "");
    }
}

static options_answer reduce(const char *const *words, reduce_options *o) {
    int count;
    char **argv = copy_words(words, &count);
    capture_begin();
    const options_answer answer = reduce_options_parse(count, argv, o);
    capture_end();
    return answer;
}

/* As frng-search and frng-reduce print them. */
TEST(results_are_taken_as_options) {
    const char *const *const seeded[] = {
        WORDS("./sut", "size=16", "seed=0x5"), WORDS("size=16 seed=5", "./sut"),
        WORDS("./sut", "size=16 seed=5\n"), WORDS("seed=5", "-q", "./sut", "size=16")};
    replay_options o;
    for (size_t i = 0; i < COUNT_OF(seeded); i++) {
        ck_assert_msg(replay(seeded[i], &o) == OPTIONS_RUN, "line %zu: %s", i, capture_text);
        ck_assert_str_eq(o.rest.sut, "./sut");
        ck_assert(o.input.has_size && o.input.seeded.size == 16);
        ck_assert(o.input.has_seed && o.input.seeded.seed == 5 &&
                  o.input.seeded.style == SEED_PLAIN);
    }
    ck_assert_int_eq(replay(WORDS("./sut", "size=16 seed=5s\n"), &o), OPTIONS_RUN);
    ck_assert(o.input.seeded.seed == 5 && o.input.seeded.style == SEED_STYLED);
    ck_assert_int_eq(replay(WORDS("./sut", "--seed", "5s", "--size", "16"), &o), OPTIONS_RUN);
    ck_assert(o.input.seeded.size == 16 && o.input.seeded.style == SEED_STYLED);
    ck_assert_int_eq(replay(WORDS("./sut", "size=2 hex=00ff"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.input.hex, "00ff");
    reduce_options r;
    ck_assert_int_eq(reduce(WORDS("./sut", "size=16", "seed=5s"), &r), OPTIONS_RUN);
    ck_assert(r.input.seeded.size == 16 && r.input.seeded.seed == 5);
    ck_assert_int_eq(r.input.seeded.style, SEED_STYLED);
    ck_assert_int_eq(replay(WORDS("./size=16", "--hex", "00"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.rest.sut, "./size=16");
    search_options s; /* which takes neither */
    ck_assert_int_eq(search(WORDS("size=16"), &s), OPTIONS_RUN);
    ck_assert_str_eq(s.work.rest.sut, "size=16");
}

TEST(results_that_are_none) {
    const struct {
        const char *const *words;
        const char *said;
    } cases[] = {{WORDS("./sut", "size=16"), "--size needs --seed"},
                 {WORDS("./sut", "size=16x seed=5"), "--size '16x' is not valid"},
                 {WORDS("./sut", "size=16 seed=5 more"), "unexpected argument 'more'"},
                 {WORDS("./sut", "size=16 output=x"), "unexpected argument 'output=x'"},
                 {WORDS("./sut", "size=16 seed=5 hex=00"), "give one of"},
                 {WORDS("./sut", "size=3 hex=00ff"), "--size and --hex disagree"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        replay_options o;
        ck_assert_int_eq(replay(cases[i].words, &o), OPTIONS_WRONG);
        assert_contains(capture_text, cases[i].said);
    }
}

TEST(a_program_and_a_file_as_for_creduce) {
    const char *const *const hinted[] = {WORDS("./check.sh", "big.c"),
                                         WORDS("./check.sh", "-j", "4", "big.c", "more.c")};
    const char *const *const others[] = {WORDS("./sut", "x", "--size", "1", "--seed", "1"),
                                         WORDS("file", "x", "--predicate", "./check.sh")};
    reduce_options o;
    for (size_t i = 0; i < COUNT_OF(hinted); i++) {
        ck_assert_int_eq(reduce(hinted[i], &o), OPTIONS_WRONG);
        assert_contains(capture_text, "unexpected argument 'big.c': to reduce a file, say ");
        assert_contains(capture_text, " --predicate ./check.sh big.c\n");
    }
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        ck_assert_int_eq(reduce(others[i], &o), OPTIONS_WRONG);
        assert_contains(capture_text, "unexpected argument 'x': arguments for");
    }
    replay_options r; /* which reduces nothing */
    ck_assert_int_eq(replay(WORDS("./check.sh", "big.c"), &r), OPTIONS_WRONG);
    assert_contains(capture_text, "unexpected argument 'big.c': arguments for");
}

TEST(reduce_defaults_and_values) {
    reduce_options o;
    ck_assert_int_eq(reduce(WORDS("./sut", "--hex", "00ff"), &o), OPTIONS_RUN);
    ck_assert_uint_ge(o.work.jobs, 1);
    ck_assert_int_eq(o.work.budget_ns, CLOCK_NEVER);
    ck_assert_int_eq(o.work.run.timeout_ns, 10 * CLOCK_NS_PER_S);
    ck_assert_uint_eq(o.calls_max, UINT64_MAX);
    ck_assert(o.output == NULL && !o.any_failure && !o.work.mode.is_forced &&
              signature_filter_is_empty(&o.work.run.filter));
    ck_assert_int_eq(
        reduce(WORDS("--finding", "f", "--output", "o", "--jobs=2", "--time", "1s", "--calls", "9",
                     "--timeout", "2s", "--memory", "1G", "--mode", "fork", "--stdin", "pipe",
                     "--any-failure", "--findings", "d", "--json", "-", "-v", "--", "-q"),
               &o),
        OPTIONS_RUN);
    ck_assert_str_eq(o.input.finding, "f");
    ck_assert_str_eq(o.output, "o");
    ck_assert_uint_eq(o.work.jobs, 2);
    ck_assert_int_eq(o.work.budget_ns, CLOCK_NS_PER_S);
    ck_assert_uint_eq(o.calls_max, 9);
    ck_assert(o.work.mode.is_forced && o.work.mode.mode == MODE_FORK && o.any_failure);
    ck_assert(o.work.verbose && !o.work.quiet);
    ck_assert_str_eq(o.work.rest.args[0], "-q");
}

TEST(a_predicate_takes_a_file) {
    reduce_options o;
    ck_assert_int_eq(reduce(WORDS("--predicate", "./p", "file"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.predicate, "./p");
    ck_assert_str_eq(o.work.rest.sut, "file");
    ck_assert(o.output == NULL && o.reducers.count == 0);
    ck_assert_int_eq(o.work.run.timeout_ns, 0);
    ck_assert_int_eq(
        reduce(WORDS("file", "--predicate=p", "--reducer", "clex", "--reducer", "./r a b",
                     "--timeout", "2s", "--memory", "1G", "--time", "1s", "--calls", "9", "-j", "3",
                     "--output", "o", "--json", "-", "-q", "--", "-x"),
               &o),
        OPTIONS_RUN);
    ck_assert_uint_eq(o.reducers.count, 2);
    ck_assert_str_eq(o.reducers.commands[0], "clex");
    ck_assert_str_eq(o.reducers.commands[1], "./r a b");
    ck_assert(o.work.quiet);
    ck_assert_int_eq(o.work.run.timeout_ns, 2 * CLOCK_NS_PER_S);
    ck_assert_str_eq(o.work.rest.args[0], "-x");
    reduce(WORDS("./p", "--hex", "00"), &o);
    ck_assert_ptr_null(o.predicate);
}

TEST(reducers_are_counted) {
    static const char *const many = "--reducer=x";
    const char *words[2 * REDUCE_OPTIONS_REDUCERS_MAX] = {"frng-test", "--predicate=p", "file"};
    char texts[2 * REDUCE_OPTIONS_REDUCERS_MAX][16], *argv[2 * REDUCE_OPTIONS_REDUCERS_MAX];
    reduce_options o;
    for (int extra = 0; extra <= 1; extra++) {
        const int count = 3 + REDUCE_OPTIONS_REDUCERS_MAX + extra;
        for (int i = 0; i < count; i++) {
            snprintf(texts[i], sizeof texts[i], "%s", i < 3 ? words[i] : many);
            argv[i] = texts[i];
        }
        argv[count] = NULL;
        capture_begin();
        const options_answer answer = reduce_options_parse(count, argv, &o);
        capture_end();
        ck_assert_int_eq(answer, extra == 0 ? OPTIONS_RUN : OPTIONS_WRONG);
        ck_assert_uint_eq(o.reducers.count, REDUCE_OPTIONS_REDUCERS_MAX);
    }
}

TEST(options_that_were_said_are_known) {
    static const char *const names[] = {"text", "vast", "flag", NULL}, *const none[] = {NULL};
    toy t;
    operands rest;
    ck_assert_int_eq(parse(WORDS("--vast", "x", "-f"), &t, &rest), OPTIONS_RUN);
    ck_assert_str_eq(options_first_given(&rest, &table, names), "vast");
    ck_assert_ptr_null(options_first_given(&rest, &table, none));
    ck_assert_int_eq(parse(WORDS("-f"), &t, &rest), OPTIONS_RUN);
    ck_assert_str_eq(options_first_given(&rest, &table, names), "flag");
    ck_assert_int_eq(parse(WORDS("-v", "x", "--", "-f"), &t, &rest), OPTIONS_RUN);
    ck_assert_ptr_null(options_first_given(&rest, &table, names));
}

TEST(frng_reduce_refuses_bad_options_in_one_line) {
    const char *const *const lines[] = {
        WORDS("./sut"),
        WORDS("--hex", "00"),
        WORDS("./sut", "--size", "1"),
        WORDS("./sut", "--hex", "0"),
        WORDS("./sut", "--hex", "00", "--input", "f"),
        WORDS("./sut", "--hex", "00", "--finding", "f"),
        WORDS("./sut", "--hex", "00", "--output", ""),
        WORDS("./sut", "--hex", "00", "--calls", "0"),
        WORDS("./sut", "--hex", "00", "--calls", "x"),
        WORDS("./sut", "--hex", "00", "--jobs", "0"),
        WORDS("./sut", "--hex", "00", "--mode", "quick"),
        WORDS("./sut", "--hex", "00", "--only", "exit:1", "--any-failure"),
        WORDS("./sut", "--hex", "00", "-q", "-v"),
        WORDS("./sut", "--hex", "00", "--attempts", "1"),
        WORDS("./sut", "--hex", "00", "--reducer", "clex"),
        WORDS("--predicate", "./p"),
        WORDS("--predicate", "", "f"),
        WORDS("--predicate", "./p", "f", "g"),
        WORDS("--predicate", "./p", "f", "--reducer", ""),
        WORDS("--predicate", "./p", "f", "--hex", "00"),
        WORDS("--predicate", "./p", "f", "--size", "1", "--seed", "1"),
        WORDS("--predicate", "./p", "f", "--mode", "auto"),
        WORDS("--predicate", "./p", "f", "--stdin", "file"),
        WORDS("--predicate", "./p", "f", "--findings", "d"),
        WORDS("--predicate", "./p", "f", "--finding", "x"),
        WORDS("--predicate", "./p", "f", "--only", "exit:1"),
        WORDS("--predicate", "./p", "f", "--any-failure"),
        WORDS("--predicate", "./p", "f", "-q", "-v")};
    reduce_options o;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        ck_assert_msg(reduce(lines[i], &o) == OPTIONS_WRONG, "line %zu was taken", i);
        ck_assert_str_ne(capture_text, "");
    }
}

static const char *help_of(const option_table *real) {
    static char text[8192];
    const int saved = dup(STDOUT_FILENO);
    const int pipe_end = memfd_create("help", 0);
    fflush(stdout);
    ck_assert_int_eq(dup2(pipe_end, STDOUT_FILENO), STDOUT_FILENO);
    ck_assert(options_print_help(real));
    fflush(stdout);
    ck_assert_int_eq(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    const ssize_t count = pread(pipe_end, text, sizeof text - 1, 0);
    ck_assert_int_gt(count, 0);
    text[count] = '\0';
    close(saved);
    close(pipe_end);
    return text;
}

TEST(help_is_made_of_the_table) {
    ck_assert_str_eq(help_of(&table),
                     "Usage: frng-test\n"
                     "\n"
                     "What to run:\n"
                     "  -v, --value VALUE           A value\n"
                     "      --vast WORD             A word\n"
                     "When to stop:\n"
                     "      --text TEXT             A text (default: usual)\n"
                     "Output:\n"
                     "  -f, --flag; --on            A flag; another flag\n"
                     "  -h, --help; --version       Print this help; print the version\n"
                     "The end.\n");
}

TEST(help_fits_a_screen) {
    const option_table *const tables[] = {&search_options_table, &replay_options_table,
                                          &reduce_options_table};
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        const char *help = help_of(tables[i]);
        size_t lines = 0;
        for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1) {
            ck_assert_uint_lt(strcspn(line, "\n"), 80);
            lines++;
        }
        ck_assert_uint_le(lines, 32);
        assert_contains(help, "\nExample: frng-");
        assert_contains(help, "\nExit status:");
        ck_assert_int_eq(help[strlen(help) - 1], '\n');
    }
}
