#include "search_options.h"

#include "clock.h"
#include "diag.h"
#include "pool.h"
#include "units.h"

#include <string.h>

const char search_options_help[] =
    "Usage: frng-search ./sut [options] [-- ARG...]\n"
    "\n"
    "Find the smallest random input on stdin that makes a program fail: exit\n"
    "nonzero, die of a signal, or hang. Prints its size and seed for frng-replay.\n"
    "\n"
    "      --attempts N     fresh runs that must pass in a row (100)\n"
    "      --size-max SIZE  largest input, in bytes or with K, M, G (4M)\n"
    "  -j, --jobs N         runs at the same time (one a processor)\n"
    "      --timeout TIME   a run that takes longer hangs, and fails (10s)\n"
    "      --time TIME      stop after this long; without a failure go on till then\n"
    "      --memory SIZE    limit the address space of a run\n"
    "      --mode MODE      how to run: auto, spawn, fork, persistent (auto)\n"
    "      --strategy NAME  how to search: auto, classic (auto)\n"
    "      --stdin KIND     what stdin is: file, pipe (file)\n"
    "      --rng-seed SEED  repeat the search that printed this\n"
    "      --only IDENTITY  look for exit:N, signal:NAME or timeout only\n"
    "      --findings DIR   keep what is found there, and begin from what is there\n"
    "      --json FILE      write events as JSON Lines; - is standard output\n"
    "  -q, --quiet          print the result alone\n"
    "  -v, --verbose        tell more\n"
    "  -h, --help           print this;  --version  print the version\n"
    "\n"
    "Exit status: 0 no failure, 1 failure found, 2 usage or environment,\n"
    "3 no failure repeated, 4 output or findings could not be written.\n";

static bool set_attempts(void *options, const char *value) {
    search_options *o = options;
    return units_parse_count(value, &o->attempts) && o->attempts >= 1 &&
           o->attempts <= UINT64_C(1000000000000);
}

static bool set_size_max(void *options, const char *value) {
    return options_parse_entropy_size(value, &((search_options *)options)->size_max);
}

static bool set_jobs(void *options, const char *value) {
    uint64_t jobs;
    if (!units_parse_count(value, &jobs) || jobs < 1 || jobs > POOL_JOBS_MAX) return false;
    ((search_options *)options)->jobs = (unsigned)jobs;
    return true;
}

static bool set_timeout(void *options, const char *value) {
    return run_options_set_timeout(&((search_options *)options)->run, value);
}

static bool set_time(void *options, const char *value) {
    return units_parse_duration(value, &((search_options *)options)->budget_ns);
}

static bool set_memory(void *options, const char *value) {
    return run_options_set_memory(&((search_options *)options)->run, value);
}

static bool set_mode(void *options, const char *value) {
    search_options *o = options;
    o->has_mode = strcmp(value, "auto") != 0;
    for (o->mode = MODE_SPAWN; o->mode <= MODE_PERSISTENT; o->mode++) {
        if (strcmp(value, run_mode_name(o->mode)) == 0) return true;
    }
    return !o->has_mode;
}

static bool set_strategy(void *options, const char *value) {
    const bool classic = strcmp(value, "classic") == 0;
    ((search_options *)options)->strategy = classic ? WALK_CLASSIC : WALK_AUTO;
    return classic || strcmp(value, "auto") == 0;
}

static bool set_stdin(void *options, const char *value) {
    return run_options_set_stdin(&((search_options *)options)->run, value);
}

static bool set_rng_seed(void *options, const char *value) {
    search_options *o = options;
    o->has_rng_seed = true;
    return units_parse_seed(value, &o->rng_seed);
}

static bool set_only(void *options, const char *value) {
    return run_options_set_only(&((search_options *)options)->run, value);
}

static bool set_findings(void *options, const char *value) {
    ((search_options *)options)->findings = value;
    return value[0] != '\0';
}

static bool set_json(void *options, const char *value) {
    ((search_options *)options)->json = value;
    return value[0] != '\0';
}

static bool set_quiet(void *options, const char *value) {
    (void)value;
    ((search_options *)options)->quiet = true;
    return true;
}

static bool set_verbose(void *options, const char *value) {
    (void)value;
    ((search_options *)options)->verbose = true;
    return true;
}

static const option_spec specs[] = {
    {"attempts", 0, "a whole number, at least 1", set_attempts},
    {"size-max", 0, OPTIONS_EXPECT_SIZE, set_size_max},
    {"jobs", 'j', "a whole number from 1 to 256", set_jobs},
    {"timeout", 0, OPTIONS_EXPECT_DURATION, set_timeout},
    {"time", 0, OPTIONS_EXPECT_DURATION, set_time},
    {"memory", 0, OPTIONS_EXPECT_MEMORY, set_memory},
    {"mode", 0, "auto, spawn, fork or persistent", set_mode},
    {"strategy", 0, "auto or classic", set_strategy},
    {"stdin", 0, OPTIONS_EXPECT_STDIN, set_stdin},
    {"rng-seed", 0, OPTIONS_EXPECT_SEED, set_rng_seed},
    {"only", 0, OPTIONS_EXPECT_IDENTITY, set_only},
    {"findings", 0, "the name of a folder", set_findings},
    {"json", 0, "the name of a file, or -", set_json},
    {"quiet", 'q', NULL, set_quiet},
    {"verbose", 'v', NULL, set_verbose},
};

options_answer search_options_parse(int argc, char **argv, search_options *o) {
    memset(o, 0, sizeof *o);
    o->run = run_options_default;
    o->attempts = 100;
    o->size_max = UINT64_C(4) << 20;
    o->jobs = proc_cpu_count();
    if (o->jobs > POOL_JOBS_MAX) o->jobs = POOL_JOBS_MAX;
    o->budget_ns = CLOCK_NEVER;
    const options_answer answer =
        options_parse(argc, argv, specs, sizeof specs / sizeof specs[0], o, &o->rest);
    if (answer != OPTIONS_RUN) return answer;
    if (o->rest.sut == NULL) {
        diag_no_sut();
        return OPTIONS_WRONG;
    }
    if (o->quiet && o->verbose) {
        diag_usage("--quiet and --verbose exclude each other");
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}
