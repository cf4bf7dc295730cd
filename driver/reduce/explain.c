#include "explain.h"

#include "accept.h"
#include "clock.h"
#include "pool.h"
#include "reduction_state.h"
#include "relations.h"
#include "summary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MAX = 64,            /* bytes of an input without draws */
    TOGETHER = 20,             /* runs with all free draws at random */
    RUN_MAX_NS = 50 * 1000000, /* longest run, unless an option asks */
    FLIGHT_MAX = 16,           /* questions that a set asks */
    LETTERS = 256              /* letters of an alphabet that are remembered */
};

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
    explored *draws;  /* one for each draw; owned */
    uint64_t *starts; /* where each begins in the entropy; owned */
    uint64_t runs_before;
    uint64_t random;
    bool looks;                   /* failures are rerun, to see their sites */
    size_t batch_max, batch_most; /* questions in the next set: more after passes */
    alphabet alphabet;
} explainer;

/* ---- Runs ---- */

static uint64_t runs_made(const explainer *e) { return e->r->client.runs - e->runs_before; }

static const move *move_of(const question *q, size_t number) {
    for (size_t i = 0; q != NULL && i < q->count; i++) {
        if (q->moves[i].draw == number) return &q->moves[i];
    }
    return NULL;
}

static uint64_t rank_of(const explainer *e, size_t i, const move *m) {
    uint64_t rank;
    const draw *d = &e->base.draws[i];
    return m != NULL && domain_rank(d, &e->draws[i].domain, m->position, &rank) ? rank : d->rank;
}

/* Return the move of draw i. Moves are in any order if they are few, else in that of the draws. */
static const move *next_move(const question *q, size_t i, size_t *next) {
    if (q == NULL) return NULL;
    if (*next < q->count && q->moves[*next].draw == i) return &q->moves[(*next)++];
    return q->count <= 2 ? move_of(q, i) : NULL;
}

/* Add the test case with some draws moved (NULL: none) to a set. False if there is no room, or if
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
        const uint64_t rank = rank_of(e, i, m);
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
    if (r->kind == FRNG_LETTER && r->start == e->starts[e->alphabet.draw] && pick < LETTERS)
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

/* Questions that a set in flight asks. */
typedef struct flight {
    size_t count;
    size_t questions[FLIGHT_MAX];
} flight;

/* Questions and their answers. */
typedef struct asking {
    explainer *e;
    const question *questions;
    bool *fails;
    size_t *queue; /* those that are not in flight and have no answer, the next one last; owned */
    size_t queued, answered;
    flight *ring; /* of e->r->loop.window.max; owned */
    size_t first, flying, questions_flying;
} asking;

/* True if one more question fits the budget. A failure whose site a run hides costs another one. */
static bool has_budget(const asking *a) {
    const uint64_t cost = a->e->looks ? 2 : 1;
    return client_is_running(&a->e->r->client) &&
           runs_made(a->e) + cost * (a->questions_flying + 1) <= a->e->r->config->explain.calls_max;
}

static flight *flight_at(const asking *a, size_t i) {
    return &a->ring[(a->first + i) % a->e->r->loop.window.max];
}

/* Submit a set of questions. False if not even one has room. */
static bool submit(asking *a) {
    explainer *e = a->e;
    candidate_set *set = pool_candidate_set(e->r->client.pool);
    flight *f = flight_at(a, a->flying);
    f->count = 0;
    while (f->count < e->batch_max && a->queued > 0 && has_budget(a)) {
        const size_t q = a->queue[a->queued - 1];
        if (!put(e, set, &a->questions[q])) break;
        f->questions[f->count++] = q;
        a->queued--;
        a->questions_flying++;
    }
    if (f->count == 0) return false;
    a->flying++;
    pool_submit_candidate_set(e->r->client.pool, set, e->r->loop.purpose);
    return true;
}

/* Remove the oldest flight. Its questions from `from` on wait again. */
static void land(asking *a, size_t from) {
    const flight *f = flight_at(a, 0);
    for (size_t i = f->count; i-- > from;) a->queue[a->queued++] = f->questions[i];
    a->questions_flying -= f->count;
    a->first++;
    a->flying--;
}

/* Take the result of the oldest flight, whose runs ended with the first that failed. False if it
 * says nothing. */
static bool take(asking *a, const run_result *run, const candidate_set *set) {
    explainer *e = a->e;
    const flight *f = flight_at(a, 0);
    const bool failed = run->last.verdict != VERDICT_PASS;
    if (run->ran == 0 || run->ran > f->count) return false;
    if (set->form == CANDIDATE_CHOICES && !set->can_choose) return false;
    for (size_t i = 0; i < run->ran; i++) a->fails[f->questions[i]] = false;
    if (e->base.draws[e->alphabet.draw].kind == FRNG_LETTER) learn_letter(e, set);
    e->r->has_looked = false;
    if (failed) a->fails[f->questions[run->ran - 1]] = judge(e, run, set, run->ran - 1);
    a->answered += run->ran;
    if (failed) {
        e->batch_max = run->ran;
    } else if (2 * e->batch_max <= e->batch_most) {
        e->batch_max *= 2;
    }
    land(a, run->ran);
    e->looks |= e->r->has_looked;
    while (e->r->has_looked && a->flying > 0) land(a, 0); /* what was in flight is cancelled */
    return true;
}

static bool ask_all(asking *a, size_t count) {
    client *c = &a->e->r->client;
    const size_t lanes = a->e->r->loop.window.max;
    while (a->answered < count) {
        while (a->queued > 0 && a->flying < lanes && pool_has_room(c->pool) && has_budget(a)) {
            if (!submit(a)) return false;
        }
        if (a->flying == 0 && !has_budget(a)) return false;
        batch runs;
        const run_result *run = client_wait(c, &runs);
        if (run == NULL && !client_is_running(c)) return false;
        if (run != NULL && !take(a, run, runs.candidates)) return false;
    }
    return true;
}

/* Answer questions; a mover (relations.h). */
static bool ask(void *context, const question *questions, size_t count, bool *fails) {
    explainer *e = context;
    asking a = {.e = e, .questions = questions, .fails = fails, .queued = count};
    const bool is_letter = e->base.draws[e->alphabet.draw].kind == FRNG_LETTER;
    e->batch_most = is_letter || e->r->config->is_fresh ? 1 : FLIGHT_MAX;
    if (e->batch_max > e->batch_most) e->batch_max = e->batch_most;
    a.queue = calloc(count + 1, sizeof *a.queue);
    a.ring = calloc(e->r->loop.window.max, sizeof *a.ring);
    bool ok = a.queue != NULL && a.ring != NULL;
    for (size_t i = 0; ok && i < count; i++) a.queue[i] = count - 1 - i;
    ok = ok && ask_all(&a, count);
    free(a.queue);
    free(a.ring);
    return ok;
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
        e->starts[i] = at;
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
    const bool fits = is_whole ? put(e, set, NULL) : result->size <= set->bytes_max;
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
    if (!accept_testcase(e->r, accept_trace(set, result->bytes, result->size, result->size),
                         &e->base) ||
        !copy_records(e->out, set, e->r->distrusts ? 0 : set->record_count))
        return false;
    if (is_whole && e->base.trace != TRACE_WHOLE) return false; /* bytes are no choices */
    e->base.has_run_out = is_whole && set->has_run_out;
    return accept_is_alike(e->r, run, result->bytes, result->size);
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
            const uint64_t last = e->draws[i].domain.axis.last;
            if (last < all_max) runs += last;
        }
        if (runs > most) all_max /= 4;
    } while (runs > most && all_max > 1);
    return all_max;
}

/* Return a position as the records of a trace have it. */
static uint64_t recorded(const explainer *e, size_t i, uint64_t at) {
    const uint64_t rank = rank_of(e, i, &(move){i, at});
    const uint64_t value = domain_recorded(&e->base.draws[i], rank);
    if (e->base.draws[i].kind != FRNG_LETTER || value >= LETTERS) return value;
    const uint16_t letter = e->alphabet.letters[value];
    return letter == 0 ? value : value | (uint64_t)(letter - 1) << 32 | EXPLANATION_LETTER_KNOWN;
}

/* Make the statement of a draw, with values in place of positions. */
static void conclude_draw(explainer *e, size_t i) {
    statement *s = &e->out->draws[i].statement;
    *s = e->draws[i].statement;
    const size_t of = s->kind == STATEMENT_RELATED ? s->other : i;
    s->low = recorded(e, of, s->low);
    s->high = recorded(e, of, s->high);
    for (size_t j = 0; j < s->value_count; j++) s->values[j] = recorded(e, i, s->values[j]);
}

static bool explore_draws(explainer *e, relation_search *search) {
    for (size_t i = 0; i < e->base.count; i++) {
        e->alphabet = (alphabet){.draw = i};
        note_letter(e, &e->out->draws[i].record);
        if (!relations_explore(search, i)) return false;
        conclude_draw(e, i);
        e->out->explained++;
    }
    return true;
}

/* Run with all free draws at random. */
static bool try_together(explainer *e, const mover *m) {
    explanation *out = e->out;
    move *moves = calloc(out->any_count + 1, sizeof *moves);
    bool ok = moves != NULL, fails = false;
    for (unsigned i = 0; ok && i < TOGETHER; i++) {
        size_t count = 0;
        for (size_t j = 0; j < out->count; j++) {
            if (e->draws[j].statement.kind != STATEMENT_ANY) continue;
            const uint64_t last = e->draws[j].domain.axis.last;
            moves[count++] = (move){j, explain_values_random_upto(&e->random, last)};
        }
        ok = m->ask(m->context, &(question){moves, count}, 1, &fails);
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
    const mover m = {ask, e};
    explanation *out = e->out;
    bool is_flaky = false;
    if (!repeats(e, &is_flaky)) {
        if (is_flaky) out->state = EXPLANATION_FLAKY;
        return false;
    }
    relation_search search = {e->draws, out->count, &m, &e->random, all_max_of(e), false};
    if (!explore_draws(e, &search)) return false;
    const bool ok = relations_find(&search);
    for (size_t i = 0; i < out->count; i++) {
        out->any_count += e->draws[i].statement.kind == STATEMENT_ANY ? 1 : 0;
        if (e->draws[i].statement.kind == STATEMENT_RELATED) conclude_draw(e, i);
    }
    return ok && (out->any_count < 2 || try_together(e, &m));
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
    e->starts = calloc(e->base.count + 1, sizeof *e->starts);
    if (e->out->draws == NULL || e->draws == NULL || e->starts == NULL) return EXPLANATION_DIFFERS;
    for (size_t i = 0; i < e->base.count; i++) e->draws[i].domain = domain_of(&e->base.draws[i]);
    place_draws(e);
    return EXPLANATION_MADE;
}

/* Return the reason not to explain, or EXPLANATION_MADE. */
static explanation_state look_at(const reduction *r) {
    const reduce_result *result = r->result;
    const explain_limits *limits = &r->config->explain;
    const int64_t calls = result->calls > 0 ? (int64_t)result->calls : 1;
    if (limits->calls_max == 0 || !result->found || r->config->is_file) return EXPLANATION_NONE;
    if (reduction_is_strict(r) || failure_is_flaky(&result->best)) return EXPLANATION_FLAKY;
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
    free(e->starts);
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
    }
    out->runs = runs_made(e);
    out->is_asked = r->config->explain.is_asked;
    finish(e);
    free(e);
}
