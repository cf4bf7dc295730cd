/* reduce.c: the loop of a reduction, which sends candidates to workers and takes their results.
 *
 * The schedule proposes each candidate as if no candidate in flight became the best. The first
 * success in this order is the new best, and candidates sent after it are dropped. So the result
 * does not depend on the number of workers. A set of candidates goes to a worker as one job, which
 * ends with its first failure; sets get larger after misses, for the next success is probably far.
 *
 * Candidates are bytes, or choices if the target can take those: then an edit of one draw leaves
 * all others what they are. The target's own bytes are read back as the test case.
 *
 * When our own passes rest, each external pass gets the best until it has no candidate left, one
 * after the other; after a turn with a success our own passes go on. A worker makes the candidate
 * of an external pass and runs it in one job.
 *
 * A reduction ends at a fixpoint: no pass has a candidate that was not tried, and the best failed
 * three times in fresh processes. accept.c judges candidates and confirms the best. */
#include "reduce.h"

#include "bytes.h"
#include "clock.h"
#include "event.h"
#include "pool.h"
#include "reduction.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Draws that a target may make beyond twice those of a candidate. One that makes far more goes
     * on with the simplest values where the choices have ended: another test case, and seldom one
     * that leads to a small one. */
    DRAWS_SPARE = 32,
    LOOKS_MAX = 64,                /* proposals for one more candidate while others run */
    FINAL_RERUNS = 3,              /* reruns of the result in fresh processes */
    GRACE_MS = 2000,               /* time to confirm the best when the budget is spent */
    CANDIDATE_SET_SPARE = 1 << 18, /* bytes beyond those of the test cases */
    RECORDS_MAX = 1 << 20,
    PREFIX_SPARE = 1 << 20, /* prefixes to remember: choices are longer than their bytes */
    STRIKES_MAX = 3,        /* times an external pass may break before it is dropped */
    BARREN_MAX = 100,       /* candidates in a row that are not simpler before it is dropped */
    KNOWN_MAX = 1000,       /* known candidates in a row that end its turn: it goes in circles */
    ASKED_MAX = 1000        /* limit of its instances, plus 16 for each byte of the best */
};

/* Twice the size, for an external pass appends its candidate to the best. */
uint64_t reduce_candidate_set_bytes(size_t size) {
    return 2 * (uint64_t)size + CANDIDATE_SET_SPARE;
}

/* Each draw takes a byte or more, and follows from one choice. */
uint64_t reduce_choices_bytes(size_t size) {
    return (FRNG_CHOICE_MAX + 1) * (uint64_t)size + CANDIDATE_SET_SPARE;
}

uint64_t reduce_candidate_set_records(size_t size) {
    const uint64_t wanted = 2 * (uint64_t)size + 1024; /* with room for notes */
    return smaller(wanted, RECORDS_MAX);
}

/* ---- Candidates in flight ---- */

static window_set *set_in_flight(const reduction *r, size_t i) {
    const window *w = &r->loop.flight;
    return &w->ring[(w->first + i) % w->max];
}

/* Add a set without candidates as the newest. */
static window_set *add_set(reduction *r, const candidate_set *set) {
    assert(r->loop.flight.count < r->loop.flight.max);
    window_set *added = set_in_flight(r, r->loop.flight.count++);
    added->set = set;
    added->is_stale = false;
    added->count = 0;
    return added;
}

static void add_candidate(window_set *s, const schedule *before, uint64_t digest, size_t draws) {
    assert(s->count < CANDIDATE_SET_COUNT_MAX);
    s->candidates[s->count++] = (window_candidate){digest, draws, *before};
}

static size_t count_in_flight(const reduction *r) {
    size_t count = 0;
    for (size_t i = 0; i < r->loop.flight.count; i++) count += set_in_flight(r, i)->count;
    return count;
}

/* True if a candidate was rejected, or is in flight in a set that is not stale. */
static bool is_known(const reduction *r, uint64_t digest) {
    if (rejected_cache_has_digest(&r->rejected, digest)) return true;
    for (size_t i = 0; i < r->loop.flight.count; i++) {
        const window_set *s = set_in_flight(r, i);
        for (size_t k = 0; k < s->count && !s->is_stale; k++) {
            if (s->candidates[k].digest == digest) return true;
        }
    }
    return false;
}

/* ---- Sending ---- */

/* True if a set has room for a test case of this size; as choices, each byte may be a draw. */
static bool has_room(const candidate_set *set, size_t size) {
    const uint64_t most =
        set->form == CANDIDATE_CHOICES ? ((uint64_t)size + 1) * FRNG_CHOICE_MAX : size;
    return candidate_set_start(set, set->count) + most + set->chosen_max <= set->bytes_max;
}

/* Write a test case into a set, which has room, as the target gets it. Return its bytes. */
static client_input put(candidate_set *set, const testcase *t) {
    const uint64_t start = candidate_set_start(set, set->count);
    const size_t size = testcase_write(t, set->form, set->bytes + start);
    assert(start + size + set->chosen_max <= set->bytes_max);
    set->ends[set->count++] = start + size;
    return client_bytes(set->bytes + start, size);
}

/* True if a candidate waits: its pass most likely wins with what has the meaning of what was there,
 * and it moves draws to a place of another meaning. */
static bool is_unlikely(const reduction *r, const testcase *from, const patch *edits) {
    const schedule *now = &r->loop.ahead;
    if (now->unlikely == UNLIKELY_TRIED || !now->passes[schedule_pass(now)]->is_aligned)
        return false;
    return from->trace != TRACE_NONE && !patch_keeps_meaning(edits, from);
}

/* Make the candidate in r->loop.tried, and put it into a set. False if it is known, in flight or no
 * simpler than the best, or when out of memory. */
static bool make(reduction *r, const patch *edits, candidate_set *set, uint64_t *digest) {
    testcase *from = r->loop.ahead.phase == SITE_ON_BASE ? &r->base : &r->best.testcase;
    const testcase *t = &r->loop.tried;
    /* With choices, the sizes are guesses: a lower count leaves what it counts out. */
    const testcase *bar = r->loop.form == CANDIDATE_CHOICES ? from : &r->best.testcase;
    const bool is_hashed = patch_digest(edits, from, r->loop.form, digest);
    if (is_hashed && is_known(r, *digest)) return false;
    if (!is_hashed || !patch_apply(edits, from, &r->loop.tried)) {
        reduction_stop_for_memory(r);
        return false;
    }
    if (testcase_compare(t, bar) >= 0) return false;
    if (is_unlikely(r, from, edits)) {
        schedule_skip(&r->loop.ahead);
        return false;
    }
    const client_input written = put(set, t);
    if (!rejected_cache_has_prefix(&r->rejected, written.bytes, written.input.size)) return true;
    set->count--;
    return false;
}

/* Return the limit of candidates in a batch, which is at most the calls left. */
static uint32_t batch_room(const reduction *r) {
    const uint64_t max = r->client.runs_max, made = r->client.runs + count_in_flight(r);
    const uint64_t left = max > made ? max - made : 0;
    return left < r->loop.batch_max ? (uint32_t)left : r->loop.batch_max;
}

/* Fill a batch with candidates, each proposed as if all before it fail. */
static void fill(reduction *r, window_set *b, candidate_set *set) {
    patch edits;
    uint64_t digest;
    unsigned looks = 0; /* proposals since the last candidate */
    const uint32_t room = batch_room(r);
    const bool is_alone = r->loop.flight.count == 1; /* no other batch keeps the workers busy */
    const size_t best = r->best.testcase.size; /* as choices, it is simpler than its base only */
    const size_t most = set->form == CANDIDATE_BYTES || best > r->base.size ? best : r->base.size;
    while (b->count < room && has_room(set, most) && client_is_running(&r->client)) {
        if (looks++ > LOOKS_MAX && !(b->count == 0 && is_alone)) break;
        if (!schedule_next(&r->loop.ahead, &r->best.testcase, &r->base, &edits)) break;
        if (make(r, &edits, set, &digest)) {
            schedule_count(&r->loop.ahead);
            add_candidate(b, &r->loop.ahead, digest, r->loop.tried.count);
            looks = 0;
        }
        schedule_feedback(&r->loop.ahead, false);
    }
}

/* Send one more batch. False when there is no candidate at present. */
static bool send_one(reduction *r) {
    candidate_set *set = pool_candidate_set(r->client.pool);
    window_set *b = add_set(r, set);
    set->form = r->loop.form;
    if (set->form == CANDIDATE_CHOICES) set->chosen_max = r->best.testcase.size;
    fill(r, b, set);
    if (b->count == 0 || !client_is_running(&r->client)) {
        r->loop.flight.count--;
        return false;
    }
    assert(b->count == set->count);
    pool_submit_candidate_set(r->client.pool, set, r->loop.purpose);
    return true;
}

const run_result *reduction_run(reduction *r, const testcase *t, candidate_form form, batch *runs) {
    candidate_set *set = pool_candidate_set(r->client.pool);
    const run_result *run = NULL;
    set->form = form;
    if (form == CANDIDATE_CHOICES) set->chosen_max = t->size;
    if (!has_room(set, t->size)) return NULL;
    put(set, t);
    pool_submit_candidate_set(r->client.pool, set, r->loop.purpose);
    while (run == NULL && client_is_running(&r->client)) run = client_wait(&r->client, runs);
    return form == CANDIDATE_CHOICES && !set->can_choose ? NULL : run;
}

/* Run the best as choices. If it fails as before, candidates are choices from now on. */
static void try_choices(reduction *r) {
    batch runs;
    const run_result *run = reduction_run(r, &r->best.testcase, CANDIDATE_CHOICES, &runs);
    if (run == NULL || !accept_choices(r, run, runs.candidates)) return;
    if (r->best.testcase.trace == TRACE_WHOLE) r->loop.form = CANDIDATE_CHOICES;
}

/* ---- Taking results ---- */

/* Make all batches in flight stale. Workers skip them if each test case has its own process. */
static void outdate(reduction *r) {
    for (size_t i = 0; i < r->loop.flight.count; i++) {
        window_set *s = set_in_flight(r, i);
        if (!s->is_stale && r->config->is_fresh) pool_skip(r->client.pool, s->set);
        s->is_stale = true;
    }
}

/* Continue with a schedule that has taken the result of its candidate. */
static void go_on_from(reduction *r, const schedule *from) {
    r->loop.now = r->loop.ahead = *from;
    r->loop.batch_max = r->config->is_fresh ? 1 : CANDIDATE_SET_FIRST;
    outdate(r);
}

/* Make bytes of all further candidates. */
static void end_choices(reduction *r) {
    if (r->loop.form == CANDIDATE_CHOICES) rejected_cache_clear(&r->rejected);
    r->loop.form = CANDIDATE_BYTES;
}

static pass_statistics *statistics_of(reduction *r, const window_candidate *c) {
    return &r->result->statistics[schedule_pass(&c->before)];
}

/* Take a batch without a success, as the schedule assumed. */
static void commit_misses(reduction *r, const window_set *b) {
    r->loop.now = b->candidates[b->count - 1].before;
    schedule_feedback(&r->loop.now, false);
}

/* Take a failed candidate, after which no candidate of its batch was run. */
static void commit_failure(reduction *r, const window_set *b, const run_result *run,
                           const candidate_set *set) {
    const window_candidate *c = &b->candidates[run->ran - 1];
    const bool was_strict = r->confirmed.is_strict;
    schedule next = c->before;
    r->has_looked = false;
    const tried_candidate tried = {.run = run,
                                   .set = set,
                                   .at = run->ran - 1,
                                   .draws_max = 2 * c->draws + DRAWS_SPARE,
                                   .keeps_base = c->before.phase == SITE_ON_BASE};
    const bool success = accept_try(r, &tried, statistics_of(r, c));
    if (success) {
        if (r->best.testcase.trace != TRACE_WHOLE) end_choices(r);
        if (r->loop.form == CANDIDATE_CHOICES) accept_bar(r, &r->best.testcase);
    } else {
        rejected_cache_add_digest(&r->rejected, c->digest);
    }
    if (!success && b->count == 1 && !was_strict && !r->has_looked) {
        commit_misses(r, b);
        return;
    }
    schedule_feedback(&next, success);
    go_on_from(r, &next);
}

/* Return the limit of candidate sets in flight. With a process for each, a candidate never waits
 * for a worker, so that the schedule proposes it as late as possible. Else parallel sets pay after
 * many misses in a row, when the next success is probably far. */
static size_t lanes_of(const reduction *r) {
    if (r->config->is_fresh) return r->config->jobs;
    return r->loop.batch_max == CANDIDATE_SET_MOST ? r->loop.flight.max : 1;
}

/* Remember that a candidate passed, and with it all test cases that would draw the same bytes. */
static void reject(reduction *r, const candidate_set *set, uint32_t i, uint64_t digest) {
    const candidate_pass *run = &set->passes[i];
    rejected_cache_add_digest(&r->rejected, digest);
    if (run->drawn <= candidate_set_size(set, i) && !run->ran_out)
        rejected_cache_add_prefix(&r->rejected, candidate_set_bytes(set, i), run->drawn);
}

static void commit_candidates(reduction *r, const window_set *b, const run_result *run,
                              const candidate_set *set) {
    const bool failed = !run->cancelled && run->last.verdict != VERDICT_PASS;
    const uint32_t passed = failed ? run->ran - 1 : run->ran;
    assert(run->ran <= b->count);
    for (uint32_t i = 0; i < run->ran; i++) {
        statistics_of(r, &b->candidates[i])->calls++;
        if (i < passed) reject(r, set, i, b->candidates[i].digest);
    }
    if (b->is_stale) return;
    if (failed) {
        commit_failure(r, b, run, set);
    } else {
        commit_misses(r, b);
        if (r->loop.batch_max < CANDIDATE_SET_MOST && !r->config->is_fresh) r->loop.batch_max *= 2;
    }
}

/* Let all passes try again. What is in flight says nothing. */
static void begin_anew(reduction *r) {
    schedule first = r->loop.now;
    schedule_restart(&first);
    go_on_from(r, &first);
}

/* ---- External passes ---- */

/* Begin with the first instance of the pass at an index that was not dropped. */
static void begin_pass(reduction *r, size_t at) {
    external_turn *e = &r->external;
    while (at < r->config->external_pass_count && e->members[at].is_dropped) at++;
    e->at = at;
    e->next = e->done = 0;
    e->known = 0;
    e->is_warm = false;
}

/* Send the best to the pass whose turn it is. False if it has to wait, or the turn is over. */
static bool send_to_external(reduction *r) {
    external_turn *e = &r->external;
    pool *workers = r->client.pool;
    const uint64_t max = r->client.runs_max;
    if (max != UINT64_MAX && r->client.runs + r->loop.flight.count >= max) return false;
    if (e->at == r->config->external_pass_count || (e->next > e->done && !e->is_warm)) return false;
    candidate_set *set = pool_candidate_set(workers);
    window_set *b = add_set(r, set);
    assert(r->best.testcase.size <= set->bytes_max);
    set->count = 1;
    set->ends[0] = r->best.testcase.size;
    set->external_pass = &r->config->external_passes[e->at];
    set->number = e->next++;
    set->answer = EXTERNAL_PASS_BROKEN;
    if (r->best.testcase.size > 0)
        memcpy(set->bytes, r->best.testcase.bytes, r->best.testcase.size);
    add_candidate(b, &r->loop.now, 0, 0);
    assert(b->count == set->count);
    pool_submit_candidate_set(workers, set, RUN_TRY);
    return true;
}

static void drop(reduction *r, pass_misdeed why) {
    external_turn *e = &r->external;
    e->members[e->at].is_dropped = true;
    event_emit(r->sink,
               &(event){.kind = EVENT_PASS_DROPPED, .external_pass = e->at, .misdeed = why});
}

static uint64_t digest_of_made(const candidate_set *set) {
    return digest_of(candidate_set_bytes(set, 1), (size_t)candidate_set_size(set, 1));
}

/* Take a failed candidate. True if it is the best now. */
static bool take_failure(reduction *r, const run_result *run, const candidate_set *set) {
    external_turn *e = &r->external;
    const uint64_t number = set->number, digest = digest_of_made(set);
    if (!accept_try(r, &(tried_candidate){run, set, 1, SIZE_MAX, false},
                    &r->result->external_passes[e->at])) {
        rejected_cache_add_digest(&r->rejected, digest);
        return false;
    }
    e->done = e->next = number; /* this instance of the new best is a different one */
    e->has_won = true;
    return true;
}

/* Take an answer without a success. True if the pass has no candidate left for the best. */
static bool take_answer(reduction *r, external_pass_answer answer) {
    external_turn *e = &r->external;
    external_member *m = &e->members[e->at];
    switch (answer) {
    case EXTERNAL_PASS_MADE: m->barren = 0; break;
    case EXTERNAL_PASS_NOT_SIMPLER:
        if (++m->barren == BARREN_MAX) drop(r, MISDEED_BARREN);
        break;
    case EXTERNAL_PASS_KNOWN: break;
    case EXTERNAL_PASS_NONE: return true;
    case EXTERNAL_PASS_HUNG: drop(r, MISDEED_BROKEN); break;
    case EXTERNAL_PASS_BROKEN:
        if (++m->strikes == STRIKES_MAX) drop(r, MISDEED_BROKEN);
        if (e->is_warm) return true;
        e->next = --e->done; /* ask again: it may never have worked */
        return m->is_dropped;
    }
    e->known = answer == EXTERNAL_PASS_KNOWN ? e->known + 1 : 0;
    e->is_warm = true;
    return m->is_dropped || e->known == KNOWN_MAX ||
           e->done > ASKED_MAX + 16 * (uint64_t)r->best.testcase.size;
}

/* Take the result of a job. True if what is in flight is out of date now. */
static bool commit_external(reduction *r, const window_set *b, const run_result *run,
                            const candidate_set *set) {
    external_turn *e = &r->external;
    const bool failed = run->last.verdict != VERDICT_PASS;
    if (run->cancelled) return false;
    const bool is_made = set->answer == EXTERNAL_PASS_MADE;
    if (is_made)
        r->result->external_passes[set->external_pass - r->config->external_passes].calls++;
    if (is_made && !failed) reject(r, set, 1, digest_of_made(set));
    if (b->is_stale) return false;
    const external_pass_answer answer = set->answer;
    e->done = set->number + 1;
    if (is_made && failed && take_failure(r, run, set)) return true;
    if (r->loop.flight.count == 0) e->next = e->done; /* a rerun cancelled what was in flight */
    if (!take_answer(r, answer)) return false;
    begin_pass(r, e->at + 1);
    return true;
}

/* ---- The loop ---- */

static void commit(reduction *r, const run_result *run, const candidate_set *set) {
    window *w = &r->loop.flight;
    const window_set *b = set_in_flight(r, 0); /* it stays until one is added */
    assert(w->count > 0 && b->count > 0);
    w->first = (w->first + 1) % w->max;
    w->count--;
    assert(!run->cancelled || b->is_stale);
    if (set->form == CANDIDATE_CHOICES && !set->can_choose && !run->cancelled) {
        if (r->loop.form == CANDIDATE_CHOICES) { /* else the set is stale */
            end_choices(r);
            begin_anew(r);
        }
    } else if (set->external_pass == NULL) {
        commit_candidates(r, b, run, set);
    } else if (commit_external(r, b, run, set)) {
        outdate(r);
    }
    reduction_emit_progress(r);
}

/* Keep the workers busy, and take one result. False when no candidate is left or in flight. */
static bool run_some(reduction *r, bool (*send)(reduction *r)) {
    batch runs;
    const bool waits = confirm_is_due(r); /* until nothing is in flight, to confirm the best */
    confirm_announce_now_and_then(r);
    while (!waits && r->loop.flight.count < lanes_of(r) && pool_has_room(r->client.pool)) {
        if (!send(r)) break;
    }
    if (r->loop.flight.count == 0 && (waits || pool_has_room(r->client.pool))) {
        return waits;
    }
    const run_result *run = client_wait(&r->client, &runs);
    if (run != NULL && r->loop.flight.count > 0) commit(r, run, runs.candidates);
    return true;
}

/* Try the candidates that `send` sends, until it has none left. */
static void try_all(reduction *r, bool (*send)(reduction *r)) {
    do {
        if (r->loop.flight.count > 0) continue;
        if (confirm_is_due(r)) confirm_best(r, 1);
        confirm_others(r);
    } while (client_is_running(&r->client) && run_some(r, send));
    r->loop.flight.count = 0;
    if (r->client.runs >= r->client.runs_max) client_stop(&r->client, END_SPENT);
}

/* Give the external passes a turn. True if the best has changed: the schedule begins anew. */
static bool shrink_by_external(reduction *r) {
    assert(r->config->is_fresh && r->loop.flight.count == 0);
    r->external.has_won = false;
    begin_pass(r, 0);
    try_all(r, send_to_external);
    if (r->external.has_won) begin_anew(r);
    return r->external.has_won;
}

/* ---- The beginning and the end ---- */

/* Show that the reduction lives; before the first pass only if a run takes long. */
static void on_idle(void *context) {
    enum { LONG_MS = 5000 };
    reduction *r = context;
    const bool is_long = clock_now_ns() >= r->start_ns + LONG_MS * CLOCK_NS_PER_MS;
    if (r->loop.now.count > 0 || is_long) reduction_emit_progress(r);
}

/* Runs of one program say nothing of another. */
static void on_result(void *context, const run_result *run) {
    reduction *r = context;
    if (!file_stamp_is_known(&run->program)) return;
    if (!file_stamp_is_known(&r->program)) r->program = run->program;
    if (!file_stamp_equal(&r->program, &run->program)) client_stop(&r->client, END_REBUILT);
}

static void conclude(reduction *r) {
    reduce_result *result = r->result;
    result->bytes = r->confirmed.testcase;
    r->confirmed.testcase = (testcase){0};
    result->elapsed_ns = clock_now_ns() - r->start_ns;
    result->stop = r->client.stop;
    result->calls = r->client.runs;
}

static void choose_passes(reduction *r) {
    const pass *const *list = r->config->passes;
    if (list == NULL) list = passes_for(&r->best.testcase, r->config->is_file);
    size_t count = 0;
    for (; *list != NULL; list++) {
        const bool is_wanted = r->config->passes != NULL || r->config->effort == EFFORT_HIGH;
        if ((*list)->cost == PASS_LAST && !is_wanted) continue;
        r->loop.passes[count++] = *list;
    }
    r->loop.passes[count] = NULL;
}

/* Try all candidates: our own passes first, and the external ones each time when those rest. */
static void shrink(reduction *r) {
    do {
        try_all(r, send_one);
        r->loop.now = r->loop.ahead;
    } while (client_is_running(&r->client) && r->config->external_pass_count > 0 &&
             shrink_by_external(r));
}

static void reduce_all(reduction *r) {
    schedule first;
    if (!accept_first(r)) {
        if (client_is_running(&r->client)) client_stop(&r->client, END_PASSES);
        return;
    }
    choose_passes(r);
    if (r->can_choose && r->best.testcase.trace == TRACE_WHOLE && client_is_running(&r->client))
        try_choices(r);
    schedule_init(&first, r->loop.passes);
    first.is_thorough = r->config->passes != NULL || r->config->effort == EFFORT_HIGH;
    for (size_t i = 0; i < first.count; i++) r->result->statistics[i].name = first.passes[i]->name;
    r->result->statistics_count = first.count;
    go_on_from(r, &first);
    do {
        shrink(r);
    } while (client_is_running(&r->client) && !confirm_best(r, FINAL_RERUNS));
    client_extend(&r->client, GRACE_MS * CLOCK_NS_PER_MS);
    confirm_last(r);
}

static bool allocate(reduction *r, pool *p) {
    const reduce_config *config = r->config;
    window *w = &r->loop.flight;
    w->max = config->jobs > 1 ? 2 * (size_t)config->jobs : 1;
    r->result->external_passes =
        calloc(config->external_pass_count + 1, sizeof *r->result->external_passes);
    if (r->result->external_passes == NULL) return false;
    r->result->external_pass_count = config->external_pass_count;
    for (size_t i = 0; i < config->external_pass_count; i++) {
        r->result->external_passes[i].name = config->external_passes[i].name;
    }
    const size_t spare = config->is_file ? 0 : smaller(2 * config->size, PREFIX_SPARE);
    if (!rejected_cache_init(&r->rejected, config->size + spare) ||
        (w->ring = calloc(w->max, sizeof *w->ring)) == NULL ||
        (r->external.members =
             calloc(config->external_pass_count + 1, sizeof *r->external.members)) == NULL) {
        return false;
    }
    if (config->external_pass_count > 0) r->rejected.table = pool_candidate_set(p)->rejected;
    return true;
}

static void release(reduction *r) {
    testcase_finish(&r->best.testcase);
    testcase_finish(&r->base);
    testcase_finish(&r->confirmed.testcase);
    testcase_finish(&r->loop.tried);
    failure_drop(&r->best.failure);
    failure_drop(&r->target);
    testcase_finish(&r->confirmed.first);
    failure_drop(&r->confirmed.first_failure);
    for (size_t i = 0; i < DISTINCT_FAILURES_MAX; i++) testcase_finish(&r->others.cases[i]);
    distinct_failures_finish(&r->others.failures);
    free(r->loop.flight.ring);
    rejected_cache_finish(&r->rejected);
    free(r->external.members);
    free(r);
}

void reduce_run(const reduce_config *config, pool *p, const event_sink *sink,
                reduce_result *result) {
    reduction *r = calloc(1, sizeof *r);
    memset(result, 0, sizeof *result);
    run_stop_broken(&result->stop, ENOMEM);
    if (r == NULL) return;
    r->config = config;
    r->sink = sink;
    r->result = result;
    if (allocate(r, p)) {
        const client_hooks hooks = {r, on_result, on_idle};
        client_init(&r->client, p, &(client_config){config->deadline_ns, sink, hooks});
        r->client.runs_max = config->calls_max;
        r->start_ns = clock_now_ns();
        reduce_all(r);
        conclude(r);
        explain_result(r);
    }
    release(r);
}

void reduce_finish(reduce_result *result) {
    testcase_finish(&result->bytes);
    failure_drop(&result->best);
    explanation_finish(&result->explanation);
    free(result->external_passes);
}
