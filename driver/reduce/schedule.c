/* schedule.c: the order of the candidates.
 *
 * Passes have turns: the cheap ones in rounds, the last winners first, as long as they save bytes;
 * a costly one whenever the cheap ones are stuck; the late ones when all others are clean, and
 * after a success of theirs all others come first again. A pass is clean once it ended without a
 * success and no pass had one since; when all are clean, the reduction is at a fixpoint.
 *
 * At each site a step search (below) finds the largest amount that succeeds: by doubling and
 * bisecting, or as the pass says. A schedule has no pointers but the passes, so that a copy that
 * assumes failures can run ahead of the results. */
#include "schedule.h"

#include "bytes.h"
#include "patch.h"

#include <assert.h>
#include <stdlib.h>

static const pass *current(const schedule *p) { return p->passes[p->ranked[p->at]]; }

/* Return the record of the pass at an index into `ranked`. */
static const pass_record *record_at(const schedule *p, size_t at) {
    return &p->records[p->ranked[at]];
}

static pass_record *record_now(schedule *p) { return &p->records[p->ranked[p->at]]; }

static const pass_turn turn_begin = {.streak_size = SIZE_MAX};

void schedule_init(schedule *p, const pass *const *passes) {
    *p = (schedule){.passes = passes, .hint = 1, .turn = turn_begin};
    static const pass_cost costs[] = {PASS_CHEAP, PASS_COSTLY, PASS_LATE};
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
        for (size_t i = 0; passes[i] != NULL; i++) {
            assert(i < PASS_MAX);
            if (passes[i]->cost == costs[k]) p->ranked[p->count++] = (uint8_t)i;
        }
        if (costs[k] == PASS_CHEAP) p->cheap_count = p->count;
        if (costs[k] == PASS_COSTLY) p->late_first = p->count;
    }
    if (p->count > 0) p->site = position_begin(current(p));
}

void schedule_restart(schedule *p) {
    const schedule before = *p;
    schedule_init(p, before.passes);
    p->made = before.made;
    p->is_thorough = before.is_thorough;
}

static void begin_pass(schedule *p, size_t at) {
    p->at = at;
    p->site = position_begin(p->passes[p->ranked[at]]);
    p->turn = turn_begin;
    p->phase = SITE_NONE;
    p->hint = 1;
}

/* Put the winners of the ended round first in the next one. */
static void sort_winners(schedule *p) {
    for (size_t i = 1; i < p->cheap_count; i++) {
        const uint8_t moved = p->ranked[i];
        size_t k = i;
        for (; k > 0 && record_at(p, k - 1)->wins < p->records[moved].wins; k--) {
            p->ranked[k] = p->ranked[k - 1];
        }
        p->ranked[k] = moved;
    }
    for (size_t i = 0; i < p->count; i++) p->records[i].wins = 0;
}

static bool are_clean(const schedule *p, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!record_at(p, i)->is_clean) return false;
    }
    return true;
}

/* End a round of the cheap passes. True if another one follows. Two values can take turns, each
 * lowered by as much as the other one allows, for a very long time. So after ROUNDS_MAX rounds that
 * save no byte, the costly passes go first. */
static bool is_again(schedule *p, size_t size) {
    enum { ROUNDS_MAX = 2 };
    uint32_t wins = 0;
    for (size_t i = 0; i < p->count; i++) wins += p->records[i].wins;
    p->rounds = size < p->size ? 0 : p->rounds + 1;
    p->size = size;
    return wins > 0 && p->rounds < ROUNDS_MAX;
}

/* Late passes look from each draw at all others, so that a larger test case is not for them. */
enum { LATE_SIZE_MAX = 8 << 10 };

/* Return the index into `ranked` of the pass after the current one. */
static size_t choose_next(schedule *p, size_t size) {
    const size_t count = size > LATE_SIZE_MAX ? p->late_first : p->count;
    if (p->is_in_turn && p->at + 1 < count) return p->at + 1;
    if (are_clean(p, p->late_first)) {
        p->size = size;
        return larger(p->late_first, p->at + 1);
    }
    /* Of the costly passes, only a shorter test case gives the cheap ones new work. */
    const bool is_cheap = p->at < p->cheap_count;
    const bool is_next = is_cheap ? p->at + 1 < p->cheap_count || !is_again(p, size)
                                  : !p->turn.has_won || size == p->size;
    if (is_next && p->at + 1 < p->late_first) return p->at + 1;
    if (!is_cheap || is_next) p->rounds = 0;
    p->size = size;
    sort_winners(p);
    return 0;
}

/* ---- Slices: the end of a large text uses what stands before it, as code behind the headers that
 * it includes. Where rows delete little, the end is reduced alone, and then the slices before it,
 * one after another, each by one turn of some passes. A slice that lost most of its units makes the
 * next one twice as large. The first SLICED_FROM candidates are rows of the whole text ---- */

enum { SLICED_MIN = 1 << 15, SLICED_MAX = 1 << 13, SLICED_FROM = 512 };
enum { SLICE_FIRST = 1 << 8, SLICES_IN_VAIN = 4 };

static size_t slice_end(const slice *s, const testcase *t) {
    return t->count - smaller(s->behind, t->count);
}

/* Return what passes see of a test case, which may be no test case any more: the base of a site
 * that is done. */
static testcase slice_of(const slice *s, const testcase *t) {
    testcase part = *t;
    if (s->size == 0 || t->count == 0) return part;
    const size_t end = slice_end(s, t), start = smaller(s->start, end);
    part.bytes += testcase_place(t, start);
    part.size = testcase_place(t, end) - testcase_place(t, start);
    part.count = end - start;
    if (part.draws != NULL) part.draws += start;
    return part;
}

/* Make a slice of the whole lines before the slices that are done, `size` units at least. Its first
 * pass is next. False at the beginning of the text. */
static bool begin_slice(schedule *p, const testcase *t, size_t size) {
    slice *s = &p->slice;
    const size_t end = slice_end(s, t);
    s->start = end > size ? end - size : 0;
    while (s->start > 0 && testcase_rank(t, s->start - 1) != '\n') s->start--;
    s->size = end - s->start;
    p->at = SIZE_MAX;
    return s->size > 0;
}

/* Go on with the slice before this one. False after SLICES_IN_VAIN slices in a row that lost under
 * a quarter, once slices have left SLICED_MAX units, and at the beginning of the text. */
static bool leave_slice(schedule *p, const testcase *t) {
    slice *s = &p->slice;
    const size_t end = slice_end(s, t), left = end - smaller(s->start, end);
    const size_t next = left < s->size / 4 ? 2 * s->size : s->size / 2;
    s->behind += left;
    s->in_vain = left > s->size - s->size / 4 ? s->in_vain + 1 : 0;
    if (s->in_vain == SLICES_IN_VAIN || s->behind >= SLICED_MAX) return false;
    return begin_slice(p, t, larger(next, SLICE_FIRST));
}

/* Begin the next pass of this slice, or the next slice. After the last slice all passes begin again
 * on the whole text. */
static void go_on_in_slices(schedule *p, const testcase *best) {
    do {
        for (size_t at = p->at + 1; at < p->count; at++) {
            if (!p->passes[p->ranked[at]]->in_slices) continue;
            p->records[p->ranked[at]].is_clean = false;
            begin_pass(p, at);
            return;
        }
    } while (leave_slice(p, best));
    p->slice = (slice){0};
    for (size_t i = 0; i < p->count; i++) p->records[i].is_clean = false;
    begin_pass(p, 0);
}

/* Begin slices if the last CALLS candidates deleted under a PART-th of a large text. After that
 * they begin again only below a quarter of the size. */
static void look_for_slices(schedule *p, const testcase *best) {
    enum { CALLS = 32, PART = 16, AGAIN = 4 };
    const size_t before = p->seen_size;
    if (best->count < SLICED_MIN || best->trace != TRACE_NONE || p->slice.size > 0) return;
    if (p->made < larger(p->seen_at + CALLS, SLICED_FROM)) return;
    p->seen_at = p->made;
    p->seen_size = best->size;
    if (before == 0 || before - best->size >= before / PART) return;
    if (p->sliced > 0 && best->size >= p->sliced / AGAIN) return;
    p->sliced = best->size;
    if (begin_slice(p, best, SLICE_FIRST)) go_on_in_slices(p, best);
}

/* End the current pass, which has no candidate left. False when no pass has any. */
static bool end_pass(schedule *p, const testcase *best) {
    const size_t size = best->size;
    if (!p->turn.has_won) record_now(p)->is_clean = true;
    if (p->slice.size > 0) {
        go_on_in_slices(p, best);
        return true;
    }
    if (are_clean(p, p->count)) return false;
    if (size > LATE_SIZE_MAX && are_clean(p, p->late_first)) return false;
    begin_pass(p, choose_next(p, size));
    return true;
}

/* True if the current pass is to save bytes, and a row of successes saved none, or hardly any of a
 * large test case. A number may count what it deletes, so that the target draws something else
 * instead; or others would delete far more. Those go first. */
static bool is_idle(schedule *p, size_t size) {
    enum { STREAK_MAX = 8, LEAST_PART = 1024 };
    if (size < p->turn.streak_size && p->turn.streak_size - size > size / LEAST_PART) {
        p->turn.streak_size = size;
        p->turn.streak = 0;
    }
    return current(p)->saves_bytes && p->turn.streak >= STREAK_MAX;
}

static bool yields(const pass *p) {
    return p->how == STEP_RUN || (p->idle_share == 0 && p->idle_min > 0);
}

/* True if the current pass had too many misses: it waits until the passes that yield to no other
 * have no candidate left. */
static bool is_luckless(const schedule *p) {
    enum { MISSES_MAX = 24 };
    const pass *now = current(p);
    if (p->turn.has_won || !yields(now)) return false;
    if (now->how == STEP_RUN ? p->turn.misses <= MISSES_MAX
                             : record_at(p, p->at)->idle_calls <= now->idle_min)
        return false;
    for (size_t i = 0; i < p->count; i++) {
        const bool is_other = i != p->at && !yields(p->passes[p->ranked[i]]);
        if (is_other && !record_at(p, i)->is_clean) return true;
    }
    return false;
}

/* True if the current pass had its share of candidates without a success: it gains where a
 * reduction is hard and has taken many calls, and would cost more than all others where it is easy.
 * Of bytes of unknown meaning it may take them all. */
static bool is_spent(const schedule *p, const testcase *best) {
    const pass *now = current(p);
    if (now->idle_share == 0 || p->is_thorough || best->trace == TRACE_NONE) return false;
    const uint64_t share = p->made / now->idle_share;
    return record_at(p, p->at)->idle_calls >= (share > now->idle_min ? share : now->idle_min);
}

/* Sites without a candidate after which the caller may look at the clock: in a large file, each may
 * take as long as it takes to read it, and so may a pass that finds no site. */
enum { LOOKS_MAX = 1 << 12, LOOKS_OF_UNITS = 4, LOOKED_AT = 1 << 20 };

bool schedule_next(schedule *p, const testcase *best, const testcase *base, patch *edits) {
    for (size_t looks = 0; p->count > 0; looks++) {
        if (p->phase == SITE_NONE) look_for_slices(p, best);
        const pass *now = current(p);
        const testcase seen = slice_of(&p->slice, p->phase == SITE_ON_BASE ? base : best);
        if (p->phase != SITE_NONE) {
            p->site.by = step_search_next(&p->steps);
            if (p->site.by == 0) {
                p->hint = p->steps.good > 0 ? p->steps.good : 1;
                p->phase = SITE_NONE;
                continue;
            }
            patch_clear(edits);
            if (now->edit(&seen, &p->site, edits)) {
                if (p->slice.size > 0) patch_move(edits, p->slice.start);
                return true;
            }
            if (looks >= (best->draws == NULL ? LOOKS_OF_UNITS : LOOKS_MAX)) {
                patch_clear(edits);
                return true;
            }
            step_search_feedback(&p->steps, false);
        } else if (p->slice.size == 0 && (is_luckless(p) || is_idle(p, best->size))) {
            begin_pass(p, choose_next(p, best->size));
        } else if (!record_at(p, p->at)->is_clean && !is_spent(p, best) &&
                   (best->draws != NULL || pass_takes_units(now)) && now->next(&seen, &p->site)) {
            p->steps = step_search_begin(now->how, pass_limit(&seen, &p->site));
            p->steps.hint = p->hint;
            p->phase = SITE_ON_BEST;
        } else if (!end_pass(p, best)) {
            return false;
        } else if (best->draws == NULL && best->count >= LOOKED_AT) {
            patch_clear(edits);
            return true;
        }
    }
    return false;
}

bool schedule_rests(const schedule *p, const pass *which) {
    size_t i = 0;
    while (p->passes[i] != NULL && p->passes[i] != which) i++;
    return p->passes[i] != NULL && p->records[i].is_clean;
}

void schedule_count(schedule *p) {
    p->made++;
    record_now(p)->idle_calls++;
}

void schedule_feedback(schedule *p, bool success) {
    if (p->phase == SITE_NONE) return; /* a look at the clock */
    step_search_feedback(&p->steps, success);
    if (!success) {
        p->turn.misses++;
        return;
    }
    p->phase = SITE_ON_BASE;
    p->turn.has_won = true;
    p->turn.streak++;
    record_now(p)->idle_calls = 0;
    record_now(p)->wins++;
    for (size_t i = 0; i < p->count; i++)
        p->records[i].is_clean = false; /* each has a turn again */
}

static uint64_t next_most(const step_search *a) {
    enum { LINEAR = 4 };
    if (a->good == a->limit || a->bad == a->good + 1) return 0;
    if (a->bad > 0) return a->good + (a->bad - a->good) / 2;
    if (a->kind == STEP_RUN && a->good == 0) return smaller(a->hint, a->limit);
    if (a->kind == STEP_MOST && a->good < LINEAR) return a->good + 1;
    return a->good <= a->limit / 2 ? a->good * 2 : a->limit;
}

/* ---- STEP_VALUE, STEP_PAIR: the remaining value is limit - amount ---- */

enum { TRY_ALL, TRY_ONE, TRY_HALF, TRY_TWO, TRIES };

/* Return a value between one that is too low and one that is not. Average their counts of bits
 * first, then the values. */
static uint64_t middle(uint64_t low, uint64_t high) {
    const uint64_t low_bits = bits(low), high_bits = bits(high);
    if (high_bits <= low_bits + 1) return low + (high - low) / 2;
    return (UINT64_C(1) << ((low_bits + high_bits) / 2)) - 1;
}

/* Return the amount of a first try, or 0 if the limit makes it and all later ones useless. */
static uint64_t first_try(const step_search *a) {
    static const uint64_t least[TRIES] = {1, 2, 3, 5};
    const uint64_t amounts[TRIES] = {a->limit, 1, a->limit - a->limit / 2, 2};
    const bool is_left = a->tried < (a->kind == STEP_PAIR ? TRY_HALF : TRIES);
    return is_left && a->limit >= least[a->tried] ? amounts[a->tried] : 0;
}

/* The kinds of tries after the first success, and the next one after a failure and a success. */
enum { LEAP = 8 };
enum { PACE_BITS, PACE_HALF, PACE_LEAP, PACE_BISECT };
static const uint8_t next_pace[][2] = {{PACE_HALF, PACE_BITS},
                                       {PACE_LEAP, PACE_BISECT},
                                       {PACE_BISECT, PACE_LEAP},
                                       {PACE_BISECT, PACE_BISECT}};

/* Return the next amount. If good > 0, the value `high` succeeded; `low` is the bound below it. */
static uint64_t next_value(const step_search *a) {
    if (a->good == 0) return first_try(a);
    const uint64_t high = a->limit - a->good;
    const uint64_t low = a->bad == 0 ? 0 : a->limit - a->bad;
    if (high - low <= 1) return 0;
    if (a->pace == PACE_HALF && high / 2 > low) return a->limit - high / 2;
    if (a->pace == PACE_LEAP && a->good <= (a->bad - 1) / LEAP) return a->good * LEAP;
    return a->limit - middle(low, high);
}

uint64_t step_search_next(const step_search *a) {
    switch (a->kind) {
    case STEP_ALL: return a->good == 0 && a->bad == 0 ? a->limit : 0;
    case STEP_MOST:
    case STEP_RUN: return next_most(a);
    case STEP_VALUE:
    case STEP_PAIR: return next_value(a);
    }
    abort();
}

void step_search_feedback(step_search *a, bool success) {
    const uint64_t amount = step_search_next(a);
    const bool is_first = a->kind >= STEP_VALUE && a->good == 0;
    assert(amount > 0);
    if (!is_first) a->pace = next_pace[a->pace][success];
    if (is_first && success && a->tried == TRY_TWO) {
        a->bad = a->limit - a->limit / 2; /* TRY_HALF failed before */
        a->pace = PACE_LEAP;
    }
    if (success) {
        a->good = amount;
    } else if (is_first) {
        a->tried++; /* do not set `bad`: a smaller value may succeed, for values are not monotone */
    } else {
        a->bad = amount;
    }
}
