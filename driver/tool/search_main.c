/* frng-search: options, target, findings, search, report; with --reduce, a reduction.
 *
 * Each event of the search goes first to the folder of findings, and then to those who tell users:
 * a finding is on disk before it is announced. The search itself knows nothing of folders. It asks
 * a source for failures of other searches: the findings that are there at the start, with --sync
 * also those that appear meanwhile.
 *
 * With --reduce each result is reduced at the end, in the same session and with sinks of its own. A
 * tenth of --time is kept for that.
 *
 * A target that is rebuilt ends the search, for runs of two builds are never mixed. */
#include "clock.h"
#include "constants.h"
#include "fleet_report.h"
#include "guide.h"
#include "messages.h"
#include "options.h"
#include "pool.h"
#include "search.h"
#include "session.h"
#include "share.h"
#include "text.h"

#include <errno.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Who hears of events. */
typedef struct listeners {
    session *session;
    sharing *share;
    bool has_best;
    seed_input best; /* the best of the search, when it was last seen */
} listeners;

/* Follow the best of the search. If it relies on a larger failure again, its last best turned out
 * to be flaky, and had replaced the larger one. */
static void follow_best(listeners *to, const failure *best) {
    if (best == NULL || (to->has_best && seed_input_equal(to->best, best->input))) return;
    const bool is_step_back = to->has_best && seed_input_less(to->best, best->input);
    to->has_best = true;
    to->best = best->input;
    if (is_step_back) session_save(to->session, best, (finding){.bytes = NULL});
}

/* Store a failure, then emit its event: a finding is on disk before it is announced. */
static void take_event(void *context, const event *e) {
    listeners *to = context;
    session *s = to->session;
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER) {
        share_adopt(to->share, e->failure);
        session_save(s, e->failure, (finding){.bytes = NULL});
    }
    if (e->kind == EVENT_PROGRESS) follow_best(to, e->progress.best);
    if (e->kind == EVENT_REFUTED) {
        session_conclude(s, e->failure, (finding){.bytes = NULL});
        return;
    }
    event told = *e;
    if (e->kind == EVENT_REPLAYED && !e->fails) told.doubt = share_doubt(to->share);
    char *path = e->kind == EVENT_UNCONFIRMED ? session_set_aside(s, e->failure) : NULL;
    told.name = path;
    session_emit(s, &told);
    fleet_report_take(s->report, &told);
    free(path);
    share_take(to->share, e);
}

static void start_search(session *s, const tool_options *o) {
    s->now->setup.task = TASK_SEARCH;
    s->now->setup.attempts = o->attempts;
    s->now->setup.size_max = o->size_max;
    s->now->setup.rng_seed = o->rng_seed;
    s->now->setup.expand = o->expand;
    s->now->setup.filter = &o->run.filter;
    s->now->setup.finds_each = o->all;
    s->now->setup.keeps_going = o->keep_going;
    s->now->setup.filter_text =
        run_options_text(&o->run, RUN_OPTIONS_FILTER); /* it lives to the end */
    session_start(s);
    s->report = fleet_report_open(s);
}

/* End the workers. A run that still blocks its worker is set aside, like earlier ones. */
static void end_workers(pool *p, search_result *r) {
    seed_input stuck;
    if (pool_stop(p, &stuck)) {
        r->told.limited[CAUSE_WORKER]++;
        search_result_hung(r, stuck, CAUSE_WORKER);
    }
    pool_destroy(p);
}

/* Return what of --time is kept for reducing. */
static int64_t kept_ns(const tool_options *o) {
    enum { PARTS = 10 };
    const bool is_kept = o->reduce && o->budget_ns != CLOCK_NEVER;
    return is_kept ? o->budget_ns / PARTS : 0;
}

/* ---- Reducing ---- */

/* Reduce a failure with sinks of its own, in its share of the time. Returns the exit status. */
static int reduce(session *s, const failure *f, int64_t share_ns) {
    static session_task task; /* large */
    session_task *search = s->now;
    seed_input from = f->input;
    const int64_t start_ns = clock_now_ns();
    task = *search;
    task.json.error = 0;
    if (from.size > REDUCE_FAILURE_SIZE_MAX ||
        !input_source_read(&task.input, &(input_options){.seeded = from},
                           REDUCE_FAILURE_SIZE_MAX)) {
        message("not reduced: it is too large");
        return EXIT_FOUND;
    }
    failure_keep(&task.input.known, f);
    task.deadline_ns = task.last_ns = search->last_ns;
    if (s->options->budget_ns != CLOCK_NEVER && start_ns + share_ns < task.last_ns)
        task.deadline_ns = start_ns + share_ns;
    s->now = &task;
    if (session_looks_outside(s)) session_leave_namespace(s);
    if (from.style == SEED_GIVEN) from = (seed_input){.size = 0};
    const int status = reduce_failure(s, from, NULL);
    s->now = search;
    input_source_finish(&task.input);
    search->text.has_wrong_record = task.text.has_wrong_record;
    return status == EXIT_PASSED || status == EXIT_INCONCLUSIVE ? EXIT_FOUND : status;
}

/* Reduce the best, or with --all that of each signature. Each gets the same share of the time left,
 * or of all that was kept if that is more. Returns the exit status. */
static int reduce_found(session *s, const search_result *r) {
    const tool_options *o = s->options;
    const size_t count = o->all ? r->told.each.count : 1;
    const int64_t end_ns = session_deadline(s), least_ns = kept_ns(o) / (int64_t)larger(count, 1);
    int status = EXIT_FOUND;
    s->searched = r;
    for (size_t i = 0; i < count && status == EXIT_FOUND && s->signal_number == 0; i++) {
        const int64_t left_ns = (end_ns - clock_now_ns()) / (int64_t)(count - i);
        status = reduce(s, o->all ? r->told.each.list[i].failure : &r->best,
                        left_ns > least_ns ? left_ns : least_ns);
    }
    return status;
}

/* ---- The search ---- */

/* CPU time of runs beyond those that are due in any case: then a search by cost makes no more. With
 * what is under way then it is 2 s. */
enum { SEARCH_CPU_MS = 1900 };

/* The runs of a size after which processes may go on after masked failures (strategy.h). They are
 * fewer where each new process starts the program, which takes 30 ms in Python. */
enum { MASKED_FIRST = 256, MASKED_FIRST_OF_STARTS = 64 };

static void search(listeners *to, const tool_options *o, search_result *r) {
    session *s = to->session;
    s->runs.keeps_output = o->all || !signature_filter_is_empty(&o->run.filter);
    const report_layout *can = &s->runs.layout;
    const bool is_guided =
        o->guide == GUIDE_AUTO && (can->can_guide || can->can_climb) && s->runs.mode != MODE_SPAWN;
    if (o->guide == GUIDE_AUTO && s->runs.layout.guides_old)
        message("%s: no guided runs: it was built with another version of frng", s->target.path);
    const bool has_budget = o->budget_ns != CLOCK_NEVER || o->runs_max > 0;
    const bool is_by_cost = !options_given(o, "attempts") && s->runs.mode == MODE_PERSISTENT;
    const bool climbs_by_draws = o->keep_going || o->budget_ns != CLOCK_NEVER;
    dictionary *words =
        is_guided && !can->can_guide && climbs_by_draws ? constants_find(s->target.path) : NULL;
    const search_config config = {
        .goal = o->all ? SEARCH_EACH : SEARCH_SMALLEST,
        .strategy = {.attempts = o->attempts,
                     .grows_by_cost = is_by_cost,
                     .ends_by_cost = is_by_cost && !o->reduce,
                     .size_max = o->size_max,
                     .master_seed = o->rng_seed,
                     .expand = o->expand,
                     .endless = has_budget,
                     .masked_first = s->runs.mode != MODE_PERSISTENT ? 0
                                     : s->runs.layout.forks_none     ? MASKED_FIRST_OF_STARTS
                                                                     : MASKED_FIRST},
        .deadline_ns = session_deadline(s) - kept_ns(o),
        .runs_max = o->runs_max,
        .filter = &o->run.filter,
        .source = share_source(to->share),
        .ends =
            s->runs.layout.forks_none && s->runs.mode == MODE_PERSISTENT ? (unsigned)o->jobs : 0,
        .is_guided = is_guided,
        .needs_goal = !can->can_guide,
        .climbs_by_draws = climbs_by_draws,
        .words = words,
        .looks_outside = session_looks_outside(s),
        .cpu_ns = o->keep_going ? CLOCK_NEVER : SEARCH_CPU_MS * CLOCK_NS_PER_MS,
        .keeps_going = o->keep_going,
        .reduced_below = o->reduce && !o->all ? REDUCE_FAILURE_SIZE_MAX + 1 : 0,
    };
    const event_sink sink = {take_event, to};
    start_search(s, o);
    pool *p = session_open_pool(s);
    if (p == NULL) {
        free(words);
        run_stop_broken(&r->told.stop, errno);
        return;
    }
    search_run(&config, p, &sink, r);
    free(words);
    end_workers(p, r);
    session_take_end(s, &r->told.stop);
}

/* True if the target can give its runs labels, or none are required. Prints a message if not. */
static bool can_have_labels(const session *s, const tool_options *o) {
    if (o->requirements.count == 0 || s->runs.reports) return true;
    return message("--require: %s gives its runs no labels: it does not speak the protocol",
                   s->target.subject.sut);
}

static run_answer search_answer(const search_result *r, const tool_options *o) {
    if (r->found) return ANSWER_FOUND;
    if (r->inconclusive) return ANSWER_INCONCLUSIVE;
    if (r->told.stop.end != END_DONE && r->told.stop.end != END_SPENT) return ANSWER_NONE;
    if (r->passed == 0 || r->told.end_failed || r->told.claim.all_masked ||
        tally_is_unread(&r->tally))
        return ANSWER_NONE;
    if (tally_is_discarded(&r->tally)) return ANSWER_DISCARDED;
    for (size_t i = 0; i < o->requirements.count; i++) {
        if (!requirement_is_met(&o->requirements.list[i], &r->tally)) return ANSWER_UNMET;
    }
    return ANSWER_PASSED;
}

/* Keep a result with its final reruns. */
static void keep_result(session *s, const failure *f) {
    const finding by_seed = {.bytes = NULL};
    session_save(s, f, by_seed); /* it may be gone, or back from a larger one that was refuted */
    session_conclude(s, f, by_seed);
}

static void keep_results(session *s, const search_result *r) {
    if (r->found) keep_result(s, &r->best);
    for (size_t i = 0; i < r->told.each.count; i++) keep_result(s, r->told.each.list[i].failure);
    for (size_t i = 0; i < r->told.others.count; i++)
        session_conclude(s, r->told.others.list[i].failure, (finding){.bytes = NULL});
}

/* Report the search. Returns the exit status. */
static int report_search(session *s, const search_result *r) {
    const tool_options *o = s->options;
    keep_results(s, r);
    const bool is_over = r->told.stop.end == END_DONE || r->told.stop.end == END_SPENT;
    const bool is_replaced = o->reduce && is_over; /* by its reduction */
    char *path = r->found && !is_replaced
                     ? session_finding_path(s, &r->best, seed_input_bytes(&r->best.input))
                     : NULL;
    summary whole = r->told;
    whole.setup = &s->now->setup;
    whole.answer = search_answer(r, o);
    whole.is_unguided = r->told.guided > 0 && s->runs.layout.can_guide &&
                        s->runs.layout.has_others && !r->tally.compares_outside;
    whole.progress.size = r->best.input.size;
    whole.progress.discarded = r->tally.discarded;
    whole.best = (found_input){.failure = r->found || r->inconclusive ? &r->best : NULL,
                               .bytes = seed_input_bytes(&r->best.input),
                               .saved = path,
                               .is_finding = path != NULL};
    if (r->passed == 0) { /* not even the run of 0 bytes */
        whole.claim.bound = 1;
        whole.claim.all_masked = false;
    }
    session_end_findings(s);
    const int status = session_report(s, &whole, r->found);
    fleet_report_take(s->report, &(event){.kind = EVENT_FINISHED, .summary = &whole});
    free(path);
    if (r->found) session_warn_empty(s, &r->best);
    if (status == EXIT_PASSED && s->silent != NULL && !o->quiet)
        message("%s: mentions frng, but does not speak its protocol; if it is a test, pass it to "
                "frng's main",
                s->silent);
    if (whole.answer == ANSWER_UNMET) text_print_unmet(&o->requirements, &r->tally);
    return status;
}

static int search_and_report(session *s, tool_options *o) {
    static search_result result; /* large, and so is the next */
    static listeners to;
    int status = EXIT_ENVIRONMENT;
    to.session = s;
    if (!options_given(o, "rng-seed")) randombytes_buf(&o->rng_seed, sizeof o->rng_seed);
    if (session_prepare(s, o, o->size_max) && can_have_labels(s, o) &&
        (to.share = share_open(s, o)) != NULL) {
        search(&to, o, &result);
        const bool is_rebuilt = result.told.stop.end == END_REBUILT;
        status = report_search(s, &result);
        if (o->reduce && status == EXIT_FOUND && !is_rebuilt) status = reduce_found(s, &result);
        if (o->coverage) {
            const int stopped_by = target_print_unreached(&s->target, &s->signals, o->verbose);
            if (stopped_by != 0) s->signal_number = stopped_by;
        }
        search_finish(&result);
    } else if (s->failed) {
        status = EXIT_OUTPUT;
    }
    share_close(to.share);
    fleet_report_close(s->report);
    return status;
}

int main(int argc, char **argv) { return session_main(TOOL_SEARCH, argc, argv, search_and_report); }
