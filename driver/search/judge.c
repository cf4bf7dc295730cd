#include "search_events.h"

#include <string.h>

enum {
    PREFIX_RERUNS = 5 /* to distinguish a prefix that passes from a flaky one */
};

/* True if the search is for failures of this signature. */
static bool is_wanted(const search *s, signature id) {
    return !s->config->has_only || signature_equal(id, s->config->only);
}

/* Rerun a failure. With --only, reruns of another signature count as passes. */
static void rerun_only(search *s, failure *f, unsigned due, reruns_until until) {
    const failure like = {.signature = f->signature};
    const reruns_job what = {client_seed(f->input), f, s->config->has_only ? &like : NULL,
                             &f->output};
    reruns_make(&s->client, &what, due, until);
}

/* Add reruns of a failure to the evidence, unless they were of another program or a limit may have
 * caused the failure. */
static void count(search *s, const failure *f, rerun_count more) {
    if (more.reruns == 0 || f->cause != CAUSE_NONE || s->program.is_replaced) return;
    evidence_add(s->evidence, f, more);
}

static void count_all(search *s, const failure *f) {
    count(s, f, (rerun_count){f->reruns, f->repeated});
}

void search_rerun(search *s, failure *f, unsigned due, reruns_until until) {
    const unsigned reruns = f->reruns, repeated = f->repeated;
    rerun_only(s, f, due, until);
    count(s, f, (rerun_count){f->reruns - reruns, f->repeated - repeated});
}

/* Count a failure that a limit may have caused, and announce the first of each cause. */
static void note_limited(search *s, const failure *f) {
    if (s->result->limited[f->cause]++ == 0) search_emit_flaky(s, f);
}

static fallback_kind fallback_kind_of(const failure *f) {
    /* In reruns, such a failure may seem to repeat. */
    if (f->cause == CAUSE_MEMORY || f->cause == CAUSE_WORKER) return FALLBACK_LIMITED;
    return f->repeated > 0 ? FALLBACK_FLAKY : FALLBACK_ONCE;
}

void search_set_aside(search *s, const failure *f, fallback_state state) {
    const fallback_kind kind = fallback_kind_of(f);
    if (f->cause != CAUSE_NONE) {
        note_limited(s, f);
    } else if (f->reruns > 0) {
        evidence_set_aside(s->evidence, f->input);
    }
    if (f->cause == CAUSE_NONE && failure_is_flaky(f) && !s->is_strict) {
        s->is_strict = true;
        search_emit_flaky(s, f);
    }
    fallbacks_add(&s->fallbacks, kind, f, state);
    if (kind == FALLBACK_FLAKY) distinct_failures_add(&s->result->others, f);
}

/* Accept a failure: the strategy relies on it. */
static void accept(search *s, const failure *f) {
    distinct_failures_add(&s->result->others, f);
    if (bests_add(&s->bests, f)) search_emit_failure(s, EVENT_BEST, f);
}

/* Keep a failure of an unwanted signature if it is new, or smaller than the one known. */
static void keep_other(search *s, failure *f) {
    const distinct_failures *others = &s->result->others;
    const size_t i = distinct_failures_find(others, f);
    if (i < others->count && !seed_input_less(f->input, others->list[i].input)) return;
    search_rerun(s, f, 1, RERUNS_UNTIL_PASS);
    if (f->cause == CAUSE_MEMORY) note_limited(s, f);
    if (f->repeated > 0 && distinct_failures_add(&s->result->others, f))
        search_emit_failure(s, EVENT_OTHER, f);
}

static failure failure_of(seed_input t, const run_result *r) {
    failure f = {.input = t,
                 .signature = outcome_signature(&r->last),
                 .is_site_known = r->is_site_known,
                 .program = r->program};
    memcpy(f.site, r->site, sizeof f.site);
    return f;
}

/* Rerun a failure, more often once a flaky one was seen. Return true if it always fails and never
 * passed before. */
static bool repeats(search *s, failure *f) {
    const bool was_aside = evidence_was_set_aside(s->evidence, f->input);
    rerun_only(s, f, s->is_strict && !was_aside ? failure_reruns_due(f) : 1, RERUNS_UNTIL_PASS);
    return f->reruns > 0 && !failure_is_flaky(f) && !was_aside;
}

/* Judge the drawn prefix of a failing run. The prefix does not always fail, though the run drew no
 * more. It is flaky if it fails at times. It passes if the target looks at how much entropy is
 * left. */
static void judge_prefix(search *s, failure *prefix) {
    if (prefix->cause == CAUSE_NONE && prefix->repeated == 0) {
        rerun_only(s, prefix, PREFIX_RERUNS, RERUNS_ALL);
    }
    const rerun_count alike = evidence_of(s->evidence, prefix);
    const bool is_flaky = prefix->repeated > 0 || alike.repeated < alike.reruns;
    if (prefix->reruns == 0 || s->program.is_replaced) return;
    if (is_flaky) count_all(s, prefix);
    if (is_flaky || prefix->cause == CAUSE_MEMORY) search_set_aside(s, prefix, FALLBACK_KEPT);
}

/* Confirm a failed run. Rerun it with the bytes that it drew, if the target reported them. *drawn
 * becomes unknown if that prefix passes, as it may for a target that looks at how much entropy is
 * left. Then, or if the target reported nothing, rerun it with all bytes. Return true if the
 * strategy may rely on the failure; it is the best then. Cancel what is under way. */
static bool confirm(search *s, seed_input t, const run_result *r, uint64_t *drawn) {
    failure f = failure_of(t, r);
    pool_cancel(s->client.pool);
    if (!is_wanted(s, f.signature)) {
        keep_other(s, &f);
        return false;
    }
    if (*drawn < t.size) {
        failure prefix = f;
        prefix.input.size = *drawn;
        if (repeats(s, &prefix)) {
            count_all(s, &prefix);
            accept(s, &prefix);
            return true;
        }
        *drawn = STRATEGY_DRAWN_UNKNOWN;
        judge_prefix(s, &prefix);
        if (prefix.cause == CAUSE_MEMORY) {
            evidence_add_unreliable_size(s->evidence, t.size);
            return false;
        }
    }
    const bool is_sure = repeats(s, &f);
    count_all(s, &f);
    if (is_sure) {
        accept(s, &f);
        return true;
    }
    /* Keep it also if the search stopped before any rerun, but not if the reruns were of another
     * program. */
    if (f.reruns == 0 || !program_version_is_outdated(&s->program, &f.program))
        search_set_aside(s, &f, FALLBACK_KEPT);
    evidence_add_unreliable_size(s->evidence, t.size);
    return false;
}

/* Set aside a run that a lack of memory ended, or that stopped its worker. It says nothing of the
 * bytes it got. */
static void set_aside_killed(search *s, seed_input t, const run_result *r) {
    const bool is_stuck = r->last.verdict == VERDICT_STUCK;
    failure f = {.input = t, .cause = is_stuck ? CAUSE_WORKER : CAUSE_MEMORY};
    f.signature =
        is_stuck ? (signature){SIGNATURE_TIMEOUT, 0} : signature_of_status(r->last.status);
    memcpy(f.site, r->site, sizeof f.site);
    pool_cancel(s->client.pool);
    if (is_stuck || is_wanted(s, f.signature)) {
        search_set_aside(s, &f, FALLBACK_KEPT);
    } else {
        note_limited(s, &f);
    }
    evidence_add_unreliable_size(s->evidence, t.size);
}

bool search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn) {
    if (outcome_failed(&r->last)) return confirm(s, t, r, drawn);
    set_aside_killed(s, t, r);
    return false;
}
