/* Is it a failure? A run that failed counts only once it failed again in a fresh process. The list
 * of failures has all that were rerun, each with a state.
 *
 * A flaky failure counts as a pass. So as long as no failure was seen to be flaky, one rerun is
 * enough, and the final best gets all its reruns at the end (search_verify); if one of them passes,
 * the search goes on from the next larger sure failure of the list. From then on it is strict: each
 * failure must fail in all the reruns that a final best gets, before the strategy relies on it.
 *
 * If the target reports what it draws, the bytes that a run drew are the failure, if they fail
 * alone. They need not: a target may look at how much entropy is left.
 *
 * With --only and --ignore some failures count as passes. With --all so do those that an answer of
 * an earlier round is like. Both may need a rerun to know, for the site of a run can be unknown. */
#include "judge.h"

#include "output_site.h"
#include "signature_filter.h"

#include <assert.h>
#include <string.h>

enum {
    PREFIX_RERUNS = 5 /* to distinguish a prefix that passes from a flaky one */
};

/* ---- The list of failures ---- */

found *search_smallest(const search *s, found_state state) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->list[i].state == state) return &s->list[i];
    }
    return NULL;
}

const failure *search_best(const search *s) {
    const found *best = search_smallest(s, FOUND_SURE);
    return best != NULL ? &best->failure : NULL;
}

static void add_reruns(rerun_count *to, rerun_count more) {
    to->reruns += more.reruns;
    to->repeated += more.repeated;
}

/* Return the reruns that count as evidence: a limit may have caused the others. */
static rerun_count reruns_of(const found *e) {
    rerun_count all = e->more;
    const failure *f = &e->failure;
    if (f->cause == CAUSE_NONE) add_reruns(&all, (rerun_count){f->reruns, f->repeated});
    return all;
}

rerun_count search_evidence(const search *s, const failure *f) {
    rerun_count all = {0, 0};
    for (size_t i = 0; i < s->count; i++) {
        if (failure_is_alike(&s->list[i].failure, f)) add_reruns(&all, reruns_of(&s->list[i]));
    }
    return all;
}

/* Make room: drop the largest failure that the search does not rely on, or else the largest, and
 * let another one that is like it count its reruns. */
static void drop_one(search *s) {
    size_t i = s->count - 1;
    while (i > 0 && s->list[i].state <= FOUND_ANSWERED) i--;
    if (s->list[i].state <= FOUND_ANSWERED) i = s->count - 1;
    found *gone = &s->list[i];
    for (size_t k = 0; k < s->count; k++) {
        if (k == i || !failure_is_alike(&s->list[k].failure, &gone->failure)) continue;
        add_reruns(&s->list[k].more, reruns_of(gone));
        break;
    }
    failure_drop(&gone->failure);
    s->count--;
    memmove(gone, gone + 1, (s->count - i) * sizeof *gone);
}

/* Note a failure in the list, in this state. If it is there, it gives way, but not its reruns; nor
 * its state to OTHER. */
static found *note(search *s, const failure *f, found_state state) {
    size_t i = 0;
    while (i < s->count && !(seed_input_equal(s->list[i].failure.input, f->input) &&
                             failure_is_same(&s->list[i].failure, f))) {
        i++;
    }
    if (i == s->count) {
        if (s->count == FOUND_MAX) drop_one(s);
        i = s->count;
        while (i > 0 && seed_input_less(f->input, s->list[i - 1].failure.input)) i--;
        memmove(&s->list[i + 1], &s->list[i], (s->count - i) * sizeof s->list[0]);
        s->list[i] = (found){.state = state};
        s->count++;
    } else if (f != &s->list[i].failure) {
        s->list[i].more = reruns_of(&s->list[i]);
    }
    if (state != FOUND_OTHER) s->list[i].state = state;
    failure_keep(&s->list[i].failure, f);
    return &s->list[i];
}

void search_recall(search *s, const failure *f) {
    if (f->alike.repeated == f->alike.reruns) return;
    found *e = note(s, f, FOUND_OTHER);
    add_reruns(&e->more, f->alike);
    e->is_aside = true;
}

/* All inputs of no bytes are one. */
static bool was_set_aside(const search *s, seed_input t) {
    for (size_t i = 0; i < s->count; i++) {
        const seed_input known = s->list[i].failure.input;
        const bool is_same = seed_input_equal(known, t) || (known.size == 0 && t.size == 0);
        if (is_same && s->list[i].is_aside) return true;
    }
    return false;
}

bool search_is_unreliable_size(const search *s, uint64_t size) {
    for (size_t i = 0; i < s->unreliable_count && i < UNRELIABLE_MAX; i++) {
        if (s->unreliable[i] == size) return true;
    }
    return false;
}

static judgement take_as_pass(search *s, uint64_t size) {
    if (!search_is_unreliable_size(s, size))
        s->unreliable[s->unreliable_count++ % UNRELIABLE_MAX] = size;
    return JUDGED_UNRELIABLE;
}

/* ---- Events ---- */

void search_emit_failure(const search *s, event_kind kind, const failure *f) {
    failure with_evidence = *f;
    with_evidence.alike = search_evidence(s, f);
    event_emit(s->sink,
               &(event){.kind = kind, .failure = &with_evidence, .progress = search_progress(s)});
}

/* Return the known failure of the same assertion, if their messages are worth a comparison; or
 * NULL. */
static const failure *comparable(const search *s, const failure *f) {
    const distinct_failures *others = &s->result->others;
    if (s->has_warned_alike || f->output == NULL || f->site[0] == '\0' || site_has_kind(f->site))
        return NULL;
    const size_t i = distinct_failures_find(others, f);
    const failure *known = &others->list[i];
    const bool is_same = i < others->count && failure_is_same(known, f);
    return is_same && known->output != NULL ? known : NULL;
}

/* Report the first failure whose message differs from that of an earlier one of the same assertion
 * in more than numbers and quotations. */
static void compare_message(search *s, const failure *f) {
    const failure *known = comparable(s, f);
    if (known == NULL || output_ends_alike(known->output, f->output)) return;
    s->has_warned_alike = true;
    event_emit(s->sink, &(event){.kind = EVENT_ALIKE, .failure = f, .other = known});
}

/* Keep a failure if it is the best of its signature. Return false if it is not. */
static bool keep(search *s, const failure *f) {
    compare_message(s, f);
    return distinct_failures_add(&s->result->others, f);
}

/* ---- What counts ---- */

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

search_answer *search_answer_like(search_answers *each, const failure *f) {
    for (size_t i = 0; i < each->count; i++) {
        if (failure_is_same(&each->list[i].best, f)) return &each->list[i];
    }
    return NULL;
}

bool search_is_answered(const search *s, const failure *f) {
    const search_answer *like = search_answer_like(&s->result->each, f);
    if (like != NULL) return f->input.size >= like->best.input.size;
    return s->result->each.count == DISTINCT_FAILURES_MAX;
}

/* True if a round goes down from another failure, and only flaky ones are like f, one of them no
 * larger: it would be rerun in vain. While a round grows, one may turn out to fail always. */
static bool is_like_flaky(const search *s, const failure *f) {
    bool is_flaky = false;
    if (s->config->goal == SEARCH_SMALLEST || search_best(s) == NULL) return false;
    for (size_t i = 0; i < s->count; i++) {
        const found *e = &s->list[i];
        if (!failure_is_same(&e->failure, f)) continue;
        if (e->state <= FOUND_ANSWERED) return false;
        is_flaky |= e->state == FOUND_FLAKY && f->input.size >= e->failure.input.size;
    }
    return is_flaky;
}

/* True if the search pursues failures like this one, which a rerun has confirmed. */
static bool is_pursued(const search *s, const failure *f) {
    return is_wanted(s, f) && !search_is_answered(s, f) && !is_like_flaky(s, f);
}

/* True if the search does not pursue a run that failed, whatever reruns of it show. An answer is
 * like it, and no larger than what it drew. Not if that depends on its site, which is unknown or an
 * address; but a hung run prints nothing, and a rerun of it takes its whole time limit. */
static bool is_masked(const search *s, const failure *f, uint64_t drawn) {
    const search_answers *each = &s->result->each;
    const bool is_hang = f->signature.kind == SIGNATURE_TIMEOUT;
    failure needed = *f;
    if (drawn < f->input.size) needed.input.size = drawn;
    bool is_known = is_like_flaky(s, &needed), may_be_known = is_known;
    for (size_t i = 0; i < each->count; i++) {
        is_known |= failure_is_same(&each->list[i].best, f);
        may_be_known |= failure_is_alike(&each->list[i].best, f);
    }
    if (may_be_known && !(is_known && (f->is_site_known || is_hang))) return false;
    return !is_pursued(s, &needed);
}

/* ---- Reruns ---- */

/* Reruns of a failure must be like it if --only asks for it, or once a round of --all pursues it.
 * Else they can fail in any way. */
void search_rerun(search *s, failure *f, unsigned due, reruns_until until) {
    failure like = {.signature = f->signature};
    bool is_bound = s->config->filter != NULL && s->config->filter->only.count > 0;
    if (s->config->goal == SEARCH_EACH) {
        memcpy(like.site, f->site, sizeof like.site);
        like.is_site_known = f->is_site_known;
        is_bound = f->repeated > 0;
    }
    const reruns_job what = {client_seed(f->input), f, is_bound ? &like : NULL};
    search_cancel(s);
    reruns_make(&s->client, &what, due, until);
}

/* Count a failure that a limit may have caused, and announce the first of each cause. */
static void note_limited(search *s, const failure *f) {
    if (s->result->limited[f->cause]++ == 0)
        event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
}

/* Note a failure that counts as a pass. */
static found *set_aside(search *s, const failure *f) {
    /* For lack of memory a failure may seem to repeat. */
    const bool is_limited = f->cause == CAUSE_MEMORY || f->cause == CAUSE_WORKER;
    const found_state state = is_limited        ? FOUND_LIMITED
                              : f->repeated > 0 ? FOUND_FLAKY
                                                : FOUND_ONCE;
    if (f->cause != CAUSE_NONE) {
        note_limited(s, f);
    } else if (failure_is_flaky(f) && !s->is_strict) {
        s->is_strict = true;
        event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
    }
    found *e = note(s, f, state);
    e->is_aside |= f->cause == CAUSE_NONE && f->reruns > 0;
    if (state == FOUND_FLAKY) keep(s, f);
    return e;
}

bool search_verify(search *s, found *sure) {
    failure *f = &sure->failure;
    search_rerun(s, f, failure_reruns_due(f), RERUNS_UNTIL_PASS);
    if (!failure_is_flaky(f)) return true;
    sure->state = FOUND_OTHER; /* the reruns may have shown another site, that of another entry */
    event_emit(s->sink, &(event){.kind = EVENT_REFUTED, .failure = f});
    set_aside(s, f)->is_announced = true;
    return false;
}

/* Rerun a failure, more often once a flaky one was seen. The first rerun can show that it is not
 * what the search pursues; then stop. Return true if it always fails and never passed before. */
static bool repeats(search *s, failure *f) {
    const bool was_aside = was_set_aside(s, f->input);
    const bool is_strict = s->is_strict && !was_aside;
    if (s->config->goal == SEARCH_EACH || !is_strict) search_rerun(s, f, 1, RERUNS_UNTIL_PASS);
    const bool is_other = f->repeated > 0 && !is_pursued(s, f);
    if (is_strict && !is_other && !failure_is_flaky(f))
        search_rerun(s, f, failure_reruns_due(f), RERUNS_UNTIL_PASS);
    return f->reruns > 0 && !failure_is_flaky(f) && !was_aside;
}

/* ---- Judging ---- */

/* Note a confirmed failure that the search does not pursue. Without --all, announce it if it is the
 * best of its signature. */
static void take_other(search *s, const failure *f) {
    note(s, f, FOUND_OTHER);
    if (f->repeated > 0 && s->config->goal == SEARCH_SMALLEST && keep(s, f))
        search_emit_failure(s, EVENT_OTHER, f);
}

/* Take a failure whose reruns all failed. A known one of another signature than the best can be
 * larger. */
static judgement take_sure(search *s, const failure *f) {
    if (!is_pursued(s, f)) {
        if (is_wanted(s, f) || !count_ignored(s, f)) take_other(s, f);
        return JUDGED_MASKED;
    }
    const failure *best = search_best(s);
    const bool is_best = best == NULL || seed_input_less(f->input, best->input);
    const bool is_best_like = keep(s, f);
    note(s, f, FOUND_SURE);
    if (is_best || is_best_like) search_emit_failure(s, is_best ? EVENT_BEST : EVENT_OTHER, f);
    return JUDGED_FAILED;
}

/* Judge the drawn prefix of a failing run. The prefix does not always fail, though the run drew no
 * more. It is flaky if it fails at times. It passes if the target looks at how much entropy is
 * left. */
static void judge_prefix(search *s, failure *prefix) {
    if (prefix->cause == CAUSE_NONE && prefix->repeated == 0)
        search_rerun(s, prefix, PREFIX_RERUNS, RERUNS_ALL);
    const rerun_count alike = search_evidence(s, prefix);
    const bool is_flaky = prefix->repeated > 0 || alike.repeated < alike.reruns;
    if (prefix->reruns > 0 && (is_flaky || prefix->cause == CAUSE_MEMORY)) set_aside(s, prefix);
}

/* Confirm a failed run. Rerun it with the bytes that it drew, if the target reported them. *drawn
 * becomes unknown if that prefix passes. Then, or if the target reported nothing, rerun it with all
 * bytes. If the strategy may rely on the failure, it is the best then. */
static judgement confirm(search *s, failure *f, uint64_t *drawn) {
    if (*drawn < f->input.size) {
        failure prefix = *f;
        prefix.input = seed_input_cut(f->input, *drawn);
        if (repeats(s, &prefix)) return take_sure(s, &prefix);
        *drawn = STRATEGY_DRAWN_UNKNOWN;
        judge_prefix(s, &prefix);
        *f->output = (bytes_tail){0}; /* that of the prefix */
        if (prefix.cause == CAUSE_MEMORY) return take_as_pass(s, f->input.size);
    }
    if (repeats(s, f)) return take_sure(s, f);
    set_aside(s, f); /* also if the search stopped before any rerun */
    return take_as_pass(s, f->input.size);
}

/* Judge a failure that --only does not ask for, or that --ignore names. Confirm one that is new, or
 * smaller than the one known of its signature. */
static judgement judge_unwanted(search *s, failure *f) {
    const distinct_failures *others = &s->result->others;
    const size_t i = distinct_failures_find(others, f);
    const bool is_news = i == others->count || seed_input_less(f->input, others->list[i].input);
    if (count_ignored(s, f) || s->config->goal == SEARCH_EACH || !is_news) return JUDGED_MASKED;
    search_rerun(s, f, 1, RERUNS_UNTIL_PASS);
    if (f->cause == CAUSE_MEMORY) note_limited(s, f);
    if (f->reruns > 0) take_other(s, f);
    return JUDGED_MASKED;
}

/* Set aside a run that stopped its worker. It says nothing of the bytes it got. */
static judgement judge_stuck(search *s, seed_input t) {
    const failure f = {.input = t, .signature = {SIGNATURE_TIMEOUT, 0}, .cause = CAUSE_WORKER};
    search_cancel(s);
    set_aside(s, &f);
    return take_as_pass(s, t.size);
}

/* Compare the message of a failure that is answered. A server keeps none: the first few of such
 * failures are rerun for it, and then each whose number is a power of two. */
static void compare_answered(search *s, failure *f, const bytes_tail *output) {
    if (comparable(s, f) == NULL) return;
    s->judged_output = *output;
    if (output->total == 0) {
        enum { ALWAYS = 4 };
        const uint64_t number = ++s->unread;
        if (number > ALWAYS && (number & (number - 1)) != 0) return;
        search_rerun(s, f, 1, RERUNS_UNTIL_PASS);
        if (f->repeated == 0) return;
    }
    compare_message(s, f);
}

judgement search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn) {
    if (r->last.verdict == VERDICT_STUCK) return judge_stuck(s, t);
    failure f;
    failure_of_run(&f, r, t);
    s->judged_output = (bytes_tail){0};
    f.output = &s->judged_output;
    if (!is_wanted(s, &f)) return judge_unwanted(s, &f);
    if (!is_masked(s, &f, *drawn)) return confirm(s, &f, drawn);
    compare_answered(s, &f, &r->output);
    return JUDGED_MASKED;
}
