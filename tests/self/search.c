/* search.c: frng tests its search. A target is drawn, and the search runs it as a function, on a
 * pool without processes. What must hold of the result follows from the log of all runs:
 *
 * - a failure is announced only after it failed again, and bests get smaller;
 * - the answer fails again, and no run that counts failed with fewer bytes; with --all so for each
 *   signature; without an answer no run failed;
 * - a failure of which a rerun passed is called flaky, and the reruns of all that are like it say
 *   how often it fails;
 * - the claim counts only runs of its size that passed, and none if one there failed at times;
 * - each run is counted, once, also those of inputs that other searches found;
 * - a search that keeps going and is stopped at any run has no larger an answer than it announced,
 *   and claims no less than without going on;
 * - whatever is in flight, and however many runs a batch has, the runs and the result are the same;
 * - all that holds too where guided runs come between the others: their failures have no seed.
 *
 * HACKING.md says how to run it overnight. */
#include "search.h"
#include "event.h"
#include "frng_main.h"
#include "guide.h"
#include "pool.h"
#include "runner_fake.h"
#include "signature_filter.h"

#include "clock.h"

#include <errno.h>
#include <math.h>

/* ---- A target: a tree of conditions over its first bytes ---- */

enum { NODES = 15, DEEP = 4, BYTES_MAX = 64, STATUSES = 4, LOG_MAX = 1 << 15 };

typedef enum node_kind { BELOW, EQUAL, SUM, LENGTH, COUNT_OF } node_kind;

typedef struct node {
    node_kind kind;
    uint8_t at, other, value;
} node;

typedef struct logged {
    seed_input input;
    int status;     /* 0: passed */
    uint64_t drawn; /* or the size */
} logged;

typedef struct target {
    node nodes[NODES];         /* of node i the next ones are 2i + 1 and 2i + 2 */
    uint8_t leaves[NODES + 1]; /* exit statuses; 0: passes */
    uint8_t percent[STATUSES]; /* how often a run fails that would fail so */
    bool tells_drawn;
    uint64_t size_max;
    uint64_t end; /* the call that cannot be made, which stops the search */
    uint64_t calls;
    logged log[LOG_MAX];
} target;

static bool draw_target(frng *f, target *t) {
    static const node_kind kinds[] = {BELOW, BELOW, BELOW, EQUAL, SUM, LENGTH, COUNT_OF, BELOW};
    FRNG_TRY(frng_bool(f, &t->tells_drawn));
    for (size_t i = 0; i < NODES; i++) {
        node *n = &t->nodes[i];
        uint8_t kind;
        FRNG_TRY(frng_u8_max(f, 7, &kind));
        FRNG_TRY(frng_u8_max(f, 11, &n->at));
        FRNG_TRY(frng_u8_max(f, 11, &n->other));
        FRNG_TRY(frng_u8(f, &n->value));
        n->kind = kinds[kind];
    }
    for (size_t i = 0; i <= NODES; i++) {
        FRNG_TRY(frng_u8_max(f, 2 * STATUSES - 1, &t->leaves[i]));
        if (t->leaves[i] >= STATUSES) t->leaves[i] = 0;
    }
    for (size_t i = 1; i < STATUSES; i++) {
        uint8_t how;
        FRNG_TRY(frng_u8_max(f, 7, &how));
        FRNG_TRY(frng_u8_range(f, 5, 95, &t->percent[i]));
        if (how < 6) t->percent[i] = 100;
        if (how == 7) t->percent[i] = 0; /* it fails the first time only */
    }
    return true;
}

/* Bytes that a run has not are not drawn: it ends there, and passes. */
typedef struct reading {
    const uint8_t *bytes;
    uint64_t size, drawn;
    size_t length;      /* nodes passed */
    uint8_t path[DEEP]; /* them: 2 * node + what it held */
} reading;

static bool read_to(reading *r, uint64_t end) {
    r->drawn = end > r->drawn ? end : r->drawn;
    return end <= r->size;
}

static bool holds(const node *n, reading *r, bool *value) {
    unsigned sum = 0, count = 0;
    switch (n->kind) {
    case BELOW:
        if (!read_to(r, n->at + UINT64_C(1))) return false;
        *value = r->bytes[n->at] < n->value;
        return true;
    case EQUAL:
        if (!read_to(r, (n->at > n->other ? n->at : n->other) + UINT64_C(1))) return false;
        *value = r->bytes[n->at] % 8 == r->bytes[n->other] % 8;
        return true;
    case SUM:
        if (!read_to(r, n->at + UINT64_C(1))) return false;
        for (size_t i = 0; i <= n->at; i++) sum += r->bytes[i];
        *value = sum % 256 < n->value;
        return true;
    case LENGTH: /* it looks at how much there is: all of it is drawn */
        r->drawn = r->size;
        *value = r->size > n->value % BYTES_MAX;
        return true;
    case COUNT_OF:
        r->drawn = r->size;
        for (size_t i = 0; i < r->size; i++) count += r->bytes[i] < n->value;
        *value = count > n->at;
        return true;
    }
    abort();
}

/* Return the status of the run of these bytes, as if it always failed. */
static int read_all(const target *t, reading *r) {
    size_t at = 0;
    FRNG_ASSERT(r->size <= t->size_max, "larger than it may be");
    while (at < NODES) {
        bool value;
        if (!holds(&t->nodes[at], r, &value)) {
            r->drawn = r->size;
            return 0;
        }
        r->path[r->length++] = (uint8_t)(2 * at + value);
        at = 2 * at + 1 + value;
    }
    return t->leaves[at - NODES];
}

static int status_of(const target *t, seed_input input, uint64_t *drawn) {
    uint8_t bytes[BYTES_MAX];
    reading r = {bytes, input.size, 0, 0, {0}};
    FRNG_ASSERT(input.size <= BYTES_MAX);
    seed_input_expand(&input, bytes);
    const int status = read_all(t, &r);
    *drawn = r.drawn;
    return status;
}

/* True if both have the same bytes. What is cut off some bytes is no seed of its own. */
static bool is_same(seed_input a, seed_input b) {
    if (a.style != SEED_GIVEN || b.style != SEED_GIVEN) return seed_input_equal(a, b);
    return a.size == b.size && memcmp(seed_input_bytes(&a), seed_input_bytes(&b), a.size) == 0;
}

/* True if a run that fails does so each time. Of a flaky failure half of the seeds do. All inputs
 * of no bytes are one. */
static bool is_sure_run(const target *t, seed_input input, int status) {
    return t->percent[status] == 100 || (input.size > 0 && input.seed % 4 < 2);
}

static bool fails_now(const target *t, seed_input input, int status) {
    const unsigned percent = t->percent[status];
    if (is_sure_run(t, input, status)) return true;
    uint64_t x = input.seed ^ (input.size << 32) ^ (percent > 0 ? t->calls << 48 | t->calls : 0);
    for (uint64_t i = 0; i < t->calls && i < LOG_MAX && percent == 0; i++) {
        if (t->log[i].status != 0 && is_same(t->log[i].input, input)) return false;
    }
    return percent == 0 || frng__splitmix64(&x) % 100 < percent;
}

/* A run of this input would end with `status`, if it always failed, and draw so much. */
static outcome end_run(target *t, seed_input input, int status, uint64_t drawn) {
    if (status != 0 && !fails_now(t, input, status)) status = 0;
    if (t->calls < LOG_MAX) t->log[t->calls] = (logged){input, status, drawn};
    t->calls++;
    if (t->calls >= t->end) return outcome_error(FAULT_EXEC, ENOENT);
    outcome o = outcome_of_status(status << 8);
    if (t->tells_drawn && status != 0) o.drawn = drawn;
    return o;
}

static outcome judge(void *context, seed_input input) {
    target *t = context;
    uint64_t drawn;
    const int status = status_of(t, input, &drawn);
    return end_run(t, input, status, drawn);
}

/* ---- What it records of guided runs: each byte is a draw, each way that it takes a place ---- */

static frng_guide_record *next_record(candidate_set *set, uint32_t index, frng_guide_type type) {
    frng_guide_record *r = &set->log[set->log_count++];
    *r = (frng_guide_record){.type = (uint8_t)type, .width = 1, .run = index};
    return r;
}

static void record(const target *t, const reading *r, candidate_set *set, uint32_t index) {
    if (set->log_max - set->log_count < BYTES_MAX + DEEP) return;
    for (uint64_t i = 0; i < r->drawn; i++) {
        frng_guide_record *d = next_record(set, index, FRNG_GUIDE_DRAW);
        d->kind = FRNG_UINT;
        d->u.draw.start = i;
        d->u.draw.end = i + 1;
        d->u.draw.max = UINT8_MAX;
        d->u.draw.value = r->bytes[i];
    }
    for (size_t i = 0; i < r->length; i++) {
        const node *n = &t->nodes[r->path[i] / 2];
        frng_guide_site *site = &set->known->sites[r->path[i]];
        if (site->near == 0) *site = (frng_guide_site){1, (uint32_t)r->drawn, index};
        if (n->kind != BELOW) continue;
        frng_guide_record *p = next_record(set, index, FRNG_GUIDE_PAIR);
        p->kind = 1;
        p->draws = r->drawn;
        p->u.pair.a = n->value;
        p->u.pair.b = r->bytes[n->at];
    }
}

static unsigned given_failures; /* of this process, which keeps their bytes */

static outcome judge_given(void *context, candidate_set *set, uint32_t index, bool capture) {
    target *t = context;
    const uint64_t size = candidate_set_size(set, index);
    reading r = {candidate_set_bytes(set, index), size, 0, 0, {0}};
    const seed_input nameless = {size, UINT64_MAX, SEED_PLAIN};
    seed_input input = nameless;
    int status = read_all(t, &r);
    (void)capture;
    if (status != 0) {
        given_failures++;
        if (!seed_input_keep(r.bytes, size, &input)) status = 0; /* there are too many */
    }
    const outcome o = end_run(t, input, status, r.drawn);
    if (o.verdict != VERDICT_PASS || !set->is_guided) return o;
    if (t->calls <= LOG_MAX) t->log[t->calls - 1].input = nameless; /* no rerun: it was planned */
    set->passes[index] = (candidate_pass){r.drawn, r.length < DEEP};
    record(t, &r, set, index);
    return o;
}

/* ---- What the log says ---- */

static uint64_t failures_of(const target *t, seed_input input) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < t->calls; i++)
        count += t->log[i].status != 0 && is_same(t->log[i].input, input);
    return count;
}

static bool has_both(const target *t, seed_input input) {
    uint64_t runs = 0;
    for (uint64_t i = 0; i < t->calls; i++) runs += is_same(t->log[i].input, input);
    const uint64_t failures = failures_of(t, input);
    return failures > 0 && failures < runs;
}

static bool has_run_before(const target *t, uint64_t call) {
    uint64_t i = 0;
    while (i < call && !is_same(t->log[i].input, t->log[call].input)) i++;
    return i < call;
}

/* ---- A search, and what it tells ---- */

typedef struct told {
    const target *target;
    bool is_each, has_best, has_flaky;
    seed_input best;
    uint64_t smallest[STATUSES]; /* bytes of the smallest that was announced; UINT64_MAX: none */
} told;

static void take(void *context, const event *e) {
    told *t = context;
    t->has_flaky |= e->kind == EVENT_FLAKY;
    if (e->kind != EVENT_BEST && e->kind != EVENT_OTHER) return;
    const failure *f = e->failure;
    FRNG_ASSERT(f->repeated > 0 && f->repeated <= f->reruns);
    FRNG_ASSERT(failures_of(t->target, f->input) >= f->repeated, "announced unconfirmed");
    uint64_t *smallest = &t->smallest[f->signature.value];
    if (f->input.size < *smallest) *smallest = f->input.size;
    if (e->kind == EVENT_OTHER) return;
    FRNG_ASSERT(!t->has_best || t->is_each || t->has_flaky || seed_input_less(f->input, t->best),
                "bests must get smaller");
    t->has_best = true;
    t->best = f->input;
}

/* Inputs that other searches found, offered after so many calls. */
typedef struct offers {
    const target *target;
    uint64_t calls;
    failure list[3];
    size_t count, next;
} offers;

static bool offer(void *context, const failure *best, failure_table *mine, failure *next) {
    offers *o = context;
    (void)best, (void)mine;
    if (o->next == o->count || o->target->calls < o->calls) return false;
    *next = o->list[o->next++];
    return true;
}

static void run(const search_config *config, target *t, search_result *r, told *said) {
    *said = (told){.target = t, .is_each = config->goal == SEARCH_EACH};
    for (size_t i = 0; i < STATUSES; i++) said->smallest[i] = UINT64_MAX;
    const runner_fake_config fake = {judge, t, judge_given};
    const pool_config workers = {.create = runner_fake_create,
                                 .config = &fake,
                                 .interrupt_fd = -1,
                                 .candidate_set_bytes = GUIDE_SET_BYTES,
                                 .candidate_set_log = GUIDE_SET_RECORDS};
    const event_sink sink = {take, said};
    offers *o = config->source.context;
    o->target = t;
    o->next = 0;
    t->calls = 0;
    pool *p = pool_create(&workers);
    FRNG_ASSERT(p != NULL);
    search_run(config, p, &sink, r);
    pool_destroy(p);
    FRNG_ASSERT(r->told.stop.end == (t->calls >= t->end ? END_ENVIRONMENT : END_DONE));
}

/* ---- What must hold ---- */

static bool is_sure(const target *t) {
    return t->percent[1] == 100 && t->percent[2] == 100 && t->percent[3] == 100;
}

static void check_claim(const target *t, const strategy_claim *claim) {
    uint64_t passed = 0;
    FRNG_ASSERT(isfinite(claim->run.bound) && claim->run.bound >= 0 && claim->run.bound <= 1);
    FRNG_ASSERT(claim->run.counted <= claim->run.passed);
    if (!claim->failed || claim->run.passed == 0 || claim->run.bound == 0) return;
    FRNG_ASSERT(claim->run.below + 1 == claim->best.size);
    for (uint64_t i = 0; i < t->calls; i++) passed += t->log[i].input.size == claim->run.below;
    FRNG_ASSERT(claim->run.passed <= passed, "claims runs that were not made");
}

static void check_failure(const target *t, const failure *f) {
    uint64_t drawn;
    FRNG_ASSERT(f->repeated > 0);
    FRNG_ASSERT(status_of(t, f->input, &drawn) == f->signature.value, "does not fail so");
    FRNG_ASSERT(failures_of(t, f->input) >= f->repeated);
    FRNG_ASSERT(f->reruns == FAILURE_RERUNS || t->calls >= t->end);
    FRNG_ASSERT(!has_both(t, f->input) || failure_is_of_flaky(f), "flaky, and not called so");
    FRNG_ASSERT(f->alike.repeated <= f->alike.reruns && f->alike.reruns >= f->reruns);
}

/* If the target tells no draws, each failed run is judged by itself: beside one that failed at
 * times a claim counts nothing, and all runs of an input but the first are reruns. */
static void check_doubts(const target *t, const search_result *r) {
    rerun_count reruns = {0, 0};
    for (uint64_t i = 0; i < t->calls; i++) {
        uint64_t drawn;
        const logged *l = &t->log[i];
        if (l->status != 0 && l->input.size == r->claim.run.below && r->claim.run.bound > 0)
            FRNG_ASSERT(r->claim.run.passed == 0, "a failure counts as a pass");
        if (status_of(t, l->input, &drawn) != r->best.signature.value || !has_run_before(t, i))
            continue;
        reruns.reruns++;
        reruns.repeated += l->status != 0;
    }
    FRNG_ASSERT(r->best.alike.reruns == reruns.reruns, "%d reruns of %d count",
                (int)r->best.alike.reruns, (int)reruns.reruns);
    FRNG_ASSERT(r->best.alike.repeated == reruns.repeated);
}

/* Return the answer for a status, or NULL. */
static const failure *answer_of(const search_result *r, bool is_each, int status) {
    if (!is_each) return r->found ? &r->best : NULL;
    for (size_t i = 0; i < r->told.each.count; i++) {
        if (r->told.each.list[i].failure->signature.value == status)
            return r->told.each.list[i].failure;
    }
    return NULL;
}

/* No run that counts failed with fewer bytes than the answer, if its failure always repeats: also
 * beside flaky ones, which never take its place. (A round of --all may pass over a signature while
 * it is known to be flaky.) */
static void check_smallest(const search_config *config, const target *t, const search_result *r) {
    const int ignored = config->filter->ignored.count > 0 ? 1 : 0;
    const bool is_each = config->goal == SEARCH_EACH;
    for (uint64_t i = 0; i < t->calls; i++) {
        const logged *l = &t->log[i];
        if (l->status == 0 || l->status == ignored) continue;
        if (is_each ? t->percent[l->status] < 100 : !is_sure_run(t, l->input, l->status)) continue;
        const failure *best = answer_of(r, is_each, l->status);
        FRNG_ASSERT(best != NULL, "exit:%d at size %d is no answer", l->status, (int)l->input.size);
        FRNG_ASSERT(best->input.size <= l->input.size, "exit:%d fails with %d bytes too", l->status,
                    (int)l->input.size);
        FRNG_ASSERT(!failure_is_flaky(best), "a flaky failure takes the place of a sure one");
    }
}

/* What a search that is stopped announced of failures that always repeat is not lost. */
static void check_announced(const target *t, const search_result *r, const told *said) {
    for (int status = 1; status < STATUSES; status++) {
        const uint64_t smallest = said->smallest[status];
        if (t->percent[status] < 100 || smallest == UINT64_MAX) continue;
        const failure *best = answer_of(r, said->is_each, status);
        FRNG_ASSERT(best != NULL && best->input.size <= smallest, "exit:%d is lost", status);
    }
}

static void check(const search_config *config, const target *t, const search_result *r,
                  const told *said) {
    check_announced(t, r, said);
    FRNG_ASSERT(!(r->found && r->inconclusive));
    if (t->calls < t->end)
        FRNG_ASSERT(r->told.progress.runs + r->told.progress.reruns == t->calls,
                    "%d runs and %d reruns are not %d calls", (int)r->told.progress.runs,
                    (int)r->told.progress.reruns, (int)t->calls);
    if (is_sure(t) && !t->tells_drawn && t->calls < t->end) { /* then no rerun passes */
        uint64_t passed = 0;
        for (uint64_t i = 0; i < t->calls; i++) passed += t->log[i].status == 0;
        FRNG_ASSERT(r->passed == passed);
    }
    check_claim(t, &r->claim);
    if (r->found) check_failure(t, &r->best);
    for (size_t i = 0; i < r->told.each.count; i++) {
        const failure *best = r->told.each.list[i].failure;
        check_failure(t, best);
        check_claim(t, &(strategy_claim){true, best->input, *r->told.each.list[i].claim});
    }
    if (t->calls >= t->end) return;
    check_smallest(config, t, r);
    const bool has_offers = ((const offers *)config->source.context)->count > 0;
    if (!t->tells_drawn && r->found && config->goal == SEARCH_SMALLEST &&
        config->filter->ignored.count == 0 && !has_offers)
        check_doubts(t, r);
    if (is_sure(t)) FRNG_ASSERT(!r->inconclusive);
}

static void check_same(const search_result *a, const search_result *b) {
    FRNG_ASSERT(a->told.progress.runs == b->told.progress.runs, "%d runs, or %d",
                (int)a->told.progress.runs, (int)b->told.progress.runs);
    FRNG_ASSERT(a->told.guided == b->told.guided, "%d guided runs, or %d", (int)a->told.guided,
                (int)b->told.guided);
    FRNG_ASSERT(a->told.progress.reruns == b->told.progress.reruns && a->found == b->found);
    FRNG_ASSERT(seed_input_equal(a->best.input, b->best.input));
    FRNG_ASSERT(a->best.reruns == b->best.reruns && a->best.repeated == b->best.repeated);
    FRNG_ASSERT(a->claim.run.passed == b->claim.run.passed);
    FRNG_ASSERT(a->claim.run.bound == b->claim.run.bound);
    FRNG_ASSERT(a->told.each.count == b->told.each.count &&
                a->told.others.count == b->told.others.count);
    for (size_t i = 0; i < a->told.each.count; i++) {
        const found_input *x = &a->told.each.list[i], *y = &b->told.each.list[i];
        FRNG_ASSERT(seed_input_equal(x->failure->input, y->failure->input));
        FRNG_ASSERT(x->claim->bound == y->claim->bound);
    }
}

/* Some say that they failed in each of 20 reruns. */
static bool draw_offers(frng *f, offers *o, uint64_t size_max) {
    uint8_t count;
    uint16_t calls;
    bool begins;
    FRNG_TRY(frng_bool(f, &begins));
    FRNG_TRY(frng_u16_max(f, 500, &calls));
    o->calls = begins ? 0 : calls;
    FRNG_TRY(frng_u8_max(f, 3, &count));
    for (size_t i = 0; i < count; i++) {
        failure *at = &o->list[i];
        uint8_t status, size;
        FRNG_TRY(frng_u8_max(f, (uint8_t)(size_max + 1), &size));
        at->input.size = size;
        FRNG_TRY(frng_u64(f, &at->input.seed));
        FRNG_TRY(frng_u8_max(f, STATUSES - 1, &status));
        if (status > 0) {
            at->signature = (signature){SIGNATURE_EXIT, status};
            at->alike = (rerun_count){20, 20};
        }
    }
    o->count = count;
    return true;
}

/* A search that went on after its end claims no less than it did there. */
static void check_no_less(const search_result *now, const search_result *once) {
    for (size_t i = 0; i < once->told.each.count; i++) {
        const failure *was = once->told.each.list[i].failure, *is = NULL;
        size_t k = 0;
        for (; k < now->told.each.count && is == NULL; k++) {
            const failure *f = now->told.each.list[k].failure;
            if (failure_is_same(f, was)) is = f;
        }
        FRNG_ASSERT(is != NULL, "an answer is lost");
        FRNG_ASSERT(is->input.size <= was->input.size);
        if (!seed_input_equal(is->input, was->input)) continue;
        FRNG_ASSERT(now->told.each.list[k - 1].claim->bound <= once->told.each.list[i].claim->bound,
                    "a claim is taken back");
    }
    FRNG_ASSERT(now->told.grown.rounds >= once->told.grown.rounds);
    FRNG_ASSERT(now->best.input.size <= once->best.input.size || !once->found);
}

static bool draw_config(frng *f, search_config *c) {
    static signature_filter filter;
    static offers others;
    uint8_t attempts, size_max, expand;
    bool is_each, ignores;
    FRNG_TRY(frng_bool(f, &c->is_guided));
    FRNG_TRY(frng_bool(f, &is_each));
    FRNG_TRY(frng_bool(f, &ignores));
    FRNG_TRY(frng_u8_range(f, 1, 20, &attempts));
    FRNG_TRY(frng_u8_range(f, 0, BYTES_MAX, &size_max));
    FRNG_TRY(frng_u8_max(f, 2, &expand));
    FRNG_TRY(frng_u64(f, &c->strategy.master_seed));
    memset(&others, 0, sizeof others);
    FRNG_TRY(draw_offers(f, &others, size_max));
    c->source = (search_source){offer, &others};
    filter.ignored.count = ignores;
    FRNG_ASSERT(signature_pattern_parse("exit:1", &filter.ignored.list[0]));
    c->goal = is_each ? SEARCH_EACH : SEARCH_SMALLEST;
    c->deadline_ns = CLOCK_NEVER;
    c->filter = &filter;
    c->strategy.attempts = attempts;
    c->strategy.size_max = size_max;
    c->strategy.expand = (seed_expansion)expand;
    return true;
}

static bool test(frng *f) {
    static target t;
    static search_result alone, ahead;
    search_config config = {.goal = SEARCH_SMALLEST};
    told said;
    uint16_t end;
    bool is_stopped;
    uint8_t depth, size;
    if (given_failures > 256) exit(0); /* another process makes the next run */
    memset(&t, 0, sizeof t);
    FRNG_TRY(draw_config(f, &config));
    FRNG_TRY(frng_u8_range(f, 1, INLINE_POOL_DEPTH_MAX, &depth));
    FRNG_TRY(frng_u8_range(f, 1, 40, &size));
    FRNG_TRY(frng_bool(f, &is_stopped));
    FRNG_TRY(frng_u16_range(f, 2, 4000, &end));
    config.keeps_going = is_stopped;
    FRNG_TRY(draw_target(f, &t));
    t.size_max = config.strategy.size_max;
    t.end = is_stopped ? end : UINT64_MAX;
    inline_pool_depth = is_sure(&t) ? 1 : depth; /* of a sure one both are compared below */
    inline_pool_batch = is_sure(&t) ? 1 : size;
    run(&config, &t, &alone, &said);
    frng_measure(f, "runs", t.calls);
    if (alone.told.guided > 0) frng_label(f, "guided");
    frng_label(f, alone.found ? "found" : alone.inconclusive ? "inconclusive" : "none");
    if (t.calls <= LOG_MAX) check(&config, &t, &alone, &said);
    /* The number of calls decides what a flaky target answers, and when offers come. */
    if (is_sure(&t) && ((offers *)config.source.context)->calls == 0) {
        inline_pool_depth = depth;
        inline_pool_batch = size;
        config.keeps_going = false;
        t.end = UINT64_MAX;
        run(&config, &t, &ahead, &said);
        if (!is_stopped) check_same(&alone, &ahead);
        if (is_stopped && t.calls < end) check_no_less(&alone, &ahead);
        search_finish(&ahead);
    }
    search_finish(&alone);
    return true;
}

FRNG_MAIN(test)
