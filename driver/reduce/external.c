#include "external.h"

#include "accept.h"
#include "candidate_set.h"
#include "confirm.h"
#include "pool.h"
#include "reduction_state.h"
#include "summary.h"

#include <assert.h>
#include <string.h>

enum {
    STRIKES_MAX = 3,  /* times an external pass may break before it is dropped */
    BARREN_MAX = 100, /* candidates in a row that are not simpler before it is dropped */
    KNOWN_MAX = 1000, /* known candidates in a row that end its turn: it goes in circles */
    ASKED_MAX = 1000  /* limit of its instances, plus 16 for each byte of the best */
};

/* Begin with the first instance of the pass at an index that was not dropped. */
static void begin_pass(reduction *r, size_t at) {
    external *e = &r->external;
    while (at < r->config->external_pass_count && e->members[at].is_dropped) at++;
    e->at = at;
    e->next = e->done = 0;
    e->known = 0;
    e->is_warm = false;
}

void external_begin_turn(reduction *r) {
    r->external.has_won = false;
    begin_pass(r, 0);
}

bool external_send(reduction *r) {
    external *e = &r->external;
    pool *workers = r->client.pool;
    const uint64_t max = r->client.runs_max;
    if (max != UINT64_MAX && r->client.runs + r->loop.window.count >= max) return false;
    if (e->at == r->config->external_pass_count || (e->next > e->done && !e->is_warm)) return false;
    candidate_set *set = pool_candidate_set(workers);
    inflight_batch *b = inflight_add(&r->loop.window);
    assert(r->best.testcase.size <= set->bytes_max);
    set->count = 1;
    set->ends[0] = r->best.testcase.size;
    set->external_pass = &r->config->external_passes[e->at];
    set->number = e->next++;
    set->answer = EXTERNAL_PASS_BROKEN;
    if (r->best.testcase.size > 0)
        memcpy(set->bytes, r->best.testcase.bytes, r->best.testcase.size);
    inflight_put(b, &r->loop.schedule, 0, 0);
    inflight_start(b, set);
    pool_submit_candidate_set(workers, set, RUN_TRY);
    return true;
}

static void drop(reduction *r, pass_misdeed why) {
    external *e = &r->external;
    e->members[e->at].is_dropped = true;
    event_emit(r->sink,
               &(event){.kind = EVENT_PASS_DROPPED, .external_pass = e->at, .misdeed = why});
}

/* Take a failed candidate. True if it is the best now. */
static bool take_failure(reduction *r, const run_result *run, const candidate_set *set) {
    external *e = &r->external;
    pass_statistics *s = &r->result->external_passes[e->at];
    const size_t size = r->best.testcase.size;
    const uint64_t number = set->number;
    const uint64_t digest =
        digest_of(candidate_set_bytes(set, 1), (size_t)candidate_set_size(set, 1));
    if (!accept_try(r, &(tried_candidate){run, set, 1, SIZE_MAX, false})) {
        rejected_cache_add_digest(&r->rejected, digest);
        return false;
    }
    e->done = e->next = number; /* this instance of the new best is a different one */
    e->has_won = true;
    r->result->successes++;
    s->successes++;
    s->bytes += size - r->best.testcase.size;
    confirm_emit_step(r, s->name);
    return true;
}

/* Take an answer without a success. True if the pass has no candidate left for the best. */
static bool take_answer(reduction *r, external_pass_answer answer) {
    external *e = &r->external;
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

bool external_commit(reduction *r, const inflight_batch *b, const run_result *run,
                     const candidate_set *set) {
    external *e = &r->external;
    const bool failed = run->last.verdict != VERDICT_PASS;
    if (run->cancelled) return false;
    const bool is_made = set->answer == EXTERNAL_PASS_MADE;
    if (is_made)
        r->result->external_passes[set->external_pass - r->config->external_passes].calls++;
    if (is_made && !failed) accept_reject(r, set, 1);
    if (b->state == INFLIGHT_STALE) return false;
    const external_pass_answer answer = set->answer;
    e->done = set->number + 1;
    if (is_made && failed && take_failure(r, run, set)) return true;
    if (r->loop.window.count == 0) e->next = e->done; /* a rerun cancelled what was in flight */
    if (!take_answer(r, answer)) return false;
    begin_pass(r, e->at + 1);
    return true;
}
