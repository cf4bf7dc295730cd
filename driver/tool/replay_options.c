#include "replay_options.h"

#include "messages.h"
#include "target.h"
#include "units.h"

#include <string.h>

static bool set_runs(void *field, const char *value) {
    uint64_t *runs = field;
    return units_parse_count(value, runs) && *runs >= 1 && *runs <= 1000000000;
}

static bool set_wrap(void *field, const char *value) {
    *(const char **)field = value;
    return words_check(value);
}

static const option_kind runs_kind = {"a whole number, at least 1, such as 500 or 10k", NULL,
                                      set_runs};
static const option_kind wrap_kind = {"a program and its arguments, such as 'gdb --args'",
                                      OPTION_COMPLETE_COMMAND, set_wrap};

#define AT(field) offsetof(replay_options, field)

static const option_spec specs[] = {
    {"wrap", 0, OPTION_INPUT, &wrap_kind, AT(wrap), "CMD",
     "Run it under another program: --wrap 'gdb --args'", NULL, false},
    {"runs", 0, OPTION_STOP, &runs_kind, AT(runs), "N", "Run N times and count the failures", "1",
     false},
    {"dump", 0, OPTION_OUTPUT, NULL, AT(dump), NULL,
     "Write the input to standard output; run nothing", NULL, false},
    {"trace", 0, OPTION_OUTPUT, NULL, AT(trace), NULL, "Print each draw that the program reports",
     NULL, false},
    {"list", 0, OPTION_OUTPUT, &option_folder, AT(list), "DIR",
     "List the smallest finding of each signature", NULL, false},
    {"json", 0, OPTION_OUTPUT, &option_stream, AT(json), "FILE",
     "Write events as JSON Lines ('-': standard output)", NULL, false},
    {"quiet", 'q', OPTION_OUTPUT, NULL, AT(quiet), NULL, "Print no verdict on standard error", NULL,
     false},
};

const option_table replay_options_table = {
    "Usage: frng-replay ./sut --size N --seed S [options] [-- ARG...]\n"
    "       frng-replay ./sut --input FILE | --hex BYTES | --finding FILE ...\n"
    "       frng-replay --list DIR\n"
    "Run a program once on the input that frng-search found, in the foreground.\n",
    "Example: frng-replay ./sut --size 41 --seed 16842751 --wrap 'gdb --args'\n"
    "Exit status: 0 the run passes, 1 it fails, 125 it cannot be judged, 129 usage\n"
    "error; 'git bisect run' expects these.\n",
    {OPTION_SECTION(input_options_specs, AT(input)), OPTION_SECTION(specs, 0),
     OPTION_SECTION(filter_options_specs, AT(run)), OPTION_SECTION(run_options_specs, AT(run))},
};

/* Return a message about options that do not go with --list, or NULL. */
static const char *find_list_conflict(const replay_options *o) {
    const input_options *in = &o->input;
    const bool has_input = in->has_size || in->has_seed || in->file != NULL || in->hex != NULL ||
                           in->finding != NULL || o->rest.sut != NULL;
    const bool runs =
        o->runs > 1 || o->trace || o->dump || o->wrap != NULL || o->has_timeout || o->json != NULL;
    return has_input || runs ? "--list takes only --only, --ignore and --quiet beside it" : NULL;
}

/* Return a message about a wrong combination of options, or NULL. */
static const char *find_conflict(const replay_options *o) {
    if (o->list != NULL) return find_list_conflict(o);
    const char *conflict = input_options_conflict(&o->input);
    if (conflict != NULL) return conflict;
    if (target_names_file(o->rest.args) && run_options_file_conflict(&o->run) != NULL)
        return run_options_file_conflict(&o->run);
    const signature_filter *f = &o->run.filter;
    const bool is_judged =
        o->runs > 1 || o->json != NULL || f->only.count > 0 || f->ignored.count > 0;
    if (o->wrap != NULL && is_judged)
        return "--wrap gives no verdict: leave out --runs, --json, --only and --ignore";
    if (o->trace && (o->wrap != NULL || o->runs > 1)) return "--trace goes with one run, unwrapped";
    if (o->dump && (o->trace || o->wrap != NULL || o->runs > 1 || o->json != NULL))
        return "--dump runs nothing";
    return NULL;
}

options_answer replay_options_parse(int argc, char **argv, replay_options *o) {
    memset(o, 0, sizeof *o);
    operands *rest = &o->rest;
    const options_answer answer = options_parse(argc, argv, &replay_options_table, o, rest);
    if (answer != OPTIONS_RUN) return answer;
    input_options_complete(&o->input, rest, &replay_options_table);
    o->has_timeout = options_given(rest, &replay_options_table, "timeout");
    const char *conflict = find_conflict(o);
    if (conflict != NULL) {
        message_usage("%s", conflict);
        return OPTIONS_WRONG;
    }
    if (o->rest.sut == NULL && o->input.finding == NULL && !o->dump && o->list == NULL) {
        options_missing_target();
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}
