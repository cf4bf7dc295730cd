/* pool.h: results come in the order of the batches, each once, whatever happens to workers. */
#include "fixture.h"
#include "pool.h"

#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

/* ---- A runner that does as the seed says ---- */

enum { CANDIDATE_SET_BYTES = 100 };

enum { KILLS_ITS_WORKER_ONCE = 1 << 20, ALWAYS_KILLS, FAILS, HANGS };

/* What runs tell the test, and what it tells them. */
typedef struct shared {
    unsigned kills, hanging, spoiled;
    int64_t waits_ns; /* how much longer a batch takes */
} shared;

typedef struct scripted {
    runner base;
    const runner_watch *watch;
    shared *shared;
} scripted;

static void sleep_ms(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, NULL); }

static void hang(const scripted *s, run_result *result) {
    __atomic_fetch_add(&s->shared->hanging, 1, __ATOMIC_SEQ_CST);
    while (!result->cancelled) {
        struct pollfd fd = {s->watch->fd, POLLIN, 0};
        poll(&fd, 1, -1);
        result->cancelled = s->watch->cancelled(s->watch->context);
    }
}

static bool kill_once(const scripted *s) {
    if (__atomic_fetch_add(&s->shared->kills, 1, __ATOMIC_SEQ_CST) == 0) raise(SIGKILL);
    return true;
}

static bool passes(const scripted *s, uint64_t seed, run_result *result) {
    if (seed == HANGS) hang(s, result);
    if (seed == KILLS_ITS_WORKER_ONCE) return kill_once(s);
    if (seed == ALWAYS_KILLS) raise(SIGKILL);
    if (seed >= KILLS_ITS_WORKER_ONCE) return seed != FAILS;
    if (seed % 5 == 0) sleep_ms(3); /* so that workers finish out of order */
    return seed % 7 != 0;
}

/* Test cases say by their first byte what they do, and consist of it. */
static bool passes_given(const scripted *s, candidate_set *given, uint32_t i, run_result *result) {
    const uint8_t first = *candidate_set_bytes(given, i);
    const uint64_t size = candidate_set_size(given, i);
    if (first == 'h') hang(s, result);
    if (first == 'h') sleep_ms(20);
    if (first == 'k') kill_once(s);
    for (uint64_t k = 0; k < size; k++)
        s->shared->spoiled += candidate_set_bytes(given, i)[k] != first;
    given->passes[i] = (candidate_pass){first, false};
    given->reported = given->record_count = 1;
    given->records[0].start = size;
    return first != 'f';
}

static void scripted_run(runner *base, const batch *b, run_purpose purpose, run_result *result) {
    const scripted *s = (scripted *)base;
    (void)purpose;
    *result = (run_result){.last = outcome_of_status(0),
                           .took_ns = (int64_t)b->size + s->shared->waits_ns};
    while (result->ran < b->count && result->last.verdict == VERDICT_PASS) {
        const bool passed = b->candidates != NULL
                                ? passes_given(s, b->candidates, result->ran, result)
                                : passes(s, b->first_seed + result->ran, result);
        if (!passed) result->last = outcome_of_status(3 << 8);
        if (result->cancelled) return;
        result->ran++;
    }
}

static void scripted_destroy(runner *base) { free(base); }

static runner *scripted_create(const void *config, const runner_watch *watch, int *error_number) {
    scripted *s = malloc(sizeof *s);
    (void)error_number;
    if (s == NULL) return NULL;
    *s = (scripted){{scripted_run, scripted_destroy}, watch, *(shared *const *)config};
    return &s->base;
}

static runner *failing_create(const void *config, const runner_watch *watch, int *error_number) {
    (void)config, (void)watch;
    *error_number = EMFILE;
    return NULL;
}

/* ---- A pool ---- */

static shared *memory;
static pool *p;
static batch runs;
static const run_result *result;

static void start_with(unsigned jobs, runner_factory create) {
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    const pool_config config = {.jobs = jobs,
                                .create = create,
                                .config = &memory,
                                .interrupt_fd = -1,
                                .candidate_set_bytes = CANDIDATE_SET_BYTES,
                                .candidate_set_records = 2};
    p = pool_create(&config);
    ck_assert_ptr_nonnull(p);
}

static void start(unsigned jobs) { start_with(jobs, scripted_create); }

static void end(void) {
    ck_assert_uint_eq(memory->spoiled, 0);
    pool_destroy(p);
    p = NULL;
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a worker is left");
}

static void await_hanging(unsigned count) {
    while (__atomic_load_n(&memory->hanging, __ATOMIC_SEQ_CST) < count) sleep_ms(1);
    __atomic_store_n(&memory->hanging, 0, __ATOMIC_SEQ_CST);
}

/* Wait until cancelled batches have made room. */
static void await_room(void) {
    while (!pool_has_room(p)) {
        ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_IDLE);
    }
}

/* Kill a worker: child number `which` of this process. */
static bool kill_worker(unsigned which) {
    char path[64], text[256] = {0}, *rest = text;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false; /* a kernel without the list */
    ck_assert_int_gt(read(fd, text, sizeof text - 1), 0);
    close(fd);
    long pid = 0;
    for (unsigned i = 0; i <= which; i++) pid = strtol(rest, &rest, 10);
    return kill((pid_t)pid, SIGKILL) == 0;
}

static void submit(uint64_t seed, uint32_t count, uint64_t size) {
    const batch t = {seed, count, size, NULL};
    ck_assert(pool_has_room(p));
    pool_submit(p, &t, RUN_TRY);
}

static void expect_event(pool_event wanted) {
    ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), wanted);
}

/* The next result is that of this batch; those that are void may come before. */
static void expect(uint64_t seed, uint32_t ran, verdict v) {
    pool_event event;
    while ((event = pool_wait(p, CLOCK_NEVER, &runs, &result)) == POOL_IDLE) continue;
    ck_assert_int_eq(event, POOL_RESULT);
    ck_assert_uint_eq(runs.first_seed, seed);
    ck_assert_uint_eq(result->ran, ran);
    ck_assert_int_eq(result->last.verdict, v);
    ck_assert(!result->cancelled);
}

static const unsigned job_counts[] = {1, 2, 8};
enum { JOB_COUNTS = sizeof job_counts / sizeof job_counts[0] };

/* Batches of seeds, as many as fit. The 20th kills its worker, where that is wanted. */
static void run_in_order(bool kills) {
    uint64_t submitted = 1;
    for (uint64_t committed = 1; committed <= 200; committed++) {
        for (; submitted <= 200 && pool_has_room(p); submitted++) {
            const bool is_killer = kills && submitted == 20;
            submit(is_killer ? KILLS_ITS_WORKER_ONCE : submitted * 3, is_killer ? 1 : 3, submitted);
        }
        const bool is_killer = kills && committed == 20;
        const uint32_t fails_at = is_killer ? 9 : (uint32_t)((7 - committed * 3 % 7) % 7);
        expect(is_killer ? KILLS_ITS_WORKER_ONCE : committed * 3,
               is_killer      ? 1
               : fails_at < 3 ? fails_at + 1
                              : 3,
               fails_at < 3 ? VERDICT_FAIL : VERDICT_PASS);
        ck_assert_uint_eq(runs.size, committed);
        ck_assert_int_eq(result->took_ns, (int64_t)committed);
        if (is_killer || fails_at > 1) continue;
        pool_continue(p, fails_at + 1); /* the rest is the oldest again */
        expect(committed * 3 + fails_at + 1, 2 - fails_at, VERDICT_PASS);
    }
    expect_event(POOL_IDLE);
    ck_assert_uint_eq(memory->kills, kills ? 2 : 0);
}

TEST_EACH(results_come_in_order, 2 * JOB_COUNTS) {
    start(job_counts[_i / 2]);
    run_in_order(_i % 2 != 0);
    end();
}

/* It ends the wait of one behind it, at a deadline. */
TEST(a_failure_that_waits_for_its_turn_stops_the_supply) {
    start(2);
    const int64_t deadline_ns = clock_after(clock_now_ns(), CLOCK_NS_PER_S);
    submit(HANGS, 1, 1);
    submit(FAILS, 1, 1);
    ck_assert(pool_has_room(p));
    ck_assert_int_eq(pool_wait(p, deadline_ns, &runs, &result), POOL_IDLE);
    ck_assert_int_ge(clock_now_ns(), deadline_ns);
    ck_assert_int_eq(pool_wait(p, 0, &runs, &result), POOL_IDLE);
    ck_assert(!pool_has_room(p));
    pool_cancel(p);
    ck_assert(pool_has_room(p));
    end();
}

TEST_EACH(what_is_cancelled_has_no_result, JOB_COUNTS) {
    start(job_counts[_i]);
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned k = 0; k < job_counts[_i]; k++) submit(HANGS, 1, 1);
        pool_cancel(p);
        await_room();
        submit(1 + 7 * round, 6, 1);
        expect(1 + 7 * round, 6, VERDICT_PASS);
    }
    end();
}

/* A long night may cost any number of workers, as long as others answer between. */
TEST(workers_that_keep_dying_break_the_pool) {
    start(1);
    for (int round = 0; round < 40; round++) {
        memory->kills = 0;
        submit(KILLS_ITS_WORKER_ONCE, 1, 1);
        expect(KILLS_ITS_WORKER_ONCE, 1, VERDICT_PASS);
    }
    submit(ALWAYS_KILLS, 1, 1);
    expect_event(POOL_BROKEN);
    ck_assert_int_eq(errno, ECHILD);
    end();
    start_with(2, failing_create);
    submit(1, 1, 1);
    expect_event(POOL_BROKEN);
    ck_assert_int_eq(errno, EMFILE);
    end();
}

/* ---- How many runs a batch should have ---- */

enum { MS = 1000000 };

/* Batches follow one another. A batch of `size` has `count` runs and takes `size` ns; the next one
 * of the size `of` should have `wanted` runs. Runs 1 to 6 pass. */
static const struct {
    uint64_t size, count, of, wanted;
    bool is_first; /* of a new pool, which knows nothing */
} paces[] = {
    {MS, 1, MS, 2, true},
    {MS, 2, MS, 4, false},
    {MS, 4, MS, 8, false},
    {MS, 1, MS, 8, false},               /* one that small says nothing */
    {MS, 1, 1000 * MS, 8, false},        /* the best guess for a larger size */
    {MS, 1, MS / 1000, 8, false},        /* and for a smaller one */
    {1000 * MS, 6, 1000 * MS, 4, false}, /* too long */
    {1000 * MS, 1, MS, 8, false},        /* runs of another size say nothing, */
    {1000 * MS, 1, 1000 * MS, 1, false}, /* and a small one that takes too long says it all */
    {100 * MS, 1, 100 * MS, 2, true},    /* it is the start that takes long */
    {100 * MS, 2, 100 * MS, 4, false},
    {100 * MS, 4, 100 * MS, 8, false},
    {100 * MS, 1, 100 * MS, 8, false},
};

TEST(batches_follow_the_time_that_batches_take) {
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
        if (paces[i].is_first && p != NULL) end();
        if (paces[i].is_first) start(1);
        if (paces[i].is_first) ck_assert_uint_eq(pool_batch(p, paces[i].size), 1);
        submit(1, (uint32_t)paces[i].count, paces[i].size);
        expect(1, (uint32_t)paces[i].count, VERDICT_PASS);
        ck_assert_msg(pool_batch(p, paces[i].of) == paces[i].wanted, "row %zu: %u", i,
                      pool_batch(p, paces[i].of));
    }
    end();
    start(1); /* slow runs: of 100 ms each */
    for (uint32_t i = 0, count = 1; i < 5; i++, count = pool_batch(p, 100 * MS)) {
        ck_assert_uint_le(count, 2);
        submit(1, count, 100 * MS * (uint64_t)count);
        expect(1, count, VERDICT_PASS);
    }
    end();
}

/* On a loaded machine a batch waits for 30 ms, however few runs it has; the first one did not. */
TEST(batches_grow_where_each_waits_for_the_machine) {
    uint32_t count = 1;
    start(1);
    for (int i = 0; i < 12 && count <= 64; i++, count = pool_batch(p, 30 * MS)) {
        submit(HANGS + 1, count, i == 0 ? 3 * MS : 30 * MS);
        expect(HANGS + 1, count, VERDICT_PASS);
    }
    ck_assert_uint_ge(count, 64);
    end();
}

/* Other work once took the processor from a batch of two. */
TEST(batches_grow_again_after_one_that_waited) {
    uint32_t count = 1;
    start(1);
    for (int i = 0; i < 30 && count <= 64; i++, count = pool_batch(p, 30 * MS)) {
        memory->waits_ns = i == 1 ? 600 * MS : 0;
        submit(HANGS + 1, count, 30 * MS);
        expect(HANGS + 1, count, VERDICT_PASS);
    }
    ck_assert_uint_ge(count, 64);
    end();
}

/* ---- Candidate sets ---- */

/* Test cases of 1, 2, ... bytes, as the letters say. */
static candidate_set *submit_set(const char *letters) {
    ck_assert(pool_has_room(p));
    candidate_set *given = pool_candidate_set(p);
    uint64_t used = 0;
    ck_assert_uint_eq(given->count, 0);
    ck_assert_uint_eq(given->bytes_max, CANDIDATE_SET_BYTES);
    ck_assert_uint_eq(given->records_max, 2);
    for (; letters[given->count] != '\0'; given->ends[given->count++] = used) {
        memset(given->bytes + used, letters[given->count], given->count + 1);
        used += given->count + 1;
    }
    memset(given->bytes + used, 0, CANDIDATE_SET_BYTES - used); /* all of it is ours */
    pool_submit_candidate_set(p, given, RUN_TRY);
    return given;
}

static void expect_set(const candidate_set *given, uint32_t ran, verdict v) {
    expect(0, ran, v);
    ck_assert_ptr_eq(runs.candidates, given);
    ck_assert_uint_eq(runs.count, given->count);
    for (uint32_t i = 0; i < ran; i++)
        ck_assert_uint_eq(given->passes[i].drawn, *candidate_set_bytes(given, i));
    ck_assert_uint_eq(given->reported, 1);
    ck_assert_uint_eq(given->records[0].start, ran);
}

/* What is skipped comes in its turn, as cancelled. */
static void expect_skipped(const candidate_set *given, uint32_t ran) {
    expect_event(POOL_RESULT);
    ck_assert_ptr_eq(runs.candidates, given);
    ck_assert(result->cancelled);
    ck_assert_uint_eq(result->ran, ran);
}

TEST_EACH(candidate_sets_come_back_with_what_was_told, JOB_COUNTS) {
    static const char *const letters[] = {"a", "abc", "abfc", "fa", "aka", "abcdefghijk"};
    enum { LETTERS = sizeof letters / sizeof *letters };
    start(job_counts[_i]);
    const candidate_set *under_way[2 * 8];
    unsigned submitted = 0;
    for (unsigned committed = 0; committed < 200; committed++) {
        for (; submitted < 200 && pool_has_room(p); submitted++) {
            under_way[submitted % 16] = submit_set(letters[submitted % LETTERS]);
        }
        const char *sent = letters[committed % LETTERS];
        const char *fails = strchr(sent, 'f');
        expect_set(under_way[committed % 16],
                   (uint32_t)(fails != NULL ? fails - sent + 1 : (long)strlen(sent)),
                   fails != NULL ? VERDICT_FAIL : VERDICT_PASS);
        if (fails != NULL) pool_cancel(p), submitted = committed + 1;
    }
    ck_assert_uint_gt(memory->kills, 1);
    end();
}

TEST_EACH(a_candidate_set_is_not_reused_while_a_worker_has_it, JOB_COUNTS) {
    start(job_counts[_i]);
    for (int round = 0; round < 10; round++) {
        const candidate_set *hung = submit_set("hh");
        await_hanging(1);
        pool_cancel(p);
        while (pool_has_room(p)) {
            ck_assert_ptr_ne(submit_set("x"), hung);
            pool_cancel(p);
        }
        ck_assert_ptr_ne(pool_candidate_set(p), hung);
        while (!pool_has_room(p)) pool_wait(p, CLOCK_NEVER, &runs, &result);
        expect_set(submit_set("xyz"), 3, VERDICT_PASS);
    }
    end();
}

/* A skip that comes too late, or of what nobody has, changes nothing; one that comes twice, and is
 * cancelled, is one. */
TEST_EACH(a_skipped_candidate_set_comes_at_once, JOB_COUNTS) {
    start(job_counts[_i]);
    for (int round = 0; round < 10; round++) {
        const candidate_set *before = submit_set("ab");
        const candidate_set *hung = submit_set("ah");
        await_hanging(1);
        const int64_t start_ns = clock_now_ns();
        pool_skip(p, NULL);
        pool_skip(p, hung);
        expect_set(before, 2, VERDICT_PASS);
        pool_skip(p, before);
        expect_skipped(hung, 1);
        ck_assert_int_lt(clock_now_ns() - start_ns, 5 * CLOCK_NS_PER_S);
        expect_set(submit_set("xyz"), 3, VERDICT_PASS);
        const candidate_set *cancelled = submit_set("h");
        await_hanging(1);
        pool_skip(p, cancelled);
        pool_skip(p, cancelled);
        pool_cancel(p);
        while (!pool_has_room(p)) pool_wait(p, CLOCK_NEVER, &runs, &result);
        expect_set(submit_set("abc"), 3, VERDICT_PASS);
    }
    end();
}

/* One that waits behind another is not even begun, not by the next worker either, if theirs dies
 * with its orders. */
TEST_EACH(a_candidate_set_that_waits_is_skipped, 3) {
    const bool dies = _i == 0, second_too = _i != 2;
    start(1);
    const candidate_set *first = submit_set("h");
    const candidate_set *second = submit_set(dies ? "ah" : "bh");
    await_hanging(1);
    if (second_too) pool_skip(p, second);
    if (dies && kill_worker(0)) {
        const int64_t soon_ns = clock_after(clock_now_ns(), CLOCK_NS_PER_S);
        ck_assert_int_eq(pool_wait(p, soon_ns, &runs, &result), POOL_IDLE);
    }
    pool_skip(p, first);
    expect_skipped(first, 0);
    if (!second_too) pool_skip(p, second);
    expect_event(POOL_RESULT);
    ck_assert_ptr_eq(runs.candidates, second);
    ck_assert(result->cancelled);
    if (second_too) ck_assert_uint_eq(result->ran, 0);
    expect_set(submit_set("abc"), 3, VERDICT_PASS);
    end();
}
