/* options.h: the command lines of the tools, as rows: words, and what is set or said. */
#include "fixture.h"
#include "options.h"

#include "clock.h"
#include "messages.h"

#include <inttypes.h>

enum { WORDS_MAX = 80 };
static const tool_kind S = TOOL_SEARCH, P = TOOL_REPLAY, R = TOOL_REDUCE, O = TOOL_REPORT,
                       U = TOOL_STATUS;

/* Parse words that blanks separate: "''" is an empty one, and _ a blank in a word. A valid line
 * prints nothing, a wrong one a single message, and below it, indented, what to write. */
static options_answer parse(tool_kind tool, const char *text, tool_options *o) {
    static char copy[2048], empty[1], *words[WORDS_MAX] = {"frng-test"};
    int count = 1;
    char *rest;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        words[count++] = strcmp(word, "''") == 0 ? empty : word;
        for (char *blank = word; (blank = strchr(blank, '_')) != NULL;) *blank = ' ';
    }
    words[count] = NULL;
    message_init("frng-test", false);
    capture_begin();
    const options_answer answer = options_parse(tool, count, words, o);
    capture_end();
    const char *end = strchr(capture_text, '\n');
    if (answer == OPTIONS_WRONG) {
        while (end != NULL && strncmp(end, "\n  frng", 6) == 0) end = strchr(end + 1, '\n');
        ck_assert_msg(end != NULL && end[1] == '\0', "%s: not one line: '%s'", text, capture_text);
    } else {
        ck_assert_msg(end == NULL, "%s: '%s'", text, capture_text);
    }
    return answer;
}

/* ---- What is set ---- */

#define SHOW_TEXT(name, field)                                                                     \
    if (o->field != NULL) fprintf(out, " %s=%s", name, o->field)
#define SHOW_NUMBER(name, field)                                                                   \
    if ((uint64_t)o->field != (uint64_t)usual->field)                                              \
    fprintf(out, " %s=%" PRIu64, name, (uint64_t)o->field)

static void show_patterns(FILE *out, const char *name, const signature_patterns *p) {
    for (size_t i = 0; i < p->count; i++) fprintf(out, " %s=%s", name, p->list[i].text);
}

/* Return what a command line sets that differs from `usual`, as text. */
static const char *show(const tool_options *o, const tool_options *usual) {
    static char text[1024];
    FILE *out = fmemopen(text, sizeof text, "we");
    fputs(o->rest.sut != NULL ? o->rest.sut : "none", out);
    for (size_t i = 0; i < o->rest.file_count; i++) fprintf(out, " file=%s", o->rest.files[i]);
    for (char **arg = o->rest.args; *arg != NULL; arg++) fprintf(out, " <%s>", *arg);
    if (options_given(o, "size")) fprintf(out, " size=%" PRIu64, o->input.seeded.size);
    if (options_given(o, "seed")) fprintf(out, " seed=%" PRIu64, o->input.seeded.seed);
    if (o->input.seeded.style == SEED_STYLED) fputs("s", out);
    SHOW_TEXT("hex", input.hex);
    SHOW_TEXT("input", input.file);
    SHOW_TEXT("finding", input.finding);
    SHOW_NUMBER("timeout", run.limits.timeout_ns);
    SHOW_NUMBER("memory", run.limits.memory_max);
    SHOW_NUMBER("stdin", run.limits.stdin_kind);
    show_patterns(out, "only", &o->run.filter.only);
    show_patterns(out, "ignore", &o->run.filter.ignored);
    SHOW_TEXT("signature", run.rule.text);
    SHOW_NUMBER("jobs", jobs);
    SHOW_NUMBER("time", budget_ns);
    SHOW_NUMBER("mode", mode);
    SHOW_NUMBER("attempts", attempts);
    SHOW_NUMBER("size-max", size_max);
    SHOW_NUMBER("expand", expand);
    if (options_given(o, "rng-seed")) fprintf(out, " rng-seed=%" PRIu64, o->rng_seed);
    SHOW_NUMBER("sync", sync_ns);
    SHOW_NUMBER("calls", calls_max);
    SHOW_NUMBER("any", any_failure);
    SHOW_NUMBER("unconfirmed", unconfirmed);
    SHOW_NUMBER("runs", runs);
    SHOW_NUMBER("trace", trace);
    SHOW_NUMBER("status-json", prints_json);
    SHOW_TEXT("findings", findings);
    SHOW_TEXT("json", json);
    SHOW_TEXT("output", output);
    SHOW_TEXT("predicate", predicate);
    for (size_t i = 0; i < o->reducers.count; i++)
        fprintf(out, " reducer=%s", o->reducers.commands[i]);
    if (o->quiet) fputs(" quiet", out);
    if (o->verbose) fputs(" verbose", out);
    fclose(out);
    return text;
}

TEST(what_lines_set) {
    static const struct {
        tool_kind tool;
        const char *line, *set;
    } rows[] = {
        /* Options stand before and after the target; arguments follow two dashes. */
        {S, "--jobs 250 -q ./sut", "./sut jobs=250 quiet"},
        {S, "./sut --jobs 250 -q", "./sut jobs=250 quiet"},
        {S, "-qj250 ./sut", "./sut jobs=250 quiet"},
        {S, "-j250 ./sut --quiet --", "./sut jobs=250 quiet"},
        {S, "./sut -q -- -v --jobs -- --help x", "./sut <-v> <--jobs> <--> <--help> <x> quiet"},
        {S, "--findings -- ./sut", "./sut findings=--"},
        {S, "./sut --findings a --findings=b=c", "./sut findings=b=c"},
        {S, "-j250 -", "- jobs=250"},
        {O, "a -o page b -- -c", "none file=a file=b file=-c <-c> output=page"},
        {O, "a", "none file=a output=report.html"},
        {U, "--json found", "none file=found status-json=1"},
        /* Values of searches. */
        {S,
         "./sut --timeout 1.5s --memory 512M --stdin pipe --only signal:ABRT --only exit:3 "
         "--ignore asan:SEGV_at_a.c:* --signature bug_([0-9]+)",
         "./sut timeout=1500000000 memory=536870912 stdin=1 only=signal:ABRT only=exit:3 "
         "ignore=asan:SEGV at a.c:* signature=bug ([0-9]+)"},
        {S,
         "./sut --attempts 7 --size-max=1K -j3 -j250 --time 2m --mode spawn --rng-seed 0xff "
         "--findings d --expand styled --json - -q -- -v",
         "./sut <-v> jobs=250 time=120000000000 mode=0 attempts=7 size-max=1024 expand=1 "
         "rng-seed=255 findings=d json=- quiet"},
        {S, "./sut --size-max 0", "./sut size-max=0"},
        {S, "./sut --sync never --jobs 256", "./sut jobs=256"},
        {S, "./sut --keep-going --time 1s", "./sut time=1000000000"},
        {S, "./sut --keep-going --time 1s --findings d",
         "./sut time=1000000000 sync=60000000000 findings=d"},
        {S, "./sut --quiet --ui line --expand both --mode auto", "./sut quiet"},
        {S, "size=16", "size=16"},
        /* Inputs, and results as frng-search and frng-reduce print them. */
        {P, "./sut size=16 seed=0x5", "./sut size=16 seed=5"},
        {P, "size=16_seed=5 ./sut", "./sut size=16 seed=5"},
        {P, "./sut size=16_seed=5s\n", "./sut size=16 seed=5s"},
        {P, "./sut size=2_hex=00ff", "./sut size=2 hex=00ff"},
        {P, "./sut size=16, seed=0x5;", "./sut size=16 seed=5"},
        {P, "./size=16 --hex ''", "./size=16 hex="},
        {P, "./sut --input - -- @@", "./sut <@@> input=-"},
        {P, "--finding f.json --runs 1000000000", "none finding=f.json runs=1000000000"},
        {P, "./sut --hex 0x00,0xfF", "./sut hex=00fF"},
        {P, "./sut --hex 00fF --trace --runs 1", "./sut hex=00fF trace=1"},
        {P, "--dump --size 0 --seed 0", "none size=0 seed=0"},
        {P, "--list d --only exit:1 -q", "none only=exit:1 quiet"},
        {R,
         "--finding f --output o --jobs=250 --time 1s --calls 9 --timeout 2s --memory 1G --mode "
         "fork --any-failure --findings d --json - -v -- -q",
         "none <-q> finding=f timeout=2000000000 memory=1073741824 jobs=250 time=1000000000 "
         "mode=1 calls=9 any=1 findings=d json=- output=o verbose"},
        {R, "./sut --hex 00 --unconfirmed", "./sut hex=00 unconfirmed=1"},
        /* A predicate takes a file. */
        {R, "--predicate ./p file", "file timeout=0 predicate=./p"},
        {R, "file --predicate=p --reducer clex --reducer ./r_a_b --timeout 2s --output o -- -x",
         "file <-x> timeout=2000000000 output=o predicate=p reducer=clex reducer=./r a b"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        tool_options usual, o;
        parse(rows[i].tool, "./sut", &usual);
        ck_assert_msg(parse(rows[i].tool, rows[i].line, &o) == OPTIONS_RUN, "%s", capture_text);
        ck_assert_str_eq(show(&o, &usual), rows[i].set);
        if (o.run.rule.text != NULL) regfree(o.run.rule.compiled);
    }
}

TEST(what_is_set_without_options) {
    tool_options o;
    ck_assert_int_eq(parse(S, "./sut", &o), OPTIONS_RUN);
    ck_assert(o.attempts == 100 && o.size_max == 4 << 20 && o.expand == EXPAND_BOTH);
    ck_assert(o.jobs >= 1 && o.budget_ns == CLOCK_NEVER && o.calls_max == UINT64_MAX);
    ck_assert(o.run.limits.timeout_ns == 10 * CLOCK_NS_PER_S &&
              o.run.limits.stdin_kind == RUN_STDIN_FILE);
    ck_assert(!options_given(&o, "rng-seed") && o.mode == MODE_AUTO && o.run.rule.compiled == NULL);
}

TEST(help_and_version_come_at_once) {
    tool_options o;
    ck_assert_int_eq(parse(S, "--help", &o), OPTIONS_HELP);
    ck_assert_int_eq(parse(S, "./sut -h --nonsense", &o), OPTIONS_HELP);
    ck_assert_int_eq(parse(S, "-qh", &o), OPTIONS_HELP);
    ck_assert_int_eq(parse(S, "--version", &o), OPTIONS_VERSION);
    ck_assert_int_eq(parse(S, "./sut -- --help", &o), OPTIONS_RUN);
    ck_assert_int_eq(parse(S, "--nonsense --help", &o), OPTIONS_WRONG);
}

TEST(run_options_are_written_as_they_are_read) {
    static const char *const rows[][2] = {
        {"./sut", ""},
        {"./sut --timeout 10s --stdin file", ""},
        {"./sut --timeout 500ms --memory 2G --stdin pipe",
         " --timeout 500ms --memory 2G --stdin pipe"},
        {"./sut --timeout 0.5ms --memory 8M", " --timeout 0.5ms --memory 8M"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        tool_options o;
        ck_assert_int_eq(parse(S, rows[i][0], &o), OPTIONS_RUN);
        char *text = run_options_text(&o.run, RUN_OPTIONS_REPLAY);
        ck_assert_str_eq(text, rows[i][1]);
        free(text);
    }
}

/* ---- What is refused ---- */

static const struct {
    tool_kind tool;
    const char *line, *said;
} wrong[] = {
    {S, "-qx ./sut", "unknown option '-x'"},
    {S, "--s 1", "unknown option '--s'; see"},
    {S, "--att 1 --nonsense", "unknown option '--att': did you mean --attempts?"},
    {S, "--job=5", "unknown option '--job=5': did you mean --jobs?"},
    {S, "--fi", "did you mean --findings?"},
    {S, "--x", "unknown option '--x'; see"},
    {S, "--nothing-like-any-of-these-and-longer-than-all-of-them", "them'; see"},
    {S, "./sut -j", "option '-j' needs a value"},
    {S, "--jobs --quiet", "option '--jobs' needs a value before '--quiet'; see"},
    {S, "-qj --nonsense", "option '-qj' needs a value before '--nonsense'"},
    {S, "--help=1", "option '--help=1' takes no value"},
    {S, "--mode spawn_fork", "--mode 'spawn fork' is not valid"},
    {S, "sh -q b -- c", "unexpected argument 'b'"},
    {S, "-\xc3\xa9", "unknown option"},
    {S, "--\033[2J", "unknown option '--\\x1b[2J'"},
    {S, "./sut -runs=5", "unknown option '-runs=5': did you mean --runs? See 'frng-test"},
    {S, "-q -max-len=5", "unknown option '-max-len=5': did you mean --size-max?"},
    {R, "./sut -t5", "unknown option '-t5': did you mean --timeout or --time?"},
    {P, "--duration=5", "unknown option '--duration=5': --time is an option of frng-search, f"},
    {P, "-seed=5", "unknown option '-seed=5': did you mean --seed?"},
    {U, "-timeout=5", "unknown option '-timeout=5': --timeout is an option of"},
    {U, "--no-color", "unknown option '--no-color': it prints no colors; see"},
    {U, "--seed 1", "unknown option '--seed': --seed is an option of"},
    {P, "--sede 1", "unknown option '--sede': did you mean --seed? See 'frng-test"},
    {P, "--dees=5", "unknown option '--dees=5': did you mean --seed?"},
    {P, "--verison", "did you mean --version?"},
    {P, "./sut size=16x_seed=5", "--size '16x' is not valid"},
    {P, "./sut size=16_seed=5_more", "unexpected argument 'more': the result ends before it"},
    {P, "./sut size=16_output=x", "unexpected argument 'output=x'"},
    {P, "./sut size=16_seed=5_hex=00", "give one of"},
    {P, "./sut size=3_hex=00ff", "--size and --hex disagree"},
    {P, "sh big.c", "big.c: no such file; which input?"},
    {P, "sh big", "unexpected argument 'big': which input?"},
    {S, "sh -j 4 big x -q -- y", "unexpected argument 'big': arguments for the program"},
    {R, "sh -j 4 16 7s -q", "for an input of sh say --size 16 --seed 7s\n"},
    {R, "sh 0x00ff", "for an input of sh say --hex 0x00ff\n"},
    {R, "sh x --size 1", "unexpected argument 'x': arguments for"},
    {S, "./p -Z -q -- y", "unknown option '-Z': arguments for the program follow '--'; see"},
    {S, "-Z ./p", "unknown option '-Z'; see"},
    {S, "./p -m frng -j 3",
     "did you mean --memory? See 'frng-test --help'; arguments for the program follow '--'\n"},
    {S, "./p --seed=5 -q", "--seed=5: one input is run by frng-replay; a search has --rng-seed"},
    {S, "./p seed=5", "seed=5: one input is run by frng-replay"},
    {R, "f --predicate ./p --mode auto --hex 00", "--hex and --predicate exclude each other; see"},
    {R, "f --reducer clex", "--reducer needs --predicate"},
    {R, "--predicate ./p", "which file? Usage: frng-test --predicate CMD FILE"},
    {O, "-o x", "which events? Usage: frng-test EVENTS... [-o FILE]"},
    {U, "--json", "which folder? Usage: frng-test DIR..."},
    {S, "-- ./sut", "which program? Usage: frng-test TARGET [options] [-- ARG...]"},
    {S, "./sut --keep-going", "--keep-going needs --time or --runs; see"},
    {P, "--list d --timeout 1s", "--list takes only --only, --ignore and --quiet beside it"},
    {P, "--list d --json x", "--list takes only"},
    {R, "--hex 00", "which program?"},
};

TEST(what_is_wrong_is_said) {
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        tool_options o;
        ck_assert_msg(parse(wrong[i].tool, wrong[i].line, &o) == OPTIONS_WRONG, "%s",
                      wrong[i].line);
        assert_contains(capture_text, wrong[i].said);
    }
}

/* Behind "./sut": values out of bounds, and each conflict that no line above has. */
TEST(lines_that_are_refused) {
    static const struct {
        tool_kind tool;
        const char *lines;
    } rows[] = {
        {S, "--attempts 0; --attempts 1000000000001; --size-max 9G; --jobs 257; --jobs 4294967297; "
            "--time 0s; --timeout 0s; --memory 8191K; --mode ''; --mode fast; --only exit:0; "
            "--signature a(b; --signature ''; --findings ''; --require a; --sync 5s; --worker w; "
            "--sync 5s --keep-going --time 1s; -q -v; --ui dot; --all=1; --findings d --worker ''; "
            "--findings d --worker .a"},
        {P, "--seed 1; --seed 1 --input x; --hex 00 --finding x; --hex 0g; --hex 00 --runs 0; "
            "--hex 00 --runs 1000000001; --hex 00 --wrap ''; --hex 00 --wrap gdb --runs 2; "
            "--hex 00 --wrap gdb --only exit:1; --hex 00 --wrap gdb --json x; "
            "--hex 00 --trace --wrap gdb; --hex 00 --trace --runs 2; --hex 00 --dump --trace; "
            "--hex 00 --dump --wrap gdb; --hex 00 --dump --runs 2; --hex 00 --stdin pipe -- @@; "
            "--list d"},
        {R,
         "--size 1; --hex 00 --input f; --hex 00 --output ''; --hex 00 --calls 0; "
         "--hex 00 --only exit:1 --any-failure; --hex 00 -q -v; --predicate ''; "
         "--predicate p --reducer ''; --predicate p --size 1 --seed 1; --predicate p --mode auto; "
         "--predicate p --input f; "
         "--predicate p --stdin file; --predicate p --findings d; --predicate p --finding x; "
         "--predicate p --only exit:1; --predicate p --any-failure; "
         "--predicate p --explain no; --predicate p -q -v"},
    };
    char all[2048], line[256], *rest;
    tool_options o;
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        snprintf(all, sizeof all, "%s", rows[k].lines);
        for (char *at = strtok_r(all, ";", &rest); at != NULL; at = strtok_r(NULL, ";", &rest)) {
            snprintf(line, sizeof line, "./sut %s", at);
            ck_assert_msg(parse(rows[k].tool, line, &o) == OPTIONS_WRONG, "%s", line);
        }
    }
}

TEST(sizes_have_a_limit_and_so_have_reducers) {
    const bool is_wide = INPUT_SIZE_MAX >> 33 != 0;
    char line[1024] = "--predicate=p file";
    tool_options o;
    ck_assert_int_eq(parse(S, is_wide ? "./sut --size-max 8G" : "./sut --size-max 1G", &o),
                     OPTIONS_RUN);
    ck_assert_uint_eq(o.size_max, INPUT_SIZE_MAX);
    ck_assert_int_eq(
        parse(S, is_wide ? "./sut --size-max 8589934593" : "./sut --size-max 1073741825", &o),
        OPTIONS_WRONG);
    for (size_t i = 0; i < REDUCERS_MAX; i++) strcat(line, " --reducer=x");
    ck_assert_int_eq(parse(R, line, &o), OPTIONS_RUN);
    ck_assert_uint_eq(o.reducers.count, REDUCERS_MAX);
    ck_assert_int_eq(parse(R, strcat(line, " --reducer=x"), &o), OPTIONS_WRONG);
}

/* ---- Command lines ---- */

/* Write the words of a line, each behind a '<'. */
static bool split(const char *line, char *text, size_t size) {
    char copy[256], *rest = copy;
    bool ok = true;
    size_t length = 0;
    snprintf(copy, sizeof copy, "%s", line);
    text[0] = '\0';
    for (char *word; (word = words_next(&rest, &ok)) != NULL;)
        length += (size_t)snprintf(text + length, size - length, "<%s", word);
    return ok;
}

TEST(a_line_without_a_word_or_with_an_open_quote_is_none) {
    static const char *const bad[] = {"'", "\"",    "tool 'x",    "tool \"x", "tool \"x\\\"",
                                      "",  " \t\n", "tool 'it''s"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) ck_assert_msg(!words_check(bad[i]), "%s", bad[i]);
    ck_assert(words_check(" tool"));
}

TEST(a_shell_splits_the_same) {
    static const char *const lines[] = {
        "tool -x  a\tb",     " 'a  b'c \"d  e\"f ",  "a\\ b \\\\ \\' \\\" c\\d",
        "'' a \"\" b''\"\"", "'a\\' 'b\"c' \"d'e\"", "\"a\\\"b\\\\c\\$d\\`e\\f\\'\"",
        "'a'\\''b'",         "\\$a \\`b '$`'",       "\"a\\ b\" \t\t'c\td'\\\t"};
    char *shells = NULL, text[256], command[PATH_MAX + 16];
    size_t room = 0;
    FILE *script = fopen(test_dir_path("script"), "we");
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        fprintf(script, "set -- %s\nprintf '<%%s' \"$@\"; printf '\\0'\n", lines[i]);
    fclose(script);
    snprintf(command, sizeof command, "sh %s", test_dir_path("script"));
    FILE *output = popen(command, "re");
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        ck_assert(split(lines[i], text, sizeof text));
        ck_assert_int_gt(getdelim(&shells, &room, '\0', output), 0);
        ck_assert_msg(strcmp(shells, text) == 0, "%s: '%s', not '%s'", lines[i], text, shells);
    }
    free(shells);
    ck_assert_int_eq(pclose(output), 0);
}
