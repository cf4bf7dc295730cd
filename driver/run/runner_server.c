/* How a batch is made by a fork server, and what is believed of it.
 *
 * A batch goes to the server in parts, as many runs as fit in a message. It answers how many passed
 * and how the next one ended. What it cannot make, or was lost over, is spawned: a run never goes
 * without a verdict because of its server.
 *
 * Runs that share a process may change each other, so the fast answers are checked by slow ones. A
 * failure counts at once only if no run came before it in its process; else it is made again in a
 * fork of its own. If it passes there, and fails again where the same runs come before it, they
 * caused it: it does not count, and each later run gets a process. Of the runs that pass, now and
 * then the last one of a batch is made again alone, and must draw the same. The time for that is a
 * fixed share of all. In the same way some runs of a test that calls frng_digest are made in two
 * new processes, whose addresses and garbage differ.
 *
 * What the report says of a run is copied before the next message clears it. */
#include "server.h"

#include "candidate_set.h"
#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The reciprocals of the share of time spent on comparing runs, and of the share at the beginning
 * where each comparison starts a program. */
enum { SAMPLE_SHARE = 100, SAMPLE_EARLY_SHARE = 10 };

/* Runs that are compared in two new processes at first, for this time at most. */
enum { COMPARED_FIRST = 8, COMPARED_FIRST_MS = 200 };

typedef struct runner_server {
    runner base;
    const runner_server_config *config;
    run_mode mode;
    fork_server server;
    runner *spawn;       /* for runs in fresh processes */
    run_purpose purpose; /* of the batch in progress */
    int64_t batch_ns, sample_ns;
    bool has_states; /* a run has called frng_digest: such tests are worth the time to compare */
    bool differs;    /* two new processes differed: there is no need of another difference */
    uint32_t compared;
    int64_t compared_ns;
    uint64_t sampled; /* most runs of a process of which the last was compared */
    tally counted;    /* statistics of the last message, which may not count */
} runner_server;

#define OUTCOME_HUNG ((outcome){VERDICT_TIMEOUT, 0, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN})

/* A part of a batch that the fork server makes by one message, and how it ended. */
typedef struct part {
    batch batch;    /* as many runs as fit in a message */
    uint64_t flags; /* those of FRNG_RUN */
    server_end end;
    frng_message done; /* the answer: what is known of the runs, whatever the end */
} part;

/* The purpose of a run in a fork of its own. */
typedef enum fork_purpose { FORK_AGAIN, FORK_DIGEST, FORK_LEAK_CHECK } fork_purpose;

/* ---- Runs ---- */

/* Copy the choices of the last run, and the bytes that it drew for them. */
static void copy_choices(const runner_server *r, candidate_set *set) {
    const report_shm *report = &r->server.report;
    set->chosen_size = report_shm_drawn(report, r->config->layout, set->chosen_max);
    if (set->chosen_size != OUTCOME_DRAWN_UNKNOWN)
        report_shm_copy_chosen(report, candidate_set_chosen(set), set->chosen_size);
    set->has_run_out = report->report->ran_out != 0;
}

/* Copy the reports of the first `count` of these runs, which have passed, and of the next run,
 * before the next message. */
static void copy_reports(const runner_server *r, const batch *b, uint64_t count) {
    candidate_set *set = b->candidates;
    if (set == NULL) return;
    if (set->form == CANDIDATE_CHOICES) copy_choices(r, set);
    for (uint32_t i = 0; i < count; i++) {
        const seed_input t = batch_input(b, i);
        set->passes[t.seed] = report_shm_pass(&r->server.report, i, t.size);
    }
    report_shm_copy_trace(&r->server.report, set);
}

/* True if a run of the message failed. */
static bool has_failed(const part *o) {
    if (o->end == SERVER_HUNG) return true;
    return o->end == SERVER_DONE && o->done.status != 0 && (o->done.flags & FRNG_NO_PROCESS) == 0 &&
           o->done.count < o->batch.count;
}

/* True if the run in progress has no end: it may have killed the fork server; or the fork server
 * cannot fork now, whereas this process waits for resources. */
static bool is_lost(const part *o) {
    return o->end == SERVER_LOST || (o->done.flags & FRNG_NO_PROCESS) != 0;
}

/* Take the statistics of the message that has ended, before the next message. */
static void take_tally(runner_server *r, const part *o) {
    const report_shm *report = &r->server.report;
    const uint64_t drawn = report_shm_drawn(report, r->config->layout, o->batch.size);
    tally_clear(&r->counted);
    report_tally_add(report, &(report_end){o->done.count, has_failed(o), drawn, o->batch.size},
                     &r->counted);
}

/* Add the statistics of the last message, unless its runs are repeated: no run counts since
 * `before`. */
static void add_tally(const runner_server *r, const batch *b, uint32_t before,
                      const run_result *result) {
    if (b->tally != NULL && result->ran > before) tally_merge(b->tally, &r->counted);
}

static void set_outcome(const runner_server *r, outcome o, uint64_t size, run_result *result) {
    o.drawn = report_shm_drawn(&r->server.report, r->config->layout, size);
    result->last = o;
    if (r->config->spawn.site_rule == NULL) report_shm_copy_site(&r->server.report, result->site);
    result->is_site_known = result->site[0] != '\0';
}

static bool is_of_choices(const batch *b) {
    return b->candidates != NULL && b->candidates->form == CANDIDATE_CHOICES;
}

/* Answer a batch of choices that cannot be run. */
static void refuse(const batch *b, run_result *result) {
    b->candidates->can_choose = false;
    result->ran = b->count;
    result->last = outcome_of_status(0);
    result->cancelled = false;
}

/* Make the batch's next run in a new process; an isolation violation cannot affect its verdict.
 * Choices cannot be run so: the set says that they were not. */
static void spawn_one(runner_server *r, const batch *b, run_result *result) {
    if (is_of_choices(b)) {
        refuse(b, result);
        return;
    }
    const batch once = batch_part(b, result->ran, 1);
    result->output.size = result->output.total = 0;
    result->last = r->spawn->ops->once(r->spawn, &once, r->purpose, result);
    r->server.cancelled = result->cancelled;
    if (!result->cancelled) result->ran++;
}

/* Make one run in its own fork. Returns false if there is no result: the run was cancelled, or the
 * fork server was lost. */
static bool fork_one(runner_server *r, const batch *once, fork_purpose purpose, outcome *o) {
    frng_message done;
    const uint64_t flags = purpose == FORK_DIGEST ? FRNG_DIGEST : 0;
    r->server.leaks = purpose == FORK_LEAK_CHECK ? FRNG_LEAKS_CHECK : FRNG_LEAKS_IGNORE;
    switch (server_make_alone(&r->server, once, flags, &done)) {
    case SERVER_DONE:
        if ((done.flags & FRNG_NO_PROCESS) != 0) return false;
        *o = runner_spawn_judge_killed(r->spawn, outcome_of_status((int)done.status));
        return true;
    case SERVER_HUNG: *o = OUTCOME_HUNG; return true;
    case SERVER_STOPPED: *o = outcome_stuck(); return true;
    case SERVER_CANCELLED:
    case SERVER_LOST: return false;
    }
    abort();
}

/* Record an isolation violation, and give each run a process from now on. */
static void distrust(runner_server *r, isolation_violation violation, seed_input t,
                     run_result *result) {
    assert(violation != ISOLATION_NONE && r->mode == MODE_PERSISTENT);
    r->mode = runner_server_lone_mode(r->config);
    if (r->mode == MODE_SPAWN) server_stop(&r->server); /* it has state */
    result->violation = violation;
    result->doubted = t;
}

/* ---- Comparing runs of a batch with fresh ones ---- */

typedef struct sample {
    uint64_t digest, drawn;
} sample;

static sample sample_of(const runner_server *r) {
    const volatile frng_report *report = r->server.report.report;
    return (sample){report->digest, report->digest_drawn};
}

/* True if a run should be compared that is the last of `made` in its process. A process that made
 * far more than earlier ones is due at once, since state may only show after a number of runs; but
 * where each comparison starts a program, not before that is worth its time. */
static bool is_sample_due(const runner_server *r, uint64_t made) {
    const int64_t early_ns =
        r->config->layout.forks_none ? r->batch_ns / SAMPLE_EARLY_SHARE : INT64_MAX;
    const bool is_early = made / 4 >= r->sampled && r->sample_ns < early_ns;
    return made > 1 && (is_early || r->sample_ns < r->batch_ns / SAMPLE_SHARE);
}

/* Repeat the last run of a batch, which passed, in a fresh fork. If the runs differ, record an
 * isolation violation and return false. */
static bool is_same_fresh(runner_server *r, const batch *b, run_result *result) {
    const int64_t start_ns = clock_now_ns();
    const seed_input t = batch_input(b, b->count - 1);
    const batch once = batch_part(b, b->count - 1, 1);
    const uint64_t lived = r->server.process.lived;
    const uint64_t made = lived > b->count ? lived : b->count;
    const sample seen = sample_of(r);
    outcome o;
    const bool known = fork_one(r, &once, FORK_DIGEST, &o);
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

/* ---- Comparing runs in two new processes ---- */

static bool is_comparison_due(const runner_server *r, const batch *b, const run_result *result) {
    const bool is_early =
        r->compared < COMPARED_FIRST && r->compared_ns < COMPARED_FIRST_MS * CLOCK_NS_PER_MS;
    const verdict last = result->last.verdict;
    if (!r->has_states || r->differs || b->candidates != NULL || result->cancelled) return false;
    return (last == VERDICT_PASS || last == VERDICT_FAIL) && result->ran > 0 &&
           (is_early || r->compared_ns < r->batch_ns / SAMPLE_SHARE);
}

/* Make the last run of a batch in two new processes. */
static void compare_last(runner_server *r, const batch *b, run_result *result) {
    const int64_t start_ns = clock_now_ns();
    result->differs = r->differs = runner_spawn_differs(r->spawn, batch_input(b, result->ran - 1));
    r->compared++;
    r->compared_ns += clock_now_ns() - start_ns;
}

/* ---- Leaks ---- */

/* Check the last of the runs that have passed, which may leak, in a fork of its own. */
static void check_suspect(runner_server *r, const part *of, run_result *result) {
    const batch once = batch_part(&of->batch, of->done.count - 1, 1);
    outcome o;
    result->ran += (uint32_t)of->done.count;
    if (!fork_one(r, &once, FORK_LEAK_CHECK, &o)) return;
    result->leak = runner_leak_of(&o, r->server.report.report->leak_state);
    if (result->leak != LEAK_FOUND) return;
    copy_reports(r, &once, 0);
    set_outcome(r, o, batch_input(&once, 0).size, result);
}

/* True if the last run that passed may leak. */
static bool is_suspect(const runner_server *r, const frng_message *done) {
    return done->count > 0 && done->status == 0 &&
           r->server.report.report->leak_state == FRNG_LEAK_SUSPECT;
}

/* True if a run that hung had passed: it was made again, in search of leaks. */
static bool had_passed(const runner_server *r) {
    return r->server.report.report->leak_state == FRNG_LEAK_AGAIN;
}

/* ---- A message ---- */

/* True if the run that ended the message is judged by its own end: no run came before it in its
 * process, or the submitter of the candidate set judges it. */
static bool is_judged_by_end(const runner_server *r, const part *of) {
    const bool was_first = of->done.count == 0 && r->server.made_first;
    return r->mode != MODE_PERSISTENT || was_first || of->batch.candidates != NULL;
}

/* Take a failure that does not repeat in a process of its own. Where another fork can make the same
 * runs, it is flaky if it does not fail there, and else the runs before it caused it: it does not
 * count then. A server that makes its runs in itself has made others before, so the cause remains
 * unknown, and the failure counts. The engine confirms failures that count. */
static void doubt_failure(runner_server *r, const part *of, run_result *result) {
    const uint64_t at = of->done.count;
    part again = {.batch = batch_part(&of->batch, 0, (uint32_t)at + 1), .end = SERVER_LOST};
    r->server.leaks = FRNG_LEAKS_IGNORE;
    if (!r->config->layout.forks_none && server_need(&r->server) == 0)
        again.end = server_make(&r->server, &again.batch, FRNG_ONE_PROCESS, &again.done);
    const bool fails_again = has_failed(&again) && again.done.count == at;
    if (r->server.cancelled || (!fails_again && !is_lost(&again))) return;
    distrust(r, ISOLATION_FRESH_PASSES, batch_input(&of->batch, at), result);
    if (!fails_again) return;
    result->last = outcome_of_status(0);
    result->site[0] = '\0';
    result->is_site_known = false;
}

/* Judge the run that ended the message as `o`, for it did not pass. It counts if it also fails in
 * its own fork, which the first run of a process has anyway. It also counts if it is flaky, since
 * such failures may be rare; the engine will confirm it. */
static void judge_failure(runner_server *r, const part *of, outcome o, run_result *result) {
    const batch once = batch_part(&of->batch, of->done.count, 1);
    const uint64_t size = batch_input(&once, 0).size;
    set_outcome(r, o, size, result); /* another message clears the report */
    result->ran += (uint32_t)of->done.count + 1;
    if (!outcome_failed(&o) || is_judged_by_end(r, of)) return;
    outcome fresh;
    if (!fork_one(r, &once, FORK_AGAIN, &fresh)) return;
    if (fresh.verdict == VERDICT_PASS) {
        doubt_failure(r, of, result);
    } else {
        set_outcome(r, fresh, size, result);
    }
}

/* Judge a message that was answered. */
static void judge_answer(runner_server *r, const part *of, run_result *result) {
    const frng_message *done = &of->done;
    const uint32_t count = of->batch.count;
    const seed_input at = batch_input(&of->batch, done->count < count ? done->count : count - 1);
    if (done->status != 0 && done->count == count) {
        distrust(r, ISOLATION_BATCH_END, at, result); /* the process failed at exit */
    } else if (done->status != 0) {
        const outcome o = runner_spawn_judge_killed(r->spawn, outcome_of_status((int)done->status));
        judge_failure(r, of, o, result);
    } else if ((done->flags & FRNG_LEFTOVER) != 0 && (of->flags & FRNG_ONE_PROCESS) != 0) {
        distrust(r, ISOLATION_LEFTOVER, at, result);
    } else if (done->count < count || (of->flags & FRNG_DIGEST) == 0 ||
               is_same_fresh(r, &of->batch, result)) {
        result->ran += (uint32_t)done->count;
    }
}

static void judge(runner_server *r, const part *of, run_result *result) {
    if (of->end == SERVER_HUNG && had_passed(r)) {
        result->ran += (uint32_t)of->done.count + 1;
    } else if (of->end == SERVER_HUNG) {
        judge_failure(r, of, OUTCOME_HUNG, result);
    } else if (of->end == SERVER_STOPPED) {
        result->ran += (uint32_t)of->done.count + 1;
        result->last = outcome_stuck();
    } else if (is_suspect(r, &of->done)) {
        check_suspect(r, of, result);
    } else {
        judge_answer(r, of, result);
    }
}

/* False if these are choices, and the fork server takes none. A candidate set also says that. */
static bool can_take(const runner_server *r, const batch *b) {
    if (b->candidates == NULL) return true;
    b->candidates->can_choose = server_can_choose(&r->server);
    return b->candidates->can_choose || !is_of_choices(b);
}

/* Return the message of as many runs of the batch as fit in one, from run `ran` on; of none if the
 * fork server cannot make them. */
static part next_part(const runner_server *r, const batch *b, uint32_t ran) {
    const uint64_t abilities = r->server.process.flags;
    const bool batches = r->mode == MODE_PERSISTENT && (abilities & FRNG_CAN_BATCH) != 0;
    part o = {.batch = batch_part(b, ran, b->count - ran)};
    o.batch.count = server_takes(&r->server, &o.batch);
    if (!can_take(r, b) || (!batches && (abilities & FRNG_NO_FORK) != 0)) o.batch.count = 0;
    if (batches) o.flags |= FRNG_ONE_PROCESS;
    if (batches && is_sample_due(r, r->server.process.lived + o.batch.count))
        o.flags |= FRNG_DIGEST;
    return o;
}

/* Make a message, and take what its runs reported. */
static void make(runner_server *r, part *o) {
    fork_server *c = &r->server;
    c->leaks = r->purpose == RUN_TRY_UNWATCHED ? FRNG_LEAKS_IGNORE : FRNG_LEAKS_WATCH;
    o->end = server_make(c, &o->batch, o->flags, &o->done);
    if (o->end == SERVER_CANCELLED) return;
    r->has_states |= (c->report.report->wants & FRNG_HAS_STATES) != 0;
    copy_reports(r, &o->batch, o->done.count);
    if (o->batch.tally != NULL) take_tally(r, o);
}

/* ---- A batch ---- */

/* Make some of the batch's runs, from result->ran on. */
static void run_some(runner_server *r, const batch *b, run_result *result) {
    const uint32_t before = result->ran;
    r->server.report.counts = b->tally != NULL;
    part o = next_part(r, b, before);
    if (o.batch.count > 0) make(r, &o);
    r->server.report.counts = false;
    if (o.batch.count == 0) {
        spawn_one(r, b, result);
    } else if (o.end == SERVER_CANCELLED) {
        return;
    } else if (is_lost(&o)) {
        result->ran += (uint32_t)o.done.count; /* they have passed */
        add_tally(r, b, before, result);
        spawn_one(r, b, result);
    } else {
        judge(r, &o, result);
        add_tally(r, b, before, result);
    }
}

/* True while the batch has runs to make. */
static bool goes_on(const runner_server *r, const batch *b, const run_result *result) {
    if (result->ran == b->count || r->server.cancelled) return false;
    return result->last.verdict == VERDICT_PASS &&
           (b->candidates != NULL || result->leak <= LEAK_FOUND);
}

static void run_batch(runner_server *r, const batch *b, run_result *result) {
    fork_server *c = &r->server;
    const int64_t start_ns = clock_now_ns();
    server_stop_if_replaced(c);
    runner_spawn_watch_kills(r->spawn);
    c->cancelled = false;
    run_result_clear(result);
    while (goes_on(r, b, result)) {
        if (r->mode != MODE_SPAWN && server_need(c) == 0) {
            result->program = c->process.program;
            run_some(r, b, result);
        } else if (!c->cancelled) {
            spawn_one(r, b, result);
        }
    }
    result->cancelled = c->cancelled;
    if (r->config->steady) r->mode = r->config->mode;
    result->took_ns = clock_now_ns() - start_ns;
}

static void runner_server_run(runner *base, const batch *b, run_purpose purpose,
                              run_result *result) {
    runner_server *r = (runner_server *)base;
    const bool is_shown = runner_is_shown(purpose);
    r->purpose = purpose;
    if (!is_shown && !r->server.is_plain && r->mode != MODE_SPAWN) {
        run_batch(r, b, result);
    } else if (is_of_choices(b)) {
        refuse(b, result);
        return;
    } else {
        r->spawn->ops->run(r->spawn, b, purpose, result);
        if (is_shown) return;
        r->has_states |= runner_spawn_has_states(r->spawn);
    }
    r->batch_ns += result->took_ns;
    if (is_comparison_due(r, b, result)) compare_last(r, b, result);
}

static void runner_server_destroy(runner *base) {
    runner_server *r = (runner_server *)base;
    server_finish(&r->server);
    r->spawn->ops->destroy(r->spawn);
    free(r);
}

runner *runner_server_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {runner_server_run, runner_server_destroy};
    runner_server *r = calloc(1, sizeof *r);
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    r->base.ops = &ops;
    r->config = config;
    r->mode = r->config->mode;
    *error_number = server_init(&r->server, &r->config->spawn, watch);
    if (*error_number == 0) {
        r->spawn = runner_spawn_create(&r->config->spawn, watch, error_number);
        if (r->spawn != NULL) return &r->base;
        server_finish(&r->server);
    }
    free(r);
    return NULL;
}
