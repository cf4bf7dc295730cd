/* How a pool works.
 *
 * Each worker is a forked process with a socket. The driver gives it requests (worker.h), at most
 * WORKER_DEPTH at a time, so that it never waits for the driver; it answers each. A batch has a
 * slot from its request to its answer, and until its result was taken: memory that the driver maps
 * before it forks, with all that worker and driver tell each other of the batch. Answers come in
 * any order, results leave in the order of submission, so that the number of workers changes no
 * result. A slot that is cancelled stays in use until its worker has answered, since the worker may
 * be reading or writing it; so there are twice as many slots as batches that wait for a result.
 *
 * A target may kill, stop or trace its worker. A worker that died is replaced and gets its requests
 * again. One that was stopped is continued. One that takes longer for a step than twice the step's
 * limit and POOL_WORKER_SLACK_MS is killed with all its processes: its run is VERDICT_STUCK, and
 * those before it in the batch have passed. The pool gives up if that happens several times in a
 * row.
 *
 * Batches take a worker some milliseconds: runs of one size tend to take alike, so each power of
 * two of the size has its own number of runs, which doubles or halves by the time that the last
 * batch took. */
#include "pool.h"

#include "clock.h"
#include "containment.h"
#include "memory.h"
#include "messages.h"
#include "proc.h"
#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- How many runs a batch should have ---- */

enum { PACE_SIZES = 65 }; /* 0, and the powers of two in 64 bits */

/* What batches of about one size took. Nothing is known if zeroed. */
typedef struct pace_of_size {
    uint32_t count;    /* wanted number of runs; 0: no batch of this size was made */
    int64_t single_ns; /* time of a batch of one run, at most; 0: none yet */
    uint32_t ran;      /* runs of the last batch of several; 0: none yet */
    int64_t took_ns;   /* its time */
} pace_of_size;

/* Empty if zeroed. */
typedef struct pace {
    pace_of_size of[PACE_SIZES];
    uint64_t runs[PACE_SIZES];   /* made so far */
    int64_t took_ns[PACE_SIZES]; /* all of them together */
} pace;

enum {
    BATCH_NS = 10 * 1000 * 1000, /* target duration of a batch */
    BATCH_MAX = 1 << 24
};

/* Return what is known of this size, or else of the next smaller one of which something is. */
static pace_of_size pace_known(const pace *p, uint64_t size) {
    for (uint64_t i = bits(size) + 1; i > 0; i--) {
        if (p->of[i - 1].count > 0) return p->of[i - 1];
    }
    return (pace_of_size){.count = 1};
}

/* Take the time of a batch. Where the machine is loaded, a batch waits for it many times as long as
 * it did once: that is learned from batches of one run, where all have one. A batch of several that
 * waited so once is forgotten by and by, or none would have several again. */
static void measure_pace(pace_of_size *p, uint32_t ran, int64_t took_ns) {
    enum { SHARE = 4 };
    if (p->single_ns == 0) p->single_ns = took_ns;
    if (took_ns < p->single_ns) p->single_ns -= (p->single_ns - took_ns) / 2;
    if (took_ns > p->single_ns && p->count == 1) p->single_ns += (took_ns - p->single_ns) / SHARE;
    if (ran == 1) {
        const bool is_usual = took_ns - p->single_ns < p->single_ns / SHARE;
        if (is_usual && p->took_ns > p->single_ns)
            p->took_ns -= (p->took_ns - p->single_ns) / SHARE;
        return;
    }
    p->ran = ran;
    p->took_ns = took_ns;
}

/* Starting a batch and ending its process may cost as much as thousands of runs, with sanitizers
 * 100 ms. It is what a batch of one run takes, without the share of the run. */
static int64_t overhead_ns(const pace_of_size *p) {
    const int64_t more_ns = p->took_ns - p->single_ns;
    const int64_t run_ns = p->ran > 0 && more_ns > 0 ? more_ns / (p->ran - 1) : 0;
    return run_ns < p->single_ns ? p->single_ns - run_ns : 0;
}

/* Return the time that a batch should take: the overhead should be a small part of it. */
static int64_t batch_goal(const pace_of_size *p) {
    enum { SHARE = 8, GOAL_MAX_NS = 1000 * 1000 * 1000 };
    const int64_t lost_ns = overhead_ns(p);
    if (lost_ns <= BATCH_NS / SHARE) return BATCH_NS;
    return lost_ns < GOAL_MAX_NS / SHARE ? lost_ns * SHARE : GOAL_MAX_NS;
}

/* Take the time of a batch of `ran` runs. A batch that had few runs says nothing, unless it took
 * too long even so. Shorter runs take no longer: their batches need not grow from one run again. */
static void pace_add(pace *p, uint64_t size, uint32_t ran, int64_t took_ns) {
    pace_of_size now = pace_known(p, size);
    const bool is_small = ran < now.count / 2;
    if (ran == 0) return;
    p->runs[bits(size)] += ran;
    p->took_ns[bits(size)] += took_ns;
    if (!is_small) measure_pace(&now, ran, took_ns);
    const bool is_known = now.ran > 0;
    const int64_t goal_ns = batch_goal(&now);
    if (!is_small && (took_ns < goal_ns / 2 || !is_known) && now.count < BATCH_MAX) now.count *= 2;
    if (took_ns > goal_ns * 2 && is_known && now.count > 1) now.count /= 2;
    p->of[bits(size)] = now;
    for (uint64_t i = bits(size); i > 0 && p->of[i - 1].count < now.count; i--) p->of[i - 1] = now;
}

/* Return what a run of `size` bytes takes: the mean of those made so far, or else of the next
 * smaller ones, as if one of 64 bytes or more took as long as it has bytes. 0: nothing is known. */
static int64_t pace_run_ns(const pace *p, uint64_t size) {
    enum { SMALL_BITS = 7 };
    uint64_t i = bits(size);
    const uint64_t wanted = larger(i, SMALL_BITS);
    while (i > 0 && p->runs[i] == 0) i--;
    if (p->runs[i] == 0) return 0;
    const int64_t mean_ns = p->took_ns[i] / (int64_t)p->runs[i];
    const uint64_t doublings = wanted - larger(i, SMALL_BITS);
    return mean_ns <= INT64_MAX >> doublings ? mean_ns << doublings : INT64_MAX;
}

/* ---- The pool ---- */

/* The time that a worker may take for a step beyond twice the step's limit; then its pool kills it.
 * Even a busy machine lets the worker run much sooner. */
enum { POOL_WORKER_SLACK_MS = 3000 };

enum {
    DEATHS_MAX = 16, /* limit on the deaths in one worker's place without an answer */
    KILLS_MAX = 3,   /* kills of stuck workers without an answer before the pool gives up */
    CHECK_MS = 50,   /* time between two checks of the workers */
    KILL_MS = 100    /* time for a killed stuck worker to die, alone */
};

typedef struct pool_worker {
    pid_t pid;            /* 0: there is no process */
    int fd;               /* the driver's end of their socket; -1: closed */
    runner_step *step;    /* its progress, in shared memory; borrowed */
    uint32_t busy;        /* unanswered requests, including cancelled ones */
    unsigned deaths;      /* of workers in this place since the last answer */
    uint64_t step_number; /* number of the step last seen */
    int64_t since_ns;     /* time when that step was first seen */
} pool_worker;

/* Memory that the pool shares with its workers. What is never touched costs nothing. */
typedef struct shared_memory {
    runner_step steps[POOL_JOBS_MAX];
    rejected_table rejected;
    known_failures known;
    slot slots[]; /* then come the records and the bytes of their candidate sets */
} shared_memory;

struct pool {
    pool_config config;
    int error;                    /* errno of the error that broke the pool; 0: none */
    uint64_t oldest, next_number; /* the batches in flight; from 1 */
    size_t capacity;              /* most of them */
    slot *slots, *slots_end;      /* twice as many: those of `shared` */
    bool knows_none;              /* runs that fail as known end their batches, too */
    slot *taken;                  /* that of the result which pool_wait returned last */
    pace pace;                    /* of batches of seeds */
    pool_worker workers[POOL_JOBS_MAX];
    int64_t check_ns; /* time of the next check of the workers */
    unsigned kills;   /* stuck workers killed since a worker answered */
    shared_memory *shared;
    void *shared_config; /* a copy of the config that may change */
    size_t shared_size;  /* bytes */
};

/* ---- Slots and their memory ---- */

/* Return the slot of a batch by its number; 0: a free one. NULL if there is none. */
static slot *find_slot(const pool *p, uint64_t number) {
    for (slot *s = p->slots; s < p->slots_end; s++) {
        if (s->number == number) return s;
    }
    return NULL;
}

/* True if the batch is not cancelled. */
static bool is_in_flight(const pool *p, const slot *s) { return s->number >= p->oldest; }

/* Map the memory. Returns 0 or an errno. */
static int create_memory(pool *p) {
    const size_t count = 2 * p->capacity;
    const uint64_t records = p->config.candidate_set_records;
    const uint64_t bytes = (p->config.candidate_set_bytes + 7) / 8 * 8;
    const uint64_t log = p->config.candidate_set_log;
    const size_t guide = log > 0 ? sizeof(frng_guide_table) + log * sizeof(frng_guide_record) : 0;
    const size_t room = records * sizeof(frng_trace_record) + bytes + guide;
    p->shared_size = sizeof *p->shared + count * (sizeof(slot) + room) + p->config.config_size;
    void *memory = mmap(NULL, p->shared_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    p->shared = memory;
    p->shared_config = (uint8_t *)memory + p->shared_size - p->config.config_size;
    p->slots = p->shared->slots;
    p->slots_end = p->slots + count;
    uint8_t *rest = (uint8_t *)p->slots_end;
    for (slot *s = p->slots; s < p->slots_end && bytes > 0; s++, rest += room) {
        s->set.rejected = &p->shared->rejected;
        s->set.records = (void *)rest;
        s->set.records_max = records;
        s->set.bytes = rest + records * sizeof(frng_trace_record);
        s->set.bytes_max = p->config.candidate_set_bytes;
        s->set.log = (void *)(s->set.bytes + bytes);
        s->set.log_max = log;
        s->set.known = (void *)(s->set.log + log);
    }
    return 0;
}

candidate_set *pool_candidate_set(pool *p) {
    candidate_set *set = &find_slot(p, 0)->set;
    assert(set->bytes != NULL);
    set->count = 0;
    set->reported = set->record_count = 0;
    set->external_pass = NULL;
    set->first_run = 0;
    set->is_guided = set->is_cold = set->is_told = set->goes_on = false;
    set->log_count = 0;
    set->form = CANDIDATE_BYTES;
    set->can_choose = false;
    set->chosen_max = 0;
    set->chosen_size = OUTCOME_DRAWN_UNKNOWN;
    set->has_run_out = false;
    return set;
}

/* Finish a batch that has no answer. */
static void finish_batch(slot *s, uint32_t ran, outcome last, bool cancelled) {
    assert(!s->is_done);
    s->is_done = true;
    memset(&s->result, 0, sizeof s->result); /* too large for small stacks */
    s->result.ran = ran;
    s->result.last = last;
    s->result.cancelled = cancelled;
}

/* ---- Requests ---- */

/* Send a request. Never waits: if the worker does not read, its socket is shut down, and it ends.
 * Sending to a dead worker fails; its pool detects the death, and starts another worker. If a
 * request cannot reach a living worker, it would never be answered, so the socket is shut down. */
static void send_request(const pool_worker *w, worker_verb verb, slot *s) {
    const worker_request request = {verb, s};
    const int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
    if (UNINTERRUPTED(send(w->fd, &request, sizeof request, flags)) < 0) shutdown(w->fd, SHUT_RDWR);
}

/* Send a request that the worker will answer. A request that was not sent counts as well, so that a
 * later worker never gets more requests than it can queue. */
static void give(pool_worker *w, slot *s) {
    if (w->busy == 0) w->since_ns = clock_now_ns();
    send_request(w, WORKER_RUN, s);
    w->busy++;
}

/* Have the worker of a batch that is running give it up; it answers all the same. */
static void give_up_batch(const pool *p, slot *s) {
    s->is_void = true;
    send_request(&p->workers[s->worker], WORKER_LOOK, s);
}

/* ---- The start and end of a worker ---- */

static void report_unkillable(const pool *p, pid_t pid) {
    if (p->config.on_unkillable != NULL) p->config.on_unkillable(p->config.context, pid);
}

/* Fork a contained process, and wait (clock.h) while the system is short of processes or memory. */
static pid_t fork_patiently(const pool *p) {
    backoff waits = {0};
    pid_t pid;
    int error;
    do {
        pid = containment_fork(p->config.containment);
        error = errno;
    } while (pid < 0 && backoff_helps(error) && backoff_wait(&waits));
    errno = error;
    return pid;
}

/* Close all inherited files of the driver in the worker, but for /proc: a run that may open
 * /proc/PID/fd of its worker could write to them. */
static void keep_socket(int socket_fd) {
    const int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd >= 0) {
        dup2(null_fd, STDIN_FILENO);
        dup2(null_fd, STDOUT_FILENO);
    }
    proc_keep_descriptor(socket_fd);
}

/* Start worker i. Of the driver's descriptors it keeps only its end of the socket and standard
 * error. Returns 0 or an errno. */
static int start_worker(pool *p, unsigned i) {
    const pool_config *config = &p->config;
    pool_worker *w = &p->workers[i];
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    const pid_t driver = getpid(), pid = fork_patiently(p);
    if (pid == 0) {
        keep_socket(ends[1]);
        worker_main(ends[1],
                    &(worker_setup){config->first_job + i, config->first_job + config->jobs, driver,
                                    w->step, config->create,
                                    config->config_size > 0 ? p->shared_config : config->config,
                                    config->work});
    }
    const int error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return error;
    }
    orphans_spare(pid);
    w->pid = pid;
    w->fd = ends[0];
    w->busy = 0;
    w->step_number = w->step->number;
    w->since_ns = clock_now_ns();
    return 0;
}

/* Order the worker to end, which takes no time once it has killed its runs. */
static void hang_up(pool_worker *w) {
    if (w->fd < 0) return;
    send_request(w, WORKER_END, NULL);
    close(w->fd);
    w->fd = -1;
}

static bool is_reaped(pool_worker *w) {
    const pid_t reaped = waitpid(w->pid, NULL, WNOHANG);
    if (reaped != w->pid && (reaped >= 0 || errno == EINTR)) return false;
    orphans_unspare(w->pid);
    w->pid = 0;
    return true;
}

/* Reap those of `count` workers that end within `limit_ms`. True if all are reaped. */
static bool reap(pool_worker *workers, unsigned count, int limit_ms) {
    enum { PAUSE_MIN_US = 50, PAUSE_MAX_US = 2000 };
    const int64_t end_ns = clock_after(clock_now_ns(), limit_ms * CLOCK_NS_PER_MS);
    for (long us = PAUSE_MIN_US;; us = us < PAUSE_MAX_US ? 2 * us : us) {
        unsigned left = 0;
        for (unsigned i = 0; i < count; i++) {
            if (workers[i].pid == 0 || is_reaped(&workers[i])) continue;
            proc_wake(workers[i].pid); /* its run may have stopped it */
            left++;
        }
        if (left == 0 || clock_now_ns() >= end_ns) return left == 0;
        nanosleep(&(struct timespec){0, us * 1000}, NULL);
    }
}

/* Reap workers whose socket is closed, and kill those left after `limit_ms`, with all processes
 * that dead workers have left, which are now children of this process (proc.h). */
static void end_workers(const pool *p, pool_worker *workers, unsigned count, int limit_ms) {
    int status;
    reap(workers, count, limit_ms);
    for (unsigned i = 0; i < count; i++) {
        if (workers[i].pid != 0) kill(workers[i].pid, SIGKILL);
    }
    for (unsigned i = 0; i < count; i++) {
        proc left = {.pid = workers[i].pid, .pidfd = -1};
        if (left.pid != 0 && proc_reap(&left, false, &status) == 0) orphans_unspare(left.pid);
        workers[i].pid = 0;
    }
    orphans_sweep();
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
 * broke the pool. The batch in which an assertion of ours failed would fail it again. */
static bool restart_worker(pool *p, unsigned i) {
    pool_worker *w = &p->workers[i];
    assert(w->pid == 0 && w->fd < 0);
    if (bug_was_found()) return is_broken_by(p, ENOTRECOVERABLE);
    if (w->deaths++ >= DEATHS_MAX) return is_broken_by(p, ECHILD);
    const int error = start_worker(p, i);
    if (error != 0) return is_broken_by(p, error);
    for (slot *s = p->slots; s < p->slots_end; s++) {
        if (s->worker != i) continue;
        if (!is_in_flight(p, s))
            s->number = 0;
        else if (!s->is_done && s->is_void)
            finish_batch(s, 0, outcome_of_status(0), true);
        else if (!s->is_done)
            give(w, s);
    }
    return true;
}

/* ---- Workers that are stuck ---- */

/* True if the worker exceeds the limit of its present step by far. Call it regularly: the time of a
 * step counts from the call that first saw it. */
static bool is_stuck(pool_worker *w, int64_t now_ns) {
    const uint64_t number = w->step->number;
    if (w->busy == 0 || w->fd < 0) return false;
    if (number != w->step_number) {
        w->step_number = number;
        w->since_ns = now_ns;
        return false;
    }
    const int64_t allowed_ns = w->step->allowed_ns;
    const int64_t twice_ns = clock_after(allowed_ns, allowed_ns);
    struct pollfd answer = {w->fd, POLLIN, 0};
    if (now_ns <
        clock_after(w->since_ns, clock_after(twice_ns, POOL_WORKER_SLACK_MS * CLOCK_NS_PER_MS)))
        return false;
    return poll(&answer, 1, 0) == 0; /* otherwise the driver is late, not the worker */
}

/* Report the run that worker i had in progress when it was killed as stuck; those before it in its
 * batch have passed. */
static void set_aside(pool *p, unsigned i) {
    slot *s = find_slot(p, p->shared->steps[i].batch);
    if (s == NULL || !is_in_flight(p, s) || s->is_done || s->is_void) return;
    const uint64_t at = p->shared->steps[i].seed - s->batch.first_seed;
    const uint32_t ran = at < s->batch.count ? (uint32_t)at + 1 : 1;
    finish_batch(s, ran, outcome_stuck(), false);
}

/* Kill worker i, which is stuck, and replace it, unless several were stuck without an answer
 * between. */
static bool replace_stuck(pool *p, unsigned i) {
    pool_worker *w = &p->workers[i];
    kill(w->pid, SIGKILL);
    hang_up(w);
    end_workers(p, w, 1, KILL_MS);
    set_aside(p, i);
    return ++p->kills >= KILLS_MAX ? is_broken_by(p, ETIME) : restart_worker(p, i);
}

/* Continue workers that a run has stopped, and replace stuck ones. False if that broke the pool. */
static bool check_workers(pool *p) {
    const int64_t now_ns = clock_now_ns();
    if (now_ns < p->check_ns) return true;
    p->check_ns = clock_after(now_ns, CHECK_MS * CLOCK_NS_PER_MS);
    for (unsigned i = 0; i < p->config.jobs; i++) {
        pool_worker *w = &p->workers[i];
        if (w->pid != 0) proc_wake(w->pid);
        if (is_stuck(w, now_ns) && !replace_stuck(p, i)) return false;
    }
    return true;
}

/* ---- Its life ---- */

static seed_input input_of(const pool *p, const runner_step *step) {
    const slot *s = find_slot(p, step->batch);
    const uint64_t seed = step->seed;
    if (s == NULL) return (seed_input){.seed = seed};
    const candidate_set *set = s->batch.candidates;
    seed_input given; /* of a guided run, which has no seed */
    if (set != NULL && set->is_guided && seed < set->count &&
        seed_input_keep(candidate_set_bytes(set, (uint32_t)seed),
                        candidate_set_size(set, (uint32_t)seed), &given))
        return given;
    return (seed_input){s->batch.size, seed, expansion_style(s->batch.mix, seed)};
}

/* Start those of the first workers that are missing. Returns 0 or an errno. */
static int start_workers(pool *p, unsigned count) {
    int error = 0;
    memcpy(p->shared_config, p->config.config, p->config.config_size);
    for (unsigned i = 0; i < count && error == 0; i++)
        if (p->workers[i].pid == 0) error = start_worker(p, i);
    return error;
}

pool *pool_create(const pool_config *config) {
    assert(config->jobs > 0 && config->jobs <= POOL_JOBS_MAX);
    pool *p = memory_zeroed(1, sizeof *p);
    p->config = *config;
    p->oldest = p->next_number = 1;
    p->capacity = config->jobs * WORKER_DEPTH;
    int error = create_memory(p);
    for (unsigned i = 0; i < config->jobs; i++)
        p->workers[i] = (pool_worker){.fd = -1, .step = error == 0 ? &p->shared->steps[i] : NULL};
    orphans_adopt(); /* adopt the orphans of workers that die */
    if (error == 0) error = config->starts_first ? start_workers(p, 1) : pool_go_on(p);
    if (error == 0) return p;
    pool_destroy(p);
    errno = error;
    return NULL;
}

int pool_go_on(pool *p) { return start_workers(p, p->config.jobs); }

pool *pool_create_outside(const pool *p) {
    pool_config config = p->config;
    config.jobs = 1;
    config.first_job = p->config.jobs; /* its folder is its own */
    config.containment = CONTAINMENT_SUBREAPER;
    return pool_create(&config);
}

bool pool_move_outside(pool *p) {
    seed_input stuck;
    pool_cancel(p);
    pool_stop(p, &stuck);
    p->config.containment = CONTAINMENT_SUBREAPER;
    for (slot *s = p->slots; s < p->slots_end; s++) s->number = 0;
    const int error = pool_go_on(p);
    return error == 0 || is_broken_by(p, error);
}

bool pool_stop(pool *p, seed_input *stuck) {
    bool is_any = false;
    for (unsigned i = 0; i < p->config.jobs; i++) hang_up(&p->workers[i]);
    reap(p->workers, p->config.jobs, POOL_SHUTDOWN_MS);
    for (unsigned i = 0; i < p->config.jobs && !is_any; i++) {
        is_any = p->workers[i].pid != 0;
        if (is_any) *stuck = input_of(p, p->workers[i].step);
    }
    end_workers(p, p->workers, p->config.jobs, 0);
    return is_any;
}

void pool_destroy(pool *p) {
    seed_input stuck;
    if (p == NULL) return;
    pool_stop(p, &stuck);
    if (p->shared != NULL) munmap(p->shared, p->shared_size);
    free(p);
}

/* ---- Submitting ---- */

static unsigned idlest(const pool *p) {
    unsigned best = 0;
    for (unsigned i = 1; i < p->config.jobs; i++) {
        if (p->workers[i].busy < p->workers[best].busy) best = i;
    }
    return best;
}

bool pool_has_room(const pool *p) {
    if (p->next_number - p->oldest == p->capacity) return false;
    for (const slot *s = p->slots; s < p->slots_end; s++) {
        if (is_in_flight(p, s) && s->is_done && slot_makes_void(s)) return false;
    }
    return p->workers[idlest(p)].busy < WORKER_DEPTH;
}

uint32_t pool_batch(const pool *p, uint64_t size) { return pace_known(&p->pace, size).count; }

static void start_batch(pool *p, slot *s) {
    s->is_done = false;
    s->is_void = false;
    s->worker = idlest(p);
    give(&p->workers[s->worker], s);
}

void pool_submit(pool *p, const batch *b, run_purpose purpose) {
    slot *s = find_slot(p, 0);
    const bool counts = p->config.counts && !runner_is_shown(purpose) && b->candidates == NULL;
    assert(b->count > 0 && s != NULL && p->next_number - p->oldest < p->capacity);
    s->number = p->next_number++;
    s->purpose = purpose;
    s->batch = *b;
    s->batch.tally = counts ? &s->tally : NULL;
    s->known.failures = &p->shared->known;
    const bool is_search = purpose == RUN_TRY || purpose == RUN_TRY_UNWATCHED;
    const bool knows = is_search && b->may_know && p->shared->known.count > 0;
    s->batch.known = knows && !p->knows_none ? &s->known : NULL;
    start_batch(p, s);
}

void pool_know(pool *p, const known_failure *k) {
    known_failures *all = &p->shared->known;
    for (uint32_t i = 0; i < all->count; i++) {
        if (strcmp(all->list[i].site, k->site) == 0 &&
            signature_equal(all->list[i].signature, k->signature))
            return;
    }
    if (all->count == FRNG_KNOWN_MAX || known_status(k) == 0) return;
    all->list[all->count] = *k;
    all->count++;
}

void pool_know_none(pool *p, bool for_good) {
    pool_cancel(p);
    p->shared->known.count = 0;
    p->knows_none |= for_good;
}

/* A worker has room: no batch was submitted since the result came (pool_has_room). */
void pool_continue(pool *p, uint32_t ran) {
    slot *s = p->taken;
    assert(s->number == 0 && ran < s->batch.count);
    s->number = --p->oldest;
    s->batch = batch_part(&s->batch, ran, s->batch.count - ran);
    start_batch(p, s);
}

void pool_submit_candidate_set(pool *p, candidate_set *set, run_purpose purpose) {
    const batch b = {.count = set->count, .candidates = set, .number = set->first_run};
    assert(set->count <= CANDIDATE_SET_COUNT_MAX && set == &find_slot(p, 0)->set);
    assert(set->ends[set->count - 1] <= set->bytes_max);
    assert(set->external_pass == NULL || set->count == 1);
    pool_submit(p, &b, purpose);
}

/* ---- Results ---- */

/* Read one answer. False if the worker is gone: one that ended before a request was read resets the
 * socket, once. */
static bool receive(int worker_fd, worker_answer *a) {
    ssize_t size;
    while ((size = recv(worker_fd, a, sizeof *a, 0)) < 0 &&
           (errno == EINTR || errno == ECONNRESET)) {
    }
    return size == (ssize_t)sizeof *a;
}

/* Read the waiting answer of worker i. False if that broke the pool. */
static bool read_answer(pool *p, unsigned i) {
    pool_worker *w = &p->workers[i];
    worker_answer answer;
    if (!receive(w->fd, &answer)) { /* a target may kill its parent */
        hang_up(w);
        end_workers(p, w, 1, POOL_SHUTDOWN_MS);
        return restart_worker(p, i);
    }
    if (answer.start_error != 0) return is_broken_by(p, answer.start_error);
    slot *s = answer.slot;
    const run_result *r = &s->result;
    assert(w->busy > 0 && s->number != 0 && !s->is_done);
    w->busy--;
    w->deaths = 0;
    w->since_ns = clock_now_ns();
    p->kills = 0;
    if (r->unkillable != 0) report_unkillable(p, r->unkillable);
    if (!is_in_flight(p, s)) {
        s->number = 0;
        return true;
    }
    s->is_done = true;
    if (s->batch.candidates == NULL && !r->cancelled)
        pace_add(&p->pace, s->batch.size, r->ran, r->took_ns);
    return true;
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
        if (fds[i].revents != 0 && !read_answer(p, i)) return POOL_BROKEN;
    }
    return POOL_RESULT;
}

bool pool_is_idle(const pool *p) {
    for (unsigned i = 0; i < p->config.jobs; i++) {
        if (p->workers[i].busy > 0) return false;
    }
    return p->oldest == p->next_number;
}

pool_event pool_wait(pool *p, int64_t deadline_ns, batch *b, const run_result **result) {
    while (!pool_is_idle(p)) {
        slot *s = find_slot(p, p->oldest);
        if (s != NULL && s->is_done) {
            *b = s->batch;
            *result = &s->result;
            s->number = 0; /* both are valid until the next call */
            p->taken = s;
            p->oldest++;
            return POOL_RESULT;
        }
        const pool_event event = wait_any(p, deadline_ns);
        if (event == POOL_BROKEN) errno = p->error;
        if (event != POOL_RESULT) return event;
        if (s == NULL) break; /* a cancelled batch may have made room */
    }
    return POOL_IDLE;
}

/* True if nothing is to be learned from what the worker does now: a server starts again, or a
 * failure that is known is made once more, perhaps by a program that starts slowly. */
static bool is_repeating(const pool *p, const runner_step *step) {
    const slot *s = find_slot(p, step->batch);
    return step->is_start || (s != NULL && runner_is_shown(s->purpose));
}

/* True if a run that has taken this long may hang. A busy machine makes any run wait a little.
 * Before the first run has ended, a server may never start; then most_ns is INT64_MAX. */
static bool is_slow(const pool *p, const pool_worker *w, uint64_t size, int64_t took_ns,
                    int64_t most_ns) {
    enum { TIMES = 10, TIMES_OF_MOST = 3, LEAST_MS = 250 };
    if (most_ns < INT64_MAX && is_repeating(p, w->step)) return false;
    const int64_t half_ns = w->step->allowed_ns / 2, least_ns = LEAST_MS * CLOCK_NS_PER_MS;
    if (half_ns > 0 && took_ns > half_ns) return true;
    return took_ns > (most_ns < least_ns ? most_ns : least_ns) &&
           took_ns / (took_ns > most_ns ? TIMES_OF_MOST : TIMES) > pace_run_ns(&p->pace, size);
}

int64_t pool_slow_run(const pool *p, int64_t most_ns, seed_input *input) {
    const int64_t now_ns = clock_now_ns();
    int64_t slow_ns = 0;
    for (unsigned i = 0; i < p->config.jobs; i++) {
        const pool_worker *w = &p->workers[i];
        if (w->busy == 0 || w->step->number != w->step_number) continue;
        const int64_t took_ns = now_ns - w->since_ns;
        const seed_input t = input_of(p, w->step);
        if (!is_slow(p, w, t.size, took_ns, most_ns)) continue;
        if (slow_ns > 0 && !seed_input_less(t, *input)) continue;
        slow_ns = took_ns;
        *input = t;
    }
    return slow_ns;
}

void pool_skip(pool *p, const candidate_set *set) {
    for (slot *s = p->slots; s < p->slots_end; s++) {
        if (s->batch.candidates != set || !is_in_flight(p, s)) continue;
        if (!s->is_done && !s->is_void) give_up_batch(p, s);
    }
}

void pool_cancel(pool *p) {
    for (slot *s = p->slots; s < p->slots_end; s++) {
        if (!is_in_flight(p, s)) continue;
        if (!s->is_done && !s->is_void) give_up_batch(p, s);
        if (s->is_done) s->number = 0;
    }
    p->oldest = p->next_number;
}
