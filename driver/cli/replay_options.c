#include "replay_options.h"

#include "diag.h"
#include "units.h"
#include "wrap.h"

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

static bool set_size(void *options, const char *value) {
    replay_options *o = options;
    o->has_size = true;
    return options_parse_entropy_size(value, &o->size);
}

static bool set_seed(void *options, const char *value) {
    replay_options *o = options;
    o->has_seed = true;
    return units_parse_seed(value, &o->seed);
}

static bool set_input(void *options, const char *value) {
    ((replay_options *)options)->input = value;
    return value[0] != '\0';
}

static bool set_hex(void *options, const char *value) {
    ((replay_options *)options)->hex = value;
    return strlen(value) % 2 == 0 && strspn(value, "0123456789abcdefABCDEF") == strlen(value);
}

static bool set_finding(void *options, const char *value) {
    ((replay_options *)options)->finding = value;
    return value[0] != '\0';
}

static bool set_dump(void *options, const char *value) {
    (void)value;
    ((replay_options *)options)->dump = true;
    return true;
}

static bool set_trace(void *options, const char *value) {
    (void)value;
    ((replay_options *)options)->trace = true;
    return true;
}

static bool set_runs(void *options, const char *value) {
    replay_options *o = options;
    return units_parse_count(value, &o->runs) && o->runs >= 1 && o->runs <= 1000000000;
}

static bool set_wrap(void *options, const char *value) {
    ((replay_options *)options)->wrap = value;
    return wrap_check(value);
}

static bool set_only(void *options, const char *value) {
    return run_options_set_only(&((replay_options *)options)->run, value);
}

static bool set_timeout(void *options, const char *value) {
    replay_options *o = options;
    o->has_timeout = true;
    return run_options_set_timeout(&o->run, value);
}

static bool set_memory(void *options, const char *value) {
    return run_options_set_memory(&((replay_options *)options)->run, value);
}

static bool set_stdin(void *options, const char *value) {
    return run_options_set_stdin(&((replay_options *)options)->run, value);
}

static bool set_quiet(void *options, const char *value) {
    (void)value;
    ((replay_options *)options)->quiet = true;
    return true;
}

static const option_spec specs[] = {
    {"size", 0, OPTIONS_EXPECT_SIZE, set_size},
    {"seed", 0, OPTIONS_EXPECT_SEED, set_seed},
    {"input", 0, "the name of a file, or -", set_input},
    {"hex", 0, "an even count of hex digits", set_hex},
    {"finding", 0, "the name of a file", set_finding},
    {"dump", 0, NULL, set_dump},
    {"trace", 0, NULL, set_trace},
    {"runs", 0, "a whole number, at least 1", set_runs},
    {"wrap", 0, "a program and its arguments, such as 'gdb --args'", set_wrap},
    {"only", 0, OPTIONS_EXPECT_IDENTITY, set_only},
    {"timeout", 0, OPTIONS_EXPECT_DURATION, set_timeout},
    {"memory", 0, OPTIONS_EXPECT_MEMORY, set_memory},
    {"stdin", 0, OPTIONS_EXPECT_STDIN, set_stdin},
    {"quiet", 'q', NULL, set_quiet},
};

/* What is wrong with the options together, or NULL. */
static const char *find_conflict(const replay_options *o) {
    const bool seeded = o->has_size || o->has_seed;
    const int sources = seeded + (o->input != NULL) + (o->hex != NULL) + (o->finding != NULL);
    if (sources == 0) return "which input? Give --size and --seed, --input, --hex or --finding";
    if (sources > 1) return "give one of --size and --seed, --input, --hex, --finding";
    if (seeded && !o->has_size) return "--seed needs --size";
    if (seeded && !o->has_seed) return "--size needs --seed";
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
        diag_usage(conflict);
        return OPTIONS_WRONG;
    }
    if (o->rest.sut == NULL && o->finding == NULL && !o->dump) {
        diag_no_sut();
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}
