/* Command lines of the tools: the first byte chooses one, the words are lines. What is taken
 * is within its bounds, and silent; what is not is told in one line. */
#include "fuzz.h"
#include "messages.h"
#include "options.h"
#include "pool.h"

enum { WORDS_MAX = 40 };

static void check_run(const run_options *o) {
    FUZZ_HOLDS(o->timeout_ns >= 0);
    FUZZ_HOLDS(o->stdin_kind == RUN_STDIN_FILE || o->stdin_kind == RUN_STDIN_PIPE);
    FUZZ_HOLDS(o->filter.only.count <= SIGNATURE_PATTERNS_MAX &&
               o->filter.ignored.count <= SIGNATURE_PATTERNS_MAX);
    if (o->rule.text != NULL) regfree((regex_t *)(uintptr_t)&o->rule.compiled);
    free(run_options_text(o));
}

static void check_work(const tool_options *o) {
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

static void check(const tool_options *o) {
    const bool takes_input = o->list == NULL && o->predicate == NULL;
    const bool needs_target = o->input.finding == NULL && !o->dump && o->list == NULL;
    if (o->tool == TOOL_REPORT || o->tool == TOOL_STATUS) {
        FUZZ_HOLDS(o->rest.file_count > 0);
        return;
    }
    FUZZ_HOLDS(o->rest.sut != NULL || !needs_target);
    if (o->tool != TOOL_SEARCH && takes_input) check_input(&o->input);
    if (o->tool != TOOL_REPLAY) check_work(o);
    if (o->tool == TOOL_REPLAY) {
        check_run(&o->run);
        FUZZ_HOLDS(o->runs >= 1 && o->runs <= 1000000000);
    }
    FUZZ_HOLDS(o->run.timeout_ns > 0 || o->predicate != NULL);
    FUZZ_HOLDS(o->attempts <= UINT64_C(1000000000000) && o->size_max <= INPUT_SIZE_MAX);
    FUZZ_HOLDS(o->calls_max >= 1 && o->reducers.count <= REDUCERS_MAX);
    FUZZ_HOLDS(o->predicate != NULL || o->reducers.count == 0);
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
    tool_options o;
    fuzz_input in = {bytes, size};
    const uint8_t tool = fuzz_u8(&in);
    char *text = fuzz_text(&in), *said = NULL;
    size_t length = 0;
    FILE *terminal = stderr;
    stderr = open_memstream(&said, &length);
    FUZZ_HOLDS(stderr != NULL);
    const int argc = split(text, argv);
    const options_answer answer = options_parse((tool_kind)(1U << tool % 5), argc, argv, &o);
    if (answer == OPTIONS_RUN) check(&o);
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
