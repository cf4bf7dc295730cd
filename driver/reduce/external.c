#include "external.h"

#include "accept.h"
#include "confirm.h"
#include "digest.h"
#include "pool.h"
#include "reduction_state.h"
#include "summary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRIKES_MAX = 3,      /* times an external pass may break before it is set aside */
    BARREN_MAX = 100,     /* useless candidates in a row before it is set aside */
    MISSES_MAX = 24,      /* failed candidates in a row after which others come first; */
    NEW_MISSES_MAX = 6,   /* of an external pass that never had a success, */
    TURN_MISSES_MAX = 96, /* and of all of them together */
    KNOWN_MAX = 1000,     /* repeated candidates in a row that end its turn: it goes in circles */
    ASKED_MAX = 1000,     /* limit of its instances, plus 16 for each byte of the best */
    WARM_MAX = 8          /* limit of the instances of one external pass in flight */
};

bool external_init(external *e, size_t count) {
    e->members = calloc(count + 1, sizeof *e->members);
    e->order = calloc(count + 1, sizeof *e->order);
    return e->members != NULL && e->order != NULL;
}

void external_finish(external *e) {
    free(e->members);
    free(e->order);
    *e = (external){0};
}

/* ---- Turns ---- */

/* Return the bytes that an external pass saved for each of its calls and runs. */
static double merit(const reduction *r, size_t i) {
    const pass_statistics *s = &r->result->external_passes[i];
    return (double)s->bytes / (double)(1 + s->calls + r->external.members[i].asked);
}

/* Return how many external passes of the same program are listed before this one. */
static size_t rank_in_program(const reduction *r, size_t i) {
    const external_pass *all = r->config->external_passes;
    size_t rank = 0;
    for (size_t k = 0; k < i; k++) rank += strcmp(all[k].program, all[i].program) == 0;
    return rank;
}

/* True if external pass i is asked before another one, which is listed before it: those that were
 * never asked come first, of all programs in turn; then those that saved most for their cost. */
static bool precedes(const reduction *r, size_t i, size_t other) {
    const external_member *members = r->external.members;
    const bool is_new = members[i].asked == 0;
    if (is_new != (members[other].asked == 0)) return is_new;
    if (is_new) return rank_in_program(r, i) < rank_in_program(r, other);
    return merit(r, other) < merit(r, i);
}

static void sort_by_merit(const reduction *r) {
    size_t *order = r->external.order;
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        size_t k = i;
        for (; k > 0 && precedes(r, i, order[k - 1]); k--) order[k] = order[k - 1];
        order[k] = i;
    }
}

void external_begin_turn(reduction *r) {
    r->external.has_won = r->external.has_left = false;
    r->external.misses = 0;
    r->external.is_patient = schedule_others_are_clean(&r->loop.schedule);
    sort_by_merit(r);
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        external_member *m = &r->external.members[i];
        m->next = m->done = 0;
        m->known = m->misses = 0;
        m->began_at = r->result->successes;
        m->is_warm = false;
        m->last_made = 0;
        m->is_spent = m->is_spent && m->spent_at == r->result->successes;
        if (m->phase != EXTERNAL_SET_ASIDE)
            m->phase = m->is_spent ? EXTERNAL_ENDED : EXTERNAL_READY;
    }
}

void external_restart(reduction *r) {
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        r->external.members[i].is_spent = false;
    }
}

static size_t index_of(const reduction *r, const external_member *m) {
    assert(m >= r->external.members);
    return (size_t)(m - r->external.members);
}

static void set_aside(reduction *r, external_member *m, pass_misdeed why) {
    const event dropped = {
        .kind = EVENT_PASS_DROPPED, .external_pass = index_of(r, m), .misdeed = why};
    if (m->phase != EXTERNAL_SET_ASIDE) event_emit(r->sink, &dropped);
    m->phase = EXTERNAL_SET_ASIDE;
}

/* End the turn of an external pass, which has no candidate left for this best. */
static void end(const reduction *r, external_member *m) {
    if (m->phase == EXTERNAL_READY) m->phase = EXTERNAL_ENDED;
    m->is_spent = m->began_at == r->result->successes;
    m->spent_at = r->result->successes;
}

/* ---- Sending ---- */

static bool may_be_asked(const external_member *m) {
    return m->phase == EXTERNAL_READY && m->next - m->done < (m->is_warm ? WARM_MAX : 1);
}

static void submit(reduction *r, external_member *m) {
    pool *workers = r->client.pool;
    candidate_set *set = pool_candidate_set(workers);
    inflight_batch *b = inflight_add(&r->loop.window);
    assert(r->best.testcase.size <= set->bytes_max);
    set->count = 1;
    set->ends[0] = r->best.testcase.size;
    set->external_pass = &r->config->external_passes[index_of(r, m)];
    set->number = m->next++;
    set->answer = EXTERNAL_PASS_BROKEN;
    if (r->best.testcase.size > 0)
        memcpy(set->bytes, r->best.testcase.bytes, r->best.testcase.size);
    m->asked++;
    inflight_put(b, &r->loop.schedule, 0, 0);
    inflight_start(b, set);
    pool_submit_candidate_set(workers, set, RUN_TRY);
}

bool external_send(reduction *r) {
    const uint64_t max = r->client.runs_max;
    if (max != UINT64_MAX && r->client.runs + r->loop.window.count >= max) return false;
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        external_member *m = &r->external.members[r->external.order[i]];
        if (m->next > ASKED_MAX + 16 * (uint64_t)r->best.testcase.size) end(r, m);
        if (!may_be_asked(m)) continue;
        submit(r, m);
        return true;
    }
    return false;
}

/* ---- Taking results ---- */

void external_ask_again(reduction *r) {
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        r->external.members[i].next = r->external.members[i].done;
    }
}

/* Count a candidate of an external pass, which ends or is set aside after too many bad ones. */
static void note_made(reduction *r, external_member *m, const candidate_set *set) {
    const size_t size = (size_t)candidate_set_size(set, 1);
    const uint64_t digest = digest_of(candidate_set_bytes(set, 1), size);
    const bool is_simpler = set->answer != EXTERNAL_PASS_NOT_SIMPLER;
    const bool is_repeated = m->last_made == digest;
    m->is_warm = m->has_made = true;
    m->last_made = digest;
    m->barren = is_simpler && !is_repeated ? 0 : m->barren + 1;
    m->known = set->answer == EXTERNAL_PASS_KNOWN ? m->known + 1 : 0;
    if (m->barren >= BARREN_MAX) set_aside(r, m, MISDEED_BARREN);
    if (m->known >= KNOWN_MAX) end(r, m);
}

/* Take an answer. True if it is a candidate that was run. */
static bool take_answer(reduction *r, external_member *m, const candidate_set *set) {
    switch (set->answer) {
    case EXTERNAL_PASS_MADE:
    case EXTERNAL_PASS_NOT_SIMPLER:
    case EXTERNAL_PASS_KNOWN:
        m->done = set->number + 1;
        note_made(r, m, set);
        return set->answer == EXTERNAL_PASS_MADE;
    case EXTERNAL_PASS_NONE: end(r, m); break;
    case EXTERNAL_PASS_BROKEN:
        if (m->has_made) end(r, m);
        m->next = m->done; /* ask again, unless it ended: it may never have worked */
        if (++m->strikes >= STRIKES_MAX) set_aside(r, m, MISDEED_BROKEN);
        break;
    case EXTERNAL_PASS_HUNG: set_aside(r, m, MISDEED_BROKEN); break;
    }
    return false;
}

static void note_success(reduction *r, external_member *m, size_t saved) {
    pass_statistics *own = &r->result->external_passes[index_of(r, m)];
    pass_statistics *all = &r->result->statistics[schedule_pass(&r->loop.schedule)];
    r->result->successes++;
    own->successes++;
    own->bytes += saved;
    all->successes++;
    all->bytes += saved;
    r->external.has_won = true;
    if (m->phase == EXTERNAL_ENDED) m->phase = EXTERNAL_READY; /* it may have more candidates now */
    m->last_made = 0;
    m->misses = r->external.misses = 0;
}

/* Take a failed candidate. True if it is the best now. */
static bool take_failure(reduction *r, external_member *m, const run_result *run,
                         const candidate_set *set) {
    const size_t size = r->best.testcase.size;
    const uint64_t number = set->number, digest = m->last_made;
    const bool was_strict = reduction_is_strict(r);
    const bool success = accept_try(r, &(tried_candidate){run, set, 1, SIZE_MAX, false});
    if (success) {
        m->done = number; /* this instance of the new best is a different one */
        note_success(r, m, size - r->best.testcase.size);
        confirm_emit_step(r, r->result->external_passes[index_of(r, m)].name);
    } else {
        rejected_cache_add_digest(&r->rejected, digest);
    }
    if (success || was_strict) external_ask_again(r);
    return success;
}

static void leave(reduction *r, external_member *m) {
    if (m->phase != EXTERNAL_READY) return;
    m->phase = EXTERNAL_ENDED;
    r->external.has_left = true;
}

/* Leave an external pass until its next turn after too many misses in a row; and all of them. */
static void note_miss(reduction *r, external_member *m) {
    const bool is_new = r->result->external_passes[index_of(r, m)].successes == 0;
    m->misses++;
    r->external.misses++;
    if (r->external.is_patient) return;
    if (m->misses >= (is_new ? NEW_MISSES_MAX : MISSES_MAX)) leave(r, m);
    if (r->external.misses < TURN_MISSES_MAX) return;
    for (size_t i = 0; i < r->config->external_pass_count; i++) leave(r, &r->external.members[i]);
}

bool external_commit(reduction *r, const inflight_batch *b, const run_result *run,
                     const candidate_set *set) {
    const size_t i = (size_t)(set->external_pass - r->config->external_passes);
    external_member *m = &r->external.members[i];
    const bool failed = run->last.verdict != VERDICT_PASS;
    assert(i < r->config->external_pass_count);
    if (run->cancelled) return false;
    if (set->answer == EXTERNAL_PASS_MADE) {
        r->result->external_passes[i].calls++;
        r->result->statistics[schedule_pass(&r->loop.schedule)].calls++;
        if (!failed) accept_reject(r, set, 1);
    }
    if (b->state == INFLIGHT_STALE || !take_answer(r, m, set)) return false;
    if (failed && take_failure(r, m, run, set)) return true;
    note_miss(r, m);
    return false;
}
