/* explain.c: what each draw of the result means: which other values of it fail as the result does.
 *
 * The result is run again, with its draws recorded and one of them changed. The values of a draw
 * are positions on an axis, in their order. A short axis is asked as a whole. On a longer one the
 * ends, the neighbours of the value at hand, values of other draws and random ones are asked first.
 * If all of them fail, so may any. Else, on an ordered axis, the edges around the value are found
 * by doubling and bisecting: a range, perhaps in steps. If an answer contradicts that, the failing
 * positions, or the passing ones, may be few: they are listed. A statement agrees with every
 * answer; else it says that some values fail.
 *
 * Questions are asked in groups, through the reducer's client and its pool, each as a candidate
 * set of its own, so that their answers come in their order.
 *
 * Two draws that fail with the same value only may have to be equal: then pairs of values fail just
 * where they are equal, wherever that is. No other relations are looked for: "less than" is seldom
 * found, for a reduction ends at the boundary, where a range says the same.
 *
 * Last, all draws that may have any value get random ones at once: they may depend on each
 * other. */
#include "bytes.h"
#include "clock.h"
#include "event.h"
#include "frng_expand.h"
#include "pool.h"
#include "reduction.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MAX = 64,            /* bytes of an input without draws */
    TOGETHER = 20,             /* runs with all free draws at random */
    RUN_MAX_NS = 50 * 1000000, /* longest run, unless an option asks */
    QUESTIONS_MAX = 64,        /* questions asked at a time */
    ALL_MAX = 256,             /* positions of the longest axis that is asked as a whole */
    SAMPLES = 20,              /* random positions of a statement */
    STEP_MAX = 16,             /* largest step of a range */
    STEP_MEMBERS = 4,          /* fewer are a set */
    INTERIOR_ALL = 64,         /* positions of a range that are all asked */
    LETTERS = 256,             /* letters of an alphabet that are remembered */
    HINTS_MAX = 8,             /* values of other draws that a draw is asked first */
    OTHERS_MAX = 256,          /* draws that a draw is compared with */
    PAIRS_ALL = 1024,          /* pairs of values that are all asked */
    PAIRS_OF_OTHER = 12,       /* values of the other draw in a sample of pairs */
    PAIRS_TOGETHER = 32        /* pairs asked at a time */
};

/* A draw of the result. The statement is in positions of its axis. */
typedef struct explored {
    axis axis;
    uint64_t start; /* in the entropy */
    uint64_t moved; /* its position in the question that is written */
    statement statement;
} explored;

typedef struct answer {
    uint64_t position;
    bool fails;
} answer;

/* A draw moved to another position. */
typedef struct move {
    size_t draw;
    uint64_t to;
} move;

/* Positions of a draw to ask. */
typedef struct wanted {
    move moves[QUESTIONS_MAX];
    size_t count;
} wanted;

typedef struct explainer {
    reduction *r;
    explanation *out;
    testcase base; /* the result, with the draws that it made */
    candidate_form form;
    explored *draws; /* one for each draw; owned */
    uint64_t runs_before;
    uint64_t random;
    bool looks; /* failures are rerun, to see their sites */

    size_t at;          /* the draw whose values are asked */
    answer *known;      /* answers about it, by position; owned */
    size_t known_count; /* at least one, of its own position */
    bool is_spent;      /* the budget is, or memory: nothing is asked or concluded any more */
    uint16_t letters[LETTERS]; /* that runs showed for its picks: 0, or the letter plus 1 */
} explainer;

/* ---- The values of a draw in their order ---- */

/* Return the rank of a position of draw i. */
static uint64_t rank_at(const explainer *e, size_t i, uint64_t at) {
    return draw_rank_at(&e->base.draws[i], &e->draws[i].axis, at);
}

/* Find the position of draw i whose value is that of a position of another draw. */
static bool same_position(const explainer *e, size_t i, size_t other, uint64_t other_at,
                          uint64_t *same) {
    const axis *own = &e->draws[i].axis, *o = &e->draws[other].axis;
    const uint64_t key = o->first + other_at;
    *same = key - own->first;
    return own->order == o->order && own->order != ORDER_NONE && key >= own->first &&
           *same <= own->last;
}

/* ---- Questions: does the result fail with some draws moved? ---- */

static uint64_t runs_made(const explainer *e) { return e->r->client.runs - e->runs_before; }

/* True if one more question fits the budget beside those in flight. A failure whose site a run
 * hides costs another run. */
static bool has_budget(const explainer *e, size_t flying) {
    const uint64_t cost = e->looks ? 2 : 1;
    return client_is_running(&e->r->client) &&
           runs_made(e) + cost * (flying + 1) <= e->r->config->explain.calls_max;
}

/* Return how many more bytes a draw takes with another rank, if any. */
static uint64_t growth_of(const draw *d, uint64_t rank) {
    uint8_t bytes[DRAW_BYTES_MAX];
    const unsigned was = draw_size(d), is = draw_encode(d, rank, bytes);
    return is > was ? is - was : 0;
}

/* Submit the result with some draws moved. False if it does not fit a candidate set. */
static bool submit(explainer *e, const move *moves, size_t count) {
    candidate_set *set = pool_candidate_set(e->r->client.pool);
    const testcase *t = &e->base;
    const uint64_t most = (t->count + 1) * FRNG_CHOICE_MAX;
    const uint64_t chosen = t->size + most + DRAW_BYTES_MAX; /* of what the target writes */
    if (most + chosen > set->bytes_max) return false;
    uint8_t *to = set->bytes;
    set->form = e->form;
    set->chosen_max = e->form == CANDIDATE_CHOICES ? t->size : 0;
    for (size_t k = 0; k < count; k++) e->draws[moves[k].draw].moved = moves[k].to;
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        const uint64_t rank = rank_at(e, i, e->draws[i].moved);
        if (e->form == CANDIDATE_CHOICES && rank != d->rank) set->chosen_max += growth_of(d, rank);
        to += draw_write(d, e->form, rank, true, to);
        e->draws[i].moved = e->draws[i].axis.at;
    }
    if (e->form == CANDIDATE_CHOICES && t->has_run_out) to += choices_write_end(to);
    set->ends[set->count++] = (uint64_t)(to - set->bytes);
    pool_submit_candidate_set(e->r->client.pool, set, e->r->loop.purpose);
    return true;
}

/* Note the letter of a record of the draw that is explored. */
static void note_letter(explainer *e, const frng_trace_record *r) {
    const uint32_t pick = (uint32_t)r->u.draw.value;
    if (r->kind == FRNG_LETTER && r->start == e->draws[e->at].start && pick < LETTERS)
        e->letters[pick] = (uint16_t)(1 + (uint8_t)(r->u.draw.value >> 32));
}

/* Take the answer to a question: whether it failed as the result does. False if there is none. */
static bool take_answer(explainer *e, const run_result *run, const candidate_set *set,
                        bool *fails) {
    const bool is_chosen = set->form == CANDIDATE_CHOICES;
    if (run->ran == 0 || (is_chosen && !set->can_choose)) return false;
    for (uint64_t i = 0; i < set->record_count; i++) note_letter(e, &set->records[i]);
    e->r->has_looked = false;
    *fails = run->last.verdict != VERDICT_PASS;
    if (*fails && is_chosen) {
        *fails = set->chosen_size != OUTCOME_DRAWN_UNKNOWN &&
                 accept_is_alike(e->r, run, candidate_set_chosen(set), set->chosen_size);
    } else if (*fails) {
        *fails = accept_is_alike(e->r, run, set->bytes, candidate_set_size(set, 0));
    }
    e->looks |= e->r->has_looked;
    return true;
}

/* Ask so many questions, each of which moves the next `each` draws. Answers come in their order.
 * False once the budget is spent. */
static bool ask(explainer *e, const move *moves, size_t each, size_t count, bool *fails) {
    pool *workers = e->r->client.pool;
    size_t sent = 0;
    for (size_t answered = 0; answered < count;) {
        while (sent < count && has_budget(e, sent - answered) && pool_has_room(workers) &&
               submit(e, moves + sent * each, each))
            sent++;
        const bool is_stuck = !has_budget(e, 0) || pool_has_room(workers); /* or it is too large */
        if (sent == answered && is_stuck) return false;
        batch runs;
        const run_result *run = client_wait(&e->r->client, &runs);
        if (run == NULL && !client_is_running(&e->r->client)) return false;
        if (run == NULL) continue;
        if (!take_answer(e, run, runs.candidates, &fails[answered++])) return false;
        if (e->r->has_looked) sent = answered; /* what was in flight is cancelled */
    }
    return true;
}

/* ---- The result, and where its draws are ---- */

/* Find the record and the start of each draw. */
static void place_draws(explainer *e) {
    const explanation *out = e->out;
    const frng_trace_record *r = out->records, *end = r + out->record_count;
    uint64_t at = 0;
    for (size_t i = 0; i < e->base.count; i++) {
        explained_draw *to = &out->draws[i];
        while (r < end && (r->kind >= FRNG_TRACE_STEP || r->start + r->taken <= at)) r++;
        e->draws[i].start = at;
        e->draws[i].moved = e->draws[i].axis.at;
        to->is_part = e->base.draws[i].kind == FRNG_BYTES;
        to->is_index = e->base.draws[i].is_by_index;
        to->record = (frng_trace_record){.start = at, .taken = 1, .kind = FRNG_BYTES, .width = 1};
        to->record.u.draw.max = UINT8_MAX;
        if (!to->is_part && r < end) to->record = *r;
        if (to->is_part || to->is_index || r == end)
            to->record.u.draw.value = e->base.draws[i].rank;
        at += to->record.taken;
    }
}

/* Run the result once more, and take the draws that it makes. False if it does not fail. */
static bool run_result_again(explainer *e, const testcase *result) {
    explanation *out = e->out;
    const bool is_whole = e->form == CANDIDATE_CHOICES;
    batch runs;
    const run_result *run = reduction_run(e->r, result, e->form, &runs);
    if (run == NULL) return false;
    const candidate_set *set = runs.candidates;
    if (is_whole && (set->chosen_size != result->size ||
                     memcmp(candidate_set_chosen(set), result->bytes, result->size) != 0))
        return false;
    if (!accept_testcase(e->r, set, result->bytes, result->size, result->size, &e->base))
        return false;
    const size_t count = e->r->distrusts ? 0 : set->record_count;
    out->records = calloc(count + 1, sizeof *out->records);
    if (out->records == NULL) return false;
    memcpy(out->records, set->records, count * sizeof *out->records);
    out->record_count = count;
    if (is_whole && e->base.trace != TRACE_WHOLE) return false; /* bytes are no choices */
    e->base.has_run_out = is_whole && set->has_run_out;
    return accept_is_alike(e->r, run, result->bytes, result->size);
}

/* ---- The answers about a draw ---- */

static const axis *axis_at(const explainer *e) { return &e->draws[e->at].axis; }

/* Return a number in 0..n - 1, at random. n is not 0. */
static uint64_t random_below(explainer *e, uint64_t n) { return frng__splitmix64(&e->random) % n; }

/* The same in 0..last; of UINT64_MAX + 1 numbers, the last one never comes. */
static uint64_t random_upto(explainer *e, uint64_t last) {
    return random_below(e, last < UINT64_MAX ? last + 1 : last);
}

/* Return the answer about a position, or NULL. */
static const answer *find_answer(const explainer *e, uint64_t where) {
    for (size_t i = 0; i < e->known_count; i++) {
        if (e->known[i].position == where) return &e->known[i];
    }
    return NULL;
}

static bool add_answer(explainer *e, uint64_t where, bool fails) {
    answer *longer = reallocarray(e->known, e->known_count + 1, sizeof *longer);
    if (longer == NULL) return false;
    size_t i = e->known_count++;
    for (; i > 0 && longer[i - 1].position > where; i--) longer[i] = longer[i - 1];
    longer[i] = (answer){where, fails};
    e->known = longer;
    return true;
}

/* True if a position is known to fail. */
static bool fails_at(const explainer *e, uint64_t where) {
    const answer *a = find_answer(e, where);
    assert(a != NULL || e->is_spent);
    return a != NULL && a->fails;
}

static void ask_all(explainer *e, wanted *w) {
    bool fails[QUESTIONS_MAX];
    if (!e->is_spent) e->is_spent = !ask(e, w->moves, 1, w->count, fails);
    for (size_t i = 0; i < w->count && !e->is_spent; i++)
        e->is_spent = !add_answer(e, w->moves[i].to, fails[i]);
    w->count = 0;
}

/* Want a position, unless it is known. Ask when there is no room for more. */
static void want(explainer *e, wanted *w, uint64_t where) {
    if (find_answer(e, where) != NULL) return;
    for (size_t i = 0; i < w->count; i++) {
        if (w->moves[i].to == where) return;
    }
    w->moves[w->count++] = (move){e->at, where};
    if (w->count == QUESTIONS_MAX) ask_all(e, w);
}

/* True if a position fails; false once the budget is spent. */
static bool ask_one(explainer *e, uint64_t where) {
    wanted w = {.count = 0};
    want(e, &w, where);
    ask_all(e, &w);
    return fails_at(e, where);
}

static statement range_from(uint64_t low, uint64_t high, uint64_t step) {
    return (statement){.kind = low == high ? STATEMENT_ONLY : STATEMENT_RANGE,
                       .low = low,
                       .high = high,
                       .step = step};
}

/* Want the positions of a range: all if they are few, else some at random. */
static void want_among(explainer *e, wanted *w, statement range, unsigned samples) {
    const uint64_t last = (range.high - range.low) / range.step;
    for (uint64_t i = 0; last < INTERIOR_ALL && i <= last; i++)
        want(e, w, range.low + i * range.step);
    for (unsigned i = 0; last >= INTERIOR_ALL && i < samples && !e->is_spent; i++)
        want(e, w, range.low + random_upto(e, last) * range.step);
}

/* Want positions at random distances from one, small and large ones. */
static void want_around(explainer *e, wanted *w, uint64_t where, unsigned samples) {
    for (unsigned i = 0; i < samples && !e->is_spent; i++) {
        const uint64_t most = UINT64_MAX >> random_below(e, 64);
        const uint64_t by = 1 + random_below(e, most);
        const bool is_up = random_below(e, 2) > 0;
        const uint64_t room = is_up ? axis_at(e)->last - where : where;
        if (by <= room) want(e, w, is_up ? where + by : where - by);
    }
}

/* ---- What statements say ---- */

/* True if a position fails by a statement. */
static bool is_stated(const statement *s, uint64_t own, uint64_t where) {
    bool is_listed = false;
    for (size_t i = 0; i < s->value_count; i++) is_listed |= s->values[i] == where;
    if (s->kind == STATEMENT_ANY) return true;
    if (s->kind == STATEMENT_RANGE)
        return where >= s->low && where <= s->high && (where - s->low) % s->step == 0;
    if (s->kind == STATEMENT_SET || s->kind == STATEMENT_EXCEPT)
        return is_listed == (s->kind == STATEMENT_SET);
    return where == own;
}

static bool agrees_with_all(const explainer *e, const statement *s) {
    for (size_t i = 0; i < e->known_count; i++) {
        const answer *a = &e->known[i];
        if (is_stated(s, axis_at(e)->at, a->position) != a->fails) return false;
    }
    return true;
}

static size_t count_failures(const explainer *e) {
    size_t count = 0;
    for (size_t i = 0; i < e->known_count; i++) count += e->known[i].fails;
    return count;
}

/* Put the known positions that fail, or those that pass, into a statement, if there is room. */
static bool list_values(const explainer *e, bool fails, statement *s) {
    s->value_count = 0;
    for (size_t i = 0; i < e->known_count; i++) {
        const answer *a = &e->known[i];
        if (a->fails != fails) continue;
        if (s->value_count == STATEMENT_VALUES_MAX) return false;
        s->values[s->value_count++] = a->position;
    }
    return true;
}

/* ---- Axes that are asked as a whole ---- */

/* Return the range from the first position that fails to the last, in steps of the distance of the
 * first two. */
static statement hull_of(const explainer *e) {
    uint64_t low = 0, high = 0, step = 1;
    size_t seen = 0;
    for (size_t i = 0; i < e->known_count; i++) {
        const answer *a = &e->known[i];
        if (!a->fails) continue;
        if (seen == 0) low = a->position;
        if (seen++ == 1) step = a->position - low;
        high = a->position;
    }
    return range_from(low, high, step);
}

static statement classify(const explainer *e) {
    const size_t failures = count_failures(e), passes = e->known_count - failures;
    statement range = hull_of(e), listed = {.kind = STATEMENT_EXCEPT};
    const size_t members = (size_t)((range.high - range.low) / range.step) + 1;
    if (passes == 0) return (statement){.kind = STATEMENT_ANY};
    if (failures == 1) return (statement){.kind = STATEMENT_ONLY};
    if (axis_at(e)->is_ordered && (range.step == 1 || members >= STEP_MEMBERS) &&
        agrees_with_all(e, &range))
        return range;
    if (passes <= failures && list_values(e, false, &listed)) return listed;
    listed.kind = STATEMENT_SET;
    if (list_values(e, true, &listed)) return listed;
    return (statement){.kind = STATEMENT_SOME};
}

static statement explore_all(explainer *e) {
    wanted w = {.count = 0};
    for (uint64_t i = 0; i <= axis_at(e)->last; i++) want(e, &w, i);
    ask_all(e, &w);
    statement found = classify(e);
    found.is_exact = true;
    return found;
}

/* ---- Long axes ---- */

/* Return how far positions fail from `at` on, in steps of `step`, upwards or downwards: double the
 * distance until one passes, then bisect. */
static uint64_t find_edge(explainer *e, uint64_t step, bool is_up) {
    const uint64_t at = axis_at(e)->at, most = (is_up ? axis_at(e)->last - at : at) / step;
    uint64_t good = 0, bad = most, by = 1;
    for (bool is_bounded = false; is_bounded ? bad - good > 1 : good < most; by *= 2) {
        const uint64_t farther = by < most - good ? good + by : most;
        const uint64_t next = is_bounded ? good + (bad - good) / 2 : farther;
        const bool fails = ask_one(e, is_up ? at + next * step : at - next * step);
        *(fails ? &good : &bad) = next;
        is_bounded |= !fails;
    }
    return is_up ? at + good * step : at - good * step;
}

/* Find the range of positions that fail around `at`, and ask for positions inside and outside. */
static statement find_range(explainer *e, uint64_t step) {
    const uint64_t last = axis_at(e)->last;
    const uint64_t high = find_edge(e, step, true), low = find_edge(e, step, false);
    const statement range = range_from(low, high, step);
    wanted w = {.count = 0};
    want_among(e, &w, range, SAMPLES);
    if (step > 1) want_among(e, &w, range_from(low, high, 1), SAMPLES);
    if (low > 0) want_among(e, &w, range_from(0, low - 1, 1), SAMPLES / 4);
    if (high < last) want_among(e, &w, range_from(high + 1, last, 1), SAMPLES / 4);
    want_around(e, &w, low, SAMPLES / 4);
    want_around(e, &w, high, SAMPLES / 4);
    ask_all(e, &w);
    return range;
}

/* Ask for the neighbours of `at`. Return the distance of the nearest that fails; 0: none. */
static uint64_t find_step(explainer *e) {
    const uint64_t at = axis_at(e)->at;
    wanted w = {.count = 0};
    for (uint64_t i = 1; i <= STEP_MAX; i++) {
        if (axis_at(e)->last - at >= i) want(e, &w, at + i);
        if (at >= i) want(e, &w, at - i);
    }
    ask_all(e, &w);
    for (uint64_t i = 1; i <= STEP_MAX; i++) {
        const bool above = axis_at(e)->last - at >= i && fails_at(e, at + i);
        const bool below = at >= i && fails_at(e, at - i);
        if (above || below) return i;
    }
    return 0;
}

/* List the known positions that fail, or those that pass, if they are few. Ask for their
 * neighbours and some positions at random, which may disagree. */
static statement find_few(explainer *e, bool fails) {
    wanted w = {.count = 0};
    statement s = {.kind = fails ? STATEMENT_SET : STATEMENT_EXCEPT};
    if (!list_values(e, fails, &s)) return (statement){.kind = STATEMENT_SOME};
    for (size_t i = 0; i < s.value_count; i++) {
        const uint64_t p = s.values[i];
        if (p > 0) want(e, &w, p - 1);
        if (p < axis_at(e)->last) want(e, &w, p + 1);
    }
    want_among(e, &w, range_from(0, axis_at(e)->last, 1), SAMPLES);
    ask_all(e, &w);
    return s;
}

/* Want the positions that the nearest other draws have. */
static void want_values_of_others(explainer *e, wanted *w) {
    uint64_t hints[HINTS_MAX];
    const size_t count = e->base.count;
    size_t used = 0;
    for (size_t by = 1; by < count && by <= OTHERS_MAX && used < HINTS_MAX; by++) {
        const size_t other = (e->at + count - by) % count;
        uint64_t same;
        bool is_new = same_position(e, e->at, other, e->draws[other].axis.at, &same);
        for (size_t k = 0; k < used; k++) is_new &= hints[k] != same;
        if (!is_new) continue;
        hints[used++] = same;
        want(e, w, same);
    }
}

static statement explore_ordered(explainer *e) {
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
static statement explore_few(explainer *e) {
    const statement exceptions = find_few(e, false), set = find_few(e, true);
    if (exceptions.kind != STATEMENT_SOME && agrees_with_all(e, &exceptions)) return exceptions;
    if (count_failures(e) == 1) return (statement){.kind = STATEMENT_ONLY};
    return agrees_with_all(e, &set) ? set : (statement){.kind = STATEMENT_SOME};
}

/* Ask the extremes, the neighbours, values of other draws and some positions at random. If some
 * pass, look for a rule. */
static statement explore_samples(explainer *e) {
    const uint64_t at = axis_at(e)->at, last = axis_at(e)->last;
    wanted w = {.count = 0};
    want_values_of_others(e, &w);
    want(e, &w, 0);
    want(e, &w, last);
    want(e, &w, at > 0 ? at - 1 : 0);
    want(e, &w, at < last ? at + 1 : last);
    want_among(e, &w, range_from(0, last, 1), SAMPLES / 2);
    want_around(e, &w, at, SAMPLES / 2);
    ask_all(e, &w);
    if (count_failures(e) == e->known_count) return (statement){.kind = STATEMENT_ANY};
    statement found = {.kind = STATEMENT_SOME};
    if (axis_at(e)->is_ordered) found = explore_ordered(e);
    return found.kind == STATEMENT_SOME ? explore_few(e) : found;
}

/* Make the statement of a draw. False if the budget is spent. */
static bool explore(explainer *e, size_t i, uint64_t all_max) {
    const axis *line = &e->draws[i].axis;
    statement found = {.kind = STATEMENT_FIXED, .is_exact = true};
    e->at = i;
    e->known_count = 0;
    memset(e->letters, 0, sizeof e->letters);
    note_letter(e, &e->out->draws[i].record);
    e->is_spent = !add_answer(e, line->at, true);
    if (line->last > 0 && !e->is_spent)
        found = line->last < all_max ? explore_all(e) : explore_samples(e);
    if (e->is_spent) return false;
    found.tried = (uint32_t)(e->known_count - 1);
    found.failed = (uint32_t)(count_failures(e) - 1);
    e->draws[i].statement = found;
    return true;
}

/* ---- Draws that must be equal ---- */

/* Pairs of positions to ask, and whether all asked so far failed just where they are equal. */
typedef struct pairs {
    explainer *e;
    size_t draw, other;
    move moves[2 * PAIRS_TOGETHER];
    size_t count;
    bool agree, is_spent;
} pairs;

static void ask_pairs(pairs *p) {
    bool fails[PAIRS_TOGETHER];
    if (p->agree && !p->is_spent) p->is_spent = !ask(p->e, p->moves, 2, p->count, fails);
    for (size_t i = 0; i < p->count && p->agree && !p->is_spent; i++) {
        uint64_t same;
        const move *m = &p->moves[2 * i];
        const bool exists = same_position(p->e, p->draw, p->other, m[1].to, &same);
        p->agree = fails[i] == (exists && m[0].to == same);
    }
    p->count = 0;
}

static void want_pair(pairs *p, uint64_t to, uint64_t other_to) {
    p->moves[2 * p->count] = (move){p->draw, to};
    p->moves[2 * p->count + 1] = (move){p->other, other_to};
    if (++p->count == PAIRS_TOGETHER) ask_pairs(p);
}

/* Want pairs of a value of the other draw: with itself, its neighbours, the ends and another. */
static void want_pairs_of(pairs *p, uint64_t other_to) {
    const uint64_t last = p->e->draws[p->draw].axis.last;
    uint64_t same;
    want_pair(p, 0, other_to);
    want_pair(p, last, other_to);
    want_pair(p, random_upto(p->e, last), other_to);
    if (!same_position(p->e, p->draw, p->other, other_to, &same)) return;
    want_pair(p, same, other_to);
    if (same > 0) want_pair(p, same - 1, other_to);
    if (same < last) want_pair(p, same + 1, other_to);
}

/* Say that a draw must be equal to another one, if pairs of values fail just where they are equal:
 * all pairs if they are few. False once the budget is spent. */
static bool relate(explainer *e, size_t i, size_t other) {
    const uint64_t last = e->draws[i].axis.last, most = e->draws[other].axis.last;
    const bool is_exact =
        most < PAIRS_ALL && last < PAIRS_ALL && (most + 1) * (last + 1) <= PAIRS_ALL;
    const uint64_t ends[] = {0, last / 2, last};
    pairs p = {.e = e, .draw = i, .other = other, .agree = true};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) { /* most draws differ here */
        uint64_t same;
        if (same_position(e, other, i, ends[k], &same)) want_pair(&p, ends[k], same);
    }
    ask_pairs(&p);
    for (uint64_t o = 0; is_exact && o <= most && p.agree; o++) {
        for (uint64_t k = 0; k <= last; k++) want_pair(&p, k, o);
    }
    for (unsigned k = 0; !is_exact && k < PAIRS_OF_OTHER && p.agree; k++) {
        uint64_t o = random_upto(e, most);
        if (k % 2 == 0) o >>= random_below(e, 64);
        want_pairs_of(&p, k == 0 ? 0 : k == 1 ? most : o);
    }
    ask_pairs(&p);
    if (!p.agree || p.is_spent) return !p.is_spent;
    statement *s = &e->draws[i].statement;
    *s = (statement){STATEMENT_EQUAL, is_exact, .other = other, .tried = s->tried};
    return true;
}

/* Look for a draw that each draw must be equal to, among those that fail with the same value only,
 * the nearest first. False once the budget is spent. */
static bool find_equal_draws(explainer *e) {
    enum { PARTNERS_MAX = 4 };
    const size_t count = e->base.count;
    for (size_t i = 0; i < count; i++) {
        unsigned partners = 0;
        if (e->draws[i].statement.kind != STATEMENT_ONLY) continue;
        for (size_t by = 1; by < count && by <= OTHERS_MAX && partners < PARTNERS_MAX; by++) {
            const size_t other = (i + count - by) % count;
            const statement_kind kind = e->draws[other].statement.kind;
            uint64_t same;
            if (kind != STATEMENT_ONLY && kind != STATEMENT_EQUAL) continue;
            if (!same_position(e, i, other, e->draws[other].axis.at, &same)) continue;
            if (same != e->draws[i].axis.at) continue;
            partners++;
            if (!relate(e, i, other)) return false;
            if (e->draws[i].statement.kind == STATEMENT_EQUAL) break;
        }
    }
    return true;
}

/* ---- Statements ---- */

/* Return the length of the longest axes of which all positions are to be asked: so that this takes
 * no more than a part of the budget. */
static uint64_t all_max_of(const explainer *e) {
    const uint64_t most = e->r->config->explain.calls_max / 2;
    uint64_t all_max = ALL_MAX, runs;
    do {
        runs = 0;
        for (size_t i = 0; i < e->base.count; i++) {
            const uint64_t last = e->draws[i].axis.last;
            if (last < all_max) runs += last;
        }
        if (runs > most) all_max /= 4;
    } while (runs > most && all_max > 1);
    return all_max;
}

/* Return a position as the records of a trace have it. That of a letter may lack the letter. */
static uint64_t recorded(const explainer *e, size_t i, uint64_t at) {
    draw d = e->base.draws[i];
    d.rank = rank_at(e, i, at);
    const uint64_t value = draw_is_number(&d) ? draw_value(&d) : draw_number(&d, d.rank);
    if (e->base.draws[i].kind != FRNG_LETTER || value >= LETTERS) return value;
    const uint16_t letter = e->letters[value];
    return letter == 0 ? value : value | (uint64_t)(letter - 1) << 32 | EXPLANATION_LETTER_KNOWN;
}

/* Make the statement of a draw, with values in place of positions. */
static void conclude_draw(explainer *e, size_t i) {
    statement *s = &e->out->draws[i].statement;
    *s = e->draws[i].statement;
    s->low = recorded(e, i, s->low);
    s->high = recorded(e, i, s->high);
    for (size_t j = 0; j < s->value_count; j++) s->values[j] = recorded(e, i, s->values[j]);
}

/* Run with all free draws at random. */
static bool try_together(explainer *e) {
    explanation *out = e->out;
    move *moves = calloc(out->any_count + 1, sizeof *moves);
    bool ok = moves != NULL, fails = false;
    for (unsigned i = 0; ok && i < TOGETHER; i++) {
        size_t count = 0;
        for (size_t j = 0; j < out->count; j++) {
            if (e->draws[j].statement.kind != STATEMENT_ANY) continue;
            moves[count++] = (move){j, random_upto(e, e->draws[j].axis.last)};
        }
        ok = ask(e, moves, count, 1, &fails);
        if (ok) out->together++;
        if (ok && fails) out->together_failed++;
    }
    free(moves);
    return ok;
}

static bool repeats(explainer *e, bool *is_flaky) {
    bool fails[TOGETHER];
    const unsigned count = e->r->config->is_fresh ? TOGETHER / 4 : TOGETHER;
    if (!ask(e, &(move){0}, 0, count, fails)) return false;
    for (unsigned i = 0; i < count; i++) *is_flaky |= !fails[i];
    return !*is_flaky;
}

static bool explain_all(explainer *e) {
    explanation *out = e->out;
    bool is_flaky = false;
    if (!repeats(e, &is_flaky)) {
        if (is_flaky) out->state = EXPLANATION_FLAKY;
        return false;
    }
    const uint64_t all_max = all_max_of(e);
    for (size_t i = 0; i < e->base.count; i++) {
        if (!explore(e, i, all_max)) return false;
        conclude_draw(e, i);
        out->explained++;
    }
    const bool ok = find_equal_draws(e);
    for (size_t i = 0; i < out->count; i++) {
        out->any_count += e->draws[i].statement.kind == STATEMENT_ANY ? 1 : 0;
        if (e->draws[i].statement.kind == STATEMENT_EQUAL) conclude_draw(e, i);
    }
    return ok && (out->any_count < 2 || try_together(e));
}

/* ---- Beginning and end ---- */

static explanation_state begin(explainer *e) {
    const reduce_result *result = e->r->result;
    const bool has_draws = result->bytes.trace == TRACE_WHOLE;
    if (!has_draws && result->bytes.size > BYTES_MAX) return EXPLANATION_LONG;
    e->form = has_draws ? e->r->loop.form : CANDIDATE_BYTES;
    if (!run_result_again(e, &result->bytes)) return EXPLANATION_DIFFERS;
    e->out->count = e->base.count;
    e->out->draws = calloc(e->base.count + 1, sizeof *e->out->draws);
    e->draws = calloc(e->base.count + 1, sizeof *e->draws);
    if (e->out->draws == NULL || e->draws == NULL) return EXPLANATION_DIFFERS;
    for (size_t i = 0; i < e->base.count; i++) e->draws[i].axis = draw_axis(&e->base.draws[i]);
    place_draws(e);
    return EXPLANATION_MADE;
}

/* Return the reason not to explain, or EXPLANATION_MADE. */
static explanation_state look_at(const reduction *r) {
    const reduce_result *result = r->result;
    const explain_limits *limits = &r->config->explain;
    const int64_t calls = result->calls > 0 ? (int64_t)result->calls : 1;
    if (limits->calls_max == 0 || !result->found || r->config->is_file) return EXPLANATION_NONE;
    if (r->confirmed.is_strict || failure_is_flaky(&result->best)) return EXPLANATION_FLAKY;
    if (!limits->is_asked && result->elapsed_ns / calls * r->config->jobs > RUN_MAX_NS)
        return EXPLANATION_SLOW;
    return client_is_running(&r->client) ? EXPLANATION_MADE : EXPLANATION_STOPPED;
}

/* Give the client the time of the explanation. */
static void extend(reduction *r) {
    const explain_limits *limits = &r->config->explain;
    const bool has_calls = r->client.runs < r->config->calls_max;
    if (limits->is_asked && !has_calls) client_extend(&r->client, limits->time_ns);
    r->client.runs_max = UINT64_MAX;
    const int64_t end = clock_after(clock_now_ns(), limits->time_ns);
    if (end < r->client.config.deadline_ns) r->client.config.deadline_ns = end;
}

static explanation_cut cut_of(const client *c) {
    if (client_is_running(c)) return CUT_CALLS;
    return c->stop.end == END_SPENT ? CUT_TIME : CUT_STOPPED;
}

void explain_result(reduction *r) {
    explanation *out = &r->result->explanation;
    explainer e = {.r = r, .out = out, .runs_before = r->client.runs};
    if (r->config->explain.calls_max > 0) extend(r);
    out->state = look_at(r);
    if (out->state == EXPLANATION_MADE) out->state = begin(&e);
    if (out->state == EXPLANATION_MADE) {
        out->cut = explain_all(&e) ? CUT_NONE : cut_of(&r->client);
        pool_cancel(r->client.pool);
    }
    out->runs = runs_made(&e);
    out->is_asked = r->config->explain.is_asked;
    free(e.known);
    free(e.draws);
    testcase_finish(&e.base);
}
