#include "shrink.h"

#include "accept.h"
#include "confirm.h"
#include "pool.h"
#include "reduction_state.h"
#include "summary.h"

#include <assert.h>
#include <string.h>

enum { LOOKS_MAX = 64 }; /* proposals to check for one more candidate while others run */

/* ---- Sending ---- */

static bool is_known(const reduction *r, uint64_t digest) {
    return rejected_cache_has_digest(&r->rejected, digest) || inflight_has(&r->loop.window, digest);
}

/* Return the candidate in r->loop.tried as the target gets it. */
static client_input encoded_candidate(const reduction *r) {
    return r->loop.form == CANDIDATE_CHOICES
               ? client_bytes(r->loop.encoded.bytes, r->loop.encoded.size)
               : client_bytes(r->loop.tried.bytes, r->loop.tried.size);
}

/* True if a candidate waits: its pass most likely wins with what has the meaning of what was there,
 * and it moves draws to a place of another meaning. */
static bool is_unlikely(const reduction *r, const testcase *from, const patch *edits) {
    const schedule *now = &r->loop.ahead;
    if (now->unlikely == UNLIKELY_TRIED || !now->passes[schedule_pass(now)]->is_aligned)
        return false;
    return from->trace != TRACE_NONE && !patch_keeps_meaning(edits, from);
}

/* Make the candidate in r->loop.tried. False if it is no simpler than the best, if it is known or
 * in flight, or when out of memory. */
static bool make(reduction *r, const patch *edits, bool is_on_base, uint64_t *digest) {
    const testcase *from = is_on_base ? &r->base.testcase : &r->best.testcase;
    prefix_hashes *hashes = is_on_base ? &r->base.hashes : &r->best.hashes;
    if (!is_on_base && !patch_may_simplify(edits, from)) return false;
    if (hashes->form != r->loop.form) prefix_hashes_finish(hashes);
    hashes->form = r->loop.form;
    const bool is_hashed = hashes->marks != NULL || prefix_hashes_make(hashes, from);
    if (is_hashed) *digest = prefix_hashes_patched(hashes, from, edits);
    if (is_hashed && is_known(r, *digest)) return false;
    if (is_unlikely(r, from, edits)) {
        schedule_skip(&r->loop.ahead);
        return false;
    }
    if (!is_hashed || !patch_apply(edits, from, &r->loop.tried)) {
        reduction_stop_for_memory(r);
        return false;
    }
    const testcase *t = &r->loop.tried;
    /* With choices, the sizes are guesses: a lower count leaves what it counts out. */
    const testcase *bar = r->loop.form == CANDIDATE_CHOICES ? from : &r->best.testcase;
    if (testcase_compare(t, bar) >= 0) return false;
    if (r->loop.form == CANDIDATE_CHOICES && !choices_make(t, &r->loop.encoded)) {
        reduction_stop_for_memory(r);
        return false;
    }
    const client_input encoded = encoded_candidate(r);
    return !rejected_cache_has_prefix(&r->rejected, encoded.bytes, encoded.input.size);
}

/* Add a candidate to a candidate set. False if there is no room. */
static bool put(candidate_set *set, const client_input *encoded) {
    const uint64_t start = candidate_set_start(set, set->count), size = encoded->input.size;
    if (size > set->bytes_max - set->chosen_max - start) return false;
    if (size > 0) memcpy(set->bytes + start, encoded->bytes, size);
    set->ends[set->count++] = start + size;
    return true;
}

/* Return the limit of candidates in a batch, which is at most the calls left. */
static uint32_t batch_room(const reduction *r) {
    const uint64_t max = r->client.runs_max, made = r->client.runs + inflight_load(&r->loop.window);
    const uint64_t left = max > made ? max - made : 0;
    return left < r->loop.batch_max ? (uint32_t)left : r->loop.batch_max;
}

/* Fill a batch with candidates, each proposed as if all before it fail. */
static void fill(reduction *r, inflight_batch *b, candidate_set *set) {
    patch edits;
    uint64_t digest;
    unsigned looks = 0; /* proposals since the last candidate */
    const uint32_t room = batch_room(r);
    const bool is_alone = r->loop.window.count == 1; /* no other batch keeps the workers busy */
    while (b->count < room && client_is_running(&r->client)) {
        if (looks++ > LOOKS_MAX && !(b->count == 0 && is_alone)) break;
        if (!schedule_next(&r->loop.ahead, &r->best.testcase, &r->base.testcase, &edits)) break;
        if (make(r, &edits, r->loop.ahead.phase == SITE_ON_BASE, &digest)) {
            const client_input encoded = encoded_candidate(r);
            if (!put(set, &encoded)) break;
            schedule_count(&r->loop.ahead);
            inflight_put(b, &r->loop.ahead, digest, r->loop.tried.count);
            looks = 0;
        }
        schedule_feedback(&r->loop.ahead, false);
    }
}

/* Send one more batch. False when there is no candidate at present. */
static bool send_one(reduction *r) {
    candidate_set *set = pool_candidate_set(r->client.pool);
    inflight_batch *b = inflight_add(&r->loop.window);
    set->form = r->loop.form;
    if (set->form == CANDIDATE_CHOICES) set->chosen_max = r->best.testcase.size;
    fill(r, b, set);
    if (b->count == 0 || !client_is_running(&r->client)) {
        inflight_drop_last(&r->loop.window);
        return false;
    }
    inflight_start(b, set);
    pool_submit_candidate_set(r->client.pool, set, r->loop.purpose);
    return true;
}

void shrink_try_choices(reduction *r) {
    candidate_set *set = pool_candidate_set(r->client.pool);
    const run_result *run = NULL;
    batch runs;
    if (!choices_make(&r->best.testcase, &r->loop.encoded)) {
        reduction_stop_for_memory(r);
        return;
    }
    const client_input encoded = client_bytes(r->loop.encoded.bytes, r->loop.encoded.size);
    set->form = CANDIDATE_CHOICES;
    set->chosen_max = r->best.testcase.size;
    if (!put(set, &encoded)) return;
    pool_submit_candidate_set(r->client.pool, set, r->loop.purpose);
    while (run == NULL && client_is_running(&r->client)) run = client_wait(&r->client, &runs);
    if (run == NULL || !set->can_choose || !accept_start(r, run, set)) return;
    if (r->best.testcase.trace == TRACE_WHOLE) r->loop.form = CANDIDATE_CHOICES;
}

/* ---- Taking results ---- */

/* Make all batches in flight stale. Workers skip them if each test case has its own process. */
static void outdate(reduction *r) {
    const inflight_batch *b;
    while ((b = inflight_outdate(&r->loop.window)) != NULL) {
        if (r->config->is_fresh) pool_skip(r->client.pool, b->set);
    }
}

void shrink_from(reduction *r, const schedule *from) {
    r->loop.schedule = r->loop.ahead = *from;
    r->loop.batch_max = r->config->is_fresh ? 1 : CANDIDATE_SET_FIRST;
    outdate(r);
}

/* Make bytes of all further candidates. */
static void end_choices(reduction *r) {
    if (r->loop.form == CANDIDATE_CHOICES) rejected_cache_clear(&r->rejected);
    r->loop.form = CANDIDATE_BYTES;
}

static pass_statistics *statistics_of(reduction *r, const inflight_candidate *c) {
    return &r->result->statistics[schedule_pass(&c->before)];
}

/* Take a batch without a success, as the schedule assumed. */
static void commit_misses(reduction *r, const inflight_batch *b) {
    r->loop.schedule = b->candidates[b->count - 1].before;
    schedule_feedback(&r->loop.schedule, false);
}

/* Take a failed candidate, after which no candidate of its batch was run. */
static void commit_failure(reduction *r, const inflight_batch *b, const run_result *run,
                           const candidate_set *set) {
    const inflight_candidate *c = &b->candidates[run->ran - 1];
    const size_t size = r->best.testcase.size;
    const bool was_strict = reduction_is_strict(r);
    pass_statistics *s = statistics_of(r, c);
    schedule next = c->before;
    r->has_looked = false;
    const tried_candidate tried = {.run = run,
                                   .set = set,
                                   .at = run->ran - 1,
                                   .draws_max = inflight_draws_max(c),
                                   .keeps_base = c->before.phase == SITE_ON_BASE};
    const bool success = accept_try(r, &tried);
    if (success) {
        r->result->successes++;
        s->successes++;
        s->bytes += size - r->best.testcase.size;
        confirm_emit_step(r, s->name);
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
    shrink_from(r, &next);
}

/* Return the limit of candidate sets in flight. With a process for each, a candidate never waits
 * for a worker, so that the schedule proposes it as late as possible. Else parallel sets pay after
 * many misses in a row, when the next success is probably far. */
static size_t lanes_of(const reduction *r) {
    if (r->config->is_fresh) return r->config->jobs;
    return r->loop.batch_max == CANDIDATE_SET_MOST ? r->loop.window.max : 1;
}

static void commit_candidates(reduction *r, const inflight_batch *b, const run_result *run,
                              const candidate_set *set) {
    const bool failed = !run->cancelled && run->last.verdict != VERDICT_PASS;
    const uint32_t passed = failed ? run->ran - 1 : run->ran;
    assert(run->ran <= b->count);
    for (uint32_t i = 0; i < run->ran; i++) {
        statistics_of(r, &b->candidates[i])->calls++;
        if (i < passed) accept_reject(r, set, i);
    }
    if (b->state == INFLIGHT_STALE) return;
    if (failed) {
        commit_failure(r, b, run, set);
    } else {
        commit_misses(r, b);
        if (r->loop.batch_max < CANDIDATE_SET_MOST && !r->config->is_fresh) r->loop.batch_max *= 2;
    }
}

/* Go on as if the target could not choose. What is in flight says nothing. */
static void give_up_choices(reduction *r) {
    schedule first = r->loop.schedule;
    if (r->loop.form == CANDIDATE_BYTES) return; /* the batch is stale */
    end_choices(r);
    schedule_restart(&first);
    shrink_from(r, &first);
}

static void commit(reduction *r, const run_result *run, const candidate_set *set) {
    const inflight_batch *b = inflight_take(&r->loop.window);
    assert(!run->cancelled || b->state == INFLIGHT_STALE);
    if (set->form == CANDIDATE_CHOICES && !set->can_choose && !run->cancelled) {
        give_up_choices(r);
    } else if (set->external_pass == NULL) {
        commit_candidates(r, b, run, set);
    } else if (external_commit(r, b, run, set)) {
        outdate(r);
    }
    confirm_emit_progress(r);
}

/* Keep the workers busy, and take one result. False when no candidate is left or in flight. */
static bool run_some(reduction *r, bool (*send)(reduction *r)) {
    batch runs;
    bool waits = confirm_is_due(r);            /* until nothing is in flight, to confirm the best */
    if (waits && r->best.failure.reruns > 0) { /* its run confirmed it already */
        confirm_best(r, 1);
        waits = false;
    }
    while (!waits && r->loop.window.count < lanes_of(r) && pool_has_room(r->client.pool)) {
        if (!send(r)) break;
    }
    if (r->loop.window.count == 0 && (waits || pool_has_room(r->client.pool))) {
        return waits;
    }
    const run_result *run = client_wait(&r->client, &runs);
    if (run != NULL && r->loop.window.count > 0) commit(r, run, runs.candidates);
    return true;
}

/* Try the candidates that `send` sends, until it has none left. */
static void shrink(reduction *r, bool (*send)(reduction *r)) {
    do {
        if (r->loop.window.count > 0) continue;
        if (confirm_is_due(r)) confirm_best(r, 1);
        confirm_others(r);
    } while (client_is_running(&r->client) && run_some(r, send));
    inflight_clear(&r->loop.window);
    if (r->client.runs >= r->client.runs_max) client_stop(&r->client, END_SPENT);
}

void shrink_by_schedule(reduction *r) {
    shrink(r, send_one);
    r->loop.schedule = r->loop.ahead;
}

bool shrink_by_external(reduction *r) {
    assert(r->config->is_fresh && r->loop.window.count == 0);
    external_begin_turn(r);
    shrink(r, external_send);
    if (!r->external.has_won) return false;
    schedule first = r->loop.schedule;
    schedule_restart(&first);
    shrink_from(r, &first);
    return true;
}
