#include "runner_forkserver.h"

#include "candidate_set.h"
#include "clock.h"
#include "comparer.h"
#include "forkserver_client.h"
#include "repetition.h"
#include "report_tally.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The reciprocals of the share of time spent on comparing runs, and of the share at the beginning
 * where each comparison starts a program. */
enum { SAMPLE_SHARE = 100, SAMPLE_EARLY_SHARE = 10 };

typedef struct runner_forkserver {
    runner base;
    const runner_forkserver_config *config;
    run_mode mode;
    forkserver_client client;
    runner *spawn;       /* for runs in fresh processes */
    run_purpose purpose; /* of the batch in progress */
    int64_t batch_ns, sample_ns;
    comparer compared;
    uint64_t sampled;  /* most runs of a process of which the last was compared */
    tally ordered;     /* statistics of the last order, which may not count */
    feature_map known; /* what the driver knows, and the runs of this batch so far showed */
    uint32_t shown_count;
    frng_feature_record shown[FRNG_FEATURES]; /* by the runs of the last order */
    feature_map due;                          /* what the run that is made again showed there */
} runner_forkserver;

#define OUTCOME_HUNG ((outcome){VERDICT_TIMEOUT, 0, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN})

/* ---- Runs ---- */

/* Copy the reports of the first `count` runs of an order, which have passed, and of the next run,
 * before the next order. */
static void copy_reports(const runner_forkserver *r, const batch *order, uint64_t count) {
    candidate_set *set = order->candidates;
    if (set == NULL) return;
    if (set->form == CANDIDATE_CHOICES) {
        const report_shm *report = &r->client.report;
        const uint64_t max = set->chosen_max;
        set->chosen_size = report_shm_drawn(report, r->config->layout, max);
        if (set->chosen_size != OUTCOME_DRAWN_UNKNOWN)
            report_shm_copy_chosen(report, candidate_set_chosen(set), set->chosen_size);
        set->has_run_out = report_shm_has_run_out(report);
    }
    for (uint32_t i = 0; i < count; i++) {
        const seed_input t = batch_input(order, i);
        set->passes[t.seed] = report_shm_pass(&r->client.report, i, t.size);
    }
    report_shm_copy_trace(&r->client.report, set);
}

/* Take the statistics of the order that has ended, before the next order. */
static void take_tally(runner_forkserver *r, const batch *order, const frng_message *done,
                       forkserver_client_end end) {
    const report_shm *report = &r->client.report;
    const bool has_failed =
        end == CLIENT_HUNG || (end == CLIENT_DONE && done->status != 0 &&
                               (done->flags & FRNG_NO_PROCESS) == 0 && done->count < order->count);
    const uint64_t drawn = report_shm_drawn(report, r->config->layout, order->size);
    tally_clear(&r->ordered);
    report_tally_add(report, &(report_end){done->count, has_failed, drawn, order->size},
                     &r->ordered);
}

/* Add the statistics of the last order, unless its runs are repeated: no run counts since
 * `before`. */
static void add_tally(const runner_forkserver *r, uint32_t before, run_result *result) {
    if (result->tally != NULL && result->ran > before) tally_merge(result->tally, &r->ordered);
}

static void set_outcome(const runner_forkserver *r, outcome o, uint64_t size, run_result *result) {
    o.drawn = report_shm_drawn(&r->client.report, r->config->layout, size);
    result->last = o;
    if (r->config->spawn.site_rule == NULL) report_shm_copy_site(&r->client.report, result->site);
    result->is_site_known = result->site[0] != '\0';
}

static bool is_of_choices(const batch *runs) {
    return runs->candidates != NULL && runs->candidates->form == CANDIDATE_CHOICES;
}

/* Answer a batch of choices that cannot be run. */
static void refuse(const batch *runs, run_result *result) {
    runs->candidates->can_choose = false;
    result->ran = runs->count;
    result->last = outcome_of_status(0);
    result->cancelled = false;
}

/* Make the batch's next run in a new process; an isolation violation cannot affect its verdict.
 * Choices cannot be run so: the set says that they were not. */
static void spawn_one(runner_forkserver *r, const batch *runs, run_result *result) {
    const uint32_t ran = result->ran;
    if (is_of_choices(runs)) {
        refuse(runs, result);
        return;
    }
    const batch once = batch_part(runs, ran, 1);
    const isolation_violation violation = result->violation;
    r->spawn->ops->run(r->spawn, &once, r->purpose, result);
    r->client.cancelled = result->cancelled;
    result->violation = violation;
    result->ran += ran;
}

/* Make one run in its own fork. Returns false if there is no result: the run was cancelled, or the
 * fork server was lost. */
static bool fork_one(runner_forkserver *r, const batch *once, uint64_t flags, frng_leaks_wish leaks,
                     outcome *o) {
    frng_message done;
    r->client.leaks = leaks;
    switch (forkserver_client_make_alone(&r->client, once, flags, &done)) {
    case CLIENT_DONE:
        if ((done.flags & FRNG_NO_PROCESS) != 0) return false;
        *o = runner_spawn_judge_killed(r->spawn, outcome_of_status((int)done.status));
        return true;
    case CLIENT_HUNG: *o = OUTCOME_HUNG; return true;
    case CLIENT_CANCELLED:
    case CLIENT_LOST: return false;
    }
    abort();
}

/* Record an isolation violation, and give each run a process from now on. */
static void distrust(runner_forkserver *r, isolation_violation violation, seed_input t,
                     run_result *result) {
    r->mode = runner_forkserver_lone_mode(r->config);
    if (r->mode == MODE_SPAWN) forkserver_stop(&r->client.forkserver); /* it has state */
    result->violation = violation;
    result->doubted = t;
}

/* ---- Comparing runs of a batch with fresh ones ---- */

typedef struct sample {
    uint64_t digest, drawn;
} sample;

static sample sample_of(const runner_forkserver *r) {
    const volatile frng_report *report = r->client.report.report;
    return (sample){report->digest, report->digest_drawn};
}

/* True if a run should be compared that is the last of `made` in its process. A process that made
 * far more than earlier ones is due at once, since state may only show after a number of runs; but
 * where each comparison starts a program, not before that is worth its time. */
static bool is_sample_due(const runner_forkserver *r, uint64_t made) {
    const int64_t early_ns =
        r->config->layout.forks_none ? r->batch_ns / SAMPLE_EARLY_SHARE : INT64_MAX;
    const bool is_early = made / 4 >= r->sampled && r->sample_ns < early_ns;
    return made > 1 && (is_early || r->sample_ns < r->batch_ns / SAMPLE_SHARE);
}

/* Repeat the last run of a batch, which passed, in a fresh fork. If the runs differ, record an
 * isolation violation and return false. */
static bool is_same_fresh(runner_forkserver *r, const batch *runs, run_result *result) {
    const int64_t start_ns = clock_now_ns();
    const seed_input t = batch_input(runs, runs->count - 1);
    const batch once = batch_part(runs, runs->count - 1, 1);
    const uint64_t lived = r->client.lived;
    const uint64_t made = lived > runs->count ? lived : runs->count;
    const sample seen = sample_of(r);
    outcome o;
    const bool known = fork_one(r, &once, FRNG_DIGEST, FRNG_LEAKS_IGNORE, &o);
    const sample fresh = sample_of(r);
    if (made > r->sampled) r->sampled = made;
    r->sample_ns += clock_now_ns() - start_ns;
    if (!known || o.verdict == VERDICT_MEMORY) return true;
    if (o.verdict != VERDICT_PASS) {
        distrust(r, ISOLATION_FRESH_FAILS, t, result);
    } else if (seen.drawn != fresh.drawn) {
        distrust(r, ISOLATION_OTHER_COUNT, t, result);
    } else if (seen.digest != fresh.digest) {
        distrust(r, ISOLATION_OTHER_DRAWS, t, result);
    } else {
        return true;
    }
    return false;
}

/* ---- Features ---- */

/* True if a record is new, and of the run of the one before it or a later run. An honest target
 * reports no others; for those of a dishonest one, no run is made again and again. */
static bool is_in_turn(const runner_forkserver *r, const frng_feature_record *record) {
    if (r->known.seen[record->feature] != 0) return false;
    return r->shown_count == 0 || record->run >= r->shown[r->shown_count - 1].run;
}

/* Copy what the runs of an order showed, before the next order. */
static void take_shown(runner_forkserver *r, const batch *order, const frng_message *done) {
    const report_shm *report = &r->client.report;
    const uint32_t count = report_shm_feature_count(report);
    r->shown_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        frng_feature_record *next = &r->shown[r->shown_count];
        if (!report_shm_feature(report, i, done->count, order->size, next)) continue;
        if (is_in_turn(r, next)) r->shown_count++;
    }
}

static void add_feature(runner_forkserver *r, frng_feature_record record, feature_list *list) {
    if (r->known.seen[record.feature] != 0 || list->count == FRNG_FEATURES) return;
    r->known.seen[record.feature] = 1;
    list->records[list->count++] = record;
}

/* Add what the run that was just made showed. It is run `at` of the batch. */
static void add_shown(runner_forkserver *r, const batch *runs, uint32_t at, feature_list *list) {
    const report_shm *report = &r->client.report;
    const uint32_t count = report_shm_feature_count(report);
    frng_feature_record record;
    for (uint32_t i = 0; i < count; i++) {
        if (!report_shm_feature(report, i, 1, runs->size, &record)) continue;
        if (r->due.seen[record.feature] == 0) continue;
        record.run = at;
        add_feature(r, record, list);
    }
}

/* Make run `at` of the batch again, in a fork of its own, and add what it shows there: that does
 * not depend on the runs before in their process. Return false if that remains unknown. */
static bool show_again(runner_forkserver *r, const batch *runs, uint32_t at, feature_list *list) {
    forkserver_client *c = &r->client;
    const batch once = batch_part(runs, at, 1);
    outcome o;
    c->known = &r->known;
    const bool is_made = fork_one(r, &once, 0, FRNG_LEAKS_IGNORE, &o);
    c->known = NULL;
    if (is_made && o.verdict == VERDICT_PASS) add_shown(r, runs, at, list);
    return is_made;
}

/* Return the end of the records of one run, which stand together and begin at `first`. */
static uint32_t end_of_run(const runner_forkserver *r, uint32_t first) {
    uint32_t end = first;
    while (end < r->shown_count && r->shown[end].run == r->shown[first].run) end++;
    return end;
}

/* Make the runs that showed features again. The runs begin at run `before` of the batch. Only what
 * a run showed both times counts, so that it does not matter why it is made again. What it showed
 * only in its batch is of the runs before it: that is known from now on, and no run begins from
 * it. */
static void add_all_shown(runner_forkserver *r, const batch *runs, uint32_t before,
                          run_result *result) {
    uint32_t end = 0;
    for (uint32_t first = 0; first < r->shown_count; first = end) {
        const uint32_t at = before + r->shown[first].run;
        end = end_of_run(r, first);
        if (at >= result->ran || r->client.cancelled) return; /* it is repeated */
        for (uint32_t i = first; i < end; i++) r->due.seen[r->shown[i].feature] = 1;
        const bool is_made = show_again(r, runs, at, result->features);
        for (uint32_t i = first; i < end; i++) {
            const frng_feature_record unseen = {.run = at, .feature = r->shown[i].feature};
            r->due.seen[unseen.feature] = 0;
            if (is_made) add_feature(r, unseen, result->features);
        }
    }
}

/* ---- Leaks ---- */

/* Check the last of the runs that have passed, which may leak, in a fork of its own. The runs of
 * the order are those up to it. */
static void check_suspect(runner_forkserver *r, const batch *runs, uint64_t count,
                          run_result *result) {
    const batch once = batch_part(runs, count - 1, 1);
    outcome o;
    result->ran += (uint32_t)count;
    if (!fork_one(r, &once, 0, FRNG_LEAKS_CHECK, &o)) return;
    const report_shm *report = &r->client.report;
    result->leak = runner_leak_of(&o, report_shm_leak_state(report));
    if (result->leak != LEAK_FOUND) return;
    copy_reports(r, &once, 0);
    set_outcome(r, o, batch_input(&once, 0).size, result);
}

/* True if the last run that passed may leak. */
static bool is_suspect(const runner_forkserver *r, const frng_message *done) {
    return done->count > 0 && done->status == 0 &&
           report_shm_leak_state(&r->client.report) == FRNG_LEAK_SUSPECT;
}

/* True if a run that hung had passed: it was made again, in search of leaks. */
static bool had_passed(const runner_forkserver *r) {
    return report_shm_leak_state(&r->client.report) == FRNG_LEAK_AGAIN;
}

/* ---- A batch ---- */

/* True if run `at` of the last order was the first one of its process. */
static bool was_first(const runner_forkserver *r, uint64_t at) {
    return at == 0 && r->client.made_first;
}

/* Judge run `at` of a batch, which did not pass. It counts if it also fails in its own fork, which
 * the first run of a process has anyway. It also counts if it is flaky, since such failures may be
 * rare; the engine will confirm it. The submitter of a candidate set judges its failures. */
static void judge_failure(runner_forkserver *r, const batch *runs, uint64_t at, outcome o,
                          run_result *result) {
    forkserver_client *c = &r->client;
    const batch once = batch_part(runs, at, 1);
    const seed_input t = batch_input(&once, 0);
    set_outcome(r, o, t.size, result); /* another order clears the report */
    result->ran += (uint32_t)at + 1;
    if (!outcome_failed(&o) || r->mode != MODE_PERSISTENT) return;
    if (was_first(r, at) || once.candidates != NULL) return;
    const bool forks_none = r->config->layout.forks_none;
    const server_life life = c->life; /* up to this order */
    outcome fresh;
    if (!fork_one(r, &once, 0, FRNG_LEAKS_IGNORE, &fresh)) return;
    if (fresh.verdict == VERDICT_PASS) {
        if (repetition_shows_flaky(c, forks_none ? &life : NULL, runs, at) || c->cancelled) return;
        distrust(r, ISOLATION_FRESH_PASSES, t, result);
        result->last = fresh;
        result->site[0] = '\0';
        result->is_site_known = false;
        return;
    }
    set_outcome(r, fresh, t.size, result);
}

/* Judge the answer to a completed order. */
static void judge_done(runner_forkserver *r, const batch *runs, uint64_t flags,
                       const frng_message *done, run_result *result) {
    const seed_input at =
        batch_input(runs, done->count < runs->count ? done->count : runs->count - 1);
    if (done->status != 0 && done->count == runs->count) {
        distrust(r, ISOLATION_BATCH_END, at, result); /* the process failed at exit */
    } else if (done->status != 0) {
        const outcome o = runner_spawn_judge_killed(r->spawn, outcome_of_status((int)done->status));
        judge_failure(r, runs, done->count, o, result);
    } else if ((done->flags & FRNG_LEFTOVER) != 0 && (flags & FRNG_ONE_PROCESS) != 0) {
        distrust(r, ISOLATION_LEFTOVER, at, result);
    } else if (done->count < runs->count || (flags & FRNG_DIGEST) == 0 ||
               is_same_fresh(r, runs, result)) {
        result->ran += (uint32_t)done->count;
    }
}

/* False if these are choices, and the fork server takes none. A candidate set also says that. */
static bool can_take(const runner_forkserver *r, const batch *runs) {
    if (runs->candidates == NULL) return true;
    runs->candidates->can_choose = forkserver_client_can_choose(&r->client);
    return runs->candidates->can_choose || !is_of_choices(runs);
}

/* Make as many runs of the batch as fit in one order, from result->ran on. */
static void run_some(runner_forkserver *r, const batch *runs, run_result *result) {
    const uint64_t server_flags = r->client.forkserver.flags;
    batch part = batch_part(runs, result->ran, runs->count - result->ran);
    const bool batches = r->mode == MODE_PERSISTENT && (server_flags & FRNG_CAN_BATCH) != 0;
    const uint32_t before = result->ran;
    const bool shows = result->features != NULL;
    frng_message done;
    r->client.report.counts = result->tally != NULL;
    part.count = forkserver_client_takes(&r->client, &part);
    if (!can_take(r, runs) || (!batches && (server_flags & FRNG_NO_FORK) != 0)) part.count = 0;
    if (part.count == 0) {
        r->client.report.counts = false;
        spawn_one(r, runs, result);
        return;
    }
    const bool sampled = batches && is_sample_due(r, r->client.lived + part.count);
    const uint64_t flags = (batches ? FRNG_ONE_PROCESS : 0) | (sampled ? FRNG_DIGEST : 0);
    r->client.known = shows ? &r->known : NULL;
    r->shown_count = 0;
    r->client.leaks = r->purpose == RUN_TRY_UNWATCHED ? FRNG_LEAKS_IGNORE : FRNG_LEAKS_WATCH;
    const forkserver_client_end end = forkserver_client_make(&r->client, &part, flags, &done);
    r->client.report.counts = false;
    r->client.known = NULL;
    if (end == CLIENT_CANCELLED) return;
    r->compared.has_states |= report_shm_has_states(&r->client.report);
    if (shows) take_shown(r, &part, &done);
    copy_reports(r, &part, done.count);
    if (result->tally != NULL) take_tally(r, &part, &done, end);
    if (end == CLIENT_LOST || (done.flags & FRNG_NO_PROCESS) != 0) {
        /* Those before the run in progress have passed. The run may have killed the fork server; or
         * the fork server cannot fork now, whereas this process waits for resources. */
        result->ran += (uint32_t)done.count;
        add_tally(r, before, result);
        spawn_one(r, runs, result);
        return;
    }
    if (end == CLIENT_HUNG && had_passed(r)) {
        result->ran += (uint32_t)done.count + 1;
    } else if (end == CLIENT_HUNG) {
        judge_failure(r, &part, done.count, OUTCOME_HUNG, result);
    } else if (is_suspect(r, &done)) {
        check_suspect(r, &part, done.count, result);
    } else {
        judge_done(r, &part, flags, &done, result);
    }
    add_tally(r, before, result);
    add_all_shown(r, runs, before, result);
}

static void runner_forkserver_run(runner *base, const batch *runs, run_purpose purpose,
                                  run_result *result) {
    runner_forkserver *r = (runner_forkserver *)base;
    forkserver_client *c = &r->client;
    const int64_t start_ns = clock_now_ns();
    if (runner_is_shown(purpose) || c->is_plain || r->mode == MODE_SPAWN) {
        if (is_of_choices(runs)) {
            refuse(runs, result);
        } else {
            r->spawn->ops->run(r->spawn, runs, purpose, result);
            if (runner_is_shown(purpose)) return;
            comparer_hear(&r->compared, r->spawn);
            r->batch_ns += result->took_ns;
            comparer_look(&r->compared, r->spawn, runs, r->batch_ns, result);
        }
        return;
    }
    forkserver_client_stop_if_replaced(c);
    forkserver_client_stop_if_old(c);
    runner_spawn_watch_kills(r->spawn);
    c->cancelled = false;
    r->purpose = purpose;
    run_result_clear(result);
    if (result->features != NULL) r->known = *result->known;
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS && !c->cancelled &&
           (runs->candidates != NULL || result->leak <= LEAK_FOUND)) {
        if (r->mode != MODE_SPAWN && forkserver_client_need_server(c) == 0) {
            result->program = c->program;
            run_some(r, runs, result);
        } else if (!c->cancelled) {
            spawn_one(r, runs, result);
        }
    }
    result->cancelled = c->cancelled;
    if (r->config->steady) r->mode = r->config->mode;
    result->took_ns = clock_now_ns() - start_ns;
    r->batch_ns += result->took_ns;
    comparer_look(&r->compared, r->spawn, runs, r->batch_ns, result);
}

static void runner_forkserver_destroy(runner *base) {
    runner_forkserver *r = (runner_forkserver *)base;
    forkserver_client_finish(&r->client);
    r->spawn->ops->destroy(r->spawn);
    free(r);
}

runner *runner_forkserver_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {runner_forkserver_run, runner_forkserver_destroy};
    runner_forkserver *r = calloc(1, sizeof *r);
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    r->base.ops = &ops;
    r->config = config;
    r->mode = r->config->mode;
    *error_number = forkserver_client_init(&r->client, &r->config->spawn, watch);
    if (*error_number == 0) {
        r->spawn = runner_spawn_create(&r->config->spawn, watch, error_number);
        if (r->spawn != NULL) return &r->base;
        forkserver_client_finish(&r->client);
    }
    free(r);
    return NULL;
}
