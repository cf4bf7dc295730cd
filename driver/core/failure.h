/* failure.h: how a run ended, whether that is a failure, and which one.
 *
 * An outcome is the end of one run. That of a failed one has an identity, `signature`: exit:3,
 * signal:SIGABRT, timeout. Its output may name a site (output_site.h). Both together tell failures
 * apart. A `failure` is an input that failed with all that is known of it; a `run_stop` says how a
 * search, a reduction or a check ended. */
#pragma once

#include "bytes.h"
#include "files.h"
#include "seed_input.h"

#include <string.h>

/* ---- How runs are made ---- */

/* In order of speed: the slowest and plainest first. */
typedef enum run_mode {
    MODE_SPAWN,     /* a fresh process for each run */
    MODE_FORK,      /* a fork of the fork server for each run */
    MODE_PERSISTENT /* many runs in one process */
} run_mode;

/* Return the word for a mode in --mode, reports and JSON. */
static inline const char *run_mode_name(run_mode mode) {
    static const char *const names[] = {
        [MODE_SPAWN] = "spawn", [MODE_FORK] = "fork", [MODE_PERSISTENT] = "persistent"};
    return names[mode];
}

typedef enum run_stdin {
    RUN_STDIN_FILE, /* a memory file: a read returns all requested bytes */
    RUN_STDIN_PIPE  /* a pipe: reads return fewer bytes, as is usual for pipes */
} run_stdin;

/* The limits of each run, and how it gets its input. */
typedef struct run_limits {
    int64_t timeout_ns;  /* of a predicate also 0: its first run decides */
    uint64_t memory_max; /* RLIMIT_AS in bytes; 0: none */
    run_stdin stdin_kind;
} run_limits;

/* Ordered from the weakest, which every process may use, to the strongest, which only some machines
 * permit. */
typedef enum containment {
    CONTAINMENT_SUBREAPER, /* adopts orphans, and kills them one by one */
    CONTAINMENT_USER,      /* pid 1 of a pid namespace, inside a user namespace */
    CONTAINMENT_NAMESPACE  /* pid 1 of a pid namespace */
} containment;

/* Kinds of isolation violations, which show that runs in a shared process cannot be trusted. */
typedef enum isolation_violation {
    ISOLATION_NONE,
    ISOLATION_FRESH_PASSES, /* a run failed, but passes in a fresh process */
    ISOLATION_FRESH_FAILS,  /* a run passed, but fails in a fresh process */
    ISOLATION_OTHER_COUNT,  /* a run drew another number of bytes than in a fresh process */
    ISOLATION_OTHER_DRAWS,  /* a run made other draws than in a fresh process */
    ISOLATION_BATCH_END,    /* all runs passed, and then their process failed at its exit */
    ISOLATION_LEFTOVER      /* a run left processes behind */
} isolation_violation;

/* ---- Identities ---- */

typedef enum signature_kind { SIGNATURE_EXIT, SIGNATURE_SIGNAL, SIGNATURE_TIMEOUT } signature_kind;

typedef struct signature {
    signature_kind kind;
    int value; /* exit status 1..255, or signal number; 0 for a timeout */
} signature;

enum { SIGNATURE_TEXT_MAX = 32 }; /* bytes for any signature's text, its NUL included */

/* Return the signature in a wait status that is no success. */
signature signature_of_status(int wait_status);

static inline bool signature_equal(signature a, signature b) {
    return a.kind == b.kind && a.value == b.value;
}

/* Room in an argument, as NUMBERS_TEXT is (numbers.h). */
#define SIGNATURE_TEXT ((char[SIGNATURE_TEXT_MAX]){0})

/* Write a signature to `text`, as exit:3, signal:SIGABRT, signal:SIGRTMIN+2 or timeout, and return
 * `text`. */
const char *signature_format(signature id, char text[SIGNATURE_TEXT_MAX]);

/* Parse the text of signature_format, and also signal:ABRT and signal:6. Return false for other
 * text. */
bool signature_parse(const char *text, signature *id);

/* The limit that may have caused a failure, as a rerun under twice the limits shows. */
typedef enum failure_cause {
    CAUSE_NONE,
    CAUSE_TIMEOUT, /* a rerun of a hang passed: the machine was busy, or the failure is flaky */
    CAUSE_MEMORY,  /* the run ends otherwise with twice the memory */
    CAUSE_OOM,     /* the kernel killed the run for want of memory, and a rerun passed */
    CAUSE_WORKER,  /* the run stopped its worker, which the driver killed */
    CAUSE_BUDGET   /* the end of --time cut the run off, which may hang */
} failure_cause;

enum { CAUSE_COUNT = 6 };

/* ---- Sites ---- */

/* A site: where and in which way a run failed, as one text: "queue.c:31" (an assertion),
 * "queue.c:31 in pop" (the same, and the step of the test that was in progress),
 * "queue.c:31 'got #, not #'" (the same, and the shape of the message, see frng_shape.h),
 * "asan:heap-buffer-overflow at rax.c:1071" (a kind and a place), "glibc:free-invalid-pointer" (a
 * kind alone), or "std::out_of_range". A kind is one of a few words, a colon and a name.
 *
 * A site without debug information is an address: "ring+0x1a2b", a module and offsets in it. It
 * stays the same from run to run, but says nothing to other builds. */

enum {
    SITE_KIND_MAX = 64,   /* bytes of a kind, its NUL included */
    SITE_PLACE_MAX = 112, /* of a place */
    SITE_MAX = SITE_KIND_MAX + 4 + SITE_PLACE_MAX,
    SITE_TEXT_MAX = SIGNATURE_TEXT_MAX + 4 + SITE_MAX
};

/* True if a text begins as a kind does: "asan:". */
bool site_has_kind(const char *text);

/* Write a site of a kind and a place, either of which may be "". Both are untrusted: what is not
 * printable is escaped, and long ones are cut. */
void site_join(const char *kind, const char *place, char site[SITE_MAX]);

/* Split a site into its kind and its place, "" for none. */
void site_split(const char *site, char kind[SITE_MAX], char place[SITE_MAX]);

/* Return the length of a place without its step and shape: of "queue.c:31" in "queue.c:31 in pop".
 */
size_t site_line_length(const char *place);

enum { SHAPES_MAX = 8 }; /* of messages, of a place: beyond it they say little */

/* Return the length of a site without the shape of a message. A site that has none matches each. */
size_t site_shapeless_length(const char *site);

/* The site of a run that the kernel killed for want of memory: a kind alone. */
#define SITE_OOM "kernel:out-of-memory"

/* Room in an argument, as NUMBERS_TEXT is (numbers.h). */
#define SITE_TEXT ((char[SITE_TEXT_MAX]){0})

/* Write a signature and a site ("": none) as one text: exit:1, signal:SIGABRT at queue.c:31, or the
 * site alone if it has a kind. Return `text`. */
const char *site_format(signature id, const char *site, char text[SITE_TEXT_MAX]);

/* True if the place of a site is an address. */
bool site_is_address(const char *site);

/* ---- Outcomes ---- */

typedef enum verdict {
    VERDICT_PASS,
    VERDICT_FAIL,    /* exited nonzero or died of a signal */
    VERDICT_TIMEOUT, /* outlived its deadline and was killed */
    VERDICT_MEMORY,  /* failed, but not so with twice the memory; `status` says how */
    VERDICT_STUCK,   /* its worker made no progress and was killed: says nothing of the target */
    VERDICT_ERROR    /* never started: says nothing of the target */
} verdict;

/* The subject of an error. */
typedef enum outcome_fault {
    FAULT_NONE,
    FAULT_EXEC,   /* the program cannot be started: its file or its interpreter is at fault */
    FAULT_LINKER, /* the program started, but its shared libraries could not be loaded */
    FAULT_SHELL,  /* it started, but not the program that it is to start: a script without its
                     interpreter */
    FAULT_USAGE,  /* a test of frng refuses its arguments, or has no entropy */
    FAULT_FOLDER, /* the working folder of a run is gone or cannot be made */
    FAULT_END,    /* a run cannot be ended: it does not die (ETIME), or the wait for it is
                     refused */
    FAULT_SYSTEM  /* a system call of the driver failed: no process, memory or descriptor */
} outcome_fault;

/* Value of `drawn` in an outcome if the target did not report it. */
#define OUTCOME_DRAWN_UNKNOWN UINT64_MAX

/* Whether a run read its input, as far as it was seen. */
typedef enum reading_state { READING_UNKNOWN, READING_SEEN, READING_NONE } reading_state;

typedef struct outcome {
    verdict verdict;
    int status;            /* wait status of a pass or a failure, or of FAULT_SHELL */
    outcome_fault fault;   /* of an error */
    int error_number;      /* errno of any other error */
    uint64_t drawn;        /* bytes of entropy drawn, or OUTCOME_DRAWN_UNKNOWN */
    reading_state reading; /* of its input, in a process of its own */
    bool is_oom;           /* the kernel killed it for want of memory */
} outcome;

static inline outcome outcome_error(outcome_fault fault, int error_number) {
    return (outcome){.verdict = VERDICT_ERROR,
                     .fault = fault,
                     .error_number = error_number,
                     .drawn = OUTCOME_DRAWN_UNKNOWN};
}

static inline outcome outcome_stuck(void) {
    return (outcome){.verdict = VERDICT_STUCK, .drawn = OUTCOME_DRAWN_UNKNOWN};
}

/* Return the outcome of a process that ended in time with this wait status. */
static inline outcome outcome_of_status(int status) {
    return (outcome){status == 0 ? VERDICT_PASS : VERDICT_FAIL, status,
                     .drawn = OUTCOME_DRAWN_UNKNOWN};
}

/* Return the line in which a test of frng refuses to run, without its first words, up to the end of
 * the output. NULL if it has none. */
const uint8_t *outcome_usage_line(const bytes_tail *output);

/* Return the outcome of a process that ended, or was killed at its deadline. Its own end counts if
 * it came first. With its output (NULL: not kept) it is known whether the program could be loaded:
 * the dynamic linker says so, and a shell or env that does not find a program exits with 127, or
 * with 126 if it cannot be executed, and has not read the input. */
outcome outcome_of_end(int status, bool timed_out, reading_state seen, const bytes_tail *output);

/* Return the subject of an errno of exec or fork: the program, or the state of the system. */
outcome_fault outcome_fault_of_exec(int error_number);

/* True if the run failed, as a search wants: neither a pass nor an error of the driver. */
static inline bool outcome_failed(const outcome *o) {
    return o->verdict == VERDICT_FAIL || o->verdict == VERDICT_TIMEOUT;
}

/* True if the program, or one that it needs, was not there or could not be loaded, or refused to
 * run as it was called. */
static inline bool outcome_is_unstarted(const outcome *o) {
    return o->fault == FAULT_LINKER || o->fault == FAULT_SHELL || o->fault == FAULT_USAGE;
}

/* True if a run of a test of frng came to a limit of frng itself: it is no verdict. */
static inline bool outcome_is_limit(const outcome *o) {
    return o->fault == FAULT_USAGE && o->reading == READING_SEEN;
}

/* True if both failed, with the same signature. */
bool outcome_failed_alike(const outcome *a, const outcome *b);

signature outcome_signature(const outcome *o);

/* Return the limit that may have caused a failure, of this signature and site, whose rerun under
 * twice the limits ended as `again`. */
failure_cause outcome_cause(signature failed, const char *site, const outcome *again);

/* ---- Failures ---- */

/* Number of reruns of the final best. Each rerun of a hang takes its whole deadline. A best that is
 * reduced next has its answer rerun in its place; the second of its reruns has output to read. */
enum { FAILURE_RERUNS = 20, FAILURE_RERUNS_OF_HANG = 5, FAILURE_RERUNS_OF_REDUCED = 2 };

/* A number of reruns, and the number of those that failed too. */
typedef struct rerun_count {
    uint64_t reruns, repeated;
} rerun_count;

/* Draws of a run: how many, and the digest of their kinds and bounds (frng/DRAWS.md). A count of 0:
 * there were none, or they are unknown. */
typedef struct draws_seen {
    uint64_t count, digest;
    bool is_untold; /* they are of a finding that does not say them */
} draws_seen;

/* What the bytes of an input are: each form is simpler than those before it. */
typedef enum failure_form {
    FORM_SEED,   /* a seed expands to them */
    FORM_BYTES,  /* explicit ones */
    FORM_REDUCED /* the result of a whole reduction */
} failure_form;

typedef struct failure {
    seed_input input;
    failure_form form;   /* of its finding, which a search does not set */
    signature signature; /* of the first failing rerun; before that, of the first run */
    char site[SITE_MAX]; /* where and in which way it failed, or "" */
    bool is_site_known;  /* an empty site is none; else no run has shown it yet */
    file_stamp program;  /* the file of the target when it failed, if known */
    unsigned reruns;     /* number of reruns, each in a fresh process */
    unsigned repeated;   /* number of those that failed too */
    rerun_count alike;   /* reruns of all failures like it, this one included; 0 if
                                    unknown */
    bytes_tail *output;  /* both ends of the output of a failing rerun; NULL: dropped. A
                                    kept failure owns it, any other one borrows it */
    draws_seen draws;    /* the first ones of a failing run, FRNG_DRAWS_KEPT at most */
    failure_cause cause; /* the limit that may have caused it, as its first reruns show */
} failure;

/* Copy a failure and its output to *to, which is zeroed, or a kept failure that it replaces. */
void failure_keep(failure *to, const failure *from);

/* Free the output of a kept failure, and zero it. */
void failure_drop(failure *f);

/* True if both look like the same bug: they have the same signature, and their sites are equal, or
 * one of them is unknown or lacks a shape, or one is an address and the other is not. */
bool failure_is_alike(const failure *a, const failure *b);

/* True if both, of any type, have the same signature and show the same site, or both none. */
#define failure_is_same(a, b)                                                                      \
    (signature_equal((a)->signature, (b)->signature) && strcmp((a)->site, (b)->site) == 0)

/* Return the site that it shows, or NULL. */
static inline const char *failure_site(const failure *f) {
    return f->site[0] != '\0' ? f->site : NULL;
}

/* True if it may have failed for lack of memory alone, even if it seems to repeat. */
static inline bool failure_lacks_memory(const failure *f) {
    return f->cause == CAUSE_MEMORY || f->cause == CAUSE_OOM;
}

/* True if a rerun of it passed. */
static inline bool failure_is_flaky(const failure *f) { return f->repeated < f->reruns; }

/* True if a rerun of it or of a failure like it passed. If only its own reruns all failed, that may
 * be luck. */
static inline bool failure_is_of_flaky(const failure *f) {
    return failure_is_flaky(f) || f->alike.repeated < f->alike.reruns;
}

/* Return the reruns that show how often it fails: those of all failures like it once one of them
 * passed, else its own. */
static inline rerun_count failure_evidence(const failure *f) {
    const rerun_count own = {f->reruns, f->repeated};
    return failure_is_of_flaky(f) && f->alike.reruns > own.reruns ? f->alike : own;
}

/* True if `a` is the answer rather than `b`, which is like it: one that always failed, then the
 * smaller one, then the simpler form, then the smaller seed, so that a fleet ends with one; then
 * the one with more reruns. All searches, folders, lists and pages use this order. */
bool failure_is_better(const failure *a, const failure *b);

static inline unsigned failure_reruns_due(const failure *f) {
    return f->signature.kind == SIGNATURE_TIMEOUT ? FAILURE_RERUNS_OF_HANG : FAILURE_RERUNS;
}

/* Most different failures that are kept, each the best of its signature. */
enum { DISTINCT_FAILURES_MAX = 32 };

/* ---- The end of a search or a reduction ---- */

/* The reason for which a search or a reduction ended. */
typedef enum run_end {
    END_DONE,        /* nothing is left to try */
    END_SPENT,       /* the deadline or a limit of calls came first */
    END_INTERRUPTED, /* a signal came first */
    END_REBUILT,     /* another file replaced the program */
    END_PASSES,      /* a reduction: its input passes, is flaky, or fails in another way */
    END_ENVIRONMENT, /* the program cannot be started */
    END_BROKEN       /* a process or a system call of the tools failed */
} run_end;

/* A member that its end does not name is zero. */
typedef struct run_stop {
    run_end end;
    int error_number;         /* BROKEN: errno */
    outcome error;            /* ENVIRONMENT: of the run that could not be made */
    const bytes_tail *output; /* ENVIRONMENT: of that run; lives until another one ends a client */
    int64_t cut_ns; /* SPENT: how long a run had gone on that may hang; 0: there was none */
    seed_input cut; /* SPENT: its input */
} run_stop;

/* Set the end of a zeroed *s to END_BROKEN. */
static inline void run_stop_broken(run_stop *s, int error_number) {
    s->end = END_BROKEN;
    s->error_number = error_number;
}
