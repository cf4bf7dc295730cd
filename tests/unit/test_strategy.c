/* strategy.h on targets that are functions. Rows of a table say which sizes run, in which order,
 * and what is claimed; tests/self/strategy.c has what holds for any target. */
#include "strategy.h"
#include "suite.h"

#include "candidate_set.h"
#include "confidence.h"

/* ---- Targets ---- */

/* A run fails from `from` bytes on, as `how` says. */
typedef enum manner { ALWAYS, NEVER, HASHED, FIT_16, FIT_16_SELDOM, ODD, STYLE, LENGTH } manner;

typedef struct target {
    manner how;
    uint64_t from;
    uint64_t short_max, rare; /* LENGTH: a run ends within so many bytes; but one in `rare` needs
                                 `from` bytes, and fails */
} target;

static uint64_t hash(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static bool fails(const target *t, seed_input run, uint64_t *drawn) {
    const uint64_t luck = hash(run.seed ^ (run.size * 77));
    const bool is_styled = run.style == SEED_STYLED, is_large = run.size >= t->from;
    const bool is_long = t->rare > 0 && hash(run.seed) % t->rare == 0;
    *drawn = run.size;
    switch (t->how) {
    case NEVER: return false;
    case ALWAYS: *drawn = smaller(t->from, run.size); return is_large;
    case HASHED: return is_large && luck % 4 == 0;
    case FIT_16: return is_large && run.size % 16 == 0;
    case FIT_16_SELDOM: return is_large && run.size % 16 == 0 && luck % 5 == 0;
    case ODD: return is_large && run.size % 2 == 1 && luck % 2 == 0;
    case STYLE: /* styled runs fail often, but at 5000 bytes or more only; few plain ones at 180 */
        *drawn = is_styled ? 5000 : 180;
        return hash(run.seed) % (is_styled ? 3 : 150) == 0 && run.size >= *drawn;
    case LENGTH:
        *drawn = smaller(run.size, is_long ? t->from : hash(run.seed + 1) % (t->short_max + 1));
        return is_long && is_large;
    }
    abort();
}

/* ---- Playing a strategy ---- */

enum { HISTORY_MAX = 100000 };

typedef struct game {
    target target;
    bool tells_drawn, tells_used; /* of runs that fail; of all runs of a batch, as with labels */
    bool masks;                   /* each run ends in a known failure */
    uint32_t count_max;           /* runs of a batch */
    seed_input history[HISTORY_MAX];
    bool failed[HISTORY_MAX];
    size_t count;
} game;

static game *game_of(target t, uint32_t count_max) {
    static game g; /* large */
    g.target = t;
    g.tells_drawn = g.tells_used = g.masks = false;
    g.count_max = count_max;
    g.count = 0;
    return &g;
}

/* Run a batch up to the first failure, and feed it. Return true if that makes others void. */
static bool commit(strategy *s, game *g, const batch *b) {
    uint64_t drawn = 0, used = 0, sum = 0;
    uint32_t ran = 0;
    bool failed = false;
    while (ran < b->count && !failed) {
        const seed_input run = batch_input(b, ran++);
        failed = fails(&g->target, run, &drawn);
        used = larger(used, drawn);
        sum += drawn;
        g->history[g->count % HISTORY_MAX] = run;
        g->failed[g->count++ % HISTORY_MAX] = failed;
    }
    const strategy_result last = g->masks ? STRATEGY_MASKED
                                 : failed ? STRATEGY_FAILED
                                          : STRATEGY_PASSED;
    const strategy_draws draws = {used, sum, 0};
    return strategy_feed(s, ran, last, g->tells_drawn ? drawn : STRATEGY_DRAWN_UNKNOWN,
                         g->tells_used ? &draws : NULL);
}

/* Play about `runs_max` runs (0: to the end), one batch at a time. */
static strategy_claim play(strategy *s, game *g, size_t runs_max) {
    batch next;
    while ((runs_max == 0 || g->count < runs_max) &&
           strategy_next(s, g->count_max, &next) == STRATEGY_RUN) {
        ck_assert_uint_ge(next.count, 1);
        ck_assert_uint_le(next.count, g->count_max);
        commit(s, g, &next);
    }
    ck_assert_uint_lt(g->count, HISTORY_MAX);
    return strategy_claim_now(s);
}

static strategy_claim play_new(const strategy_config *config, game *g, size_t runs_max) {
    strategy *s = strategy_create(config, NULL);
    g->count = 0;
    const strategy_claim claim = play(s, g, runs_max);
    strategy_destroy(s);
    return claim;
}

static uint64_t largest_run(const game *g) {
    uint64_t largest = 0;
    for (size_t i = 0; i < g->count; i++) largest = larger(largest, g->history[i].size);
    return largest;
}

static strategy_config config_of(uint64_t attempts, uint64_t size_max) {
    return (strategy_config){.attempts = attempts, .size_max = size_max, .master_seed = 92};
}

/* ---- Literal sequences ---- */

/* A strategy, and what it does: sizes in their order, with s for styled runs, *N for N of them, and
 * ! for a failure; then the claim. Only what follows a change is written. */
typedef struct row {
    uint64_t attempts, size_max;
    manner how;
    uint64_t from;
    enum { SILENT, TOLD = 1, STYLED = 2, BOTH = 4, ENDLESS = 8, COST = 16 } flags;
    size_t runs; /* before the change; 0: all */
    enum { NOTHING, ADOPT, RESUME, THOROUGH, SETTLE, RAISE, RAISE_AND_FIND } change;
    uint64_t size; /* of the input that is adopted, or resumed from */
    const char *text;
} row;

static const row rows[] = {
    /* Cheapest first while nothing fails: no larger level before smaller ones cost as much. */
    ROW(3, 8192, NEVER, 0, SILENT, 0, NOTHING, 0,
        "0 1 2 4 8 16 32 64 128 256 512 1024 2048 4096 16 32 64 128 256 512 1024 2048 8192 16 32 "
        "64 128 256 512 1024 4096 2048 4096 8192*2 | 3 rounds to 8192, 1 stretches, 0.7076"),
    ROW(3, 1, NEVER, 0, SILENT, 0, NOTHING, 0, "0 1*3 | 3 rounds to 1, 1 stretches, 0.7076"),
    ROW(3, 17, NEVER, 0, SILENT, 0, NOTHING, 0,
        "0 1 2 4 8 16 17 16 17 16 17 | 3 rounds to 17, 1 stretches, 0.7076"),
    /* Cut short, it claims the sizes that it ran. */
    ROW(3, 8192, NEVER, 0, SILENT, 1, NOTHING, 0,
        "0 | 0 rounds to 16, partial, 1 stretches, 1.0000"),
    ROW(3, 8192, NEVER, 0, SILENT, 6, NOTHING, 0,
        "0 1 2 4 8 16 | 1 rounds to 16, partial, 1 stretches, 0.9750"),
    ROW(3, 4096, ALWAYS, 2, TOLD, 0, NOTHING, 0, "0 1 2! 1*4 | 2: 3 passed, 2 stretches, 0.7973"),
    /* Said to have drawn 41, and a look below; or the seed bisected over its prefixes. */
    ROW(3, 4096, ALWAYS, 41, TOLD, 0, NOTHING, 0,
        "0 1 2 4 8 16 32 64! 9*3 25*3 33*3 37*3 39*3 40*9 | 41: 9 passed, 7 stretches, 0.5416"),
    ROW(3, 4096, ALWAYS, 41, SILENT, 0, NOTHING, 0,
        "0 1 2 4 8 16 32 64! 63! 31 47! 39 43! 41! 40 9*3 25*3 33*3 37*3 39*3 40*9 | 41: 9 passed, "
        "7 stretches, 0.5416"),
    /* Probes go down by powers of two: as many runs as eight such failures took, and some. */
    ROW(20, 96, FIT_16, 48, SILENT, 0, NOTHING, 0,
        "0 1 2 4 8 16 32 64! 63 32*20 48! 47 40*20 44*20 46*20 47*60 | 48: 60 passed, 7 stretches, "
        "0.1104"),
    ROW(20, 96, ALWAYS, 60, TOLD, 0, NOTHING, 0,
        "0 1 2 4 8 16 32 64! 28*6 44*6 52*6 56*6 58*6 59*60 | 60: 60 passed, 7 stretches, 0.1104"),
    /* Endless rows: all that cost alike in turn, then half of what each had. */
    ROW(4, 32, NEVER, 0, ENDLESS, 130, NOTHING, 0,
        "0 1 2 4 8 16 32 16 32 16 32 16 32 16*3 32*3 16*4 32*4 16*6 32*6 16*9 32*9 16*14 32*14 "
        "16*21 32*21 16*31 | 61 rounds to 32, 1 stretches, 0.0587"),
    /* With both styles rows are plain and styled in turn, stretches run by run; one is bisected. */
    ROW(12, 32, NEVER, 0, BOTH, 0, NOTHING, 0,
        "0 1 2 4 8 16 32 16s 32s 16 32 16s 32s 16*2 32*2 16s*2 32s*2 16*2 32*2 16s*2 32s*2 | 12 "
        "rounds to 32, 1 stretches, 0.2646"),
    /* By cost: more runs of small sizes, and few of large ones; below a best as many; settled, it
     * has what is due. */
    ROW(2, 16, NEVER, 0, COST, 0, RAISE, 0, "16*195 | 390 rounds to 16, 1 stretches, 0.0094"),
    ROW(2, 16, ALWAYS, 16, TOLD | COST, 0, NOTHING, 0,
        "0 1 2 4 8 16! 15 8*2 12*2 14*2 15*511 | 16: 511 passed, 5 stretches, 0.0124"),
    ROW(8, 16384, NEVER, 0, COST, 60, SETTLE, 0,
        "64*2 128*2 256*2 2048*2 512*2 4096 32 1024*2 4096*2 16384 2048*2 4096*2 | 2 rounds to "
        "16384, 1 stretches, 0.8419"),
    ROW(8, 16, ALWAYS, 16, TOLD | COST, 60, SETTLE, 0, "| 16: 29 passed, 5 stretches, 0.1979"),
    ROW(7, 64, ALWAYS, 13, TOLD | BOTH, 0, NOTHING, 0,
        "0 1 2 4 8 16! 5 5s 5 5s 5 5s 9 9s 9 9s 9 9s 11s 11 11s 11 11s 11 12 12s 12 12s 12 12s 12 "
        "12s 12 12s 12 12s 12 12s 12 | 13: 15 passed, 5 stretches, 0.3668"),
    ROW(2, 64, ALWAYS, 33, STYLED, 0, NOTHING, 0,
        "0 1s 2s 4s 8s 16s 32s 64s! 63s! 31s 47s! 39s! 35s! 33s! 32s 1s*2 17s*2 25s*2 29s*2 31s*2 "
        "32s*6 | 33: 6 passed, 7 stretches, 0.6897"),
    /* After the end, with twice the attempts, a failure begins a new stretch; or rounds go on. */
    ROW(3, 4096, ALWAYS, 41, TOLD, 0, RAISE_AND_FIND, 0,
        "40! 39*16 | 40: 18 passed, 7 stretches, 0.3121"),
    ROW(5, 32, NEVER, 0, SILENT, 0, RAISE, 0,
        "16*2 32*2 16*2 32*2 16 32 | 10 rounds to 32, 1 stretches, 0.3085"),
    ROW(5, 0, NEVER, 0, SILENT, 0, RAISE, 0, "nothing | 1 rounds to 0, 1 stretches, 0.0000"),
    /* From an input known to fail; 101 bytes are too many. */
    ROW(5, 100, ALWAYS, 25, TOLD, 0, RESUME, 50,
        "0 18*5 34! 21*5 23*5 24*12 | 25: 12 passed, 5 stretches, 0.4132"),
    ROW(1, 4, NEVER, 0, SILENT, 0, RESUME, 101, "0 1 2 4 | 1 rounds to 4, 1 stretches, 0.9750"),
    /* What another search found: after the end. */
    ROW(3, 4096, ALWAYS, 41, TOLD, 0, ADOPT, 21, "20*7 | 21: 7 passed, 8 stretches, 0.6462"),
    /* While the seed is bisected; as small as the best. */
    ROW(3, 4096, ALWAYS, 41, SILENT, 13, ADOPT, 41,
        "9*3 25*3 33*3 37*3 39*3 40*9 | 41: 9 passed, 7 stretches, 0.5416"),
    /* During the look: passes at that size count. */
    ROW(3, 4096, ALWAYS, 41, TOLD, 12, ADOPT, 10, "9*3 | 10: 6 passed, 3 stretches, 0.5497"),
    /* Nothing is smaller, or one run is. */
    ROW(3, 4096, ALWAYS, 41, TOLD, 12, ADOPT, 1, "| 1: 1 passed, 3 stretches, 0.0000"),
    ROW(3, 4096, ALWAYS, 41, TOLD, 5, ADOPT, 1, "0 | 1: 1 passed, 1 stretches, 0.0000"),
    /* Anew with known failures, thoroughly: small sizes get as many runs, and it ends. */
    ROW(3, 64, ALWAYS, 1, ENDLESS, 2, THOROUGH, 0,
        "0 1 2 4 8 16 32 64 1 2 4 8 16 32 64 1 2 4 8 16 32 64 | 3 rounds to 64, 2 stretches, "
        "0.7973"),
};

static void write_runs(FILE *out, const game *g) {
    for (size_t i = 0, count; i < g->count; i += count) {
        count = 1;
        while (i + count < g->count && !g->failed[i + count - 1] &&
               g->history[i + count].size == g->history[i].size &&
               g->history[i + count].style == g->history[i].style)
            count++;
        fprintf(out, "%lu%s", (unsigned long)g->history[i].size, g->history[i].style ? "s" : "");
        if (count > 1) fprintf(out, "*%zu", count);
        fprintf(out, "%s ", g->failed[i + count - 1] ? "!" : "");
    }
}

static void write_claim(FILE *out, strategy_claim c) {
    if (c.failed)
        fprintf(out, "| %lu: %lu passed", (unsigned long)c.best.size, (unsigned long)c.run.passed);
    if (!c.failed)
        fprintf(out, "| %lu rounds to %lu", (unsigned long)c.run.rounds,
                (unsigned long)c.run.largest);
    if (c.run.is_partial) fprintf(out, ", partial");
    fprintf(out, ", %lu stretches, %.4f", (unsigned long)c.run.stretches, c.run.bound);
}

/* Play a row up to its change, and then what follows it. */
static strategy *play_row(const row *r, game *g, FILE *out) {
    strategy_config config = config_of(r->attempts, r->size_max);
    const seed_input other = {.size = r->size, .seed = r->size == r->from ? 0 : 7};
    config.expand = (r->flags & BOTH) != 0     ? EXPAND_BOTH
                    : (r->flags & STYLED) != 0 ? EXPAND_STYLED
                                               : EXPAND_UNIFORM;
    config.endless = (r->flags & ENDLESS) != 0;
    config.grows_by_cost = config.ends_by_cost = (r->flags & COST) != 0;
    g->tells_drawn = (r->flags & TOLD) != 0;
    strategy *s =
        r->change == RESUME ? strategy_create(&config, &other) : strategy_create(&config, NULL);
    play(s, g, r->runs);
    if (r->change >= RAISE && !strategy_raise_attempts(s)) fprintf(out, "nothing ");
    if (r->change == RAISE_AND_FIND) g->target.from--; /* a failure that all passes missed */
    if (r->change == SETTLE && !strategy_settle(s)) fprintf(out, "nothing ");
    if (r->change == ADOPT) strategy_adopt(s, other);
    if (r->change == ADOPT || r->change == THOROUGH) g->target.how = NEVER;
    if (r->change == THOROUGH) strategy_continue(s, NULL, true);
    if (r->change == NOTHING || r->change == RESUME) return s;
    g->count = 0;
    play(s, g, 0);
    return s;
}

TEST_EACH(a_strategy_runs_these_sizes, sizeof rows / sizeof *rows) {
    const row *r = &rows[_i];
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    game *g = game_of((target){r->how, r->from, 0, 0}, r->flags == ENDLESS ? 1000 : 1);
    strategy *s = play_row(r, g, out);
    write_runs(out, g);
    write_claim(out, strategy_claim_now(s));
    fclose(out);
    ck_assert_str_eq(text, r->text);
    free(text);
    strategy_destroy(s);
}

/* ---- Where strategies end ---- */

/* Targets that look at their input as a whole, and so often fail at a size and never below it. */
TEST(sizes_that_must_fit_leave_no_tail) {
    static const struct {
        target target;
        uint64_t size_max;
        seed_expansion expand;
        unsigned searches, above_max;
    } all[] = {{{ODD, 33, 0, 0}, 4095, EXPAND_UNIFORM, 300, 1},
               {{ODD, 33, 0, 0}, 4095, EXPAND_BOTH, 300, 1},
               {{FIT_16_SELDOM, 64, 0, 0}, 1 << 20, EXPAND_UNIFORM, 300, 1},
               {{FIT_16_SELDOM, 64, 0, 0}, 1 << 20, EXPAND_BOTH, 300, 1},
               {{FIT_16, 160, 0, 0}, 1 << 20, EXPAND_UNIFORM, 20, 0},
               {{HASHED, 160, 0, 0}, 1 << 20, EXPAND_UNIFORM, 20, 0},
               /* A styled failure far above is no end. */
               {{STYLE, 180, 0, 0}, 1 << 16, EXPAND_BOTH, 100, 2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        strategy_config config = config_of(100, all[i].size_max);
        size_t above = 0;
        config.expand = all[i].expand;
        for (config.master_seed = 0; config.master_seed < all[i].searches; config.master_seed++) {
            game *g = game_of(all[i].target, 8);
            g->tells_drawn = g->target.how == STYLE;
            above += play_new(&config, g, 0).best.size != all[i].target.from;
        }
        ck_assert_msg(above <= all[i].above_max, "row %zu: %zu searches", i, above);
    }
}

TEST(one_attempt_and_very_many) {
    strategy_config config = config_of(1, UINT64_MAX);
    game *g = game_of((target){ALWAYS, UINT64_MAX, 0, 0}, 1);
    g->tells_drawn = true;
    ck_assert_uint_eq(play_new(&config, g, 0).best.size, UINT64_MAX);
    config = config_of(UINT64_MAX, 4096);
    config.endless = true;
    strategy *s = strategy_create(&config, NULL);
    batch b;
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(strategy_next(s, UINT32_MAX, &b), STRATEGY_RUN);
        ck_assert(!strategy_feed(s, b.count, STRATEGY_PASSED, 0, NULL));
    }
    for (int i = 0; i < 4096; i++) ck_assert_int_eq(strategy_next(s, 1, &b), STRATEGY_RUN);
    ck_assert_int_eq(strategy_next(s, 1, &b), STRATEGY_WAIT); /* no more are kept */
    ck_assert(!strategy_feed(s, 1, STRATEGY_PASSED, 0, NULL));
    ck_assert_int_eq(strategy_next(s, 1, &b), STRATEGY_RUN);
    strategy_destroy(s);
    config = config_of(UINT64_C(1) << 63, 4096);
    s = strategy_create(&config, &(seed_input){.size = 3, .seed = 7});
    while (strategy_next(s, 1, &b) == STRATEGY_RUN)
        strategy_feed(s, 1, STRATEGY_MASKED_BY_HANG, b.size, NULL);
    ck_assert(!strategy_raise_attempts(s)); /* they cannot be doubled */
    strategy_destroy(s);
}

/* ---- Growing by what runs draw ---- */

/* Growing stops at twice the most bytes that a run used, unless that is unknown; a few runs that
 * never end open no level that costs more than the start of a run. */
TEST(growing_stops_where_larger_runs_would_be_the_same) {
    enum { UNTOLD = 1, MASKED = 2, MASKED_UNTOLD = 4 };
    static const struct {
        target target;
        unsigned how;
        uint64_t attempts, largest, rounds;
    } all[] = {{{LENGTH, 0, 0, 0}, 0, 400, 16, 6800}, /* 16 gets the runs of the 16 others, too */
               {{LENGTH, 0, 15, 0}, 0, 400, 16, 6800},
               {{LENGTH, 0, 16, 0}, 0, 400, 32, 400},
               {{LENGTH, 0, 63, 0}, 0, 400, 64, 400},
               {{LENGTH, 0, 64, 0}, 0, 400, 128, 400},
               {{LENGTH, 0, 40, 0}, UNTOLD, 30, 1 << 20, 30},
               {{NEVER, 0, 0, 0}, 0, 30, 1 << 20, 30}, /* they use all that they get */
               {{LENGTH, 0, 40, 0}, MASKED, 30, 64, 30},
               {{LENGTH, 0, 40, 0}, MASKED_UNTOLD, 30, 1 << 20, 30},
               {{LENGTH, UINT64_MAX, 40, 2000}, 0, 400, 128, 400},
               {{LENGTH, UINT64_MAX, 40, 90}, 0, 400, 4096, 400},
               {{LENGTH, UINT64_MAX, 40, 20}, 0, 400, 1 << 20, 400}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        strategy_config config = config_of(all[i].attempts, 1 << 20);
        game *g = game_of(all[i].target, 1);
        g->masks = all[i].how >= MASKED;
        g->tells_used = all[i].how != UNTOLD;
        g->tells_drawn = all[i].how != MASKED_UNTOLD;
        const strategy_claim claim = play_new(&config, g, 0);
        ck_assert_msg(claim.run.largest == all[i].largest, "row %zu: %lu", i,
                      (unsigned long)claim.run.largest);
        ck_assert_uint_le(largest_run(g), 2 * all[i].largest);
        if (!g->masks) ck_assert_uint_eq(claim.run.rounds, all[i].rounds);
    }
    const strategy_config config = config_of(100, 1 << 20);
    game *g = game_of((target){LENGTH, 700, 5, 20}, 1); /* a run turns out to be long */
    g->tells_used = g->tells_drawn = true;
    ck_assert_uint_eq(play_new(&config, g, 0).best.size, 700);
    ck_assert_uint_le(largest_run(g), 1024);
}

/* Guided runs may begin after the same runs, however those are batched. */
TEST(growth_is_over_at_the_end_of_a_row) {
    uint64_t digests[3] = {0};
    for (int i = 0; i < 3; i++) {
        const strategy_config c = {.attempts = 100, .size_max = 4096, .master_seed = 1};
        strategy *s = strategy_create(&c, NULL);
        batch b;
        for (uint64_t runs = 0; strategy_next(s,
                                              i == 0   ? 1
                                              : i == 1 ? 7
                                                       : 999,
                                              &b) == STRATEGY_RUN;) {
            runs += b.count;
            strategy_feed(s, b.count, STRATEGY_PASSED, 0, NULL);
            if (strategy_has_grown(s)) digests[i] = hash(digests[i] ^ runs);
        }
        strategy_destroy(s);
    }
    ck_assert_uint_ne(digests[0], 0);
    ck_assert_uint_eq(digests[0], digests[1]);
    ck_assert_uint_eq(digests[0], digests[2]);
}

/* ---- Masked runs ---- */

enum { ROW = 8192 }; /* runs that processes may share, as in warmth.c */

/* A third of the runs is masked. Feed them one by one. */
static void feed_each(strategy *s, uint32_t count) {
    batch b;
    for (uint32_t ran = 0; ran < count;) {
        uint32_t at = 0;
        ck_assert_int_eq(strategy_next(s, count - ran, &b), STRATEGY_RUN);
        while (at < b.count && hash(b.first_seed + at) % 3 != 0) at++;
        const bool is_masked = at < b.count;
        const strategy_draws draws = {b.size, (at + is_masked) * b.size, 0};
        strategy_feed(s, at + is_masked, is_masked ? STRATEGY_MASKED : STRATEGY_PASSED,
                      is_masked ? b.size / 2 : 0, &draws);
        strategy_forget(s);
        ran += at + is_masked;
    }
}

/* Feed together those of a batch that fit. Returns how many that are. */
static uint32_t feed_fit(strategy *s, batch b) {
    static known_run masked[ROW];
    uint32_t count = 0, fit = b.count;
    for (bool fits = false; !fits;) {
        count = 0;
        for (uint32_t i = 0; i < fit; i++)
            if (hash(b.first_seed + i) % 3 == 0) masked[count++] = (known_run){i, 0, b.size / 2};
        const bool is_last = count > 0 && masked[count - 1].run + 1 == fit;
        const uint32_t now = strategy_fit(s, fit, masked, count - is_last);
        ck_assert(now > 0 && now <= fit);
        fits = now == fit;
        fit = now;
    }
    const bool is_last = count > 0 && masked[count - 1].run + 1 == fit;
    const uint32_t before = count - is_last > 0 ? masked[count - is_last - 1].run + 1 : 0;
    strategy_draws draws = {b.size, fit * b.size, 0};
    strategy_feed_masked(s, masked, count - is_last, &draws);
    strategy_feed(s, fit - before, is_last ? STRATEGY_MASKED : STRATEGY_PASSED,
                  is_last ? b.size / 2 : 0, &draws);
    strategy_forget(s);
    return fit;
}

/* While a search grows and below a best it makes no difference how many are fed together. */
TEST(masked_runs_are_fed_together) {
    for (int below = 0; below < 2; below++) {
        strategy_config config = config_of(below == 1 ? 20 : 800, 8192);
        uint64_t runs[65] = {0}; /* by the size's bits */
        bool ends_row = false;
        config.grows_by_cost = config.ends_by_cost = true;
        config.masked_first = 256;
        config.expand = EXPAND_BOTH;
        const seed_input best = {.size = 600, .seed = 7};
        strategy *one = strategy_create(&config, below == 1 ? &best : NULL);
        strategy *many = strategy_create(&config, below == 1 ? &best : NULL);
        unsigned cut = 0, batches = 0;
        for (batch b; strategy_next(many, ROW, &b) == STRATEGY_RUN; batches++) {
            const uint64_t at = runs[bits(b.size)], end = at + b.count;
            ck_assert(below == 1 || !b.may_know || (at >= 256 && at / ROW == (end - 1) / ROW));
            ends_row |= b.may_know && end % ROW == 0;
            const uint32_t fit = feed_fit(many, b);
            cut += fit < b.count;
            runs[bits(b.size)] += fit;
            feed_each(one, fit);
            const run_claim a = strategy_claim_now(one).run, c = strategy_claim_now(many).run;
            ck_assert(a.passed == c.passed && a.counted == c.counted && a.rounds == c.rounds);
            ck_assert_uint_eq(strategy_next_size(one), strategy_next_size(many));
        }
        ck_assert_int_eq(strategy_next(one, 1, &(batch){0}), STRATEGY_DONE);
        ck_assert_uint_gt(batches, 3);
        ck_assert(ends_row || below == 1);
        if (below == 1) ck_assert_uint_gt(cut, 0); /* masked runs cost more, so fewer are due */
        strategy_destroy(one);
        strategy_destroy(many);
    }
}

/* ---- Misuse ---- */

/* Nothing is under way; more is fed than was asked for, or more drawn than there was; no runs are
 * asked for; no attempts. */
SUITE_TEST(misuse_is_a_bug, SIGABRT, 5) {
    const strategy_config config = config_of(_i == 4 ? 0 : 5, 100);
    strategy *s = strategy_create(&config, NULL);
    batch b;
    if (_i == 0) strategy_feed(s, 1, STRATEGY_PASSED, 0, NULL);
    strategy_next(s, _i == 3 ? 0 : 1, &b);
    if (_i == 1) strategy_feed(s, 2, STRATEGY_PASSED, 0, NULL);
    strategy_feed(s, 1, STRATEGY_FAILED, b.size + 1, NULL);
}

SUITE(.timeout_s = 250); /* a minute with sanitizers on a machine that does nothing else */
