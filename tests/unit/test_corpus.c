/* corpus.h and splices.h: what enters, and which rows follow from it. */
#include "corpus.h"
#include "strategy.h"
#include "suite.h"

#include "candidate_set.h"

static feature_map known;
static corpus *c;
static uint64_t longest; /* the most bytes that a run drew */

static void open_corpus(void) {
    c = corpus_create(&known, 7);
    longest = UINT64_MAX;
}

static void close_corpus(void) { corpus_destroy(c); }

SUITE(.before_each = open_corpus, .after_each = close_corpus);

/* Let run `run` of a batch with this prefix, and the seeds from 100 on, show a feature. */
static void show(uint64_t row, const seed_prefix *prefix, uint32_t run, uint32_t feature,
                 uint64_t offset) {
    static feature_list shown;
    const batch runs = {
        .first_seed = 100, .count = 4, .size = 64, .prefix = *prefix, .shows = true};
    shown.count = 1;
    shown.records[0] = (frng_feature_record){run, feature, offset};
    corpus_learn(c, (corpus_row){row, row * 1000}, &runs, &shown);
}

static const seed_prefix nothing;

static corpus_plan plan(uint64_t row) {
    return corpus_plan_row(c, (corpus_row){row, row * 1000}, (corpus_sizes){4096, longest});
}

TEST(an_empty_corpus_plans_rows_of_fresh_runs) {
    for (uint64_t row = 0; row < 100; row++) {
        ck_assert_uint_eq(plan(row).prefix.count, 0);
        ck_assert_uint_eq(plan(row).parent_size, 0);
        ck_assert_uint_eq(plan(row).count, 16 + 4 * row);
    }
    ck_assert_uint_eq(plan(100000).count, 4096);
}

TEST(what_is_known_or_of_no_byte_or_of_no_run_does_not_enter) {
    show(0, &nothing, 1, 5, 8);
    show(0, &nothing, 2, 5, 9); /* known by now */
    show(0, &nothing, 2, 6, 0);
    show(0, &nothing, 4, 7, 8);
    ck_assert_uint_eq(corpus_count(c).fresh, 1);
    ck_assert_uint_eq(known.seen[5], 1);
    ck_assert_uint_eq(known.seen[6], 1);
    ck_assert_uint_eq(known.seen[7], 0);
}

TEST(a_row_sees_only_what_was_found_eight_rows_before) {
    show(3, &nothing, 0, 5, 8);
    for (uint64_t row = 0; row < 3 + CORPUS_LAG; row++) {
        ck_assert_uint_eq(plan(row).parent_size, 0);
        ck_assert_uint_eq(plan(row).barren, row * 1000);
    }
    unsigned spliced = 0;
    for (uint64_t row = 3 + CORPUS_LAG; row < 200; row++) {
        const corpus_plan p = plan(row);
        ck_assert_uint_eq(p.count, 16 + 4 * (row - 3));
        ck_assert_uint_eq(p.barren, (row - 3) * 1000);
        ck_assert(p.parent_size == 0 || p.parent_size == 8);
        spliced += p.parent_size == 8;
    }
    ck_assert_uint_gt(spliced, 100);
}

/* Half of the rows go on behind the prefix, the others behind some of its bytes. */
TEST(rows_cut_their_prefix_at_every_byte) {
    unsigned at[9] = {0}, rows = 0;
    show(0, &nothing, 2, 5, 8);
    for (uint64_t row = CORPUS_LAG; row < 4000; row++) {
        const corpus_plan p = plan(row);
        if (p.parent_size == 0) continue;
        ck_assert_uint_le(p.prefix.count, 1);
        ck_assert(p.prefix.count == 0 || p.prefix.links[0].seed == 102);
        at[seed_prefix_size(&p.prefix)]++;
        rows++;
    }
    for (unsigned i = 0; i < 9; i++) ck_assert_uint_gt(at[i], rows / 64);
    ck_assert_uint_gt(at[8], rows * 4 / 10);
    ck_assert_uint_lt(at[8], rows * 7 / 10);
}

TEST(rows_seldom_go_on_where_no_run_draws_more) {
    unsigned at_end = 0, rows = 0;
    longest = 8;
    show(0, &nothing, 2, 5, 8);
    for (uint64_t row = CORPUS_LAG; row < 4000; row++) {
        const corpus_plan p = plan(row);
        if (p.parent_size == 0) continue;
        at_end += seed_prefix_size(&p.prefix) == 8;
        rows++;
    }
    ck_assert_uint_gt(rows, 2000);
    ck_assert_uint_lt(at_end, rows / 10);
}

TEST(each_entry_gets_rows_and_the_newest_more_of_them) {
    enum { ENTRIES = 200 };
    static unsigned rows_of[ENTRIES + 1];
    for (unsigned i = 0; i < ENTRIES; i++) show(i, &nothing, 0, i, 1 + i % 64);
    for (unsigned i = 0; i < ENTRIES; i++) {
        const seed_prefix two = {2, {{1 + i % 64, 100, SEED_PLAIN}, {1 + i, 9, SEED_PLAIN}}};
        show(ENTRIES, &two, 0, ENTRIES + i, 64);
    }
    ck_assert_uint_eq(corpus_count(c).fresh + corpus_count(c).spliced, 2 * ENTRIES);
    unsigned newest = 0, none = 0;
    for (uint64_t row = 300; row < 20300; row++) {
        const corpus_plan p = plan(row);
        none += p.parent_size == 0;
        newest += p.parent_size == 64;
        if (p.parent_size < ENTRIES) rows_of[p.parent_size]++;
    }
    ck_assert_uint_gt(none, 20);
    ck_assert_uint_gt(newest, 5000);
    for (unsigned i = 1; i < 64; i++) ck_assert_uint_gt(rows_of[i], 20);
}

/* Return a prefix of `count` links of `size` bytes each. */
static seed_prefix links(uint32_t count, uint64_t size) {
    seed_prefix p = {.count = count};
    for (uint32_t i = 0; i < count; i++) p.links[i] = (seed_link){size, 40 + i, i % 2};
    return p;
}

static void expect_bytes(const seed_prefix *a, const seed_prefix *b) {
    uint8_t x[64], y[64];
    const uint64_t size = seed_prefix_size(a);
    ck_assert_uint_le(seed_prefix_size(b), size);
    seed_prefix_expand(a, x);
    seed_prefix_expand(b, y);
    ck_assert_mem_eq(x, y, seed_prefix_size(b));
}

TEST(short_links_are_joined_where_there_are_too_many) {
    const seed_prefix parent = links(7, 1);
    seed_prefix whole = parent;
    show(0, &parent, 0, 5, 9);
    ck_assert_uint_eq(corpus_count(c).spliced, 1);
    bool is_whole = false;
    for (uint64_t row = CORPUS_LAG; row < 200; row++) {
        const seed_prefix p = plan(row).prefix;
        if (p.count < 7) continue;
        is_whole = seed_prefix_size(&p) == 9;
        ck_assert_uint_eq(p.count, 7);
        ck_assert_uint_eq(p.links[0].size, 2);
        ck_assert_uint_eq(p.links[6].seed, 100);
        whole.links[6] = (seed_link){1, 46, 0};
        expect_bytes(&whole, &(seed_prefix){6,
                                            {p.links[0], p.links[1], p.links[2], p.links[3],
                                             p.links[4], p.links[5]}});
    }
    ck_assert(is_whole);
}

TEST(a_chain_of_seven_long_links_gets_no_other_one) {
    const seed_prefix parent = links(7, 2);
    show(0, &parent, 0, 5, 20);
    ck_assert_uint_eq(corpus_count(c).spliced, 0);
    show(0, &parent, 0, 6, 14); /* within the links */
    ck_assert_uint_eq(corpus_count(c).spliced, 1);
}

/* ---- Rows of splices ---- */

/* Feed batches that pass until `runs` were made. Return the share of splices in them, in percent.
 */
static unsigned share_of_splices(strategy *s, uint64_t runs) {
    uint64_t spliced = 0;
    for (uint64_t made = 0; made < runs;) {
        batch next;
        ck_assert_int_eq(strategy_next(s, 1000, &next), STRATEGY_RUN);
        strategy_take_draws(s, (strategy_draws){4, 4 * (uint64_t)next.count});
        ck_assert(!strategy_feed(s, next.count, STRATEGY_PASSED, STRATEGY_DRAWN_UNKNOWN));
        if (next.shows) spliced += next.count;
        made += next.count;
    }
    return (unsigned)(100 * spliced / runs);
}

TEST(splices_get_half_of_the_runs_and_ever_fewer_if_they_find_nothing) {
    const strategy_config config = {.size_max = 4096,
                                    .attempts = 100,
                                    .master_seed = 7,
                                    .endless = true,
                                    .follows_draws = true,
                                    .expand = EXPAND_BOTH,
                                    .corpus = c};
    strategy *s = strategy_create(&config);
    share_of_splices(s, 2000);
    const unsigned first = share_of_splices(s, 10000), later = share_of_splices(s, 1000000);
    const unsigned last = share_of_splices(s, 1000000);
    strategy_destroy(s);
    ck_assert_uint_ge(first, 30);
    ck_assert_uint_le(first, 60);
    ck_assert_uint_le(later, 20);
    ck_assert_uint_le(last, 6);
}
