#include "search_options.h"

#include "messages.h"
#include "units.h"

#include <stddef.h>
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
    "      --containment C  of runs: auto, namespace, subreaper (auto)\n"
    "      --stdin KIND     what stdin is: file, pipe (file)\n"
    "      --rng-seed SEED  repeat the search that printed this\n"
    "      --only IDENTITY  look for exit:N, signal:NAME or timeout only\n"
    "      --reduce         then make the bytes simple, as frng-reduce does\n"
    "      --findings DIR   keep what is found there, and begin from what is there\n"
    "      --json FILE      write events as JSON Lines; - is standard output\n"
    "  -q, --quiet          print the result alone;  -v, --verbose  tell more\n"
    "  -h, --help           print this;  --version  print the version\n"
    "\n"
    "Exit status: 0 no failure, 1 failure found, 2 usage or environment,\n"
    "3 no failure repeated, 4 output or findings could not be written.\n";

static bool set_attempts(void *attempts, const char *value) {
    uint64_t *to = attempts;
    return units_parse_count(value, to) && *to >= 1 && *to <= UINT64_C(1000000000000);
}

static bool set_rng_seed(void *options, const char *value) {
    search_options *o = options;
    o->has_rng_seed = true;
    return units_parse_seed(value, &o->rng_seed);
}

#define AT(field) offsetof(search_options, field)

static const option_spec specs[] = {
    {"attempts", 0, OPTIONS_EXPECT_COUNT, set_attempts, AT(attempts)},
    {"size-max", 0, OPTIONS_EXPECT_SIZE, options_set_entropy_size, AT(size_max)},
    {"jobs", 'j', OPTIONS_EXPECT_JOBS, work_options_set_jobs, AT(work.jobs)},
    {"timeout", 0, OPTIONS_EXPECT_DURATION, run_options_set_timeout, AT(work.run)},
    {"time", 0, OPTIONS_EXPECT_DURATION, work_options_set_time, AT(work.budget_ns)},
    {"memory", 0, OPTIONS_EXPECT_MEMORY, run_options_set_memory, AT(work.run)},
    {"containment", 0, OPTIONS_EXPECT_CONTAINMENT, work_options_set_containment, AT(work)},
    {"mode", 0, OPTIONS_EXPECT_MODE, work_options_set_mode, AT(work)},
    {"stdin", 0, OPTIONS_EXPECT_STDIN, run_options_set_stdin, AT(work.run)},
    {"rng-seed", 0, OPTIONS_EXPECT_SEED, set_rng_seed, 0},
    {"only", 0, OPTIONS_EXPECT_IDENTITY, run_options_set_only, AT(work.run)},
    {"reduce", 0, NULL, options_set_flag, AT(reduce)},
    {"findings", 0, OPTIONS_EXPECT_FOLDER, options_set_text, AT(work.findings)},
    {"json", 0, OPTIONS_EXPECT_STREAM, options_set_text, AT(work.json)},
    {"quiet", 'q', NULL, options_set_flag, AT(work.quiet)},
    {"verbose", 'v', NULL, options_set_flag, AT(work.verbose)},
};

options_answer search_options_parse(int argc, char **argv, search_options *o) {
    memset(o, 0, sizeof *o);
    work_options_init(&o->work);
    o->attempts = 100;
    o->size_max = UINT64_C(4) << 20;
    const options_answer answer =
        options_parse(argc, argv, specs, sizeof specs / sizeof specs[0], o, &o->work.rest);
    if (answer != OPTIONS_RUN) return answer;
    const char *conflict = work_options_conflict(&o->work);
    if (o->work.rest.sut == NULL) {
        options_missing_target();
    } else if (conflict != NULL) {
        message_usage("%s", conflict);
    } else {
        return OPTIONS_RUN;
    }
    return OPTIONS_WRONG;
}
