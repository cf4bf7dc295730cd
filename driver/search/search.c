#include "search.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEST_MAX = 64,  /* bests that are remembered, should the last ones turn out to be flaky */
    DOUBT_MAX = 64, /* sizes that are remembered, at which a failure did not repeat */
    TICK_MS = 100,
    GRACE_MS = 2000 /* for the last reruns when the budget is spent */
};

typedef struct search {
    const search_config *config;
    pool *pool;
    const observer *observer;
    search_result *result;
    walk *walk;
    int64_t start_ns;
    int64_t deadline_ns; /* the budget's, and then that of the last reruns */
    uint64_t size;       /* of the run committed last */
    size_t known_next;   /* of config->known, to be run again */
    bool stopped;        /* result->end says why */
    bool doubt_told;
    file_mark program, program_before; /* what was run last, and before that was replaced */
    bool is_rebuilt;                   /* it was, since the walk began */
    bool flaky_seen;                   /* some failure did not repeat: from now on be strict */
    size_t best_count;
    failure *bests; /* BEST_MAX; accepted ones, each smaller than the one before it */
    bool has_flaky, has_once;
    failure flaky;   /* the smallest that repeated, though not always */
    bool flaky_told; /* that one was announced */
    failure once;    /* the smallest that was never seen again */
    bool has_limited;
    failure limited; /* the smallest that failed for want of memory; told_limits: such was told */
    bool told_limits[LIMIT_COUNT];
    size_t doubt_count;
    uint64_t doubts[DOUBT_MAX]; /* a ring: sizes at which the walk took a failure for a pass */
} search;

static const failure *current_best(const search *s) {
    return s->best_count > 0 ? &s->bests[s->best_count - 1] : NULL;
}

static progress progress_of(const search *s) {
    return (progress){s->size, s->result->runs, s->result->reruns, clock_now_ns() - s->start_ns,
                      current_best(s)};
}

static void stop(search *s, search_end end) {
    if (!s->stopped) s->result->end = end;
    s->stopped = true;
    pool_cancel(s->pool);
}

static void tell_progress(search *s) {
    const progress p = progress_of(s);
    if (s->observer->progress != NULL) s->observer->progress(s->observer->context, &p);
}

static void stop_for_error(search *s, const run_result *r) {
    s->result->error = r->last;
    s->result->error_output = r->output;
    stop(s, SEARCH_ENVIRONMENT);
}

static void tell_doubt(search *s, const run_result *r) {
    if (r->doubt == DOUBT_NONE || s->doubt_told) return;
    s->doubt_told = true;
    if (s->observer->doubted != NULL) {
        s->observer->doubted(s->observer->context, r->doubt, r->doubted);
    }
}

/* See whether the program is another file now. Of several workers some see it later. */
static void heed_program(search *s, const run_result *r) {
    const bool is_news = file_mark_is_known(&r->program) &&
                         !file_mark_equal(&r->program, &s->program) &&
                         !file_mark_equal(&r->program, &s->program_before);
    if (!is_news) return;
    s->program_before = s->program;
    s->program = r->program;
    if (!file_mark_is_known(&s->program_before)) return; /* the first */
    s->is_rebuilt = true;
    if (s->observer->rebuilt != NULL) s->observer->rebuilt(s->observer->context);
}

/* The next result of the pool. NULL once the search has stopped, as it does at the deadline of its
 * budget; and NULL from time to time, since the pool may have got room for more: ask again. */
static const run_result *next_result(search *s, ticket *runs) {
    const run_result *result;
    const int64_t now_ns = clock_now_ns();
    const int64_t tick_ns = clock_after(now_ns, TICK_MS * CLOCK_NS_PER_MS);
    if (s->stopped) return NULL;
    if (now_ns >= s->deadline_ns) {
        stop(s, SEARCH_SPENT);
        return NULL;
    }
    switch (
        pool_wait(s->pool, tick_ns < s->deadline_ns ? tick_ns : s->deadline_ns, runs, &result)) {
    case POOL_RESULT:
        tell_doubt(s, result);
        heed_program(s, result);
        if (result->last.verdict != VERDICT_ERROR) return result;
        stop_for_error(s, result);
        break;
    case POOL_QUIET: tell_progress(s); break;
    case POOL_INTERRUPTED: stop(s, SEARCH_INTERRUPTED); break;
    case POOL_BROKEN:
        s->result->error_number = errno;
        stop(s, SEARCH_BROKEN);
        break;
    }
    return NULL;
}

/* The program that failed was replaced since. */
static bool is_outdated(const search *s, const failure *f) {
    return file_mark_is_known(&f->program) && file_mark_is_known(&s->program) &&
           !file_mark_equal(&f->program, &s->program);
}

/* Failures that the search was asked for. */
static bool is_wanted(const search *s, identity id) {
    return !s->config->has_only || identity_equal(id, s->config->only);
}

static void count_rerun(search *s, failure *f, const run_result *r) {
    s->result->reruns++;
    f->reruns++;
    if (f->repeated == 0) f->limit = outcome_limit(f->identity, &r->last);
    if (!outcome_failed(&r->last)) return;
    const identity id = outcome_identity(&r->last);
    if (s->config->has_only && !identity_equal(id, f->identity)) return;
    /* What a process that had more than one run to make failed of is not known for sure. */
    if (f->repeated++ == 0) f->identity = id;
    f->output = r->output;
    f->program = r->program;
    if (r->site[0] != '\0') memcpy(f->site, r->site, sizeof f->site);
}

/* Run a failure again until it has `due` reruns, or one of them passes and that is enough to know.
 * Until it has repeated, it gets twice what the limits are. Nothing else may be under way. */
static void rerun(search *s, failure *f, unsigned due, bool stop_at_pass) {
    const ticket again = {.first_seed = f->trial.seed, .count = 1, .size = f->trial.size};
    unsigned submitted = f->reruns;
    while (f->reruns < due && !s->stopped && !(stop_at_pass && failure_is_flaky(f))) {
        for (; submitted < due && pool_has_room(s->pool); submitted++) {
            pool_submit(s->pool, &again, f->repeated > 0 ? RUN_SHOW : RUN_CONFIRM);
        }
        ticket runs;
        const run_result *r = next_result(s, &runs);
        if (r != NULL) count_rerun(s, f, r);
    }
    pool_cancel(s->pool);
}

static bool trial_equal(trial a, trial b) { return a.size == b.size && a.seed == b.seed; }

/* What never missed comes before what is flaky, and then what is smaller. */
static bool ranks_before(const failure *a, const failure *b) {
    if (failure_is_flaky(a) != failure_is_flaky(b)) return failure_is_flaky(b);
    return trial_less(a->trial, b->trial);
}

/* Remember the best failure of each identity, with what its reruns said last. False when this is
 * none of them. */
static bool note_identity(search *s, const failure *f) {
    search_result *r = s->result;
    size_t i = 0;
    while (i < r->other_count && !failure_is_alike(&r->others[i], f)) i++;
    if (i == SEARCH_IDENTITY_MAX) return false;
    if (i < r->other_count && !trial_equal(f->trial, r->others[i].trial) &&
        !ranks_before(f, &r->others[i])) {
        return false;
    }
    if (i == r->other_count) r->other_count++;
    r->others[i] = *f;
    return true;
}

static void announce(search *s, const failure *f, bool is_best) {
    const progress p = progress_of(s);
    if (s->observer->failure != NULL) s->observer->failure(s->observer->context, f, is_best, &p);
}

/* Returns true when it was kept. */
static bool keep_smaller(failure *kept, bool *has_kept, const failure *f) {
    if (*has_kept && !trial_less(f->trial, kept->trial)) return false;
    *kept = *f;
    *has_kept = true;
    return true;
}

/* A limit may have made this failure: count it, and tell of the first. */
static void note_limited(search *s, const failure *f) {
    s->result->limited[f->limit]++;
    if (s->told_limits[f->limit]) return;
    s->told_limits[f->limit] = true;
    if (s->observer->flaky != NULL) s->observer->flaky(s->observer->context, f);
}

/* Keep a failure that is not to be relied on; `told` if it was announced before that was known. */
static void set_aside(search *s, const failure *f, bool told) {
    if (f->limit != LIMIT_NONE) {
        note_limited(s, f);
    } else if (f->reruns > 0 && !s->flaky_seen) {
        s->flaky_seen = true;
        if (s->observer->flaky != NULL) s->observer->flaky(s->observer->context, f);
    }
    if (f->limit == LIMIT_MEMORY || f->limit == LIMIT_WORKER) {
        keep_smaller(&s->limited, &s->has_limited, f); /* run again, it may seem to repeat */
    } else if (f->repeated > 0) {
        if (keep_smaller(&s->flaky, &s->has_flaky, f)) s->flaky_told = told;
        note_identity(s, f);
    } else {
        keep_smaller(&s->once, &s->has_once, f);
    }
}

/* The walk relies on this failure. It is the best if it is smaller than all before it, and else
 * takes its place among them: a walk that knows nothing of prefixes may go on from a larger one. */
static void accept(search *s, const failure *f) {
    if (s->best_count == BEST_MAX) {
        s->best_count--;
        memmove(s->bests, s->bests + 1, s->best_count * sizeof *s->bests);
    }
    size_t place = s->best_count;
    while (place > 0 && !trial_less(f->trial, s->bests[place - 1].trial)) place--;
    memmove(s->bests + place + 1, s->bests + place, (s->best_count - place) * sizeof *s->bests);
    s->bests[place] = *f;
    s->best_count++;
    note_identity(s, f);
    if (place + 1 == s->best_count) announce(s, f, true);
}

/* A failure of another identity than was asked for: keep it if it is news. */
static void keep_other(search *s, failure *f) {
    for (size_t i = 0; i < s->result->other_count; i++) {
        const failure *known = &s->result->others[i];
        if (failure_is_alike(known, f) && !trial_less(f->trial, known->trial)) return;
    }
    rerun(s, f, 1, true);
    if (f->limit == LIMIT_MEMORY) note_limited(s, f);
    if (f->repeated > 0 && note_identity(s, f)) announce(s, f, false);
}

static bool was_doubted(const search *s, uint64_t size) {
    for (size_t i = 0; i < s->doubt_count && i < DOUBT_MAX; i++) {
        if (s->doubts[i] == size) return true;
    }
    return false;
}

/* The walk counts this failure as a pass; what it claims for the size must not be repeated. */
static void doubt(search *s, uint64_t size) {
    if (!was_doubted(s, size)) s->doubts[s->doubt_count++ % DOUBT_MAX] = size;
}

static failure failure_of(trial t, const run_result *r) {
    failure f = {.trial = t, .identity = outcome_identity(&r->last), .program = r->program};
    memcpy(f.site, r->site, sizeof f.site);
    return f;
}

/* Run a failure again, more often once anything was seen that is flaky. True if it always fails. */
static bool repeats(search *s, failure *f) {
    rerun(s, f, s->flaky_seen ? failure_reruns_due(f) : 1, true);
    return f->reruns > 0 && !failure_is_flaky(f);
}

/* A run failed. See it fail again: with the bytes that it had drawn, when it told so, or else with
 * all of them; *drawn becomes unknown where that prefix passes, as it may for a test that looks at
 * how much is left. Returns true when the walk may rely on it; it is the best then. Cancels what
 * is under way. */
static bool confirm(search *s, trial t, const run_result *r, uint64_t *drawn) {
    failure f = failure_of(t, r);
    pool_cancel(s->pool);
    if (!is_wanted(s, f.identity)) {
        keep_other(s, &f);
        return false;
    }
    if (*drawn < t.size) {
        failure prefix = f;
        prefix.trial.size = *drawn;
        if (repeats(s, &prefix)) {
            accept(s, &prefix);
            return true;
        }
        *drawn = WALK_DRAWN_UNKNOWN;
        if (prefix.limit == LIMIT_MEMORY) {
            set_aside(s, &prefix, false);
            doubt(s, t.size);
            return false;
        }
    }
    if (repeats(s, &f)) {
        accept(s, &f);
        return true;
    }
    /* Also when the search was stopped before any rerun; not if another program was run again. */
    if (f.reruns == 0 || !is_outdated(s, &f)) set_aside(s, &f, false);
    doubt(s, t.size);
    return false;
}

/* A run fell to the kernel's want of memory, or stopped its worker, which says nothing of the bytes
 * it got. */
static void set_aside_killed(search *s, trial t, const run_result *r) {
    const bool is_stuck = r->last.verdict == VERDICT_STUCK;
    failure f = {.trial = t, .limit = is_stuck ? LIMIT_WORKER : LIMIT_MEMORY};
    f.identity = is_stuck ? (identity){IDENTITY_TIMEOUT, 0} : identity_of_status(r->last.status);
    memcpy(f.site, r->site, sizeof f.site);
    pool_cancel(s->pool);
    if (is_stuck || is_wanted(s, f.identity)) {
        set_aside(s, &f, false);
    } else {
        note_limited(s, &f);
    }
    doubt(s, t.size);
}

/* See what becomes of a run that did not pass: as confirm. */
static bool judge(search *s, trial t, const run_result *r, uint64_t *drawn) {
    if (outcome_failed(&r->last)) return confirm(s, t, r, drawn);
    set_aside_killed(s, t, r);
    return false;
}

static void commit(search *s, const ticket *runs, const run_result *r) {
    s->result->runs += r->ran;
    s->size = runs->size;
    if (r->last.verdict == VERDICT_PASS) {
        walk_feed(s->walk, r->ran, false, WALK_DRAWN_UNKNOWN);
        tell_progress(s);
        return;
    }
    const trial t = {runs->size, runs->first_seed + r->ran - 1};
    uint64_t drawn = r->last.drawn;
    const uint32_t ran = r->ran; /* *r does not outlive the reruns */
    const bool trusted = judge(s, t, r, &drawn);
    walk_feed(s->walk, ran, trusted, drawn);
    walk_forget(s->walk);
    tell_progress(s);
}

static void begin_walk(search *s) {
    const failure *best = current_best(s);
    walk_destroy(s->walk);
    s->walk =
        best != NULL ? walk_resume(&s->config->walk, best->trial) : walk_create(&s->config->walk);
    if (s->walk != NULL) return;
    s->result->error_number = ENOMEM;
    stop(s, SEARCH_BROKEN);
}

static void forget_identity(search_result *r, const failure *f) {
    for (size_t i = 0; i < r->other_count; i++) {
        if (!failure_is_alike(&r->others[i], f)) continue;
        r->other_count--;
        memmove(&r->others[i], &r->others[i + 1], (r->other_count - i) * sizeof r->others[0]);
        return;
    }
}

/* A replay of such would show something else. */
static void forget_outdated(search *s) {
    search_result *r = s->result;
    size_t kept = 0;
    for (size_t i = 0; i < r->other_count; i++) {
        if (!is_outdated(s, &r->others[i])) r->others[kept++] = r->others[i];
    }
    r->other_count = kept;
}

/* The program is another now: what passed says nothing of it, and what failed is run again. */
static void begin_anew(search *s) {
    s->is_rebuilt = false;
    forget_outdated(s);
    pool_cancel(s->pool);
    while (s->best_count > 0 && !s->stopped) {
        failure *best = &s->bests[s->best_count - 1];
        const failure before = *best;
        best->reruns = best->repeated = 0;
        rerun(s, best, 1, true);
        if (s->stopped) {
            if (best->reruns == 0) *best = before;
            s->is_rebuilt = true; /* should there be time after all */
            return;
        }
        forget_identity(s->result, &before); /* it may be another one now */
        const bool fails = best->repeated > 0;
        if (s->observer->replayed != NULL) {
            s->observer->replayed(s->observer->context, best->trial, fails);
        }
        if (fails) {
            note_identity(s, best);
            announce(s, best, true); /* of this program it is a finding, too */
            break;
        }
        s->best_count--;
    }
    if (!s->stopped) begin_walk(s);
}

/* Follow the walk to its end. */
static void follow(search *s) {
    while (!s->stopped) {
        if (s->is_rebuilt) begin_anew(s);
        walk_answer answer = WALK_WAIT;
        ticket next;
        while (pool_has_room(s->pool) &&
               (answer = walk_next(s->walk, pool_batch(s->pool), &next)) == WALK_RUN) {
            pool_submit(s->pool, &next, RUN_TRY);
        }
        if (answer == WALK_DONE) return;
        const run_result *r = next_result(s, &next);
        if (r != NULL) commit(s, &next, r);
    }
}

/* Run a trial alone. NULL once the search has stopped. */
static const run_result *run_alone(search *s, trial t) {
    const ticket once = {.first_seed = t.seed, .count = 1, .size = t.size};
    const run_result *r = NULL;
    bool submitted = false;
    while (r == NULL && !s->stopped) {
        ticket runs;
        if (!submitted && pool_has_room(s->pool)) {
            pool_submit(s->pool, &once, RUN_TRY);
            submitted = true;
        }
        r = next_result(s, &runs);
    }
    return r;
}

/* Run again what failed before, from the best on, until something fails still. When that turns out
 * to be flaky, the next one has its turn. */
static void replay_known(search *s) {
    while (s->known_next < s->config->known_count && !s->stopped && s->best_count == 0) {
        const trial t = s->config->known[s->known_next++];
        if (t.size > s->config->walk.size_max) continue;
        const run_result *r = run_alone(s, t);
        if (r == NULL) return;
        s->result->runs++;
        uint64_t drawn = r->last.drawn;
        const bool fails = r->last.verdict != VERDICT_PASS && judge(s, t, r, &drawn);
        if (s->observer->replayed != NULL) s->observer->replayed(s->observer->context, t, fails);
    }
}

/* Rerun the best as often as it takes to call it reliable. One that is not is set aside, for the
 * next larger. Returns true when the best now stands; false as well when the program was replaced
 * meanwhile, as its reruns were of two programs then. */
static bool verify(search *s) {
    bool stands = true;
    while (s->best_count > 0 && !s->stopped) {
        failure *best = &s->bests[s->best_count - 1];
        rerun(s, best, failure_reruns_due(best), true);
        if (s->is_rebuilt) return false;
        if (!failure_is_flaky(best)) return stands;
        set_aside(s, best, true);
        s->best_count--;
        stands = false;
    }
    return stands;
}

/* The best of what is left when nothing repeats always. */
static void settle_for_flaky(search *s) {
    failure *f = s->has_flaky ? &s->flaky : &s->once;
    if (!s->has_flaky && !s->has_once) {
        s->result->inconclusive = s->has_limited;
        s->result->best = s->limited;
        return;
    }
    rerun(s, f, failure_reruns_due(f), false);
    s->result->found = f->repeated > 0;
    s->result->inconclusive = f->repeated == 0;
    s->result->best = *f;
    if (f->repeated > 0 && !(s->has_flaky && s->flaky_told)) announce(s, f, true);
}

/* The budget is spent, but what was found should still be rerun. */
static void grant_grace(search *s) {
    if (!s->stopped || s->result->end != SEARCH_SPENT) return;
    s->stopped = false;
    s->deadline_ns = clock_after(clock_now_ns(), GRACE_MS * CLOCK_NS_PER_MS);
}

/* What passed says something of the best only if the walk went down from it, and if none of these
 * runs was a failure that did not repeat. */
static walk_claim claim_of(const search *s) {
    const search_result *r = s->result;
    walk_claim claim = walk_state(s->walk);
    const bool is_of_best = r->found && trial_equal(claim.best, r->best.trial);
    if (claim.failed && (!is_of_best || was_doubted(s, claim.below))) {
        claim.passed = 0;
        claim.bound = 1;
    }
    return claim;
}

static void conclude(search *s) {
    search_result *r = s->result;
    forget_outdated(s);
    for (size_t i = 0; i < s->best_count; i++) {
        if (!is_outdated(s, &s->bests[i])) note_identity(s, &s->bests[i]);
    }
    if (s->best_count > 0) {
        r->found = true;
        r->best = *current_best(s);
    } else {
        settle_for_flaky(s);
    }
    for (size_t i = 0; i < s->best_count; i++) {
        assert(!trial_less(s->bests[i].trial, r->best.trial)); /* the smallest, whatever the walk */
    }
    if (s->walk != NULL) r->claim = claim_of(s);
    if (r->found) forget_identity(r, &r->best);
    r->elapsed_ns = clock_now_ns() - s->start_ns;
}

void search_run(const search_config *config, pool *p, const observer *o, search_result *result) {
    search s = {.config = config, .pool = p, .observer = o, .result = result};
    memset(result, 0, sizeof *result);
    s.start_ns = clock_now_ns();
    s.bests = calloc(BEST_MAX, sizeof *s.bests);
    if (s.bests == NULL) {
        result->error_number = ENOMEM;
        result->end = SEARCH_BROKEN;
        return;
    }
    s.deadline_ns = config->deadline_ns;
    do {
        replay_known(&s);
        begin_walk(&s);
        follow(&s);
    } while (!s.stopped && !verify(&s));
    grant_grace(&s);
    if (s.is_rebuilt && !s.stopped) begin_anew(&s);
    verify(&s);
    conclude(&s);
    walk_destroy(s.walk);
    free(s.bests);
}
