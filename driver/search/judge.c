#include "evidence.h"
#include "failure.h"
#include "lineup.h"
#include "output_site.h"
#include "search_events.h"
#include "search_state.h"
#include "signature_filter.h"

#include <string.h>

enum {
    PREFIX_RERUNS = 5 /* to distinguish a prefix that passes from a flaky one */
};

/* True if failures like this one count, or may: the site of a run decides, which a rerun shows. */
static bool is_wanted(const search *s, const failure *f) {
    const signature_filter *filter = s->config->filter;
    return filter == NULL || signature_filter_match(filter, f->signature, f->site,
                                                    f->is_site_known) != SIGNATURE_DIFFERS;
}

/* Count a run whose failure does not count, if --ignore is the reason. Return true if it is. */
static bool count_ignored(search *s, const failure *f) {
    const signature_filter *filter = s->config->filter;
    if (filter == NULL || !signature_filter_ignores(filter, f->signature, f->site)) return false;
    ignored_add(&s->result->ignored, f);
    return true;
}

/* True if the search pursues failures like this one, which a rerun has confirmed. */
static bool is_pursued(const search *s, const failure *f) {
    if (!is_wanted(s, f)) return false;
    return s->config->goal == SEARCH_SMALLEST || stages_pursue(&s->result->each, f);
}

/* Write to *like what a rerun of a failure must be like to count. Return false if that is any
 * failure. */
static bool must_be_like(const search *s, const failure *f, failure *like) {
    *like = (failure){.signature = f->signature};
    switch (s->config->goal) {
    case SEARCH_SMALLEST: return s->config->filter != NULL && s->config->filter->only.count > 0;
    case SEARCH_EACH:
        memcpy(like->site, f->site, sizeof like->site);
        like->is_site_known = f->is_site_known;
        return f->repeated > 0;
    }
    return false;
}

/* Rerun a failure, after all that is under way is cancelled. */
static void rerun_only(search *s, failure *f, unsigned due, reruns_until until) {
    failure like;
    const bool is_bound = must_be_like(s, f, &like);
    const reruns_job what = {client_seed(f->input), f, is_bound ? &like : NULL};
    lineup_cancel(s->lineup, &s->client);
    reruns_make(&s->client, &what, due, until);
}

/* Add reruns of a failure to the evidence, unless a limit may have caused the failure. */
static void count(search *s, const failure *f, rerun_count more) {
    if (more.reruns == 0 || f->cause != CAUSE_NONE) return;
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

static const failure *known_like(const search *s, const failure *f) {
    const distinct_failures *others = &s->result->others;
    if (s->config->goal == SEARCH_EACH) return stages_best_like(&s->result->each, f);
    const size_t i = distinct_failures_find(others, f);
    return i < others->count ? &others->list[i] : NULL;
}

/* Report the first failure whose message differs from that of an earlier one of the same assertion
 * in more than numbers and quotations. */
static void compare_message(search *s, const failure *f) {
    if (s->has_warned_alike || f->output == NULL || f->site[0] == '\0' || site_has_kind(f->site))
        return;
    const failure *known = known_like(s, f);
    if (known == NULL || known->output == NULL || !failure_is_same(known, f)) return;
    if (output_ends_alike(known->output, f->output)) return;
    s->has_warned_alike = true;
    search_emit_alike(s, f, known);
}

bool search_keep(search *s, const failure *f) {
    search_result *r = s->result;
    compare_message(s, f);
    switch (s->config->goal) {
    case SEARCH_SMALLEST: return distinct_failures_add(&r->others, f);
    case SEARCH_EACH: return stages_add(&r->each, f);
    }
    return false;
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
    if (kind == FALLBACK_FLAKY) search_keep(s, f);
}

/* Accept a failure: the strategy relies on it. Between stages it begins the one of its signature. A
 * known one of another signature than the best can be larger. */
static void accept(search *s, const failure *f) {
    stages *each = &s->result->each;
    const bool is_best_like = search_keep(s, f);
    if (s->config->goal == SEARCH_EACH && stages_current(each) == NULL) stages_enter(each, f);
    if (bests_add(&s->bests, f)) {
        search_emit_failure(s, EVENT_BEST, f);
    } else if (is_best_like) {
        search_emit_failure(s, EVENT_OTHER, f);
    }
}

/* Keep a confirmed failure that the search does not pursue, and announce it if it is the best of
 * its signature. */
static void keep_other(search *s, const failure *f) {
    if (is_wanted(s, f) || s->config->goal == SEARCH_SMALLEST) {
        if (search_keep(s, f)) search_emit_failure(s, EVENT_OTHER, f);
    }
}

/* Confirm a failure that the search does not pursue. */
static bool confirm_other(search *s, failure *f) {
    search_rerun(s, f, 1, RERUNS_UNTIL_PASS);
    if (f->cause == CAUSE_MEMORY) note_limited(s, f);
    if (f->repeated > 0) keep_other(s, f);
    return f->repeated > 0;
}

/* True if a failure that --only does not ask for is new, or smaller than the one known. */
static bool is_news(const search *s, const failure *f) {
    const distinct_failures *others = &s->result->others;
    const size_t i = distinct_failures_find(others, f);
    return i == others->count || seed_input_less(f->input, others->list[i].input);
}

/* Rerun a failure, more often once a flaky one was seen. The first rerun can show that it is not
 * what the search pursues; then stop. Return true if it always fails and never passed before. */
static bool repeats(search *s, failure *f) {
    const bool was_aside = evidence_was_set_aside(s->evidence, f->input);
    const bool is_strict = s->is_strict && !was_aside;
    if (s->config->goal == SEARCH_EACH || !is_strict) rerun_only(s, f, 1, RERUNS_UNTIL_PASS);
    const bool is_other = f->repeated > 0 && !is_pursued(s, f);
    if (is_strict && !is_other && !failure_is_flaky(f))
        rerun_only(s, f, failure_reruns_due(f), RERUNS_UNTIL_PASS);
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
    if (prefix->reruns == 0) return;
    if (is_flaky) count_all(s, prefix);
    if (is_flaky || prefix->cause == CAUSE_MEMORY) search_set_aside(s, prefix, FALLBACK_KEPT);
}

/* Accept a failure whose reruns all failed, or keep it for another stage. */
static judgement take_sure(search *s, failure *f) {
    count_all(s, f);
    if (is_pursued(s, f)) {
        accept(s, f);
        return JUDGED_FAILED;
    }
    if (is_wanted(s, f) || !count_ignored(s, f)) keep_other(s, f);
    return JUDGED_MASKED;
}

/* Confirm a failed run. Rerun it with the bytes that it drew, if the target reported them. *drawn
 * becomes unknown if that prefix passes, as it may for a target that looks at how much entropy is
 * left. Then, or if the target reported nothing, rerun it with all bytes. If the strategy may rely
 * on the failure, it is the best then. */
static judgement confirm(search *s, failure *f, uint64_t *drawn) {
    const seed_input t = f->input;
    if (*drawn < t.size) {
        failure prefix = *f;
        prefix.input = seed_input_cut(t, *drawn);
        if (repeats(s, &prefix)) return take_sure(s, &prefix);
        *drawn = STRATEGY_DRAWN_UNKNOWN;
        judge_prefix(s, &prefix);
        *f->output = (bytes_tail){0}; /* that of the prefix */
        if (prefix.cause == CAUSE_MEMORY) {
            evidence_add_unreliable_size(s->evidence, t.size);
            return JUDGED_UNRELIABLE;
        }
    }
    if (repeats(s, f)) return take_sure(s, f);
    count_all(s, f);
    search_set_aside(s, f, FALLBACK_KEPT); /* also if the search stopped before any rerun */
    evidence_add_unreliable_size(s->evidence, t.size);
    return JUDGED_UNRELIABLE;
}

/* Pass over a failure of another stage. Confirm it if it is new, or smaller than the one known. */
static void pass_over(search *s, failure *f, uint64_t drawn) {
    failure prefix = *f;
    if (drawn < f->input.size) prefix.input = seed_input_cut(f->input, drawn);
    if (stages_judge(&s->result->each, &prefix) != STAGES_NEWS) return;
    if (confirm_other(s, &prefix) || prefix.input.size == f->input.size) return;
    if (stages_judge(&s->result->each, f) == STAGES_NEWS) confirm_other(s, f);
}

static judgement judge_failure(search *s, failure *f, uint64_t *drawn) {
    if (!is_wanted(s, f)) {
        if (!count_ignored(s, f) && s->config->goal == SEARCH_SMALLEST && is_news(s, f)) {
            confirm_other(s, f);
        }
        return JUDGED_MASKED;
    }
    if (s->config->goal == SEARCH_SMALLEST) return confirm(s, f, drawn);
    switch (stages_judge(&s->result->each, f)) {
    case STAGES_PURSUE:
    case STAGES_UNCERTAIN: return confirm(s, f, drawn);
    case STAGES_KNOWN:
    case STAGES_NEWS: break;
    }
    pass_over(s, f, *drawn);
    return JUDGED_MASKED;
}

/* Set aside a run that a lack of memory ended, or that stopped its worker. It says nothing of the
 * bytes it got. */
static void set_aside_killed(search *s, seed_input t, const run_result *r) {
    const bool is_stuck = r->last.verdict == VERDICT_STUCK;
    failure f = {.input = t, .cause = is_stuck ? CAUSE_WORKER : CAUSE_MEMORY};
    f.signature =
        is_stuck ? (signature){SIGNATURE_TIMEOUT, 0} : signature_of_status(r->last.status);
    memcpy(f.site, r->site, sizeof f.site);
    lineup_cancel(s->lineup, &s->client);
    if (is_stuck || is_wanted(s, &f)) {
        search_set_aside(s, &f, FALLBACK_KEPT);
    } else {
        note_limited(s, &f);
    }
    evidence_add_unreliable_size(s->evidence, t.size);
}

judgement search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn) {
    if (!outcome_failed(&r->last)) {
        set_aside_killed(s, t, r);
        return JUDGED_UNRELIABLE;
    }
    failure f;
    failure_of_run(&f, r, t);
    s->judged_output = (bytes_tail){0};
    f.output = &s->judged_output;
    return judge_failure(s, &f, drawn);
}

void search_judge_void(search *s, seed_input t, const run_result *r) {
    failure f;
    failure_of_run(&f, r, t);
    s->judged_output = (bytes_tail){0};
    f.output = &s->judged_output;
    if (!is_wanted(s, &f)) return;
    rerun_only(s, &f, 1, RERUNS_UNTIL_PASS);
    if (f.repeated > 0) return;
    count_all(s, &f);
    search_set_aside(s, &f, FALLBACK_KEPT);
    evidence_add_unreliable_size(s->evidence, t.size);
}
