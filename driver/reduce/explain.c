/* explain.c: what each draw of the result means: which other values of it fail as the result does.
 *
 * The result is run again, with its draws recorded and one of them changed. The values of a draw
 * are positions on an axis, in their order; explain_values.c chooses the positions to ask, and
 * makes a statement that agrees with all answers: any, only its own, a range, a set. Answers come
 * from runs of candidates that go through the reducer's window and its pool, several to a set: a
 * set ends with its first failure, and what it did not run is asked again.
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
#include "explain_values.h"
#include "pool.h"
#include "reduction.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MAX = 64,            /* bytes of an input without draws */
    TOGETHER = 20,             /* runs with all free draws at random */
    RUN_MAX_NS = 50 * 1000000, /* longest run, unless an option asks */
    FLIGHT_MAX = 16,           /* questions that a set asks */
    LETTERS = 256,             /* letters of an alphabet that are remembered */
    HINTS_MAX = 8,             /* values of other draws that a draw is asked first */
    OTHERS_MAX = 256,          /* draws that a draw is compared with */
    PAIRS_ALL = 1024,          /* pairs of values that are all asked */
    PAIRS_OF_OTHER = 12,       /* values of the other draw in a sample of pairs */
    PAIRS_TOGETHER = 32        /* pairs asked at a time */
};

/* Values that compare: those of one order, other than UNORDERED. */
typedef enum value_order { UNORDERED, UNSIGNED, SIGNED, DATES, REALS } value_order;

/* A draw of the result. The key of a position is first + position; keys of one order compare as the
 * values do. The statement is in positions. */
typedef struct explored {
    axis axis;
    value_order order;
    uint64_t first;
    uint64_t start; /* in the entropy */
    answers known;
    statement statement;
} explored;

/* A draw moved to another position, and draws that move together. */
typedef struct move {
    size_t draw;
    uint64_t to;
} move;

typedef struct question {
    const move *moves; /* in the order of draws, unless there are two or fewer */
    size_t count;
} question;

/* The letters that runs showed for the picks of a draw. */
typedef struct alphabet {
    size_t draw;
    uint16_t letters[LETTERS]; /* 0: unknown; else the letter, plus 1 */
} alphabet;

typedef struct explainer {
    reduction *r;
    explanation *out;
    testcase base; /* the result, with the draws that it made */
    candidate_form form;
    explored *draws; /* one for each draw; owned */
    uint64_t runs_before;
    uint64_t random;
    bool looks;       /* failures are rerun, to see their sites */
    size_t batch_max; /* questions in the next set: more after passes */
    alphabet alphabet;
} explainer;

/* ---- The values of a draw in their order ---- */

#define SIGN (UINT64_C(1) << 63)

/* Return a number that grows with the double of these bits; NaNs are at both ends. */
static uint64_t key_of_bits(uint64_t bits) { return (bits & SIGN) != 0 ? ~bits : bits | SIGN; }
static uint64_t bits_of_key(uint64_t key) { return (key & SIGN) != 0 ? key & ~SIGN : ~key; }

static bool is_signed(const draw *d) { return d->kind == FRNG_INT || d->kind == FRNG_MIXED_INT; }

static value_order order_of(const draw *d) {
    switch (d->kind) {
    case FRNG_INT:
    case FRNG_MIXED_INT: return SIGNED;
    case FRNG_DATE: return DATES;
    case FRNG_REAL: return REALS;
    case FRNG_UINT:
    case FRNG_MIXED_UINT:
    case FRNG_INDEX:
    case FRNG_BYTES: return UNSIGNED;
    default: return UNORDERED;
    }
}

static real_range range_of(const draw *d) {
    real_range r;
    const bool is_range = real_range_init(&r, d->min, d->max);
    assert(is_range);
    return r;
}

/* Return the axis of a range of doubles: all multiples of a unit. */
static axis axis_of_range(const draw *d) {
    const real_range r = range_of(d);
    const double value = draw_real(d);
    const uint64_t last = (uint64_t)r.high - (uint64_t)r.low;
    uint64_t at = (uint64_t)(int64_t)(value / r.unit) - (uint64_t)r.low;
    if (value <= r.min) at = 0;
    if (value >= r.max) at = last;
    return (axis){last, at, true};
}

static explored explored_of(const draw *d) {
    const uint64_t last = draw_rank_max(d);
    explored e = {.order = order_of(d), .axis = {last, d->rank, d->kind != FRNG_SUBSET}};
    if (e.order == UNSIGNED) e.first = draw_value(d) - d->rank;
    if (is_signed(d)) e.first = d->min ^ SIGN;
    if (is_signed(d)) e.axis = (axis){d->max - d->min, draw_value(d) - d->min, true};
    if (d->kind == FRNG_F64) e.axis = (axis){last >> 11, d->rank >> 11, true};
    if (d->kind == FRNG_REAL) e.axis = (axis){UINT64_MAX, key_of_bits(real_bits(d->rank)), true};
    if (d->kind == FRNG_REAL_RANGE) e.axis = axis_of_range(d);
    return e;
}

/* Return the rank of a position of draw i; its own where the draw has no such value. */
static uint64_t rank_at(const explainer *e, size_t i, uint64_t at) {
    const draw *d = &e->base.draws[i];
    uint64_t rank = d->rank;
    bool exists = true;
    if (at == e->draws[i].axis.at) return rank;
    if (is_signed(d)) {
        exists = draw_rank_of(d, d->min + at, &rank);
    } else if (d->kind == FRNG_REAL_RANGE) {
        const real_range r = range_of(d);
        const double value = (double)(int64_t)((uint64_t)r.low + at) * r.unit;
        exists = draw_rank_of_real(d, value < r.min ? r.min : value > r.max ? r.max : value, &rank);
    } else {
        rank = d->kind == FRNG_F64    ? at << 11
               : d->kind == FRNG_REAL ? real_rank(bits_of_key(at))
                                      : at;
    }
    return exists ? rank : d->rank;
}

/* Find the position of draw i whose value is that of a position of another draw. */
static bool same_position(const explainer *e, size_t i, size_t other, uint64_t other_at,
                          uint64_t *same) {
    const explored *own = &e->draws[i], *o = &e->draws[other];
    const uint64_t key = o->first + other_at;
    *same = key - own->first;
    return own->order == o->order && own->order != UNORDERED && key >= own->first &&
           *same <= own->axis.last;
}

/* ---- Runs ---- */

static uint64_t runs_made(const explainer *e) { return e->r->client.runs - e->runs_before; }

/* Return the move of draw i. */
static const move *next_move(const question *q, size_t i, size_t *next) {
    if (*next < q->count && q->moves[*next].draw == i) return &q->moves[(*next)++];
    if (q->count == 2 && q->moves[1].draw == i) return &q->moves[1];
    return NULL;
}

/* Add the test case with some draws moved to a set. False if there is no room, or if
 * it needs another limit of bytes than the set has. */
static bool put(const explainer *e, candidate_set *set, const question *q) {
    const uint64_t start = candidate_set_start(set, set->count);
    const uint64_t most = (e->base.count + 1) * FRNG_CHOICE_MAX, spare = most + DRAW_BYTES_MAX;
    uint64_t grown = 0;
    size_t next = 0;
    if (start + most + e->base.size + spare > set->bytes_max) return false;
    uint8_t *to = set->bytes + start;
    for (size_t i = 0; i < e->base.count; i++) {
        const draw *d = &e->base.draws[i];
        const move *m = next_move(q, i, &next);
        uint8_t bytes[DRAW_BYTES_MAX];
        const uint64_t rank = m != NULL ? rank_at(e, i, m->to) : d->rank;
        const unsigned was = draw_size(d), is = draw_encode(d, rank, bytes);
        if (m != NULL && is > was) grown += is - was;
        to += choices_write_exact(e->form, d, rank, to);
    }
    const bool is_ended = e->form == CANDIDATE_CHOICES && e->base.has_run_out;
    if (is_ended) to += choices_write_end(to);
    const uint64_t chosen_max = e->form == CANDIDATE_CHOICES ? e->base.size + grown : 0;
    if (set->count > 0 && chosen_max != set->chosen_max) return false;
    set->form = e->form;
    set->chosen_max = chosen_max;
    set->ends[set->count++] = (uint64_t)(to - set->bytes);
    return true;
}

/* Note the letter of a record of the draw that is explored. */
static void note_letter(explainer *e, const frng_trace_record *r) {
    const uint32_t pick = (uint32_t)r->u.draw.value;
    if (r->kind == FRNG_LETTER && r->start == e->draws[e->alphabet.draw].start && pick < LETTERS)
        e->alphabet.letters[pick] = (uint16_t)(1 + (uint8_t)(r->u.draw.value >> 32));
}

/* Note the letter that a run drew. */
static void learn_letter(explainer *e, const candidate_set *set) {
    for (uint64_t i = 0; i < set->record_count; i++) note_letter(e, &set->records[i]);
}

/* True if the last run of a set failed as the result does: that of test case i. */
static bool judge(explainer *e, const run_result *run, const candidate_set *set, uint32_t i) {
    const bool is_chosen = set->form == CANDIDATE_CHOICES;
    if (is_chosen && set->chosen_size == OUTCOME_DRAWN_UNKNOWN) return false;
    const uint8_t *bytes = is_chosen ? candidate_set_chosen(set) : candidate_set_bytes(set, i);
    return accept_is_alike(e->r, run, bytes,
                           is_chosen ? set->chosen_size : candidate_set_size(set, i));
}

/* ---- Questions ---- */

enum { QUESTIONS_MAX = EXPLAIN_VALUES_ASKED_MAX };

typedef enum question_state { QUESTION_OPEN, QUESTION_FLYING, QUESTION_ANSWERED } question_state;

/* Questions and their answers. The digest of a candidate in the window is the number of its
 * question. */
typedef struct asking {
    const question *questions;
    size_t count, answered;
    question_state states[QUESTIONS_MAX];
    bool *fails;
} asking;

/* True if one more question fits the budget. A failure whose site a run hides costs another one. */
static bool has_budget(const explainer *e) {
    const uint64_t cost = e->looks ? 2 : 1, flying = window_load(&e->r->loop.flight);
    return client_is_running(&e->r->client) &&
           runs_made(e) + cost * (flying + 1) <= e->r->config->explain.calls_max;
}

/* Submit a set of open questions. False if none can go. */
static bool send_questions(explainer *e, asking *a) {
    window *w = &e->r->loop.flight;
    if (w->count == w->max || !pool_has_room(e->r->client.pool)) return false;
    candidate_set *set = pool_candidate_set(e->r->client.pool);
    window_set *b = window_add(w, set);
    for (size_t i = 0; i < a->count && b->count < e->batch_max && has_budget(e); i++) {
        if (a->states[i] != QUESTION_OPEN) continue;
        if (!put(e, set, &a->questions[i])) break;
        a->states[i] = QUESTION_FLYING;
        window_put(b, &e->r->loop.now, i, 0);
    }
    if (b->count == 0) {
        w->count--;
        return false;
    }
    pool_submit_candidate_set(e->r->client.pool, set, e->r->loop.purpose);
    return true;
}

/* Open the questions in flight again: what was in flight is cancelled. */
static void reopen(explainer *e, asking *a) {
    e->r->loop.flight.count = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (a->states[i] == QUESTION_FLYING) a->states[i] = QUESTION_OPEN;
    }
}

/* Take the result of the oldest set, whose runs ended with the first that failed. False if it says
 * nothing. */
static bool take_answers(explainer *e, asking *a, const run_result *run, const candidate_set *set) {
    const window_set *b = window_take(&e->r->loop.flight);
    const bool failed = run->last.verdict != VERDICT_PASS;
    const uint32_t ran = run->ran; /* *run may not outlive a rerun */
    if (ran == 0 || ran > b->count) return false;
    if (set->form == CANDIDATE_CHOICES && !set->can_choose) return false;
    for (size_t i = 0; i < b->count; i++) {
        const uint64_t number = b->candidates[i].digest;
        a->states[number] = i < ran ? QUESTION_ANSWERED : QUESTION_OPEN;
        a->fails[number] = false;
    }
    a->answered += ran;
    if (e->base.draws[e->alphabet.draw].kind == FRNG_LETTER) learn_letter(e, set);
    e->r->has_looked = false;
    if (failed) a->fails[b->candidates[ran - 1].digest] = judge(e, run, set, ran - 1);
    e->batch_max = failed ? ran : 2 * e->batch_max;
    e->looks |= e->r->has_looked;
    if (e->r->has_looked) reopen(e, a);
    return true;
}

/* Answer whether the result fails with draws moved. False once the budget is spent. */
static bool ask(explainer *e, const question *questions, size_t count, bool *fails) {
    asking a = {.questions = questions, .count = count, .fails = fails};
    const bool is_letter = e->base.draws[e->alphabet.draw].kind == FRNG_LETTER;
    const size_t most = is_letter || e->r->config->is_fresh ? 1 : FLIGHT_MAX;
    assert(count <= QUESTIONS_MAX && e->r->loop.flight.count == 0);
    while (a.answered < count) {
        e->batch_max = smaller(e->batch_max, most);
        while (send_questions(e, &a)) {
        }
        const bool is_stuck = !has_budget(e) || pool_has_room(e->r->client.pool); /* or too large */
        if (e->r->loop.flight.count == 0 && is_stuck) return false;
        batch runs;
        const run_result *run = client_wait(&e->r->client, &runs);
        if (run == NULL && !client_is_running(&e->r->client)) return false;
        if (run != NULL && !take_answers(e, &a, run, runs.candidates)) return false;
    }
    return true;
}

/* ---- The result, and where its draws are ---- */

static bool copy_records(explanation *out, const candidate_set *set, size_t count) {
    out->records = calloc(count + 1, sizeof *out->records);
    if (out->records == NULL) return false;
    memcpy(out->records, set->records, count * sizeof *out->records);
    out->record_count = count;
    return true;
}

/* Return the record of a draw of the test case that is a byte. */
static frng_trace_record record_of_byte(uint64_t start, uint64_t value) {
    frng_trace_record r = {.start = start, .taken = 1, .kind = FRNG_BYTES, .width = 1};
    r.u.draw.max = UINT8_MAX;
    r.u.draw.value = value;
    return r;
}

/* Find the record and the start of each draw. */
static void place_draws(explainer *e) {
    const explanation *out = e->out;
    uint64_t at = 0;
    size_t next = 0;
    for (size_t i = 0; i < e->base.count; i++) {
        explained_draw *to = &out->draws[i];
        while (next < out->record_count && out->records[next].kind >= FRNG_TRACE_STEP) next++;
        const frng_trace_record *r = next < out->record_count ? &out->records[next] : NULL;
        e->draws[i].start = at;
        to->is_part = e->base.draws[i].kind == FRNG_BYTES;
        to->record = to->is_part || r == NULL ? record_of_byte(at, e->base.draws[i].rank) : *r;
        at += to->record.taken;
        to->is_index = e->base.draws[i].is_by_index;
        if (to->is_index) to->record.u.draw.value = e->base.draws[i].rank;
        while (next < out->record_count &&
               (out->records[next].kind >= FRNG_TRACE_STEP ||
                out->records[next].start + out->records[next].taken <= at))
            next++;
    }
}

/* Run the result once more, and take the draws that it makes. False if it does not fail. */
static bool run_result_again(explainer *e, const testcase *result) {
    client *c = &e->r->client;
    const run_result *run = NULL;
    batch runs;
    candidate_set *set = pool_candidate_set(c->pool);
    e->base = *result; /* borrowed for this run */
    const bool is_whole = e->form == CANDIDATE_CHOICES;
    const bool fits = is_whole ? put(e, set, &(question){NULL, 0}) : result->size <= set->bytes_max;
    if (!is_whole && fits) {
        memcpy(set->bytes, result->bytes, result->size);
        set->ends[set->count++] = result->size;
        set->form = CANDIDATE_BYTES;
    }
    e->base = (testcase){0};
    if (!fits) return false;
    pool_submit_candidate_set(c->pool, set, e->r->loop.purpose);
    while (run == NULL && client_is_running(c)) run = client_wait(c, &runs);
    if (run == NULL || (is_whole && !runs.candidates->can_choose)) return false;
    set = runs.candidates;
    const uint8_t *bytes = is_whole ? candidate_set_chosen(set) : candidate_set_bytes(set, 0);
    if (is_whole &&
        (set->chosen_size != result->size || memcmp(bytes, result->bytes, result->size) != 0))
        return false;
    if (!accept_testcase(e->r, set, result->bytes, result->size, result->size, &e->base) ||
        !copy_records(e->out, set, e->r->distrusts ? 0 : set->record_count))
        return false;
    if (is_whole && e->base.trace != TRACE_WHOLE) return false; /* bytes are no choices */
    e->base.has_run_out = is_whole && set->has_run_out;
    return accept_is_alike(e->r, run, result->bytes, result->size);
}

/* ---- One draw ---- */

/* A draw whose positions are asked. */
typedef struct subject {
    explainer *e;
    size_t draw;
} subject;

/* Answer whether positions of a draw fail; an asker (explain_values.h). */
static bool ask_alone(void *context, const uint64_t *positions, size_t count, bool *fails) {
    const subject *s = context;
    move moves[QUESTIONS_MAX];
    question list[QUESTIONS_MAX];
    assert(count <= QUESTIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        moves[i] = (move){s->draw, positions[i]};
        list[i] = (question){&moves[i], 1};
    }
    return ask(s->e, list, count, fails);
}

/* Find the positions of a draw that the nearest other draws have. Return their count. */
static size_t find_hints(const explainer *e, size_t i, uint64_t hints[HINTS_MAX]) {
    const size_t count = e->base.count;
    size_t used = 0;
    for (size_t by = 1; by < count && by <= OTHERS_MAX && used < HINTS_MAX; by++) {
        const size_t other = (i + count - by) % count;
        uint64_t same;
        bool is_new = same_position(e, i, other, e->draws[other].axis.at, &same);
        for (size_t k = 0; k < used; k++) is_new &= hints[k] != same;
        if (is_new) hints[used++] = same;
    }
    return used;
}

/* ---- Draws that must be equal ---- */

/* Pairs of positions to ask, and whether all asked so far failed just where they are equal. */
typedef struct pairs {
    explainer *e;
    size_t draw, other;
    move moves[PAIRS_TOGETHER][2];
    size_t count;
    bool agree, is_spent;
} pairs;

static void ask_pairs(pairs *p) {
    question list[PAIRS_TOGETHER];
    bool fails[PAIRS_TOGETHER];
    for (size_t i = 0; i < p->count; i++) list[i] = (question){p->moves[i], 2};
    if (p->count > 0 && p->agree && !p->is_spent) p->is_spent = !ask(p->e, list, p->count, fails);
    for (size_t i = 0; i < p->count && p->agree && !p->is_spent; i++) {
        uint64_t same;
        const move *m = p->moves[i];
        const bool exists = same_position(p->e, p->draw, p->other, m[1].to, &same);
        p->agree = fails[i] == (exists && m[0].to == same);
    }
    p->count = 0;
}

static void want_pair(pairs *p, uint64_t to, uint64_t other_to) {
    p->moves[p->count][0] = (move){p->draw, to};
    p->moves[p->count][1] = (move){p->other, other_to};
    if (++p->count == PAIRS_TOGETHER) ask_pairs(p);
}

/* Want pairs of a value of the other draw: with itself, its neighbours, the ends and another. */
static void want_pairs_of(pairs *p, uint64_t other_to) {
    const uint64_t last = p->e->draws[p->draw].axis.last;
    uint64_t same;
    want_pair(p, 0, other_to);
    want_pair(p, last, other_to);
    want_pair(p, explain_values_random_upto(&p->e->random, last), other_to);
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
        uint64_t o = explain_values_random_upto(&e->random, most);
        if (k % 2 == 0) o >>= explain_values_random(&e->random, 64);
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
    uint64_t all_max = EXPLAIN_VALUES_ALL_MAX, runs;
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
    const uint16_t letter = e->alphabet.letters[value];
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

static bool explore_draws(explainer *e) {
    const uint64_t all_max = all_max_of(e);
    for (size_t i = 0; i < e->base.count; i++) {
        uint64_t hints[HINTS_MAX];
        explored *d = &e->draws[i];
        subject alone = {e, i};
        axis line = d->axis;
        line.hint_count = find_hints(e, i, hints);
        line.hints = hints;
        line.all_max = all_max;
        e->alphabet = (alphabet){.draw = i};
        note_letter(e, &e->out->draws[i].record);
        if (!explain_values(&line, &(asker){ask_alone, &alone}, &e->random, &d->known,
                            &d->statement))
            return false;
        conclude_draw(e, i);
        e->out->explained++;
    }
    return true;
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
            moves[count++] =
                (move){j, explain_values_random_upto(&e->random, e->draws[j].axis.last)};
        }
        ok = ask(e, &(question){moves, count}, 1, &fails);
        if (ok) out->together++;
        if (ok && fails) out->together_failed++;
    }
    free(moves);
    return ok;
}

/* True if the result fails again and again. */
static bool repeats(explainer *e, bool *is_flaky) {
    bool fails[TOGETHER];
    question none[TOGETHER] = {{NULL, 0}};
    const unsigned count = e->r->config->is_fresh ? TOGETHER / 4 : TOGETHER;
    if (!ask(e, none, count, fails)) return false;
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
    if (!explore_draws(e)) return false;
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
    for (size_t i = 0; i < e->base.count; i++) e->draws[i] = explored_of(&e->base.draws[i]);
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

static void finish(explainer *e) {
    for (size_t i = 0; e->draws != NULL && i < e->base.count; i++)
        answers_finish(&e->draws[i].known);
    free(e->draws);
    testcase_finish(&e->base);
}

static explanation_cut cut_of(const client *c) {
    if (client_is_running(c)) return CUT_CALLS;
    return c->stop.end == END_SPENT ? CUT_TIME : CUT_STOPPED;
}

void explain_result(reduction *r) {
    explainer *e = calloc(1, sizeof *e);
    explanation *out = &r->result->explanation;
    if (e == NULL) return;
    *e = (explainer){.r = r, .out = out, .runs_before = r->client.runs, .batch_max = 1};
    if (r->config->explain.calls_max > 0) extend(r);
    out->state = look_at(r);
    if (out->state == EXPLANATION_MADE) out->state = begin(e);
    if (out->state == EXPLANATION_MADE) {
        out->cut = explain_all(e) ? CUT_NONE : cut_of(&r->client);
        pool_cancel(r->client.pool);
        r->loop.flight.count = 0;
    }
    out->runs = runs_made(e);
    out->is_asked = r->config->explain.is_asked;
    finish(e);
    free(e);
}
