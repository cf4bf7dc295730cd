#include "pool.h"

#include "clock.h"
#include "proc.h"
#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TICKET_MAX = POOL_JOBS_MAX * WORKER_DEPTH, /* tickets under way */
    DEATHS_MAX = 16,            /* of workers in one place that have answered nothing */
    BATCH_NS = 10 * 1000 * 1000 /* what a ticket should take */
};

/* A ticket under way. Those of one pool stand in a ring, the oldest first. */
typedef struct slot {
    worker_order order;
    unsigned worker; /* which has it */
    bool skipped;    /* it is not wanted any more */
    bool done;
    run_result result; /* valid when done */
} slot;

typedef struct member {
    pid_t pid;
    int fd;
    uint32_t busy;   /* orders that it has not answered, cancelled ones too */
    unsigned deaths; /* in its place, since one answered: a night may cost any number of workers */
} member;

/* A parcel, and the order that it went out with: 0 when it is free. An order that was cancelled
 * keeps its parcel until the worker has answered, for it may be reading it. */
typedef struct holding {
    parcel *parcel;
    uint64_t number;
    unsigned worker;
} holding;

struct pool {
    pool_config config;
    uint64_t next_number; /* of the ticket to come; from 1 */
    uint32_t batch;       /* runs that a ticket should have */
    size_t oldest, count; /* in the ring */
    slot *slots;          /* `capacity` of them */
    size_t capacity;
    worker_answer answer;
    runner *inline_runner; /* where there are no workers */
    member members[POOL_JOBS_MAX];
    holding *holdings; /* `holding_count` of them, in memory that was mapped before any worker */
    size_t holding_count;
    void *parcel_memory; /* parcel_size bytes for each */
    size_t parcel_size;
};

static slot *slot_at(const pool *p, size_t i) { return &p->slots[(p->oldest + i) % p->capacity]; }

/* ---- Parcels ---- */

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

/* Map room for parcels: one for each ticket that can be under way or wait for its turn, and one for
 * each that was cancelled and not yet given up. What is not used costs no memory. Returns 0 or an
 * errno. */
static int create_parcels(pool *p) {
    const size_t page = 4096, head = round_up(sizeof(parcel), sizeof(uint64_t));
    const size_t records = p->config.parcel_records * sizeof(frng_trace_record);
    if (p->config.parcel_bytes == 0) return 0;
    p->holding_count = 2 * p->capacity;
    p->parcel_size = round_up(head + records + p->config.parcel_bytes, page);
    p->holdings = calloc(p->holding_count, sizeof *p->holdings);
    if (p->holdings == NULL) return ENOMEM;
    void *memory = mmap(NULL, p->holding_count * p->parcel_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    p->parcel_memory = memory;
    for (size_t i = 0; i < p->holding_count; i++) {
        uint8_t *start = (uint8_t *)memory + i * p->parcel_size;
        parcel *one = p->holdings[i].parcel = (void *)start;
        one->records = (void *)(start + head);
        one->records_max = p->config.parcel_records;
        one->bytes = start + head + records;
        one->bytes_max = p->config.parcel_bytes;
    }
    return 0;
}

static void destroy_parcels(pool *p) {
    if (p->parcel_memory != NULL) munmap(p->parcel_memory, p->holding_count * p->parcel_size);
    free(p->holdings);
}

/* The parcel, if any, of an order that nobody needs any more. */
static void free_parcel(pool *p, uint64_t number) {
    for (size_t i = 0; i < p->holding_count; i++) {
        if (p->holdings[i].number == number) p->holdings[i].number = 0;
    }
}

/* Whether an order is under way, or its result waits for its turn. */
static bool is_wanted(const pool *p, uint64_t number) {
    return p->count > 0 && number >= slot_at(p, 0)->order.number;
}

/* Worker i is gone: it reads no parcels of cancelled orders any more. */
static void free_parcels_of(pool *p, unsigned i) {
    for (size_t k = 0; k < p->holding_count; k++) {
        holding *h = &p->holdings[k];
        if (h->worker == i && !is_wanted(p, h->number)) h->number = 0;
    }
}

parcel *pool_parcel(pool *p) {
    size_t i = 0;
    while (i < p->holding_count && p->holdings[i].number != 0) i++;
    assert(i < p->holding_count);
    parcel *empty = p->holdings[i].parcel;
    empty->count = 0;
    empty->told = empty->record_count = 0;
    empty->generator = NULL;
    return empty;
}

/* ---- Workers ---- */

/* What others have taken all of was waited for. */
static void tell_shortage(const pool *p, int error, int64_t waited_ns) {
    if (p->config.shortage != NULL) p->config.shortage(p->config.told, error, waited_ns);
}

/* Fork worker i. Returns 0 or an errno. */
static int start_member(pool *p, unsigned i) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    const pid_t pid =
        containment_fork_patiently(p->config.containment, p->config.shortage, p->config.told);
    if (pid == 0) {
        for (unsigned k = 0; k < p->config.jobs; k++) {
            if (p->members[k].fd >= 0) close(p->members[k].fd);
        }
        close(ends[0]);
        worker_main(ends[1], p->config.create, p->config.config);
    }
    const int error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return error;
    }
    p->members[i] = (member){pid, ends[0], 0, p->members[i].deaths};
    return 0;
}

/* Wait for a worker whose socket is closed: it ends what it runs first, which takes no time. One
 * that does not end is killed. */
static void reap_member(member *m) {
    enum { PATIENCE_MS = 5000, STEP_MS = 1 };
    pid_t reaped = 0;
    for (int waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += STEP_MS) {
        reaped = waitpid(m->pid, NULL, WNOHANG);
        if (reaped != 0) break;
        proc_wake(m->pid); /* what it runs may have stopped it */
        nanosleep(&(struct timespec){0, STEP_MS * CLOCK_NS_PER_MS}, NULL);
    }
    if (reaped == 0) {
        kill(m->pid, SIGKILL);
        waitpid(m->pid, NULL, 0);
    }
    m->pid = 0;
}

static void hang_up(member *m) {
    const worker_order order = {.verb = WORKER_END};
    if (m->fd >= 0) {
        send(m->fd, &order, sizeof order, MSG_NOSIGNAL);
        close(m->fd);
    }
    m->fd = -1;
}

/* To a worker that has died nothing can be sent; pool_wait sees that, and gives it to the next one.
 * One that an order cannot reach for another reason is as good as dead, as it would never answer:
 * it ends when its socket does. */
static void send_order(const member *m, const worker_order *order) {
    ssize_t sent;
    while ((sent = send(m->fd, order, sizeof *order, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    if (sent < 0) shutdown(m->fd, SHUT_RDWR);
}

/* It counts all the same, so that no worker to come gets more orders than it has places for. */
static void give_order(member *m, const worker_order *order) {
    send_order(m, order);
    m->busy++;
}

/* A worker died (a system under test may well kill its parent): start another in its place, and
 * give it the tickets that were lost. */
static bool replace_member(pool *p, unsigned i) {
    hang_up(&p->members[i]);
    reap_member(&p->members[i]);
    free_parcels_of(p, i);
    errno = ECHILD;
    if (p->members[i].deaths++ >= DEATHS_MAX) return false;
    errno = start_member(p, i);
    if (errno != 0) return false;
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->worker != i || s->done) continue;
        if (s->skipped) {
            s->done = true;
            s->result = (run_result){.cancelled = true};
        } else {
            give_order(&p->members[i], &s->order);
        }
    }
    return true;
}

static pool *create_members(pool *p) {
    int error = create_parcels(p);
    if (error == 0 && p->config.jobs == 0) {
        static const runner_watch never = {-1, NULL, NULL, NULL};
        p->inline_runner = p->config.create(p->config.config, &never, &error);
        if (p->inline_runner != NULL) error = 0;
    }
    for (unsigned i = 0; i < p->config.jobs; i++) p->members[i].fd = -1;
    for (unsigned i = 0; i < p->config.jobs && error == 0; i++) error = start_member(p, i);
    if (error == 0) return p;
    pool_destroy(p);
    errno = error;
    return NULL;
}

pool *pool_create(const pool_config *config) {
    assert(config->jobs <= POOL_JOBS_MAX);
    pool *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->config = *config;
    p->next_number = 1;
    p->batch = 1;
    p->capacity = (config->jobs > 0 ? config->jobs : 1) * WORKER_DEPTH;
    p->slots = calloc(p->capacity, sizeof *p->slots);
    if (p->slots != NULL) return create_members(p);
    free(p);
    return NULL;
}

void pool_destroy(pool *p) {
    if (p == NULL) return;
    for (unsigned i = 0; i < p->config.jobs; i++) hang_up(&p->members[i]);
    for (unsigned i = 0; i < p->config.jobs; i++) {
        if (p->members[i].pid > 0) reap_member(&p->members[i]);
    }
    if (p->inline_runner != NULL) p->inline_runner->ops->destroy(p->inline_runner);
    destroy_parcels(p);
    free(p->slots);
    free(p);
}

/* The least busy worker. */
static unsigned idlest(const pool *p) {
    unsigned best = 0;
    for (unsigned i = 1; i < p->config.jobs; i++) {
        if (p->members[i].busy < p->members[best].busy) best = i;
    }
    return best;
}

/* A failure waits for its turn: what would come after it is most likely void. That of a test case
 * which somebody gave alone he will have foreseen. */
static bool makes_void(const slot *s) {
    const parcel *given = s->order.runs.given;
    if (s->result.cancelled || (given != NULL && given->count == 1)) return false;
    return s->result.last.verdict != VERDICT_PASS;
}

bool pool_has_room(const pool *p) {
    if (p->count == p->capacity) return false;
    for (size_t i = 0; i < p->count; i++) {
        if (slot_at(p, i)->done && makes_void(slot_at(p, i))) return false;
    }
    return p->config.jobs == 0 || p->members[idlest(p)].busy < WORKER_DEPTH;
}

uint32_t pool_batch(const pool *p) { return p->batch; }

/* Find how many runs take BATCH_NS: starting a batch may cost as much as thousands of its runs. */
static void adapt_batch(pool *p, const run_result *r) {
    enum { BATCH_MAX = 1 << 24 };
    if (r->cancelled || r->ran < p->batch / 2) return;
    if (r->took_ns < BATCH_NS / 2 && p->batch < BATCH_MAX) p->batch *= 2;
    if (r->took_ns > BATCH_NS * 2 && p->batch > 1) p->batch /= 2;
}

/* Hand out a ticket; returns its place in the ring. */
static const slot *submit(pool *p, ticket runs, run_purpose purpose) {
    assert(p->count < p->capacity);
    slot *s = slot_at(p, p->count);
    s->order = (worker_order){WORKER_RUN, purpose, p->next_number++, runs};
    s->done = s->skipped = false;
    s->worker = 0;
    p->count++;
    if (p->config.jobs == 0) return s;
    s->worker = idlest(p);
    give_order(&p->members[s->worker], &s->order);
    return s;
}

void pool_submit(pool *p, const ticket *runs, run_purpose purpose) {
    submit(p, (ticket){runs->first_seed, runs->count, runs->size, NULL}, purpose);
}

void pool_submit_parcel(pool *p, parcel *given, run_purpose purpose) {
    size_t i = 0;
    while (i < p->holding_count && p->holdings[i].parcel != given) i++;
    assert(i < p->holding_count && p->holdings[i].number == 0);
    assert(given->count > 0 && given->count <= PARCEL_COUNT_MAX);
    assert(given->ends[given->count - 1] <= given->bytes_max);
    assert(given->generator == NULL || given->count == 1);
    const slot *s = submit(p, (ticket){0, given->count, 0, given}, purpose);
    p->holdings[i].number = s->order.number;
    p->holdings[i].worker = s->worker;
}

/* Read the answer that waits at worker i. False when the pool is broken. */
static bool take_answer(pool *p, unsigned i) {
    member *m = &p->members[i];
    if (!worker_receive(m->fd, &p->answer)) return replace_member(p, i);
    errno = p->answer.start_error;
    if (p->answer.start_error != 0) return false;
    m->busy--;
    m->deaths = 0;
    if (p->answer.result.short_of != 0) {
        tell_shortage(p, p->answer.result.short_of, p->answer.result.waited_ns);
    }
    if (!is_wanted(p, p->answer.number)) free_parcel(p, p->answer.number);
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->order.number != p->answer.number) continue;
        s->done = true;
        s->result = p->answer.result;
        adapt_batch(p, &s->result);
    }
    return true;
}

static const run_result *take_oldest(pool *p, ticket *runs) {
    slot *s = slot_at(p, 0);
    *runs = s->order.runs;
    free_parcel(p, s->order.number); /* it is read until the next one is asked for */
    p->oldest = (p->oldest + 1) % p->capacity;
    p->count--;
    return &s->result;
}

static pool_event wait_inline(pool *p, ticket *runs, const run_result **result) {
    if (p->count == 0) return POOL_QUIET;
    slot *s = slot_at(p, 0);
    p->inline_runner->ops->run(p->inline_runner, &s->order.runs, s->order.purpose, &s->result);
    *result = take_oldest(p, runs);
    return POOL_RESULT;
}

/* A system under test may stop its parent, which would then never see its deadline. */
static void wake_stopped(const pool *p) {
    for (unsigned i = 0; i < p->config.jobs; i++) {
        if (p->members[i].pid > 0) proc_wake(p->members[i].pid);
    }
}

/* Wait for any worker, or the interrupt. POOL_RESULT here means that something was taken, or that
 * workers were looked after. */
static pool_event wait_any(pool *p, int64_t deadline_ns) {
    enum { LOOK_MS = 100 };
    struct pollfd fds[POOL_JOBS_MAX + 1];
    const unsigned jobs = p->config.jobs;
    for (unsigned i = 0; i < jobs; i++) fds[i] = (struct pollfd){p->members[i].fd, POLLIN, 0};
    fds[jobs] = (struct pollfd){p->config.interrupt_fd, POLLIN, 0};
    const int left_ms = clock_poll_ms(clock_now_ns(), deadline_ns);
    const bool is_last = left_ms >= 0 && left_ms <= LOOK_MS;
    const int ready = poll(fds, jobs + 1, is_last ? left_ms : LOOK_MS);
    if (ready < 0) return errno == EINTR ? POOL_RESULT : POOL_BROKEN;
    if (ready == 0) {
        wake_stopped(p);
        return is_last ? POOL_QUIET : POOL_RESULT;
    }
    if (fds[jobs].revents != 0) return POOL_INTERRUPTED;
    for (unsigned i = 0; i < jobs; i++) {
        if (fds[i].revents != 0 && !take_answer(p, i)) return POOL_BROKEN;
    }
    return POOL_RESULT;
}

/* No worker has an order left, void ones included. */
static bool is_idle(const pool *p) {
    for (unsigned i = 0; i < p->config.jobs; i++) {
        if (p->members[i].busy > 0) return false;
    }
    return p->count == 0;
}

pool_event pool_wait(pool *p, int64_t deadline_ns, ticket *runs, const run_result **result) {
    if (p->config.jobs == 0) return wait_inline(p, runs, result);
    while (!is_idle(p)) {
        if (p->count > 0 && slot_at(p, 0)->done) {
            *result = take_oldest(p, runs);
            return POOL_RESULT;
        }
        const pool_event event = wait_any(p, deadline_ns);
        if (event != POOL_RESULT) return event;
        if (p->count == 0) break; /* an answer to a void ticket may have made room for another */
    }
    return POOL_QUIET;
}

void pool_skip(pool *p, const parcel *given) {
    for (size_t k = 0; k < p->count; k++) {
        slot *s = slot_at(p, k);
        if (s->order.runs.given != given || s->done || p->config.jobs == 0) continue;
        s->skipped = true;
        const worker_order order = {.verb = WORKER_SKIP, .number = s->order.number};
        send_order(&p->members[s->worker], &order);
    }
}

void pool_cancel(pool *p) {
    const worker_order order = {.verb = WORKER_CANCEL, .number = p->next_number - 1};
    for (unsigned i = 0; i < p->config.jobs; i++) {
        if (p->members[i].busy == 0) continue;
        send_order(&p->members[i], &order);
    }
    for (size_t k = 0; k < p->count; k++) {
        const slot *s = slot_at(p, k);
        if (s->done || p->config.jobs == 0) free_parcel(p, s->order.number);
    }
    p->count = 0;
}
