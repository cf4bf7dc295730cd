#include "replay_options.h"

#include "messages.h"
#include "units.h"
#include "words.h"

#include <stddef.h>
#include <string.h>

const char replay_options_help[] =
    "Usage: frng-replay ./sut --size N --seed S [options] [-- ARG...]\n"
    "       frng-replay ./sut --input FILE | --hex BYTES | --finding FILE ...\n"
    "\n"
    "Run a program once on the input that frng-search found, in the foreground.\n"
    "\n"
    "      --size N         bytes of entropy\n"
    "      --seed SEED      the seed they are expanded from\n"
    "      --input FILE     entropy as it stands in a file; - is standard input\n"
    "      --hex BYTES      entropy in hex\n"
    "      --finding FILE   all of that, program and arguments too, from a finding\n"
    "      --dump           write the entropy to standard output, and run nothing\n"
    "      --trace          print each draw of the run (needs frng_main.h)\n"
    "      --runs K         run K times, output hidden, and tell how often it fails\n"
    "      --wrap CMD       run it under another program: --wrap 'gdb --args'\n"
    "      --only IDENTITY  exit 125 if it fails otherwise than so\n"
    "      --timeout TIME   a run that takes longer hangs, and fails (10s)\n"
    "      --memory SIZE    limit the address space of the run\n"
    "      --stdin KIND     what stdin is: file, pipe (file)\n"
    "  -q, --quiet          no verdict on standard error\n"
    "  -h, --help           print this;  --version  print the version\n"
    "\n"
    "Exit status: 0 it passes, 1 it fails, 125 it cannot be judged, 129 usage.\n"
    "That is what 'git bisect run' asks for.\n";

static bool set_runs(void *runs, const char *value) {
    uint64_t *to = runs;
    return units_parse_count(value, to) && *to >= 1 && *to <= 1000000000;
}

static bool set_wrap(void *line, const char *value) {
    *(const char **)line = value;
    return words_check(value);
}

static bool set_timeout(void *options, const char *value) {
    replay_options *o = options;
    o->has_timeout = true;
    return run_options_set_timeout(&o->run, value);
}

#define AT(field) offsetof(replay_options, field)

static const option_spec specs[] = {
    {"size", 0, OPTIONS_EXPECT_SIZE, input_options_set_size, AT(input)},
    {"seed", 0, OPTIONS_EXPECT_SEED, input_options_set_seed, AT(input)},
    {"input", 0, OPTIONS_EXPECT_STREAM, options_set_text, AT(input.file)},
    {"hex", 0, INPUT_EXPECT_HEX, input_options_set_hex, AT(input)},
    {"finding", 0, OPTIONS_EXPECT_FILE, options_set_text, AT(input.finding)},
    {"dump", 0, NULL, options_set_flag, AT(dump)},
    {"trace", 0, NULL, options_set_flag, AT(trace)},
    {"runs", 0, OPTIONS_EXPECT_COUNT, set_runs, AT(runs)},
    {"wrap", 0, "a program and its arguments, such as 'gdb --args'", set_wrap, AT(wrap)},
    {"only", 0, OPTIONS_EXPECT_IDENTITY, run_options_set_only, AT(run)},
    {"timeout", 0, OPTIONS_EXPECT_DURATION, set_timeout, 0},
    {"memory", 0, OPTIONS_EXPECT_MEMORY, run_options_set_memory, AT(run)},
    {"stdin", 0, OPTIONS_EXPECT_STDIN, run_options_set_stdin, AT(run)},
    {"quiet", 'q', NULL, options_set_flag, AT(quiet)},
};

/* What is wrong with the options together, or NULL. */
static const char *find_conflict(const replay_options *o) {
    const char *conflict = input_options_conflict(&o->input);
    if (conflict != NULL) return conflict;
    if (o->wrap != NULL && o->runs > 1) return "--wrap and --runs exclude each other";
    if (o->trace && (o->wrap != NULL || o->runs > 1)) return "--trace goes with one run, unwrapped";
    if (o->dump && (o->trace || o->wrap != NULL || o->runs > 1)) return "--dump runs nothing";
    return NULL;
}

options_answer replay_options_parse(int argc, char **argv, replay_options *o) {
    memset(o, 0, sizeof *o);
    o->run = run_options_default;
    o->runs = 1;
    const options_answer answer =
        options_parse(argc, argv, specs, sizeof specs / sizeof specs[0], o, &o->rest);
    if (answer != OPTIONS_RUN) return answer;
    const char *conflict = find_conflict(o);
    if (conflict != NULL) {
        message_usage("%s", conflict);
        return OPTIONS_WRONG;
    }
    if (o->rest.sut == NULL && o->input.finding == NULL && !o->dump) {
        options_missing_target();
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}
