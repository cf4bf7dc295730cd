#include "pool.h"

#include "batch_reports.h"
#include "clock.h"
#include "orphans.h"
#include "pace.h"
#include "pool_worker.h"
#include "proc.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    DEATHS_MAX = 16, /* limit on the deaths in one worker's place without an answer */
    KILLS_MAX = 3,   /* kills of stuck workers before the pool may give up */
    CHECK_MS = 100,  /* time between two checks of the workers */
    KILL_MS = 100    /* time for a killed stuck worker to die, alone */
};

/* A batch in flight. The slots of a pool form a ring, the oldest first. */
typedef struct slot {
    worker_order order;
    unsigned worker; /* the worker that has the batch */
    bool skipped;    /* the batch was skipped */
    bool done;
    run_result result; /* valid when done */
} slot;

/* A candidate set and the number of its order; 0 if it is free. After a cancellation the candidate
 * set stays in use until the worker has answered, since the worker may be reading it. */
typedef struct holding {
    candidate_set *candidate_set;
    uint64_t number;
    unsigned worker;
} holding;

struct pool {
    pool_config config;
    int error;            /* errno of the error that broke the pool; 0: none */
    uint64_t next_number; /* number of the next batch; from 1 */
    pace pace;            /* of batches of seeds */
    size_t oldest, count; /* first slot in use in the ring, and number in use */
    slot *slots;          /* `capacity` slots */
    size_t capacity;
    worker_answer answer;
    pool_worker workers[POOL_JOBS_MAX];
    runner_step *steps; /* one for each worker, in shared memory */
    int64_t check_ns;   /* time of the next check of the workers */
    int64_t start_ns;
    int64_t stuck_ns;     /* total time in which killed workers had been stuck */
    int64_t stuck_end_ns; /* end of the last such time */
    unsigned kills;       /* number of stuck workers killed */
    unsigned kill_row;    /* number killed since a worker answered */
    holding *holdings;    /* `holding_count` entries; their sets are mapped before workers start */
    size_t holding_count;
    void *candidate_set_memory; /* candidate_set_size bytes for each set */
    size_t candidate_set_size;
    batch_reports reports;
    feature_map *known; /* shared with workers; NULL unless config.counts */
};

static slot *slot_at(const pool *p, size_t i) { return &p->slots[(p->oldest + i) % p->capacity]; }

/* ---- Candidate sets ---- */

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

/* Map the candidate sets: one for each batch that can be in flight or wait for its turn, and one
 * for each that was cancelled and not yet released. Unused ones cost no memory. Returns 0 or an
 * errno. */
static int create_candidate_sets(pool *p) {
    const size_t page = 4096, head = round_up(sizeof(candidate_set), sizeof(uint64_t));
    const size_t records = p->config.candidate_set_records * sizeof(frng_trace_record);
    if (p->config.candidate_set_bytes == 0) return 0;
    p->holding_count = 2 * p->capacity;
    p->candidate_set_size = round_up(head + records + p->config.candidate_set_bytes, page);
    p->holdings = calloc(p->holding_count, sizeof *p->holdings);
    if (p->holdings == NULL) return ENOMEM;
    const size_t size = p->holding_count * p->candidate_set_size + sizeof(rejected_table);
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    p->candidate_set_memory = memory;
    for (size_t i = 0; i < p->holding_count; i++) {
        uint8_t *start = (uint8_t *)memory + i * p->candidate_set_size;
        candidate_set *one = p->holdings[i].candidate_set = (void *)start;
        one->rejected = (void *)((uint8_t *)memory + p->holding_count * p->candidate_set_size);
        one->records = (void *)(start + head);
        one->records_max = p->config.candidate_set_records;
        one->bytes = start + head + records;
        one->bytes_max = p->config.candidate_set_bytes;
    }
    return 0;
}

static void destroy_candidate_sets(pool *p) {
    if (p->candidate_set_memory != NULL)
        munmap(p->candidate_set_memory,
               p->holding_count * p->candidate_set_size + sizeof(rejected_table));
    free(p->holdings);
}

/* Free the candidate set and the tally, if any, of an order that is done or cancelled. */
static void free_candidate_set(pool *p, uint64_t number) {
    batch_reports_free(&p->reports, number);
    for (size_t i = 0; i < p->holding_count; i++) {
        if (p->holdings[i].number == number) p->holdings[i].number = 0;
    }
}

/* True if an order is in flight, or its result waits for its turn. */
static bool is_wanted(const pool *p, uint64_t number) {
    return p->count > 0 && number >= slot_at(p, 0)->order.number;
}

/* Free the candidate sets of cancelled orders of worker i, which has died and no longer reads
 * them. */
static void free_candidate_sets_of(pool *p, unsigned i) {
    for (size_t k = 0; k < p->holding_count; k++) {
        holding *h = &p->holdings[k];
        if (h->worker == i && !is_wanted(p, h->number)) h->number = 0;
    }
    batch_reports_free_before(&p->reports, i,
                              p->count > 0 ? slot_at(p, 0)->order.number : p->next_number);
}

candidate_set *pool_candidate_set(pool *p) {
    size_t i = 0;
    while (i < p->holding_count && p->holdings[i].number != 0) i++;
    assert(i < p->holding_count);
    candidate_set_clear(p->holdings[i].candidate_set);
    return p->holdings[i].candidate_set;
}

/* ---- Workers ---- */

static void report_shortage(const pool *p, int error, int64_t waited_ns) {
    if (p->config.shortage != NULL) p->config.shortage(p->config.told, error, waited_ns);
}

static void report_unkillable(const pool *p, pid_t pid) {
    if (p->config.unkillable != NULL) p->config.unkillable(p->config.told, pid);
}

/* Start worker i. Returns 0 or an errno. */
static int start_worker(pool *p, unsigned i) {
    const pool_worker_config config = {
        .create = p->config.create,
        .config = p->config.config,
        .containment = p->config.containment,
        .shortage = p->config.shortage,
        .told = p->config.told,
    };
    p->workers[i].step = &p->steps[i];
    return pool_worker_start(&p->workers[i], &config);
}

/* Reap workers whose socket is closed, and kill those left after `limit_ms`. */
static void end_workers(const pool *p, pool_worker *workers, unsigned count, int limit_ms) {
    pool_worker_reap(workers, count, limit_ms);
    pool_worker_kill(workers, count);
    const pid_t given_up = orphans_take_given_up();
    if (given_up != 0) report_unkillable(p, given_up);
}

/* Record the error that broke the pool. Returns false. */
static bool is_broken_by(pool *p, int error) {
    assert(error != 0);
    p->error = error;
    return false;
}

/* Start a worker in the place of one that has ended, and resubmit its lost batches. False if that
 * broke the pool. */
static bool restart_worker(pool *p, unsigned i) {
    pool_worker *w = &p->workers[i];
    assert(w->pid == 0 && w->fd < 0);
    free_candidate_sets_of(p, i);
    if (w->deaths++ >= DEATHS_MAX) return is_broken_by(p, ECHILD);
    const int error = start_worker(p, i);
    if (error != 0) return is_broken_by(p, error);
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->worker != i || s->done) continue;
        if (s->skipped) {
            s->done = true;
            s->result = (run_result){.cancelled = true};
        } else {
            pool_worker_give(w, &s->order);
        }
    }
    return true;
}

/* Replace a worker that died: a target may kill its parent. False if that broke the pool. */
static bool replace_worker(pool *p, unsigned i) {
    pool_worker_hang_up(&p->workers[i]);
    end_workers(p, &p->workers[i], 1, POOL_SHUTDOWN_MS);
    return restart_worker(p, i);
}

/* ---- Workers that are stuck ---- */

/* Report the run that worker i had in progress when it was killed as stuck; those before it in its
 * batch have passed. */
static void set_aside(pool *p, unsigned i) {
    const uint64_t number = p->steps[i].order, seed = p->steps[i].seed;
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->order.number != number || s->done || s->skipped) continue;
        const uint64_t at = seed - s->order.runs.first_seed;
        const uint32_t count = s->order.runs.count;
        s->done = true;
        s->result = (run_result){.ran = at < count ? (uint32_t)at + 1 : 1, .last = outcome_stuck()};
    }
}

/* True if workers were stuck several times in a row without an answer between, or for half of the
 * time: the pool should give up. */
static bool is_mostly_stuck(const pool *p, int64_t now_ns) {
    if (p->kill_row >= KILLS_MAX) return true;
    return p->kills >= KILLS_MAX && p->stuck_ns > (now_ns - p->start_ns) / 2;
}

/* Kill worker i, which is stuck, and replace it. */
static bool replace_stuck(pool *p, unsigned i, int64_t now_ns) {
    pool_worker *w = &p->workers[i];
    p->kills++;
    p->kill_row++;
    p->stuck_ns += now_ns - (w->since_ns > p->stuck_end_ns ? w->since_ns : p->stuck_end_ns);
    p->stuck_end_ns = now_ns;
    kill(w->pid, SIGKILL);
    pool_worker_hang_up(w);
    end_workers(p, w, 1, KILL_MS);
    set_aside(p, i);
    return is_mostly_stuck(p, now_ns) ? is_broken_by(p, ETIME) : restart_worker(p, i);
}

/* Continue workers that a run has stopped, and replace stuck ones. False if that broke the pool. */
static bool check_workers(pool *p) {
    const int64_t now_ns = clock_now_ns();
    if (now_ns < p->check_ns) return true;
    p->check_ns = clock_after(now_ns, CHECK_MS * CLOCK_NS_PER_MS);
    for (unsigned i = 0; i < p->config.jobs; i++) {
        pool_worker *w = &p->workers[i];
        if (w->pid != 0) proc_wake(w->pid);
        if (pool_worker_is_stuck(w, now_ns) && !replace_stuck(p, i, now_ns)) return false;
    }
    return true;
}

static int create_reports(pool *p) {
    void *memory =
        mmap(NULL, sizeof *p->known, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    p->known = memory;
    return batch_reports_init(&p->reports, 2 * p->capacity);
}

static int create_steps(pool *p) {
    void *memory = mmap(NULL, POOL_JOBS_MAX * sizeof *p->steps, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    p->steps = memory;
    return 0;
}

static pool *create_workers(pool *p) {
    int error = create_candidate_sets(p);
    if (error == 0 && p->config.counts) error = create_reports(p);
    for (unsigned i = 0; i < p->config.jobs; i++) p->workers[i].fd = -1;
    if (error == 0) error = create_steps(p);
    orphans_adopt(); /* adopt the orphans of workers that die */
    for (unsigned i = 0; i < p->config.jobs && error == 0; i++) error = start_worker(p, i);
    if (error == 0) return p;
    pool_destroy(p);
    errno = error;
    return NULL;
}

pool *pool_create(const pool_config *config) {
    assert(config->jobs > 0 && config->jobs <= POOL_JOBS_MAX);
    pool *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->config = *config;
    p->next_number = 1;
    p->start_ns = clock_now_ns();
    p->capacity = config->jobs * WORKER_DEPTH;
    p->slots = calloc(p->capacity, sizeof *p->slots);
    if (p->slots != NULL) return create_workers(p);
    free(p);
    return NULL;
}

bool pool_stop(pool *p, seed_input *stuck) {
    bool is_any = false;
    for (unsigned i = 0; i < p->config.jobs; i++) pool_worker_hang_up(&p->workers[i]);
    pool_worker_reap(p->workers, p->config.jobs, POOL_SHUTDOWN_MS);
    for (unsigned i = 0; i < p->config.jobs && !is_any; i++) {
        is_any = p->workers[i].pid != 0;
        if (is_any) *stuck = runner_step_input(&p->steps[i]);
    }
    end_workers(p, p->workers, p->config.jobs, 0);
    return is_any;
}

void pool_destroy(pool *p) {
    seed_input stuck;
    if (p == NULL) return;
    pool_stop(p, &stuck);
    if (p->steps != NULL) munmap(p->steps, POOL_JOBS_MAX * sizeof *p->steps);
    destroy_candidate_sets(p);
    batch_reports_finish(&p->reports);
    if (p->known != NULL) munmap(p->known, sizeof *p->known);
    free(p->slots);
    free(p);
}

/* Return the least busy worker. */
static unsigned idlest(const pool *p) {
    unsigned best = 0;
    for (unsigned i = 1; i < p->config.jobs; i++) {
        if (p->workers[i].busy < p->workers[best].busy) best = i;
    }
    return best;
}

/* True for a failure that waits for its turn: later batches will most likely be cancelled. Not for
 * a candidate that is alone in its set, since the engine expects its failure. */
static bool makes_void(const slot *s) {
    const candidate_set *given = s->order.runs.given;
    if (s->result.cancelled || (given != NULL && given->count == 1)) return false;
    return s->result.last.verdict != VERDICT_PASS;
}

bool pool_has_room(const pool *p) {
    if (p->count == p->capacity) return false;
    for (size_t i = 0; i < p->count; i++) {
        if (slot_at(p, i)->done && makes_void(slot_at(p, i))) return false;
    }
    return p->workers[idlest(p)].busy < WORKER_DEPTH;
}

uint32_t pool_batch(const pool *p, uint64_t size) { return pace_count(&p->pace, size); }

/* Give an order room for what its runs report. */
static void take_report(pool *p, worker_order *order, unsigned worker) {
    batch_report *report = batch_reports_take(&p->reports, order->number, worker);
    if (report == NULL) return;
    order->tally = &report->tally;
    if (!order->runs.shows) return;
    order->features = &report->features;
    order->known = p->known;
}

feature_map *pool_known(pool *p) { return p->known; }

/* Submit a batch; returns its slot. */
static const slot *submit(pool *p, batch runs, run_purpose purpose) {
    assert(p->count < p->capacity);
    slot *s = slot_at(p, p->count);
    s->order = (worker_order){WORKER_RUN, purpose, p->next_number++, runs, NULL, NULL, NULL};
    s->done = s->skipped = false;
    s->worker = idlest(p);
    if (!runner_is_shown(purpose)) take_report(p, &s->order, s->worker);
    p->count++;
    pool_worker_give(&p->workers[s->worker], &s->order);
    return s;
}

void pool_submit(pool *p, const batch *runs, run_purpose purpose) {
    assert(runs->count > 0);
    submit(p, *runs, purpose);
}

void pool_submit_candidate_set(pool *p, candidate_set *given, run_purpose purpose) {
    size_t i = 0;
    while (i < p->holding_count && p->holdings[i].candidate_set != given) i++;
    assert(i < p->holding_count && p->holdings[i].number == 0);
    assert(given->count > 0 && given->count <= CANDIDATE_SET_COUNT_MAX);
    assert(given->ends[given->count - 1] <= given->bytes_max);
    assert(given->external_pass == NULL || given->count == 1);
    const slot *s = submit(p, (batch){.count = given->count, .given = given}, purpose);
    p->holdings[i].number = s->order.number;
    p->holdings[i].worker = s->worker;
}

/* Read the waiting answer of worker i. False if that broke the pool. */
static bool take_answer(pool *p, unsigned i) {
    if (!worker_receive(p->workers[i].fd, &p->answer)) return replace_worker(p, i);
    if (p->answer.start_error != 0) return is_broken_by(p, p->answer.start_error);
    pool_worker_answered(&p->workers[i]);
    p->kill_row = 0;
    if (p->answer.result.unkillable != 0) report_unkillable(p, p->answer.result.unkillable);
    if (p->answer.result.short_of != 0) {
        report_shortage(p, p->answer.result.short_of, p->answer.result.waited_ns);
    }
    if (!is_wanted(p, p->answer.number)) free_candidate_set(p, p->answer.number);
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->order.number != p->answer.number) continue;
        s->done = true;
        s->result = p->answer.result;
        const run_result *r = &s->result;
        if (s->order.runs.given == NULL && !r->cancelled)
            pace_add(&p->pace, s->order.runs.size, r->ran, r->took_ns);
    }
    return true;
}

static const run_result *take_oldest(pool *p, batch *runs) {
    slot *s = slot_at(p, 0);
    *runs = s->order.runs;
    free_candidate_set(p, s->order.number); /* valid until the next set is requested */
    p->oldest = (p->oldest + 1) % p->capacity;
    p->count--;
    return &s->result;
}

/* Wait for an answer of any worker, the interrupt, or the next check of the workers. Returns
 * POOL_RESULT if the oldest batch may be done. */
static pool_event wait_any(pool *p, int64_t deadline_ns) {
    struct pollfd fds[POOL_JOBS_MAX + 1];
    const unsigned jobs = p->config.jobs;
    if (!check_workers(p)) return POOL_BROKEN;
    for (unsigned i = 0; i < jobs; i++) fds[i] = (struct pollfd){p->workers[i].fd, POLLIN, 0};
    fds[jobs] = (struct pollfd){p->config.interrupt_fd, POLLIN, 0};
    const int left_ms = clock_poll_ms(clock_now_ns(), deadline_ns);
    const bool is_last = left_ms >= 0 && left_ms <= CHECK_MS;
    const int ready = poll(fds, jobs + 1, is_last ? left_ms : CHECK_MS);
    if (ready < 0 && errno != EINTR) {
        p->error = errno;
        return POOL_BROKEN;
    }
    if (ready == 0 && is_last) return POOL_IDLE;
    if (ready <= 0) return POOL_RESULT;
    if (fds[jobs].revents != 0) return POOL_INTERRUPTED;
    for (unsigned i = 0; i < jobs; i++) {
        if (fds[i].revents != 0 && !take_answer(p, i)) return POOL_BROKEN;
    }
    return POOL_RESULT;
}

/* True if no worker has an order, cancelled ones included. */
static bool is_idle(const pool *p) {
    for (unsigned i = 0; i < p->config.jobs; i++) {
        if (p->workers[i].busy > 0) return false;
    }
    return p->count == 0;
}

pool_event pool_wait(pool *p, int64_t deadline_ns, batch *runs, const run_result **result) {
    while (!is_idle(p)) {
        if (p->count > 0 && slot_at(p, 0)->done) {
            *result = take_oldest(p, runs);
            return POOL_RESULT;
        }
        const pool_event event = wait_any(p, deadline_ns);
        if (event == POOL_BROKEN) errno = p->error;
        if (event != POOL_RESULT) return event;
        if (p->count == 0) break; /* a cancelled batch may have made room */
    }
    return POOL_IDLE;
}

void pool_skip(pool *p, const candidate_set *given) {
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->order.runs.given != given || s->done) continue;
        s->skipped = true;
        const worker_order order = {.verb = WORKER_SKIP, .number = s->order.number};
        pool_worker_send(&p->workers[s->worker], &order);
    }
}

void pool_cancel(pool *p) {
    const worker_order order = {.verb = WORKER_CANCEL, .number = p->next_number - 1};
    for (unsigned i = 0; i < p->config.jobs; i++) {
        if (p->workers[i].busy == 0) continue;
        pool_worker_send(&p->workers[i], &order);
    }
    for (size_t k = 0; k < p->count; k++) {
        const slot *s = slot_at(p, k);
        if (s->done) free_candidate_set(p, s->order.number);
    }
    p->count = 0;
}
