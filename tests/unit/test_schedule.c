/* schedule.h: who proposes, in which order, and how many candidates in a row. That a schedule ends
 * at a fixpoint, and that a copy proposes the same, is in tests/self/reducer.c. */
#include "patch.h"
#include "schedule.h"
#include "suite.h"

static testcase start;

static void begin(schedule *p, const pass *const *passes) {
    static const uint8_t bytes[] = {5};
    testcase_finish(&start); /* of the schedule before */
    testcase_init(&start, bytes, 1, NULL, 0);
    start.trace = TRACE_WHOLE;
    schedule_init(p, passes);
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

/* ---- Passes of one site, of many and of any number ---- */

enum { SITES = 100 };

static bool next_first(const testcase *t, position *at) {
    position_leave(at, &at->at);
    return t->count > 0 && at->at == 0;
}

static bool next_site(const testcase *t, position *at) {
    if (at->is_visited) at->at++;
    at->is_visited = true;
    return t->count > 0 && at->at < SITES;
}

static bool next_always(const testcase *t, position *at) {
    (void)t, (void)at;
    return true;
}

static bool lower_first(const testcase *t, const position *at, patch *p) {
    return patch_set(p, 0, t->draws[0].rank - at->by);
}

#define PASS_OF(id, when, steps, next_, ...)                                                       \
    static const pass id = {.name = #id,                                                           \
                            .cost = PASS_##when,                                                   \
                            .how = STEP_##steps,                                                   \
                            .next = next_,                                                         \
                            .edit = lower_first,                                                   \
                            __VA_ARGS__};
PASS_OF(greedy, CHEAP, ALL, next_first, .mode = 0)
PASS_OF(too, CHEAP, ALL, next_first, .mode = 0)
PASS_OF(modest, COSTLY, ALL, next_first, .mode = 0)
PASS_OF(later, LATE, ALL, next_first, .mode = 0)
PASS_OF(all, CHEAP, ALL, next_site, .mode = 0)
PASS_OF(runs, CHEAP, RUN, next_site, .mode = 0)
PASS_OF(queue, CHEAP, RUN, next_site, .mode = 0)
PASS_OF(vain, CHEAP, ALL, next_site, .saves_bytes = true)
PASS_OF(share, LATE, ALL, next_site, .idle_share = 10, .idle_min = 4)
PASS_OF(endless, CHEAP, ALL, next_always, .saves_bytes = true)

/* Passes, and the candidates that come in a row of each, named by its first letter, until the end:
 * a100: none of them does; A100: the first; a8+: all. A dot starts anew. */
typedef struct rows {
    const pass *passes[4];
    const char *text;
    bool is_thorough, is_of_bytes, is_in_turn;
} rows;

static const rows all_rows[] = {
    /* a winner is not rerun at once, unless it is alone; the costly get their turn */
    {{&greedy, &too}, "g1+ t1+ g1+ t1+ g1 t1", false},
    {{&greedy}, "g20+ g1", false},
    {{&modest}, "m20+ m1", false},
    {{&modest, &greedy, &too}, "g1+ t1+ g1 t1 m1+ g1 t1 m1", false},
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
    {{&all, &share}, "a100 s100", false, true}, /* bytes of unknown meaning have no share */
    /* the late wait for all others; after a success of theirs, too */
    {{&later, &modest, &greedy}, "g1 m1 l1+ g1 m1 l1", false},
    /* but each in its turn where the reduction creeps */
    {{&later, &modest, &greedy}, "g1+ m1+ l1+ g1 m1 l1", .is_in_turn = true},
    /* successes that save no byte: others go first */
    {{&vain, &all}, "v8+ a100 v100", false},
};

TEST_EACH(candidates_come_in_rows, sizeof all_rows / sizeof *all_rows) {
    const rows *r = &all_rows[_i];
    schedule p;
    begin(&p, r->passes);
    p.is_thorough = r->is_thorough;
    p.is_in_turn = r->is_in_turn;
    if (r->is_of_bytes) start.trace = TRACE_NONE;
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
            ck_assert_msg(came != NULL && came->name[0] == letter, "%s, not %c, at %lu before %s",
                          came == NULL ? "end" : came->name, letter, i, at);
        }
    }
    ck_assert_ptr_null(comes(&p, false));
}

/* Return how many successes of a pass come one after the other, of 20, each of which saves so
 * many of 100,000 bytes. */
static unsigned row_that_saves(size_t saved) {
    static const pass *const passes[] = {&endless, &all, NULL};
    schedule p;
    unsigned count = 0;
    begin(&p, passes);
    for (start.size = 100000; count < 20 && comes(&p, true) == &endless; count++)
        start.size -= saved;
    return count;
}

TEST(what_saves_hardly_any_of_many_bytes_lets_others_go_first) {
    ck_assert_uint_eq(row_that_saves(1000), 20);
    ck_assert_uint_eq(row_that_saves(10), 8);
}

/* ---- Slices of a large text: its end, and what is before it ---- */

static bool delete_first(const testcase *t, const position *at, patch *p) {
    return t->count > at->at && patch_delete(p, at->at, 1);
}

static const pass whole = {.name = "whole",
                           .cost = PASS_CHEAP,
                           .how = STEP_ALL,
                           .next = next_always,
                           .edit = delete_first};
static const pass part = {.name = "part",
                          .cost = PASS_CHEAP,
                          .how = STEP_ALL,
                          .next = next_first,
                          .edit = delete_first,
                          .in_slices = true};

/* Return the first change of each proposal of `part`, which all fail, up to the next one of `whole`
 * after `calls`. */
static size_t places_of_part(uint8_t *text, size_t size, bool is_of_units, size_t calls,
                             size_t *places) {
    static const pass *const passes[] = {&whole, &part, NULL};
    static patch edits;
    testcase t = testcase_of_units(text, size, 1, false);
    size_t count = 0;
    if (!is_of_units) testcase_init(&t, text, size, NULL, 0);
    schedule p;
    schedule_init(&p, passes);
    for (size_t i = 0; i < calls; i++) {
        ck_assert(schedule_next(&p, &t, &t, &edits));
        if (schedule_pass(&p) == 1) places[count++] = edits.changes[0].first;
        schedule_count(&p);
        schedule_feedback(&p, false);
    }
    testcase_finish(&t);
    return count;
}

TEST(the_end_of_a_large_text_has_slices_where_rows_are_slow) {
    enum { SIZE = 40000, LINE = 100, CALLS = 560 };
    static uint8_t text[SIZE];
    size_t places[CALLS];
    memset(text, 'a', SIZE);
    for (size_t i = LINE; i <= SIZE; i += LINE) text[i - 1] = '\n';
    for (int is_of_units = 0; is_of_units < 2; is_of_units++) {
        /* whole lines of at least 256 bytes; the next slice follows one that lost nothing */
        ck_assert_uint_eq(places_of_part(text, SIZE, is_of_units, CALLS, places), 4);
        for (size_t i = 0; i < 4; i++) ck_assert_uint_eq(places[i], SIZE - 3 * (i + 1) * LINE);
    }
    ck_assert_uint_eq(places_of_part(text, SIZE, true, 500, places), 0); /* first, rows of all */
    ck_assert_uint_eq(places_of_part(text, SIZE / 2, true, CALLS, places), 0);
    memset(text, 'a', SIZE); /* of one line: it is its own slice */
    ck_assert_uint_eq(places_of_part(text, SIZE, true, CALLS, places), 1);
    ck_assert_uint_eq(places[0], 0);
}

/* ---- Large files: a pass that finds no site may have read all of it ---- */

static bool next_never(const testcase *t, position *at) {
    (void)t, (void)at;
    return false;
}
PASS_OF(idle, CHEAP, ALL, next_never, .mode = 0)

TEST(between_two_passes_of_a_large_file_the_clock_may_be_looked_at) {
    enum { SIZE = 1 << 20 };
    static uint8_t bytes[SIZE];
    static const pass *const passes[] = {&idle, &whole, NULL};
    static patch edits;
    testcase large = testcase_of_units(bytes, SIZE, 1, false);
    schedule p;
    schedule_init(&p, passes);
    for (size_t count = 0; count < 2; count++) {
        ck_assert(schedule_next(&p, &large, &large, &edits));
        ck_assert_uint_eq(edits.count, count); /* an empty change first, which is no candidate */
        schedule_feedback(&p, false);
    }
    testcase_finish(&large);
}
