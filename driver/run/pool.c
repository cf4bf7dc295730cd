#include "pool.h"

#include "clock.h"
#include "feature_map.h"
#include "orphans.h"
#include "pace.h"
#include "pool_worker.h"
#include "proc.h"
#include "shared_slots.h"
#include "tally.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEATHS_MAX = 16, /* limit on the deaths in one worker's place without an answer */
    KILLS_MAX = 3,   /* kills of stuck workers before the pool may give up */
    CHECK_MS = 100,  /* time between two checks of the workers */
    KILL_MS = 100    /* time for a killed stuck worker to die, alone */
};

typedef enum slot_state {
    SLOT_RUNNING, /* its worker has not answered */
    SLOT_SKIPPED, /* nor has it answered that the batch is skipped */
    SLOT_DONE     /* the result waits for its turn */
} slot_state;

/* A batch in flight. The slots of a pool form a ring, the oldest first. */
typedef struct slot {
    worker_order order;
    unsigned worker; /* the worker that has the batch */
    slot_state state;
    run_result result; /* valid if SLOT_DONE */
} slot;

/* What the runs of a batch report. */
typedef struct batch_report {
    tally tally;
    feature_list features;
} batch_report;

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
    /* In shared memory: one for each batch that can be in flight or wait for its turn, and one for
     * each that was cancelled and not yet released. */
    shared_slots candidate_sets; /* none unless config.candidate_set_bytes */
    shared_slots reports;        /* batch_report; none unless config.counts */
    rejected_table *rejected;    /* shared; NULL unless config.candidate_set_bytes */
    feature_map *known;          /* shared; NULL unless config.counts */
};

static slot *slot_at(const pool *p, size_t i) { return &p->slots[(p->oldest + i) % p->capacity]; }

/* ---- Memory that workers share ---- */

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

/* Map the candidate sets. Returns 0 or an errno. */
static int create_candidate_sets(pool *p) {
    const size_t page = 4096, head = round_up(sizeof(candidate_set), sizeof(uint64_t));
    const size_t records = p->config.candidate_set_records * sizeof(frng_trace_record);
    if (p->config.candidate_set_bytes == 0) return 0;
    p->rejected = shared_memory(sizeof *p->rejected);
    if (p->rejected == NULL) return errno;
    const int error =
        shared_slots_init(&p->candidate_sets, 2 * p->capacity,
                          round_up(head + records + p->config.candidate_set_bytes, page));
    for (size_t i = 0; i < p->candidate_sets.count; i++) {
        candidate_set *one = shared_slots_at(&p->candidate_sets, i);
        one->rejected = p->rejected;
        one->records = (void *)((uint8_t *)one + head);
        one->records_max = p->config.candidate_set_records;
        one->bytes = (uint8_t *)one + head + records;
        one->bytes_max = p->config.candidate_set_bytes;
    }
    return error;
}

/* Free the shared memory of an order that is done or cancelled. */
static void free_memory_of(pool *p, uint64_t number) {
    shared_slots_free(&p->reports, number);
    shared_slots_free(&p->candidate_sets, number);
}

/* Return the number of the first order that is in flight, or whose result waits for its turn. Those
 * before it are done or cancelled. */
static uint64_t first_wanted(const pool *p) {
    return p->count > 0 ? slot_at(p, 0)->order.number : p->next_number;
}

/* Free the memory of cancelled orders of worker i, which has died and no longer reads it. */
static void free_memory_of_worker(pool *p, unsigned i) {
    shared_slots_free_before(&p->reports, i, first_wanted(p));
    shared_slots_free_before(&p->candidate_sets, i, first_wanted(p));
}

candidate_set *pool_candidate_set(pool *p) {
    candidate_set *one = shared_slots_first_free(&p->candidate_sets);
    assert(one != NULL);
    candidate_set_clear(one);
    return one;
}

/* ---- Batches in flight ---- */

static void finish(slot *s, const run_result *result) {
    assert(s->state != SLOT_DONE);
    s->state = SLOT_DONE;
    s->result = *result;
}

/* ---- Workers ---- */

static void report_shortage(const pool *p, int error, int64_t waited_ns) {
    if (p->config.on_shortage != NULL) p->config.on_shortage(p->config.context, error, waited_ns);
}

static void report_unkillable(const pool *p, pid_t pid) {
    if (p->config.on_unkillable != NULL) p->config.on_unkillable(p->config.context, pid);
}

/* Start worker i. Returns 0 or an errno. */
static int start_worker(pool *p, unsigned i) {
    const pool_worker_config config = {
        .create = p->config.create,
        .config = p->config.config,
        .containment = p->config.containment,
        .on_shortage = p->config.on_shortage,
        .context = p->config.context,
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
    free_memory_of_worker(p, i);
    if (w->deaths++ >= DEATHS_MAX) return is_broken_by(p, ECHILD);
    const int error = start_worker(p, i);
    if (error != 0) return is_broken_by(p, error);
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->worker != i) continue;
        if (s->state == SLOT_RUNNING) pool_worker_give(w, &s->order);
        if (s->state == SLOT_SKIPPED) finish(s, &(run_result){.cancelled = true});
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
        if (s->order.number != number || s->state != SLOT_RUNNING) continue;
        const uint64_t at = seed - s->order.runs.first_seed;
        const uint32_t count = s->order.runs.count;
        const uint32_t ran = at < count ? (uint32_t)at + 1 : 1;
        finish(s, &(run_result){.ran = ran, .last = outcome_stuck()});
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

/* Map the memory that workers share with the driver. Returns 0 or an errno. */
static int create_memory(pool *p) {
    p->steps = shared_memory(POOL_JOBS_MAX * sizeof *p->steps);
    if (p->steps == NULL) return errno;
    if (!p->config.counts) return create_candidate_sets(p);
    p->known = shared_memory(sizeof *p->known);
    if (p->known == NULL) return errno;
    const int error = shared_slots_init(&p->reports, 2 * p->capacity, sizeof(batch_report));
    return error != 0 ? error : create_candidate_sets(p);
}

static pool *create_workers(pool *p) {
    for (unsigned i = 0; i < p->config.jobs; i++) p->workers[i].fd = -1;
    int error = create_memory(p);
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
        assert(!is_any || p->steps != NULL);
        if (is_any) *stuck = runner_step_input(&p->steps[i]);
    }
    end_workers(p, p->workers, p->config.jobs, 0);
    return is_any;
}

void pool_destroy(pool *p) {
    seed_input stuck;
    if (p == NULL) return;
    pool_stop(p, &stuck);
    shared_slots_finish(&p->candidate_sets);
    shared_slots_finish(&p->reports);
    shared_memory_free(p->rejected, sizeof *p->rejected);
    shared_memory_free(p->known, sizeof *p->known);
    shared_memory_free(p->steps, POOL_JOBS_MAX * sizeof *p->steps);
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
    const candidate_set *set = s->order.runs.candidates;
    if (s->result.cancelled || (set != NULL && set->count == 1)) return false;
    return s->result.last.verdict != VERDICT_PASS;
}

bool pool_has_room(const pool *p) {
    if (p->count == p->capacity) return false;
    for (size_t i = 0; i < p->count; i++) {
        if (slot_at(p, i)->state == SLOT_DONE && makes_void(slot_at(p, i))) return false;
    }
    return p->workers[idlest(p)].busy < WORKER_DEPTH;
}

uint32_t pool_batch(const pool *p, uint64_t size) { return pace_count(&p->pace, size); }

/* Give an order room for what its runs report. */
static void take_report(pool *p, worker_order *order, unsigned worker) {
    batch_report *report = shared_slots_first_free(&p->reports);
    if (report == NULL) return;
    shared_slots_use(&p->reports, report, (slot_user){order->number, worker});
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
    s->state = SLOT_RUNNING;
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

void pool_submit_candidate_set(pool *p, candidate_set *set, run_purpose purpose) {
    assert(set->count > 0 && set->count <= CANDIDATE_SET_COUNT_MAX);
    assert(set->ends[set->count - 1] <= set->bytes_max);
    assert(set->external_pass == NULL || set->count == 1);
    const slot *s = submit(p, (batch){.count = set->count, .candidates = set}, purpose);
    shared_slots_use(&p->candidate_sets, set, (slot_user){s->order.number, s->worker});
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
    if (p->answer.number < first_wanted(p)) free_memory_of(p, p->answer.number);
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->order.number != p->answer.number) continue;
        finish(s, &p->answer.result);
        const run_result *r = &s->result;
        if (s->order.runs.candidates == NULL && !r->cancelled)
            pace_add(&p->pace, s->order.runs.size, r->ran, r->took_ns);
    }
    return true;
}

static const run_result *take_oldest(pool *p, batch *runs) {
    slot *s = slot_at(p, 0);
    *runs = s->order.runs;
    free_memory_of(p, s->order.number); /* valid until the next set is requested */
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
        if (p->count > 0 && slot_at(p, 0)->state == SLOT_DONE) {
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

void pool_skip(pool *p, const candidate_set *set) {
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->order.runs.candidates != set || s->state == SLOT_DONE) continue;
        s->state = SLOT_SKIPPED;
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
        if (s->state == SLOT_DONE) free_memory_of(p, s->order.number);
    }
    p->count = 0;
}
