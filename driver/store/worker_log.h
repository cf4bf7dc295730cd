/* worker_log.h: the logs of the searches of a fleet, workers/NAME.HOST-PID-START.jsonl.
 *
 * They are in a findings folder, and have lines of --json, without those of sizes and runs. */
#pragma once

#include "failure.h"
#include "progress.h"
#include "seed_input.h"

#include <sys/types.h>

enum {
    WORKER_NAME_MAX = 100,         /* bytes of a name */
    WORKER_LOG_MAX = 32 << 10,     /* bytes after which a log is written anew; its end may follow */
    WORKER_FILE_SIZE_MAX = 1 << 20 /* bytes of a file that is read */
};

#define WORKER_FOLDER "workers"
#define WORKER_SUFFIX ".jsonl"

typedef enum worker_state {
    WORKER_RUNNING,
    WORKER_SILENT,  /* its log says that it runs, and it gave no sign; for readers to set */
    WORKER_FOUND,   /* it ended, with a failure */
    WORKER_PASSED,  /* it ended, and nothing failed */
    WORKER_STOPPED, /* a signal ended it, or it ended without an answer */
    WORKER_FAILED,  /* an error ended it */
    WORKER_STATES
} worker_state;

/* What is searched. The passes of two searches add up to one claim if all of this is equal. */
typedef struct worker_target {
    const char *sut;    /* path, as the user wrote it */
    const char *digest; /* hex BLAKE2b-256 of its file; NULL: unknown */
    const char **args;  /* ended by NULL */
    const char *filter; /* the failures that count, as options; "" for all */
    seed_expansion expand;
} worker_target;

/* Totals of a search and of the earlier ones that its log stands for. */
typedef struct worker_totals {
    uint64_t runs, discarded, reruns;
    uint64_t restarts; /* earlier searches */
    uint64_t errors;   /* findings that could not be saved, and folders that could not be used */
    double seconds;    /* of the wall clock, while it searched */
} worker_totals;

/* Fresh runs one byte below the best. The passes are those of all these searches at that size; the
 * stretches are all that they began, at any size. */
typedef struct worker_evidence {
    uint64_t below, passed, counted, stretches; /* as in run_claim */
} worker_evidence;

typedef struct worker_best {
    bool is_known;
    seed_input input;
    signature signature;
    const char *site; /* NULL: none */
} worker_best;

/* What a log says. All texts live until worker_report_free. */
typedef struct worker_report {
    char *file; /* name of the log, without its suffix */
    char *name; /* of the worker */
    const char *host;
    uint64_t pid;
    const char *updated; /* UTC, ISO 8601, by the clock of the host */
    worker_state state;
    double every; /* seconds within which the next sign of life is promised */
    worker_target target;
    uint64_t rng_seed;
    unsigned jobs;
    worker_totals totals;
    double rate; /* runs and reruns a second of late; of the whole search once it ended */
    worker_best best;
    worker_evidence evidence;
    claim_levels levels; /* of a search without a failure; only of the last one */
    int64_t modified_ns; /* when the log changed, by the clock of its file system */
    bool is_counted;     /* by another log, which has claimed it */
    void *owned;
} worker_report;

typedef struct worker_reports {
    worker_report *list; /* in the order of their files */
    size_t count;
} worker_reports;

/* Parse the bytes of a log, whose name (without the suffix) is `file`. On failure return false;
 * *why is a short constant text for the user. */
bool worker_report_parse(const char *file, const char *bytes, size_t size, worker_report *r,
                         const char **why);
void worker_report_free(worker_report *r);

/* Read all logs of a folder, but those that another one counts. Call `skip` for each that cannot be
 * read. A missing folder counts as an empty one. Return 0 or an errno. */
int worker_reports_read(const char *folder, worker_reports *all,
                        void (*skip)(void *context, const char *name, const char *why),
                        void *context);
void worker_reports_free(worker_reports *all);

/* True if the search has not ended, but its log is older at this time of the wall clock than three
 * times what it promised. */
bool worker_report_is_silent(const worker_report *r, int64_t now_ns);

void worker_totals_add(worker_totals *to, const worker_totals *more);

/* True if the passes of both add up. */
bool worker_target_equal(const worker_target *a, const worker_target *b);

/* Write a name that a file can have, and an option can take: a slash, a control character and a dot
 * at the start become an underscore, and what is too long is cut. "" becomes "worker". */
void worker_name_clean(const char *text, char name[WORKER_NAME_MAX + 1]);

/* ---- The log of this search ---- */

typedef struct worker_log {
    char *folder, *file; /* owned: DIR/workers, and the name of the log */
    int fd;              /* lines are appended to it; 0: none; memory until the log is there */
    bool has_claimed;    /* ended logs, which it counts, and removes once it is there */
    bool is_partial;     /* one of them cannot be read */
} worker_log;

/* Who reports: its name and place, and what a log of an earlier search must have to count. */
typedef struct worker_self {
    const char *name, *host;
    pid_t pid;
    int64_t start_s; /* time of the wall clock */
    uint64_t rng_seed;
    const worker_target *target;
} worker_self;

/* Begin a log in memory, which is to count the ended ones of this name and host. The caller appends
 * the line `start`, and calls worker_log_keep. Return 0 or an errno. Call worker_log_close in any
 * case. */
int worker_log_open(worker_log *l, const char *folder, const worker_self *self);

/* After lines were appended: write the log anew, with the lines that count, if it is not at its
 * path, or has become too large. Return 0 or an errno. */
int worker_log_keep(worker_log *l);
void worker_log_close(worker_log *l);
