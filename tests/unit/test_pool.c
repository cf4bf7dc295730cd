/* pool.h: results come in the order of the batches, each once, whatever happens to workers. */
#include "pool.h"
#include "suite.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- A runner that does as the seed says ---- */

enum { CANDIDATE_SET_BYTES = 100 };

enum { KILLS_ITS_WORKER_ONCE = 1 << 20, ALWAYS_KILLS, FAILS, HANGS, SLOW_TO_GIVE_UP };

typedef struct report_shm {
    unsigned kills, hanging, spoiled;
} report_shm;

typedef struct scripted {
    runner base;
    const runner_watch *watch;
    report_shm *report_shm;
} scripted;

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void hang(const scripted *s, run_result *result) {
    __atomic_fetch_add(&s->report_shm->hanging, 1, __ATOMIC_SEQ_CST);
    while (!result->cancelled) {
        struct pollfd fd = {s->watch->fd, POLLIN, 0};
        poll(&fd, 1, -1);
        result->cancelled = s->watch->cancelled(s->watch->context);
    }
}

static bool passes(const scripted *s, uint64_t seed, run_result *result) {
    switch (seed) {
    case KILLS_ITS_WORKER_ONCE:
        if (__atomic_fetch_add(&s->report_shm->kills, 1, __ATOMIC_SEQ_CST) == 0) raise(SIGKILL);
        return true;
    case ALWAYS_KILLS: raise(SIGKILL); return true;
    case FAILS: return false;
    case HANGS: hang(s, result); return true;
    case SLOW_TO_GIVE_UP:
        hang(s, result);
        sleep_ms(200);
        return true;
    default:
        if (seed % 5 == 0) sleep_ms(3); /* so that workers finish out of order */
        return seed % 7 != 0;
    }
}

/* Test cases say by their first byte what they do, and consist of it. */
static bool passes_given(const scripted *s, candidate_set *given, uint32_t i, run_result *result) {
    const uint8_t first = *candidate_set_bytes(given, i);
    const uint64_t size = candidate_set_size(given, i);
    if (first == 'h') hang(s, result);
    if (first == 'h') sleep_ms(20);
    if (first == 'k' && __atomic_fetch_add(&s->report_shm->kills, 1, __ATOMIC_SEQ_CST) == 0) {
        raise(SIGKILL);
    }
    for (uint64_t k = 0; k < size; k++)
        s->report_shm->spoiled += candidate_set_bytes(given, i)[k] != first;
    given->passes[i] = (candidate_pass){first, false};
    given->reported = given->record_count = 1;
    given->records[0].start = size;
    return first != 'f';
}

static void scripted_run(runner *base, const batch *runs, run_purpose purpose, run_result *result) {
    const scripted *s = (scripted *)base;
    (void)purpose;
    *result = (run_result){.last = outcome_of_status(0), .took_ns = (int64_t)runs->size};
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS) {
        const bool passed = runs->candidates != NULL
                                ? passes_given(s, runs->candidates, result->ran, result)
                                : passes(s, runs->first_seed + result->ran, result);
        if (!passed) {
            result->last = outcome_of_status(3 << 8);
        }
        if (result->cancelled) return;
        result->ran++;
    }
}

static void scripted_destroy(runner *base) { free(base); }

static runner *scripted_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {scripted_run, scripted_destroy};
    scripted *s = malloc(sizeof *s);
    (void)error_number;
    if (s == NULL) return NULL;
    *s = (scripted){{&ops}, watch, *(report_shm *const *)config};
    return &s->base;
}

static runner *failing_create(const void *config, const runner_watch *watch, int *error_number) {
    (void)config;
    (void)watch;
    *error_number = EMFILE;
    return NULL;
}

static report_shm *memory;
static batch runs;
static const run_result *result;

static pool *start(unsigned jobs) {
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    const pool_config config = {
        .jobs = jobs,
        .create = scripted_create,
        .config = &memory,
        .interrupt_fd = -1,
        .candidate_set_bytes = CANDIDATE_SET_BYTES,
        .candidate_set_records = 2,
    };
    pool *p = pool_create(&config);
    ck_assert_ptr_nonnull(p);
    return p;
}

static void end(pool *p) {
    pool_destroy(p);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a worker is left");
}

static void submit(pool *p, uint64_t seed, uint32_t count, uint64_t size) {
    const batch t = {seed, count, size, NULL};
    ck_assert(pool_has_room(p));
    pool_submit(p, &t, RUN_TRY);
}

/* The next result is that of this batch. */
static void expect(pool *p, uint64_t seed, uint32_t ran, verdict v) {
    ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
    ck_assert_uint_eq(runs.first_seed, seed);
    ck_assert_uint_eq(result->ran, ran);
    ck_assert_int_eq(result->last.verdict, v);
    ck_assert(!result->cancelled);
}

static const unsigned job_counts[] = {1, 2, 8};

TEST_EACH(results_come_in_order, 3) {
    pool *p = start(job_counts[_i]);
    uint64_t submitted = 1, committed = 1;
    while (committed <= 300) {
        for (; submitted <= 300 && pool_has_room(p); submitted++) {
            submit(p, submitted * 3, 3, submitted);
        }
        ck_assert_uint_gt(submitted, committed);
        ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
        const uint64_t first = committed * 3;
        const uint32_t fails_at = (uint32_t)((7 - first % 7) % 7);
        ck_assert_uint_eq(runs.first_seed, first);
        ck_assert_uint_eq(runs.size, committed);
        ck_assert_uint_eq(result->ran, fails_at < 3 ? fails_at + 1 : 3);
        ck_assert_int_eq(result->last.verdict, fails_at < 3 ? VERDICT_FAIL : VERDICT_PASS);
        ck_assert_int_eq(result->took_ns, (int64_t)committed);
        committed++;
    }
    ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_IDLE);
    end(p);
}

TEST(a_failure_that_waits_for_its_turn_stops_the_supply) {
    pool *p = start(2);
    submit(p, HANGS, 1, 1);
    submit(p, FAILS, 1, 1);
    ck_assert(pool_has_room(p));
    ck_assert_int_eq(pool_wait(p, clock_after(clock_now_ns(), CLOCK_NS_PER_S), &runs, &result),
                     POOL_IDLE);
    ck_assert(!pool_has_room(p));
    pool_cancel(p);
    ck_assert(pool_has_room(p));
    end(p);
}

TEST(a_deadline_ends_a_wait) {
    pool *p = start(2);
    const int64_t deadline_ns = clock_after(clock_now_ns(), 50 * CLOCK_NS_PER_MS);
    submit(p, HANGS, 1, 1);
    ck_assert_int_eq(pool_wait(p, deadline_ns, &runs, &result), POOL_IDLE);
    ck_assert_int_ge(clock_now_ns(), deadline_ns);
    ck_assert_int_eq(pool_wait(p, 0, &runs, &result), POOL_IDLE);
    end(p);
}

TEST(what_is_cancelled_has_no_result) {
    for (size_t i = 0; i < 3; i++) {
        pool *p = start(job_counts[i]);
        for (unsigned round = 0; round < 20; round++) {
            for (unsigned k = 0; k < job_counts[i]; k++) submit(p, HANGS, 1, 1);
            pool_cancel(p);
            while (!pool_has_room(p)) {
                ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_IDLE);
            }
            submit(p, 1 + 7 * round, 6, 1);
            pool_event event;
            while ((event = pool_wait(p, CLOCK_NEVER, &runs, &result)) == POOL_IDLE) {
            }
            ck_assert_int_eq(event, POOL_RESULT);
            ck_assert_uint_eq(runs.first_seed, 1 + 7 * round);
            ck_assert_uint_eq(result->ran, 6);
        }
        end(p);
    }
}

TEST(void_batches_make_room_while_nothing_is_under_way) {
    /* All workers have as many orders as they take, all of them void: a wait must come back. */
    pool *p = start(3);
    for (int k = 0; k < 6; k++) submit(p, SLOW_TO_GIVE_UP, 1, 1);
    while (__atomic_load_n(&memory->hanging, __ATOMIC_SEQ_CST) < 3) sleep_ms(1);
    pool_cancel(p);
    ck_assert(!pool_has_room(p));
    while (!pool_has_room(p)) {
        ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_IDLE);
    }
    submit(p, 1, 6, 1);
    expect(p, 1, 6, VERDICT_PASS);
    end(p);
}

TEST(an_interrupt_ends_a_wait) {
    int ends[2];
    report_shm none = {0, 0, 0};
    report_shm *const nothing = &none;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    const pool_config config = {
        .jobs = 2, .create = scripted_create, .config = &nothing, .interrupt_fd = ends[0]};
    pool *p = pool_create(&config);
    ck_assert_ptr_nonnull(p);
    submit(p, HANGS, 1, 1);
    ck_assert_int_eq(write(ends[1], "x", 1), 1);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_INTERRUPTED);
    }
    char byte;
    ck_assert_msg(read(ends[0], &byte, 1) == 1, "it is left to be read");
    end(p);
}

TEST(a_worker_that_is_killed_is_replaced) {
    for (size_t i = 0; i < 3; i++) {
        for (int round = 0; round < 5; round++) {
            pool *p = start(job_counts[i]);
            uint64_t submitted = 0;
            for (uint64_t committed = 0; committed < 50; committed++) {
                for (; submitted < 50 && pool_has_room(p); submitted++) {
                    submit(p, submitted == 20 ? KILLS_ITS_WORKER_ONCE : 1, 1, submitted);
                }
                ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
                ck_assert_uint_eq(runs.size, committed);
                ck_assert_uint_eq(result->ran, 1);
                ck_assert_int_eq(result->last.verdict, VERDICT_PASS);
            }
            ck_assert_uint_eq(memory->kills, 2);
            end(p);
        }
    }
}

TEST(idle_workers_that_are_killed_are_replaced) {
    pool *p = start(2);
    char path[64], text[256] = {0};
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (int round = 0; round < 3; round++) {
        submit(p, 1, 6, 1);
        expect(p, 1, 6, VERDICT_PASS);
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) break; /* a kernel without the list */
        ck_assert_int_gt(read(fd, text, sizeof text - 1), 0);
        close(fd);
        char *rest = text;
        for (int k = 0; k < 2; k++) kill((pid_t)strtol(rest, &rest, 10), SIGKILL);
    }
    submit(p, 1, 6, 1);
    submit(p, 8, 6, 1);
    expect(p, 1, 6, VERDICT_PASS);
    expect(p, 8, 6, VERDICT_PASS);
    end(p);
}

/* A long night may cost any number of workers, as long as others answer between. */
TEST(workers_that_die_now_and_then) {
    pool *p = start(1);
    for (int round = 0; round < 40; round++) {
        memory->kills = 0;
        submit(p, KILLS_ITS_WORKER_ONCE, 1, 1);
        expect(p, KILLS_ITS_WORKER_ONCE, 1, VERDICT_PASS);
    }
    end(p);
}

TEST(workers_that_keep_dying_break_the_pool) {
    pool *p = start(2);
    submit(p, ALWAYS_KILLS, 1, 1);
    ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_BROKEN);
    ck_assert_int_eq(errno, ECHILD);
    end(p);
}

TEST(runners_that_cannot_be_made) {
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        const pool_config config = {
            .jobs = jobs, .create = failing_create, .config = NULL, .interrupt_fd = -1};
        errno = 0;
        pool *p = pool_create(&config);
        submit(p, 1, 1, 1);
        ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_BROKEN);
        ck_assert_int_eq(errno, EMFILE);
        end(p);
    }
}

TEST(batches_follow_the_time_that_batches_take) {
    enum { MS = 1000000 };
    pool *p = start(1);
    ck_assert_msg(pool_batch(p, MS) == 1, "nothing is known yet");
    for (uint32_t count = 1; count <= 4; count *= 2) { /* runs 1 to 6 pass */
        ck_assert_uint_eq(pool_batch(p, MS), count);
        submit(p, 1, count, MS); /* a millisecond, however many runs */
        expect(p, 1, count, VERDICT_PASS);
    }
    ck_assert_uint_eq(pool_batch(p, MS), 8);
    submit(p, 1, 1, MS);
    expect(p, 1, 1, VERDICT_PASS);
    ck_assert_msg(pool_batch(p, MS) == 8, "a ticket that small says nothing");
    ck_assert_msg(pool_batch(p, 1000 * MS) == 8, "the best guess for a larger size");
    submit(p, 1, 6, 1000 * MS);
    expect(p, 1, 6, VERDICT_PASS);
    ck_assert_uint_eq(pool_batch(p, 1000 * MS), 4);
    ck_assert_msg(pool_batch(p, MS) == 8, "runs of another size say nothing");
    submit(p, 1, 1, 1000 * MS);
    expect(p, 1, 1, VERDICT_PASS);
    ck_assert_msg(pool_batch(p, 1000 * MS) == 2, "a small one that takes too long says it all");
    end(p);
}

TEST(batches_outgrow_the_time_that_starting_one_takes) {
    enum { START_NS = 100000000 }; /* 100 ms, however many runs */
    pool *p = start(1);
    for (uint32_t count = 1; count <= 4; count *= 2) { /* runs 1 to 6 pass */
        ck_assert_uint_eq(pool_batch(p, START_NS), count);
        submit(p, 1, count, START_NS);
        expect(p, 1, count, VERDICT_PASS);
    }
    ck_assert_uint_eq(pool_batch(p, START_NS), 8);
    submit(p, 1, 1, START_NS);
    expect(p, 1, 1, VERDICT_PASS);
    ck_assert_msg(pool_batch(p, START_NS) == 8, "it is the start that takes long");
    end(p);
}

TEST(batches_of_slow_runs_stay_small) {
    enum { RUN_NS = 100000000 };
    pool *p = start(1);
    submit(p, 1, 1, RUN_NS);
    expect(p, 1, 1, VERDICT_PASS);
    for (int i = 0; i < 4; i++) {
        const uint32_t count = pool_batch(p, RUN_NS);
        ck_assert_uint_le(count, 2);
        submit(p, 1, count, RUN_NS * (uint64_t)count);
        expect(p, 1, count, VERDICT_PASS);
    }
    end(p);
}

/* ---- Parcels ---- */

/* Test cases of 1, 2, ... bytes, as the letters say. */
static candidate_set *submit_candidate_set(pool *p, const char *letters) {
    ck_assert(pool_has_room(p));
    candidate_set *given = pool_candidate_set(p);
    uint64_t end = 0;
    ck_assert_uint_eq(given->count, 0);
    ck_assert_uint_eq(given->bytes_max, CANDIDATE_SET_BYTES);
    ck_assert_uint_eq(given->records_max, 2);
    for (; letters[given->count] != '\0'; given->ends[given->count++] = end) {
        memset(given->bytes + end, letters[given->count], given->count + 1);
        end += given->count + 1;
    }
    memset(given->bytes + end, 0, CANDIDATE_SET_BYTES - end); /* all of it is ours */
    pool_submit_candidate_set(p, given, RUN_TRY);
    return given;
}

static void expect_candidate_set(pool *p, const candidate_set *given, uint32_t ran, verdict v) {
    expect(p, 0, ran, v);
    ck_assert_ptr_eq(runs.candidates, given);
    ck_assert_uint_eq(runs.count, given->count);
    for (uint32_t i = 0; i < ran; i++) {
        ck_assert_uint_eq(given->passes[i].drawn, *candidate_set_bytes(given, i));
    }
    ck_assert_uint_eq(given->reported, 1);
    ck_assert_uint_eq(given->records[0].start, ran);
}

TEST_EACH(candidate_sets_come_back_with_what_was_told, 3) {
    static const char *const letters[] = {"a", "abc", "abfc", "fa", "abcdefghijk"};
    pool *p = start(job_counts[_i]);
    const candidate_set *under_way[2 * 8];
    unsigned submitted = 0;
    for (unsigned committed = 0; committed < 200; committed++) {
        for (; submitted < 200 && pool_has_room(p); submitted++) {
            under_way[submitted % 16] = submit_candidate_set(p, letters[submitted % 5]);
        }
        const char *sent = letters[committed % 5];
        const char *fails = strchr(sent, 'f');
        expect_candidate_set(p, under_way[committed % 16],
                             (uint32_t)(fails != NULL ? fails - sent + 1 : (long)strlen(sent)),
                             fails != NULL ? VERDICT_FAIL : VERDICT_PASS);
        if (fails != NULL) pool_cancel(p), submitted = committed + 1;
    }
    ck_assert_uint_eq(memory->spoiled, 0);
    end(p);
}

TEST(a_candidate_set_is_not_reused_while_a_worker_has_it) {
    for (size_t i = 0; i < 3; i++) {
        pool *p = start(job_counts[i]);
        for (int round = 0; round < 10; round++) {
            const candidate_set *other = pool_candidate_set(p);
            const candidate_set *hung = submit_candidate_set(p, "hh");
            ck_assert_ptr_eq(hung, other);
            while (__atomic_load_n(&memory->hanging, __ATOMIC_SEQ_CST) == 0) sleep_ms(1);
            memory->hanging = 0;
            pool_cancel(p);
            while (pool_has_room(p)) {
                const candidate_set *next = submit_candidate_set(p, "x");
                ck_assert_ptr_ne(next, hung);
                pool_cancel(p);
            }
            ck_assert_ptr_ne(pool_candidate_set(p), hung);
            while (!pool_has_room(p)) pool_wait(p, CLOCK_NEVER, &runs, &result);
            const candidate_set *last = submit_candidate_set(p, "xyz");
            while (pool_wait(p, CLOCK_NEVER, &runs, &result) != POOL_RESULT) continue;
            ck_assert_ptr_eq(runs.candidates, last);
            ck_assert_uint_eq(result->ran, 3);
        }
        ck_assert_uint_eq(memory->spoiled, 0);
        end(p);
    }
}

TEST(a_replaced_worker_sees_the_candidate_set) {
    for (size_t i = 0; i < 3; i++) {
        pool *p = start(job_counts[i]);
        const candidate_set *one = submit_candidate_set(p, "aka");
        const candidate_set *two = submit_candidate_set(p, "bc");
        ck_assert_ptr_ne(one, two);
        expect_candidate_set(p, one, 3, VERDICT_PASS);
        expect_candidate_set(p, two, 2, VERDICT_PASS);
        for (int round = 0; round < 20; round++) { /* none was lost with the worker */
            expect_candidate_set(p, submit_candidate_set(p, "ab"), 2, VERDICT_PASS);
        }
        end(p);
    }
}

/* What is skipped comes in its turn, as cancelled; the others as ever. */
TEST(a_skipped_candidate_set_comes_at_once) {
    for (size_t i = 0; i < 3; i++) {
        pool *p = start(job_counts[i]);
        for (int round = 0; round < 10; round++) {
            const candidate_set *before = submit_candidate_set(p, "ab");
            const candidate_set *hung = submit_candidate_set(p, "ah");
            while (__atomic_load_n(&memory->hanging, __ATOMIC_SEQ_CST) == 0) sleep_ms(1);
            __atomic_store_n(&memory->hanging, 0, __ATOMIC_SEQ_CST);
            const int64_t start_ns = clock_now_ns();
            pool_skip(p, hung);
            expect_candidate_set(p, before, 2, VERDICT_PASS);
            ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
            ck_assert_ptr_eq(runs.candidates, hung);
            ck_assert(result->cancelled);
            ck_assert_uint_eq(result->ran, 1);
            ck_assert_int_lt(clock_now_ns() - start_ns, 5 * CLOCK_NS_PER_S);
            expect_candidate_set(p, submit_candidate_set(p, "xyz"), 3, VERDICT_PASS);
        }
        ck_assert_uint_eq(memory->spoiled, 0);
        end(p);
    }
}

/* One that waits behind another is not even begun. */
TEST(a_candidate_set_that_waits_is_skipped) {
    for (int which = 1; which < 4; which++) { /* a bit for each that is */
        pool *p = start(1);
        const candidate_set *first = submit_candidate_set(p, "h");
        const candidate_set *second = submit_candidate_set(p, "bh");
        while (__atomic_load_n(&memory->hanging, __ATOMIC_SEQ_CST) == 0) sleep_ms(1);
        if (which & 2) pool_skip(p, second);
        if (which & 1) pool_skip(p, first);
        if (which == 2) pool_skip(p, first); /* in the end, for this is over only then */
        ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
        ck_assert_ptr_eq(runs.candidates, first);
        ck_assert(result->cancelled);
        if (which == 1) pool_skip(p, second);
        ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
        ck_assert_ptr_eq(runs.candidates, second);
        ck_assert(result->cancelled);
        if (which & 2) ck_assert_uint_eq(result->ran, 0);
        expect_candidate_set(p, submit_candidate_set(p, "abc"), 3, VERDICT_PASS);
        end(p);
    }
}

/* A worker that dies takes its orders to skip with it; the next one does not begin them. */
TEST(a_skipped_candidate_set_stays_so_when_its_worker_dies) {
    pool *p = start(1);
    char path[64], text[64] = {0};
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    const candidate_set *first = submit_candidate_set(p, "h");
    const candidate_set *second = submit_candidate_set(p, "ah");
    while (__atomic_load_n(&memory->hanging, __ATOMIC_SEQ_CST) == 0) sleep_ms(1);
    pool_skip(p, second);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, text, sizeof text - 1) > 0) {
        kill((pid_t)strtol(text, NULL, 10), SIGKILL);
        const int64_t soon_ns = clock_now_ns() + CLOCK_NS_PER_S;
        ck_assert_int_eq(pool_wait(p, soon_ns, &runs, &result), POOL_IDLE);
    }
    if (fd >= 0) close(fd);
    pool_skip(p, first);
    ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
    ck_assert_ptr_eq(runs.candidates, first);
    ck_assert_int_eq(pool_wait(p, CLOCK_NEVER, &runs, &result), POOL_RESULT);
    ck_assert_ptr_eq(runs.candidates, second);
    ck_assert(result->cancelled);
    ck_assert_uint_eq(result->ran, 0);
    expect_candidate_set(p, submit_candidate_set(p, "abc"), 3, VERDICT_PASS);
    end(p);
}

/* Its result is there already, or was taken, or nobody has such a candidate set: nothing happens.
 */
TEST(a_skip_that_comes_too_late_changes_nothing) {
    for (size_t i = 0; i < 3; i++) {
        pool *p = start(job_counts[i]);
        for (int round = 0; round < 10; round++) {
            const candidate_set *first = submit_candidate_set(p, "abc");
            sleep_ms(5);
            pool_skip(p, NULL);
            const bool has_two = pool_has_room(p);
            const candidate_set *second = has_two ? submit_candidate_set(p, "ab") : NULL;
            expect_candidate_set(p, first, 3, VERDICT_PASS);
            pool_skip(p, first);
            if (has_two) expect_candidate_set(p, second, 2, VERDICT_PASS);
            pool_skip(p, second);
            expect_candidate_set(p, submit_candidate_set(p, "x"), 1, VERDICT_PASS);
        }
        end(p);
    }
}

TEST(skipped_work_can_be_cancelled) {
    pool *p = start(2);
    for (int round = 0; round < 10; round++) {
        const candidate_set *hung = submit_candidate_set(p, "h");
        while (__atomic_load_n(&memory->hanging, __ATOMIC_SEQ_CST) == 0) sleep_ms(1);
        __atomic_store_n(&memory->hanging, 0, __ATOMIC_SEQ_CST);
        pool_skip(p, hung);
        pool_skip(p, hung);
        pool_cancel(p);
        while (!pool_has_room(p)) pool_wait(p, CLOCK_NEVER, &runs, &result);
        expect_candidate_set(p, submit_candidate_set(p, "abc"), 3, VERDICT_PASS);
    }
    end(p);
}

TEST(no_pool_at_all) { pool_destroy(NULL); }
