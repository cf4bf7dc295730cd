/* The driver's end of the protocol: a forkserver whose HELLO, answers and report are the input, on
 * a clock that jumps. Nothing that it says makes the runner tell of runs that were not asked for,
 * of more bytes than there are, or of a text that a terminal would obey; and it comes to an end.
 *
 * Processes, time and plain runs are played by this file: its functions take the place of those of
 * base/proc, base/clock and run/spawn, in the other targets too. */
#include "candidate_set.h"
#include "clock.h"
#include "fuzz.h"
#include "pass.h"
#include "proc.h"
#include "server.h"
#include "tally.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SIZE_MAX_OF_RUN = 64, GIVEN_MAX = 512, RECORDS_MAX = 16, PID = 1 << 30 };

static fuzz_input *input;
static int control = -1;    /* the forkserver's end */
static frng_report *report; /* as the forkserver has mapped it */
static size_t report_size;
static int64_t now_ns = 1;
static unsigned starts, plain_runs;

/* ---- The forkserver ---- */

static void hang_up(void) {
    if (control >= 0) close(control);
    if (report != NULL) munmap(report, report_size);
    control = -1;
    report = NULL;
}

static void say(frng_message *m) {
    static uint8_t more[200];
    const uint8_t how = fuzz_u8(input);
    memcpy(more, m, sizeof *m);
    send(control, more, how >= 250 ? how - 60u : sizeof *m, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (how == 249) send(control, m, sizeof *m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void greet(void) {
    const uint8_t how = fuzz_u8(input);
    frng_message m = {.type = FRNG_HELLO,
                      .version = FRNG_PROTOCOL_VERSION,
                      .flags = how,
                      .drawn_offset = offsetof(frng_report, generator) + 8,
                      .drawn_width = 8};
    if (how == 255) fuzz_fill(input, &m, sizeof m);
    if (how == 254) m.drawn_offset = fuzz_number(input), m.drawn_width = fuzz_number(input);
    if (how == 253) return hang_up();
    m.flags &= ~(uint64_t)FRNG_NO_FORK; /* two such servers can live; here, there is but one */
    say(&m);
}

/* Nonsense in the table of labels, if it is wanted. */
static void write_labels(void) {
    if (report->labels_count == 0) return;
    uint8_t *table = (uint8_t *)report + report->labels_offset;
    const size_t size = sizeof(frng_label_table) + report->labels_count * sizeof(frng_label_row);
    FUZZ_HOLDS(report->labels_count == FRNG_LABELS_MAX);
    FUZZ_HOLDS(report->labels_offset + size <= report_size);
    const uint8_t count = fuzz_u8(input) % 32;
    for (uint8_t i = 0; i < count; i++) {
        const uint64_t number = fuzz_number(input);
        const size_t at = (size_t)(fuzz_number(input) % (size / 8)) * 8;
        memcpy(table + (i < 12 ? i * 8u : at), &number, sizeof number);
    }
    fuzz_fill(input, table + sizeof(frng_label_table), 400);
}

static void write_report(const frng_message *order) {
    uint64_t at = 0;
    const uint8_t how = fuzz_u8(input);
    const size_t trace = report->trace_offset, room = RECORDS_MAX * sizeof(frng_trace_record);
    frng_trace_record *records = (frng_trace_record *)(void *)((uint8_t *)report + trace);
    FUZZ_HOLDS(trace % 8 == 0 && trace + room <= report_size && report->magic == FRNG_REPORT_MAGIC);
    if (how & 1) fuzz_fill(input, &report->run, sizeof *report - offsetof(frng_report, run));
    if (how & 2) report->traced = fuzz_number(input);
    if (how & 4) report->run = order->count > 1 ? fuzz_u8(input) % order->count : 0;
    for (int i = 0; i < RECORDS_MAX && (how & 8) != 0; i++) records[i] = fuzz_record(input, &at);
    for (int i = 0; i < 8 && (how & 16) != 0; i++) {
        ((uint64_t *)(void *)(report + 1))[i] = fuzz_number(input);
    }
    if (how & 64) write_labels();
    if (how & 32) fuzz_fill(input, report, sizeof *report); /* the driver's part too */
}

static void answer(const frng_message *order) {
    frng_message m = {.type = FRNG_DONE, .count = order->count};
    const uint8_t how = fuzz_u8(input);
    FUZZ_HOLDS(order->type == FRNG_RUN && order->count >= 1);
    FUZZ_HOLDS(order->size <= GIVEN_MAX + CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t));
    write_report(order);
    switch (how % 8) {
    case 0: break;
    case 1: m.count = fuzz_number(input); break;
    case 2: m.count = fuzz_number(input), m.status = fuzz_number(input); break;
    case 3: m.count = 0, m.status = fuzz_number(input); break;
    case 4: m.flags = fuzz_number(input), m.count = fuzz_number(input); break;
    case 5: fuzz_fill(input, &m, sizeof m); break;
    case 6: hang_up(); return;
    case 7: return; /* it never answers */
    }
    say(&m);
}

/* Reading the clock gives the fork server its turn. */
static void serve(void) {
    frng_message order;
    if (control < 0 || report == NULL) return;
    if (recv(control, &order, sizeof order, MSG_DONTWAIT) != (ssize_t)sizeof order) return;
    answer(&order);
}

/* ---- In the place of base/clock ---- */

int64_t clock_now_ns(void) {
    serve();
    now_ns += CLOCK_NS_PER_MS;
    return now_ns;
}

int clock_poll_ms(int64_t from_ns, int64_t deadline_ns) {
    (void)from_ns;
    (void)deadline_ns;
    return 0;
}

int clock_look_ms(int64_t from_ns, int64_t deadline_ns) {
    return clock_poll_ms(from_ns, deadline_ns);
}

/* Nobody waits for the system: what is asked for has passed. */
int nanosleep(const struct timespec *span, struct timespec *left) {
    (void)left;
    now_ns += span->tv_sec * CLOCK_NS_PER_S + span->tv_nsec;
    return 0;
}

/* ---- In the place of base/proc ---- */

int proc_spawn(const proc_command *command, const proc_setup *setup, proc *child) {
    (void)command;
    starts++;
    FUZZ_HOLDS(setup->inherited_count == 3);
    FUZZ_HOLDS(control < 0);
    const uint8_t how = fuzz_u8(input);
    if (how == 255) return EMFILE;
    control = fcntl(setup->inherited[0], F_DUPFD_CLOEXEC, 0);
    const off_t size = lseek(setup->inherited[1], 0, SEEK_END);
    report_size = (size_t)size;
    report = mmap(NULL, report_size, PROT_READ | PROT_WRITE, MAP_SHARED, setup->inherited[1], 0);
    FUZZ_HOLDS(control >= 0 && (void *)report != MAP_FAILED);
    *child = (proc){.pid = PID, .pidfd = open("/dev/null", O_RDONLY | O_CLOEXEC)};
    greet();
    return 0;
}

int proc_reap(proc *child, bool kill_group, int *status) {
    FUZZ_HOLDS(child->pid == PID && kill_group);
    close(child->pidfd);
    hang_up();
    *status = SIGKILL;
    return 0;
}

bool proc_has_ended(const proc *child) {
    FUZZ_HOLDS(child->pid == PID);
    return false;
}

int proc_look_ms(const proc *child, int64_t now_ns, int64_t deadline_ns) {
    FUZZ_HOLDS(child->pid == PID);
    return clock_look_ms(now_ns, deadline_ns);
}

void proc_kill(const proc *child, bool kill_group) { FUZZ_HOLDS(child->pid == PID && kill_group); }

/* ---- In the place of base/orphans ---- */

static pid_t spared;

void orphans_spare(pid_t child) {
    FUZZ_HOLDS(child == PID && spared == 0);
    spared = child;
}

void orphans_unspare(pid_t child) {
    FUZZ_HOLDS(child == spared);
    spared = 0;
}

void orphans_sweep(void) { FUZZ_HOLDS(spared == 0); }

unsigned orphans_count_children(pid_t pid) {
    FUZZ_HOLDS(pid == PID);
    return 0;
}

/* ---- In the place of run/spawn ---- */

/* A fresh process passes, but for every fourth. */
static outcome plain_once(runner *r, const batch *once, run_purpose purpose, run_result *result) {
    (void)r;
    FUZZ_HOLDS(purpose == RUN_TRY && once->count == 1);
    if (once->candidates != NULL)
        once->candidates->passes[once->first_seed] = CANDIDATE_PASS_UNKNOWN;
    result->cancelled = false;
    result->site[0] = '\0';
    return outcome_of_status(++plain_runs % 4 == 0 ? SIGABRT : 0);
}

static void plain_destroy(runner *r) { (void)r; }

bool runner_spawn_has_states(const runner *r) {
    (void)r;
    return false;
}

void runner_spawn_compare(runner *r, const batch *b, run_result *result) {
    (void)r;
    result->differs = b->candidates == NULL && b->size == 7;
}

int child_spawn(const proc_command *command, const proc_setup *setup, const runner_watch *watch,
                run_result *result, proc *child) {
    (void)watch;
    (void)result;
    return proc_spawn(command, setup, child);
}

runner *runner_spawn_create(const void *config, const runner_watch *watch, int *error_number) {
    static runner plain = {.destroy = plain_destroy, .once = plain_once};
    (void)config;
    (void)watch;
    *error_number = 0;
    return &plain;
}

/* ---- The driver ---- */

static bool never_cancelled(void *context) {
    (void)context;
    return false;
}

static void check_result(const batch *runs, const run_result *result) {
    const size_t length = strnlen(result->site, sizeof result->site);
    FUZZ_HOLDS(result->ran <= runs->count && !result->cancelled);
    FUZZ_HOLDS(result->ran == runs->count || result->last.verdict != VERDICT_PASS);
    FUZZ_HOLDS(result->last.verdict != VERDICT_ERROR);
    FUZZ_HOLDS(result->ran > 0);
    FUZZ_HOLDS(length < sizeof result->site &&
               text_errors((const uint8_t *)result->site, length) == 0);
    if (outcome_failed(&result->last)) outcome_signature(&result->last);
    const uint64_t size = batch_input(runs, result->ran - 1).size;
    FUZZ_HOLDS(result->last.drawn <= size || result->last.drawn == OUTCOME_DRAWN_UNKNOWN);
}

static void check_histogram(const histogram *h, uint64_t runs) {
    FUZZ_HOLDS(h->count <= runs);
    FUZZ_HOLDS(h->count == 0 || h->min <= h->max);
    FUZZ_HOLDS(histogram_quantile(h, 1, 2) <= h->max);
}

/* No more is counted than was run. */
static void check_tally(const tally *t, const batch *runs, const run_result *result) {
    static tally sum;
    FUZZ_HOLDS(t->runs <= result->ran && t->reported + t->failed <= t->runs + 1);
    FUZZ_HOLDS(t->ran_out <= t->reported && t->row_count <= FRNG_LABELS_MAX);
    FUZZ_HOLDS(runs->candidates != NULL || t->used_max <= runs->size);
    check_histogram(&t->drawn, t->runs);
    check_histogram(&t->draws, t->runs);
    for (size_t i = 0; i < t->row_count; i++) {
        const tally_row *row = &t->rows[i];
        FUZZ_HOLDS(strnlen(row->name, sizeof row->name) < sizeof row->name);
        FUZZ_HOLDS(row->runs <= t->runs);
        check_histogram(&row->values, t->runs);
    }
    tally_clear(&sum);
    tally_merge(&sum, t);
    FUZZ_HOLDS(sum.row_count == t->row_count && sum.runs == t->runs);
}

static void check_candidate_set(const candidate_set *p, const run_result *result) {
    for (uint32_t i = 0; i + 1 < result->ran; i++) {
        const uint64_t drawn = p->passes[i].drawn;
        FUZZ_HOLDS(drawn <= candidate_set_size(p, i) || drawn == OUTCOME_DRAWN_UNKNOWN);
    }
    FUZZ_HOLDS(p->record_count <= p->records_max && p->record_count <= p->reported);
}

static batch next_batch(candidate_set *p) {
    const uint8_t how = fuzz_u8(input);
    batch t = {fuzz_number(input), 1 + how % 16u, how % (SIZE_MAX_OF_RUN + 1u), NULL};
    if (how < 128) return t;
    uint64_t end = 0;
    p->count = t.count;
    for (uint32_t i = 0; i < p->count; i++) p->ends[i] = end += fuzz_u8(input) % 16u;
    p->record_count = p->reported = 0;
    return (batch){0, p->count, 0, p};
}

void fuzz_driver(fuzz_input *in) {
    static uint8_t given[GIVEN_MAX];
    static frng_trace_record records[RECORDS_MAX];
    static run_result result;
    static candidate_set p;
    static tally counted;
    static char *words[] = {(char *)(uintptr_t) "sut", NULL};
    const runner_watch watch = {.fd = -1, .cancelled = never_cancelled};
    int error = 0;
    input = in;
    starts = plain_runs = 0;
    const uint8_t how = fuzz_u8(input);
    run_config config = {
        .command = {"/sut", words, words + 1},
        .limits.timeout_ns = 20 * CLOCK_NS_PER_MS,
        .size_max = SIZE_MAX_OF_RUN,
        .candidate_bytes = GIVEN_MAX,
        .records_max = RECORDS_MAX,
        .mode = how & 1 ? MODE_PERSISTENT : MODE_FORK,
        .is_steady = (how & 2) != 0,
        .layout = {offsetof(frng_report, generator) + 8, 8},
    };
    p = (candidate_set){.bytes_max = GIVEN_MAX, .bytes = given, .records_max = RECORDS_MAX};
    p.records = records;
    runner *r = runner_server_create(&config, &watch, &error);
    FUZZ_HOLDS(r != NULL);
    for (int i = 0; i < 4; i++) {
        batch t = next_batch(&p);
        tally_clear(&counted);
        t.tally = t.candidates == NULL ? &counted : NULL;
        r->run(r, &t, RUN_TRY, &result);
        if (t.candidates == NULL) check_tally(&counted, &t, &result);
        check_result(&t, &result);
        if (t.candidates != NULL) check_candidate_set(&p, &result);
    }
    r->destroy(r);
    FUZZ_HOLDS(control < 0);
    FUZZ_HOLDS(starts < 1000);
}
