/* reduction.h: what an explanation says of draws of many values, of which only some are run. Of few
 * values, tests/self/reducer.c runs all. */
#include "clock.h"
#include "drawn.h"
#include "suite.h"

/* Two numbers; the first one is explained. */
#define NUMBERS(name, condition)                                                                   \
    static bool name(frng *f, int *status) {                                                       \
        uint32_t x, y;                                                                             \
        FRNG_TRY(frng_u32(f, &x) && frng_u32(f, &y));                                              \
        *status = (condition) ? SIGABRT : 0;                                                       \
        return true;                                                                               \
    }
NUMBERS(any, x + (uint64_t)y < UINT64_MAX)
NUMBERS(one, x == 77)
NUMBERS(interval, x >= 1000 && x <= 70000)
NUMBERS(stepped, x % 8 == 3 && x < 40000)
NUMBERS(all_but_one, x != 1)
NUMBERS(few, x == 77 || x == 78 || x == 80)
NUMBERS(apart, x == 77 || x == 80 || x == 83)
NUMBERS(scattered, x * 2654435761u >> 29 < 3)
NUMBERS(equal, x == y)
NUMBERS(alike, x == y || (x > 9 && y > 9))

static const struct {
    sut_test *test;
    statement_kind kind;
    uint64_t low, high, step; /* of a range; or the first value, the last one and their count */
} rows[] = {
    {any, STATEMENT_ANY, 0, 0, 0},
    {one, STATEMENT_ONLY, 0, 0, 0},
    {interval, STATEMENT_RANGE, 1000, 70000, 1},
    {stepped, STATEMENT_RANGE, 3, 39995, 8},
    {all_but_one, STATEMENT_EXCEPT, 1, 1, 1},
    {few, STATEMENT_SET, 77, 80, 3},
    {apart, STATEMENT_SET, 77, 83, 3},
    {scattered, STATEMENT_SOME, 0, 0, 0},
    {equal, STATEMENT_EQUAL, 0, 0, 0},
    {alike, STATEMENT_ONLY, 0, 0, 0}, /* not equal: others fail too */
};

TEST_EACH(statements_about_many_values, sizeof rows / sizeof *rows) {
    static sut subject;
    static reduce_result result;
    uint8_t start[8];
    uint64_t state = 1;
    int status = 0;
    for (uint32_t x = 0; status == 0; x = x < 100 ? x + 1 : (uint32_t)dice(&state, UINT32_MAX)) {
        for (size_t i = 0; i < sizeof start; i++) start[i] = (uint8_t)(x >> (8 * (i % 4)));
        frng f = frng_init(start, sizeof start);
        ck_assert(rows[_i].test(&f, &status));
    }
    reduce_config config = config_of(start, sizeof start);
    config.explain = (explain_limits){20000, true};
    subject.test = rows[_i].test;
    reduce_with(&config, &subject, &nobody, &result);
    ck_assert_int_eq(result.explanation.state, EXPLANATION_MADE);
    const statement *s = &result.explanation.draws[0].statement;
    ck_assert_int_eq(s->kind, rows[_i].kind);
    ck_assert(!s->is_exact && s->failed <= s->tried);
    if (s->kind == STATEMENT_RANGE) {
        ck_assert(s->low == rows[_i].low && s->high == rows[_i].high && s->step == rows[_i].step);
    } else if (s->kind == STATEMENT_SET || s->kind == STATEMENT_EXCEPT) {
        ck_assert_uint_eq(s->value_count, rows[_i].step);
        ck_assert_uint_eq(s->values[0], rows[_i].low);
        ck_assert_uint_eq(s->values[s->value_count - 1], rows[_i].high);
    }
    ck_assert_int_eq(result.explanation.draws[1].statement.kind,
                     subject.test == equal   ? STATEMENT_EQUAL
                     : subject.test == alike ? STATEMENT_ONLY
                                             : STATEMENT_ANY);
    reduce_finish(&result);
}

/* Four draws of which each fails with one value, and all differ, so that none may have to equal
 * another one. */
static bool four(frng *f, int *status) {
    uint8_t x[4];
    for (uint8_t i = 0; i < 4; i++) FRNG_TRY(frng_u8_max(f, 3, &x[i]));
    *status = x[0] == 0 && x[1] == 1 && x[2] == 2 && x[3] == 3 ? SIGABRT : 0;
    return true;
}

static unsigned told_sets;

static void count_sets(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    (void)s;
    (void)o;
    told_sets += index == 0 && given->is_told;
}

TEST(what_passes_is_asked_in_sets) {
    static sut subject = {.test = four, .meddle = count_sets};
    static reduce_result result;
    const uint8_t start[] = {0x00, 0x40, 0x80, 0xc0};
    reduce_config config = config_of(start, sizeof start);
    config.explain = (explain_limits){2000, true};
    reduce_with(&config, &subject, &nobody, &result);
    ck_assert_int_eq(result.explanation.state, EXPLANATION_MADE);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(result.explanation.draws[i].statement.kind, STATEMENT_ONLY);
    ck_assert_uint_eq(result.explanation.runs, 1 + 20 + 4 * 3);
    ck_assert_uint_le(told_sets, 20 + 2 + 1); /* failures alone, two passes, and all others */
    reduce_finish(&result);
}
