/* failure.h: an input whose run failed, and the facts known of it. */
#ifndef FAILURE_H
#define FAILURE_H

#include "bytes.h"
#include "file_stamp.h"
#include "seed_input.h"
#include "signature.h"
#include "site.h"

#include <stdbool.h>
#include <string.h>

/* Number of reruns of the final best. Each rerun of a hang takes its whole deadline. */
enum { FAILURE_RERUNS = 20, FAILURE_RERUNS_OF_HANG = 5 };

enum { FAILURE_SITE_MAX = SITE_MAX };

/* A number of reruns, and the number of those that failed too. */
typedef struct rerun_count {
    uint64_t reruns, repeated;
} rerun_count;

typedef struct failure {
    seed_input input;
    signature signature;         /* of the first failing rerun; before that, of the first run */
    char site[FAILURE_SITE_MAX]; /* where and in which way it failed (site.h), or "" */
    bool is_site_known;          /* an empty site is none; else no run has shown it yet */
    file_stamp program;          /* the file of the target when it failed, if known */
    unsigned reruns;             /* number of reruns, each in a fresh process */
    unsigned repeated;           /* number of those that failed too */
    rerun_count alike;           /* reruns of all failures like it, this one included; 0 if
                                    unknown */
    bytes_tail *output;          /* both ends of the output of a failing rerun; NULL: dropped. A
                                    kept failure owns it, any other one borrows it */
    failure_cause cause;         /* the limit that may have caused it, as its first reruns show */
} failure;

/* Keep a copy of a failure, with its output, in the place of an earlier one. *to is kept or zeroed.
 * Without memory the copy has no output. */
void failure_keep(failure *to, const failure *from);

/* Free the output of a kept failure, and zero it. */
void failure_drop(failure *f);

/* True if both look like the same bug. Sites count if both are known. */
static inline bool failure_is_alike(const failure *a, const failure *b) {
    return signature_equal(a->signature, b->signature) &&
           site_may_equal(a->site, a->is_site_known, b->site, b->is_site_known);
}

/* True if both have the same signature and show the same site, or both none. */
static inline bool failure_is_same(const failure *a, const failure *b) {
    return signature_equal(a->signature, b->signature) && strcmp(a->site, b->site) == 0;
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

/* True if `a` is the better one of two like it: one that always failed before a flaky one, then the
 * smaller one. */
static inline bool failure_is_better(const failure *a, const failure *b) {
    if (failure_is_flaky(a) != failure_is_flaky(b)) return failure_is_flaky(b);
    return seed_input_less(a->input, b->input);
}

static inline unsigned failure_reruns_due(const failure *f) {
    return f->signature.kind == SIGNATURE_TIMEOUT ? FAILURE_RERUNS_OF_HANG : FAILURE_RERUNS;
}

#endif
