#include "schedule.h"

#include "patch.h"

#include <assert.h>

static const pass *current(const schedule *p) { return p->passes[p->order[p->at]]; }

/* Return the record of the pass at an index into `order`. */
static const pass_record *record_at(const schedule *p, size_t at) {
    return &p->records[p->order[at]];
}

static pass_record *record_now(schedule *p) { return &p->records[p->order[p->at]]; }

/* Give every pass a turn again. */
static void forget_clean(schedule *p) {
    for (size_t i = 0; i < p->count; i++) p->records[i].is_clean = false;
}

static void enter_phase(schedule *p, site_phase next) {
    assert(next != SITE_ON_BEST || p->phase == SITE_NONE);
    assert(next != SITE_ON_BASE || p->phase != SITE_NONE);
    p->phase = next;
}

static const pass_turn turn_begin = {.streak_size = SIZE_MAX};

void schedule_init(schedule *p, const pass *const *passes) {
    *p = (schedule){.passes = passes, .hint = 1, .turn = turn_begin};
    static const pass_cost costs[] = {PASS_CHEAP, PASS_COSTLY, PASS_LATE, PASS_LAST};
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
        for (size_t i = 0; passes[i] != NULL; i++) {
            assert(i < PASS_MAX);
            if (passes[i]->cost == costs[k]) p->order[p->count++] = (uint8_t)i;
        }
        if (costs[k] == PASS_CHEAP) p->cheap_count = p->next_costly = p->count;
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
    p->site = position_begin(p->passes[p->order[at]]);
    p->turn = turn_begin;
    enter_phase(p, SITE_NONE);
    p->hint = 1;
}

/* Put the winners of the ended round first in the next one, but not the pass that ran last. */
static void sort_winners(schedule *p, size_t last) {
    for (size_t i = 1; i < p->cheap_count; i++) {
        const uint8_t moved = p->order[i];
        size_t k = i;
        for (; k > 0 && record_at(p, k - 1)->wins < p->records[moved].wins; k--) {
            p->order[k] = p->order[k - 1];
        }
        p->order[k] = moved;
    }
    if (p->order[0] == last && p->cheap_count > 1) {
        p->order[0] = p->order[1];
        p->order[1] = (uint8_t)last;
    }
    for (size_t i = 0; i < p->count; i++) p->records[i].wins = 0;
}

/* True if the first `count` passes of the order are clean. */
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

/* Return the index into `order` of the next costly pass, or 0 when each has had its turn. */
static size_t next_costly(schedule *p) {
    const size_t at = p->next_costly;
    if (p->costly_done == p->late_first - p->cheap_count) { /* each has had its turn */
        p->costly_done = p->rounds = 0;
        return 0;
    }
    p->costly_done++;
    p->next_costly = at + 1 < p->late_first ? at + 1 : p->cheap_count;
    return at;
}

/* Return the index into `order` of the pass after the current one. */
static size_t choose_next(schedule *p, size_t size) {
    const size_t ended = p->order[p->at];
    if (are_clean(p, p->late_first)) {
        p->size = size;
        return p->at < p->late_first ? p->late_first : p->at + 1;
    }
    if (p->at < p->cheap_count) {
        if (p->at + 1 < p->cheap_count) return p->at + 1;
        if (!is_again(p, size)) return next_costly(p);
    } else {
        /* Of the costly passes, only a shorter test case gives the cheap ones new work. */
        const bool is_costly = p->at < p->late_first;
        if (is_costly && (!p->turn.has_won || size == p->size)) return next_costly(p);
        p->costly_done = p->rounds = 0;
        p->size = size;
    }
    sort_winners(p, ended);
    return 0;
}

/* End the current pass, which has no candidate left. False when no pass has any. */
static bool end_pass(schedule *p, size_t size) {
    if (!p->turn.has_won) record_now(p)->is_clean = true;
    if (p->unlikely == UNLIKELY_SKIPPED && are_clean(p, p->late_first)) {
        p->unlikely = UNLIKELY_TRIED;
        forget_clean(p);
        begin_pass(p, 0);
        return true;
    }
    if (are_clean(p, p->count)) return false;
    begin_pass(p, choose_next(p, size));
    return true;
}

bool schedule_others_are_clean(const schedule *p) {
    for (size_t i = 0; i < p->count; i++) {
        if (i != p->at && !record_at(p, i)->is_clean) return false;
    }
    return true;
}

static void end_site(schedule *p) {
    p->hint = p->steps.good > 0 ? p->steps.good : 1;
    enter_phase(p, SITE_NONE);
}

/* True if the current pass has to give way to the others, for which a shorter test case is new
 * work. */
static bool gives_way(const schedule *p, size_t size) {
    return p->turn.has_won && p->at >= p->late_first && size < p->size;
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

/* True if a STEP_RUN pass had too many rejected candidates in a row: it waits until the other
 * passes have no candidate left. */
static bool is_luckless(const schedule *p) {
    enum { MISSES_MAX = 24 };
    if (p->turn.has_won || p->turn.misses <= MISSES_MAX || current(p)->how != STEP_RUN)
        return false;
    for (size_t i = 0; i < p->count; i++) {
        const bool is_other = i != p->at && p->passes[p->order[i]]->how != STEP_RUN;
        if (is_other && !record_at(p, i)->is_clean) return true;
    }
    return false;
}

/* True if the current pass had its share of candidates without a success: it gains where a
 * reduction is hard and has taken many calls, and would cost more than all others where it is easy.
 */
static bool is_spent(const schedule *p) {
    const pass *now = current(p);
    if (now->idle_share == 0 || p->is_thorough) return false;
    const uint64_t share = p->made / now->idle_share;
    return record_at(p, p->at)->idle_calls >= (share > now->idle_min ? share : now->idle_min);
}

bool schedule_next(schedule *p, const testcase *best, const testcase *base, patch *edits) {
    while (p->count > 0) {
        const pass *now = current(p);
        if (p->phase != SITE_NONE) {
            p->site.by = step_search_next(&p->steps);
            if (p->site.by == 0) {
                end_site(p);
                continue;
            }
            patch_clear(edits);
            if (now->edit(p->phase == SITE_ON_BASE ? base : best, &p->site, edits)) return true;
            step_search_feedback(&p->steps, false);
        } else if (schedule_is_external(p)) {
            return false;
        } else if (is_luckless(p) || is_idle(p, best->size) || gives_way(p, best->size)) {
            begin_pass(p, choose_next(p, best->size));
        } else if (!record_at(p, p->at)->is_clean && !is_spent(p) && now->next(best, &p->site)) {
            p->steps = step_search_begin(now->how, pass_limit(best, &p->site));
            p->steps.hint = p->hint;
            enter_phase(p, SITE_ON_BEST);
        } else if (!end_pass(p, best->size)) {
            return false;
        }
    }
    return false;
}

void schedule_count(schedule *p) {
    p->made++;
    record_now(p)->idle_calls++;
}

void schedule_skip(schedule *p) {
    assert(p->unlikely != UNLIKELY_TRIED);
    p->unlikely = UNLIKELY_SKIPPED;
    p->made++;
}

void schedule_feedback(schedule *p, bool success) {
    step_search_feedback(&p->steps, success);
    if (!success) {
        p->turn.misses++;
        return;
    }
    enter_phase(p, SITE_ON_BASE);
    p->turn.has_won = true;
    p->turn.streak++;
    record_now(p)->idle_calls = 0;
    record_now(p)->wins++;
    p->unlikely = UNLIKELY_UNSEEN;
    forget_clean(p);
}

bool schedule_is_external(const schedule *p) {
    return p->count > 0 && current(p)->next == NULL && !record_at(p, p->at)->is_clean;
}

void schedule_external_done(schedule *p, bool success, size_t size) {
    assert(schedule_is_external(p));
    if (success) {
        p->turn.has_won = true;
        record_now(p)->wins++;
        forget_clean(p);
    }
    end_pass(p, size);
}

void schedule_external_leave(schedule *p, size_t size) {
    assert(schedule_is_external(p) && !schedule_others_are_clean(p));
    begin_pass(p, choose_next(p, size));
}
