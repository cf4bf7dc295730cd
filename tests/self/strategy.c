/* strategy.c: frng tests its strategy. Results are a drawn function of the inputs. What must hold:
 *
 * - with any number of runs in a batch and of batches in flight, and results told of batches or of
 *   their parts, and of their masked runs one by one or together, the same runs are taken in the
 *   same order, and the claims are the same;
 * - no run is larger than size_max, and no fresh seed runs twice;
 * - an answer failed, none smaller did, and the passes of the claim were made in a row at its size;
 * - of a mixture of styles a claim counts pairs of both, at the size with the fewest;
 * - where nothing failed, the claim has each size with the runs that were made there, and each got
 *   the least that is due;
 * - no run counts in a claim that may have had a masked one before it in its process;
 * - no claim counts runs that the test discarded;
 * - it ends, unless it is endless; with more attempts it goes on, and claims no less;
 * - all this also if a failure of another search is adopted at any run, or the strategy settles
 *   there. */
#include "strategy.h"
#include "frng_main.h"

#include "candidate_set.h"
#include "confidence.h"

enum { TAKEN_MAX = 1 << 16 };

/* How runs end: those that draw `length` of the bytes there are, by a hash of their seed. */
typedef struct game {
    strategy_config config;
    uint64_t key;
    uint8_t kind;       /* of failures, see fails */
    uint16_t threshold; /* bytes */
    uint8_t one_in;     /* seeds */
    uint8_t discards;   /* of eight runs that pass */
    uint16_t length_max;
    bool tells_drawn;
    uint8_t masks;     /* none, half or all of the failures */
    size_t adopts_at;  /* the run after which a failure of another search is adopted, */
    size_t settles_at; /* and after which the strategy settles */
    size_t runs_max;
} game;

/* How the results are given. */
typedef struct pace {
    unsigned depth;     /* batches in flight */
    uint32_t count_max; /* runs of a batch */
    uint32_t part;      /* runs whose results are given at a time */
    bool joins;         /* those of processes that go on are given beyond masked ones */
} pace;

enum { DEPTH_MAX = 16 };

typedef struct taken {
    seed_input input;
    strategy_result result;
    bool is_discarded;
} taken;

typedef struct play {
    size_t count;
    bool has_adopted, has_settled;
    seed_input adopted;
    taken list[TAKEN_MAX];
    strategy_claim claim, raised;
} play;

static uint64_t hash(uint64_t key, uint64_t x) {
    uint64_t state = key ^ x * UINT64_C(0x9e3779b97f4a7c15);
    return frng__splitmix64(&state);
}

/* The bytes that a run draws if there are enough: more for some seeds than for others. */
static uint64_t length_of(const game *g, seed_input t) {
    return hash(g->key, t.seed) % (g->length_max + UINT64_C(1));
}

static bool is_chosen(const game *g, seed_input t) {
    return hash(g->key + 1, t.seed) % g->one_in == 0;
}

/* True if a run that passes does not count. */
static bool is_discarded(const game *g, seed_input t) {
    return hash(g->key + 3, t.seed) % 8 < g->discards;
}

static strategy_result result_of(const game *g, seed_input t, uint64_t *drawn) {
    const uint64_t length = length_of(g, t);
    bool fails = false;
    *drawn = g->tells_drawn ? length : STRATEGY_DRAWN_UNKNOWN;
    if (length > t.size && g->tells_drawn) return STRATEGY_PASSED; /* it ran out */
    switch (g->kind) {
    case 0: fails = t.size >= g->threshold && is_chosen(g, t); break;
    case 1: fails = t.size >= g->threshold && t.size % 2 == 0 && is_chosen(g, t); break;
    case 2: fails = hash(g->key + t.size, t.seed) % g->one_in == 0; break;
    default: break;
    }
    if (g->tells_drawn && fails) { /* what it drew alone fails as well, or it is unknown */
        seed_input prefix = seed_input_cut(t, length);
        game silent = *g;
        uint64_t unknown;
        silent.tells_drawn = false;
        if (result_of(&silent, prefix, &unknown) == STRATEGY_PASSED)
            *drawn = STRATEGY_DRAWN_UNKNOWN;
    }
    if (!fails) return STRATEGY_PASSED;
    return hash(g->key + 2, t.seed) % 2 < g->masks ? STRATEGY_MASKED : STRATEGY_FAILED;
}

/* What the first `ran` runs of a batch drew. */
static strategy_draws draws_of(const game *g, const batch *b, uint32_t ran) {
    strategy_draws all = {.most = 0};
    for (uint32_t i = 0; i < ran; i++) {
        const seed_input t = batch_input(b, i);
        const uint64_t length = length_of(g, t);
        const uint64_t used = length < b->size ? length : b->size;
        uint64_t drawn;
        const bool is_none = is_discarded(g, t) && result_of(g, t, &drawn) == STRATEGY_PASSED;
        all.discarded += is_none;
        all.discarded_styled += is_none && t.style == SEED_STYLED;
        all.most = used > all.most ? used : all.most;
        all.sum += used;
        all.ran_out += length > b->size;
    }
    if (!g->tells_drawn) all.most = all.sum = STRATEGY_DRAWN_UNKNOWN;
    return all;
}

/* Of each size, processes go on after masked runs in rows that end before these numbers, but for
 * the first one, where one in MASKED runs was masked before. */
enum { ROW = 8192, MASKED = 100 };

static bool is_row_start(const game *g, size_t at) {
    return at > 0 && (at == g->config.masked_first || at % ROW == 0);
}

/* Check that the runs of a batch in processes that go on share none with runs of other rows. Below
 * a best, stretches count anew. */
static void check_row(const strategy *s, const game *g, const play *p, const batch *b) {
    size_t at = 0;
    if (!b->may_know || strategy_claim_now(s).failed) return;
    for (size_t i = 0; i < p->count; i++) at += p->list[i].input.size == b->size;
    FRNG_ASSERT(at >= g->config.masked_first && at / ROW == (at + b->count - 1) / ROW,
                "runs of two rows");
}

/* The runs that the strategy is told of in one call. `masked` lists those that were masked, without
 * the last run, whose result is `last`. */
typedef struct told {
    uint32_t ran, count;
    strategy_result last;
    uint64_t drawn;
    known_run masked[FRNG_KNOWN_RUNS];
} told;

/* Make `given` runs of a batch, up to the first that does not pass, or if its process goes on after
 * masked ones, that is not masked. */
static void run(const game *g, const batch *b, uint32_t given, bool goes_on, told *r) {
    uint64_t discarded[2] = {0};
    r->ran = r->count = 0;
    r->last = STRATEGY_PASSED;
    while (r->ran < given) {
        const bool is_masked = r->last == STRATEGY_MASKED && r->drawn != STRATEGY_DRAWN_UNKNOWN;
        if (r->last != STRATEGY_PASSED && !(goes_on && is_masked)) return;
        if (is_masked)
            r->masked[r->count++] =
                (known_run){r->ran - 1, 0, r->drawn, discarded[SEED_PLAIN] + discarded[SEED_STYLED],
                            discarded[SEED_STYLED]};
        const seed_input t = batch_input(b, r->ran++);
        FRNG_ASSERT(t.size <= g->config.size_max);
        r->last = result_of(g, t, &r->drawn);
        discarded[t.style] += r->last == STRATEGY_PASSED && is_discarded(g, t);
    }
}

/* Feed the results of runs of the oldest batch, as far as they fit. Return true if what is under
 * way is void. */
static bool feed(strategy *s, const game *g, const batch *b, const pace *at, told *r) {
    const bool goes_on = at->joins && b->may_know;
    uint32_t fit;
    while (r->count > 0 && (fit = strategy_fit(s, r->ran, r->masked, r->count)) < r->ran)
        run(g, b, fit, goes_on, r);
    strategy_draws draws = draws_of(g, b, r->ran);
    const uint32_t before = r->count > 0 ? r->masked[r->count - 1].run + 1 : 0;
    strategy_feed_masked(s, r->masked, r->count, &draws);
    return strategy_feed(s, r->ran - before, r->last, r->last == STRATEGY_PASSED ? 0 : r->drawn,
                         &draws);
}

static void take(const game *g, play *p, const batch *b, uint32_t ran) {
    for (uint32_t i = 0; i < ran; i++) {
        const seed_input t = batch_input(b, i);
        uint64_t drawn;
        const strategy_result result = result_of(g, t, &drawn);
        p->list[p->count++] = (taken){t, result, result == STRATEGY_PASSED && is_discarded(g, t)};
    }
}

/* Play up to run `end`, or until the strategy is done. */
static void play_to(strategy *s, const game *g, play *p, const pace *at, size_t end) {
    batch flight[DEPTH_MAX];
    unsigned count = 0;
    while (p->count < end) {
        batch next;
        strategy_answer answer = STRATEGY_WAIT;
        while (count < at->depth &&
               (answer = strategy_next(s, at->count_max, &next)) == STRATEGY_RUN)
            flight[count++] = next;
        if (count == 0) {
            FRNG_ASSERT(answer == STRATEGY_DONE, "it waits for nothing");
            return;
        }
        static told r;
        const batch b = flight[0];
        check_row(s, g, p, &b);
        run(g, &b, (uint32_t)smaller(smaller(b.count, at->part), end - p->count),
            at->joins && b.may_know, &r);
        const bool is_void = feed(s, g, &b, at, &r);
        take(g, p, &b, r.ran);
        if (is_void) {
            count = 0;
        } else if (r.ran < b.count) {
            flight[0] = batch_part(&b, r.ran, b.count - r.ran);
        } else {
            memmove(flight, flight + 1, --count * sizeof flight[0]);
        }
    }
    strategy_forget(s);
}

/* Adopt a failure of another search, half as large as the best. */
static void adopt(strategy *s, const game *g, play *p) {
    const strategy_claim now = strategy_claim_now(s);
    const uint64_t size = now.failed ? now.best.size : g->config.size_max;
    p->has_adopted = true;
    p->adopted = (seed_input){.size = size / 2, .seed = g->key};
    strategy_adopt(s, p->adopted);
}

/* The first search, and what follows with more attempts. */
static void play_all(const game *g, const seed_input *from, play *p, const pace *at) {
    strategy *s = strategy_create(&g->config, from);
    FRNG_ASSERT(s != NULL && strategy_claim_now(s).run.bound <= 1);
    p->count = 0;
    p->has_adopted = p->has_settled = false;
    if (g->settles_at < g->runs_max) {
        play_to(s, g, p, at, g->settles_at);
        p->has_settled = strategy_settle(s);
        FRNG_ASSERT(!p->has_settled || !strategy_settle(s), "it settles twice");
    }
    if (g->adopts_at < g->runs_max) {
        play_to(s, g, p, at, g->adopts_at);
        if (p->count == g->adopts_at) adopt(s, g, p);
    }
    play_to(s, g, p, at, g->runs_max);
    p->claim = p->raised = strategy_claim_now(s);
    if (p->count < g->runs_max && strategy_raise_attempts(s)) {
        play_to(s, g, p, at, g->runs_max);
        p->raised = strategy_claim_now(s);
    }
    strategy_destroy(s);
}

/* ---- What must hold ---- */

static bool is_seen_before(const play *p, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (seed_input_equal(p->list[k].input, p->list[i].input)) return true;
    }
    return false;
}

/* Count the runs of a size that neither failed nor were discarded, by style. */
static void count_at(const play *p, uint64_t size, uint64_t count[2]) {
    count[SEED_PLAIN] = count[SEED_STYLED] = 0;
    for (size_t i = 0; i < p->count; i++) {
        const taken *t = &p->list[i];
        if (t->input.size == size && t->result != STRATEGY_FAILED && !t->is_discarded)
            count[t->input.style]++;
    }
}

/* Count those of them, where none failed, that had no masked run before them in their process. */
static void count_cold_at(const game *g, const play *p, uint64_t size, uint64_t count[2]) {
    uint64_t at = 0, until = 0, masked = 0;
    bool goes_on = false;
    count[SEED_PLAIN] = count[SEED_STYLED] = 0;
    for (size_t i = 0; i < p->count; i++) {
        const taken *t = &p->list[i];
        if (t->input.size != size) continue;
        if (is_row_start(g, at)) goes_on = g->config.masked_first > 0 && masked * MASKED >= at;
        count[t->input.style] += at >= until && !t->is_discarded;
        masked += t->result == STRATEGY_MASKED;
        if (goes_on && t->result == STRATEGY_MASKED) until = (at / ROW + 1) * ROW;
        at++;
    }
}

/* Return the pairs of a plain and a styled run among those of a size that count. */
static uint64_t pairs_at(const game *g, const play *p, uint64_t size) {
    uint64_t count[2];
    if (p->raised.failed)
        count_at(p, size, count);
    else
        count_cold_at(g, p, size, count);
    return smaller(count[SEED_PLAIN], count[SEED_STYLED]);
}

/* Return how many passes a bound counts. */
static uint64_t counted_of(const game *g, const uint64_t styles[2]) {
    const uint64_t pairs = smaller(styles[SEED_PLAIN], styles[SEED_STYLED]);
    return g->config.expand == EXPAND_BOTH ? 2 * pairs : styles[SEED_PLAIN] + styles[SEED_STYLED];
}

/* Check what is claimed of one size: `styles` has the passes made there. */
static void check_level(const game *g, const play *p, const claim_level *l,
                        const uint64_t styles[2]) {
    uint64_t cold[2];
    count_cold_at(g, p, l->size, cold);
    FRNG_ASSERT(l->runs == styles[SEED_PLAIN] + styles[SEED_STYLED], "size %d had other runs",
                (int)l->size);
    FRNG_ASSERT(l->counted == counted_of(g, cold), "size %d counts others", (int)l->size);
    FRNG_ASSERT(l->bound == confidence_bound(l->counted, 1), "size %d has another bound",
                (int)l->size);
}

/* Check what is claimed of each size where nothing failed. */
static void check_levels(const game *g, const play *p) {
    const run_claim *claim = &p->raised.run;
    const bool is_over = p->count < g->runs_max && !g->config.endless;
    if (p->raised.failed || g->config.size_max == 0) return;
    FRNG_ASSERT(claim->levels.count == claim->sizes);
    for (size_t i = 0; i < claim->levels.count; i++) {
        const claim_level *l = &claim->levels.list[i];
        uint64_t styles[2];
        count_at(p, l->size, styles);
        check_level(g, p, l, styles);
        FRNG_ASSERT(i == 0 || l->size > l[-1].size);
        FRNG_ASSERT(l->bound <= claim->bound);
        const uint64_t due = g->config.grows_by_cost && l->size > 4096
                                 ? larger(2, g->config.attempts / 10)
                                 : g->config.attempts;
        if (is_over && g->discards == 0)
            FRNG_ASSERT(counted_of(g, styles) + 1 >= due, "size %d had too few", (int)l->size);
    }
}

static void check_pairs(const game *g, const play *p) {
    const run_claim *claim = &p->raised.run;
    if (g->config.expand != EXPAND_BOTH || claim->bound == 0) return;
    if (p->raised.failed) {
        FRNG_ASSERT(claim->counted <= 2 * pairs_at(g, p, claim->below), "it counts no pairs");
        return;
    }
    for (uint64_t size = 16; size < claim->largest; size *= 2)
        FRNG_ASSERT(claim->bound >= confidence_bound(2 * pairs_at(g, p, size), 1),
                    "it is too bold");
}

static void check(const game *g, const play *p) {
    check_pairs(g, p);
    check_levels(g, p);
    uint64_t smallest = p->has_adopted ? p->adopted.size : UINT64_MAX, at_below = 0;
    for (size_t i = 0; i < p->count; i++) {
        const taken *t = &p->list[i];
        if (t->result == STRATEGY_FAILED && t->input.size < smallest) smallest = t->input.size;
        if (i < 2000) FRNG_ASSERT(!is_seen_before(p, i), "a run is made twice");
        at_below += t->result != STRATEGY_FAILED && t->input.size == p->raised.run.below &&
                    !t->is_discarded;
    }
    const strategy_claim *c = &p->raised;
    FRNG_ASSERT(c->run.bound >= 0 && c->run.bound <= 1);
    FRNG_ASSERT(c->run.counted <= c->run.passed);
    if (!c->failed) FRNG_ASSERT(smallest == UINT64_MAX, "a failure is not claimed");
    if (!c->failed || smallest == UINT64_MAX) return;
    FRNG_ASSERT(c->best.size <= smallest);
    FRNG_ASSERT(g->tells_drawn || c->best.size == smallest);
    if (c->run.bound > 0) FRNG_ASSERT(c->run.passed <= at_below, "passes that were not made");
    if (p->claim.failed && seed_input_equal(p->claim.best, c->best))
        FRNG_ASSERT(c->run.bound <= p->claim.run.bound);
}

static void check_same(const play *a, const play *b) {
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        FRNG_ASSERT(seed_input_equal(a->list[i].input, b->list[i].input), "run %d differs", (int)i);
        FRNG_ASSERT(a->list[i].result == b->list[i].result);
    }
    FRNG_ASSERT(a->count == b->count, "%d runs, or %d", (int)a->count, (int)b->count);
    FRNG_ASSERT(a->raised.failed == b->raised.failed);
    FRNG_ASSERT(seed_input_equal(a->raised.best, b->raised.best));
    FRNG_ASSERT(a->raised.run.passed == b->raised.run.passed);
    FRNG_ASSERT(a->raised.run.bound == b->raised.run.bound);
    FRNG_ASSERT(a->raised.run.counted == b->raised.run.counted);
    FRNG_ASSERT(a->raised.run.rounds == b->raised.run.rounds);
    FRNG_ASSERT(a->has_settled == b->has_settled);
}

static bool draw_game(frng *f, game *g) {
    uint8_t expand, attempts, size_bits, first;
    bool adopts, settles;
    uint16_t adopts_at;
    FRNG_TRY(frng_u8_range(f, 1, 30, &attempts));
    FRNG_TRY(frng_u8_range(f, 0, 14, &size_bits));
    FRNG_TRY(frng_u64_max(f, UINT64_C(1) << size_bits, &g->config.size_max));
    FRNG_TRY(frng_u64(f, &g->config.master_seed));
    FRNG_TRY(frng_u8_max(f, 2, &expand));
    FRNG_TRY(frng_u64(f, &g->key));
    FRNG_TRY(frng_u8_max(f, 3, &g->kind));
    FRNG_TRY(frng_u16_max(f, 200, &g->threshold));
    FRNG_TRY(frng_u8_range(f, 1, 60, &g->one_in));
    FRNG_TRY(frng_u16_max(f, 1000, &g->length_max));
    FRNG_TRY(frng_bool(f, &g->tells_drawn));
    FRNG_TRY(frng_u8_max(f, 2, &g->masks));
    FRNG_TRY(frng_bool(f, &g->config.endless));
    FRNG_TRY(frng_u16_max(f, 4000, &adopts_at));
    FRNG_TRY(frng_bool(f, &adopts));
    FRNG_TRY(frng_bool(f, &g->config.grows_by_cost));
    FRNG_TRY(frng_bool(f, &g->config.ends_by_cost));
    FRNG_TRY(frng_bool(f, &settles));
    FRNG_TRY(frng_u8_max(f, 2, &first));
    FRNG_TRY(frng_u8_max(f, 8, &g->discards));
    g->adopts_at = adopts && !settles ? adopts_at % 400 : SIZE_MAX;
    g->settles_at = settles ? adopts_at : SIZE_MAX;
    g->runs_max = g->config.endless ? adopts_at : TAKEN_MAX;
    g->config.attempts = attempts;
    g->config.masked_first = first == 1 ? 256 : 32 * first;
    g->config.expand = (seed_expansion)expand;
    return true;
}

static bool test(frng *f) {
    static const pace slow = {1, 1, 1, false};
    static play alone, ahead;
    game g = {.key = 0};
    uint8_t depth, count_max, part;
    bool resumes, joins;
    seed_input from = {.size = 0};
    FRNG_TRY(frng_u8_range(f, 1, DEPTH_MAX, &depth));
    FRNG_TRY(frng_u8_range(f, 1, 100, &count_max));
    FRNG_TRY(frng_u8_range(f, 1, 100, &part));
    FRNG_TRY(frng_bool(f, &resumes));
    FRNG_TRY(draw_game(f, &g));
    FRNG_TRY(frng_u64_max(f, g.config.size_max, &from.size));
    FRNG_TRY(frng_u64(f, &from.seed));
    FRNG_TRY(frng_bool(f, &joins));
    play_all(&g, resumes ? &from : NULL, &alone, &slow);
    check(&g, &alone);
    play_all(&g, resumes ? &from : NULL, &ahead, &(pace){depth, count_max, part, joins});
    check_same(&alone, &ahead);
    frng_measure(f, "runs", alone.count);
    frng_label(f, !alone.raised.failed ? "none" : alone.has_adopted ? "adopted" : "failed");
    return true;
}

FRNG_MAIN(test)
