#include "search_state.h"

#include "clock.h"

#include <string.h>

enum {
    PREFIX_RERUNS = 5 /* to tell a prefix that passes from one that is flaky */
};

const failure *search_best(const search *s) {
    return s->best_count > 0 ? &s->bests[s->best_count - 1] : NULL;
}

static progress progress_of(const search *s) {
    return (progress){.size = s->size,
                      .runs = s->result->runs,
                      .reruns = s->result->reruns,
                      .elapsed_ns = clock_now_ns() - s->start_ns,
                      .best = search_best(s)};
}

void search_emit_progress(search *s) {
    event_emit(s->sink, &(event){.kind = EVENT_PROGRESS, .progress = progress_of(s)});
}

/* See whether the program is another file now. Of several workers some see it later. */
void search_on_result(void *context, const run_result *r) {
    search *s = context;
    const bool is_news = file_stamp_is_known(&r->program) &&
                         !file_stamp_equal(&r->program, &s->program) &&
                         !file_stamp_equal(&r->program, &s->program_before);
    if (!is_news) return;
    s->program_before = s->program;
    s->program = r->program;
    if (!file_stamp_is_known(&s->program_before)) return; /* the first */
    s->is_rebuilt = true;
    event_emit(s->sink, &(event){.kind = EVENT_REBUILT});
}

void search_on_idle(void *context) { search_emit_progress(context); }

bool search_is_outdated(const search *s, const failure *f) {
    return file_stamp_is_known(&f->program) && file_stamp_is_known(&s->program) &&
           !file_stamp_equal(&f->program, &s->program);
}

/* Failures that the search was asked for. */
static bool is_wanted(const search *s, signature id) {
    return !s->config->has_only || signature_equal(id, s->config->only);
}

/* Rerun a failure. With --only, reruns of another signature count as passes. */
static void rerun_only(search *s, failure *f, unsigned due, reruns_until until) {
    const failure like = {.signature = f->signature};
    const reruns_job what = {client_seed(f->input), f, s->config->has_only ? &like : NULL,
                             &f->output};
    const unsigned before = f->reruns;
    reruns_make(&s->client, &what, due, until);
    s->result->reruns += f->reruns - before;
}

/* Reruns of a failure are evidence, but for those that were of another program, or that a limit
 * may have made. */
static void count(search *s, const failure *f, rerun_count more) {
    if (more.reruns == 0 || f->limit != CAUSE_NONE || s->is_rebuilt) return;
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

void search_announce(search *s, const failure *f, bool is_best) {
    failure announced = *f;
    announced.alike = evidence_of(s->evidence, f);
    event_emit(s->sink, &(event){.kind = is_best ? EVENT_BEST : EVENT_OTHER,
                                 .progress = progress_of(s),
                                 .failure = &announced});
}

/* Returns true when it was kept. */
static bool keep_smaller(failure *kept, bool *has_kept, const failure *f) {
    if (*has_kept && !seed_input_less(f->input, kept->input)) return false;
    *kept = *f;
    *has_kept = true;
    return true;
}

/* A limit may have made this failure: count it, and tell of the first. */
static void note_limited(search *s, const failure *f) {
    s->result->limited[f->limit]++;
    if (s->told_limits[f->limit]) return;
    s->told_limits[f->limit] = true;
    event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
}

void search_set_aside(search *s, const failure *f, bool told) {
    if (f->limit != CAUSE_NONE) {
        note_limited(s, f);
    } else if (f->reruns > 0) {
        evidence_set_aside(s->evidence, f->input);
    }
    if (f->limit == CAUSE_NONE && failure_is_flaky(f) && !s->flaky_seen) {
        s->flaky_seen = true;
        event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
    }
    if (f->limit == CAUSE_MEMORY || f->limit == CAUSE_WORKER) {
        keep_smaller(&s->limited, &s->has_limited, f); /* run again, it may seem to repeat */
    } else if (f->repeated > 0) {
        if (keep_smaller(&s->flaky, &s->has_flaky, f)) s->flaky_told = told;
        distinct_failures_add(&s->result->others, f);
    } else {
        keep_smaller(&s->once, &s->has_once, f);
    }
}

/* The strategy relies on this failure. It is the best if it is smaller than all before it, and else
 * takes its place among them. */
static void accept(search *s, const failure *f) {
    if (s->best_count == SEARCH_BEST_MAX) {
        s->best_count--;
        memmove(s->bests, s->bests + 1, s->best_count * sizeof *s->bests);
    }
    size_t place = s->best_count;
    while (place > 0 && !seed_input_less(f->input, s->bests[place - 1].input)) place--;
    memmove(s->bests + place + 1, s->bests + place, (s->best_count - place) * sizeof *s->bests);
    s->bests[place] = *f;
    s->best_count++;
    distinct_failures_add(&s->result->others, f);
    if (place + 1 == s->best_count) search_announce(s, f, true);
}

/* A failure of another signature than was asked for: keep it if it is news. */
static void keep_other(search *s, failure *f) {
    const distinct_failures *others = &s->result->others;
    const size_t i = distinct_failures_find(others, f);
    if (i < others->count && !seed_input_less(f->input, others->list[i].input)) return;
    search_rerun(s, f, 1, RERUNS_UNTIL_PASS);
    if (f->limit == CAUSE_MEMORY) note_limited(s, f);
    if (f->repeated > 0 && distinct_failures_add(&s->result->others, f))
        search_announce(s, f, false);
}

static failure failure_of(seed_input t, const run_result *r) {
    failure f = {.input = t, .signature = outcome_signature(&r->last), .program = r->program};
    memcpy(f.site, r->site, sizeof f.site);
    return f;
}

/* Run a failure again, more often once anything was seen that is flaky. True if it always fails,
 * and never passed before. */
static bool repeats(search *s, failure *f) {
    const bool was_aside = evidence_was_set_aside(s->evidence, f->input);
    rerun_only(s, f, s->flaky_seen && !was_aside ? failure_reruns_due(f) : 1, RERUNS_UNTIL_PASS);
    return f->reruns > 0 && !failure_is_flaky(f) && !was_aside;
}

/* The first bytes of a failing run do not always fail, though it drew no more. They are flaky when
 * they fail at times; and those of a test that looks at how much is left pass. */
static void judge_prefix(search *s, failure *prefix) {
    if (prefix->limit == CAUSE_NONE && prefix->repeated == 0) {
        rerun_only(s, prefix, PREFIX_RERUNS, RERUNS_ALL);
    }
    const rerun_count alike = evidence_of(s->evidence, prefix);
    const bool is_flaky = prefix->repeated > 0 || alike.repeated < alike.reruns;
    if (prefix->reruns == 0 || s->is_rebuilt) return;
    if (is_flaky) count_all(s, prefix);
    if (is_flaky || prefix->limit == CAUSE_MEMORY) search_set_aside(s, prefix, false);
}

/* A run failed. Rerun it with the bytes that it had drawn, where the target reported them, or else
 * with all of them; *drawn becomes unknown where that prefix passes, as it may for a test that
 * looks at how much is left. Return true when the strategy may rely on it; it is the best then. Cancel
 * what is under way. */
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
        if (prefix.limit == CAUSE_MEMORY) {
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
    /* Also when the search was stopped before any rerun; not if another program was run again. */
    if (f.reruns == 0 || !search_is_outdated(s, &f)) search_set_aside(s, &f, false);
    evidence_add_unreliable_size(s->evidence, t.size);
    return false;
}

/* A run fell to the kernel's want of memory, or stopped its worker, which says nothing of the bytes
 * it got. */
static void set_aside_killed(search *s, seed_input t, const run_result *r) {
    const bool is_stuck = r->last.verdict == VERDICT_STUCK;
    failure f = {.input = t, .limit = is_stuck ? CAUSE_WORKER : CAUSE_MEMORY};
    f.signature =
        is_stuck ? (signature){SIGNATURE_TIMEOUT, 0} : signature_of_status(r->last.status);
    memcpy(f.site, r->site, sizeof f.site);
    pool_cancel(s->client.pool);
    if (is_stuck || is_wanted(s, f.signature)) {
        search_set_aside(s, &f, false);
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
