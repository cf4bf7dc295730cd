/* report.h: the memory that the driver shares with a target: its report, and the input.
 *
 * The target writes the report, and the driver reads it; the driver rewrites the input for each
 * run. See frng/PROTOCOL.md. The content of the report is untrusted: it may be nonsense, and
 * change while it is read. */
#pragma once

#include "known_failures.h"
#include "runner.h"
#include "tally.h"

typedef struct candidate_pass candidate_pass;
typedef struct candidate_set candidate_set;

typedef struct report_shm {
    int fd;
    volatile frng_report *report;
    uint64_t size;                                      /* bytes mapped */
    uint64_t trace_count;                               /* capacity of the trace, in records */
    uint64_t labels_offset, trace_offset, known_offset; /* the last: of known failures */
    uint64_t chosen_offset, chosen_max; /* the area of the bytes that a run of choices draws */
    uint64_t guide_offset, guide_room;  /* the table of comparisons; records in it */
    bool counts;                        /* report_shm_reset requests a table of labels */
    uint64_t asked;                     /* records that report_shm_reset requests */
    bool traces;                        /* it requests trace_count of them instead */
    uint32_t rows;                      /* requested for runs */
} report_shm;

/* Make a report with room for a trace of `trace_count` records, a row for each run of a candidate
 * set, `chosen_max` bytes that runs of choices draw, and `guide_room` records of comparisons. Its
 * size is sealed, so that no process can shrink it while it is mapped. The report starts as after
 * report_shm_reset for one run. Returns 0 or an errno.
 *
 * What is a plain number of the report is read and written there, after a reset: `wants`, `leaks`,
 * `leak_state`, `ran_out`, and `traced`, the records that there were, fitting or not. */
int report_shm_init(report_shm *s, uint64_t trace_count, uint64_t chosen_max, uint64_t guide_room);
void report_shm_finish(report_shm *s);

/* Clear the report, and request a row of each of the next `runs` runs (at most
 * CANDIDATE_SET_COUNT_MAX) and a trace. 0: request neither, which is faster. */
void report_shm_reset(report_shm *s, uint32_t runs);

/* Return the layout of a HELLO if it lies within the report, else one of width 0. */
report_layout report_shm_check_layout(const frng_message *hello);

/* Return the bytes drawn, or OUTCOME_DRAWN_UNKNOWN if the report has no count or one above
 * `size`. */
uint64_t report_shm_drawn(const report_shm *s, report_layout layout, uint64_t size);

/* Return checked copies: the index of the run in progress (at most max), the site ("" for none,
 * control characters escaped), and a record of the trace. */
uint64_t report_shm_run(const report_shm *s, uint64_t max);
void report_shm_copy_site(const report_shm *s, char site[SITE_MAX]);

/* Write the site of the crash of that run of a program, or leave what is there. */
void report_shm_copy_crash(const report_shm *s, const char *program, char site[SITE_MAX]);
frng_trace_record report_shm_record(const report_shm *s, uint64_t i); /* i < trace_count */

/* Return the first draws of the last run, `most` at most. */
draws_seen report_shm_draws(const report_shm *s, uint64_t most);

/* True if the last run, of `size` bytes, is known to have made other draws first than these. */
bool report_shm_draws_others(const report_shm *s, draws_seen than, uint64_t size);

/* True if a run drew from fewer bytes than it did before findings told their draws. */
bool report_shm_has_narrowed(const report_shm *s);

/* Request a row of each of the next `runs` runs, to count the bytes that they draw, after a reset
 * for no runs. */
enum { REPORT_SHM_ROWS_MAX = 8192 };
void report_shm_request_rows(report_shm *s, uint32_t runs);

/* Return the row of run `run`, which passed and had `size` bytes to draw from. */
candidate_pass report_shm_pass(const report_shm *s, uint32_t run, uint64_t size);

/* Let runs of choices draw at most `size` bytes, after a reset; size <= chosen_max. */
void report_shm_request_chosen(report_shm *s, uint64_t size);

/* Let the next runs record comparisons for this guided set, after a reset. False if its log, or the
 * report, has no room for the records of a run. */
bool report_shm_request_guide(report_shm *s, const batch *b);

/* Copy the part of the trace that fits in the candidate set. */
void report_shm_copy_trace(const report_shm *s, candidate_set *p);

/* Where the runs of a set are among those of a message: known ones come before the first of them,
 * and before each of the others if the step is above 1. */
typedef struct run_rows {
    uint32_t first, step;
} run_rows;

/* Copy the reports of the first `count` of these runs, which have passed or were counted, and the
 * trace of the next one, to their candidate set. Do nothing for seeds. */
void report_shm_copy_set(const report_shm *s, report_layout layout, const batch *b, run_rows rows,
                         uint64_t count);

/* Write the known failures for the next runs, of which as many count as there is room for. Returns
 * the offset of the table. */
uint64_t report_shm_know(const report_shm *s, const known_runs *to);

/* Return how many runs of the message in progress have failed so. */
uint64_t report_shm_known(const report_shm *s);

/* True if this run of the message is one of them. */
bool report_shm_is_counted(const report_shm *s, uint64_t run);

/* Add the runs of a part of a batch, from its run `before` on, that failed as known: of the first
 * `passed` ones. The tally has the parts before it. Returns how many there are. */
uint32_t report_shm_copy_known(const report_shm *s, uint32_t before, uint64_t passed,
                               const batch *of);

/* Return `envp` with the offer of this report (FRNG_DRIVER) added. -1 for a control or entropy
 * descriptor that the target does not get. The other strings are borrowed; the caller frees the
 * array. */
char **report_shm_environment(const report_shm *s, int control, int entropy, char *const *envp);

/* The end of a message, as far as it is known. */
typedef struct report_end {
    uint64_t passed;        /* runs, with those that failed as known */
    bool has_failed;        /* the run after them did not pass */
    uint64_t drawn;         /* bytes that the last run drew, or OUTCOME_DRAWN_UNKNOWN */
    uint64_t size;          /* bytes of each run */
    const batch *of;        /* the runs */
    const known_run *known; /* those of them that failed as known */
    uint32_t known_count;
} report_end;

/* Add the statistics of the runs that have ended. */
void report_tally_add(const report_shm *s, const report_end *end, tally *t);

/* ---- The output of runs that search ----
 *
 * Few of them fail, and none is to wait for a reader. So a memory file takes what they print, which
 * is read only of a run that failed. */

/* Return a file that takes output at its end, or -1: without memory, or where a limit on the size
 * of files (ulimit -f) would end the runs. */
int output_memfd_create(void);

/* Empty the file before a run. */
void output_memfd_clear(int fd);

/* Cut a file that has become large while its run goes on: its beginning stays. */
void output_memfd_limit(int fd);

/* True if the runs of this time printed so much that to keep it would cost them a twentieth of it:
 * nobody is to listen then. */
bool output_memfd_is_loud(int fd, int64_t took_ns);

/* Read both ends. */
void output_memfd_read(int fd, bytes_tail *output);

/* ---- The input, in a memory file that is mapped once ---- */

enum { INPUT_MEMFD_NAME_MAX = 16 };

typedef struct input_memfd {
    int fd;
    uint8_t *bytes;    /* a mapping of size_max bytes; only those in the file may be touched */
    uint64_t size_max; /* bytes */
    uint64_t written;  /* those in the file, unless a process has cut it */
    int folder_fd;     /* the folder of `name`; a whole path takes three times as long to open */
    char name[INPUT_MEMFD_NAME_MAX]; /* opens the file anew, at offset 0 */
    bool shows_reading;              /* reading or mapping the file sets its time of access */
} input_memfd;

/* Returns 0 or an errno. Only this mapping can write the bytes (F_SEAL_FUTURE_WRITE), but a process
 * that opens the path can change the file's length. Therefore this process handles SIGBUS from now
 * on, and may use only one input_memfd at a time. */
int input_memfd_init(input_memfd *e, uint64_t size_max);
void input_memfd_finish(input_memfd *e);

/* Open the file anew, and begin to watch for reading. Returns a descriptor, or -1 with errno. */
int input_memfd_open(const input_memfd *e);

/* Return what was seen since then. However a run opens the file, reading or mapping it sets its
 * time of access; a run that only measures it moves the offset of `opened`, which is its stdin. */
reading_state input_memfd_reading(const input_memfd *e, int opened);

/* Set the file to a copy of bytes, at most size_max. Returns 0 or an errno; EIO if another process
 * kept truncating the file. */
int input_memfd_copy(input_memfd *e, uint64_t size, const uint8_t *bytes);

/* Set the file to the inputs of a batch. With a table, as FRNG_GIVEN expects them: their ends,
 * relative to the end of the table, then their bytes. *size is set to the file's size, at most
 * size_max. Each input of a batch of seeds takes input_memfd_row_bytes of it, with its end. */
int input_memfd_write(input_memfd *e, const batch *b, bool has_table, uint64_t *size);
static inline uint64_t input_memfd_row_bytes(uint64_t size) { return sizeof(uint64_t) + size; }
