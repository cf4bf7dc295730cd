/* failure.h: an input that failed, and all that is known of it. */
#ifndef FAILURE_H
#define FAILURE_H

#include "bytes.h"
#include "failure_cause.h"
#include "file_stamp.h"
#include "seed_input.h"
#include "signature.h"

#include <stdbool.h>
#include <string.h>

/* How often the final best is run again. A hang costs its whole deadline each time. */
enum { FAILURE_RERUNS = 20, FAILURE_RERUNS_OF_HANG = 5 };

enum { FAILURE_SITE_MAX = 128 };

/* Reruns, and how many of them failed too. */
typedef struct rerun_count {
    uint64_t reruns, repeated;
} rerun_count;

typedef struct failure {
    seed_input input;
    signature signature;         /* of its first failing rerun; of its first run before that */
    char site[FAILURE_SITE_MAX]; /* file:line of the assertion that failed, or "" */
    file_stamp program;          /* the file that failed, where it is known */
    unsigned reruns;             /* times it was run again, each in a fresh process */
    unsigned repeated;           /* how many of those failed too */
    rerun_count alike;           /* the same of all failures like it, this one included, where that
                                    is known; else 0 */
    bytes_tail output;           /* both ends of what a failing rerun printed */
    failure_cause cause;         /* the limit that may have made it, by its first reruns */
} failure;

/* The same bug, as far as can be told: sites count where both are known (not ""). */
static inline bool signature_is_alike(signature a, const char *a_site, signature b,
                                      const char *b_site) {
    const bool sites_known = a_site[0] != '\0' && b_site[0] != '\0';
    return signature_equal(a, b) && (!sites_known || strcmp(a_site, b_site) == 0);
}

static inline bool failure_is_alike(const failure *a, const failure *b) {
    return signature_is_alike(a->signature, a->site, b->signature, b->site);
}

/* Some rerun of it passed. */
static inline bool failure_is_flaky(const failure *f) { return f->repeated < f->reruns; }

/* Some rerun passed, of it or of a failure like it: that its own all failed may be luck. */
static inline bool failure_is_of_flaky(const failure *f) {
    return failure_is_flaky(f) || f->alike.repeated < f->alike.reruns;
}

/* The reruns by which to say how often it fails: those of all like it once one of them passed. */
static inline rerun_count failure_evidence(const failure *f) {
    const rerun_count own = {f->reruns, f->repeated};
    return failure_is_of_flaky(f) && f->alike.reruns > own.reruns ? f->alike : own;
}

static inline unsigned failure_reruns_due(const failure *f) {
    return f->signature.kind == SIGNATURE_TIMEOUT ? FAILURE_RERUNS_OF_HANG : FAILURE_RERUNS;
}

static inline bool seed_input_equal(seed_input a, seed_input b) {
    return a.size == b.size && a.seed == b.seed;
}

/* Fewer bytes first; of equal size the smaller seed, so that the best of a set is one. */
static inline bool seed_input_less(seed_input a, seed_input b) {
    return a.size < b.size || (a.size == b.size && a.seed < b.seed);
}

#endif
