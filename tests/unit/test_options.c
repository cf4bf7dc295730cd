/* options.h: the command lines of the tools. */
#include "fixture.h"
#include "options.h"

#include "clock.h"
#include "messages.h"

#include <signal.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define WORDS(...) ((const char *const[]){"frng-test", __VA_ARGS__, NULL})

enum { COPIES = 4, WORDS_MAX = 80, WORD_MAX = 64 };

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

/* A valid line prints nothing, a wrong one a single message. */
static options_answer parse(tool_kind tool, const char *const *words, tool_options *o) {
    int count;
    char **argv = copy_words(words, &count);
    message_init("frng-test", false);
    capture_begin();
    const options_answer answer = options_parse(tool, count, argv, o);
    capture_end();
    const char *end = strchr(capture_text, '\n');
    if (answer == OPTIONS_WRONG) {
        ck_assert_msg(end != NULL && end[1] == '\0', "not one line: '%s'", capture_text);
    } else {
        ck_assert_str_eq(capture_text, "");
    }
    return answer;
}

static options_answer search(const char *const *words, tool_options *o) {
    return parse(TOOL_SEARCH, words, o);
}

static options_answer replay(const char *const *words, tool_options *o) {
    return parse(TOOL_REPLAY, words, o);
}

static options_answer reduce(const char *const *words, tool_options *o) {
    return parse(TOOL_REDUCE, words, o);
}

/* ---- Where options stand ---- */

TEST(options_stand_before_and_after) {
    const char *const *const lines[] = {
        WORDS("--jobs", "3", "-q", "./sut"),  WORDS("./sut", "--jobs", "3", "-q"),
        WORDS("-q", "./sut", "--jobs=3"),     WORDS("-qj3", "./sut"),
        WORDS("-j", "3", "./sut", "--quiet"), WORDS("-j3", "./sut", "-q", "--")};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        tool_options o;
        ck_assert_int_eq(search(lines[i], &o), OPTIONS_RUN);
        ck_assert_str_eq(o.rest.sut, "./sut");
        ck_assert_uint_eq(o.jobs, 3);
        ck_assert(o.quiet && !o.verbose);
        ck_assert_ptr_null(o.rest.args[0]);
    }
}

TEST(arguments_follow_two_dashes) {
    tool_options o;
    ck_assert_int_eq(search(WORDS("./sut", "-q", "--", "-v", "--jobs", "--", "--help", "x"), &o),
                     OPTIONS_RUN);
    ck_assert(o.quiet && !o.verbose);
    ck_assert_str_eq(o.rest.args[0], "-v");
    ck_assert_str_eq(o.rest.args[2], "--");
    ck_assert_str_eq(o.rest.args[4], "x");
    ck_assert_ptr_null(o.rest.args[5]);
    ck_assert_int_eq(search(WORDS("--", "./sut"), &o), OPTIONS_WRONG);
    assert_contains(capture_text, "which program? Usage: frng-test ./sut [options] [-- ARG...]");
    ck_assert_int_eq(search(WORDS("--findings", "--", "./sut"), &o), OPTIONS_RUN);
    ck_assert_msg(strcmp(o.findings, "--") == 0, "a value may be the end of the options");
    ck_assert_str_eq(o.rest.sut, "./sut");
}

TEST(the_last_value_counts) {
    tool_options o;
    ck_assert_int_eq(search(WORDS("./sut", "--findings", "a", "--findings=b=c"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.findings, "b=c");
    ck_assert_int_eq(search(WORDS("./sut", "--findings=--quiet"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.findings, "--quiet");
#ifdef __GLIBC__ /* for musl a lone "-" ends the options as "--" does */
    ck_assert_int_eq(search(WORDS("-j2", "-"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.rest.sut, "-");
#endif
}

TEST(help_and_version_come_at_once) {
    tool_options o;
    ck_assert_int_eq(search(WORDS("--help"), &o), OPTIONS_HELP);
    ck_assert_int_eq(search(WORDS("./sut", "-h", "--nonsense"), &o), OPTIONS_HELP);
    ck_assert_int_eq(search(WORDS("-qh"), &o), OPTIONS_HELP);
    ck_assert_int_eq(search(WORDS("--version"), &o), OPTIONS_VERSION);
    ck_assert_int_eq(search(WORDS("./sut", "--", "--help"), &o), OPTIONS_RUN);
    ck_assert_int_eq(search(WORDS("--nonsense", "--help"), &o), OPTIONS_WRONG);
}

TEST(files_are_all_operands) {
    tool_options o;
    ck_assert_int_eq(parse(TOOL_REPORT, WORDS("a", "-o", "page", "b", "--", "-c"), &o),
                     OPTIONS_RUN);
    ck_assert_str_eq(o.output, "page");
    ck_assert_uint_eq(o.rest.file_count, 3);
    ck_assert_str_eq(o.rest.files[2], "-c");
    ck_assert_int_eq(parse(TOOL_REPORT, WORDS("a"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.output, "report.html");
    ck_assert_int_eq(parse(TOOL_STATUS, WORDS("--json", "found"), &o), OPTIONS_RUN);
    ck_assert(o.prints_json && o.json == NULL);
}

TEST(what_is_wrong_is_said) {
    static const tool_kind S = TOOL_SEARCH, P = TOOL_REPLAY, R = TOOL_REDUCE;
    const struct {
        tool_kind tool;
        const char *const *words;
        const char *said;
    } cases[] = {
        {S, WORDS("--nonsense"), "unknown option '--nonsense'"},
        {S, WORDS("--nonsense=5"), "unknown option '--nonsense"},
        {S, WORDS("-x"), "unknown option '-x'"},
        {S, WORDS("-qx", "./sut"), "unknown option '-x'"},
        {S, WORDS("--s", "1"), "unknown option '--s'; see"},
        {S, WORDS("--job", "1", "--nonsense"), "option '--job' is cut short: say --jobs"},
        {S, WORDS("--qui"), "option '--qui' is cut short: say --quiet"},
        {S, WORDS("--job=5"), "option '--job' is cut short: say --jobs"},
        {S, WORDS("--hel"), "option '--hel' is cut short: say --help"},
        {S, WORDS("--vers"), "option '--vers' is cut short: say --version"},
        {S, WORDS("--x"), "unknown option '--x'; see"},
        {S, WORDS("--nothing-like-any-of-these-and-longer-than-all-of-them"), "them'; see"},
        {S, WORDS("--jobs"), "option '--jobs' needs a value"},
        {S, WORDS("./sut", "-j"), "option '-j' needs a value"},
        {S, WORDS("--jobs", "--quiet"), "option '--jobs' needs a value before '--quiet'; see"},
        {S, WORDS("-j", "--quiet"), "option '-j' needs a value before '--quiet'"},
        {S, WORDS("-qj", "--nonsense"), "option '-qj' needs a value before '--nonsense'"},
        {S, WORDS("--quiet=1"), "option '--quiet=1' takes no value"},
        {S, WORDS("--help=1"), "option '--help=1' takes no value"},
        {S, WORDS("-j0"), "--jobs '0' is not valid: give a whole number from 1 to 256"},
        {S, WORDS("--mode", "fast"), "'fast' is not valid: give auto, spawn, fork or persistent"},
        {S, WORDS("--mode", "spawn fork"), "--mode 'spawn fork' is not valid"},
        {S, WORDS("a", "b"), "unexpected argument 'b'"},
        {S, WORDS("a", "-q", "b", "--", "c"), "unexpected argument 'b'"},
        {S, WORDS("-\xc3\xa9"), "unknown option"},
        {S, WORDS("--\033[2J"), "unknown option '--\\x1b[2J'"},
        {S, WORDS("--seed=5"), "one input is run by frng-replay: frng-replay --seed=5"},
        {S, WORDS("./sut", "size=3 seed=4"), "run by frng-replay: frng-replay ./sut 'size=3 s"},
        {S, WORDS("--calls", "5"), "--calls is not an option of frng-test, but of frng-reduce"},
        {P, WORDS("--jobs=5"), "is not an option of frng-test, but of frng-search, frng-reduce"},
        {P, WORDS("--sede", "1"), "unknown option '--sede': did you mean --seed? See 'frng-test"},
        {P, WORDS("--dees=5"), "unknown option '--dees=5': did you mean --seed?"},
        {P, WORDS("--seeed=5"), "did you mean --seed?"},
        {P, WORDS("--sead"), "did you mean --seed?"},
        {P, WORDS("--hlep"), "did you mean --help?"},
        {P, WORDS("--verison"), "did you mean --version?"},
        {P, WORDS("./sut", "size=16"), "--size needs --seed"},
        {P, WORDS("./sut", "size=16x seed=5"), "--size '16x' is not valid"},
        {P, WORDS("./sut", "size=16 seed=5 more"), "unexpected argument 'more'"},
        {P, WORDS("./sut", "size=16 output=x"), "unexpected argument 'output=x'"},
        {P, WORDS("./sut", "size=16 seed=5 hex=00"), "give one of"},
        {P, WORDS("./sut", "size=3 hex=00ff"), "--size and --hex disagree"},
        {P, WORDS("./check.sh", "big.c"), "unexpected argument 'big.c': arguments for"},
        {R, WORDS("./p", "big.c"), "say frng-test --predicate ./p big.c\n"},
        {R, WORDS("./p", "-j", "4", "big.c", "x"), "'big.c': to reduce a file, say frng-test --pr"},
        {R, WORDS("./sut", "x", "--size", "1"), "unexpected argument 'x': arguments for"},
        {R, WORDS("file", "x", "--predicate", "./p"), "unexpected argument 'x': arguments for"},
        {R, WORDS("f", "--predicate", "./p", "--mode", "auto", "--hex", "00"),
         "--hex and --predicate exclude each other; see"},
        {R, WORDS("f", "--reducer", "clex"), "--reducer needs --predicate"},
        {R, WORDS("--predicate", "./p"), "which file? Usage: frng-test --predicate CMD FILE"},
        {TOOL_REPORT, WORDS("-o", "x"), "which events? Usage: frng-test EVENTS... [-o FILE]"},
        {TOOL_STATUS, WORDS("--json"), "which folder? Usage: frng-test DIR..."},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tool_options o;
        ck_assert_msg(parse(cases[i].tool, cases[i].words, &o) == OPTIONS_WRONG, "line %zu", i);
        assert_contains(capture_text, cases[i].said);
    }
}

/* ---- Their values ---- */

TEST(run_options_are_read) {
    tool_options s;
    const run_options *o = &s.run;
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
    regfree(&s.run.rule.compiled);
}

static void writes(const char *const *words, const char *expected) {
    tool_options s;
    ck_assert_int_eq(search(words, &s), OPTIONS_RUN);
    char *text = run_options_text(&s.run);
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
    tool_options s;
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
    tool_options o;
    ck_assert_int_eq(search(WORDS("./sut"), &o), OPTIONS_RUN);
    ck_assert_uint_eq(o.attempts, 100);
    ck_assert_uint_eq(o.size_max, 4 << 20);
    ck_assert_uint_ge(o.jobs, 1);
    ck_assert_int_eq(o.budget_ns, CLOCK_NEVER);
    ck_assert_int_eq(o.expand, EXPAND_BOTH);
    ck_assert(!o.has_rng_seed && o.findings == NULL && o.json == NULL && !o.quiet && !o.verbose);
    ck_assert_int_eq(search(WORDS("./sut", "--attempts", "7", "--size-max=1K", "-j3", "--time",
                                  "2m", "--mode", "spawn", "--rng-seed", "0xff", "--findings", "d",
                                  "--expand", "styled", "--json", "-", "-q", "--", "-v"),
                            &o),
                     OPTIONS_RUN);
    ck_assert_uint_eq(o.attempts, 7);
    ck_assert_uint_eq(o.size_max, 1024);
    ck_assert_int_eq(o.expand, EXPAND_STYLED);
    ck_assert_uint_eq(o.jobs, 3);
    ck_assert_int_eq(o.budget_ns, 120 * CLOCK_NS_PER_S);
    ck_assert(o.has_rng_seed && o.rng_seed == 255 && o.quiet && !o.verbose);
    ck_assert_str_eq(o.findings, "d");
    ck_assert_str_eq(o.json, "-");
    ck_assert_str_eq(o.rest.args[0], "-v");
}

/* As frng-search and frng-reduce print them. */
TEST(results_are_taken_as_options) {
    const char *const *const seeded[] = {
        WORDS("./sut", "size=16", "seed=0x5"), WORDS("size=16 seed=5", "./sut"),
        WORDS("./sut", "size=16 seed=5\n"), WORDS("seed=5", "-q", "./sut", "size=16")};
    tool_options o;
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
    tool_options r;
    ck_assert_int_eq(reduce(WORDS("./sut", "size=16", "seed=5s"), &r), OPTIONS_RUN);
    ck_assert(r.input.seeded.size == 16 && r.input.seeded.seed == 5);
    ck_assert_int_eq(r.input.seeded.style, SEED_STYLED);
    ck_assert_int_eq(replay(WORDS("./size=16", "--hex", "00"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.rest.sut, "./size=16");
    tool_options s; /* which takes neither */
    ck_assert_int_eq(search(WORDS("size=16"), &s), OPTIONS_RUN);
    ck_assert_str_eq(s.rest.sut, "size=16");
}

TEST(reduce_defaults_and_values) {
    tool_options o;
    ck_assert_int_eq(reduce(WORDS("./sut", "--hex", "00ff"), &o), OPTIONS_RUN);
    ck_assert_uint_ge(o.jobs, 1);
    ck_assert_int_eq(o.budget_ns, CLOCK_NEVER);
    ck_assert_int_eq(o.run.timeout_ns, 10 * CLOCK_NS_PER_S);
    ck_assert_uint_eq(o.calls_max, UINT64_MAX);
    ck_assert(o.output == NULL && !o.any_failure && !o.mode.is_forced &&
              signature_filter_is_empty(&o.run.filter));
    ck_assert_int_eq(
        reduce(WORDS("--finding", "f", "--output", "o", "--jobs=2", "--time", "1s", "--calls", "9",
                     "--timeout", "2s", "--memory", "1G", "--mode", "fork", "--stdin", "pipe",
                     "--any-failure", "--findings", "d", "--json", "-", "-v", "--", "-q"),
               &o),
        OPTIONS_RUN);
    ck_assert_str_eq(o.input.finding, "f");
    ck_assert_str_eq(o.output, "o");
    ck_assert_uint_eq(o.jobs, 2);
    ck_assert_int_eq(o.budget_ns, CLOCK_NS_PER_S);
    ck_assert_uint_eq(o.calls_max, 9);
    ck_assert(o.mode.is_forced && o.mode.mode == MODE_FORK && o.any_failure);
    ck_assert(o.verbose && !o.quiet);
    ck_assert_str_eq(o.rest.args[0], "-q");
}

TEST(a_predicate_takes_a_file) {
    tool_options o;
    ck_assert_int_eq(reduce(WORDS("--predicate", "./p", "file"), &o), OPTIONS_RUN);
    ck_assert_str_eq(o.predicate, "./p");
    ck_assert_str_eq(o.rest.sut, "file");
    ck_assert(o.output == NULL && o.reducers.count == 0);
    ck_assert_int_eq(o.run.timeout_ns, 0);
    ck_assert_int_eq(
        reduce(WORDS("file", "--predicate=p", "--reducer", "clex", "--reducer", "./r a b",
                     "--timeout", "2s", "--memory", "1G", "--time", "1s", "--calls", "9", "-j", "3",
                     "--output", "o", "--json", "-", "-q", "--", "-x"),
               &o),
        OPTIONS_RUN);
    ck_assert_uint_eq(o.reducers.count, 2);
    ck_assert_str_eq(o.reducers.commands[0], "clex");
    ck_assert_str_eq(o.reducers.commands[1], "./r a b");
    ck_assert(o.quiet);
    ck_assert_int_eq(o.run.timeout_ns, 2 * CLOCK_NS_PER_S);
    ck_assert_str_eq(o.rest.args[0], "-x");
    reduce(WORDS("./p", "--hex", "00"), &o);
    ck_assert_ptr_null(o.predicate);
}

TEST(reducers_are_counted) {
    const char *words[REDUCERS_MAX + 5] = {"frng-test", "--predicate=p", "file"};
    tool_options o;
    for (size_t i = 0; i < REDUCERS_MAX; i++) words[3 + i] = "--reducer=x";
    ck_assert_int_eq(reduce(words, &o), OPTIONS_RUN);
    ck_assert_uint_eq(o.reducers.count, REDUCERS_MAX);
    words[3 + REDUCERS_MAX] = "--reducer=x";
    ck_assert_int_eq(reduce(words, &o), OPTIONS_WRONG);
}

/* Cut a text at its blanks, "''" is an empty word, and take it as a command line. */
static options_answer parse_text(tool_kind tool, const char *text) {
    static char copy[256];
    const char *words[WORDS_MAX] = {"frng-test"};
    tool_options o;
    size_t count = 1;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = strcmp(word, "''") == 0 ? "" : word;
    return parse(tool, words, &o);
}

TEST(lines_that_are_taken) {
    static const char *const replays[] = {
        "./sut --size 0 --seed 0",   "./sut --input -",         "./sut --hex ''",
        "./sut --hex 00fF",          "--finding f.json",        "--dump --size 1 --seed 1",
        "./sut --hex 00 --wrap gdb", "./sut --hex 00 --runs 1", "./sut --hex 00 --runs 1000000000",
        "--list d --only exit:1 -q", "./sut --hex 00 --trace",  "./sut --input x -- @@"};
    static const char *const searches[] = {"./sut --sync never", "./sut --keep-going --time 1s",
                                           "./sut --quiet --ui line", "./sut --jobs 256",
                                           "./sut --expand both --mode auto"};
    for (size_t i = 0; i < COUNT_OF(replays); i++)
        ck_assert_msg(parse_text(TOOL_REPLAY, replays[i]) == OPTIONS_RUN, "%s", replays[i]);
    for (size_t i = 0; i < COUNT_OF(searches); i++)
        ck_assert_msg(parse_text(TOOL_SEARCH, searches[i]) == OPTIONS_RUN, "%s", searches[i]);
}

TEST(lines_that_are_refused) {
    /* Behind "./sut" */
    static const char searches[] =
        "--attempts 0; --attempts -1; --attempts 1000000000001; --size-max 9G; --jobs 0; "
        "--jobs 257; --jobs 4294967297; --time 0s; --memory 0; --memory x; --mode fast; "
        "--mode ''; --timeout 0s; --timeout 5; --stdin ''; --stdin pipes; --only abort; "
        "--only exit:0; --ignore a.c; --signature a(b; --signature ''; --strategy auto; "
        "--rng-seed 17s; --expand plain; --expand ''; --findings ''; --json ''; -q -v; "
        "-q --ui screen; --sync 5s; --worker w; --keep-going; --sync 0s; --ui dot; "
        "--containment no; --worker a/b; --worker .a; --worker ''; --require a; --all=1; "
        "--rng-seed 18446744073709551616";
    static const char replays[] =
        "--size 1; --seed 1; --size 1 --seed 1 --hex 00; --seed 1 --input x; "
        "--hex 00 --finding x; --hex 0; --hex 0g; --hex 00 --runs 0; "
        "--hex 00 --runs 1000000001; --hex 00 --wrap ''; --hex 00 --wrap gdb --runs 2; "
        "--hex 00 --wrap gdb --only exit:1; --hex 00 --wrap gdb --json x; "
        "--hex 00 --trace --wrap gdb; --hex 00 --trace --runs 2; --hex 00 --dump --trace; "
        "--hex 00 --dump --wrap gdb; --hex 00 --dump --runs 2; --hex 00 --stdin pipe -- @@; "
        "--list d; --finding ''; --input ''";
    static const char reductions[] =
        "--size 1; --hex 0; --hex 00 --input f; --hex 00 --finding f; --hex 00 --output ''; "
        "--hex 00 --calls 0; --hex 00 --calls x; --hex 00 --jobs 0; --hex 00 --mode quick; "
        "--hex 00 --effort low; --hex 00 --explain ''; --hex 00 --only exit:1 --any-failure; "
        "--hex 00 -q -v; --hex 00 --attempts 1; --hex 00 --reducer clex; --predicate ''; "
        "--predicate p --reducer ''; --predicate p --hex 00; --predicate p --size 1 --seed 1; "
        "--predicate p --mode auto; --predicate p --stdin file; --predicate p --findings d; "
        "--predicate p --finding x; --predicate p --only exit:1; --predicate p --any-failure; "
        "--predicate p --effort high; --predicate p --explain no; --predicate p -q -v";
    static const struct {
        tool_kind tool;
        const char *lines;
    } cases[] = {{TOOL_SEARCH, searches}, {TOOL_REPLAY, replays}, {TOOL_REDUCE, reductions}};
    char all[2048], line[256], *rest;
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        snprintf(all, sizeof all, "%s", cases[k].lines);
        for (char *at = strtok_r(all, ";", &rest); at != NULL; at = strtok_r(NULL, ";", &rest)) {
            snprintf(line, sizeof line, "./sut %s", at);
            ck_assert_msg(parse_text(cases[k].tool, line) == OPTIONS_WRONG, "%s", line);
        }
    }
    ck_assert_int_eq(parse_text(TOOL_REPLAY, "./sut"), OPTIONS_WRONG);
    ck_assert_int_eq(parse_text(TOOL_REDUCE, "./sut"), OPTIONS_WRONG);
    ck_assert_int_eq(parse_text(TOOL_REPLAY, "--list d --timeout 1s"), OPTIONS_WRONG);
    ck_assert_int_eq(parse_text(TOOL_REPLAY, "--list d --json x"), OPTIONS_WRONG);
    ck_assert_int_eq(parse_text(TOOL_REDUCE, "--hex 00"), OPTIONS_WRONG);
}
