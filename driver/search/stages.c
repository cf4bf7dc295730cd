#include "stages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Return the index of the stage of a confirmed failure; `count` if there is none. */
static size_t find(const stages *s, const failure *f) {
    size_t i = 0;
    while (i < s->count && !failure_is_same(&s->list[i].best, f)) i++;
    return i;
}

/* Return the index of the current stage; `count` if there is none. */
static size_t find_current(const stages *s) {
    size_t i = 0;
    while (i < s->count && s->list[i].state != STAGE_CURRENT) i++;
    return i;
}

static bool has_current(const stages *s) { return find_current(s) < s->count; }

const failure *stages_best_like(const stages *s, const failure *f) {
    const size_t i = find(s, f);
    return i < s->count ? &s->list[i].best : NULL;
}

/* A signature that is flaky so far may have failures that always fail. */
bool stages_pursue(const stages *s, const failure *f) {
    const size_t i = find(s, f);
    if (i == s->count) return !has_current(s) && s->count < STAGES_MAX;
    if (s->list[i].state == STAGE_CURRENT) return true;
    return !has_current(s) && failure_is_flaky(&s->list[i].best);
}

/* True if the site of a failure, which is unknown or an address, decides which stage it is of.
 * What a hung run prints says nothing, and a rerun takes its whole time limit. */
static bool is_uncertain(const stages *s, const failure *f, size_t i) {
    const bool is_hang = f->signature.kind == SIGNATURE_TIMEOUT;
    if (i < s->count && (f->is_site_known || is_hang)) return false;
    for (size_t k = 0; k < s->count; k++) {
        if (failure_is_alike(&s->list[k].best, f)) return true;
    }
    return false;
}

stages_answer stages_judge(const stages *s, const failure *f) {
    const size_t i = find(s, f);
    if (is_uncertain(s, f, i)) return STAGES_UNCERTAIN;
    if (stages_pursue(s, f)) return STAGES_PURSUE;
    if (i == s->count) return s->count < STAGES_MAX ? STAGES_NEWS : STAGES_KNOWN;
    return f->input.size < s->list[i].best.input.size ? STAGES_NEWS : STAGES_KNOWN;
}

/* True if `a` is the better failure of one signature. Of the same size the first one stays: another
 * would begin its stage anew. */
static bool is_better(const failure *a, const failure *b) {
    if (failure_is_flaky(a) != failure_is_flaky(b)) return failure_is_flaky(b);
    return a->input.size < b->input.size;
}

bool stages_add(stages *s, const failure *f) {
    const size_t i = find(s, f);
    if (i == STAGES_MAX) return false;
    stage *at = &s->list[i];
    if (i == s->count) {
        *at = (stage){.state = STAGE_PENDING};
        s->count++;
    } else if (seed_input_equal(f->input, at->best.input)) {
        failure_keep(&at->best, f); /* the same, with its latest reruns */
        return true;
    } else if (!is_better(f, &at->best)) {
        return false;
    }
    failure_keep(&at->best, f);
    at->claim = (strategy_claim){.failed = false};
    at->stretch = (strategy_stretch){.size = 0};
    if (at->state == STAGE_DONE) at->state = STAGE_PENDING;
    return true;
}

stage *stages_current(stages *s) { return has_current(s) ? &s->list[find_current(s)] : NULL; }

void stages_enter(stages *s, const failure *f) {
    const size_t i = find(s, f);
    assert(i < s->count && !has_current(s));
    s->list[i].state = STAGE_CURRENT;
}

stage *stages_pending(stages *s) {
    stage *best = NULL;
    for (size_t i = 0; i < s->count; i++) {
        stage *at = &s->list[i];
        if (at->state != STAGE_PENDING) continue;
        if (best == NULL || seed_input_less(at->best.input, best->best.input)) best = at;
    }
    return best;
}

void stages_reopen(stages *s) {
    for (size_t i = 0; i < s->count; i++) {
        stage *at = &s->list[i];
        const bool is_open = at->stretch.size > 0 && !failure_is_flaky(&at->best);
        if (at->state == STAGE_DONE && is_open) at->state = STAGE_PENDING;
    }
}

static int compare(const void *a, const void *b) {
    const failure *x = &((const stage *)a)->best, *y = &((const stage *)b)->best;
    if (failure_is_flaky(x) != failure_is_flaky(y)) return failure_is_flaky(x) ? 1 : -1;
    return seed_input_less(x->input, y->input) ? -1 : seed_input_less(y->input, x->input) ? 1 : 0;
}

void stages_drop(stages *s, size_t i) {
    assert(i < s->count);
    failure_drop(&s->list[i].best);
    s->count--;
    memmove(&s->list[i], &s->list[i + 1], (s->count - i) * sizeof s->list[0]);
}

void stages_clear(stages *s) {
    while (s->count > 0) stages_drop(s, s->count - 1);
}

void stages_sort(stages *s) { qsort(s->list, s->count, sizeof s->list[0], compare); }
