/* search.h on targets that are tables of rules. A row has the failures, the claims, and the events
 * in their order. Properties of any target are in tests/self/search.c. */
#include "event.h"
#include "pool.h"
#include "search.h"
#include "signature_filter.h"
#include "suite.h"

#include "clock.h"
#include "runner_fake.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* ---- Targets ---- */

enum { PASSES = 0, ABORTS = 256, HANGS, STARVES, ENDS_WORKER };

/* How runs of these sizes end: an exit status, or as named above. */
typedef struct rule {
    uint64_t from, to; /* bytes; to 0: any more */
    int how;
    unsigned percent; /* of the runs; 0: all */
    unsigned times;   /* of an input, the first ones only; 0: all */
    unsigned one_in;  /* of the seeds; 0: all */
    uint64_t seed;    /* that one only; 0: any */
    uint64_t drawn;   /* 0: untold */
} rule;

enum { RULES_MAX = 4, KNOWN_MAX = 5, LOG_MAX = 1 << 16, FOUND_SEED = 4 };

/* The first rule that holds says how a run ends. */
typedef struct target {
    rule rules[RULES_MAX];
    uint64_t late_at;  /* the call in which the budget is spent; 0: none */
    uint64_t error_at; /* the call that cannot be made; 0: none */
    uint64_t calls, size_max;
    seed_input log[LOG_MAX];
} target;

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f) + c;
    for (int i = 0; i < 3; i++) z = (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return z ^ (z >> 32);
}

static uint64_t runs_before(const target *t, seed_input input, uint64_t call) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < call && i < LOG_MAX; i++) count += seed_input_equal(t->log[i], input);
    return count;
}

static bool holds(const target *t, const rule *r, seed_input input, uint64_t call) {
    if (input.size < r->from || (r->to > 0 && input.size > r->to)) return false;
    if (r->seed > 0 && input.seed != r->seed) return false;
    if (r->one_in > 0 && hash(input.seed, 0, 0) % r->one_in != 0) return false;
    if (r->percent > 0 && hash(input.seed, input.size, call) % 100 >= r->percent) return false;
    return r->times == 0 || runs_before(t, input, call) < r->times;
}

static outcome outcome_of(const rule *r, bool is_rerun) {
    const bool aborts = r->how == ABORTS || r->how == STARVES;
    outcome o = outcome_of_status(aborts ? SIGABRT : r->how << 8);
    if (r->how == HANGS) o = (outcome){VERDICT_TIMEOUT, SIGKILL, FAULT_NONE, 0, 0};
    if (r->how == STARVES && is_rerun) o.verdict = VERDICT_MEMORY;
    if (r->how == ENDS_WORKER) kill(getpid(), SIGKILL);
    o.drawn = r->drawn > 0 ? r->drawn : OUTCOME_DRAWN_UNKNOWN;
    return o;
}

static outcome judge(void *context, seed_input input) {
    target *t = context;
    const uint64_t call = t->calls++;
    if (call < LOG_MAX) t->log[call] = input;
    if (input.size > t->size_max) t->size_max = input.size;
    if (call + 1 == t->late_at) inline_pool_later_ns = 3600 * CLOCK_NS_PER_S;
    if (call + 1 == t->error_at) return outcome_error(FAULT_EXEC, ENOENT);
    for (size_t i = 0; i < RULES_MAX && (t->rules[i].from > 0 || t->rules[i].how > 0); i++) {
        if (holds(t, &t->rules[i], input, call))
            return outcome_of(&t->rules[i], runs_before(t, input, call) > 0);
    }
    return outcome_of_status(0);
}

/* ---- Rows ---- */

/* An input of another search; status 0: it says no more. Else so many of 20 reruns failed there. */
typedef struct known_input {
    uint64_t size, seed;
    int status;
    unsigned repeated;
} known_input;

/* A search, and what it says: its end, its answers, its claim, others, and its events in order:
 * B a best, O another one, F a flaky one, R and r a known input that fails or passes. */
typedef struct row {
    rule rules[RULES_MAX];
    uint64_t attempts;
    enum { PLAIN, EACH = 1, KEEPS_GOING = 2, ENDLESS = 4, SPENT = 8 } flags;
    const char *only, *ignored;
    uint64_t late_at, error_at;   /* calls, from 1 on */
    known_input known[KNOWN_MAX]; /* offered at the start, or once so many calls are made */
    uint64_t known_at;
    const char *says;
} row;

static const row rows[] = {
    /* The size at which it fails, told as bests get smaller; the last one runs 20 times more. */
    ROW({{0, 0, ABORTS}}, 20, .says = "done: signal:SIGABRT at 0, 20/20, 0 passed; B"),
    ROW({{41, 0, ABORTS}}, 20, .says = "done: signal:SIGABRT at 41, 20/20, 60 passed; BBBBB"),
    ROW({{4096, 0, ABORTS}}, 20, .says = "done: signal:SIGABRT at 4096, 20/20, 82 passed; B"),
    ROW({{4097, 0, ABORTS}}, 30, .says = "done; 30 rounds of 9 sizes; "),
    ROW({{5, 0, HANGS}}, 3, .says = "done: timeout at 5, 5/5, 4 passed; BBB"),
    /* What a limit may have caused is no failure, and hides none. */
    ROW({{5, 0, STARVES}}, 3,
        .says = "done: perhaps signal:SIGABRT at 8, 0/1 (memory); 3 rounds of 9 sizes; F"),
    ROW({{5, 0, STARVES}}, 3, .only = "exit:3", .says = "done; 3 rounds of 9 sizes; F"),
    ROW({{100, 0, 3}, {5, 0, STARVES}}, 3, .says = "done: exit:3 at 100, 20/20, 0 passed; FBBBBBB"),
    ROW({{5, 0, HANGS, .times = 1}}, 3,
        .says = "done: perhaps timeout at 8, 0/5 (timeout); 3 rounds of 9 sizes; F"),
    /* Failures that never repeat, at times, for a while, or seldom: none replaces one that does. */
    ROW({{0, 0, ABORTS, .times = 1}}, 5,
        .says = "done: perhaps signal:SIGABRT at 0, 0/20 (0/69); 5 rounds of 9 sizes; F"),
    ROW({{10, 0, ABORTS, .percent = 50}}, 20,
        .says = "done: signal:SIGABRT at 16, 13/20 (91/176); 20 rounds of 9 sizes; FB"),
    ROW({{10, 0, ABORTS, .percent = 95}}, 20,
        .says = "done: signal:SIGABRT at 10, 20/20 (142/148), 45 passed; FBBBBB"),
    ROW({{16, 0, ABORTS, .times = 2}}, 5,
        .says = "done: signal:SIGABRT at 16, 1/20 (46/110); 5 rounds of 9 sizes; BXF"),
    ROW({{100, 0, 3}, {10, 0, ABORTS, .percent = 50}}, 20,
        .says = "done: exit:3 at 100, 20/20, 0 passed; other signal:SIGABRT at 36, 3/4 (64/124); "
                "FBBBBBB"),
    ROW({{100, 0, 3}, {10, 0, ABORTS, .times = 2}}, 20,
        .says = "done: exit:3 at 100, 20/20, 0 passed; other signal:SIGABRT at 10, 1/2 (113/226); "
                "BBBBXFXXXBBBBBB"),
    /* A prefix that passes once is flaky; one that always does looks at what is left. */
    ROW({{10, 10, PASSES, .times = 1}, {10, 0, ABORTS, .drawn = 10}}, 20,
        .says = "done: signal:SIGABRT at 11, 20/20 (67/68), 0 passed; other signal:SIGABRT at 10, "
                "1/1 (67/68); FBBB"),
    ROW({{10, 10, PASSES, .times = 1},
         {10, 10, ABORTS, .times = 2},
         {10, 10, PASSES},
         {10, 0, ABORTS, .drawn = 10}},
        20, .says = "done: signal:SIGABRT at 11, 20/20 (61/75), 45 passed; FBBB"),
    ROW({{10, 10, PASSES}, {10, 0, ABORTS, .drawn = 10}}, 20,
        .says = "done: signal:SIGABRT at 11, 20/20, 45 passed; BBB"),
    /* Signatures: those that count, those that do not, and those beside the best. */
    ROW({{50, 0, ABORTS}, {10, 0, 3}}, 20, .only = "signal:SIGABRT",
        .says = "done: signal:SIGABRT at 50, 20/20, 60 passed; other exit:3 at 16, 1/1; OBBBBB"),
    ROW({{50, 0, ABORTS}, {10, 0, 3}}, 20, .only = "exit:4",
        .says = "done; 20 rounds of 9 sizes; other exit:3 at 16, 1/1; other signal:SIGABRT at 64, "
                "1/1; OO"),
    ROW({{5, 0, ABORTS}}, 20, .ignored = "signal:SIGABRT",
        .says = "done; 20 rounds of 9 sizes; ignored; "),
    ROW({{50, 0, ABORTS}, {10, 0, 3}}, 20, .ignored = "exit:3",
        .says = "done: signal:SIGABRT at 50, 20/20, 60 passed; ignored; BBBBB"),
    ROW({{50, 0, ABORTS}, {10, 0, 3}}, 20, .known = {{3000, 7}},
        .says =
            "done: exit:3 at 10, 20/20, 45 passed; other signal:SIGABRT at 59, 1/1; BRBBBBBBBBB"),
    ROW({{300, 0, ABORTS}, {100, 0, 3}, {10, 0, ABORTS, .percent = 50}}, 20, .known = {{600, 4}},
        .says = "done: exit:3 at 100, 20/20, 0 passed; other signal:SIGABRT at 343, 20/20 "
                "(93/136); BRFBBBBBB"),
    /* Known inputs: those beyond size_max are not run, the first that fails is where it goes on. */
    ROW({{100, 0, ABORTS}}, 20, .known = {{5000, 1}, {30, 2}, {99, 3}, {600, 4}, {700, 5}},
        .says = "done: signal:SIGABRT at 100, 20/20, 67 passed; rrBRBBBBBB"),
    /* One that was flaky elsewhere is so still, unless it was another bug. */
    ROW({{30, 0, 3}}, 20, .known = {{30, 2, 3, 18}},
        .says = "done: exit:3 at 30, 20/20 (41/43), 52 passed; rBBB"),
    ROW({{30, 0, 3}}, 20, .known = {{30, 2, 4, 18}},
        .says = "done: exit:3 at 30, 20/20, 52 passed; rBBB"),
    ROW({{30, 0, 3}}, 20, .known = {{30, 2, 3, 20}},
        .says = "done: exit:3 at 30, 20/20, 52 passed; BR"),
    /* Inputs that other searches find meanwhile: one that passes here; one as small, which keeps
     * the passes; one that is flaky; and of larger ones only news. */
    ROW({{100, 0, ABORTS}}, 100, .known = {{60, 5}, {59, 6}, {5000, 7}}, .known_at = 100,
        .says = "done: signal:SIGABRT at 100, 20/20, 337 passed; BBBBBBrr"),
    ROW({{100, 0, ABORTS}}, 100, .known = {{100, 1}}, .known_at = 200,
        .says = "done: signal:SIGABRT at 100, 20/20, 337 passed; BBBBBBBR"),
    ROW({{50, 50, 3, .seed = FOUND_SEED}, {100, 0, ABORTS}}, 100,
        .known = {{50, FOUND_SEED, 3, 18}}, .known_at = 100,
        .says = "done: signal:SIGABRT at 100, 20/20, 337 passed; other exit:3 at 50, 1/1 (19/21); "
                "BBBBBBr"),
    ROW({{50, 0, 7}, {40, 0, 3}}, 100,
        .known = {{300, 9}, {200, 8, 7, 20}, {52, 7, 7, 20}, {49, 1, 3, 20}}, .known_at = 100,
        .says = "done: exit:3 at 40, 20/20, 300 passed; other exit:7 at 52, 1/1; BBBBBBOR"),
    /* Keeping going: to where nothing is smaller; passes add up; after its end it adopts. */
    ROW({{41, 0, ABORTS}, {1, 0, 3, .one_in = 3000}}, 20,
        .says = "done: signal:SIGABRT at 41, 20/20, 60 passed; BBBBB"),
    ROW({{41, 0, ABORTS}, {1, 0, 3, .one_in = 3000}}, 20, KEEPS_GOING | ENDLESS,
        .says =
            "done: exit:3 at 1, 20/20, 1 passed; other signal:SIGABRT at 41, 20/20; BBBBBBBBBBBB"),
    ROW({{41, 0, ABORTS}}, 20, KEEPS_GOING, .late_at = 2000,
        .says = "spent: signal:SIGABRT at 41, 20/20, 1931 passed; BBBBB"),
    ROW({{50, 50, 3, .seed = FOUND_SEED}, {100, 0, ABORTS}}, 20, KEEPS_GOING,
        .known = {{50, FOUND_SEED}}, .known_at = 1000, .late_at = 2000,
        .says =
            "spent: exit:3 at 50, 20/20, 979 passed; other signal:SIGABRT at 100, 20/20; BBBBBBBR"),
    ROW({{100, 0, 3}, {10, 0, ABORTS, .percent = 50}}, 20, KEEPS_GOING, .late_at = 2000,
        .says = "spent: exit:3 at 100, 20/20, 0 passed; other signal:SIGABRT at 36, 3/4 (494/964); "
                "FBBBBBB"),
    /* The budget: what was found is rerun after it, what others found is run, no claim outlives. */
    ROW({{0, 0, ABORTS}}, 20, SPENT, .says = "spent; 0 rounds of 1 sizes; "),
    ROW({{4097, 0, ABORTS}}, 1, ENDLESS, .late_at = 500, .says = "spent; 28 rounds of 9 sizes; "),
    ROW({{0, 0, ABORTS}}, 20, .late_at = 1,
        .says = "spent: signal:SIGABRT at 0, 20/20; 0 rounds of 1 sizes; B"),
    ROW({{50, 50, 3, .seed = FOUND_SEED}, {100, 0, ABORTS}}, 20,
        .known = {{60, 5}, {50, FOUND_SEED}}, .known_at = 41, .late_at = 41,
        .says =
            "spent: exit:3 at 50, 20/20, 0 passed; other signal:SIGABRT at 100, 1/1; BBBBBBrBR"),
    ROW({{100, 0, 3}, {10, 0, ABORTS, .times = 2}}, 200, .known = {{600, 4}}, .late_at = 60,
        .says = "spent: exit:3 at 600, 20/20, 0 passed; other signal:SIGABRT at 10, 1/2 (5/10); "
                "BRBBBBBXFXXXX"),
    /* An error: in the first run, while nothing failed, in a rerun, and when a best is there. */
    ROW({{3, 0, ABORTS}}, 20, .error_at = 1, .says = "environment; 0 rounds of 1 sizes; "),
    ROW({{3, 0, ABORTS}}, 20, .error_at = 5,
        .says = "environment: perhaps signal:SIGABRT at 4, 0/0; 0 rounds of 1 sizes; "),
    ROW({{3, 0, ABORTS}}, 20, .error_at = 31,
        .says = "environment: signal:SIGABRT at 3, 1/1, 15 passed; BB"),
    /* All failures: also below the shallow one; the flaky ones last; as any other without one. Each
     * is rerun after the budget; keeping going, a smaller one is pursued at once. */
    ROW({{12, 0, 1}, {5, 11, 2, .one_in = 16}}, 200, EACH,
        .says = "done: exit:2 at 5, 20/20, 375 passed; exit:1 at 12, 20/20, 450 passed; BBBBBBBB"),
    ROW({{50, 0, 1, .one_in = 2}, {10, 0, 2, .percent = 50}}, 20, EACH,
        .says =
            "done: exit:1 at 50, 20/20, 0 passed; exit:2 at 16, 9/20 (100/204), 0 passed; FBBBBBB"),
    ROW({{12, 0, 1}, {5, 11, 2, .one_in = 16}}, 200, EACH, .late_at = 60,
        .says = "spent: exit:2 at 5, 20/20, 13 passed; exit:1 at 12, 20/20, 0 passed; BBBBBBBB"),
    ROW({{12, 0, 1}, {5, 11, 2, .one_in = 16}}, 20, EACH | KEEPS_GOING, .late_at = 4000,
        .says = "spent: exit:2 at 5, 20/20, 300 passed; exit:1 at 12, 20/20, 45 passed; BBBBBBBB"),
    ROW({{50, 0, 1}, {30, 30, 2, .seed = FOUND_SEED}}, 300, EACH, .known = {{30, FOUND_SEED}},
        .known_at = 700, .late_at = 780,
        .says = "spent: exit:2 at 30, 20/20, 78 passed; exit:1 at 50, 20/20, 0 passed; BBBBBBR"),
    ROW({{50, 0, 1}, {30, 40, 2, .seed = FOUND_SEED}}, 30, EACH,
        .known = {{50, 9}, {40, FOUND_SEED}}, .known_at = 1,
        .says = "done: exit:2 at 40, 20/20, 90 passed; exit:1 at 50, 20/20, 90 passed; BRBR"),
    /* Of those of a bug that is known only a better one is news: here the second. */
    ROW({{50, 0, 1}}, 30, EACH, .known = {{50, 9}, {50, 8, 1, 20}, {50, 10, 1, 20}, {70, 2, 1, 20}},
        .known_at = 1, .says = "done: exit:1 at 50, 20/20, 90 passed; BRBR"),
};

/* ---- What a search says ---- */

typedef struct offers {
    const row *row;
    const target *target;
    size_t next;
} offers;

static bool offer(void *context, const failure *best, failure_table *mine, failure *next) {
    offers *o = context;
    (void)best, (void)mine;
    if (o->next == KNOWN_MAX || o->target->calls < o->row->known_at) return false;
    const known_input *known = &o->row->known[o->next++];
    *next = (failure){.input = {.size = known->size, .seed = known->seed}};
    if (known->status > 0) {
        next->signature = (signature){SIGNATURE_EXIT, known->status};
        next->alike = (rerun_count){20, known->repeated};
    }
    return known->seed > 0;
}

static void take(void *context, const event *e) {
    static const char letters[] = {
        [EVENT_BEST] = 'B',     [EVENT_OTHER] = 'O',       [EVENT_FLAKY] = 'F',
        [EVENT_REFUTED] = 'X',  [EVENT_UNCONFIRMED] = '-', [EVENT_REPLAYED] = 'r',
        [EVENT_PROGRESS] = '-', [EVENT_TESTED] = '-'};
    ck_assert_msg(e->kind < sizeof letters && letters[e->kind] > 0, "a search emits no such event");
    if (letters[e->kind] != '-') fputc(e->fails ? 'R' : letters[e->kind], context);
}

static void write_failure(FILE *out, const failure *f, const char *lead) {
    static const char *const causes[] = {"", " (timeout)", " (memory)", " (worker)", " (budget)"};
    fprintf(out, "%s%s at %lu, %u/%u", lead, signature_format(f->signature, SIGNATURE_TEXT),
            (unsigned long)f->input.size, f->repeated, f->reruns);
    if (f->alike.repeated < f->alike.reruns)
        fprintf(out, " (%lu/%lu)", (unsigned long)f->alike.repeated,
                (unsigned long)f->alike.reruns);
    fprintf(out, "%s", causes[f->cause]);
}

static void write_claim(FILE *out, bool failed, const run_claim *c) {
    if (failed) fprintf(out, ", %lu passed", (unsigned long)c->passed);
    if (!failed)
        fprintf(out, "; %lu rounds of %lu sizes", (unsigned long)c->rounds,
                (unsigned long)c->sizes);
}

static void write_result(FILE *out, const search_result *r) {
    static const char *const ends[] = {"done", "spent",       "interrupted", "rebuilt",
                                       "",     "environment", "broken"};
    fprintf(out, "%s", ends[r->told.stop.end]);
    if (r->told.each.count == 0) {
        if (r->found || r->inconclusive)
            write_failure(out, &r->best, r->found ? ": " : ": perhaps ");
        write_claim(out, r->claim.failed, &r->claim.run);
    }
    for (size_t i = 0; i < r->told.each.count; i++) {
        write_failure(out, r->told.each.list[i].failure, i == 0 ? ": " : "; ");
        write_claim(out, true, r->told.each.list[i].claim);
    }
    for (size_t i = 0; i < r->told.others.count; i++)
        write_failure(out, r->told.others.list[i].failure, "; other ");
    if (r->ignored.count > 0) fprintf(out, "; ignored");
    fprintf(out, "; ");
}

static signature_patterns patterns_of(const char *text) {
    signature_patterns p = {.count = text != NULL};
    if (text != NULL) ck_assert(signature_pattern_parse(text, &p.list[0]));
    return p;
}

static search_result result; /* large */

static void search(const search_config *config, target *t, pool_config workers, event_sink sink) {
    const runner_fake_config fake = {.judge = judge, .context = t};
    workers.config = &fake;
    workers.create = runner_fake_create;
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    search_run(config, p, &sink, &result);
    pool_destroy(p);
}

TEST_EACH(a_search_says, sizeof rows / sizeof *rows) {
    const row *r = &rows[_i];
    const signature_filter filter = {patterns_of(r->only), patterns_of(r->ignored)};
    static target t;
    offers known = {r, &t, 0};
    const bool is_each = (r->flags & EACH) != 0;
    const search_config config = {.goal = is_each ? SEARCH_EACH : SEARCH_SMALLEST,
                                  .strategy = {.attempts = r->attempts,
                                               .size_max = 1 << 12,
                                               .master_seed = 1,
                                               .endless = (r->flags & ENDLESS) != 0},
                                  .deadline_ns = r->late_at > 0
                                                     ? clock_now_ns() + 1800 * CLOCK_NS_PER_S
                                                 : (r->flags & SPENT) != 0 ? clock_now_ns() - 1
                                                                           : CLOCK_NEVER,
                                  .filter = &filter,
                                  .source = {offer, &known},
                                  .keeps_going = (r->flags & KEEPS_GOING) != 0};
    char *says, *told;
    size_t size, told_size;
    FILE *out = open_memstream(&says, &size), *events = open_memstream(&told, &told_size);
    memset(&t, 0, sizeof t);
    memcpy(t.rules, r->rules, sizeof t.rules);
    t.late_at = r->late_at;
    t.error_at = r->error_at;
    search(&config, &t, (pool_config){.interrupt_fd = -1}, (event_sink){take, events});
    fclose(events);
    write_result(out, &result);
    fprintf(out, "%s", told);
    fclose(out);
    ck_assert_str_eq(says, r->says);
    if (r->error_at > 0) {
        ck_assert_uint_eq(t.calls, r->error_at);
        ck_assert_int_eq(result.told.stop.error.error_number, ENOENT);
    }
    free(says);
    free(told);
    search_finish(&result);
}

/* ---- Workers ---- */

TEST(an_interrupt_ends_a_search_and_so_do_workers_that_keep_dying) {
    static const signature_filter none;
    const search_config config = {.deadline_ns = CLOCK_NEVER,
                                  .filter = &none,
                                  .strategy = {.attempts = 1000000, .size_max = 4096}};
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    ck_assert_int_eq(write(ends[1], "", 1), 1);
    static target t; /* each worker has a copy */
    search(&config, &t, (pool_config){.jobs = 2, .interrupt_fd = ends[0]},
           (event_sink){NULL, NULL});
    ck_assert_int_eq(result.told.stop.end, END_INTERRUPTED);
    t.rules[0] = (rule){0, 0, ENDS_WORKER};
    search(&config, &t, (pool_config){.jobs = 2, .interrupt_fd = -1}, (event_sink){NULL, NULL});
    ck_assert_int_eq(result.told.stop.end, END_BROKEN);
    ck_assert_int_eq(result.told.stop.error_number, ECHILD);
}

SUITE(.timeout_s = 120);
