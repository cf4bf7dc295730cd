/* explain_values.h: statements about functions of positions, on short axes about all functions. */
#include "explain_values.h"
#include "suite.h"

#include <string.h>

typedef bool function(uint64_t position, uint64_t parameter);

/* What is explored, and how often it was asked. */
typedef struct subject {
    function *fails;
    uint64_t parameter, last;
    size_t asked, asked_max;
    bool was_outside;
} subject;

static bool ask(void *context, const uint64_t *positions, size_t count, bool *fails) {
    subject *s = context;
    for (size_t i = 0; i < count; i++) {
        s->was_outside |= positions[i] > s->last;
        fails[i] = s->fails(positions[i], s->parameter);
    }
    s->asked += count;
    return s->asked <= s->asked_max;
}

static subject last_subject;
static answers known;

/* Explore a function; the answers stay in `known`. */
static statement explore_line(function *fails, uint64_t parameter, axis l, uint64_t all_max,
                              uint64_t seed) {
    statement found = {.kind = STATEMENT_NONE};
    last_subject = (subject){fails, parameter, l.last, 0, SIZE_MAX, false};
    answers_finish(&known);
    l.all_max = all_max;
    const bool ok = explain_values(&l, &(asker){ask, &last_subject}, &seed, &known, &found);
    ck_assert(ok && !last_subject.was_outside);
    ck_assert_uint_eq(last_subject.asked + 1, known.count); /* nothing was asked twice */
    ck_assert_uint_eq(found.tried, known.count - 1);
    for (size_t i = 0; i < known.count; i++) {
        ck_assert(known.list[i].fails == fails(known.list[i].position, parameter));
        ck_assert_msg(found.kind == STATEMENT_SOME ||
                          explain_values_agrees(&found, l.at, &known.list[i]),
                      "a statement of kind %d disagrees with an answer", (int)found.kind);
    }
    return found;
}

/* ---- Short axes: all functions ---- */

static bool of_mask(uint64_t position, uint64_t mask) { return (mask >> position & 1) != 0; }

static void check_short(uint64_t last, uint64_t mask, uint64_t at, bool is_ordered) {
    const axis l = {last, at, is_ordered};
    const statement s = explore_line(of_mask, mask, l, EXPLAIN_VALUES_ALL_MAX, 1);
    ck_assert(s.is_exact);
    ck_assert_int_ne(s.kind, STATEMENT_SOME); /* ten positions or fewer can be listed */
    for (uint64_t i = 0; i <= last; i++) {
        const answer a = {i, of_mask(i, mask)};
        ck_assert(explain_values_agrees(&s, at, &a));
    }
    explore_line(of_mask, mask, l, 0, mask); /* by samples: nothing that a run refutes */
}

TEST(all_functions_on_short_lines_are_stated_exactly) {
    for (uint64_t last = 0; last < 10; last++) {
        for (uint64_t mask = 1; mask < UINT64_C(1) << (last + 1); mask++) {
            uint64_t at = 0;
            while (!of_mask(at, mask)) at++;
            check_short(last, mask, at, mask % 2 == 0);
        }
    }
}

TEST(short_lines_have_the_shortest_statement) {
    static const struct {
        uint64_t mask, at;
        statement_kind kind;
        uint64_t low, high, step, count;
    } rows[] = {
        {0x3ff, 3, STATEMENT_ANY, 0, 0, 0, 0},    {0x008, 3, STATEMENT_ONLY, 0, 0, 0, 0},
        {0x3f8, 3, STATEMENT_RANGE, 3, 9, 1, 0},  {0x018, 3, STATEMENT_RANGE, 3, 4, 1, 0},
        {0x155, 2, STATEMENT_RANGE, 0, 8, 2, 0},  {0x249, 3, STATEMENT_RANGE, 0, 9, 3, 0},
        {0x3f7, 0, STATEMENT_EXCEPT, 0, 0, 0, 1}, {0x209, 3, STATEMENT_SET, 0, 0, 0, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const statement s = explore_line(of_mask, rows[i].mask, (axis){9, rows[i].at, true},
                                         EXPLAIN_VALUES_ALL_MAX, 1);
        ck_assert_int_eq(s.kind, rows[i].kind);
        ck_assert_uint_eq(s.value_count, rows[i].count);
        if (s.kind != STATEMENT_RANGE) continue;
        ck_assert(s.low == rows[i].low && s.high == rows[i].high && s.step == rows[i].step);
    }
}

TEST(a_line_of_one_position_is_fixed_and_asks_nothing) {
    const statement s = explore_line(of_mask, 1, (axis){0, 0, true}, EXPLAIN_VALUES_ALL_MAX, 1);
    ck_assert_int_eq(s.kind, STATEMENT_FIXED);
    ck_assert_uint_eq(last_subject.asked, 0);
}

TEST(many_values_without_a_rule_are_counted) {
    const statement s = explore_line(of_mask, UINT64_C(0x123456789abcdef), (axis){56, 0, true},
                                     EXPLAIN_VALUES_ALL_MAX, 1);
    ck_assert_int_eq(s.kind, STATEMENT_SOME);
    ck_assert_uint_eq(s.tried, 56);
    ck_assert_uint_eq(s.failed, 31);
}

/* ---- Long axes ---- */

static bool always(uint64_t position, uint64_t parameter) {
    (void)position;
    (void)parameter;
    return true;
}

static bool at_least(uint64_t position, uint64_t least) { return position >= least; }
static bool equal(uint64_t position, uint64_t other) { return position == other; }
static bool different(uint64_t position, uint64_t other) { return position != other; }
static bool in_thousand(uint64_t position, uint64_t first) { return position - first < 1000; }
static bool multiple(uint64_t position, uint64_t step) { return position % step == 0; }
static bool at_ends(uint64_t position, uint64_t last) { return position == 0 || position == last; }

static const uint64_t lasts[] = {300, 65535, UINT32_MAX, UINT64_MAX};
enum { LASTS = 4, SEEDS = 50 };

static void expect_range(const statement *s, uint64_t low, uint64_t high, uint64_t step) {
    ck_assert_int_eq(s->kind, STATEMENT_RANGE);
    ck_assert_uint_eq(s->low, low);
    ck_assert_uint_eq(s->high, high);
    ck_assert_uint_eq(s->step, step);
}

TEST(long_lines_without_a_pass_are_any_after_few_runs) {
    for (size_t i = 0; i < LASTS; i++) {
        const statement s =
            explore_line(always, 0, (axis){lasts[i], i, true}, EXPLAIN_VALUES_ALL_MAX, 7);
        ck_assert_int_eq(s.kind, STATEMENT_ANY);
        ck_assert(!s.is_exact);
        ck_assert_uint_ge(last_subject.asked, 12);
        ck_assert_uint_le(last_subject.asked, 24);
    }
}

TEST(ranges_of_long_lines_are_found_to_the_last_value) {
    for (size_t i = 1; i < LASTS; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const uint64_t low = seed * seed * 7;
            statement s =
                explore_line(at_least, low, (axis){lasts[i], low + seed, true}, 256, seed);
            expect_range(&s, low, lasts[i], 1);
            s = explore_line(in_thousand, low, (axis){lasts[i], low + 999, true}, 256, seed);
            expect_range(&s, low, low + 999, 1);
            ck_assert_uint_le(last_subject.asked, 400);
        }
    }
}

TEST(single_values_of_long_lines_are_found) {
    for (size_t i = 0; i < LASTS; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            statement s = explore_line(equal, seed, (axis){lasts[i], seed, true}, 256, seed);
            ck_assert_int_eq(s.kind, STATEMENT_ONLY);
            s = explore_line(different, 0, (axis){lasts[i], seed, false}, 256, seed);
            ck_assert_int_eq(s.kind, STATEMENT_EXCEPT);
            ck_assert(s.value_count == 1 && s.values[0] == 0);
        }
    }
}

TEST(steps_of_long_lines_are_found) {
    for (uint64_t step = 2; step <= 16; step++) {
        const uint64_t last = UINT32_MAX;
        const statement s = explore_line(multiple, step, (axis){last, 10 * step, true}, 256, step);
        expect_range(&s, 0, last - last % step, step);
    }
}

TEST(two_ends_of_a_long_line_are_a_set) {
    const statement s = explore_line(at_ends, UINT32_MAX, (axis){UINT32_MAX, 0, true}, 256, 3);
    ck_assert_int_eq(s.kind, STATEMENT_SET);
    ck_assert(s.value_count == 2 && s.values[0] == 0 && s.values[1] == UINT32_MAX);
}

static bool holed(uint64_t position, uint64_t parameter) {
    return position < 1000 ? position % 3 != parameter : position % 2 == 0;
}

TEST(holes_that_a_run_meets_are_not_stated_away) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const statement s = explore_line(holed, 1, (axis){UINT32_MAX, 0, true}, 256, seed);
        ck_assert_int_eq(s.kind, STATEMENT_SOME);
        ck_assert_uint_lt(s.failed, s.tried);
    }
}

/* ---- The budget ---- */

TEST(a_budget_that_is_spent_ends_it_without_a_statement) {
    const axis l = {.last = UINT32_MAX, .at = 20, .is_ordered = true, .all_max = 256};
    explore_line(in_thousand, 5, l, 256, 1);
    const size_t needed = last_subject.asked;
    for (size_t most = 0; most < needed; most++) {
        subject cut = {in_thousand, 5, l.last, 0, most, false};
        statement s = {.kind = STATEMENT_NONE};
        uint64_t seed = 1;
        answers_finish(&known);
        ck_assert(!explain_values(&l, &(asker){ask, &cut}, &seed, &known, &s));
        ck_assert_int_eq(s.kind, STATEMENT_NONE);
    }
    answers_finish(&known);
}
