/* night.h: what a report is about: programs, and the searches and reductions of each, as their
 * events or findings say. All texts are untrusted. They are owned, and "" or NULL where nothing is
 * known. */
#ifndef NIGHT_H
#define NIGHT_H

#include "series.h"
#include "size_table.h"
#include "story.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits: what is beyond is counted, and not kept. */
enum { NIGHT_PROGRAMS_MAX = 32, NIGHT_WORKS_MAX = 1000, NIGHT_SIGNATURES_MAX = 1000 };
enum {
    NIGHT_TEXT_MAX = 16 << 10,
    NIGHT_HEX_MAX = 128 << 10,
    NIGHT_PASSES_MAX = 100,
    NIGHT_EACH_MAX = 64
};

/* A number that events may lack. */
typedef struct night_count {
    bool is_known;
    uint64_t value;
} night_count;

/* The evidence that no smaller input fails. */
typedef struct night_claim {
    bool is_known;
    uint64_t below, passed;
    double bound, confidence; /* shares */
} night_claim;

/* A failure: where, how, and how to repeat it. */
typedef struct night_failure {
    bool is_known;
    uint64_t size;
    char *seed, *hex; /* one of them is "" */
    char *signature;  /* with the site, if it is known */
    char *site, *output, *flaky;
    char *replay;  /* a command, as the events have it */
    char *finding; /* path of a file with the input */
    night_count reruns, repeated;
    night_claim claim;
} night_failure;

/* All that was seen of one signature. */
typedef struct night_signature {
    night_failure smallest;
    uint64_t seen; /* failures of it in the events, or findings */
} night_signature;

typedef struct night_pass {
    char *name;
    uint64_t calls, successes, bytes;
} night_pass;

typedef enum night_task { NIGHT_SEARCH, NIGHT_REDUCE, NIGHT_REDUCE_FILE, NIGHT_REPLAY } night_task;

/* A search, a reduction or a replay: the events from one `start` to the next. */
typedef struct night_work {
    night_task task;
    char *source; /* the file that it was read from */
    char *version, *mode, *host, *digest, *when, *rng_seed, *command, *file;
    night_count jobs, size;   /* size: of the input of a reduction */
    night_count runs, reruns; /* so far, or in the end */
    double seconds;           /* below 0: unknown */
    series points;            /* best size over runs or calls; kind: 1 + index of the pass, or 0 */
    night_pass *passes;
    size_t pass_count;
    night_failure first, best;
    night_failure *each; /* of a search with --all: the smallest of each signature */
    size_t each_count, each_room;
    char *outcome, *end, *reason; /* "" while there is no end */
    bool is_complete;
    story story;
} night_work;

typedef struct night_program {
    char *name, *args; /* its path, and its arguments, quoted for a shell */
    night_work *works;
    size_t work_count, work_room;
    uint64_t works_left_out;
    night_signature *signatures;
    size_t signature_count, signature_room;
    uint64_t signatures_left_out;
    size_table sizes;
    uint64_t findings;
} night_program;

typedef struct night {
    night_program *programs; /* room for NIGHT_PROGRAMS_MAX */
    size_t program_count;
    uint64_t lines, torn, too_long, unknown; /* of the events */
    uint64_t programs_left_out;
    bool failed; /* out of memory: something is missing */
} night;

/* Copy a text, cut to NIGHT_TEXT_MAX bytes. Sets `failed` when out of memory. */
char *night_text(night *n, const char *text);

/* Return what follows the last slash of a path. */
const char *night_base_of(const char *path);

/* Return the program of this path and these arguments. Those of another folder but the same name
 * are the same, so that the searches of a fleet meet. NULL: there is no room. */
night_program *night_find_program(night *n, const char *path, const char *args);

/* Add a search, reduction or replay. NULL: there is no room. */
night_work *night_add_work(night *n, night_program *p, night_task task);

/* Count a failure among those of its signature, and keep it if it is the smallest. */
void night_add_failure(night *n, night_program *p, const night_failure *f);

/* End the reading. A replay, which may not know the site of its failure, adds a signature only to a
 * program without others. */
void night_end(night *n);

/* Keep a copy of one of the failures with which a search ended. */
void night_add_each(night *n, night_work *w, const night_failure *f);

/* Replace *to by a copy of *from. */
void night_failure_set(night *n, night_failure *to, const night_failure *from);
void night_failure_finish(night_failure *f);

void night_finish(night *n);

#endif
