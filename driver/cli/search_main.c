/* frng-search: options, target, findings, search, report; with --reduce, a reduction. */
#include "beacon.h"
#include "canary.h"
#include "clock.h"
#include "folder_sync.h"
#include "frng.h"
#include "keeping.h"
#include "known_findings.h"
#include "messages.h"
#include "pool.h"
#include "reduce_failure.h"
#include "reduce_options.h"
#include "search.h"
#include "search_options.h"
#include "session.h"
#include "statistics.h"
#include "units.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>

/* Who hears of events. */
typedef struct listeners {
    session *session;
    folder_sync *sync; /* NULL without --sync */
} listeners;

/* Store a failure, then emit its event: a finding is on disk before it is announced. */
static void take_event(void *context, const event *e) {
    const listeners *to = context;
    session *s = to->session;
    keeping_take(s, e);
    session_emit(s, e);
    beacon_take(s->output.beacon, e);
    folder_sync_take(to->sync, e);
}

/* Begin to report in the findings folder, if the options ask for that. */
static void start_beacon(session *s, const search_options *o) {
    const beacon_options options = {
        .findings = o->fleet, .name = o->worker, .is_canary = o->canary, .every_ns = o->sync_ns};
    const bool is_asked = o->sync_ns > 0 || o->worker != NULL || o->canary;
    if (is_asked && o->fleet != NULL) s->output.beacon = beacon_create(s, &options);
}

static void start(session *s, const search_options *o) {
    s->setup.task = TASK_SEARCH;
    s->setup.attempts = o->attempts;
    s->setup.size_max = o->size_max;
    s->setup.rng_seed = o->rng_seed;
    s->setup.expand = o->expand;
    s->setup.filter = &o->work.run.filter;
    s->setup.finds_each = o->all;
    s->setup.keeps_going = o->keep_going;
    session_start(s);
    start_beacon(s, o);
}

/* End the workers. A run that still blocks its worker is set aside, like earlier ones. */
static void end_workers(pool *p, search_result *r) {
    seed_input stuck;
    if (pool_stop(p, &stuck)) {
        r->limited[CAUSE_WORKER]++;
        if (!r->found && !r->inconclusive) {
            r->inconclusive = true;
            failure_drop(&r->best);
            r->best.input = stuck;
            r->best.signature = (signature){SIGNATURE_TIMEOUT, 0};
            r->best.cause = CAUSE_WORKER;
        }
    }
    pool_destroy(p);
}

static void search(listeners *to, const search_options *o, search_source source, search_result *r) {
    session *s = to->session;
    s->runs.spawn.keeps_output = o->all || !signature_filter_is_empty(&o->work.run.filter);
    pool_config workers = session_pool(s, runner_forkserver_create, &s->runs);
    const bool has_budget = o->work.budget_ns != CLOCK_NEVER;
    const signature_filter *filter = &o->work.run.filter;
    const bool counts_less = o->all || filter->ignored.count > 0;
    const search_config config = {
        .goal = o->all ? SEARCH_EACH : SEARCH_SMALLEST,
        .strategy = {.attempts = o->attempts,
                     .size_max = o->size_max,
                     .master_seed = o->rng_seed,
                     .expand = o->expand,
                     .endless = has_budget,
                     .follows_draws = !o->has_size_max,
                     .masks = counts_less ? MASKED_COUNTS_LESS : MASKED_AS_PASSED},
        .deadline_ns = session_deadline(s),
        .filter = signature_filter_is_empty(filter) ? NULL : filter,
        .source = source,
        .keeps_going = o->keep_going,
        .guides =
            has_budget && !o->no_guide && s->runs.mode != MODE_SPAWN && s->runs.layout.takes_prefix,
    };
    const event_sink sink = {take_event, to};
    workers.counts = true;
    start(s, o);
    pool *p = pool_create(&workers);
    if (p == NULL) {
        run_stop_broken(&r->stop, errno);
        return;
    }
    search_run(&config, p, &sink, r);
    end_workers(p, r);
    s->signal_number = tool_take_signal(&s->signals);
}

/* Search, and run the findings that are there; with --sync also those that appear meanwhile. */
static void search_with(session *s, const search_options *o, known_findings *known,
                        search_result *r) {
    folder_sync *sync = o->sync_ns > 0 ? folder_sync_create(s, o, known) : NULL;
    if (sync == NULL && o->sync_ns > 0) {
        start(s, o);
        run_stop_broken(&r->stop, ENOMEM);
        return;
    }
    listeners to = {s, sync};
    search(&to, o, sync != NULL ? folder_sync_source(sync) : known_findings_source(known), r);
    folder_sync_destroy(sync);
}

/* True if the target can give its runs labels, or none are required. Prints a message if not. */
static bool can_have_labels(const session *s, const search_options *o) {
    if (o->requirements.count == 0 || s->runs.spawn.reports) return true;
    message("--require: %s gives its runs no labels: it does not speak the protocol",
            s->target.subject.sut);
    return false;
}

static bool are_met(const requirement_list *required, const tally *t) {
    for (size_t i = 0; i < required->count; i++) {
        if (!requirement_is_met(&required->list[i], t)) return false;
    }
    return true;
}

static run_answer answer_of(const search_result *r, const search_options *o) {
    if (r->found) return ANSWER_FOUND;
    if (r->inconclusive) return ANSWER_INCONCLUSIVE;
    if (r->stop.end != END_DONE && r->stop.end != END_SPENT) return ANSWER_NONE;
    return are_met(&o->requirements, &r->tally) ? ANSWER_PASSED : ANSWER_UNMET;
}

/* Keep a result with its final reruns. */
static void keep_result(session *s, const failure *f) {
    static const remarks none = {NULL, 0};
    if (!failure_is_flaky(f)) keeping_save(s, f, NULL, none); /* it may be gone */
    keeping_conclude(s, f, NULL, none);
}

static void keep_results(session *s, const search_result *r) {
    if (r->found) keep_result(s, &r->best);
    for (size_t i = 0; i < r->each.count; i++) keep_result(s, &r->each.list[i].best);
    for (size_t i = 0; i < r->others.count; i++) {
        keeping_conclude(s, &r->others.list[i], NULL, (remarks){NULL, 0});
    }
}

/* The failures of a summary. */
typedef struct failure_lists {
    found_input others[DISTINCT_FAILURES_MAX];
    found_failure each[STAGES_MAX];
} failure_lists;

static void list_failures(const search_result *r, failure_lists *lists) {
    for (size_t i = 0; i < r->others.count; i++) {
        lists->others[i] = (found_input){.failure = &r->others.list[i]};
    }
    for (size_t i = 0; i < r->each.count; i++) {
        const stage *of = &r->each.list[i];
        lists->each[i] = (found_failure){{.failure = &of->best}, of->claim.run};
    }
}

/* Return the summary of a search, whose `best` was kept at this path (NULL: it was not). */
static summary summary_of(const session *s, const search_result *r, const failure_lists *lists,
                          const char *kept) {
    summary whole = {
        .setup = &s->setup,
        .end = r->stop.end,
        .stop = &r->stop,
        .best = {.failure = r->found || r->inconclusive ? &r->best : NULL,
                 .saved = kept,
                 .is_finding = kept != NULL},
        .others = lists->others,
        .other_count = r->others.count,
        .progress = {.size = r->best.input.size,
                     .runs = r->runs,
                     .reruns = r->reruns,
                     .elapsed_ns = r->elapsed_ns},
        .tally = &r->tally,
        .ignored_by_signature = &r->ignored,
        .vacuity = vacuity_of(&r->tally),
        .claim = r->claim.run,
        .each = lists->each,
        .each_count = r->each.count,
        .is_each_full = r->each.count == STAGES_MAX,
        .grown = r->grown,
        .guide = r->guide,
    };
    memcpy(whole.limited, r->limited, sizeof whole.limited);
    return whole;
}

/* Report the search. Returns the exit status. */
static int report(session *s, const search_options *o, const search_result *r) {
    failure_lists lists;
    list_failures(r, &lists);
    keep_results(s, r);
    char *kept = r->found ? keeping_path(s, &r->best, NULL) : NULL;
    summary whole = summary_of(s, r, &lists, kept);
    whole.answer = answer_of(r, o);
    const int status = session_report(s, &whole, r->found);
    beacon_end(s->output.beacon, &whole, s->signal_number);
    free(kept);
    if (r->found) session_warn_empty(s, &r->best);
    if (status == EXIT_PASSED) session_warn_silent(s);
    if (whole.answer == ANSWER_UNMET) statistics_print_unmet(&o->requirements, &r->tally);
    return status;
}

/* True if the search found something to be reduced. Prints the reason if there is no time. */
static bool is_to_be_reduced(const session *s, const search_options *o, const search_result *r,
                             int status) {
    const bool is_late = r->stop.end == END_SPENT;
    if (!o->reduce || status != EXIT_FOUND || s->signal_number != 0) return false;
    if (is_late && !o->work.quiet) message("not reduced: the time is spent");
    return !is_late;
}

/* Reduce the failure that the search found. Returns the exit status. */
static int reduce(session *s, const search_options *o, seed_input found) {
    if (found.size > REDUCE_FAILURE_SIZE_MAX) {
        message("not reduced: it is too large");
        return EXIT_FOUND;
    }
    uint8_t *bytes = malloc(found.size > 0 ? found.size : 1);
    if (bytes == NULL) {
        message_error(ENOMEM, "cannot hold the entropy");
        return EXIT_OUTPUT;
    }
    seed_input_expand(&found, bytes);
    const reduce_failure_input input = {.bytes = bytes,
                                        .size = found.size,
                                        .filter = &o->work.run.filter,
                                        .calls_max = UINT64_MAX,
                                        .explain = reduce_options_explain(EXPLAIN_AUTO, 0)};
    const int status = reduce_failure(s, &input);
    free(bytes);
    return status == EXIT_PASSED || status == EXIT_INCONCLUSIVE ? EXIT_FOUND : status;
}

/* Reduce the best, or with --all the best of each signature. Returns the exit status. */
static int reduce_found(session *s, const search_options *o, const search_result *r) {
    if (!o->all) return reduce(s, o, r->best.input);
    int status = EXIT_FOUND;
    for (size_t i = 0; i < r->each.count && status == EXIT_FOUND && s->signal_number == 0; i++) {
        status = reduce(s, o, r->each.list[i].best.input);
    }
    return status;
}

static int search_and_report(session *s, search_options *o, const char *tool) {
    static search_result result; /* large */
    known_findings known = {.session = NULL};
    int status = EXIT_ENVIRONMENT;
    if (!o->has_rng_seed) randombytes_buf(&o->rng_seed, sizeof o->rng_seed);
    if (session_prepare(s, &o->work, tool, o->size_max) && can_have_labels(s, o) &&
        known_findings_list(&known, s, o)) {
        search_with(s, o, &known, &result);
        status = report(s, o, &result);
        canary_report(o, result.found);
        if (is_to_be_reduced(s, o, &result, status)) status = reduce_found(s, o, &result);
        search_finish(&result);
    } else if (s->output.failed) {
        status = EXIT_OUTPUT;
    }
    known_findings_finish(&known);
    beacon_destroy(s->output.beacon);
    return status;
}

int main(int argc, char **argv) {
    static session s; /* too large for a small stack */
    search_options o;
    if (!tool_init(&s.signals, "frng-search")) return EXIT_ENVIRONMENT;
    switch (search_options_parse(argc, argv, &o)) {
    case OPTIONS_HELP: return options_print_help(&search_options_table) ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_VERSION:
        return tool_print("frng-search " FRNG_VERSION "\n") ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_WRONG: return EXIT_ENVIRONMENT;
    case OPTIONS_RUN: break;
    }
    s.argv = (const char *const *)argv;
    canary c = {NULL, NULL};
    const bool is_ready = !o.canary || canary_replace_target(&c, &o);
    const int status = is_ready ? search_and_report(&s, &o, argv[0]) : EXIT_ENVIRONMENT;
    session_finish(&s);
    canary_finish(&c);
    return session_exit(&s, status);
}
