/* Which values of one draw fail, by as few runs as possible.
 *
 * The values of a draw are positions on an axis. A short axis is asked as a whole. Of a long one
 * the ends, the neighbours of the value at hand, hints and random positions are asked first. If
 * all of them fail, so may any. Else, on an ordered axis, the edges around the value are found by
 * doubling and bisecting: a range, perhaps in steps. If that contradicts an answer, the failing
 * positions, or the passing ones, may be few: they are listed. A statement is made only if it
 * agrees with every answer; else it says that some values fail. Questions are asked in groups,
 * which run in parallel. */
#include "explain_values.h"

#include "frng_expand.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 20,     /* random positions of a statement */
    STEP_MAX = 16,    /* largest step of a range */
    STEP_MEMBERS = 4, /* fewer are a set */
    INTERIOR_ALL = 64 /* positions of a range that are all asked */
};

typedef struct explorer {
    axis axis;
    const asker *asker;
    uint64_t *random;
    answers *known;
    bool is_spent; /* the budget is, or memory: nothing more is asked, and nothing is concluded */
} explorer;

/* ---- Answers ---- */

void answers_finish(answers *known) {
    free(known->list);
    *known = (answers){0};
}

/* Return the index of the first answer at a position or beyond it. */
static size_t find(const answers *known, uint64_t position) {
    size_t low = 0, high = known->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (known->list[middle].position < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_known(const answers *known, uint64_t position) {
    const size_t i = find(known, position);
    return i < known->count && known->list[i].position == position;
}

static bool add(answers *known, uint64_t position, bool fails) {
    if (known->count == known->capacity) {
        const size_t capacity = known->capacity > 0 ? 2 * known->capacity : 64;
        answer *larger = realloc(known->list, capacity * sizeof *larger);
        if (larger == NULL) return false;
        known->list = larger;
        known->capacity = capacity;
    }
    const size_t i = find(known, position);
    memmove(known->list + i + 1, known->list + i, (known->count - i) * sizeof *known->list);
    known->list[i] = (answer){position, fails};
    known->count++;
    return true;
}

/* True if a position is known to fail. */
static bool fails_at(const explorer *e, uint64_t position) {
    const size_t i = find(e->known, position);
    const bool has_answer = i < e->known->count && e->known->list[i].position == position;
    assert(has_answer || e->is_spent);
    return has_answer && e->known->list[i].fails;
}

/* ---- Asking ---- */

static statement range_of(uint64_t low, uint64_t high, uint64_t step) {
    return (statement){.kind = low == high ? STATEMENT_ONLY : STATEMENT_RANGE,
                       .low = low,
                       .high = high,
                       .step = step};
}

uint64_t explain_values_random(uint64_t *state, uint64_t n) { return frng__splitmix64(state) % n; }

uint64_t explain_values_random_upto(uint64_t *state, uint64_t last) {
    return explain_values_random(state, last < UINT64_MAX ? last + 1 : last);
}

/* Positions to ask. */
typedef struct wanted {
    uint64_t positions[EXPLAIN_VALUES_ASKED_MAX];
    size_t count;
} wanted;

static void ask_all(explorer *e, wanted *w) {
    bool fails[EXPLAIN_VALUES_ASKED_MAX];
    const size_t count = w->count;
    w->count = 0;
    if (count == 0 || e->is_spent) return;
    e->is_spent = !e->asker->ask(e->asker->context, w->positions, count, fails);
    for (size_t i = 0; i < count && !e->is_spent; i++)
        e->is_spent = !add(e->known, w->positions[i], fails[i]);
}

/* Want a position, unless it is known. Ask when there is no room for more. */
static void want(explorer *e, wanted *w, uint64_t position) {
    if (is_known(e->known, position)) return;
    for (size_t i = 0; i < w->count; i++) {
        if (w->positions[i] == position) return;
    }
    w->positions[w->count++] = position;
    if (w->count == EXPLAIN_VALUES_ASKED_MAX) ask_all(e, w);
}

/* True if a position fails; false once the budget is spent. */
static bool ask(explorer *e, uint64_t position) {
    wanted w = {.count = 0};
    want(e, &w, position);
    ask_all(e, &w);
    return fails_at(e, position);
}

/* Want the positions of a range: all if they are few, else some at random. */
static void want_among(explorer *e, wanted *w, statement range, unsigned samples) {
    const uint64_t last = (range.high - range.low) / range.step;
    for (uint64_t i = 0; last < INTERIOR_ALL && i <= last; i++)
        want(e, w, range.low + i * range.step);
    for (unsigned i = 0; last >= INTERIOR_ALL && i < samples && !e->is_spent; i++)
        want(e, w, range.low + explain_values_random_upto(e->random, last) * range.step);
}

/* Want positions at random distances from one, small and large ones. */
static void want_around(explorer *e, wanted *w, uint64_t position, unsigned samples) {
    for (unsigned i = 0; i < samples && !e->is_spent; i++) {
        const uint64_t most = UINT64_MAX >> explain_values_random(e->random, 64);
        const uint64_t by = 1 + explain_values_random(e->random, most);
        const bool is_up = explain_values_random(e->random, 2) > 0;
        const uint64_t room = is_up ? e->axis.last - position : position;
        if (by <= room) want(e, w, is_up ? position + by : position - by);
    }
}

/* ---- What statements say ---- */

/* Whether a position fails by a statement; SOME leaves that open. */
typedef enum expectation { EXPECT_PASS, EXPECT_FAIL, EXPECT_EITHER } expectation;

static bool has_value(const statement *s, uint64_t position) {
    for (size_t i = 0; i < s->value_count; i++) {
        if (s->values[i] == position) return true;
    }
    return false;
}

static bool is_in_range(const statement *s, uint64_t position) {
    return position >= s->low && position <= s->high && (position - s->low) % s->step == 0;
}

static expectation expect(const statement *s, uint64_t at, uint64_t position) {
    bool fails = false;
    switch (s->kind) {
    case STATEMENT_NONE:
    case STATEMENT_SOME:
    case STATEMENT_EQUAL: return EXPECT_EITHER;
    case STATEMENT_FIXED:
    case STATEMENT_ONLY: fails = position == at; break;
    case STATEMENT_ANY: fails = true; break;
    case STATEMENT_RANGE: fails = is_in_range(s, position); break;
    case STATEMENT_SET: fails = has_value(s, position); break;
    case STATEMENT_EXCEPT: fails = !has_value(s, position); break;
    }
    return fails ? EXPECT_FAIL : EXPECT_PASS;
}

bool explain_values_agrees(const statement *s, uint64_t at, const answer *a) {
    const expectation expected = expect(s, at, a->position);
    return expected == EXPECT_EITHER || (expected == EXPECT_FAIL) == a->fails;
}

static bool agrees_with_all(const explorer *e, const statement *s) {
    for (size_t i = 0; i < e->known->count; i++) {
        if (!explain_values_agrees(s, e->axis.at, &e->known->list[i])) return false;
    }
    return true;
}

static size_t count_failures(const explorer *e) {
    size_t count = 0;
    for (size_t i = 0; i < e->known->count; i++) count += e->known->list[i].fails ? 1 : 0;
    return count;
}

/* Put the known positions that fail, or those that pass, into a statement, if there is room. */
static bool list_values(const explorer *e, bool fails, statement *s) {
    s->value_count = 0;
    for (size_t i = 0; i < e->known->count; i++) {
        const answer *a = &e->known->list[i];
        if (a->fails != fails) continue;
        if (s->value_count == STATEMENT_VALUES_MAX) return false;
        s->values[s->value_count++] = a->position;
    }
    return true;
}

/* ---- Axes that are asked as a whole ---- */

/* Return the range from the first position that fails to the last, in steps of the distance of the
 * first two. */
static statement hull_of(const explorer *e) {
    uint64_t low = 0, high = 0, step = 0;
    bool is_first = true;
    for (size_t i = 0; i < e->known->count; i++) {
        const answer *a = &e->known->list[i];
        if (!a->fails) continue;
        if (is_first) low = a->position;
        if (!is_first && step == 0) step = a->position - low;
        high = a->position;
        is_first = false;
    }
    return range_of(low, high, step > 0 ? step : 1);
}

static statement classify(const explorer *e) {
    const size_t failures = count_failures(e), passes = e->known->count - failures;
    statement range = hull_of(e), listed = {.kind = STATEMENT_EXCEPT};
    const size_t members = (size_t)((range.high - range.low) / range.step) + 1;
    if (passes == 0) return (statement){.kind = STATEMENT_ANY};
    if (failures == 1) return (statement){.kind = STATEMENT_ONLY};
    if (e->axis.is_ordered && (range.step == 1 || members >= STEP_MEMBERS) &&
        agrees_with_all(e, &range))
        return range;
    if (passes <= failures && list_values(e, false, &listed)) return listed;
    listed.kind = STATEMENT_SET;
    if (list_values(e, true, &listed)) return listed;
    return (statement){.kind = STATEMENT_SOME};
}

static statement explore_all(explorer *e) {
    wanted w = {.count = 0};
    for (uint64_t i = 0; i <= e->axis.last; i++) want(e, &w, i);
    ask_all(e, &w);
    statement found = classify(e);
    found.is_exact = true;
    return found;
}

/* ---- Long axes ---- */

/* Return how far positions fail from `at` on, in steps of `step`, upwards or downwards: double the
 * distance until one passes, then bisect. */
static uint64_t find_edge(explorer *e, uint64_t step, bool is_up) {
    const uint64_t at = e->axis.at, most = (is_up ? e->axis.last - at : at) / step;
    uint64_t good = 0, bad = most, by = 1;
    bool is_bounded = false;
    while (!is_bounded && good < most) {
        const uint64_t next = by < most - good ? good + by : most;
        if (ask(e, is_up ? at + next * step : at - next * step)) {
            good = next;
            by *= 2;
        } else {
            bad = next;
            is_bounded = true;
        }
    }
    while (is_bounded && bad - good > 1) {
        const uint64_t next = good + (bad - good) / 2;
        *(ask(e, is_up ? at + next * step : at - next * step) ? &good : &bad) = next;
    }
    return is_up ? at + good * step : at - good * step;
}

/* Find the range of positions that fail around `at`, and ask for positions inside and outside. */
static statement find_range(explorer *e, uint64_t step) {
    const uint64_t last = e->axis.last;
    const uint64_t high = find_edge(e, step, true), low = find_edge(e, step, false);
    const statement range = range_of(low, high, step);
    wanted w = {.count = 0};
    want_among(e, &w, range, SAMPLES);
    if (step > 1) want_among(e, &w, range_of(low, high, 1), SAMPLES);
    if (low > 0) want_among(e, &w, range_of(0, low - 1, 1), SAMPLES / 4);
    if (high < last) want_among(e, &w, range_of(high + 1, last, 1), SAMPLES / 4);
    want_around(e, &w, low, SAMPLES / 4);
    want_around(e, &w, high, SAMPLES / 4);
    ask_all(e, &w);
    return range;
}

/* Ask for the neighbours of `at`. Return the distance of the nearest that fails; 0: none. */
static uint64_t find_step(explorer *e) {
    const uint64_t at = e->axis.at;
    wanted w = {.count = 0};
    for (uint64_t i = 1; i <= STEP_MAX; i++) {
        if (e->axis.last - at >= i) want(e, &w, at + i);
        if (at >= i) want(e, &w, at - i);
    }
    ask_all(e, &w);
    for (uint64_t i = 1; i <= STEP_MAX; i++) {
        const bool above = e->axis.last - at >= i && fails_at(e, at + i);
        const bool below = at >= i && fails_at(e, at - i);
        if (above || below) return i;
    }
    return 0;
}

/* List the known positions that fail, or those that pass, if they are few. Ask for their
 * neighbours and some positions at random, which may disagree. */
static statement find_few(explorer *e, bool fails) {
    wanted w = {.count = 0};
    statement s = {.kind = fails ? STATEMENT_SET : STATEMENT_EXCEPT};
    if (!list_values(e, fails, &s)) return (statement){.kind = STATEMENT_SOME};
    for (size_t i = 0; i < s.value_count; i++) {
        const uint64_t p = s.values[i];
        if (p > 0) want(e, &w, p - 1);
        if (p < e->axis.last) want(e, &w, p + 1);
    }
    want_among(e, &w, range_of(0, e->axis.last, 1), SAMPLES);
    ask_all(e, &w);
    return s;
}

/* Ask the extremes, the neighbours, the hints and some positions at random. */
static void sample(explorer *e) {
    const uint64_t at = e->axis.at, last = e->axis.last;
    wanted w = {.count = 0};
    for (size_t i = 0; i < e->axis.hint_count; i++) {
        if (e->axis.hints[i] <= last) want(e, &w, e->axis.hints[i]);
    }
    want(e, &w, 0);
    want(e, &w, last);
    want(e, &w, at > 0 ? at - 1 : 0);
    want(e, &w, at < last ? at + 1 : last);
    want_among(e, &w, range_of(0, last, 1), SAMPLES / 2);
    want_around(e, &w, at, SAMPLES / 2);
    ask_all(e, &w);
}

static statement explore_ordered(explorer *e) {
    statement range = find_range(e, 1);
    const bool is_alone = range.high == range.low;
    if (!is_alone && agrees_with_all(e, &range)) return range;
    const uint64_t step = find_step(e);
    if (step > 1) range = find_range(e, step);
    const uint64_t members = (range.high - range.low) / range.step + 1;
    const bool is_rule = (is_alone || step > 1) && (step < 2 || members >= STEP_MEMBERS);
    return is_rule && agrees_with_all(e, &range) ? range : (statement){.kind = STATEMENT_SOME};
}

/* Take an exception or two from all positions, or from none. */
static statement explore_few(explorer *e) {
    const statement exceptions = find_few(e, false), set = find_few(e, true);
    if (exceptions.kind != STATEMENT_SOME && agrees_with_all(e, &exceptions)) return exceptions;
    if (count_failures(e) == 1) return (statement){.kind = STATEMENT_ONLY};
    return agrees_with_all(e, &set) ? set : (statement){.kind = STATEMENT_SOME};
}

static statement explore_samples(explorer *e) {
    sample(e);
    if (count_failures(e) == e->known->count) return (statement){.kind = STATEMENT_ANY};
    statement found = {.kind = STATEMENT_SOME};
    if (e->axis.is_ordered) found = explore_ordered(e);
    return found.kind == STATEMENT_SOME ? explore_few(e) : found;
}

bool explain_values(const axis *l, const asker *a, uint64_t *random, answers *known,
                    statement *out) {
    explorer e = {.axis = *l, .asker = a, .random = random, .known = known};
    statement found = {.kind = STATEMENT_FIXED, .is_exact = true};
    assert(l->at <= l->last && known->count == 0);
    if (!add(known, l->at, true)) return false;
    if (l->last > 0) found = l->last < l->all_max ? explore_all(&e) : explore_samples(&e);
    if (e.is_spent) return false;
    found.tried = (uint32_t)(known->count - 1);
    found.failed = (uint32_t)(count_failures(&e) - 1);
    *out = found;
    return true;
}
