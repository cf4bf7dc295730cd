#include "search_options.h"

#include "clock.h"
#include "messages.h"
#include "seed_input.h"
#include "units.h"
#include "worker_file.h"

#include <string.h>

enum { SYNC_OF_KEEP_GOING_S = 60 };

static bool set_attempts(void *field, const char *value) {
    uint64_t *attempts = field;
    return units_parse_count(value, attempts) && *attempts >= 1 &&
           *attempts <= UINT64_C(1000000000000);
}

static const option_kind attempts_kind = {"a whole number, at least 1, such as 500 or 10k", NULL,
                                          set_attempts};

static bool set_expand(void *field, const char *value) {
    seed_expansion *expand = field;
    for (*expand = EXPAND_UNIFORM; *expand <= EXPAND_BOTH; ++*expand) {
        if (strcmp(value, seed_text_expansion(*expand)) == 0) return true;
    }
    return false;
}

static const option_kind expand_kind = {"both, uniform or styled", "both uniform styled",
                                        set_expand};

static bool set_sync(void *field, const char *value) {
    int64_t *sync_ns = field;
    *sync_ns = 0;
    if (strcmp(value, "never") == 0) return true;
    return units_parse_duration(value, sync_ns) && *sync_ns > 0;
}

/* Take a name that can be that of a file. */
static bool set_worker(void *field, const char *value) {
    *(const char **)field = value;
    return value[0] != '\0' && value[0] != '.' && strchr(value, '/') == NULL &&
           strlen(value) <= WORKER_NAME_MAX;
}

static const option_kind sync_kind = {"a duration above 0, such as 30s or 5m, or never", "never",
                                      set_sync};
static const option_kind worker_kind = {"a name of at most 200 bytes, without a slash and without "
                                        "a dot at its start",
                                        NULL, set_worker};

static bool add_requirement(void *field, const char *value) {
    requirement_list *r = field;
    if (r->count == REQUIREMENTS_MAX || !requirement_parse(value, &r->list[r->count])) return false;
    r->count++;
    return true;
}

static const option_kind requirement_kind = {"a label and a share of the runs, above 0% and at "
                                             "most 100%, such as long:2.5%; 64 times at most",
                                             NULL, add_requirement};

#define ATTEMPTS_INITIAL "100"
#define SIZE_MAX_INITIAL "4M"
#define AT(field) offsetof(search_options, field)

static const option_spec specs[] = {
    {"size-max", 0, OPTION_INPUT, &option_size, AT(size_max), "SIZE", "Try inputs up to this size",
     SIZE_MAX_INITIAL, false},
    {"rng-seed", 0, OPTION_INPUT, &option_seed, AT(rng_seed), "SEED", "Repeat a search", NULL,
     false},
    {"expand", 0, OPTION_INPUT, &expand_kind, AT(expand), "HOW", "Make bytes uniform or styled",
     "both", false},
    {"attempts", 0, OPTION_STOP, &attempts_kind, AT(attempts), "N",
     "Stop after N fresh passes in a row", ATTEMPTS_INITIAL, false},
    {"keep-going", 0, OPTION_STOP, NULL, AT(keep_going), NULL, "Use all the time", NULL, true},
    {"require", 0, OPTION_RESULTS, &requirement_kind, AT(requirements), "LABEL:P%",
     "Exit with 3 if fewer runs had it; repeatable", NULL, false},
    {"all", 0, OPTION_RESULTS, NULL, AT(all), NULL, "Find the smallest of each signature", NULL,
     true},
    {"reduce", 0, OPTION_RESULTS, NULL, AT(reduce), NULL, "Simplify it", NULL, false},
    {"findings", 0, OPTION_RESULTS, &option_folder, AT(work.findings), "DIR",
     "Keep findings in DIR, and start from those there", NULL, false},
    {"sync", 0, OPTION_RESULTS, &sync_kind, AT(sync_ns), "TIME", "Sync with DIR this often", NULL,
     true},
    {"worker", 0, OPTION_RESULTS, &worker_kind, AT(worker), "NAME", "Report there as NAME", NULL,
     false},
};

const option_table search_options_table = {
    "Usage: frng-search ./sut [options] [-- ARG...]\n"
    "Find the smallest random input on which a program exits nonzero, dies or hangs.\n",
    "Example: frng-search ./sut --attempts 1000 --findings found -- strict\n"
    "Exit status: 0 no failure, 1 failure found, 2 error, 3 no repeat, 4 unwritten\n",
    {OPTION_SECTION(specs, 0), OPTION_SECTION(filter_options_specs, AT(work.run)),
     OPTION_SECTION(run_options_specs, AT(work.run)), OPTION_SECTION(work_options_specs, AT(work))},
};

/* Return a message about options that do not go together, or NULL. */
static const char *conflict_of(const search_options *o) {
    const work_options *work = &o->work;
    if (o->keep_going && work->budget_ns == CLOCK_NEVER) return "--keep-going needs --time";
    if (o->sync_ns > 0 && work->findings == NULL) return "--sync needs --findings";
    if (o->worker != NULL && work->findings == NULL) return "--worker needs --findings";
    return work_options_conflict(work);
}

options_answer search_options_parse(int argc, char **argv, search_options *o) {
    memset(o, 0, sizeof *o);
    work_options_init(&o->work);
    operands *rest = &o->work.rest;
    const options_answer answer = options_parse(argc, argv, &search_options_table, o, rest);
    if (answer != OPTIONS_RUN) return answer;
    o->has_rng_seed = options_given(rest, &search_options_table, "rng-seed");
    const bool syncs = o->keep_going && o->work.findings != NULL;
    if (syncs && !options_given(rest, &search_options_table, "sync"))
        o->sync_ns = SYNC_OF_KEEP_GOING_S * CLOCK_NS_PER_S;
    const char *conflict = conflict_of(o);
    if (rest->sut == NULL) {
        options_missing_target();
    } else if (conflict != NULL) {
        message_usage("%s", conflict);
    } else {
        return OPTIONS_RUN;
    }
    return OPTIONS_WRONG;
}
