/* relations.h: no relation is stated that a function on small domains refutes, and those of large
 * domains are found. */
#include "relations.h"
#include "suite.h"

#include <string.h>

enum { DRAWS_MAX = 4 };

/* A function of the keys of draws. */
typedef bool function(const uint64_t *keys, uint64_t parameter);

typedef struct subject {
    function *fails;
    uint64_t parameter;
    explored draws[DRAWS_MAX];
    size_t count, asked, asked_max;
} subject;

static bool ask(void *context, const question *questions, size_t count, bool *fails) {
    subject *s = context;
    for (size_t i = 0; i < count; i++) {
        uint64_t keys[DRAWS_MAX] = {0};
        for (size_t j = 0; j < s->count; j++)
            keys[j] = s->draws[j].domain.first + s->draws[j].domain.axis.at;
        for (size_t j = 0; j < questions[i].count; j++) {
            const move *m = &questions[i].moves[j];
            ck_assert(m->draw < s->count && m->position <= s->draws[m->draw].domain.axis.last);
            keys[m->draw] = s->draws[m->draw].domain.first + m->position;
        }
        fails[i] = s->fails(keys, s->parameter);
    }
    s->asked += count;
    return s->asked <= s->asked_max;
}

static void add(subject *s, uint64_t first, uint64_t last, uint64_t key) {
    s->draws[s->count++] =
        (explored){.domain = {DOMAIN_UNSIGNED, first, {last - first, key - first, true}}};
}

static void finish(subject *s) {
    for (size_t i = 0; i < s->count; i++) answers_finish(&s->draws[i].known);
}

static subject begin(function *fails, uint64_t parameter) {
    return (subject){.fails = fails, .parameter = parameter, .asked_max = SIZE_MAX};
}

static bool find_all(subject *s) {
    uint64_t random = 1;
    const mover m = {ask, s};
    relation_search r = {s->draws, s->count, &m, &random, EXPLAIN_VALUES_ALL_MAX, false};
    for (size_t i = 0; i < s->count; i++) {
        if (!relations_explore(&r, i)) return false;
    }
    return relations_find(&r);
}

/* ---- Small domains: all functions of two draws ---- */

enum { SIDE = 3 };

static bool of_table(const uint64_t *keys, uint64_t table) {
    return (table >> (keys[0] * SIDE + keys[1]) & 1) != 0;
}

static void check_relation(const subject *s, size_t i) {
    const statement *of = &s->draws[i].statement;
    ck_assert(of->other == 1 - i && of->is_exact && of->high > of->low);
    for (uint64_t other = of->low; other <= of->high; other++) {
        for (uint64_t own = 0; own < SIDE; own++) {
            uint64_t keys[2];
            keys[i] = own;
            keys[1 - i] = other;
            ck_assert(relation_holds(of->relation, own, other) == of_table(keys, s->parameter));
        }
    }
}

TEST(no_relation_of_small_domains_is_false) {
    size_t found = 0;
    for (uint64_t table = 1; table < UINT64_C(1) << (SIDE * SIDE); table++) {
        for (uint64_t at = 0; at < (uint64_t)SIDE * SIDE; at++) {
            subject s = begin(of_table, table);
            if ((table >> at & 1) == 0) continue;
            add(&s, 0, SIDE - 1, at / SIDE);
            add(&s, 0, SIDE - 1, at % SIDE);
            ck_assert(find_all(&s));
            for (size_t i = 0; i < 2; i++) {
                if (s.draws[i].statement.kind != STATEMENT_RELATED) continue;
                check_relation(&s, i);
                found++;
            }
            finish(&s);
        }
    }
    ck_assert_uint_ge(found, 6 * 2); /* each relation is among them, from both sides */
}

/* ---- Large domains ---- */

static bool is_related(const uint64_t *keys, uint64_t parameter) {
    return relation_holds((relation)(parameter & 7), keys[0], keys[1]) && keys[1] >= parameter >> 3;
}

static const statement *relate(subject *s, relation r, uint64_t least, uint64_t a, uint64_t b) {
    *s = begin(is_related, (uint64_t)r | least << 3);
    add(s, 0, UINT32_MAX, a);
    add(s, 0, UINT32_MAX, b);
    ck_assert(find_all(s));
    return &s->draws[0].statement;
}

TEST(all_relations_of_large_domains_are_found) {
    static const uint64_t simplest[RELATION_COUNT][2] = {{0, 0}, {1, 0}, {0, 1},
                                                         {1, 1}, {1, 0}, {1, 1}};
    for (relation r = 0; r < RELATION_COUNT; r++) {
        subject s;
        const statement *of = relate(&s, r, 0, simplest[r][0], simplest[r][1]);
        ck_assert_int_eq(of->kind, STATEMENT_RELATED);
        ck_assert_uint_eq(of->other, 1);
        ck_assert(!of->is_scoped && !of->is_exact);
        finish(&s);
    }
}

TEST(a_relation_may_hold_for_some_values_of_the_other) {
    subject s;
    const statement *of = relate(&s, RELATION_EQUAL, 1000, 1000, 1000);
    ck_assert_int_eq(of->kind, STATEMENT_RELATED);
    ck_assert_int_eq(of->relation, RELATION_EQUAL);
    ck_assert(of->is_scoped && of->low == 1000 && of->high == UINT32_MAX);
    finish(&s);
}

static bool both_are_ten(const uint64_t *keys, uint64_t parameter) {
    return keys[0] == parameter && keys[1] == parameter;
}

static bool sum_is(const uint64_t *keys, uint64_t sum) { return keys[0] + keys[1] == sum; }

TEST(equal_values_by_chance_are_no_relation) {
    subject s = begin(both_are_ten, 10);
    add(&s, 0, UINT32_MAX, 10);
    add(&s, 0, UINT32_MAX, 10);
    ck_assert(find_all(&s));
    ck_assert_int_eq(s.draws[0].statement.kind, STATEMENT_ONLY);
    finish(&s);
    s = begin(sum_is, 20);
    add(&s, 0, UINT32_MAX, 10);
    add(&s, 0, UINT32_MAX, 10);
    ck_assert(find_all(&s));
    ck_assert_int_eq(s.draws[0].statement.kind, STATEMENT_ONLY);
    finish(&s);
}

TEST(bounds_need_not_be_the_same) {
    subject s = begin(is_related, RELATION_MORE);
    add(&s, 5, 500, 6);
    add(&s, 0, 20, 5);
    ck_assert(find_all(&s));
    ck_assert_int_eq(s.draws[0].statement.kind, STATEMENT_RELATED);
    ck_assert_int_eq(s.draws[0].statement.relation, RELATION_MORE);
    finish(&s);
}

TEST(a_budget_that_is_spent_leaves_what_was_found) {
    subject whole = begin(is_related, RELATION_EQUAL);
    add(&whole, 0, 99, 0);
    add(&whole, 0, 99, 0);
    ck_assert(find_all(&whole));
    for (size_t most = 0; most < whole.asked; most += 7) {
        subject s = begin(is_related, RELATION_EQUAL);
        add(&s, 0, 99, 0);
        add(&s, 0, 99, 0);
        s.asked_max = most;
        ck_assert(!find_all(&s));
        finish(&s);
    }
    finish(&whole);
}

static bool differ(const uint64_t *keys, uint64_t least) {
    return keys[0] != keys[1] && keys[0] >= least && keys[1] >= least;
}

TEST(the_values_of_other_draws_are_tried) {
    subject s = begin(differ, 700);
    add(&s, 0, UINT32_MAX, 700);
    add(&s, 0, UINT32_MAX, 900);
    ck_assert(find_all(&s));
    ck_assert_int_eq(s.draws[0].statement.kind, STATEMENT_SOME); /* not 700..max: 900 passes */
    ck_assert_int_eq(s.draws[1].statement.kind, STATEMENT_RANGE);
    ck_assert_uint_eq(s.draws[1].statement.low, 701);
    finish(&s);
}

static bool three_are_equal(const uint64_t *keys, uint64_t own) {
    return keys[0] == keys[2] && keys[2] == keys[3] && keys[1] == own;
}

TEST(more_than_two_draws_may_have_to_be_equal) {
    subject s = begin(three_are_equal, 6);
    add(&s, 0, 99, 5);
    add(&s, 0, 99, 6);
    add(&s, 0, 99, 5);
    add(&s, 0, 99, 5);
    ck_assert(find_all(&s));
    ck_assert_int_eq(s.draws[1].statement.kind, STATEMENT_ONLY);
    for (size_t i = 0; i < 4; i += i == 0 ? 2 : 1) {
        const statement *of = &s.draws[i].statement;
        ck_assert_int_eq(of->kind, STATEMENT_RELATED);
        ck_assert(of->relation == RELATION_EQUAL && of->group == 1 && !of->is_scoped);
        ck_assert_uint_eq(of->other, i == 0 ? 2 : 0);
    }
    finish(&s);
}
