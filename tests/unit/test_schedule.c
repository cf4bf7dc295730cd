/* schedule.h: candidates come until a fixpoint, in turn, and the same for a copy. */
#include "patch.h"
#include "schedule.h"
#include "suite.h"

#include "drawn.h"

/* ---- Playing a schedule ---- */

typedef bool predicate(const testcase *t);

enum { STEPS_MAX = 20000 };

typedef struct game {
    testcase best, base, tried;
    schedule schedule;
    size_t steps, successes;
    const pass *by[STEPS_MAX]; /* who gave the candidate */
    bool won[STEPS_MAX];
} game;

static game played;
static testcase start;

static testcase bytes_of(const uint8_t *bytes, size_t size) {
    testcase t;
    ck_assert(testcase_init(&t, traced_run_of(bytes, size)));
    return t;
}

/* Successes are those that are simpler and do. */
static void step(game *g, const patch *edits, predicate *does) {
    const testcase *from = g->schedule.phase == SITE_ON_BASE ? &g->base : &g->best;
    ck_assert_uint_lt(g->steps, STEPS_MAX);
    ck_assert(patch_apply(edits, from, &g->tried));
    const bool success = testcase_compare(&g->tried, &g->best) < 0 && does(&g->tried);
    g->by[g->steps] = g->schedule.passes[schedule_pass(&g->schedule)];
    g->won[g->steps++] = success;
    if (success) {
        testcase *old = g->schedule.phase == SITE_ON_BASE ? &g->tried : &g->base;
        testcase next;
        ck_assert(testcase_copy(&next, &g->tried));
        testcase_finish(old);
        *old = g->best;
        g->best = next;
        g->successes++;
    }
    schedule_feedback(&g->schedule, success);
}

static const game *play(const pass *const *passes, const testcase *from, predicate *does) {
    static patch edits;
    game *g = &played;
    testcase_finish(&g->best);
    testcase_finish(&g->base);
    testcase_finish(&g->tried);
    memset(g, 0, sizeof *g);
    ck_assert(testcase_copy(&g->best, from));
    schedule_init(&g->schedule, passes);
    while (schedule_next(&g->schedule, &g->best, &g->base, &edits)) step(g, &edits, does);
    ck_assert(!schedule_next(&g->schedule, &g->best, &g->base, &edits));
    return g;
}

/* ---- Predicates ---- */

static uint64_t seed; /* of what does at random */

static bool never(const testcase *t) {
    (void)t;
    return false;
}

static bool always(const testcase *t) {
    (void)t;
    return true;
}

static bool at_random(const testcase *t) {
    uint64_t state = seed;
    for (size_t i = 0; i < t->size; i++) state = state * 31 + t->bytes[i];
    return dice(&state, 4) == 0;
}

static bool sum_of_60(const testcase *t) {
    unsigned sum = 0;
    for (size_t i = 0; i < t->size; i++) sum += t->bytes[i];
    return sum >= 60;
}

/* ---- Ends ---- */

/* No candidate of any pass does: from the start again, nothing is won. */
static void check_fixpoint(const game *g, const pass *const *passes, predicate *does) {
    testcase end;
    ck_assert(testcase_copy(&end, &g->best));
    ck_assert_uint_eq(play(passes, &end, does)->successes, 0);
    testcase_finish(&end);
}

TEST(reductions_by_a_rule_end_at_their_literals) {
    static const uint8_t bytes[] = {9, 40, 7, 30, 90, 2};
    start = bytes_of(bytes, sizeof bytes);
    const game *g = play(pass_list, &start, always);
    ck_assert_uint_eq(g->best.size, 0);
    g = play(pass_list, &start, never);
    ck_assert_int_eq(testcase_compare(&g->best, &start), 0);
    g = play(pass_list, &start, sum_of_60);
    ck_assert_str_eq(values_of(&g->best), "60");
    check_fixpoint(g, pass_list, sum_of_60);
}

TEST(random_successes_end_at_a_fixpoint) {
    for (seed = 0; seed < 300; seed++) {
        uint64_t state = seed;
        uint8_t bytes[12];
        const size_t size = dice(&state, sizeof bytes + 1);
        for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)dice(&state, seed % 2 ? 256 : 4);
        start = bytes_of(bytes, size);
        check_fixpoint(play(pass_list, &start, at_random), pass_list, at_random);
        testcase_finish(&start);
    }
}

/* ---- Turns ---- */

/* Changes nothing much: one site, one try, and it wins whenever it is asked while the first byte
 * lasts. */
static bool next_first(const testcase *t, position *at) {
    return position_next_draw(t, at) && at->at == 0 && t->draws[0].rank > 0;
}

static bool lower_first(const testcase *t, const position *at, patch *p) {
    return patch_set(p, 0, t->draws[0].rank - at->by);
}

static const pass greedy = {
    .name = "greedy", .cost = PASS_CHEAP, .how = STEP_ALL, .next = next_first, .edit = lower_first};
static const pass greedy_too = {
    .name = "too", .cost = PASS_CHEAP, .how = STEP_ALL, .next = next_first, .edit = lower_first};
static const pass modest = {
    .name = "modest", .how = STEP_ALL, .next = next_first, .edit = lower_first};

TEST(a_winner_is_not_rerun_at_once) {
    static const pass *const passes[] = {&greedy, &greedy_too, NULL};
    static const uint8_t bytes[] = {200};
    start = bytes_of(bytes, 1);
    const game *g = play(passes, &start, always);
    ck_assert_uint_eq(g->successes, 200);
    for (size_t i = 1; i < g->steps; i++) ck_assert_ptr_ne(g->by[i], g->by[i - 1]);
}

TEST(the_costly_get_their_turn) {
    static const pass *const passes[] = {&modest, &greedy, &greedy_too, NULL};
    static const uint8_t bytes[] = {200};
    start = bytes_of(bytes, 1);
    const game *g = play(passes, &start, always);
    size_t turns = 0, since = 0;
    ck_assert_ptr_ne(g->by[0], &modest);
    for (size_t i = 0; i < g->steps; i++) {
        since = g->by[i] == &modest ? 0 : since + 1;
        turns += g->by[i] == &modest;
        ck_assert_uint_le(since, 12);
    }
    ck_assert_uint_gt(turns, 10);
}

TEST(one_pass_alone_is_repeated) {
    static const pass *const cheap[] = {&greedy, NULL}, *const costly[] = {&modest, NULL};
    static const uint8_t bytes[] = {20};
    start = bytes_of(bytes, 1);
    ck_assert_uint_eq(play(cheap, &start, always)->successes, 20);
    ck_assert_uint_eq(play(costly, &start, always)->successes, 20);
}

/* ---- Copies ---- */

static bool same_patch(const patch *a, const patch *b) {
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        const change *x = &a->changes[i], *y = &b->changes[i]; /* which may have holes */
        if (x->first != y->first || x->count != y->count || x->kind != y->kind) return false;
        if (x->rank != y->rank || x->from != y->from || x->length != y->length) return false;
    }
    return true;
}

/* What a copy says would come after failures is what comes. */
TEST(a_copy_knows_what_comes) {
    enum { AHEAD = 16 };
    static patch ahead[AHEAD], edits;
    game *g = &played;
    for (seed = 0; seed < 20; seed++) {
        const uint8_t bytes[] = {9, (uint8_t)seed, 7, 30, 90, 2, 5, 5};
        memset(g, 0, sizeof *g);
        g->best = bytes_of(bytes, sizeof bytes);
        schedule_init(&g->schedule, pass_list);
        for (bool on = true; on;) {
            schedule copy = g->schedule;
            size_t known = 0, used = 0;
            while (known < AHEAD && schedule_next(&copy, &g->best, &g->base, &ahead[known])) {
                schedule_feedback(&copy, false);
                known++;
            }
            const size_t before = g->successes;
            while (g->successes == before && used <= known) {
                on = schedule_next(&g->schedule, &g->best, &g->base, &edits);
                if (used < known) ck_assert(on);
                if (used == known && known < AHEAD) ck_assert(!on);
                if (!on || used == known) break;
                if (!same_patch(&edits, &ahead[used])) ck_abort_msg("another candidate");
                used++;
                step(g, &edits, at_random);
            }
        }
        testcase_finish(&g->best);
        testcase_finish(&g->base);
        testcase_finish(&g->tried);
    }
}

/* What comes next: the pass, or NULL at the end. What is proposed does, or not. */
static const pass *comes(schedule *p, bool success) {
    static patch edits;
    const testcase none = {0};
    if (!schedule_next(p, &start, &none, &edits)) {
        ck_assert(!schedule_next(p, &start, &none, &edits));
        return NULL;
    }
    const pass *by = p->passes[schedule_pass(p)];
    schedule_count(p);
    schedule_feedback(p, success);
    return by;
}

/* ---- What is unlikely waits ---- */

static const pass later = {
    .name = "later", .cost = PASS_LATE, .how = STEP_ALL, .next = next_first, .edit = lower_first};

/* Return the pass of the next proposal, which is left out. */
static const pass *skipped(schedule *p) {
    static patch edits;
    const testcase none = {0};
    ck_assert(schedule_next(p, &start, &none, &edits));
    schedule_skip(p);
    schedule_feedback(p, false);
    return p->passes[schedule_pass(p)];
}

/* It has its turn before the late passes, and after a success it waits again. */
TEST(what_was_left_out_comes_before_the_late) {
    static const pass *const passes[] = {&later, &modest, &greedy, NULL};
    static const uint8_t bytes[] = {5};
    schedule p;
    start = bytes_of(bytes, 1);
    schedule_init(&p, passes);
    ck_assert_ptr_eq(skipped(&p), &greedy);
    ck_assert_ptr_eq(comes(&p, false), &modest);
    ck_assert_int_eq(p.unlikely, UNLIKELY_SKIPPED);
    ck_assert_ptr_eq(comes(&p, false), &greedy);
    ck_assert_int_eq(p.unlikely, UNLIKELY_TRIED);
    ck_assert_ptr_eq(comes(&p, false), &modest);
    schedule copy = p;
    ck_assert_ptr_eq(comes(&p, false), &later);
    ck_assert_ptr_null(comes(&p, false));
    ck_assert_uint_eq(p.made, 5);
    ck_assert_ptr_eq(comes(&copy, true), &later);
    ck_assert_int_eq(copy.unlikely, UNLIKELY_UNSEEN);
}

/* ---- Rows of candidates ---- */

enum { SITES = 100 };

static bool next_site(const testcase *t, position *at) {
    if (at->is_visited) at->at++;
    at->is_visited = true;
    return t->count > 0 && at->at < SITES;
}

#define SITES_OF(id, when, steps, ...)                                                             \
    static const pass id = {.name = #id,                                                           \
                            .cost = PASS_##when,                                                   \
                            .how = STEP_##steps,                                                   \
                            .next = next_site,                                                     \
                            .edit = lower_first,                                                   \
                            __VA_ARGS__};
SITES_OF(all, CHEAP, ALL, .mode = 0)
SITES_OF(runs, CHEAP, RUN, .mode = 0)
SITES_OF(queue, CHEAP, RUN, .mode = 0)
SITES_OF(vain, CHEAP, ALL, .saves_bytes = true)
SITES_OF(share, LATE, ALL, .idle_share = 10, .idle_min = 4)

/* Passes, and the candidates that come in a row of each, named by its first letter, until the end:
 * a100: none of them does; A100: the first; a8+: all. A dot starts anew. */
typedef struct rows {
    const pass *passes[4];
    const char *text;
    bool is_thorough;
} rows;

static const rows all_rows[] = {
    /* what has no luck waits for others, and then gets all its sites */
    {{&runs, &greedy, &modest}, "r25 g1 m1 r100", false},
    {{&runs, &greedy}, "R100 g1 r100", false},
    {{&runs, &queue}, "r100 q100", false}, /* others of its kind would be no better */
    /* a pass with a share ends with it: its own candidates count too */
    {{&all, &share}, "a100 s11", false},
    {{&all, &share}, "a100 S12 a100 s11", false}, /* a success earns a share of what came since */
    {{&all, &share}, "a100 s11 . a100 s23", false},
    {{&share}, "s4", false},
    {{&all, &share}, "a100 s100", true},
    /* successes that save no byte: others go first */
    {{&vain, &all}, "v8+ a100 v100", false},
};

TEST_EACH(candidates_come_in_rows, sizeof all_rows / sizeof *all_rows) {
    static const uint8_t bytes[] = {5};
    const rows *r = &all_rows[_i];
    schedule p;
    start = bytes_of(bytes, 1);
    schedule_init(&p, r->passes);
    p.is_thorough = r->is_thorough;
    for (const char *at = r->text; *at != '\0'; at += strspn(at, " ")) {
        char letter = *at++;
        if (letter == '.') {
            ck_assert_ptr_null(comes(&p, false));
            schedule_restart(&p);
            continue;
        }
        char *end;
        const unsigned long count = strtoul(at, &end, 10);
        const bool first_does = letter < 'a', all_do = *end == '+';
        at = end + all_do;
        if (first_does) letter = (char)(letter - 'A' + 'a');
        for (unsigned long i = 0; i < count; i++) {
            const pass *came = comes(&p, all_do || (first_does && i == 0));
            ck_assert_msg(came != NULL && came->name[0] == letter, "%s, not %c, at %lu",
                          came == NULL ? "end" : came->name, letter, i);
        }
    }
    ck_assert_ptr_null(comes(&p, false));
}

static bool next_always(const testcase *t, position *at) {
    (void)t;
    (void)at;
    return true;
}

static const pass endless = {.name = "endless",
                             .cost = PASS_CHEAP,
                             .saves_bytes = true,
                             .how = STEP_ALL,
                             .next = next_always,
                             .edit = lower_first};

/* Return how many successes of a pass come one after the other, of 20, each of which saves so
 * many of 100,000 bytes. */
static unsigned row_that_saves(size_t saved) {
    static const pass *const passes[] = {&endless, &all, NULL};
    static const uint8_t bytes[] = {5};
    schedule p;
    unsigned count = 0;
    start = bytes_of(bytes, 1);
    schedule_init(&p, passes);
    for (start.size = 100000; count < 20 && comes(&p, true) == &endless; count++)
        start.size -= saved;
    testcase_finish(&start);
    return count;
}

TEST(what_saves_hardly_any_of_many_bytes_lets_others_go_first) {
    ck_assert_uint_eq(row_that_saves(1000), 20);
    ck_assert_uint_eq(row_that_saves(10), 8);
}
