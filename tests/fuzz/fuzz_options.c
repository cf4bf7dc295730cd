/* Command lines of the three tools: the first byte chooses one, the words are lines. What is taken
 * is within its bounds, and silent; what is not is told in one line. */
#include "fuzz.h"
#include "messages.h"
#include "pool.h"
#include "reduce_options.h"
#include "replay_options.h"
#include "search_options.h"

enum { WORDS_MAX = 40 };

static void check_run(const run_options *o) {
    FUZZ_HOLDS(o->timeout_ns >= 0);
    FUZZ_HOLDS(o->stdin_kind == RUN_STDIN_FILE || o->stdin_kind == RUN_STDIN_PIPE);
    FUZZ_HOLDS(o->filter.only.count <= SIGNATURE_PATTERNS_MAX &&
               o->filter.ignored.count <= SIGNATURE_PATTERNS_MAX);
    if (o->rule.text != NULL) regfree((regex_t *)(uintptr_t)&o->rule.compiled);
    free(run_options_text(o));
}

static void check_work(const work_options *o) {
    check_run(&o->run);
    FUZZ_HOLDS(o->jobs >= 1 && o->jobs <= POOL_JOBS_MAX);
    FUZZ_HOLDS(o->budget_ns > 0);
    FUZZ_HOLDS(!o->mode.is_forced ||
               (o->mode.mode >= MODE_SPAWN && o->mode.mode <= MODE_PERSISTENT));
    FUZZ_HOLDS(o->rest.args != NULL && !(o->quiet && o->verbose));
}

static void check_input(const input_options *o) {
    FUZZ_HOLDS(o->seeded.size <= INPUT_SIZE_MAX && o->has_size >= o->has_seed);
    FUZZ_HOLDS(o->has_seed + (o->file != NULL) + (o->hex != NULL) + (o->finding != NULL) == 1);
    FUZZ_HOLDS(o->hex == NULL || strlen(o->hex) % 2 == 0);
    if (!o->has_size || o->has_seed) return;
    FUZZ_HOLDS(o->hex != NULL && strlen(o->hex) == 2 * o->seeded.size);
}

static options_answer parse_search(int argc, char **argv) {
    search_options o;
    const options_answer answer = search_options_parse(argc, argv, &o);
    if (answer != OPTIONS_RUN) return answer;
    check_work(&o.work);
    FUZZ_HOLDS(o.work.run.timeout_ns > 0 && o.work.rest.sut != NULL);
    FUZZ_HOLDS(o.attempts >= 1 && o.attempts <= UINT64_C(1000000000000));
    FUZZ_HOLDS(o.size_max <= INPUT_SIZE_MAX);
    return answer;
}

static options_answer parse_replay(int argc, char **argv) {
    replay_options o;
    const options_answer answer = replay_options_parse(argc, argv, &o);
    if (answer != OPTIONS_RUN) return answer;
    check_run(&o.run);
    check_input(&o.input);
    FUZZ_HOLDS(o.run.timeout_ns > 0 && o.runs >= 1 && o.runs <= 1000000000);
    FUZZ_HOLDS(o.rest.sut != NULL || o.input.finding != NULL || o.dump);
    return answer;
}

static options_answer parse_reduce(int argc, char **argv) {
    reduce_options o;
    const options_answer answer = reduce_options_parse(argc, argv, &o);
    if (answer != OPTIONS_RUN) return answer;
    check_work(&o.work);
    if (o.predicate == NULL) check_input(&o.input);
    FUZZ_HOLDS(o.calls_max >= 1 && o.reducers.count <= REDUCE_OPTIONS_REDUCERS_MAX);
    FUZZ_HOLDS(o.predicate != NULL || o.reducers.count == 0);
    FUZZ_HOLDS(o.work.rest.sut != NULL || o.input.finding != NULL);
    return answer;
}

/* Cut at line ends, in place: NULL behind the last. */
static int split(char *text, char **argv) {
    int argc = 0;
    argv[argc++] = (char *)(uintptr_t) "frng";
    for (char *rest = text, *word; argc < WORDS_MAX && (word = strsep(&rest, "\n")) != NULL;) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char *argv[WORDS_MAX + 1];
    fuzz_input in = {bytes, size};
    const uint8_t tool = fuzz_u8(&in);
    char *text = fuzz_text(&in), *said = NULL;
    size_t length = 0;
    FILE *terminal = stderr;
    stderr = open_memstream(&said, &length);
    FUZZ_HOLDS(stderr != NULL);
    const int argc = split(text, argv);
    const options_answer answer = tool % 3 == 0   ? parse_search(argc, argv)
                                  : tool % 3 == 1 ? parse_replay(argc, argv)
                                                  : parse_reduce(argc, argv);
    fclose(stderr);
    stderr = terminal;
    if (answer == OPTIONS_WRONG) {
        FUZZ_HOLDS(length > 0 && strchr(said, '\n') == said + length - 1);
        FUZZ_HOLDS(strpbrk(said, "\x1b\a\b\r\t\f\v\x7f") == NULL);
    } else {
        FUZZ_HOLDS(length == 0);
    }
    free(said);
    free(text);
    return 0;
}
