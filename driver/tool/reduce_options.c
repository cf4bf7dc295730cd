#include "reduce_options.h"

#include "clock.h"
#include "messages.h"

#include <string.h>

static bool add_reducer(void *field, const char *value) {
    reducer_options *r = field;
    if (value[0] == '\0' || r->count == REDUCE_OPTIONS_REDUCERS_MAX) return false;
    r->commands[r->count++] = value;
    return true;
}

static bool set_effort(void *field, const char *value) {
    reduce_effort *effort = field;
    *effort = strcmp(value, "high") == 0 ? EFFORT_HIGH : EFFORT_NORMAL;
    return *effort == EFFORT_HIGH || strcmp(value, "normal") == 0;
}

static bool set_explain(void *field, const char *value) {
    explain_choice *choice = field;
    *choice = strcmp(value, "yes") == 0  ? EXPLAIN_YES
              : strcmp(value, "no") == 0 ? EXPLAIN_NO
                                         : EXPLAIN_AUTO;
    return *choice != EXPLAIN_AUTO || strcmp(value, "auto") == 0;
}

static const option_kind explain_kind = {"auto, yes or no", "auto yes no", set_explain};
static const option_kind effort_kind = {"normal or high", "normal high", set_effort};
static const option_kind reducer_kind = {
    "a program, and the commands of it to use; 64 times at most", OPTION_COMPLETE_COMMAND,
    add_reducer};

#define AT(field) offsetof(reduce_options, field)

static const option_spec specs[] = {
    {"predicate", 0, OPTION_INPUT, &option_program, AT(predicate), "CMD",
     "Reduce a file that CMD accepts by exiting with 0", NULL, false},
    {"reducer", 0, OPTION_INPUT, &reducer_kind, AT(reducers), "CMD", "Use this reducer, too", NULL,
     true},
    {"effort", 0, OPTION_INPUT, &effort_kind, AT(effort), "HOW", "Effort: normal or high", "normal",
     false},
    {"calls", 0, OPTION_STOP, &option_count, AT(calls_max), "N", "Stop after N runs", NULL, true},
    {"explain", 0, OPTION_RESULTS, &explain_kind, AT(explain), "WHEN", "Say what draws mean", NULL,
     true},
    {"any-failure", 0, OPTION_RESULTS, NULL, AT(any_failure), NULL, "Accept any failure", NULL,
     false},
    {"output", 0, OPTION_RESULTS, &option_file, AT(output), "FILE", "Write the best to FILE", NULL,
     true},
    {"findings", 0, OPTION_RESULTS, &option_folder, AT(work.findings), "DIR", "keep all in DIR",
     NULL, false},
};

const option_table reduce_options_table = {
    "Usage: frng-reduce ./sut --size N --seed S | --input FILE [options] [-- ARG...]\n"
    "       frng-reduce --predicate CMD FILE [options] [-- ARG...]\n"
    "Simplify the input of a failing run, or any file that a program judges.\n",
    "Example: frng-reduce ./sut --size 41 --seed 16842751 --output least.bin\n"
    "Exit status: 0 passed, 1 reduced (files: 0), 2 error, 3 no repeat, 4 unwritten\n",
    {OPTION_SECTION(input_options_specs, AT(input)), OPTION_SECTION(specs, 0),
     OPTION_SECTION(filter_options_specs, AT(work.run)),
     OPTION_SECTION(run_options_specs, AT(work.run)), OPTION_SECTION(work_options_specs, AT(work))},
};

/* Options of failing runs, which exclude --predicate; and options that need --predicate. */
static const char *const of_failures[] = {
    "size",   "seed",      "hex",         "input",    "mode",   "finding", "stdin", "only",
    "ignore", "signature", "any-failure", "findings", "effort", "explain", NULL};
static const char *const of_predicates[] = {"reducer", NULL};

/* True if all options are of one form, with or without --predicate. Prints the first other one. */
static bool is_one_form(const reduce_options *o) {
    const bool has_predicate = o->predicate != NULL;
    const char *wrong = options_first_given(&o->work.rest, &reduce_options_table,
                                            has_predicate ? of_failures : of_predicates);
    if (wrong != NULL && has_predicate) {
        message_usage("--%s and --predicate exclude each other", wrong);
    }
    if (wrong != NULL && !has_predicate) message_usage("--%s needs --predicate", wrong);
    return wrong == NULL;
}

/* Return a message about a wrong combination of options, or NULL. */
static const char *find_conflict(const reduce_options *o) {
    const char *conflict = o->predicate == NULL ? input_options_conflict(&o->input) : NULL;
    if (conflict == NULL) conflict = work_options_conflict(&o->work);
    if (conflict == NULL && o->any_failure && o->work.run.filter.only.count > 0) {
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

explain_limits reduce_options_explain(explain_choice choice) {
    static const explain_limits limits[] = {
        [EXPLAIN_AUTO] = {.calls_max = 2000, .time_ns = 60 * CLOCK_NS_PER_S},
        [EXPLAIN_YES] = {.calls_max = 20000, .time_ns = CLOCK_NEVER, .is_asked = true},
        [EXPLAIN_NO] = {.calls_max = 0, .time_ns = 0},
    };
    return limits[choice];
}

options_answer reduce_options_parse(int argc, char **argv, reduce_options *o) {
    memset(o, 0, sizeof *o);
    work_options_init(&o->work);
    o->calls_max = UINT64_MAX;
    operands *rest = &o->work.rest;
    const options_answer answer = options_parse(argc, argv, &reduce_options_table, o, rest);
    if (answer != OPTIONS_RUN) return answer;
    input_options_complete(&o->input, rest, &reduce_options_table);
    const bool has_timeout = options_given(rest, &reduce_options_table, "timeout");
    if (o->predicate != NULL && !has_timeout) o->work.run.timeout_ns = 0;
    return check(o) ? OPTIONS_RUN : OPTIONS_WRONG;
}
