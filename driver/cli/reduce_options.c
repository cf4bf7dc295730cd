#include "reduce_options.h"

#include "messages.h"
#include "units.h"

#include <stddef.h>
#include <string.h>

const char reduce_options_help[] =
    "Usage: frng-reduce ./sut --size N --seed S [options] [-- ARG...]\n"
    "       frng-reduce ./sut --input FILE | --hex BYTES | --finding FILE ...\n"
    "       frng-reduce --predicate CMD FILE [options] [-- ARG...]\n"
    "\n"
    "Make the input of a failing run simple, or any file that a program tells of.\n"
    "\n"
    "      --size N         bytes of entropy;  --seed SEED  they are expanded from\n"
    "      --input FILE     entropy as it stands in a file; - is standard input\n"
    "      --hex BYTES      entropy in hex\n"
    "      --finding FILE   all of that, program and arguments too, from a finding\n"
    "      --predicate CMD  exits with 0 where FILE is interesting; reduce that file\n"
    "      --reducer CMD    a program that makes candidates; any number of times\n"
    "      --input-mode M   how the predicate gets them: file, stdin (file)\n"
    "      --output FILE    write the best to this file, whole at any time\n"
    "  -j, --jobs N         runs at the same time (one a processor)\n"
    "      --time TIME      stop after this long;  --calls N  after so many runs\n"
    "      --timeout TIME   a run that takes longer hangs, and fails (10s)\n"
    "      --memory SIZE    limit the address space of a run\n"
    "      --mode MODE      how to run: auto, spawn, fork, persistent (auto)\n"
    "      --containment C  of runs: auto, namespace, subreaper (auto)\n"
    "      --stdin KIND     what stdin is: file, pipe (file)\n"
    "      --only IDENTITY  what to fail with: exit:N, signal:NAME, timeout\n"
    "      --any-failure    let it turn into any other failure\n"
    "      --findings DIR   keep each best, and other failures, there\n"
    "      --json FILE      write events as JSON Lines; - is standard output\n"
    "  -q, --quiet          print the result alone;  -v, --verbose  tell more\n"
    "  -h, --help           print this;  --version  print the version\n"
    "\n"
    "Exit status: 0 it does not fail, 1 it fails and was reduced, 2 usage or\n"
    "environment, 3 it did not fail again, 4 something could not be written.\n"
    "With --predicate: 0 reduced, 2 also for a FILE that is not interesting.\n";

static bool set_calls(void *calls, const char *value) {
    return units_parse_count(value, calls) && *(uint64_t *)calls >= 1;
}

static bool add_reducer(void *reducers, const char *value) {
    reducer_options *r = reducers;
    if (value[0] == '\0' || r->count == REDUCE_OPTIONS_REDUCERS_MAX) return false;
    r->commands[r->count++] = value;
    return true;
}

static bool set_input_mode(void *on_stdin, const char *value) {
    *(bool *)on_stdin = strcmp(value, "stdin") == 0;
    return *(bool *)on_stdin || strcmp(value, "file") == 0;
}

#define AT(field) offsetof(reduce_options, field)

static const option_spec specs[] = {
    {"size", 0, OPTIONS_EXPECT_SIZE, input_options_set_size, AT(input)},
    {"seed", 0, OPTIONS_EXPECT_SEED, input_options_set_seed, AT(input)},
    {"input", 0, OPTIONS_EXPECT_STREAM, options_set_text, AT(input.file)},
    {"hex", 0, INPUT_EXPECT_HEX, input_options_set_hex, AT(input)},
    {"finding", 0, OPTIONS_EXPECT_FILE, options_set_text, AT(input.finding)},
    {"predicate", 0, "the program that judges", options_set_text, AT(predicate)},
    {"reducer", 0, "a program, and the commands wanted of it; 64 times at most", add_reducer,
     AT(reducers)},
    {"input-mode", 0, "file or stdin", set_input_mode, AT(on_stdin)},
    {"output", 0, OPTIONS_EXPECT_FILE, options_set_text, AT(output)},
    {"jobs", 'j', OPTIONS_EXPECT_JOBS, work_options_set_jobs, AT(work.jobs)},
    {"time", 0, OPTIONS_EXPECT_DURATION, work_options_set_time, AT(work.budget_ns)},
    {"calls", 0, OPTIONS_EXPECT_COUNT, set_calls, AT(calls_max)},
    {"timeout", 0, OPTIONS_EXPECT_DURATION, run_options_set_timeout, AT(work.run)},
    {"memory", 0, OPTIONS_EXPECT_MEMORY, run_options_set_memory, AT(work.run)},
    {"containment", 0, OPTIONS_EXPECT_CONTAINMENT, work_options_set_containment, AT(work)},
    {"mode", 0, OPTIONS_EXPECT_MODE, work_options_set_mode, AT(work)},
    {"stdin", 0, OPTIONS_EXPECT_STDIN, run_options_set_stdin, AT(work.run)},
    {"only", 0, OPTIONS_EXPECT_IDENTITY, run_options_set_only, AT(work.run)},
    {"any-failure", 0, NULL, options_set_flag, AT(any_failure)},
    {"findings", 0, OPTIONS_EXPECT_FOLDER, options_set_text, AT(work.findings)},
    {"json", 0, OPTIONS_EXPECT_STREAM, options_set_text, AT(work.json)},
    {"quiet", 'q', NULL, options_set_flag, AT(work.quiet)},
    {"verbose", 'v', NULL, options_set_flag, AT(work.verbose)},
};

enum { SPEC_COUNT = sizeof specs / sizeof specs[0] };

/* What is said of runs that fail, and has no meaning where a predicate judges; and the reverse. */
static const char *const of_failures[] = {"size",        "seed",     "hex",   "input",
                                          "mode",        "finding",  "stdin", "only",
                                          "any-failure", "findings", NULL};
static const char *const of_predicates[] = {"reducer", "input-mode", NULL};

/* Whether the options are all of one form. Says what is not. */
static bool is_one_form(const reduce_options *o) {
    const bool has_predicate = o->predicate != NULL;
    const char *wrong = options_first_given(&o->work.rest, specs, SPEC_COUNT,
                                            has_predicate ? of_failures : of_predicates);
    if (wrong != NULL && has_predicate) {
        message_usage("--%s and --predicate exclude each other", wrong);
    }
    if (wrong != NULL && !has_predicate) message_usage("--%s needs --predicate", wrong);
    return wrong == NULL;
}

/* What is wrong with the options together, or NULL. */
static const char *find_conflict(const reduce_options *o) {
    const char *conflict = o->predicate == NULL ? input_options_conflict(&o->input) : NULL;
    if (conflict == NULL) conflict = work_options_conflict(&o->work);
    if (conflict == NULL && o->any_failure && o->work.run.has_only) {
        conflict = "--any-failure and --only exclude each other";
    }
    return conflict;
}

static bool check(const reduce_options *o) {
    if (!is_one_form(o)) return false;
    const char *conflict = find_conflict(o);
    if (o->work.rest.sut == NULL && o->predicate != NULL) {
        message_usage("which file? Usage: %s --predicate CMD FILE [options] [-- ARG...]",
                      message_program());
    } else if (o->work.rest.sut == NULL && o->input.finding == NULL) {
        options_missing_target();
    } else if (conflict != NULL) {
        message_usage("%s", conflict);
    } else {
        return true;
    }
    return false;
}

options_answer reduce_options_parse(int argc, char **argv, reduce_options *o) {
    memset(o, 0, sizeof *o);
    work_options_init(&o->work);
    o->calls_max = UINT64_MAX;
    o->work.run.timeout_ns = 0; /* no duration that can be said */
    const options_answer answer = options_parse(argc, argv, specs, SPEC_COUNT, o, &o->work.rest);
    if (answer != OPTIONS_RUN) return answer;
    if (o->predicate == NULL && o->work.run.timeout_ns == 0) {
        o->work.run.timeout_ns = run_options_default.timeout_ns;
    }
    return check(o) ? OPTIONS_RUN : OPTIONS_WRONG;
}
