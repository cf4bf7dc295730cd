/* How a report is read.
 *
 * The driver maps the memory and passes its descriptor to the target in FRNG_DRIVER; the target
 * writes its draws, the runs that it has made, traces, labels and sites there (frng_protocol.h says
 * where). A target is any program and may have a bug that writes anywhere, at any time. So each
 * value is read once, then checked against the room that there is, then used; a count too large is
 * cut, a text is copied and ended, and nothing that depends on the report can hang or crash the
 * driver. What is not plausible says nothing: "unknown", never an error. */
#include "report.h"

#include "bytes.h"
#include "candidate_set.h"
#include "crash_site.h"
#include "proc.h"
#include "record_check.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* One part follows the other, so that short runs write one page: a fork pays for each. */
enum {
    RUNS_OFFSET = sizeof(frng_report),
    LABELS_SIZE = sizeof(frng_label_table) + FRNG_LABELS_MAX * sizeof(frng_label_row)
};

/* Return a place in the memory, which the target may write to at any time: copy what it has. */
static uint8_t *at(const report_shm *s, uint64_t offset) {
    return (uint8_t *)(uintptr_t)s->report + offset;
}

int report_shm_init(report_shm *s, uint64_t trace_count, uint64_t chosen_max, uint64_t guide_room) {
    const uint64_t page = 4096;
    const uint64_t guide =
        guide_room > 0 ? sizeof(frng_guide_table) + guide_room * sizeof(frng_guide_record) : 0;
    const uint64_t most = RUNS_OFFSET + (REPORT_SHM_ROWS_MAX + 2) * sizeof(uint64_t) + LABELS_SIZE +
                          trace_count * sizeof(frng_trace_record) + chosen_max;
    s->trace_count = s->asked = trace_count;
    s->chosen_max = chosen_max;
    s->known_offset = (most + page - 1) & ~(page - 1);
    s->guide_offset = (s->known_offset + sizeof(frng_known_table) + page - 1) & ~(page - 1);
    s->guide_room = guide_room;
    s->counts = s->traces = false;
    s->size = (s->guide_offset + guide + page - 1) & ~(page - 1);
    s->fd = memfd_create("report", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (s->fd < 0) return errno;
    void *mapping = MAP_FAILED;
    if (UNINTERRUPTED(ftruncate(s->fd, (off_t)s->size)) == 0 &&
        fcntl(s->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        mapping = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (mapping == MAP_FAILED) {
        const int error = errno;
        close(s->fd);
        return error;
    }
    s->report = mapping;
    report_shm_reset(s, 1);
    return 0;
}

void report_shm_finish(report_shm *s) {
    munmap(at(s, 0), s->size);
    close(s->fd);
}

void report_shm_request_rows(report_shm *s, uint32_t runs) {
    assert(runs <= REPORT_SHM_ROWS_MAX);
    s->rows = runs;
    memset(at(s, RUNS_OFFSET), 0xff, runs * sizeof(uint64_t));
    s->report->runs_offset = RUNS_OFFSET;
    s->report->runs_count = runs;
    s->labels_offset = RUNS_OFFSET + runs * sizeof(uint64_t);
    s->report->trace_offset = s->trace_offset = s->labels_offset + (s->counts ? LABELS_SIZE : 0u);
    if (!s->counts) return;
    memset(at(s, s->labels_offset), 0, sizeof(frng_label_table));
    s->report->labels_offset = s->labels_offset;
    s->report->labels_count = FRNG_LABELS_MAX;
}

void report_shm_reset(report_shm *s, uint32_t runs) {
    /* Fill the generator with ones, as the rows: a count of drawn bytes that no run can reach. */
    memset(at(s, 0), 0, sizeof *s->report);
    memset((void *)(uintptr_t)s->report->generator, 0xff, sizeof s->report->generator);
    s->report->magic = FRNG_REPORT_MAGIC;
    s->report->size = s->size;
    s->report->wants = s->counts ? FRNG_WANTS_DISCARDS : 0;
    s->report->trace_count = runs == 0 ? 0 : s->traces ? s->trace_count : s->asked;
    report_shm_request_rows(s, runs);
}

report_layout report_shm_check_layout(const frng_message *hello) {
    const uint64_t width = hello->drawn_width;
    const bool ok = (width == 4 || width == 8) && hello->drawn_offset % width == 0 &&
                    hello->drawn_offset <= sizeof(frng_report) - width;
    const uint64_t guides = hello->flags & (FRNG_CAN_GUIDE | FRNG_CAN_GUIDE_OLD);
    return (report_layout){.drawn_offset = ok ? hello->drawn_offset : 0,
                           .drawn_width = ok ? width : 0,
                           .forks_none = (hello->flags & FRNG_NO_FORK) != 0,
                           .can_guide = (guides & FRNG_CAN_GUIDE) != 0,
                           .has_others = (hello->flags & FRNG_HAS_OTHERS) != 0,
                           .can_climb = (hello->flags & FRNG_CAN_CLIMB) != 0,
                           .guides_old = guides == FRNG_CAN_GUIDE_OLD};
}

uint64_t report_shm_drawn(const report_shm *s, report_layout layout, uint64_t size) {
    const volatile void *drawn_at = at(s, layout.drawn_offset);
    if (layout.drawn_width == 0) return OUTCOME_DRAWN_UNKNOWN;
    const uint64_t drawn = layout.drawn_width == 8 ? *(const volatile uint64_t *)drawn_at
                                                   : *(const volatile uint32_t *)drawn_at;
    return drawn <= size ? drawn : OUTCOME_DRAWN_UNKNOWN;
}

uint64_t report_shm_run(const report_shm *s, uint64_t max) {
    const uint64_t run = s->report->run;
    return run <= max ? run : max;
}

void report_shm_copy_site(const report_shm *s, char site[SITE_MAX]) {
    uint8_t raw[sizeof s->report->site];
    memcpy(raw, (const void *)(uintptr_t)s->report->site, sizeof raw);
    if (raw[0] == '@') raw[0] = '\0';
    bytes_escape(raw, strnlen((const char *)raw, sizeof raw), false, site, SITE_MAX);
}

void report_shm_copy_crash(const report_shm *s, const char *program, char site[SITE_MAX]) {
    char raw[sizeof s->report->site + 1] = "";
    memcpy(raw, (const void *)(uintptr_t)s->report->site, sizeof s->report->site);
    if (raw[0] == '@') crash_site_name(raw, program, site);
}

frng_trace_record report_shm_record(const report_shm *s, uint64_t i) {
    frng_trace_record record;
    assert(i < s->trace_count);
    memcpy(&record, at(s, s->trace_offset + i * sizeof record), sizeof record);
    const bool is_text = record.kind == FRNG_TRACE_NOTE || record.kind == FRNG_TRACE_STEP;
    if (is_text) record.u.text[sizeof record.u.text - 1] = '\0';
    return record;
}

candidate_pass report_shm_pass(const report_shm *s, uint32_t run, uint64_t size) {
    uint64_t row;
    assert(run < REPORT_SHM_ROWS_MAX);
    memcpy(&row, at(s, RUNS_OFFSET + run * sizeof row), sizeof row);
    const uint64_t drawn = row & ~(FRNG_RUN_RAN_OUT | FRNG_RUN_DISCARDED);
    if (drawn > size) return CANDIDATE_PASS_UNKNOWN;
    return (candidate_pass){.drawn = drawn,
                            .ran_out = (row & FRNG_RUN_RAN_OUT) != 0,
                            .discarded = (row & FRNG_RUN_DISCARDED) != 0};
}

/* Return the records of the last run that found room. They are shared with the target. */
static const frng_trace_record *records_of(const report_shm *s, uint64_t *count) {
    *count = smaller(s->report->traced, s->trace_count);
    return (const void *)at(s, s->trace_offset);
}

draws_seen report_shm_draws(const report_shm *s, uint64_t most) {
    uint64_t count;
    const frng_trace_record *records = records_of(s, &count);
    return records_draws(records, count, most);
}

bool report_shm_draws_others(const report_shm *s, draws_seen than, uint64_t size) {
    uint64_t count;
    const frng_trace_record *records = records_of(s, &count);
    const uint64_t reported = s->report->traced;
    const bool is_silent =
        reported == 0 && report_shm_pass(s, 0, size).drawn == OUTCOME_DRAWN_UNKNOWN;
    return than.count > 0 && !is_silent && records_draw_others(records, count, reported, than);
}

bool report_shm_has_narrowed(const report_shm *s) {
    return (s->report->wants & FRNG_HAS_NARROWED) != 0;
}

void report_shm_request_chosen(report_shm *s, uint64_t size) {
    assert(size <= s->chosen_max);
    s->report->chosen_offset = s->chosen_offset = s->trace_offset;
    s->report->chosen_size = size;
    s->report->trace_offset = s->trace_offset += (size + 7) / 8 * 8;
}

void report_shm_copy_trace(const report_shm *s, candidate_set *p) {
    p->reported = s->report->traced;
    p->record_count = smaller(smaller(p->reported, s->trace_count), p->records_max);
    for (uint64_t i = 0; i < p->record_count; i++) p->records[i] = report_shm_record(s, i);
}

bool report_shm_request_guide(report_shm *s, const batch *b) {
    const candidate_set *set = b->candidates;
    frng_guide_table *table = (void *)at(s, s->guide_offset);
    const uint64_t room = smaller(s->guide_room, set->log_max - set->log_count);
    if (room < FRNG_GUIDE_RUN_MAX) return false;
    memcpy(table, set->known, sizeof *table);
    for (int i = 0; i < FRNG_GUIDE_SITES; i++) table->sites[i].run = UINT32_MAX;
    const uint64_t first = smaller(b->first_seed, FRNG_GUIDE_RUNS);
    memcpy(table->from, &set->known->from[first],
           smaller(b->count, FRNG_GUIDE_RUNS - first) * sizeof table->from[0]);
    table->used = 0;
    s->report->guide_offset = s->guide_offset;
    s->report->guide_size = sizeof *table + room * sizeof(frng_guide_record);
    s->report->wants |= FRNG_WANTS_DISCARDS; /* how high a discarded run came is no news */
    return true;
}

uint64_t report_shm_know(const report_shm *s, const known_runs *to) {
    frng_known_table *table = (void *)at(s, s->known_offset);
    const uint32_t count = to->failures->count;
    table->known = table->used = 0;
    table->room = FRNG_KNOWN_RUNS - to->count;
    for (uint32_t i = 0; i < count && i < FRNG_KNOWN_MAX; i++) {
        const known_failure *k = &to->failures->list[i];
        frng_known_failure row = {.status = (uint64_t)known_status(k), .least = k->least};
        /* A report has no room for a longer site, so no run can match it. */
        if (strlen(k->site) >= sizeof row.site) row.least = UINT64_MAX;
        memcpy(row.site, k->site, strnlen(k->site, sizeof row.site));
        table->failures[i] = row;
        table->known = i + 1;
    }
    return s->known_offset;
}

uint64_t report_shm_known(const report_shm *s) {
    const frng_known_table *table = (const void *)at(s, s->known_offset);
    return *(const volatile uint64_t *)&table->used;
}

bool report_shm_is_counted(const report_shm *s, uint64_t run) {
    const frng_known_table *table = (const void *)at(s, s->known_offset);
    const uint64_t used = smaller(report_shm_known(s), FRNG_KNOWN_RUNS);
    bool is_counted = false;
    for (uint64_t i = 0; i < used && !is_counted; i++) {
        frng_known_run row;
        memcpy(&row, &table->runs[i], sizeof row);
        is_counted = row.run == run;
    }
    return is_counted;
}

/* Count the runs of a part from run `first` up to run `end` that were discarded, by style. */
static void count_discarded(const report_shm *s, const batch *of, uint64_t first, uint64_t end,
                            uint64_t count[2]) {
    for (uint64_t i = first; i < end; i++)
        count[batch_input(of, (uint32_t)i).style] +=
            report_shm_pass(s, (uint32_t)i, of->size).discarded;
}

uint32_t report_shm_copy_known(const report_shm *s, uint32_t before, uint64_t passed,
                               const batch *of) {
    const frng_known_table *table = (const void *)at(s, s->known_offset);
    const uint64_t used = smaller(report_shm_known(s), FRNG_KNOWN_RUNS);
    known_runs *to = of->known;
    const uint32_t first = to->count;
    const tally *seen = of->tally;
    uint64_t next = 0; /* no honest target goes back */
    uint64_t discarded[2] = {seen != NULL ? seen->discarded - seen->discarded_styled : 0,
                             seen != NULL ? seen->discarded_styled : 0};
    for (uint64_t i = 0; i < used && to->count < FRNG_KNOWN_RUNS; i++) {
        frng_known_run row;
        memcpy(&row, &table->runs[i], sizeof row);
        if (row.run < next || row.run >= passed || row.failure >= FRNG_KNOWN_MAX) continue;
        if (row.failure >= to->failures->count || row.drawn > of->size) continue;
        count_discarded(s, of, next, smaller(row.run, s->rows), discarded);
        next = row.run + (uint64_t)1;
        to->list[to->count++] =
            (known_run){row.run + before, row.failure, row.drawn,
                        discarded[SEED_PLAIN] + discarded[SEED_STYLED], discarded[SEED_STYLED]};
    }
    return to->count - first;
}

/* Copy what `count` runs recorded, the first of which is test case `first`. */
static void copy_guide(const report_shm *s, candidate_set *set, uint64_t first, uint64_t count) {
    const frng_guide_table *table = (const void *)at(s, s->guide_offset);
    const uint64_t room = smaller(s->guide_room, set->log_max - set->log_count);
    const uint64_t used = smaller(*(const volatile uint64_t *)&table->used, room);
    const frng_guide_record *records = (const void *)(table + 1);
    for (int i = 0; i < FRNG_GUIDE_SITES; i++) {
        frng_guide_site now = table->sites[i];
        if (now.run >= count) continue;
        now.run += (uint32_t)first;
        set->known->sites[i] = now;
    }
    for (uint64_t i = 0; i < used; i++) {
        frng_guide_record *r = &set->log[set->log_count];
        memcpy(r, &records[i], sizeof *r);
        if (r->run >= count) continue;
        r->run += (uint32_t)first;
        set->log_count++;
    }
}

/* Copy the choices of the last run, and the bytes that it drew for them. */
static void copy_choices(const report_shm *s, report_layout layout, candidate_set *set) {
    const uint64_t size = set->chosen_size = report_shm_drawn(s, layout, set->chosen_max);
    set->has_run_out = s->report->ran_out != 0;
    if (size == OUTCOME_DRAWN_UNKNOWN || size == 0) return;
    memcpy(candidate_set_chosen(set), at(s, s->chosen_offset), (size_t)size);
}

void report_shm_copy_set(const report_shm *s, report_layout layout, const batch *b, run_rows rows,
                         uint64_t count) {
    candidate_set *set = b->candidates;
    if (set == NULL) return;
    if (set->form == CANDIDATE_CHOICES) copy_choices(s, layout, set);
    if (set->is_guided) copy_guide(s, set, b->first_seed, count);
    for (uint32_t i = 0; i < count; i++) {
        const seed_input t = batch_input(b, i);
        const uint32_t row = rows.first + i * rows.step;
        set->passes[t.seed] = report_shm_pass(s, row, t.size);
        set->passes[t.seed].is_counted = rows.step > 1 && report_shm_is_counted(s, row);
    }
    report_shm_copy_trace(s, set);
}

char **report_shm_environment(const report_shm *s, int control, int entropy, char *const *envp) {
    enum { OFFER_MAX = 64 };
    const size_t count = text_count(envp), size = (count + 2) * sizeof *envp;
    char **extended = memory_zeroed(1, size + OFFER_MAX);
    memcpy(extended, envp, count * sizeof *envp);
    extended[count] = (char *)extended + size;
    snprintf(extended[count], OFFER_MAX, FRNG_DRIVER_VARIABLE "=%d,%d,%d,%d", FRNG_PROTOCOL_VERSION,
             control, s->fd, entropy);
    return extended;
}

/* ---- Statistics: the table of labels, whose content is untrusted ---- */

/* Return the input of a run, as far as it drew; 0: that is unknown. */
static seed_input input_of(const report_end *end, uint64_t run, uint64_t drawn) {
    const seed_input t = batch_input(end->of, run);
    return seed_input_cut(t, drawn > 0 ? smaller(t.size, drawn) : t.size);
}

/* Add row `i`. `is_marked`: the last run has it, but has not counted it. */
static void add_row(const report_shm *s, uint64_t i, const report_end *end, bool is_marked,
                    tally *t) {
    frng_label_row row;
    memcpy(&row, at(s, s->labels_offset + sizeof(frng_label_table) + i * sizeof row), sizeof row);
    row.name[sizeof row.name - 1] = '\0';
    const bool is_goal = row.kind == FRNG_ROW_GOAL, is_label = row.kind == FRNG_ROW_LABEL;
    if (!is_label && row.kind != FRNG_ROW_MEASURE && !is_goal) return;
    const tally_kind kind = is_label ? TALLY_LABEL : is_goal ? TALLY_GOAL : TALLY_MEASURE;
    const uint64_t last = is_label ? end->drawn : row.value;
    const bool is_known = !is_label || end->drawn != OUTCOME_DRAWN_UNKNOWN;
    tally_row *ours = tally_row_of(t, kind, row.name);
    if (ours == NULL) return;
    ours->runs += smaller(row.values.count, end->passed) + is_marked;
    histogram_add_untrusted(&ours->values, &row.values, end->passed);
    if (is_marked && is_known) histogram_add(&ours->values, last);
    const uint64_t run = row.values.buckets[FRNG_GOAL_RUN];
    if (is_goal && row.values.count > 0 && run < end->passed)
        tally_climbed(ours, row.values.max,
                      input_of(end, run, row.values.buckets[FRNG_GOAL_DRAWN]));
    if (is_goal && is_marked)
        tally_climbed(ours, row.value, input_of(end, end->passed - !end->has_failed, end->drawn));
}

/* Return the most that a run has used, of those in the table and the last. */
static uint64_t used_of(const frng_label_table *head, const report_end *end) {
    const uint64_t last = end->drawn != OUTCOME_DRAWN_UNKNOWN ? end->drawn : 0;
    if (head->ran_out > 0) return end->size;
    return larger(last, head->drawn.count > 0 ? smaller(head->drawn.max, end->size) : 0);
}

/* Add the rows of runs of a target that keeps no table of labels. Returns how many there are. */
static uint64_t add_passes(const report_shm *s, const report_end *end, tally *t) {
    const uint64_t rows = smaller(s->rows, end->passed);
    uint64_t known = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const candidate_pass pass = report_shm_pass(s, i, end->size);
        if (pass.drawn == OUTCOME_DRAWN_UNKNOWN) continue;
        known++;
        t->ran_out += pass.ran_out;
        t->few[0] += pass.drawn == 0 && !pass.ran_out;
        histogram_add(&t->drawn, pass.drawn);
        t->used_max = larger(t->used_max, pass.ran_out ? end->size : pass.drawn);
    }
    return known;
}

/* Count the runs that were discarded: by their rows, or, where there are none, as `wants` says. */
static void add_discarded(const report_shm *s, const report_end *end, tally *t) {
    const uint64_t wants = s->report->wants, room = FRNG_DISCARDED_STYLED / FRNG_DISCARDED;
    const uint64_t rows = smaller(s->rows, end->passed);
    uint64_t count[2] = {0};
    if (rows > 0) count_discarded(s, end->of, 0, rows, count);
    if (s->rows == 0) count[SEED_PLAIN] = wants / FRNG_DISCARDED % room;
    if (s->rows == 0) count[SEED_STYLED] = wants / FRNG_DISCARDED_STYLED % room;
    const uint64_t styled = smaller(count[SEED_STYLED], end->passed);
    t->discarded_styled += styled;
    t->discarded += styled + smaller(count[SEED_PLAIN], end->passed - styled);
}

void report_tally_add(const report_shm *s, const report_end *end, tally *t) {
    frng_label_table head;
    memcpy(&head, at(s, s->labels_offset), sizeof head);
    const uint64_t marked = s->report->marked;
    const uint64_t used = smaller(head.used, FRNG_LABELS_MAX);
    const bool has_table = head.runs > 0 || head.used > 0;
    const uint64_t reported = has_table ? smaller(head.runs, end->passed) : add_passes(s, end, t);
    /* A failed run has not counted itself, and neither have the runs of some targets. */
    const bool is_last_open = end->has_failed || reported + end->known_count + 1 == end->passed;
    t->runs += end->passed + end->has_failed;
    t->reported += reported;
    t->failed += end->has_failed + end->known_count;
    for (uint32_t i = 0; i < end->known_count; i++) {
        histogram_add(&t->drawn, end->known[i].drawn);
        t->used_max = larger(t->used_max, end->known[i].drawn);
    }
    t->ran_out += smaller(head.ran_out, reported);
    t->lost += head.lost;
    add_discarded(s, end, t);
    t->size_max = larger(t->size_max, end->size);
    t->used_max = larger(t->used_max, used_of(&head, end));
    for (size_t i = 0; i < FRNG_FEW_DRAWS; i++) t->few[i] += smaller(head.few[i], reported);
    histogram_add_untrusted(&t->drawn, &head.drawn, reported);
    histogram_add_untrusted(&t->draws, &head.draws, reported);
    if (is_last_open && end->drawn != OUTCOME_DRAWN_UNKNOWN) histogram_add(&t->drawn, end->drawn);
    for (uint64_t i = 0; i < used; i++)
        add_row(s, i, end, is_last_open && (marked >> i & 1) != 0, t);
}

/* ---- The output of runs that search ---- */

int output_memfd_create(void) {
    struct rlimit most;
    if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur != RLIM_INFINITY) return -1;
    const int fd = memfd_create("output", MFD_CLOEXEC);
    if (fd >= 0) fcntl(fd, F_SETFL, O_APPEND);
    return fd;
}

static void cut(int fd, off_t most, off_t to) {
    if (fd >= 0 && lseek(fd, 0, SEEK_END) > most && ftruncate(fd, to) != 0) return; /* next time */
}

void output_memfd_clear(int fd) { cut(fd, 0, 0); }

void output_memfd_limit(int fd) { cut(fd, 16 << 20, BYTES_TAIL_HEAD); }

bool output_memfd_is_loud(int fd, int64_t took_ns) {
    enum { QUIET_MAX = 64 * 1024, NS_PER_BYTE = 16 };
    const off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    return size > QUIET_MAX && size > took_ns / NS_PER_BYTE;
}

void output_memfd_read(int fd, bytes_tail *output) {
    static uint8_t bytes[BYTES_TAIL_HEAD]; /* stacks may be small */
    const off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    ssize_t count = 0;
    bytes_tail_clear(output);
    for (off_t at = 0; at < size; at += count) {
        if (at >= BYTES_TAIL_HEAD && size - at > BYTES_TAIL_MAX) { /* none of it would stay */
            const off_t next = size - BYTES_TAIL_MAX;
            output->total += (uint64_t)(next - at);
            at = next;
        }
        count = pread(fd, bytes, sizeof bytes, at);
        if (count <= 0) break;
        bytes_tail_add(output, bytes, (size_t)count);
    }
}

/* ---- The input ---- */

/* Handles SIGBUS. A target can open its stdin for writing and truncate it. A straggler of an
 * earlier run may do so while this process writes the next run's bytes; the write then raises
 * SIGBUS. */
static sigjmp_buf truncated;
static volatile sig_atomic_t writing;

static void on_bus_error(int number) {
    if (writing) siglongjmp(truncated, 1);
    signal(number, SIG_DFL);
    raise(number);
}

int input_memfd_open(const input_memfd *e) {
    const struct timespec never[] = {{0, 0}, {0, UTIME_OMIT}};
    if (e->shows_reading) futimens(e->fd, never);
    return openat(e->folder_fd, e->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

reading_state input_memfd_reading(const input_memfd *e, int opened) {
    struct stat status;
    if (!e->shows_reading || fstat(e->fd, &status) != 0) return READING_UNKNOWN;
    const bool is_accessed = status.st_atim.tv_sec != 0 || status.st_atim.tv_nsec != 0;
    return is_accessed || lseek(opened, 0, SEEK_CUR) != 0 ? READING_SEEN : READING_NONE;
}

/* True if this system shows what reads a file, or maps it; not all emulated ones do. */
static bool tells_reading(input_memfd *e, bool by_mapping) {
    uint8_t byte;
    const int fd = input_memfd_open(e);
    const bool is_quiet = fd >= 0 && input_memfd_reading(e, fd) == READING_NONE;
    void *mapping = by_mapping ? mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (mapping != MAP_FAILED) munmap(mapping, 1);
    const bool is_read = by_mapping || pread(fd, &byte, 1, 0) == 0;
    const bool is_seen = is_quiet && is_read && input_memfd_reading(e, fd) == READING_SEEN;
    if (fd >= 0) close(fd);
    return is_seen;
}

int input_memfd_init(input_memfd *e, uint64_t size_max) {
    const struct sigaction action = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};
    e->size_max = size_max;
    e->written = 0;
    e->bytes = NULL;
    e->fd = memfd_create("entropy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (e->fd < 0) return errno;
    void *mapping = mmap(NULL, size_max > 0 ? size_max : 1, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_NORESERVE, e->fd, 0);
    e->folder_fd =
        mapping != MAP_FAILED ? openat(procfs(), "self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (e->folder_fd < 0) {
        const int error = errno;
        if (mapping != MAP_FAILED) munmap(mapping, size_max > 0 ? size_max : 1);
        close(e->fd);
        return error;
    }
    e->bytes = mapping;
    /* The last one, or a run may seal the length for all later runs. */
    fcntl(e->fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
    snprintf(e->name, sizeof e->name, "%d", e->fd);
    e->shows_reading = true;
    e->shows_reading = tells_reading(e, false) && tells_reading(e, true);
    sigaction(SIGBUS, &action, NULL);
    return 0;
}

void input_memfd_finish(input_memfd *e) {
    munmap(e->bytes, e->size_max > 0 ? e->size_max : 1);
    close(e->folder_fd);
    close(e->fd);
}

/* Write input `i` of a batch. Returns its size. */
static uint64_t write_input(const batch *b, uint32_t i, uint8_t *bytes) {
    const candidate_set *set = b->candidates;
    if (set == NULL) {
        const seed_input t = batch_input(b, i);
        seed_input_expand(&t, bytes);
        return t.size;
    }
    const uint32_t at = (uint32_t)b->first_seed + i;
    const uint64_t size = candidate_set_size(set, at);
    if (size > 0) memcpy(bytes, candidate_set_bytes(set, at), size);
    return size;
}

/* Write the inputs of a batch, perhaps behind a table of their ends. A function of its own, so that
 * no value in a register lives across the jump. */
static __attribute__((noinline)) void write_bytes(const input_memfd *e, const batch *b,
                                                  bool has_table) {
    uint64_t end = 0;
    uint8_t *bytes = e->bytes + (has_table ? b->count * sizeof end : 0);
    for (uint32_t i = 0; i < b->count; i++) {
        end += write_input(b, i, bytes + end);
        if (has_table) memcpy(e->bytes + i * sizeof end, &end, sizeof end);
    }
}

static bool write_once(const input_memfd *e, const batch *b, bool has_table) {
    if (sigsetjmp(truncated, 0) != 0) {
        writing = 0;
        return false;
    }
    writing = 1;
    write_bytes(e, b, has_table);
    writing = 0;
    return true;
}

static uint64_t bytes_of(const batch *b) {
    const candidate_set *set = b->candidates;
    if (set == NULL) return b->count * b->size;
    const uint32_t first = (uint32_t)b->first_seed;
    return set->ends[first + b->count - 1] - candidate_set_start(set, first);
}

int input_memfd_write(input_memfd *e, const batch *b, bool has_table, uint64_t *size) {
    enum { TRIES = 100 };
    *size = bytes_of(b) + (has_table ? b->count * sizeof(uint64_t) : 0);
    assert(*size <= e->size_max);
    /* What follows the table of a server tells nothing, and cutting takes longer than a run. */
    if (has_table && *size <= e->written && write_once(e, b, true)) return 0;
    for (int i = 0; i < TRIES; i++) {
        if (ftruncate(e->fd, (off_t)*size) != 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        e->written = *size;
        if (write_once(e, b, has_table)) return 0;
    }
    return EIO;
}

int input_memfd_copy(input_memfd *e, uint64_t size, const uint8_t *bytes) {
    static candidate_set one; /* too large for a small stack */
    one.count = 1;
    one.ends[0] = size;
    one.bytes = (uint8_t *)(uintptr_t)bytes;
    const batch b = {.count = 1, .candidates = &one};
    return input_memfd_write(e, &b, false, &size);
}
