/* reduce.c: the loop of a reduction, which sends candidates to workers and takes their results.
 *
 * The schedule proposes each candidate as if no candidate in flight became the best. The first
 * success in this order is the new best, candidates sent after it are dropped, and the schedule,
 * which the window keeps beside each candidate, goes on from there. So the result does not depend
 * on the number of workers. A set of candidates goes to a worker as one job, which ends with its
 * first failure; sets get larger after misses, for the next success is probably far.
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
#include "signature_filter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Draws that a target may make beyond twice those of a candidate. One that makes far more goes
     * on with the simplest values where the choices have ended: another test case, and seldom one
     * that leads to a small one. */
    DRAWS_SPARE = 32,
    LOOKS_MAX = 64,         /* proposals for one more candidate while others run */
    FINAL_RERUNS = 3,       /* reruns of the result in fresh processes */
    CREEP_MAX = 8192,       /* candidates while the best gains no byte and no bit, */
    CREEP_SHARE = 64,       /* and so many for each draw, before it ends */
    CREEP_TURNS = 32,       /* the part of these after which each pass has its turn (1 / N), */
    CREEP_STRICT = 4,       /* and the part that a flaky failure gets, of which each takes reruns */
    FLYING_BYTES = 1 << 27, /* of candidates in flight, each in a process of its own */
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

static sent_set *set_in_flight(const reduction *r, size_t i) {
    return &r->window[(r->oldest + i) % r->slots];
}

static sent_set *add_set(reduction *r) {
    assert(r->flying < r->slots);
    sent_set *added = set_in_flight(r, r->flying++);
    added->set = pool_candidate_set(r->client.pool);
    added->is_stale = false;
    return added;
}

/* True if a candidate was rejected, or is in flight in a set that is not stale. */
static bool is_known(const reduction *r, uint64_t digest) {
    if (rejected_cache_has_digest(&r->rejected, digest)) return true;
    for (size_t i = 0; i < r->flying; i++) {
        const sent_set *s = set_in_flight(r, i);
        for (size_t k = 0; k < s->set->count && !s->is_stale; k++) {
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

/* True if a candidate is not worth a call: its pass wins with what has the meaning of what was
 * there, and it moves draws to a place of another meaning. */
static bool is_unlikely(const reduction *r, const testcase *from, const patch *edits) {
    return r->ahead.passes[schedule_pass(&r->ahead)]->is_aligned && from->trace != TRACE_NONE &&
           !patch_keeps_meaning(edits, from);
}

/* Put a candidate of units into a set, whose room is the best's at least. False if it is not
 * simpler. */
static bool put_units(const reduction *r, const patch *edits, const testcase *from,
                      candidate_set *set) {
    uint8_t *bytes = set->bytes + candidate_set_start(set, set->count);
    const size_t size = patch_size(edits, from);
    if (size > r->best.testcase.size) return false;
    patch_write(edits, from, bytes);
    const testcase t = testcase_of_units(bytes, size, from->width, from->is_big);
    if (testcase_compare(&t, &r->best.testcase) >= 0) return false;
    set->ends[set->count] = candidate_set_start(set, set->count) + size;
    set->count++;
    return true;
}

/* Make the candidate in r->tried, and put it into a set. False if it is known, in flight or no
 * simpler than the best. */
static bool make(reduction *r, const patch *edits, candidate_set *set, uint64_t *digest) {
    testcase *from = r->ahead.phase == SITE_ON_BASE ? &r->base : &r->best.testcase;
    const testcase *t = &r->tried;
    /* With choices, the sizes are guesses: a lower count leaves what it counts out. */
    const testcase *bar = r->form == CANDIDATE_CHOICES ? from : &r->best.testcase;
    if (edits->count == 0) return false;
    if (is_unlikely(r, from, edits)) return false;
    *digest = patch_digest(edits, from, r->form);
    if (is_known(r, *digest)) return false;
    if (from->draws == NULL) return put_units(r, edits, from, set);
    patch_apply(edits, from, &r->tried);
    if (testcase_compare(t, bar) >= 0) return false;
    const client_input written = put(set, t);
    if (!rejected_cache_has_prefix(&r->rejected, written.bytes, written.input.size)) return true;
    set->count--;
    return false;
}

static uint64_t calls_under_way(const reduction *r) {
    uint64_t under_way = 0;
    for (size_t i = 0; i < r->flying; i++) under_way += set_in_flight(r, i)->set->count;
    return under_way;
}

/* Return the limit of candidates in a set, which is at most the calls left. */
static uint32_t room_for_calls(const reduction *r) {
    return (uint32_t)smaller(client_runs_left(&r->client, calls_under_way(r)), r->batch_max);
}

/* Fill a set with candidates, each proposed as if all before it fail. */
static void fill(reduction *r, sent_set *b) {
    static patch edits; /* large */
    uint64_t digest;
    unsigned looks = 0; /* proposals since the last candidate */
    candidate_set *set = b->set;
    const uint32_t room = room_for_calls(r);
    const size_t best = r->best.testcase.size; /* as choices, it is simpler than its base only */
    const size_t most = set->form == CANDIDATE_BYTES ? best : larger(best, r->base.size);
    while (set->count < room && has_room(set, most)) {
        const bool is_needed = set->count == 0 && r->flying == 1; /* to keep the workers busy */
        if (looks++ > LOOKS_MAX && !is_needed) break;
        if (r->config->is_fresh) client_look_at_clock(&r->client);
        if (!client_is_running(&r->client)) break;
        if (!schedule_next(&r->ahead, &r->best.testcase, &r->base, &edits)) break;
        if (make(r, &edits, set, &digest)) {
            schedule_count(&r->ahead);
            b->candidates[set->count - 1] = (sent_candidate){digest, r->tried.count, r->ahead};
            looks = 0;
        }
        schedule_feedback(&r->ahead, false);
    }
}

/* Send one more set. False when there is no candidate at present. */
static bool send_one(reduction *r) {
    sent_set *b = add_set(r);
    b->set->form = r->form;
    b->set->first_run = 1 + r->config->runs_before + r->client.runs + calls_under_way(r);
    b->set->is_cold = r->is_cold;
    if (r->form == CANDIDATE_CHOICES) b->set->chosen_max = r->best.testcase.size;
    fill(r, b);
    if (b->set->count == 0 || !client_is_running(&r->client)) {
        r->flying--;
        return false;
    }
    pool_submit_candidate_set(r->client.pool, b->set, r->purpose);
    return true;
}

const run_result *reduction_run(reduction *r, const testcase *t, candidate_form form, batch *runs) {
    candidate_set *set = pool_candidate_set(r->client.pool);
    const run_result *run = NULL;
    set->form = form;
    if (form == CANDIDATE_CHOICES) set->chosen_max = t->size;
    if (!has_room(set, t->size)) return NULL;
    put(set, t);
    pool_submit_candidate_set(r->client.pool, set, r->purpose);
    while (run == NULL && client_is_running(&r->client)) run = client_wait(&r->client, runs);
    return form == CANDIDATE_CHOICES && !set->can_choose ? NULL : run;
}

/* ---- Taking results ---- */

/* Make all sets in flight stale. Workers skip them if each test case has its own process. */
static void outdate(reduction *r) {
    for (size_t i = 0; i < r->flying; i++) {
        sent_set *s = set_in_flight(r, i);
        if (!s->is_stale && r->config->is_fresh) pool_skip(r->client.pool, s->set);
        s->is_stale = true;
    }
}

static void go_on_from(reduction *r, const schedule *from) {
    r->now = r->ahead = *from;
    r->batch_max = r->config->is_fresh ? 1 : CANDIDATE_SET_FIRST;
    outdate(r);
}

/* Make bytes of all further candidates. */
static void end_choices(reduction *r) {
    if (r->form == CANDIDATE_CHOICES) rejected_cache_clear(&r->rejected);
    r->form = CANDIDATE_BYTES;
}

static pass_statistics *statistics_of(reduction *r, const sent_candidate *c) {
    return &r->result->statistics[schedule_pass(&c->before)];
}

/* Look whether a reduction creeps: values can take turns, each lowered a little, almost for ever.
 * Then all passes get turns, for one may leap; and if none does, the reduction ends. */
static void stop_creeping(reduction *r, schedule *next) {
    const testcase *best = &r->best.testcase;
    const uint64_t rank_bits = reduction_rank_bits(best), made = next->made;
    const uint64_t most =
        (CREEP_MAX + CREEP_SHARE * (uint64_t)best->count) / (r->is_strict ? CREEP_STRICT : 1);
    if (best->size != r->least_size || rank_bits < r->least_bits) {
        r->least_size = best->size;
        r->least_bits = rank_bits;
        r->least_made = made;
    } else if (made - r->least_made > most) {
        client_stop(&r->client, END_SPENT);
    }
    next->is_in_turn = made - r->least_made > most / CREEP_TURNS;
}

/* End the reduction where that from another start has ended. */
static void stop_at_other_answer(reduction *r) {
    const testcase *other = r->config->other_answer;
    r->result->is_other_answer = other != NULL && testcase_compare(&r->best.testcase, other) == 0;
    if (r->result->is_other_answer) client_stop(&r->client, END_DONE);
}

/* A candidate that hangs takes as long as thousands of calls, and more of them are near: the next
 * start costs less. */
static void stop_at_hang(reduction *r, const run_result *run) {
    if (r->config->other_answer == NULL || run->last.verdict != VERDICT_TIMEOUT) return;
    r->result->has_hung = true;
    client_stop(&r->client, END_SPENT);
}

/* Take a failed candidate, after which no candidate of its set was run. */
static void commit_failure(reduction *r, const sent_set *b, const run_result *run) {
    const sent_candidate *c = &b->candidates[run->ran - 1];
    const size_t draws_max = 2 * c->draws + DRAWS_SPARE;
    const bool keeps_base = c->before.phase == SITE_ON_BASE;
    const bool was_alone = b->set->count == 1; /* the schedule assumed a failure of the last one */
    schedule next = c->before;
    r->has_cancelled = false;
    if (schedule_rests(&next, &pass_go_on)) testcase_mark(&r->best.testcase);
    const bool success = accept_try(r, run, b->set, draws_max, keeps_base, statistics_of(r, c));
    if (success) {
        if (next.passes[schedule_pass(&next)]->how == STEP_ALL)
            testcase_finish(&r->base); /* the site is done */
        if (r->best.testcase.trace != TRACE_WHOLE) end_choices(r);
        if (r->form == CANDIDATE_CHOICES) accept_bar(r, &r->best.testcase);
        stop_creeping(r, &next);
        stop_at_other_answer(r);
    } else {
        rejected_cache_add_digest(&r->rejected, c->digest);
        stop_at_hang(r, run);
    }
    schedule_feedback(&next, success);
    if (success || !was_alone || r->has_cancelled) {
        go_on_from(r, &next);
    } else {
        r->now = next;
    }
}

/* Return the limit of candidate sets in flight. With a process for each, a candidate never waits
 * for a worker, so that the schedule proposes it as late as possible, and those of a large file are
 * few at once. Else parallel sets pay after many misses in a row, when the next success is probably
 * far. */
static size_t lanes_of(const reduction *r) {
    const size_t few = larger(FLYING_BYTES / (r->best.testcase.size + 1), 1);
    if (r->config->is_fresh) return smaller(r->config->jobs, few);
    return r->batch_max == CANDIDATE_SET_MOST ? r->slots : 1;
}

/* Remember that a candidate passed, and with it all test cases that would draw the same bytes. */
static void reject(reduction *r, const candidate_set *set, uint32_t i, uint64_t digest) {
    const candidate_pass *run = &set->passes[i];
    rejected_cache_add_digest(&r->rejected, digest);
    if (run->drawn <= candidate_set_size(set, i) && !run->ran_out)
        rejected_cache_add_prefix(&r->rejected, candidate_set_bytes(set, i), run->drawn);
}

static void commit_candidates(reduction *r, const sent_set *b, const run_result *run) {
    const bool failed = !run->cancelled && run->last.verdict != VERDICT_PASS;
    const uint32_t passed = failed ? run->ran - 1 : run->ran;
    assert(run->ran <= b->set->count);
    for (uint32_t i = 0; i < run->ran; i++) {
        statistics_of(r, &b->candidates[i])->calls++;
        if (i < passed) reject(r, b->set, i, b->candidates[i].digest);
    }
    if (b->is_stale) return;
    if (failed) {
        commit_failure(r, b, run);
        return;
    }
    r->now = b->candidates[b->set->count - 1].before; /* no success, as it assumed */
    schedule_feedback(&r->now, false);
    if (r->batch_max < CANDIDATE_SET_MOST && !r->config->is_fresh) r->batch_max *= 2;
}

/* Let all passes try again. What is in flight says nothing. */
static void begin_anew(reduction *r) {
    schedule first = r->now;
    schedule_restart(&first);
    go_on_from(r, &first);
}

/* ---- External passes ---- */

/* Begin with the first instance of the pass at an index that was not dropped. */
static void begin_pass(reduction *r, size_t at) {
    external_turn *e = &r->external;
    while (at < r->config->external_pass_count && e->members[at].is_dropped) at++;
    e->at = at;
    e->next = e->known = 0;
    e->is_warm = false;
}

/* Send the best to the pass whose turn it is. False if it has to wait, or the turn is over. */
static bool send_to_external(reduction *r) {
    external_turn *e = &r->external;
    const testcase *best = &r->best.testcase;
    if (client_runs_left(&r->client, r->flying) == 0) return false;
    if (e->at == r->config->external_pass_count || (r->flying > 0 && !e->is_warm)) return false;
    candidate_set *set = add_set(r)->set;
    assert(best->size <= set->bytes_max);
    set->count = 1;
    set->ends[0] = best->size;
    set->external_pass = &r->config->external_passes[e->at];
    set->number = e->next++;
    set->answer = EXTERNAL_PASS_BROKEN;
    if (best->size > 0) memcpy(set->bytes, best->bytes, best->size);
    pool_submit_candidate_set(r->client.pool, set, RUN_TRY);
    return true;
}

static void drop(reduction *r, pass_misdeed why) {
    external_turn *e = &r->external;
    e->members[e->at].is_dropped = true;
    event_emit(r->sink,
               &(event){.kind = EVENT_PASS_DROPPED, .external_pass = e->at, .misdeed = why});
}

/* Take an answer without a success. True if the pass has no candidate left for the best. */
static bool take_answer(reduction *r, uint64_t number, external_pass_answer answer) {
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
        e->next = number; /* ask again: it may never have worked */
        return m->is_dropped;
    }
    e->known = answer == EXTERNAL_PASS_KNOWN ? e->known + 1 : 0;
    e->is_warm = true;
    return m->is_dropped || e->known == KNOWN_MAX ||
           number >= ASKED_MAX + 16 * (uint64_t)r->best.testcase.size;
}

/* Take the result of a job of an external pass. */
static void commit_external(reduction *r, const sent_set *b, const run_result *run) {
    external_turn *e = &r->external;
    const candidate_set *set = b->set;
    const uint64_t number = set->number;
    const external_pass_answer answer = set->answer;
    pass_statistics *s =
        &r->result->external_passes[set->external_pass - r->config->external_passes];
    if (run->cancelled) return;
    if (answer == EXTERNAL_PASS_MADE) {
        const bool failed = run->last.verdict != VERDICT_PASS;
        const uint64_t digest =
            digest_of(candidate_set_bytes(set, 1), (size_t)candidate_set_size(set, 1));
        s->calls++;
        if (!failed) reject(r, set, 1, digest);
        if (!b->is_stale && failed) {
            if (accept_try(r, run, set, SIZE_MAX, false, s)) {
                e->next = number; /* this instance of the new best is a different one */
                e->has_won = true;
                outdate(r);
                return;
            }
            rejected_cache_add_digest(&r->rejected, digest);
            if (r->flying == 0) e->next = number + 1; /* a rerun cancelled what was in flight */
        }
    }
    if (b->is_stale || !take_answer(r, number, answer)) return;
    begin_pass(r, e->at + 1);
    outdate(r);
}

/* ---- The loop ---- */

static void commit(reduction *r, const run_result *run) {
    const sent_set *b = set_in_flight(r, 0); /* it stays until one is added */
    const candidate_set *set = b->set;
    assert(r->flying > 0 && (!run->cancelled || b->is_stale));
    r->oldest = (r->oldest + 1) % r->slots;
    r->flying--;
    if (set->external_pass != NULL) {
        commit_external(r, b, run);
    } else if (set->form != CANDIDATE_CHOICES || set->can_choose || run->cancelled) {
        commit_candidates(r, b, run);
    } else if (r->form == CANDIDATE_CHOICES) { /* else the set is stale */
        end_choices(r);
        begin_anew(r);
    }
    reduction_emit_progress(r);
}

/* Keep the workers busy, and take one result. False when no candidate is left or in flight. */
static bool run_some(reduction *r, bool (*send)(reduction *r)) {
    batch runs;
    const bool waits = confirm_is_due(r); /* until nothing is in flight, to confirm the best */
    confirm_announce_now_and_then(r);
    while (!waits && r->flying < lanes_of(r) && pool_has_room(r->client.pool) && send(r)) continue;
    if (r->flying == 0 && (waits || pool_has_room(r->client.pool))) return waits;
    const run_result *run = client_wait(&r->client, &runs);
    if (run != NULL && r->flying > 0) commit(r, run);
    return true;
}

/* Try the candidates that `send` sends, until it has none left. */
static void try_all(reduction *r, bool (*send)(reduction *r)) {
    do {
        if (r->flying > 0) continue;
        if (confirm_is_due(r)) confirm_best(r, 1);
        confirm_others(r);
    } while (client_is_running(&r->client) && run_some(r, send));
    r->flying = 0;
    if (r->client.runs >= r->client.runs_max) client_stop(&r->client, END_SPENT);
}

/* Give the external passes a turn. True if the best has changed: the schedule begins anew. */
static bool shrink_by_external(reduction *r) {
    assert(r->config->is_fresh && r->flying == 0);
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
    const bool is_long = clock_now_ns() >= r->client.start_ns + LONG_MS * CLOCK_NS_PER_MS;
    if (r->now.count > 0 || is_long) reduction_emit_progress(r);
}

static void choose_passes(reduction *r) {
    const pass *const *list = r->config->passes;
    if (list == NULL) list = passes_for(&r->best.testcase, r->config->is_file);
    size_t count = 0;
    for (; *list != NULL; list++)
        if (!r->config->is_coarse || (*list)->cost == PASS_CHEAP) r->passes[count++] = *list;
    r->passes[count] = NULL;
}

/* Try all candidates: our own passes first, and the external ones each time when those rest. Then
 * once more with new shares, as a reduction of the answer would, until no step is made: candidates
 * that were rejected before cost no call. Of a target that is flaky there might be no end. */
static void shrink(reduction *r) {
    enum { RENEWALS_MAX = 8 };
    bool goes_on = true;
    while (goes_on) {
        const uint64_t before = r->result->successes;
        try_all(r, send_one);
        r->now = r->ahead;
        if (!client_is_running(&r->client)) return;
        goes_on = r->config->external_pass_count > 0 && shrink_by_external(r);
        if (goes_on || r->best.testcase.trace == TRACE_NONE) continue;
        goes_on = r->result->successes > before && r->renewals++ < RENEWALS_MAX;
        if (!goes_on) return;
        begin_anew(r);
        r->ahead.made = r->now.made = 0; /* shares are of these */
        r->least_made = 0;
    }
}

/* True if two runs drew the same. A weighted draw is by its index in one and not in the other. */
static bool has_same_values(const testcase *a, const testcase *b) {
    size_t i = 0;
    for (; i < a->count && i < b->count; i++) {
        const draw *x = &a->draws[i], *y = &b->draws[i];
        if (!same_type(x, y) || (x->kind != FRNG_WEIGHTED && x->rank != y->rank)) return false;
    }
    return i == a->count && i == b->count;
}

/* Run the first best as choices. If it fails as before, candidates are choices from now on. The
 * bytes that it makes are canonical, but weighted draws have other ranks, so that they need not
 * compare as simpler. */
static void try_choices(reduction *r) {
    testcase *best = &r->best.testcase, next;
    batch runs;
    const run_result *run = reduction_run(r, best, CANDIDATE_CHOICES, &runs);
    if (run == NULL) return;
    const bool is_same = accept_made(runs.candidates, best);
    if (is_same || !accept_try(r, run, runs.candidates, SIZE_MAX, true, NULL)) {
        if (!outcome_failed(&run->last)) return;
        if (!accept_testcase(r, run, runs.candidates, &next)) return;
        if (!is_same && !has_same_values(best, &next)) {
            testcase_finish(&next);
            return;
        }
        testcase_finish(best);
        *best = next;
    }
    if (best->trace == TRACE_WHOLE) r->form = CANDIDATE_CHOICES;
}

/* Return how often the best is rerun at the end. Of another start users get only a simpler one. */
static unsigned reruns_due(const reduction *r) {
    const testcase *other = r->config->other_answer;
    if (other != NULL && testcase_compare(&r->best.testcase, other) >= 0) return 1;
    return r->config->is_unconfirmed ? 2 : FINAL_RERUNS; /* one is but assumed */
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
    schedule_init(&first, r->passes);
    first.is_thorough = r->config->passes != NULL;
    for (size_t i = 0; i < first.count; i++) r->result->statistics[i].name = first.passes[i]->name;
    r->result->statistics_count = first.count;
    go_on_from(r, &first);
    do {
        if (!r->config->is_reduced) shrink(r);
    } while (client_is_running(&r->client) && !confirm_best(r, reruns_due(r)));
    const int64_t end_ns = clock_after(clock_now_ns(), CLIENT_GRACE_MS * CLOCK_NS_PER_MS);
    const bool has_calls = r->client.runs < r->config->calls_max;
    client_extend(&r->client, end_ns < r->config->last_ns ? end_ns : r->config->last_ns);
    confirm_last(r, has_calls ? reruns_due(r) : 1);
}

static void allocate(reduction *r, pool *p) {
    const reduce_config *config = r->config;
    const size_t count = config->external_pass_count;
    const size_t spare = config->is_file ? 0 : smaller(2 * config->size, PREFIX_SPARE);
    pass_statistics *statistics = memory_zeroed(count + 1, sizeof *statistics);
    r->slots = config->jobs > 1 ? 2 * (size_t)config->jobs : 1;
    r->window = memory_zeroed(r->slots, sizeof *r->window);
    r->external.members = memory_zeroed(count + 1, sizeof *r->external.members);
    r->result->external_passes = statistics;
    rejected_cache_init(&r->rejected, config->size + spare);
    for (size_t i = 0; i < count; i++) statistics[i].name = config->external_passes[i].name;
    if (count > 0) r->rejected.table = pool_candidate_set(p)->rejected;
}

static void finish_case(failed_case *c) {
    testcase_finish(&c->testcase);
    failure_drop(&c->failure);
}

static void release(reduction *r) {
    finish_case(&r->best);
    finish_case(&r->first);
    testcase_finish(&r->base);
    testcase_finish(&r->tried);
    failure_drop(&r->target);
    free(r->window);
    rejected_cache_finish(&r->rejected);
    free(r->external.members);
    free(r);
}

void reduce_run(const reduce_config *config, pool *p, const event_sink *sink,
                reduce_result *result) {
    reduction *r = memory_zeroed(1, sizeof *r);
    const client_hooks hooks = {r, NULL, on_idle};
    const failure *known = config->known;
    const bool is_split =
        (known != NULL && known->site[site_shapeless_length(known->site)] != '\0') ||
        (config->filter != NULL && !signature_filter_is_empty(config->filter));
    memset(result, 0, sizeof *result);
    r->config = config;
    r->sink = sink;
    r->result = result;
    allocate(r, p);
    client_init(&r->client, p,
                &(client_config){config->deadline_ns, sink, hooks, config->filter, is_split});
    r->client.runs_max = config->calls_max;
    reduce_all(r);
    result->elapsed_ns = clock_now_ns() - r->client.start_ns;
    result->stop = r->client.stop;
    result->calls = r->client.runs;
    explain_result(r);
    release(r);
}

void reduce_finish(reduce_result *result) {
    testcase_finish(&result->bytes);
    failure_drop(&result->best);
    explanation_finish(&result->explanation);
    free(result->external_passes);
}

static void add_counts(pass_statistics *to, const pass_statistics *from) {
    to->calls += from->calls;
    to->successes += from->successes;
    to->bytes += from->bytes;
}

void reduce_add_statistics(reduce_result *to, reduce_result *from) {
    const pass_statistics *s = from->statistics;
    for (; s < from->statistics + from->statistics_count; s++) {
        size_t i = 0;
        while (i < to->statistics_count && strcmp(to->statistics[i].name, s->name) != 0) i++;
        if (i == REDUCE_PASS_MAX) return;
        if (i == to->statistics_count) to->statistics[to->statistics_count++].name = s->name;
        add_counts(&to->statistics[i], s);
    }
    pass_statistics *external = from->external_passes;
    if (external == NULL || external->name == NULL) return;
    if (to->external_passes == NULL) from->external_passes = NULL;
    if (to->external_passes == NULL) to->external_passes = external;
    for (size_t i = 0; from->external_passes != NULL && external[i].name != NULL; i++)
        add_counts(&to->external_passes[i], &external[i]);
}
