/* guide.h, replacements.h: which bytes a comparison asks for; and rows stay rows, whatever a target
 * writes where its records should be. */
#include "guide.h"
#include "replacements.h"
#include "suite.h"

#include "bytes.h"
#include "frng_expand.h"
#include "frng_more.h"

#define FRNG__C_LINKAGE
#define FRNG_GUIDED /* comparisons, too */
FRNG__CODE;
#include "frng_guide.h"

/* ---- Replacements ---- */

#define DRAW(number, kind_, width_, start_, end_, min_, max_, value_)                              \
    {                                                                                              \
        .type = FRNG_GUIDE_DRAW, .kind = kind_, .width = width_, .draws = number, .u.draw = {      \
            start_,                                                                                \
            end_,                                                                                  \
            min_,                                                                                  \
            max_,                                                                                  \
            value_                                                                                 \
        }                                                                                          \
    }
#define PAIR(number, width_, a_, b_)                                                               \
    {                                                                                              \
        .type = FRNG_GUIDE_PAIR, .kind = 1, .width = width_, .draws = number, .u.pair = { a_, b_ } \
    }
#define TEXT(number, a_, b_)                                                                       \
    {                                                                                              \
        .type = FRNG_GUIDE_TEXT, .width = sizeof a_, .second = sizeof b_, .draws = number,         \
        .u.text = {                                                                                \
            a_,                                                                                    \
            b_                                                                                     \
        }                                                                                          \
    }
#define LETTER(number, start_, pick, letter)                                                       \
    DRAW(number, FRNG_LETTER, 1, start_, (start_) + 1, 8 << 16 | 28, 26,                           \
         (pick) | (uint64_t)(letter) << 32)

/* A run: its bytes, what it recorded, and the replacements: from-to and bytes. */
static const struct {
    const char *name, *bytes;
    frng_guide_record records[8];
    const char *replacements;
    replacement_steps steps;
} runs[] = {
    {"a number",
     "01020304",
     {DRAW(0, FRNG_UINT, 4, 0, 4, 0, UINT32_MAX, 0x04030201), PAIR(1, 4, 0xdeadbeef, 0x04030201)},
     "0-4:efbeadde"},
    {"a number of a range", /* 7 of 5..9: 2 * 256 / 5 rounded up */
     "01",
     {DRAW(0, FRNG_UINT, 1, 0, 1, 5, 9, 5), PAIR(1, 4, 7, 5)},
     "0-1:67"},
    {"beyond its bounds", "01", {DRAW(0, FRNG_UINT, 1, 0, 1, 5, 9, 5), PAIR(1, 4, 10, 5)}, ""},
    {"drawn after the comparison",
     "0102",
     {DRAW(0, FRNG_UINT, 1, 0, 1, 0, 255, 1), DRAW(1, FRNG_UINT, 1, 1, 2, 0, 255, 2),
      PAIR(1, 1, 9, 2)},
     ""},
    {"the newest of two comes first",
     "0505",
     {DRAW(0, FRNG_UINT, 1, 0, 1, 0, 255, 5), DRAW(1, FRNG_UINT, 1, 1, 2, 0, 255, 5),
      PAIR(2, 1, 9, 5)},
     "1-2:09 0-1:09"},
    {"a negative number, compared as an int",
     "ff",
     {DRAW(0, FRNG_INT, 1, 0, 1, (uint64_t)-128, 127, (uint64_t)-1),
      PAIR(1, 4, (uint32_t)-9, UINT32_MAX)},
     "0-1:f7"},
    {"the lower part of a number",
     "7856341200000000",
     {DRAW(0, FRNG_UINT, 8, 0, 8, 0, UINT64_MAX, 0x12345678), PAIR(1, 2, 0xabcd, 0x5678)},
     "0-8:cdab341200000000"},
    {"raw bytes, and part of them",
     "00112233",
     {DRAW(0, FRNG_BYTES, 1, 0, 4, 0, 4, 0), PAIR(1, 2, 0xbeef, 0x2211)},
     "1-3:efbe"},
    {"a text in raw bytes",
     "616263",
     {DRAW(0, FRNG_BYTES, 1, 0, 3, 0, 3, 0),
      {.type = FRNG_GUIDE_TEXT, .width = 2, .second = 2, .draws = 1, .u.text = {"bc", "XY"}}},
     "1-3:5859"},
    {"letters of a string that ends", /* "ba" shall be "abb": picks 1, 2, 2, and the end */
     "281f01",
     {LETTER(0, 0, 2, 'b'), LETTER(1, 1, 1, 'a'), LETTER(2, 2, 0, 0), TEXT(3, "ba", "abb")},
     "0-3:1f282801"},
    {"a letter that no run has shown",
     "281f01",
     {LETTER(0, 0, 2, 'b'), LETTER(1, 1, 1, 'a'), LETTER(2, 2, 0, 0), TEXT(3, "ba", "abc")},
     ""},
    {"letters from the last byte to the first",
     "011f28",
     {LETTER(0, 2, 2, 'b'), LETTER(1, 1, 1, 'a'), LETTER(2, 0, 0, 0), TEXT(3, "ba", "abb")},
     ""},
    {"a draw that a side is computed from", /* by what both sides differ */
     "64000302",
     {DRAW(0, FRNG_UINT, 2, 0, 2, 0, 999, 1), DRAW(1, FRNG_UINT, 2, 2, 4, 0, 65535, 0x203),
      PAIR(2, 4, 37, 15)},
     "2-4:1902",
     STEPS_ALL},
    {"the complement of a sum of bytes", /* 255 - (240 + 14) is 1, and shall be 9, or 0x81 */
     "f00e",
     {DRAW(0, FRNG_UINT, 1, 0, 1, 0, 255, 240), DRAW(1, FRNG_UINT, 1, 1, 2, 0, 255, 14),
      PAIR(2, 1, 9, 1)},
     "1-2:16 1-2:06",
     STEPS_OF_SUM},
    {"a sum, where the newest comparison is of one",
     "0502",
     {DRAW(0, FRNG_UINT, 1, 0, 1, 0, 255, 5), DRAW(1, FRNG_UINT, 1, 1, 2, 0, 255, 2),
      PAIR(1, 1, 80, 60), PAIR(2, 1, 9, 7)},
     "1-2:04 1-2:00 1-2:0c",
     STEPS_OF_SUM},
    {"no sum, where a draw is compared",
     "0502",
     {DRAW(0, FRNG_UINT, 1, 0, 1, 0, 255, 5), DRAW(1, FRNG_UINT, 1, 1, 2, 0, 255, 2),
      PAIR(1, 1, 80, 5), PAIR(2, 1, 9, 7)},
     "0-1:50",
     STEPS_OF_SUM},
    {"a sum beyond the width of a draw", /* 250 and 20: 14 */
     "fa",
     {DRAW(0, FRNG_UINT, 1, 0, 1, 0, 255, 250), PAIR(1, 4, 320, 300)},
     "0-1:0e 0-1:e6 0-1:96",
     STEPS_OF_SUM},
    {"the sum of raw bytes",
     "010203",
     {DRAW(0, FRNG_BYTES, 1, 0, 3, 0, 3, 0), PAIR(1, 4, 300, 290)},
     "2-3:0d 2-3:f9",
     STEPS_OF_SUM},
    {"a number that was read from digits",
     "782d31320000",
     {DRAW(0, FRNG_BYTES, 1, 0, 6, 0, 6, 0), PAIR(1, 4, 345, 12)},
     "2-5:333435",
     STEPS_ALL},
    {"a number that was read from two hexadecimal digits a byte", /* 0x0012, not 0x012 */
     "30303132",
     {DRAW(0, FRNG_BYTES, 1, 0, 4, 0, 4, 0), PAIR(1, 2, 0xbeef, 0x12)},
     "0-4:62656566 0-4:42454546",
     STEPS_ALL},
    {"bytes that were read from base64", /* "abc": YWJj, "root": cm9vd and 2 bits */
     "59574a6a00",
     {DRAW(0, FRNG_BYTES, 1, 0, 5, 0, 5, 0), TEXT(1, "abc", "root")},
     "0-5:636d397664"},
    {"a draw that the bytes contradict",
     "01020304",
     {DRAW(0, FRNG_UINT, 4, 0, 4, 0, UINT32_MAX, 5), PAIR(1, 4, 9, 5)},
     ""},
    {"a draw beyond the input",
     "01",
     {DRAW(0, FRNG_UINT, 4, 0, 4, 0, UINT32_MAX, 1), PAIR(1, 4, 9, 1)},
     ""},
};

TEST_EACH(comparisons_ask_for_bytes, sizeof runs / sizeof runs[0]) {
    static letter_table letters;
    static guide_run run;
    static replacement replacements[8];
    uint8_t bytes[64];
    char said[400] = "";
    memset(&letters, 0, sizeof letters);
    run.bytes = bytes;
    size_t size;
    ck_assert(bytes_from_hex(runs[_i].bytes, bytes, sizeof bytes, &size));
    run.size = size;
    guide_run_read(&run, runs[_i].records, 8, &letters);
    const size_t count = replacements_find(&run, &letters, 0, runs[_i].steps, replacements, 8);
    for (size_t i = 0; i < count; i++) {
        const replacement *w = &replacements[i];
        sprintf(said + strlen(said), "%s%u-%u:", i > 0 ? " " : "", w->from, w->to);
        bytes_to_hex(w->bytes, w->size, said + strlen(said));
    }
    ck_assert_msg(strcmp(said, runs[_i].replacements) == 0, "%s: %s", runs[_i].name, said);
}

/* ---- Words of the program ---- */

/* Inputs that come of a run's, where its draws may have 300, 0xdeadbeef or "abb". */
static const struct {
    const char *bytes;
    frng_guide_record draws[3];
    const char *wanted[3];
} rewritten[] = {
    {"0100000007", /* a number within bounds, and those beside it */
     {DRAW(0, FRNG_UINT, 4, 0, 4, 0, UINT32_MAX, 1), DRAW(1, FRNG_UINT, 1, 4, 5, 0, 255, 7)},
     {"efbeadde07", "2b01000007", "f0beadde07"}},
    {"0177787900", /* raw bytes: a text and a number, at any place */
     {DRAW(0, FRNG_UINT, 1, 0, 1, 0, 255, 1), DRAW(1, FRNG_BYTES, 1, 1, 5, 0, 4, 0)},
     {"0161626200", "0177616262", "012c017900"}},
    {"281f01", /* a string of letters that were seen, and its end; more bytes than before */
     {LETTER(0, 0, 2, 'b'), LETTER(1, 1, 1, 'a'), LETTER(2, 2, 0, 0)},
     {"1f282801", "1f2828", "281f01"}},
};

TEST_EACH(draws_get_words_of_the_program, sizeof rewritten / sizeof rewritten[0]) {
    static dictionary words;
    static letter_table letters;
    static guide_run run;
    uint8_t from[16], bytes[16];
    char said[40];
    bool seen[3] = {false};
    uint64_t random = 1;
    size_t from_size;
    dictionary_add_number(&words, 0xdeadbeef);
    dictionary_add_number(&words, 300);
    dictionary_add_text(&words, "abb");
    ck_assert(bytes_from_hex(rewritten[_i].bytes, from, sizeof from, &from_size));
    run.bytes = from;
    run.size = from_size;
    guide_run_read(&run, rewritten[_i].draws, 3, &letters);
    ck_assert_uint_eq(run.draw_count, _i == 2 ? 3 : 2);
    for (int i = 0; i < 4000; i++) {
        const size_t most = run.size + (size_t)i % 4;
        const size_t size = dictionary_rewrite(&words, &random, rewritten[_i].draws, run.draw_count,
                                               from, run.size, &letters, bytes, most);
        ck_assert(size <= most);
        bytes_to_hex(bytes, size, said);
        for (int k = 0; k < 3; k++) seen[k] |= strcmp(said, rewritten[_i].wanted[k]) == 0;
    }
    for (int k = 0; k < 3; k++) ck_assert_msg(seen[k], "%s", rewritten[_i].wanted[k]);
}

/* ---- What a target records ---- */

/* A run repeats another one up to byte `from`: so far nothing is new, and its draws are known. With
 * FRNG_GUIDE_NEWS it has no records if nothing is new behind that. */
static const struct {
    uint32_t from;
    bool is_near;     /* the second comparison comes nearer than ever */
    uint64_t records; /* draws, and pairs */
    uint32_t at;      /* where news was */
} looks[] = {
    {0, false, 4, 0},
    {0, true, 4, 2},
    {1, false, 2, 0},
    {1, true, 3, 2},
    {2, true, 0, 0},
    {1 | FRNG_GUIDE_NEWS, false, 0, 0},
    {1 | FRNG_GUIDE_NEWS, true, 3, 2},
};

TEST_EACH(runs_are_looked_at_from_where_they_differ, sizeof looks / sizeof looks[0]) {
    static struct {
        frng_guide_table table;
        frng_guide_record records[FRNG_GUIDE_RUN_MAX];
    } shared;
    const uint64_t best = UINT64_MAX - (looks[_i].is_near ? 9 : 1);
    frng f = {0};
    memset(&shared, 0, sizeof shared);
    shared.table.from[0] = looks[_i].from;
    for (int i = 0; i < FRNG_GUIDE_SITES; i++) shared.table.sites[i].near = best;
    frng__guide_order(&shared, sizeof shared);
    ck_assert(frng__guide_begin(&f, 0));
    for (uint8_t i = 1; i <= 2; i++) {
        f.used = i;
        frng__guide_drawn(&f, FRNG_UINT, i - 1U, 1, 0, 255, i);
        __sanitizer_cov_trace_cmp1(i, i == 1 ? 200 : 4);
    }
    frng__guide.is_on = false;
    frng__guide_end();
    ck_assert_uint_eq(shared.table.used, looks[_i].records);
    uint32_t at = 0;
    for (int i = 0; i < FRNG_GUIDE_SITES; i++) at += shared.table.sites[i].at;
    ck_assert_uint_eq(at, looks[_i].at);
}

/* As if there were a branch between them, the second of two comparisons has a place of its own
 * where the first one is equal. */
TEST(comparisons_of_a_condition_are_told_apart) {
    static struct {
        frng_guide_table table;
        frng_guide_record records[2 * FRNG_GUIDE_RUN_MAX];
    } shared;
    int news[3];
    frng f = {0};
    frng__guide_order(&shared, sizeof shared);
    ck_assert(frng__guide_begin(&f, 0));
    frng__guide.is_on = true;
    for (int i = 0; i < 3; i++) {
        __sanitizer_cov_trace_pc();
        frng__guide_numbers(1, i == 1, 4, false, (uintptr_t)&shared);
        frng__guide.has_news = false;
        frng__guide_numbers(2, 2, 4, false, (uintptr_t)&shared + 1);
        news[i] = frng__guide.has_news;
    }
    frng__guide.is_on = false;
    frng__guide_end();
    ck_assert_int_eq(news[0], 1);
    ck_assert_int_eq(news[1], 1);
    ck_assert_int_eq(news[2], 0);
}

/* ---- Rows ---- */

static uint64_t state = 1;

static uint64_t dice(uint64_t sides) { return frng__splitmix64(&state) % sides; }

/* Fill a record with anything, often something near the truth. */
static void make_record(frng_guide_record *r, uint32_t run) {
    uint64_t *words = (uint64_t *)r;
    for (size_t i = 0; i < sizeof *r / 8; i++)
        words[i] = dice(4) == 0 ? dice(300) : dice(UINT64_MAX);
    r->type = (uint8_t)dice(5);
    r->run = run;
    if (dice(2) == 0) r->draws = (uint32_t)dice(9);
    if (r->type != FRNG_GUIDE_DRAW || dice(3) == 0) return;
    r->kind = (uint8_t)dice(17);
    r->width = (uint8_t)(1 << dice(4));
    r->u.draw.start = dice(20);
    r->u.draw.end = r->u.draw.start + dice(10);
    if (dice(2) == 0) r->u.draw.max = r->u.draw.end - r->u.draw.start;
}

static void check_set(const candidate_set *set) {
    uint64_t end = 0;
    ck_assert(set->count > 0 && set->count <= CANDIDATE_SET_COUNT_MAX);
    for (uint32_t i = 0; i < set->count; i++) {
        ck_assert(set->ends[i] >= end && set->ends[i] <= GUIDE_SET_BYTES);
        end = set->ends[i];
    }
}

static bool by_draws;

static guide *begin_rows(candidate_set *set, size_t records) {
    guide *g = guide_create(7, 1 << 16, NULL);
    set->bytes_max = GUIDE_SET_BYTES;
    set->bytes = malloc(GUIDE_SET_BYTES);
    set->known = malloc(sizeof *set->known);
    set->log = malloc(records * sizeof *set->log);
    ck_assert(g != NULL && set->bytes != NULL && set->known != NULL && set->log != NULL);
    guide_begin(g, by_draws, 100, 6400, 3200, 64);
    return g;
}

static void end_rows(guide *g, candidate_set *set) {
    guide_destroy(g);
    free(set->bytes);
    free(set->known);
    free(set->log);
}

/* Two rows are planned ahead. As near as before is news after less than 3/4 of the bytes. */
TEST(rows_are_short_after_news) {
    static const struct {
        uint32_t count, at;
    } rows[] = {{8, 0},  {8, 0},   {16, 0}, {32, 0}, {64, 40}, {128, 40},
                {8, 30}, {16, 29}, {32, 0}, {8, 0},  {16, 0}};
    candidate_set set = {0};
    guide *g = begin_rows(&set, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        guide_fill(g, &set);
        ck_assert_uint_eq(set.count, rows[i].count);
        if (rows[i].at > 0) set.known->sites[3] = (frng_guide_site){9, rows[i].at, 5};
        guide_take(g, &set, set.count);
    }
    end_rows(g, &set);
}

/* A deeper run that was discarded hides none. No goal is as high as runs are deep. */
TEST(the_deepest_run_that_counts_is_news_of_draws) {
    static tally t = {.row_count = 1, .rows[0] = {.name = "bb", .kind = TALLY_GOAL, .most = 1}};
    candidate_set set = {.log_count = 2};
    by_draws = true;
    guide *g = begin_rows(&set, 2);
    set.log[0] = (frng_guide_record){.type = FRNG_GUIDE_DRAW, .run = 3, .draws = 4};
    set.log[1] = (frng_guide_record){.type = FRNG_GUIDE_DRAW, .run = 5, .draws = 9};
    set.passes[5].discarded = true;
    ck_assert_uint_eq(frng__goal_place("bb"), frng__goal_place(""));
    for (int row = 0; row < 3; row++) {
        guide_fill(g, &set);
        ck_assert_uint_eq(set.count, 8);
        guide_take(g, &set, set.count);
        set.log_count = 0;
    }
    ck_assert_uint_eq(guide_height(g, &t, &t.rows[0]), 1);
    end_rows(g, &set);
}

/* Rows cost the same share of fresh runs, whatever the name of a goal. */
TEST(all_goals_are_worth_as_many_rows) {
    uint64_t room[2];
    for (int i = 0; i < 2; i++) {
        candidate_set set = {0};
        guide *g = begin_rows(&set, 1);
        for (int row = 0; row < 60; row++) {
            guide_fill(g, &set);
            if (row == 0)
                set.known->sites[frng__goal_place(i == 0 ? "bb" : "b")] =
                    (frng_guide_site){1, 4, 5};
            guide_take(g, &set, set.count);
        }
        ck_assert_int_eq(guide_turn(g, 0, false, &room[i]), GUIDE_FRESH);
        end_rows(g, &set);
    }
    ck_assert_uint_eq(room[0], room[1]);
}

/* Fresh runs that found nothing for long leave nine tenths to guided ones, while there is news. */
TEST(news_gives_guided_runs_a_larger_share) {
    enum { PART = 4 << 20, TURNED = 6 << 20, QUIET = 20 << 20 };
    candidate_set set = {0};
    uint64_t fresh = 0, room, before = 0, turned = 0, quiet = 0;
    guide *g = begin_rows(&set, 1);
    while (fresh < QUIET + PART) {
        while (guide_turn(g, fresh, false, &room) == GUIDE_FRESH) fresh += room;
        guide_fill(g, &set);
        if (fresh < PART) before += set.count;
        if (fresh >= TURNED && fresh < TURNED + PART) turned += set.count;
        if (fresh >= QUIET) quiet += set.count;
        if (fresh < TURNED + PART) set.known->sites[3] = (frng_guide_site){1 + fresh, 4, 5};
        guide_take(g, &set, set.count);
    }
    ck_assert_uint_gt(turned, 8 * before);
    ck_assert_uint_lt(turned, 10 * before);
    ck_assert_uint_lt(quiet, before / 8);
    end_rows(g, &set);
}

/* What shows something new is repeated, to be looked at from its first byte on. */
TEST(news_is_looked_at_again) {
    candidate_set set = {0};
    int looked = 0;
    guide *g = begin_rows(&set, 1);
    for (int row = 0; row < 4; row++) {
        static uint8_t first[GUIDE_SET_BYTES];
        static uint64_t size;
        guide_fill(g, &set);
        for (uint32_t i = 0; row > 0 && i < set.count; i++) {
            const bool is_whole = set.known->from[i] == 0;
            looked += is_whole;
            if (is_whole) ck_assert_uint_le(candidate_set_size(&set, i), size);
            if (is_whole) ck_assert_mem_eq(candidate_set_bytes(&set, i), first, set.ends[i]);
        }
        set.passes[5].drawn = candidate_set_size(&set, 5);
        if (row == 0) size = set.passes[5].drawn;
        if (row == 0) memcpy(first, candidate_set_bytes(&set, 5), size);
        if (row == 0) set.known->sites[3] = (frng_guide_site){9, 4, 5};
        guide_take(g, &set, set.count);
    }
    ck_assert_int_eq(looked, 1);
    end_rows(g, &set);
}

/* Fresh bytes are more than runs asked for, even if those drew none. */
TEST(runs_that_run_out_get_more) {
    candidate_set set = {0};
    uint64_t most = 0;
    guide *g = begin_rows(&set, 1);
    for (int row = 0; row < 12; row++) {
        guide_fill(g, &set);
        for (uint32_t i = 0; i < set.count; i++) {
            most = larger(most, candidate_set_size(&set, i));
            set.passes[i] = (candidate_pass){.ran_out = candidate_set_size(&set, i) < 100};
        }
        guide_take(g, &set, set.count);
    }
    ck_assert_uint_ge(most, 100);
    end_rows(g, &set);
}

TEST(garbage_makes_rows_all_the_same) {
    enum { RECORDS = 2000 };
    static candidate_set set;
    uint64_t fresh = 0, room;
    guide *g = begin_rows(&set, RECORDS);
    for (int row = 0; row < 300; row++) {
        while (guide_turn(g, fresh, false, &room) == GUIDE_FRESH) fresh += room;
        ck_assert_int_eq(guide_turn(g, fresh, false, &room), GUIDE_ROW);
        guide_fill(g, &set);
        check_set(&set);
        const uint32_t passed = (uint32_t)dice(set.count + 1);
        for (uint32_t i = 0; i < passed; i++)
            set.passes[i].drawn = dice(3) == 0 ? dice(UINT64_MAX) : candidate_set_size(&set, i);
        for (int i = 0; i < 20; i++) {
            frng_guide_site *site = &set.known->sites[dice(FRNG_GUIDE_SITES)];
            *site = (frng_guide_site){dice(UINT64_MAX), (uint32_t)dice(300), (uint32_t)dice(300)};
        }
        for (set.log_count = 0; passed > 0 && set.log_count < RECORDS; set.log_count++)
            make_record(&set.log[set.log_count], (uint32_t)(set.log_count * passed / RECORDS));
        if (dice(9) == 0) {
            guide_forget(g);
            continue;
        }
        guide_take(g, &set, passed);
    }
    end_rows(g, &set);
}
