#include "strategy.h"
#include "suite.h"

#include "candidate_set.h"
#include "failure.h"
#include "rates.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Systems under test, as functions ---- */

/* Does it fail; *drawn is what it had drawn then. Deterministic. */
typedef bool sut(uint64_t seed, uint64_t size, uint64_t *drawn);

static uint64_t threshold; /* bytes; a parameter of the functions below */
static seed_style style;   /* of the run; another one */

static bool by_size(uint64_t seed, uint64_t size, uint64_t *drawn) {
    (void)seed;
    *drawn = threshold;
    return size >= threshold;
}

static bool never(uint64_t seed, uint64_t size, uint64_t *drawn) {
    (void)seed;
    *drawn = size;
    return false;
}

static uint64_t hash(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* A third of the seeds fail, each from a size of its own on. */
static bool by_prefix(uint64_t seed, uint64_t size, uint64_t *drawn) {
    *drawn = threshold + hash(seed + 1) % 500;
    return hash(seed) % 3 == 0 && size >= *drawn;
}

/* Styled runs fail often, but only at 5000 bytes or more; one plain run in 150 fails from 180 bytes
 * on. */
static bool by_style(uint64_t seed, uint64_t size, uint64_t *drawn) {
    *drawn = style == SEED_STYLED ? 5000 : 180;
    return hash(seed) % (style == SEED_STYLED ? 3 : 150) == 0 && size >= *drawn;
}

/* A prefix of a failing input says nothing. */
static bool by_whole_input(uint64_t seed, uint64_t size, uint64_t *drawn) {
    *drawn = size;
    return size >= threshold && hash(seed ^ (size * 77)) % 4 == 0;
}

static bool in_records_of_16(uint64_t seed, uint64_t size, uint64_t *drawn) {
    (void)seed;
    *drawn = size;
    return size >= threshold && size % 16 == 0;
}

/* Runs end by themselves after a number of bytes that follows from the seed: one in `rare` is long,
 * and fails if it has all its bytes. */
static uint64_t short_max, long_size, rare;

static bool by_length(uint64_t seed, uint64_t size, uint64_t *drawn) {
    const bool is_long = rare > 0 && hash(seed) % rare == 0;
    const uint64_t length = is_long ? long_size : hash(seed + 1) % (short_max + 1);
    *drawn = length < size ? length : size;
    return is_long && size >= length;
}

/* ---- Playing a strategy to its end ---- */

typedef struct committed {
    seed_input run;
    bool failed;
} committed;

enum { HISTORY_MAX = 100000 };

typedef struct game {
    committed history[HISTORY_MAX];
    size_t count;
    strategy_claim claim;
} game;

typedef struct play {
    sut *test;
    bool drawn_known;
    bool tells_used;    /* after each batch, as a target with labels does */
    uint32_t count_max; /* the largest count asked for */
    size_t runs_max;    /* stop after about so many; 0: at the end */
} play;

static game first_game, second_game;

/* Run a batch, write down its runs, feed it. */
static void commit(strategy *s, const play *p, const batch *t, game *g) {
    uint64_t drawn = 0, used = 0, sum = 0;
    bool failed = false;
    uint32_t ran = 0;
    while (ran < t->count && !failed) {
        const seed_input run = batch_input(t, ran);
        style = run.style;
        failed = p->test(run.seed, run.size, &drawn);
        ran++;
        if (drawn > used) used = drawn;
        sum += drawn;
        ck_assert_uint_lt(g->count, HISTORY_MAX);
        g->history[g->count++] = (committed){run, failed};
    }
    if (p->tells_used) strategy_take_draws(s, (strategy_draws){used, sum, 0});
    strategy_feed(s, ran, failed, p->drawn_known ? drawn : STRATEGY_DRAWN_UNKNOWN);
}

/* One batch at a time: tests/self has more of them under way. */
static void play_on(strategy *s, const play *p, game *g) {
    batch next;
    g->count = 0;
    while ((p->runs_max == 0 || g->count < p->runs_max) &&
           strategy_next(s, p->count_max, &next) == STRATEGY_RUN) {
        ck_assert_uint_ge(next.count, 1);
        ck_assert_uint_le(next.count, p->count_max);
        commit(s, p, &next, g);
    }
    g->claim = strategy_claim_now(s);
}

static const game *play_strategy(const strategy_config *config, const play *p, game *g) {
    strategy *s = strategy_create(config);
    play_on(s, p, g);
    strategy_destroy(s);
    return g;
}

/* The sizes in order as "size*count", with ! for a failure. */
static const char *sizes_of(const game *g) {
    static char text[4096];
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < g->count && used + 64 < sizeof text;) {
        const uint64_t size = g->history[i].run.size;
        size_t count = 0;
        bool failed = false;
        while (i < g->count && g->history[i].run.size == size && !failed) {
            failed = g->history[i++].failed;
            count++;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lu", used > 0 ? " " : "",
                                 (unsigned long)size);
        if (count > 1) {
            used += (size_t)snprintf(text + used, sizeof text - used, "*%zu", count);
        }
        if (failed) used += (size_t)snprintf(text + used, sizeof text - used, "!");
    }
    return text;
}

static const play one_by_one = {.test = by_size, .drawn_known = true, .count_max = 1};

static strategy_config config_of(uint64_t attempts, uint64_t size_max) {
    return (strategy_config){.attempts = attempts, .size_max = size_max, .master_seed = 92};
}

static const char *sizes_when(uint64_t attempts, uint64_t size_max, uint64_t fails_from,
                              bool drawn_known) {
    const strategy_config config = config_of(attempts, size_max);
    play p = one_by_one;
    p.drawn_known = drawn_known;
    threshold = fails_from;
    return sizes_of(play_strategy(&config, &p, &first_game));
}

/* ---- Literal sequences ---- */

TEST(sizes_in_their_order) {
    const uint64_t max = 4096;
    ck_assert_str_eq(sizes_when(3, max, 0, true), "0!");
    ck_assert_str_eq(sizes_when(3, max, 1, true), "0 1!");
    ck_assert_str_eq(sizes_when(3, max, 2, true), "0 1 2! 1*4"); /* one is its prefix */
    /* Said to have drawn 41, and a look below; then the end. */
    ck_assert_str_eq(sizes_when(3, max, 41, true),
                     "0 1 2 4 8 16 32 64! 9*3 25*3 33*3 37*3 39*3 40*9");
    /* The seed bisected over its prefixes. */
    ck_assert_str_eq(sizes_when(3, max, 41, false),
                     "0 1 2 4 8 16 32 64! 63! 31 47! 39 43! 41! 40 9*3 25*3 33*3 37*3 39*3 40*9");
    /* Never: cheapest first. No larger level before smaller ones have cost as much. */
    ck_assert_str_eq(sizes_when(3, 8192, 9000, true),
                     "0 1 2 4 8 16 32 64 128 256 512 1024 2048 4096 16 32 64 128 256 512 1024 2048 "
                     "8192 16 32 64 128 256 512 1024 4096 2048 4096 8192*2");
}

TEST(the_search_gives_large_sizes_more_runs_at_the_end) {
    static const uint64_t passed[][2] = {{3, 100}, {4, 187}, {63, 300}, {1000, 412}, {50000, 412}};
    static const seed_expansion all[] = {EXPAND_UNIFORM, EXPAND_STYLED, EXPAND_BOTH};
    strategy_config config = config_of(100, 1 << 20);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            config.expand = all[k];
            threshold = passed[i][0];
            const strategy_claim claim = play_strategy(&config, &one_by_one, &first_game)->claim;
            ck_assert_uint_eq(claim.best.size, threshold);
            ck_assert_uint_eq(claim.run.passed, passed[i][1]);
        }
    }
}

/* ---- Where strategies end ---- */

static const uint64_t sizes_max[] = {0,  1,  2,   15,   16,   17,   31,
                                     32, 33, 100, 1000, 4096, 4097, 100000};
enum { SIZES_MAX = sizeof sizes_max / sizeof sizes_max[0] };

static void ends_exactly(uint64_t size_max, uint64_t fails_from) {
    const strategy_config config = config_of(5, size_max);
    threshold = fails_from;
    for (int known = 0; known < 2; known++) {
        const play p = {.test = by_size, .drawn_known = known, .count_max = 7};
        const strategy_claim claim = play_strategy(&config, &p, &first_game)->claim;
        ck_assert(claim.failed);
        ck_assert_uint_eq(claim.best.size, fails_from);
        ck_assert_uint_eq(claim.run.below, fails_from > 0 ? fails_from - 1 : 0);
        if (fails_from > 1) ck_assert_uint_ge(claim.run.passed, 5);
        if (fails_from <= 1) ck_assert(claim.run.bound == 0);
    }
}

TEST(size_alone_ends_exactly) {
    static const uint64_t thresholds[] = {0, 1, 2, 3, 15, 16, 17, 41, 64, 1000, 100000};
    for (size_t i = 0; i < sizeof thresholds / sizeof thresholds[0]; i++) {
        ends_exactly(4 << 20, thresholds[i]);
    }
    for (size_t i = 0; i < SIZES_MAX; i++) ends_exactly(sizes_max[i], sizes_max[i]);
}

static size_t runs_of_size(const game *g, uint64_t size) {
    size_t count = 0;
    for (size_t i = 0; i < g->count; i++) count += g->history[i].run.size == size;
    return count;
}

TEST(a_passing_system_gets_all_attempts_at_every_size) {
    const play p = {.test = never, .count_max = 9};
    for (size_t i = 0; i < SIZES_MAX; i++) {
        const strategy_config config = config_of(20, sizes_max[i]);
        const game *g = play_strategy(&config, &p, &first_game);
        const uint64_t attempts = sizes_max[i] == 0 ? 1 : 20;
        ck_assert(!g->claim.failed);
        const double bound = sizes_max[i] == 0 ? 0 : confidence_bound(attempts, 1);
        ck_assert_double_eq_tol(g->claim.run.bound, bound, 1e-12);
        ck_assert_uint_eq(g->claim.run.rounds, attempts);
        ck_assert_uint_eq(runs_of_size(g, sizes_max[i]), attempts);
        for (size_t k = 0; k < g->count; k++) {
            ck_assert_uint_le(g->history[k].run.size, sizes_max[i]);
        }
        for (uint64_t size = 32; size < sizes_max[i]; size *= 2) {
            ck_assert_uint_eq(runs_of_size(g, size), 20);
        }
    }
}

TEST(systems_without_the_prefix_property_end_small) {
    const play p = {.test = in_records_of_16, .count_max = 8};
    const play q = {.test = by_whole_input, .count_max = 8};
    for (uint64_t seed = 0; seed < 20; seed++) {
        strategy_config config = config_of(100, 1 << 20);
        config.master_seed = seed;
        threshold = 160;
        ck_assert_uint_eq(play_strategy(&config, &p, &first_game)->claim.best.size, 160);
        ck_assert_uint_eq(play_strategy(&config, &q, &first_game)->claim.best.size, 160);
    }
}

/* One in five of the sizes that fit fails. */
static bool in_one_of_five_records(uint64_t seed, uint64_t size, uint64_t *drawn) {
    return in_records_of_16(seed, size, drawn) && hash(seed ^ (size * 77)) % 5 == 0;
}

static bool at_odd_sizes(uint64_t seed, uint64_t size, uint64_t *drawn) {
    *drawn = size;
    return size >= threshold && size % 2 == 1 && hash(seed ^ (size * 77)) % 2 == 0;
}

TEST(sizes_that_must_fit_leave_no_tail) {
    static const seed_expansion all[] = {EXPAND_UNIFORM, EXPAND_BOTH};
    play p = {.count_max = 8};
    for (int i = 0; i < 4; i++) {
        strategy_config config = config_of(100, i < 2 ? 4095 : 1 << 20);
        size_t above = 0;
        p.test = i < 2 ? at_odd_sizes : in_one_of_five_records;
        threshold = i < 2 ? 33 : 64;
        config.expand = all[i % 2];
        for (config.master_seed = 0; config.master_seed < 300; config.master_seed++) {
            play_strategy(&config, &p, &first_game);
            above += first_game.claim.best.size != threshold;
        }
        ck_assert_uint_le(above, 1);
    }
}

TEST(probes_go_down_by_powers_of_two) {
    const strategy_config config = config_of(20, 96);
    play p = {.test = in_records_of_16, .count_max = 1};
    threshold = 48; /* one byte less passes: as many runs as eight such failures took, and some */
    ck_assert_str_eq(sizes_of(play_strategy(&config, &p, &first_game)),
                     "0 1 2 4 8 16 32 64! 63 32*20 48! 47 40*20 44*20 46*20 47*60");
    threshold = 64;
    ck_assert_str_eq(sizes_of(play_strategy(&config, &p, &first_game)),
                     "0 1 2 4 8 16 32 64! 63 32*20 48*20 56*20 60*20 62*20 63*67");
    p.drawn_known = true; /* it ends at 60 whatever follows: a look only */
    p.test = by_size;
    threshold = 60;
    ck_assert_str_eq(sizes_of(play_strategy(&config, &p, &first_game)),
                     "0 1 2 4 8 16 32 64! 28*6 44*6 52*6 56*6 58*6 59*60");
}

TEST(passes_of_a_probe_count_at_the_end) {
    strategy_config config = config_of(100, 4096);
    const play p = {.test = by_whole_input, .count_max = 1};
    size_t counted = 0;
    threshold = 63;
    for (config.master_seed = 0; config.master_seed < 50; config.master_seed++) {
        play_strategy(&config, &p, &first_game);
        ck_assert_uint_eq(first_game.claim.best.size, 63);
        ck_assert_uint_eq(first_game.claim.run.passed, 300);
        ck_assert_uint_ge(runs_of_size(&first_game, 62), 300);
        size_t last = 0;
        while (first_game.history[first_game.count - 1 - last].run.size == 62) last++;
        if (last < 300) counted++;
    }
    ck_assert_uint_gt(counted, 0);
}

TEST(one_attempt_and_very_many) {
    ends_exactly(1000, 77);
    strategy_config config = config_of(1, UINT64_MAX);
    threshold = UINT64_MAX;
    ck_assert_uint_eq(play_strategy(&config, &one_by_one, &first_game)->claim.best.size,
                      UINT64_MAX);
    config = config_of(UINT64_MAX, 4096);
    config.endless = true;
    const play p = {.test = never, .count_max = UINT32_MAX};
    strategy *s = strategy_create(&config);
    batch t;
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(strategy_next(s, p.count_max, &t), STRATEGY_RUN);
        ck_assert_uint_ge(t.count, 1);
        ck_assert(!strategy_feed(s, t.count, false, 0));
    }
    strategy_destroy(s);
}

/* ---- What runs draw ---- */

static const play telling = {
    .test = by_length, .drawn_known = true, .tells_used = true, .count_max = 1};

static uint64_t largest_run(const game *g) {
    uint64_t largest = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (g->history[i].run.size > largest) largest = g->history[i].run.size;
    }
    return largest;
}

TEST(growing_stops_at_twice_the_most_that_a_run_used) {
    static const uint64_t most[][2] = {{0, 16},  {1, 16},  {8, 16},  {15, 16},  {16, 32},  {31, 32},
                                       {32, 64}, {33, 64}, {63, 64}, {64, 128}, {300, 512}};
    const strategy_config config = config_of(400, 1 << 20);
    rare = 0;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        short_max = most[i][0];
        play_strategy(&config, &telling, &first_game);
        ck_assert_uint_eq(largest_run(&first_game), most[i][1]);
        ck_assert_uint_eq(first_game.claim.run.largest, most[i][1]);
        const uint64_t levels = most[i][1] == 16 ? 17 : 1; /* 16 gets the runs of all others */
        ck_assert_uint_eq(first_game.claim.run.rounds, 400 * levels);
    }
}

TEST(growing_goes_to_the_end_for_runs_that_use_all_or_do_not_tell) {
    const strategy_config config = config_of(30, 5000);
    play p = telling;
    rare = 0;
    short_max = 40;
    p.tells_used = false;
    play_strategy(&config, &p, &first_game);
    ck_assert_uint_eq(first_game.claim.run.largest, 5000);
    p.tells_used = true;
    p.test = never;
    play_strategy(&config, &p, &second_game);
    ck_assert_uint_eq(second_game.claim.run.largest, 5000);
    ck_assert_uint_eq(second_game.count, first_game.count);
    for (size_t i = 0; i < first_game.count; i++) {
        ck_assert_uint_eq(first_game.history[i].run.size, second_game.history[i].run.size);
        ck_assert_uint_eq(first_game.history[i].run.seed, second_game.history[i].run.seed);
    }
}

/* Return the size to which a strategy grows if a known bug ends each run within 40 bytes. */
static uint64_t grow_masked(strategy_config config, bool knows_drawn) {
    strategy *s = strategy_create(&config);
    uint64_t largest = 0, drawn;
    batch next;
    rare = 0;
    short_max = 40;
    while (strategy_next(s, 1, &next) == STRATEGY_RUN) {
        by_length(next.first_seed, next.size, &drawn);
        if (next.size > largest) largest = next.size;
        strategy_take_draws(s, (strategy_draws){drawn, drawn, 0});
        strategy_feed(s, 1, STRATEGY_MASKED, knows_drawn ? drawn : STRATEGY_DRAWN_UNKNOWN);
    }
    strategy_destroy(s);
    return largest;
}

TEST(growing_stops_too_where_known_bugs_end_the_runs) {
    strategy_config config = config_of(30, 1 << 20);
    config.masks = MASKED_COUNTS_LESS;
    ck_assert_uint_eq(grow_masked(config, true), 64);
    ck_assert_uint_eq(grow_masked(config, false), 1 << 20);
}

TEST(a_search_that_stops_growing_makes_as_many_runs) {
    const strategy_config config = config_of(100, 1 << 20);
    play silent = telling;
    silent.tells_used = false;
    rare = 0;
    for (short_max = 1; short_max < 1 << 20; short_max *= 9) {
        play_strategy(&config, &telling, &first_game);
        play_strategy(&config, &silent, &second_game);
        ck_assert_uint_eq(first_game.count, second_game.count);
        ck_assert_uint_le(largest_run(&first_game), 2 * short_max + 16);
    }
}

TEST(growing_goes_on_when_a_run_turns_out_to_be_long) {
    const strategy_config config = config_of(100, 1 << 20);
    short_max = 5;
    rare = 20;
    long_size = 700;
    play_strategy(&config, &telling, &first_game);
    ck_assert(first_game.claim.failed);
    ck_assert_uint_eq(first_game.claim.best.size, 700);
    ck_assert_uint_le(largest_run(&first_game), 1024);
}

/* Sizes up to 4K cost no more than the start of a run. */
TEST(few_runs_that_never_end_open_no_level_that_costs_more) {
    static const uint64_t largest[][2] = {{2000, 128}, {90, 4096}, {20, 1 << 20}};
    const strategy_config config = config_of(400, 1 << 20);
    short_max = 40;
    long_size = UINT64_MAX;
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
        rare = largest[i][0];
        play_strategy(&config, &telling, &first_game);
        ck_assert_uint_eq(first_game.claim.run.largest, largest[i][1]);
        ck_assert_uint_le(largest_run(&first_game), 2 * largest[i][1]);
    }
}

/* Play at most `runs` runs of by_length with many batches in flight. Return how often a feed made
 * these void. */
static unsigned voids_in(strategy *s, uint64_t runs) {
    batch next[8];
    unsigned count = 0, voids = 0, first = 0;
    uint64_t made = 0;
    while (made < runs) {
        while (count < 8 && strategy_next(s, 16, &next[(first + count) % 8]) == STRATEGY_RUN) {
            count++;
        }
        if (count == 0) break;
        const batch *b = &next[first++ % 8];
        uint64_t used = 0, sum = 0, drawn;
        for (uint32_t i = 0; i < b->count; i++) {
            by_length(b->first_seed + i, b->size, &drawn);
            if (drawn > used) used = drawn;
            sum += drawn;
        }
        count--;
        made += b->count;
        strategy_take_draws(s, (strategy_draws){used, sum, 0});
        if (strategy_feed(s, b->count, false, STRATEGY_DRAWN_UNKNOWN)) voids++, count = 0;
    }
    return voids;
}

TEST(few_batches_are_void_for_what_runs_used) {
    const strategy_config config = config_of(100, 1 << 20);
    rare = 0;
    for (short_max = 1; short_max < 1 << 22; short_max *= 5) {
        strategy *s = strategy_create(&config);
        ck_assert_uint_le(voids_in(s, UINT64_MAX), 24);
        strategy_destroy(s);
    }
}

TEST(no_more_batches_than_are_kept) {
    strategy_config config = config_of(UINT64_MAX, 4096);
    strategy *s = strategy_create(&config);
    batch t;
    uint32_t count = 0;
    while (strategy_next(s, 1, &t) == STRATEGY_RUN) count++;
    ck_assert_uint_eq(count, 4096);
    ck_assert(!strategy_feed(s, 1, false, 0));
    ck_assert_int_eq(strategy_next(s, 1, &t), STRATEGY_RUN);
    ck_assert_uint_eq(t.count, 1);
    strategy_destroy(s);
}

/* ---- Seeds ---- */

TEST(endless_goes_round_with_new_seeds) {
    strategy_config config = config_of(10, 100);
    const play p = {.test = never, .count_max = 4, .runs_max = 400};
    play_strategy(&config, &p, &first_game);
    const size_t once = first_game.count;
    ck_assert_uint_lt(once, 100);
    config.endless = true;
    play_strategy(&config, &p, &first_game);
    ck_assert_uint_ge(first_game.count, 400);
    ck_assert_uint_ge(first_game.claim.run.rounds, 70);
}

TEST(endless_rows_grow_by_half) {
    strategy_config config = config_of(4, 32);
    const play p = {.test = never, .count_max = 1000, .runs_max = 130};
    config.endless = true;
    /* All that cost alike in turn; from the second line on half of what each had. */
    ck_assert_str_eq(sizes_of(play_strategy(&config, &p, &first_game)),
                     "0 1 2 4 8 16 32 16 32 16 32 16 32 "
                     "16*3 32*3 16*4 32*4 16*6 32*6 16*9 32*9 16*14 32*14 16*21 32*21 16*31");
}

/* Play an endless strategy on runs of `length` bytes at most, all of them told. */
static void play_endless(strategy_config config, uint64_t length, size_t runs) {
    play p = telling;
    config.endless = true;
    rare = 0;
    short_max = length;
    p.tells_used = length > 0;
    p.count_max = 1000;
    p.runs_max = runs;
    play_strategy(&config, &p, &first_game);
}

TEST(endless_levels_share_what_they_cost) {
    const strategy_config config = config_of(20, 1 << 20);
    play_endless(config, 0, 60000); /* nothing is known: by their sizes */
    for (uint64_t size = 32; size <= 1 << 14; size *= 2) {
        const size_t half = runs_of_size(&first_game, size / 2);
        const size_t whole = runs_of_size(&first_game, size);
        const double costs = (double)(4096 + size) / (double)(4096 + size / 2);
        ck_assert_double_ge((double)half, (double)whole * costs / 1.6);
        ck_assert_double_le((double)half, (double)whole * costs * 1.6);
    }
    ck_assert_uint_le(runs_of_size(&first_game, 1 << 20), 40);
}

TEST(the_last_open_level_stands_for_the_closed_ones) {
    const strategy_config config = config_of(20, 1 << 20);
    play_endless(config, 40, 60000); /* open: 16, 32, and 64 for itself and 14 others */
    ck_assert_uint_eq(largest_run(&first_game), 64);
    const size_t runs = runs_of_size(&first_game, 16);
    ck_assert_uint_ge(runs_of_size(&first_game, 64), runs * 15 * 2 / 3);
    ck_assert_uint_le(runs_of_size(&first_game, 64), runs * 15 * 3 / 2);
}

/* Play an endless strategy of which each hundredth run hangs as a known bug does. Return the share
 * of its runs at the level whose runs do. */
static double share_of_hanging(uint64_t hanging_size) {
    strategy_config config = config_of(100, 64);
    config.masks = MASKED_COUNTS_LESS;
    config.endless = true;
    strategy *s = strategy_create(&config);
    uint64_t runs = 0, at_size = 0;
    batch next;
    while (runs < 50000) {
        ck_assert_int_eq(strategy_next(s, 1, &next), STRATEGY_RUN);
        const bool hangs = next.size == hanging_size && next.first_seed % 10 == 0;
        runs++;
        at_size += next.size == hanging_size;
        strategy_take_draws(s, (strategy_draws){next.size, next.size, 0});
        strategy_feed(s, 1, hangs ? STRATEGY_MASKED_BY_HANG : STRATEGY_PASSED, next.size);
    }
    strategy_destroy(s);
    return (double)at_size / (double)runs;
}

TEST(an_endless_search_does_not_seek_hangs) {
    ck_assert_double_ge(share_of_hanging(0), 0);
    ck_assert_double_le(share_of_hanging(32), 0.2); /* a third of the runs, without hangs */
}

TEST(a_thorough_search_runs_small_sizes_as_often_as_large_ones_and_ends) {
    strategy_config config = config_of(10, 256);
    config.endless = true;
    strategy *s = strategy_create(&config);
    batch next;
    uint64_t runs_of[257] = {0};
    ck_assert_int_eq(strategy_next(s, 64, &next), STRATEGY_RUN);
    strategy_feed(s, 1, STRATEGY_FAILED, next.size);
    strategy *again = strategy_continue(s, NULL, true);
    strategy_destroy(s);
    while (strategy_next(again, 64, &next) == STRATEGY_RUN) {
        runs_of[next.size] += next.count;
        strategy_feed(again, next.count, STRATEGY_PASSED, 0);
    }
    for (uint64_t size = 1; size <= 256; size *= 2) ck_assert_uint_eq(runs_of[size], 10);
    ck_assert_uint_eq(strategy_claim_now(again).run.rounds, 10);
    strategy_destroy(again);
}

/* How often a feed made batches in flight void, in endless rows. */
TEST(few_batches_are_void_in_endless_rows) {
    strategy_config config = config_of(20, 1 << 20);
    config.endless = true;
    rare = 0;
    for (short_max = 1; short_max < 1 << 22; short_max *= 5) {
        strategy *s = strategy_create(&config);
        const unsigned voids = voids_in(s, 200000);
        ck_assert_msg(voids <= 60, "%u voids", voids);
        strategy_destroy(s);
    }
}

TEST(resume_at_the_edges) {
    const strategy_config config = config_of(5, 100);
    batch t;
    strategy *s = strategy_resume(&config, (seed_input){.size = 0, .seed = 7});
    ck_assert_int_eq(strategy_next(s, 1, &t), STRATEGY_DONE);
    ck_assert(strategy_claim_now(s).run.bound == 0);
    strategy_destroy(s);

    threshold = 1;
    s = strategy_resume(&config, (seed_input){.size = 1, .seed = 7});
    play_on(s, &one_by_one, &first_game);
    ck_assert_uint_eq(runs_of_size(&first_game, 0), first_game.count);
    ck_assert(first_game.claim.run.bound == 0);
    strategy_destroy(s);

    threshold = 0;
    s = strategy_resume(&config, (seed_input){.size = 50, .seed = 7});
    play_on(s, &one_by_one, &first_game);
    ck_assert_uint_eq(first_game.claim.best.size, 0);
    strategy_destroy(s);

    s = strategy_resume(&config, (seed_input){.size = 101, .seed = 7});
    ck_assert(!strategy_claim_now(s).failed);
    strategy_destroy(s);
}

static const play all_pass = {.test = never, .drawn_known = true, .count_max = 1};

/* ---- Going on after the end ---- */

/* Play the search for a failure from `fails_from` bytes on to its end. */
static strategy *play_to_end(const strategy_config *config, uint64_t fails_from) {
    strategy *s = strategy_create(config);
    threshold = fails_from;
    play_on(s, &one_by_one, &first_game);
    return s;
}

/* Raise the attempts, and return the runs that they ask for. */
static const char *sizes_raised(strategy *s) {
    ck_assert(strategy_raise_attempts(s));
    play_on(s, &one_by_one, &first_game);
    return sizes_of(&first_game);
}

static void check_bound(const strategy *s, uint64_t passed, uint64_t number) {
    const strategy_claim claim = strategy_claim_now(s);
    ck_assert_uint_eq(claim.run.passed, passed);
    ck_assert_double_eq_tol(claim.run.bound, confidence_bound(claim.run.counted, number), 1e-12);
}

TEST(at_the_end_the_stretch_goes_on_with_twice_the_attempts) {
    const strategy_config config = config_of(3, 4096);
    strategy *s = play_to_end(&config, 41);
    ck_assert_str_eq(sizes_of(&first_game), "0 1 2 4 8 16 32 64! 9*3 25*3 33*3 37*3 39*3 40*9");
    check_bound(s, 9, 7);
    ck_assert_str_eq(sizes_raised(s), "40*9");
    check_bound(s, 18, 7);
    ck_assert_str_eq(sizes_raised(s), "40*18");
    check_bound(s, 36, 7);
    ck_assert_uint_eq(strategy_claim_now(s).run.stretches, 7);
    strategy_destroy(s);
}

TEST(raised_attempts_hold_below_the_next_failure) {
    const strategy_config config = config_of(3, 4096);
    strategy *s = play_to_end(&config, 41);
    ck_assert(strategy_raise_attempts(s));
    threshold = 40; /* a rare failure that all passes before it missed */
    play_on(s, &one_by_one, &first_game);
    ck_assert_str_eq(sizes_of(&first_game), "40! 39*16"); /* 39 was probed: in another stretch */
    check_bound(s, 18, 6);
    strategy_destroy(s);
}

TEST(passes_of_both_styles_add_up_in_pairs) {
    strategy_config config = config_of(7, 4096);
    config.expand = EXPAND_BOTH;
    for (config.master_seed = 0; config.master_seed < 20; config.master_seed++) {
        strategy *s = play_to_end(&config, 41);
        for (int i = 0; i < 3; i++) {
            ck_assert(strategy_raise_attempts(s));
            play_on(s, &one_by_one, &second_game);
        }
        const strategy_claim claim = strategy_claim_now(s);
        ck_assert_uint_ge(claim.run.passed, 56);
        ck_assert_uint_ge(claim.run.counted + 1, claim.run.passed);
        strategy_destroy(s);
    }
}

TEST(growing_goes_on_after_its_end) {
    const strategy_config config = config_of(5, 32);
    strategy *s = strategy_create(&config);
    const play p = {.test = never, .count_max = 1};
    play_on(s, &p, &first_game);
    ck_assert_uint_eq(strategy_claim_now(s).run.rounds, 5);
    ck_assert(strategy_raise_attempts(s));
    play_on(s, &p, &first_game);
    ck_assert_uint_eq(strategy_claim_now(s).run.rounds, 10);
    ck_assert_uint_eq(first_game.count, 10);
    strategy_destroy(s);
}

TEST(nothing_goes_on_where_everything_smaller_was_run) {
    const strategy_config config = config_of(5, 100), empty = config_of(5, 0);
    for (uint64_t size = 0; size < 2; size++) {
        strategy *s = play_to_end(&config, size);
        ck_assert(!strategy_raise_attempts(s));
        ck_assert(strategy_claim_now(s).run.bound == 0);
        strategy_destroy(s);
    }
    strategy *s = play_to_end(&empty, 1);
    ck_assert(!strategy_raise_attempts(s));
    strategy_destroy(s);
}

TEST(attempts_that_cannot_be_doubled_end) {
    strategy_config config = config_of(UINT64_C(1) << 63, 4096);
    config.masks = MASKED_COUNTS_LESS; /* a hang counts as a quarter of the attempts */
    strategy *s = strategy_resume(&config, (seed_input){.size = 3, .seed = 7});
    batch next;
    while (strategy_next(s, 1, &next) == STRATEGY_RUN) {
        strategy_feed(s, 1, STRATEGY_MASKED_BY_HANG, next.size);
    }
    ck_assert(!strategy_raise_attempts(s));
    ck_assert_int_eq(strategy_next(s, 1, &next), STRATEGY_DONE);
    strategy_destroy(s);
}

/* ---- Failures of other searches ---- */

TEST(a_smaller_failure_of_another_search_begins_a_stretch) {
    const strategy_config config = config_of(3, 4096);
    strategy *s = play_to_end(&config, 41);
    const seed_input adopted = {.size = 21, .seed = 7};
    strategy_adopt(s, adopted);
    check_bound(s, 0, 8);
    play_on(s, &all_pass, &first_game);
    ck_assert_str_eq(sizes_of(&first_game), "20*7"); /* no look again */
    check_bound(s, 7, 8);
    ck_assert(seed_input_equal(strategy_claim_now(s).best, adopted));
    strategy_destroy(s);
}

TEST(a_failure_as_small_keeps_the_stretch) {
    const strategy_config config = config_of(3, 4096);
    const seed_input adopted = {.size = 41, .seed = 0};
    strategy *s = play_to_end(&config, 41);
    strategy_adopt(s, adopted);
    batch next;
    ck_assert_int_eq(strategy_next(s, 1, &next), STRATEGY_DONE);
    check_bound(s, 9, 7);
    ck_assert(seed_input_equal(strategy_claim_now(s).best, adopted));
    ck_assert_str_eq(sizes_raised(s), "40*9");
    check_bound(s, 18, 7);
    strategy_destroy(s);
}

/* Play until `runs` are made, adopt, and play to the end. */
static const char *sizes_adopted_after(size_t runs, sut *test, bool drawn_known,
                                       seed_input adopted) {
    const strategy_config config = config_of(3, 4096);
    const play before = {
        .test = test, .drawn_known = drawn_known, .count_max = 1, .runs_max = runs};
    strategy *s = strategy_create(&config);
    play_on(s, &before, &first_game);
    strategy_adopt(s, adopted);
    play_on(s, &all_pass, &first_game);
    strategy_destroy(s);
    return sizes_of(&first_game);
}

TEST(a_failure_of_another_search_is_taken_at_any_point) {
    const seed_input of_ten = {.size = 10, .seed = 7}, of_41 = {.size = 41, .seed = 7};
    threshold = 41;
    /* While growing, and while the seed is bisected: a look below it first. */
    ck_assert_str_eq(sizes_adopted_after(5, by_size, true, of_ten), "0 2*3 6*3 8*3 9*6");
    ck_assert_str_eq(sizes_adopted_after(9, by_size, false, of_ten), "2*3 6*3 8*3 9*6");
    ck_assert_str_eq(sizes_adopted_after(13, by_size, false, of_41),
                     "9*3 25*3 33*3 37*3 39*3 40*9");
    /* During the look, which goes on where it was. Passes at that size count. */
    ck_assert_str_eq(sizes_adopted_after(12, by_size, true, of_ten), "9*3");
    ck_assert_str_eq(sizes_adopted_after(12, by_size, true, of_41), "25*2 33*3 37*3 39*3 40*9");
    /* Nothing is smaller. */
    ck_assert_str_eq(sizes_adopted_after(12, by_size, true, (seed_input){.size = 1}), "");
    ck_assert_str_eq(sizes_adopted_after(12, by_size, true, (seed_input){.size = 0}), "");
    ck_assert_str_eq(sizes_adopted_after(5, by_size, true, (seed_input){.size = 0}), "");
    ck_assert_str_eq(sizes_adopted_after(5, by_size, true, (seed_input){.size = 1}), "0");
}

/* ---- Styles ---- */

static strategy_config both_of(uint64_t attempts, uint64_t size_max) {
    strategy_config config = config_of(attempts, size_max);
    config.expand = EXPAND_BOTH;
    return config;
}

TEST(rows_of_a_level_are_plain_and_styled_in_turn) {
    const strategy_config config = both_of(40, 64);
    const play p = {.test = never, .count_max = 1};
    uint64_t styled[65] = {0}, plain[65] = {0};
    play_strategy(&config, &p, &first_game);
    ck_assert_uint_eq(first_game.history[0].run.size, 0);
    for (size_t i = 0; i < first_game.count; i++) {
        const seed_input run = first_game.history[i].run;
        uint64_t *count = run.style == SEED_STYLED ? styled : plain;
        /* The first four rows of a level have one run each. */
        if (plain[run.size] + styled[run.size] < 4) {
            ck_assert_int_eq(run.style == SEED_STYLED,
                             (plain[run.size] + styled[run.size]) % 2 == 1);
        }
        count[run.size]++;
    }
    for (uint64_t size = 0; size < 16; size++) ck_assert_uint_eq(styled[size], 0);
    for (uint64_t size = 16; size <= 64; size *= 2) {
        ck_assert_uint_eq(plain[size] + styled[size], 40);
        ck_assert_uint_ge(plain[size], 15);
        ck_assert_uint_ge(styled[size], 15);
    }
}

TEST(one_expansion_alone) {
    strategy_config config = config_of(20, 4096);
    const play p = {.test = by_prefix, .count_max = 3};
    threshold = 41;
    for (config.expand = EXPAND_UNIFORM; config.expand <= EXPAND_STYLED; config.expand++) {
        play_strategy(&config, &p, &first_game);
        ck_assert(first_game.claim.failed);
        for (size_t i = 0; i < first_game.count; i++) {
            const seed_input run = first_game.history[i].run;
            ck_assert_int_eq(run.style == SEED_STYLED,
                             config.expand == EXPAND_STYLED && run.size > 0);
        }
    }
}

TEST(stretches_below_a_failure_are_half_of_each_run_by_run) {
    strategy_config config = both_of(101, 4096);
    threshold = 63;
    for (config.master_seed = 0; config.master_seed < 20; config.master_seed++) {
        play_strategy(&config, &one_by_one, &first_game);
        ck_assert_uint_eq(first_game.claim.best.size, 63);
        ck_assert_uint_ge(first_game.claim.run.passed, 101);
        for (uint64_t i = 1; i < first_game.claim.run.passed; i++) {
            const committed *run = &first_game.history[first_game.count - 1 - i];
            ck_assert_uint_eq(run->run.size, 62);
            ck_assert_int_ne(run->run.style, run[1].run.style);
        }
    }
}

TEST(bisecting_keeps_the_seed_and_its_style) {
    strategy_config config = both_of(20, 1 << 16);
    play p = one_by_one;
    size_t styled = 0, plain = 0;
    p.drawn_known = false;
    p.test = by_style;
    for (config.master_seed = 0; config.master_seed < 60; config.master_seed++) {
        play_strategy(&config, &p, &first_game);
        size_t i = 0;
        while (!first_game.history[i].failed) i++;
        const seed_input failed = first_game.history[i].run, next = first_game.history[i + 1].run;
        styled += failed.style == SEED_STYLED;
        plain += failed.style == SEED_PLAIN;
        ck_assert_uint_eq(next.size, failed.size - 1);
        ck_assert_uint_eq(next.seed, failed.seed);
        ck_assert_int_eq(next.style, failed.style);
    }
    ck_assert_uint_gt(styled, 0);
    ck_assert_uint_gt(plain, 0);
}

TEST(a_styled_failure_far_above_is_no_end) {
    strategy_config config = both_of(100, 1 << 16);
    const play p = {.test = by_style, .drawn_known = true, .count_max = 7};
    size_t ended_above = 0, styled_first = 0;
    for (config.master_seed = 0; config.master_seed < 100; config.master_seed++) {
        play_strategy(&config, &p, &first_game);
        size_t i = 0;
        while (!first_game.history[i].failed) i++;
        styled_first += first_game.history[i].run.style == SEED_STYLED;
        ended_above += first_game.claim.best.size != 180;
    }
    ck_assert_uint_gt(styled_first, 0);
    ck_assert_uint_le(ended_above, 2);
}

TEST(a_pass_counts_pairs_of_both_styles_at_the_weakest_size) {
    const strategy_config config = both_of(15, 64);
    strategy *s = strategy_create(&config);
    uint64_t styled[3] = {0}, plain[3] = {0}, least = UINT64_MAX;
    batch next;
    while (strategy_next(s, 1, &next) == STRATEGY_RUN) {
        strategy_feed(s, 1, STRATEGY_PASSED, STRATEGY_DRAWN_UNKNOWN);
        if (next.size < 16) continue;
        const size_t i = next.size / 32;
        *(next.mix == MIX_STYLED ? &styled[i] : &plain[i]) += 1;
    }
    for (size_t i = 0; i < 3; i++) {
        const uint64_t fewer = styled[i] < plain[i] ? styled[i] : plain[i];
        least = 2 * fewer < least ? 2 * fewer : least;
    }
    ck_assert_uint_lt(least, 15);
    const run_claim claim = strategy_claim_now(s).run;
    ck_assert_double_eq_tol(claim.bound, confidence_bound(least, 1), 1e-12);
    strategy *anew = strategy_continue(s, NULL, false); /* as of a program that was rebuilt */
    ck_assert(strategy_claim_now(anew).run.bound == 1);
    while (strategy_next(anew, 1, &next) == STRATEGY_RUN) {
        strategy_feed(anew, 1, STRATEGY_PASSED, STRATEGY_DRAWN_UNKNOWN);
    }
    ck_assert_double_eq_tol(strategy_claim_now(anew).run.bound, confidence_bound(least, 2), 1e-12);
    strategy_destroy(anew);
    strategy_destroy(s);
}

TEST(a_rare_styled_failure_is_followed_by_many_runs_below_it) {
    strategy_config config = both_of(1000, 16);
    uint64_t runs = 0;
    batch next;
    strategy *s = strategy_create(&config);
    do { /* the first styled row after 600 runs fails */
        ck_assert_int_eq(strategy_next(s, 1, &next), STRATEGY_RUN);
        if (runs >= 600 && next.mix == MIX_STYLED) break;
        runs++;
        strategy_feed(s, 1, STRATEGY_PASSED, 0);
    } while (true);
    strategy_feed(s, 1, STRATEGY_FAILED, 16);
    while (strategy_next(s, 8, &next) == STRATEGY_RUN) {
        strategy_feed(s, next.count, STRATEGY_PASSED, 0);
    }
    ck_assert_uint_eq(strategy_claim_now(s).run.below, 15);
    ck_assert_uint_ge(strategy_claim_now(s).run.passed, 8 * 600); /* by its size alone: 2,625 */
    strategy_destroy(s);
}

TEST(a_bound_counts_pairs_of_both_styles_only) {
    const strategy_config config = both_of(9, 64);
    strategy *s = strategy_resume(&config, (seed_input){.size = 7, .seed = 3});
    uint64_t plain = 0, styled = 0;
    batch next;
    while (strategy_next(s, 1, &next) == STRATEGY_RUN) {
        const bool is_at_end = next.size == 6;
        const seed_input run = batch_input(&next, 0);
        strategy_feed(s, 1, STRATEGY_PASSED, 0);
        if (!is_at_end) continue;
        styled += run.style == SEED_STYLED;
        plain += run.style == SEED_PLAIN;
        const uint64_t pairs = plain < styled ? plain : styled;
        const strategy_claim claim = strategy_claim_now(s);
        ck_assert_uint_eq(claim.run.passed, plain + styled);
        if (pairs == 0) ck_assert(claim.run.bound == 1);
        ck_assert(claim.run.bound >= confidence_bound(2 * pairs, 1));
        if (plain != styled && pairs > 0)
            ck_assert(claim.run.bound > confidence_bound(plain + styled, 1));
    }
    ck_assert_uint_eq(plain + styled, 16); /* 9, a quarter more for 3 bits, and half of that more */
    strategy_destroy(s);
}

/* ---- Claims ---- */

TEST(claims_are_bolder_with_every_pass_and_never_as_bold_as_the_rule_of_three) {
    const strategy_config config = config_of(100, 4096);
    threshold = 41;
    strategy *s = strategy_create(&config);
    batch t;
    double bound = 1;
    while (strategy_next(s, 1, &t) == STRATEGY_RUN) {
        uint64_t drawn;
        const bool failed = by_size(t.first_seed, t.size, &drawn);
        strategy_feed(s, 1, failed, drawn);
        const strategy_claim claim = strategy_claim_now(s);
        if (!claim.failed || claim.best.size > 41 || t.size != 40 || failed) continue;
        ck_assert_uint_eq(claim.run.below, 40);
        if (claim.run.passed == 1) bound = 1;
        ck_assert(claim.run.bound < bound);
        ck_assert(claim.run.bound > -expm1(log(0.05) / (double)claim.run.passed));
        bound = claim.run.bound;
    }
    ck_assert_uint_eq(strategy_claim_now(s).run.passed, 300);
    ck_assert(bound < 0.10);
    strategy_destroy(s);
}

TEST(a_failure_takes_the_claim_back) {
    const strategy_config config = config_of(100, 64);
    threshold = 41;
    strategy *s = strategy_create(&config);
    batch t;
    while (strategy_claim_now(s).run.passed < 60) {
        ck_assert_int_eq(strategy_next(s, 1, &t), STRATEGY_RUN);
        uint64_t drawn;
        strategy_feed(s, 1, by_size(t.first_seed, t.size, &drawn), 41);
    }
    ck_assert_int_eq(strategy_next(s, 1, &t), STRATEGY_RUN);
    ck_assert(strategy_feed(s, 1, true, 30));
    const strategy_claim claim = strategy_claim_now(s);
    ck_assert_uint_eq(claim.best.size, 30);
    ck_assert_uint_eq(claim.best.seed, t.first_seed);
    ck_assert_uint_eq(claim.run.passed, 0);
    ck_assert(claim.run.bound == 1);
    strategy_destroy(s);
}

/* ---- Misuse ---- */

static strategy *tiny_strategy(void) {
    const strategy_config config = config_of(5, 100);
    return strategy_create(&config);
}

TEST_RAISES(feeding_what_is_not_under_way, SIGABRT) { strategy_feed(tiny_strategy(), 1, false, 0); }

TEST_RAISES(feeding_more_than_was_asked_for, SIGABRT) {
    strategy *s = tiny_strategy();
    batch t;
    strategy_next(s, 1, &t);
    strategy_feed(s, 2, false, 0);
}

TEST_RAISES(feeding_more_drawn_than_there_was, SIGABRT) {
    strategy *s = tiny_strategy();
    batch t;
    strategy_next(s, 1, &t);
    strategy_feed(s, 1, true, t.size + 1);
}

TEST_RAISES(asking_for_no_runs, SIGABRT) {
    batch t;
    strategy_next(tiny_strategy(), 0, &t);
}

TEST_RAISES(no_attempts, SIGABRT) {
    const strategy_config config = config_of(0, 100);
    strategy_create(&config);
}

SUITE(.timeout_s = 250); /* a minute with sanitizers on a machine that does nothing else */
