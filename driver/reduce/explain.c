/* explain.c: what each draw of the result means: which other values of it fail as the result does.
 *
 * The result is run again with one of its draws changed. The values of a draw are positions on an
 * axis, in their order. A short axis is asked as a whole. On a longer one the ends, the neighbours
 * of the value at hand, values of other draws and random ones are asked first. If some of them
 * pass, the edges of the range around the value are found by doubling and bisecting.
 *
 * A statement is a guess from all answers: the failing positions are all, one, a range, perhaps in
 * steps, or a few, or all but a few. Then positions are asked that may refute it: in the range and
 * around its edges, beside the few, and anywhere. If one does, a second guess knows more. A
 * statement agrees with every answer; else it says that some values fail.
 *
 * Questions go through the reducer's client and its pool as candidate sets, of which each worker
 * gets one. A set ends with its first failure, and what follows is asked again: so after a failure
 * few questions go at once until one passes; more if the process goes on after failures (warm.h).
 * Short axes of several draws are asked together.
 *
 * Two draws that fail with the same value only may have to be equal: then pairs of values fail just
 * where they are equal, wherever that is. No other relations are looked for: "less than" is seldom
 * found, for a reduction ends at the boundary, where a range says the same.
 *
 * Last, all draws that may have any value get random ones at once: they may depend on each
 * other. */
#include "bytes.h"
#include "clock.h"
#include "explanation.h"
#include "frng_expand.h"
#include "pool.h"
#include "reduction.h"

#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MAX = 64,            /* bytes of an input without draws */
    TOGETHER = 20,             /* runs with all free draws at random */
    RUN_MAX_NS = 50 * 1000000, /* longest run, unless an option asks */
    ALL_MAX = 256,             /* positions of the longest axis that is asked as a whole */
    SAMPLES = 20,              /* random positions that may refute a statement */
    GUESSES = 4,               /* statements about a draw that may be refuted */
    STEP_MAX = 16,             /* largest step of a range that is looked for */
    STEP_MEMBERS = 4,          /* fewer are a set */
    RANGE_ALL = 64,            /* positions of a range that are all asked */
    LETTERS = 256,             /* letters of an alphabet that are remembered */
    HINTS_MAX = 8,             /* values of other draws that a draw is asked first */
    OTHERS_MAX = 256,          /* draws that a draw is compared with */
    PARTNERS_MAX = 4,          /* draws that one may have to be equal to */
    PAIRS_ALL = 32,            /* values of each of two draws, of which all pairs are asked */
    FAILED_MAX = 2,            /* questions of a set after a failure that ended one, */
    COUNTED_MAX = 16           /* and after one that did not */
};

/* Does the result fail with two draws at these positions? They may be one draw, or NOT_MOVED. */
typedef struct question {
    size_t draw, other;
    uint64_t to, other_to;
    bool fails; /* the answer */
} question;

#define NOT_MOVED SIZE_MAX

typedef struct explainer {
    reduction *r;
    explanation *out;
    testcase base; /* the result, with the draws that it made */
    candidate_form form;
    axis *axes; /* one for each draw; owned */
    uint64_t runs_before;
    uint64_t random;
    bool looks;     /* failures are rerun, to see their sites */
    bool is_random; /* all free draws are at random in each question */

    size_t at;              /* the draw that questions are about */
    question *asked;        /* those with an answer, by position, and those to ask; owned */
    size_t count, answered; /* of them */
    size_t together;        /* most questions of a set */
    bool has_failed;        /* one of the last set did */
    question ahead[CANDIDATE_SET_MOST]; /* answers about the draws before `ahead_end` */
    size_t ahead_count, ahead_end;
    bool is_spent; /* the budget is, or memory: nothing is asked or concluded any more */
    uint16_t letters[LETTERS]; /* that runs showed for its picks: 0, or the letter plus 1 */
} explainer;

/* ---- The values of a draw in their order ---- */

static const axis *axis_at(const explainer *e) { return &e->axes[e->at]; }

/* Find the position of draw i whose value is that of a position of another draw. */
static bool same_position(const explainer *e, size_t i, size_t other, uint64_t other_at,
                          uint64_t *same) {
    const axis *own = &e->axes[i], *o = &e->axes[other];
    const uint64_t key = o->first + other_at;
    *same = key - own->first;
    return own->order == o->order && own->order != ORDER_NONE && key >= own->first &&
           *same <= own->last;
}

/* ---- Questions ---- */

static uint64_t runs_made(const explainer *e) { return e->r->client.runs - e->runs_before; }

/* Return how many questions fit the budget beside those in flight. A failure whose site a run hides
 * costs another run. */
static size_t budget_left(const explainer *e, size_t flying) {
    const uint64_t made = runs_made(e), most = e->r->config->explain.calls_max;
    const uint64_t room = (most > made ? most - made : 0) / (e->looks ? 2 : 1);
    return client_is_running(&e->r->client) && room > flying ? (size_t)(room - flying) : 0;
}

/* Return a number in 0..n - 1, at random. n is not 0. */
static uint64_t random_below(explainer *e, uint64_t n) { return frng__splitmix64(&e->random) % n; }

/* The same in 0..last; of UINT64_MAX + 1 numbers, the last one never comes. */
static uint64_t random_upto(explainer *e, uint64_t last) {
    return random_below(e, last < UINT64_MAX ? last + 1 : last);
}

static uint64_t position_in(explainer *e, const question *q, size_t i) {
    const bool is_free = e->is_random && e->out->draws[i].statement.kind == STATEMENT_ANY;
    if (is_free) return random_upto(e, e->axes[i].last);
    return i == q->draw ? q->to : i == q->other ? q->other_to : e->axes[i].at;
}

/* Put a question into a set. False if it does not fit, or wants another room to choose in. */
static bool put_question(explainer *e, const question *q, candidate_set *set) {
    const testcase *t = &e->base;
    const uint64_t start = candidate_set_start(set, set->count);
    const uint64_t most = (t->count + 1) * FRNG_CHOICE_MAX; /* and as much more may be chosen */
    const bool is_chosen = e->form == CANDIDATE_CHOICES;
    uint64_t chosen_max = is_chosen ? t->size : 0; /* and what moved draws take beyond theirs */
    if (start + 2 * most + t->size > set->bytes_max) return false;
    uint8_t *to = set->bytes + start, encoded[DRAW_BYTES_MAX];
    for (size_t i = 0; i < t->count; i++) {
        const uint64_t rank = draw_rank_at(&t->draws[i], &e->axes[i], position_in(e, q, i));
        const unsigned size = draw_encode(&t->draws[i], rank, encoded);
        const unsigned before = draw_size(&t->draws[i]);
        if (is_chosen && size > before) chosen_max += size - before;
        to += draw_write(&t->draws[i], e->form, rank, true, to);
    }
    if (set->count > 0 && set->chosen_max != chosen_max) return false;
    if (is_chosen && t->has_run_out) to += choices_write_end(to);
    set->chosen_max = chosen_max;
    set->ends[set->count++] = (uint64_t)(to - set->bytes);
    return true;
}

static bool is_letter(const explainer *e, size_t i) {
    return i != NOT_MOVED && e->out->draws[i].record.kind == FRNG_LETTER;
}

/* Submit some of the next questions as a set. Return their count. Letters are known by records,
 * which are those of the last run; what is at random is not chosen twice; and a failure may show
 * its site if it is alone. */
static size_t submit(explainer *e, const question *list, size_t count) {
    candidate_set *set = pool_candidate_set(e->r->client.pool);
    const failure *target = &e->r->target;
    const bool is_alone = e->is_random || e->looks || is_letter(e, list->draw);
    const size_t share = (count + e->r->config->jobs - 1) / e->r->config->jobs;
    const size_t most = is_alone ? 1 : smaller(share, e->together);
    set->form = e->form;
    while (set->count < most && put_question(e, &list[set->count], set)) continue;
    if (set->count == 0) return 0;
    set->is_told = true;
    set->goes_on = e->has_failed && target->is_site_known && target->site[0] != '\0';
    set->meant = (known_failure){.signature = target->signature};
    memcpy(set->meant.site, target->site, sizeof target->site);
    set->is_cold = e->r->is_cold;
    pool_submit_candidate_set(e->r->client.pool, set, e->r->purpose);
    return set->count;
}

/* Note the letter of a record of the draw that is explored. */
static void note_letter(explainer *e, const frng_trace_record *r) {
    const uint32_t pick = (uint32_t)r->u.draw.value;
    if (r->kind == FRNG_LETTER && r->start == e->out->draws[e->at].record.start && pick < LETTERS)
        e->letters[pick] = (uint16_t)(1 + (uint8_t)(r->u.draw.value >> 32));
}

/* Note for each question of a set whether its run failed as the result does. Return the number of
 * questions that were answered. */
static size_t take_answers(explainer *e, const run_result *run, const candidate_set *set,
                           question *list) {
    const bool is_chosen = set->form == CANDIDATE_CHOICES;
    bool has_counted = false;
    if (run->ran == 0 || (is_chosen && !set->can_choose)) return 0;
    for (uint64_t i = 0; i < set->record_count; i++) note_letter(e, &set->records[i]);
    e->r->has_cancelled = false;
    for (size_t i = 0; i < run->ran; i++)
        has_counted |= list[i].fails = !e->r->config->is_fresh && set->passes[i].is_counted;
    e->has_failed = has_counted || run->last.verdict != VERDICT_PASS;
    if (run->last.verdict != VERDICT_PASS)
        list[run->ran - 1].fails = accept_is_alike(e->r, run, set);
    e->looks |= e->r->has_cancelled;
    e->together = e->r->config->is_fresh ? 1
                  : has_counted          ? COUNTED_MAX
                  : e->has_failed        ? FAILED_MAX
                                         : CANDIDATE_SET_MOST;
    return run->ran;
}

/* Ask questions. Answers come in their order. Return their count, less once the budget is spent. */
static size_t ask(explainer *e, question *list, size_t count) {
    pool *workers = e->r->client.pool;
    size_t sent = 0, answered = 0;
    while (answered < count) {
        while (sent < count && pool_has_room(workers)) {
            const size_t room = smaller(budget_left(e, sent - answered), count - sent);
            const size_t added = room > 0 ? submit(e, &list[sent], room) : 0;
            if (added == 0) break;
            sent += added;
        }
        const bool is_stuck = budget_left(e, 0) == 0 || pool_has_room(workers); /* or too large */
        if (sent == answered && is_stuck) break;
        batch runs;
        const run_result *run = client_wait(&e->r->client, &runs);
        if (run == NULL && !client_is_running(&e->r->client)) break;
        if (run == NULL) continue;
        const size_t taken = take_answers(e, run, runs.candidates, &list[answered]);
        if (taken == 0) break;
        answered += taken;
        if (taken < runs.count) pool_cancel(workers);
        if (taken < runs.count || e->r->has_cancelled) sent = answered; /* nothing is in flight */
    }
    return answered;
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
    if (is_whole && !accept_made(set, result)) return false;
    if (!accept_testcase(e->r, run, set, &e->base)) return false;
    const size_t count = e->r->distrusts ? 0 : set->record_count;
    out->records = memory_zeroed(count + 1, sizeof *out->records);
    memcpy(out->records, set->records, count * sizeof *out->records);
    out->record_count = count;
    if (is_whole && e->base.trace != TRACE_WHOLE) return false; /* bytes are no choices */
    return accept_is_alike(e->r, run, set);
}

/* ---- What is asked about a draw ---- */

static void begin_draw(explainer *e, size_t i) {
    e->at = i;
    e->count = e->answered = 0;
}

/* Want an answer, unless it is wanted already. */
static void want_pair(explainer *e, uint64_t to, size_t other, uint64_t other_to) {
    for (size_t i = 0; i < e->count; i++) {
        if (e->asked[i].to == to && e->asked[i].other_to == other_to) return;
    }
    e->asked = memory_grown(e->asked, e->count + 1, sizeof *e->asked);
    e->asked[e->count++] = (question){e->at, other, to, other_to, false};
}

static void want(explainer *e, uint64_t where) { want_pair(e, where, NOT_MOVED, 0); }

static int by_position(const void *a, const void *b) {
    const question *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/* Take what is wanted and known to the front of what is wanted. */
static void take_known(explainer *e) {
    for (size_t i = 0; i < e->ahead_count; i++) {
        for (size_t k = e->answered; k < e->count; k++) {
            const question *q = &e->asked[k];
            if (q->draw != e->ahead[i].draw || q->to != e->ahead[i].to || q->other != NOT_MOVED)
                continue;
            e->asked[k] = e->asked[e->answered];
            e->asked[e->answered++] = e->ahead[i];
        }
    }
}

/* Ask what is wanted. */
static void settle(explainer *e) {
    take_known(e);
    const size_t due = e->count - e->answered;
    if (!e->is_spent) e->is_spent = ask(e, e->asked + e->answered, due) < due;
    e->answered = e->count;
    if (e->count > 0) qsort(e->asked, e->count, sizeof *e->asked, by_position);
}

/* True if a position fails; false once the budget is spent. */
static bool fails_at(explainer *e, uint64_t where) {
    bool fails = false;
    want(e, where);
    settle(e);
    for (size_t i = 0; i < e->count; i++) fails |= e->asked[i].to == where && e->asked[i].fails;
    return fails && !e->is_spent;
}

/* Want low, low + step, ... high: all if they are few, else some at random. */
static void want_among(explainer *e, uint64_t low, uint64_t high, uint64_t step, unsigned samples) {
    const uint64_t last = (high - low) / step;
    for (uint64_t i = 0; last < RANGE_ALL && i <= last; i++) want(e, low + i * step);
    for (unsigned i = 0; last >= RANGE_ALL && i < samples; i++)
        want(e, low + random_upto(e, last) * step);
}

static void want_beside(explainer *e, uint64_t where, uint64_t distance) {
    const uint64_t last = axis_at(e)->last;
    for (uint64_t by = 1; by <= distance; by++) {
        if (by <= where) want(e, where - by);
        if (by <= last - where) want(e, where + by);
    }
}

/* Want positions at random distances from one, small and large ones. */
static void want_around(explainer *e, uint64_t where) {
    for (unsigned i = 0; i < SAMPLES / 2; i++) {
        const uint64_t by = 1 + random_below(e, UINT64_MAX >> random_below(e, 64));
        const bool is_up = random_below(e, 2) > 0;
        if (by <= (is_up ? axis_at(e)->last - where : where))
            want(e, is_up ? where + by : where - by);
    }
}

/* Want the positions that the nearest other draws have. */
static void want_values_of_others(explainer *e) {
    const size_t count = e->base.count, before = e->count;
    for (size_t by = 1; by < count && by <= OTHERS_MAX && e->count < before + HINTS_MAX; by++) {
        const size_t other = (e->at + count - by) % count;
        uint64_t same;
        if (same_position(e, e->at, other, e->axes[other].at, &same)) want(e, same);
    }
}

/* Ask all positions of as many draws from draw i on as fit a set. Axes are shorter than all_max. */
static void look_ahead(explainer *e, size_t i, uint64_t all_max) {
    size_t count = 0;
    for (; i < e->base.count && e->axes[i].last < all_max && !is_letter(e, i); i++) {
        const axis *line = &e->axes[i];
        if (line->last > CANDIDATE_SET_MOST - count) break;
        for (uint64_t to = 0; to <= line->last; to++) {
            if (to != line->at) e->ahead[count++] = (question){i, NOT_MOVED, to, 0, false};
        }
    }
    e->ahead_end = i;
    e->ahead_count = ask(e, e->ahead, count);
}

/* ---- Statements about one draw ---- */

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
    for (size_t i = 0; i < e->count; i++) {
        if (is_stated(s, axis_at(e)->at, e->asked[i].to) != e->asked[i].fails) return false;
    }
    return true;
}

static size_t count_failures(const explainer *e) {
    size_t count = 0;
    for (size_t i = 0; i < e->count; i++) count += e->asked[i].fails;
    return count;
}

/* List the positions that fail, or those that pass, if there is room. */
static bool list_values(const explainer *e, bool fails, statement *s) {
    for (size_t i = 0; i < e->count; i++) {
        if (e->asked[i].fails != fails) continue;
        if (s->value_count == STATEMENT_VALUES_MAX) return false;
        s->values[s->value_count++] = e->asked[i].to;
    }
    return true;
}

/* Return the range of the positions that fail, in the largest steps that meet all of them. */
static statement hull_of(const explainer *e) {
    statement s = {.kind = STATEMENT_RANGE};
    bool has_low = false;
    for (size_t i = 0; i < e->count; i++) {
        if (!e->asked[i].fails) continue;
        s.high = e->asked[i].to;
        if (!has_low) s.low = s.high;
        has_low = true;
        for (uint64_t rest = s.high - s.low; rest > 0;) { /* the greatest common divisor */
            const uint64_t next = s.step % rest;
            s.step = rest;
            rest = next;
        }
    }
    return s;
}

static statement guess(const explainer *e) {
    const size_t failures = count_failures(e), passes = e->count - failures;
    const statement range = hull_of(e);
    statement few = {.kind = passes <= failures ? STATEMENT_EXCEPT : STATEMENT_SET};
    if (passes == 0) return (statement){.kind = STATEMENT_ANY};
    if (failures == 1) return (statement){.kind = STATEMENT_ONLY};
    if (axis_at(e)->is_ordered && agrees_with_all(e, &range) &&
        (range.step == 1 || (range.high - range.low) / range.step + 1 >= STEP_MEMBERS))
        return range;
    return list_values(e, few.kind == STATEMENT_SET, &few) ? few
                                                           : (statement){.kind = STATEMENT_SOME};
}

/* Ask for positions that may refute a statement. */
static void doubt(explainer *e, const statement *s) {
    if (s->kind == STATEMENT_RANGE) {
        want_among(e, s->low, s->high, s->step, SAMPLES);
        want_among(e, s->low, s->high, 1, SAMPLES);
        want_around(e, s->low);
        want_around(e, s->high);
    }
    for (size_t i = 0; i < s->value_count; i++) want_beside(e, s->values[i], 1);
    if (s->kind != STATEMENT_ANY && s->kind != STATEMENT_SOME)
        want_among(e, 0, axis_at(e)->last, 1, SAMPLES);
    settle(e);
}

/* Return the distance of the nearest position that fails; 0: none is near. */
static uint64_t find_step(explainer *e) {
    const uint64_t at = axis_at(e)->at, last = axis_at(e)->last;
    for (uint64_t by = 1; by <= STEP_MAX; by++) {
        if (by == 2) want_beside(e, at, STEP_MAX);
        if (by <= at && fails_at(e, at - by)) return by;
        if (by <= last - at && fails_at(e, at + by)) return by;
    }
    return 0;
}

/* Find how far positions fail from the draw's own on, in steps of `step`, upwards or downwards:
 * double the distance until one passes, then bisect. */
static void find_edge(explainer *e, uint64_t step, bool is_up) {
    const uint64_t at = axis_at(e)->at, most = (is_up ? axis_at(e)->last - at : at) / step;
    uint64_t good = 0, bad = most, by = 1;
    for (bool is_bounded = false; is_bounded ? bad - good > 1 : good < most; by *= 2) {
        const uint64_t farther = by < most - good ? good + by : most;
        const uint64_t next = is_bounded ? good + (bad - good) / 2 : farther;
        const bool fails = fails_at(e, is_up ? at + next * step : at - next * step);
        *(fails ? &good : &bad) = next;
        is_bounded |= !fails;
    }
}

/* Ask enough for a guess: all positions of an axis of at most all_max. */
static void explore(explainer *e, uint64_t all_max) {
    const axis *line = axis_at(e);
    for (uint64_t i = 0; line->last < all_max && i <= line->last; i++) want(e, i);
    if (line->last >= all_max) {
        want_values_of_others(e);
        want(e, 0);
        want(e, line->last);
        want_beside(e, line->at, 1);
        want_among(e, 0, line->last, 1, SAMPLES / 2);
        want_around(e, line->at);
    }
    settle(e);
    const bool has_edges = line->is_ordered && count_failures(e) < e->count;
    const uint64_t step = has_edges ? find_step(e) : 0;
    if (step == 0) return;
    find_edge(e, step, true);
    find_edge(e, step, false);
}

/* Guess until nothing refutes it. */
static statement conclude_statement(explainer *e) {
    for (unsigned i = 0; i < GUESSES; i++) {
        const statement s = guess(e);
        doubt(e, &s);
        if (s.kind == STATEMENT_SOME || agrees_with_all(e, &s)) return s;
    }
    return (statement){.kind = STATEMENT_SOME};
}

/* Return a position as the records of a trace have it. That of a letter may lack the letter. */
static uint64_t recorded(const explainer *e, uint64_t at) {
    draw d = e->base.draws[e->at];
    d.rank = draw_rank_at(&d, axis_at(e), at);
    const uint64_t value =
        draw_is_number(&d) || d.kind == FRNG_DATE ? draw_value(&d) : draw_number(&d, d.rank);
    if (d.kind != FRNG_LETTER || value >= LETTERS || e->letters[value] == 0) return value;
    return value | (uint64_t)(e->letters[value] - 1) << 32 | EXPLANATION_LETTER_KNOWN;
}

/* Make the statement of a draw, with values for positions. False once the budget is spent. */
static bool explain_draw(explainer *e, size_t i, uint64_t all_max) {
    statement s = {.kind = STATEMENT_FIXED};
    begin_draw(e, i);
    memset(e->letters, 0, sizeof e->letters);
    note_letter(e, &e->out->draws[i].record);
    want(e, axis_at(e)->at);
    if (e->is_spent) return false;
    e->asked[0].fails = true;
    e->answered = 1;
    if (axis_at(e)->last > 0) {
        explore(e, all_max);
        s = conclude_statement(e);
    }
    s.tried = (uint32_t)(e->count - 1);
    s.failed = (uint32_t)(count_failures(e) - 1);
    s.is_exact = s.tried == axis_at(e)->last;
    s.low = recorded(e, s.low);
    s.high = recorded(e, s.high);
    for (size_t k = 0; k < s.value_count; k++) s.values[k] = recorded(e, s.values[k]);
    e->out->draws[i].statement = s;
    return !e->is_spent;
}

/* ---- Draws that must be equal ---- */

/* Ask pairs of positions. True if all so far failed just where they are equal. */
static bool are_equal(explainer *e) {
    settle(e);
    for (size_t i = 0; i < e->count; i++) {
        const question *q = &e->asked[i];
        uint64_t same;
        const bool exists = same_position(e, q->draw, q->other, q->other_to, &same);
        if (q->fails != (exists && q->to == same)) return false;
    }
    return !e->is_spent;
}

/* Want all pairs of positions if they are few, else samples: equal values, neighbours, others. */
static void want_pairs(explainer *e, size_t other, bool is_all) {
    const uint64_t last = axis_at(e)->last, most = e->axes[other].last;
    uint64_t same;
    for (uint64_t i = 0; is_all && i < (last + 1) * (most + 1); i++)
        want_pair(e, i / (most + 1), other, i % (most + 1));
    for (unsigned i = 0; !is_all && i < SAMPLES; i++) {
        uint64_t at = random_upto(e, most);
        if (i % 2 == 0) at >>= random_below(e, 64);
        want_pair(e, random_upto(e, last), other, at);
        if (!same_position(e, e->at, other, at, &same)) continue;
        want_pair(e, same, other, at);
        if (same > 0) want_pair(e, same - 1, other, at);
        if (same < last) want_pair(e, same + 1, other, at);
    }
}

/* Say that draw i must equal another one, if pairs of values fail just where they are equal. */
static void relate(explainer *e, size_t i, size_t other) {
    const uint64_t last = e->axes[i].last;
    const uint64_t ends[] = {0, last / 2, last};
    const bool is_all = last < PAIRS_ALL && e->axes[other].last < PAIRS_ALL;
    begin_draw(e, i);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) { /* most draws differ here */
        uint64_t same;
        if (same_position(e, other, i, ends[k], &same)) want_pair(e, ends[k], other, same);
    }
    if (!are_equal(e)) return;
    want_pairs(e, other, is_all);
    if (!are_equal(e)) return;
    statement *s = &e->out->draws[i].statement;
    *s = (statement){STATEMENT_EQUAL, is_all, .other = other, .tried = s->tried};
}

/* Look for a draw that draw i must equal, the nearest first of those that fail with one value. */
static void find_equal(explainer *e, size_t i) {
    const size_t count = e->base.count;
    const statement_kind *kind = &e->out->draws[i].statement.kind;
    unsigned partners = 0;
    for (size_t by = 1; by < count && by <= OTHERS_MAX && partners < PARTNERS_MAX; by++) {
        const size_t other = (i + count - by) % count;
        const statement_kind its = e->out->draws[other].statement.kind;
        uint64_t same;
        if (e->is_spent || *kind != STATEMENT_ONLY) return;
        if (its != STATEMENT_ONLY && its != STATEMENT_EQUAL) continue;
        if (!same_position(e, i, other, e->axes[other].at, &same)) continue;
        if (same != e->axes[i].at) continue;
        partners++;
        relate(e, i, other);
    }
}

/* ---- The explanation ---- */

/* Run the result so many times, at most TOGETHER. Return the count of runs: the budget may end. */
static uint32_t run_often(explainer *e, unsigned count, uint32_t *failed) {
    question same[TOGETHER];
    for (unsigned i = 0; i < count; i++)
        same[i] = (question){.draw = NOT_MOVED, .other = NOT_MOVED};
    const size_t answered = ask(e, same, count);
    e->is_spent |= answered < count;
    for (size_t i = 0; i < answered; i++) *failed += same[i].fails;
    return (uint32_t)answered;
}

/* False once the budget is spent. Axes that are asked as a whole take half of it at most. */
static bool explain_all(explainer *e) {
    explanation *out = e->out;
    uint32_t failed = 0;
    const uint32_t runs = run_often(e, e->r->config->is_fresh ? TOGETHER / 4 : TOGETHER, &failed);
    if (!e->is_spent && failed < runs) out->state = EXPLANATION_FLAKY;
    if (e->is_spent || failed < runs) return false;
    const uint64_t share = e->r->config->explain.calls_max / 2 / larger(out->count, 1);
    for (; out->explained < out->count; out->explained++) {
        if (out->explained >= e->ahead_end) look_ahead(e, out->explained, smaller(share, ALL_MAX));
        if (!explain_draw(e, out->explained, smaller(share, ALL_MAX))) return false;
    }
    for (size_t i = 0; i < out->count; i++) {
        find_equal(e, i);
        out->any_count += out->draws[i].statement.kind == STATEMENT_ANY;
    }
    e->is_random = true;
    if (!e->is_spent && out->any_count > 1)
        out->together = run_often(e, TOGETHER, &out->together_failed);
    return !e->is_spent;
}

/* ---- Beginning and end ---- */

static explanation_state begin_explanation(explainer *e) {
    const reduce_result *result = e->r->result;
    const bool has_draws = result->bytes.trace == TRACE_WHOLE;
    if (!has_draws && result->bytes.size > BYTES_MAX) return EXPLANATION_LONG;
    e->form = has_draws ? e->r->form : CANDIDATE_BYTES;
    if (!run_result_again(e, &result->bytes)) return EXPLANATION_DIFFERS;
    e->out->count = e->base.count;
    e->out->draws = memory_zeroed(e->base.count + 1, sizeof *e->out->draws);
    e->axes = memory_zeroed(e->base.count + 1, sizeof *e->axes);
    for (size_t i = 0; i < e->base.count; i++) e->axes[i] = draw_axis(&e->base.draws[i]);
    place_draws(e);
    return EXPLANATION_MADE;
}

/* Return the reason not to explain, or EXPLANATION_MADE. */
static explanation_state look_at(const reduction *r) {
    const reduce_result *result = r->result;
    const explain_limits *limits = &r->config->explain;
    const int64_t calls = result->calls > 0 ? (int64_t)result->calls : 1;
    if (limits->calls_max == 0 || !result->found || r->config->is_file) return EXPLANATION_NONE;
    if (r->is_strict || failure_is_flaky(&result->best)) return EXPLANATION_FLAKY;
    if (!limits->is_asked && result->elapsed_ns / calls * r->config->jobs > RUN_MAX_NS)
        return EXPLANATION_SLOW;
    const bool has_time = clock_now_ns() < r->client.config.deadline_ns;
    return client_is_running(&r->client) && has_time ? EXPLANATION_MADE : EXPLANATION_STOPPED;
}

void explain_result(reduction *r) {
    explanation *out = &r->result->explanation;
    explainer e = {.r = r, .out = out, .runs_before = r->client.runs, .together = 1};
    if (r->config->explain.calls_max > 0) { /* not the time for last reruns */
        r->client.config.deadline_ns = r->config->deadline_ns;
        r->client.runs_max = UINT64_MAX;
    }
    out->state = look_at(r);
    if (out->state == EXPLANATION_MADE) out->state = begin_explanation(&e);
    if (out->state == EXPLANATION_MADE) {
        out->cut = explain_all(&e)                   ? CUT_NONE
                   : client_is_running(&r->client)   ? CUT_CALLS
                   : r->client.stop.end == END_SPENT ? CUT_TIME
                                                     : CUT_STOPPED;
        pool_cancel(r->client.pool);
    }
    out->runs = runs_made(&e);
    out->is_asked = r->config->explain.is_asked;
    free(e.asked);
    free(e.axes);
    testcase_finish(&e.base);
}
