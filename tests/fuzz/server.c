/* The program's end of the protocol, as frng_main.h has it: offers, headers of the report, orders
 * and given bytes from the input. No order makes a run read beyond what it was given, or write
 * beyond the report; each is answered.
 *
 * Processes are played: a fork returns twice by setjmp, and what the child ends with is what the
 * parent reaps. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD = 1 << 30, FORKS_MAX = 200 };

static jmp_buf fork_point;
static int child_status, forks;

static void end_child(int status) {
    child_status = status << 8;
    longjmp(fork_point, 1);
}

static int fuzz_fork(void) {
    if (++forks <= FORKS_MAX) return 0;
    errno = EAGAIN;
    return -1;
}

static pid_t fuzz_wait(pid_t pid, int *status) {
    if (pid < 0) return forks % 5 == 0 ? 0 : -1; /* a run has left something behind, now and then */
    *status = child_status;
    return CHILD;
}

static int fuzz_close(int fd) { return forks > 0 ? 0 : close(fd); } /* the child's copy */

#define fork() (fuzz_fork() < 0 ? -1 : setjmp(fork_point) == 0 ? 0 : CHILD)
#define waitpid(pid, status, flags) fuzz_wait(pid, status)
#define prctl(...) 0
#define getppid() getpid()
#define exit end_child
#define close(fd) fuzz_close(fd)
#include "frng_main.h"
#undef fork
#undef waitpid
#undef prctl
#undef getppid
#undef exit
#undef close

#include "fuzz.h"

enum { RECORDS = 8, ROWS = 8, LABELS = 4, FILE_SIZE = 16384, ENTROPY_SIZE = 4096 };
enum { RUNS_AT = sizeof(frng_report), TRACE_AT = RUNS_AT + ROWS * 8 };
enum { LABELS_AT = TRACE_AT + RECORDS * sizeof(frng_trace_record) };
enum { CHOSEN_AT = LABELS_AT + sizeof(frng_label_table) + LABELS * sizeof(frng_label_row) };
enum { CHOSEN_MAX = 64, TABLES_END = CHOSEN_AT + CHOSEN_MAX };
enum { KINDS_OF_RUNS = FRNG_STYLED | FRNG_HALF_STYLED | FRNG_CHOSEN };

static int report_fd = -1, entropy_fd = -1;
static uint8_t *report_memory;
static int test_kind;
static uint64_t forged; /* what a run of kind 4 writes over the report */

/* Draws of all kinds, as the bytes say; reads each byte that it is given or writes for a choice. */
static bool test(frng *f) {
    frng__state()->leave = end_child;
    for (unsigned sum = 0;;) {
        const uint8_t *bytes = NULL;
        uint64_t number;
        uint8_t kind;
        FRNG_TRY(frng_u8(f, &kind));
        frng_note(f, "kind");
        const char name[] = {(char)('a' + kind % 7), '\0'};
        frng_label(f, name);
        if (kind % 3 == 0) frng_measure(f, kind % 2 == 0 ? "even" : "odd", kind);
        if (kind % 4 == 0) FRNG_TRY(frng_u64_max(f, kind, &number));
        if (kind % 4 == 1) {
            FRNG_TRY(frng_bytes(f, kind / 16, &bytes));
            for (unsigned i = 0; i < kind / 16u; i++) sum += bytes[i];
        }
        if (kind == 7 && test_kind == 1) return false;
        if (kind == 7 && test_kind == 2) end_child(0);
        if (kind == 7 && test_kind == 3) frng_on_assert("some.c:12");
        if (kind == 7 && test_kind == 4) {
            frng__state()->report->run = forged;
            frng__state()->report->left_batch = forged % 3 % 2;
            end_child(0);
        }
        if (sum > 2000) return true;
    }
}

static void make_files(void) {
    report_fd = memfd_create("report", MFD_CLOEXEC);
    entropy_fd = memfd_create("entropy", MFD_CLOEXEC);
    FUZZ_HOLDS(report_fd >= 0 && ftruncate(report_fd, FILE_SIZE) == 0);
    report_memory = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, report_fd, 0);
    FUZZ_HOLDS(entropy_fd >= 0 && (void *)report_memory != MAP_FAILED);
}

/* A header as the driver writes it, or not quite. */
static void write_header(fuzz_input *in) {
    frng_report head = {.magic = FRNG_REPORT_MAGIC,
                        .size = FILE_SIZE,
                        .trace_offset = TRACE_AT,
                        .trace_count = fuzz_u8(in) % (RECORDS + 1),
                        .runs_offset = RUNS_AT,
                        .runs_count = fuzz_u8(in) % (ROWS + 1),
                        .labels_offset = LABELS_AT,
                        .chosen_offset = CHOSEN_AT,
                        .chosen_size = fuzz_u8(in) % (CHOSEN_MAX + 1)};
    const uint8_t how = fuzz_u8(in);
    if (how == 1) head.magic++;
    if (how == 2) head.size = fuzz_number(in) % FILE_SIZE;
    if (how == 3) head.trace_offset = fuzz_number(in), head.trace_count = fuzz_number(in);
    if (how == 4) head.runs_offset = fuzz_number(in), head.runs_count = fuzz_number(in);
    head.labels_count = how / 8 % (LABELS + 1);
    if (how == 5) head.labels_offset = fuzz_number(in), head.labels_count = fuzz_number(in);
    if (how == 6) head.chosen_offset = fuzz_number(in), head.chosen_size = fuzz_number(in);
    memcpy(report_memory, &head, sizeof head);
    memset(report_memory + sizeof head, 0xa5, FILE_SIZE - sizeof head);
}

static void write_entropy(fuzz_input *in) {
    static uint8_t bytes[ENTROPY_SIZE];
    const size_t count = fuzz_u8(in) % 12u, size = fuzz_u8(in) * 4u;
    for (size_t i = 0; i < count; i++) {
        const uint64_t end = fuzz_number(in);
        memcpy(bytes + 8 * i, &end, sizeof end);
    }
    fuzz_fill(in, bytes + 8 * count, size);
    FUZZ_HOLDS(ftruncate(entropy_fd, 0) == 0);
    FUZZ_HOLDS(pwrite(entropy_fd, bytes, 8 * count + size, 0) == (ssize_t)(8 * count + size));
}

static frng_message next_order(fuzz_input *in) {
    frng_message m = {.type = FRNG_RUN, .count = 1 + fuzz_u8(in) % 9u};
    const uint8_t how = fuzz_u8(in);
    m.flags = how % 8 | (fuzz_u8(in) & KINDS_OF_RUNS);
    m.first_seed = fuzz_number(in);
    m.size = (uint64_t)fuzz_u8(in) * 8;
    if (how >= 128) m.digest_run = fuzz_number(in);
    if (how == 254) m.count = fuzz_number(in);
    if (how == 253) m.size = fuzz_number(in) % 100000; /* memory is no matter here */
    if (how == 252) m.type = fuzz_number(in);
    if (how == 251) m.size = UINT64_MAX - fuzz_u8(in);
    if (m.count > 64) m.count = (m.flags & FRNG_GIVEN) != 0 ? m.count : 64;
    return m;
}

/* The answers to so many orders: HELLO, then one DONE for each. */
static void check_answers(int ours, const frng_message *orders, int count) {
    frng_message m;
    FUZZ_HOLDS(recv(ours, &m, sizeof m, MSG_DONTWAIT) == (ssize_t)sizeof m);
    FUZZ_HOLDS(m.type == FRNG_HELLO && m.version == FRNG_PROTOCOL_VERSION);
    FUZZ_HOLDS(m.drawn_offset + m.drawn_width <= sizeof(frng_report));
    for (int i = 0; i < count; i++) {
        FUZZ_HOLDS(recv(ours, &m, sizeof m, MSG_DONTWAIT) == (ssize_t)sizeof m);
        FUZZ_HOLDS(m.type == FRNG_DONE && m.count <= orders[i].count);
        FUZZ_HOLDS(m.status <= UINT16_MAX);
        FUZZ_HOLDS(orders[i].type == FRNG_RUN || (m.flags & FRNG_NO_PROCESS) != 0);
    }
    FUZZ_HOLDS(recv(ours, &m, sizeof m, MSG_DONTWAIT) <= 0);
}

/* No order takes more processes than it has runs, whatever a run writes over the report. */
static void check_forks(const frng_message *orders, int count) {
    uint64_t most = 0;
    for (int i = 0; i < count; i++)
        most += orders[i].count < FORKS_MAX ? orders[i].count : FORKS_MAX;
    FUZZ_HOLDS((uint64_t)forks <= most);
}

/* Nothing behind the room for records is written. */
static void check_report(const frng_report *head) {
    if (head->trace_offset != TRACE_AT || head->runs_offset != RUNS_AT) return;
    if (head->labels_offset != LABELS_AT || head->chosen_offset != CHOSEN_AT) return;
    for (size_t i = TABLES_END; i < FILE_SIZE; i++) FUZZ_HOLDS(report_memory[i] == 0xa5);
}

void fuzz_server(fuzz_input *in) {
    frng_message orders[3];
    frng_report head;
    int ends[2];
    char offer[64];
    if (report_fd < 0) make_files();
    frng__run_state *state = frng__state();
    write_header(in);
    memcpy(&head, report_memory, sizeof head);
    write_entropy(in);
    test_kind = fuzz_u8(in) % 5;
    forged = test_kind == 4 ? fuzz_number(in) : 0;
    FUZZ_HOLDS(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    snprintf(offer, sizeof offer, "%d,%d,%d,%d", 1, ends[1], dup(report_fd), entropy_fd);
    setenv(FRNG_DRIVER_VARIABLE, offer, 1);
    forks = 0;
    frng__set_hosts();
    const int control = frng__meet_driver();
    FUZZ_HOLDS(control == -1 || control == ends[1]);
    for (int i = 0; i < 3; i++) {
        orders[i] = next_order(in);
        FUZZ_HOLDS(send(ends[0], &orders[i], sizeof orders[i], MSG_DONTWAIT) > 0);
    }
    shutdown(ends[0], SHUT_WR);
    if (control >= 0) {
        FUZZ_HOLDS(frng__serve(test, control) == 0);
        check_answers(ends[0], orders, 3);
        check_forks(orders, 3);
        check_report(&head);
        munmap(state->report, state->report_size);
    }
    free(state->bytes);
    memset(state, 0, sizeof *state);
    close(ends[0]);
    close(ends[1]);
}
