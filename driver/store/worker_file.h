/* worker_file.h: what one search of a fleet did so far, as the file workers/NAME.json of a findings
 * folder. Only that search writes it, and anyone may read it. */
#pragma once

#include "failure.h"
#include "json_fields.h"
#include "seed_input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of the format. A reader skips files of a later one. */
enum { WORKER_FORMAT = 1 };

enum {
    WORKER_NAME_MAX = 200,         /* bytes of a name */
    WORKER_FILE_SIZE_MAX = 1 << 20 /* bytes of a file */
};

#define WORKER_FOLDER "workers"
#define WORKER_SUFFIX ".json"

typedef enum worker_state {
    WORKER_RUNNING,
    WORKER_FOUND,   /* it ended, with a failure */
    WORKER_PASSED,  /* it ended, and nothing failed */
    WORKER_STOPPED, /* a signal ended it, or it ended without an answer */
    WORKER_FAILED   /* an error ended it */
} worker_state;

/* What is searched. The passes of two searches add up to one claim if all of this is equal. */
typedef struct worker_target {
    const char *sut;    /* path, as the user wrote it */
    const char *digest; /* hex BLAKE2b-256 of its file; NULL: unknown */
    const char **args;  /* ended by NULL; NULL: none */
    const char *filter; /* the failures that count, as options; "" for all */
    seed_expansion expand;
} worker_target;

/* Totals of all searches of one name, one after the other. */
typedef struct worker_totals {
    uint64_t runs, reruns, restarts;
    uint64_t errors; /* findings that could not be saved, and folders that could not be used */
    double seconds;  /* of the wall clock, while it searched */
} worker_totals;

/* Fresh runs one byte below the best. The passes are those of all searches of this name at that
 * size; the stretches are all that they began, at any size. */
typedef struct worker_evidence {
    uint64_t below, passed, counted, stretches; /* as in run_claim */
} worker_evidence;

typedef struct worker_best {
    bool is_known;
    seed_input input;
    signature signature;
    const char *site; /* NULL: none */
} worker_best;

/* The content of a file. The writer borrows the pointers. Those of a file that was read live until
 * worker_file_free. */
typedef struct worker_file {
    uint64_t format; /* WORKER_FORMAT, also of a file that is to be written */
    const char *name, *host;
    uint64_t pid;
    const char *started, *updated; /* UTC, ISO 8601, by the clock of the host */
    worker_state state;
    double every; /* seconds within which the next version of the file is promised */
    worker_target target;
    const char *version;
    uint64_t rng_seed;
    unsigned jobs;
    worker_totals totals;
    double rate; /* runs and reruns a second, of the last minute or so */
    worker_best best;
    worker_evidence evidence;
    int64_t modified_ns; /* when the file changed that was read, by the clock of its file system */
    void *owned;         /* private to worker_file.c */
} worker_file;

/* Return the content as JSON text, ended by a newline, which the caller frees. NULL when out of
 * memory. */
char *worker_file_to_json(const worker_file *w);

/* Parse `size` bytes. On failure return false; *why is a short constant text for the user. */
bool worker_file_from_json(const char *text, size_t size, worker_file *w, const char **why);

/* Read and parse a file, and take its time; the rest is as above, but *why is NULL if there is no
 * such file. One that vanished is tried once more. */
bool worker_file_read(int folder_fd, const char *path, worker_file *w, const char **why);

void worker_file_free(worker_file *w);

/* True if it is of a search that runs, but is older at this time of the wall clock than three times
 * what it promised. */
bool worker_file_is_silent(const worker_file *w, int64_t now_ns);

/* True if the passes of both add up. */
bool worker_target_equal(const worker_target *a, const worker_target *b);

/* Write a name that a file can have, and an option can take: a slash, a control character and a dot
 * at the start become an underscore, and what is too long is cut. "" becomes "worker". */
void worker_name_clean(const char *text, char name[WORKER_NAME_MAX + 1]);
