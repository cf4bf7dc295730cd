/* reduction.h: what is told of a reduction, on the way and at its end. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "subject.h"
#include "summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A failure, and the bytes that it comes from: f->input.size of them. */
typedef struct reduction_case {
    const failure *failure;
    const uint8_t *bytes;
    const char *saved; /* a file that has them, or NULL ... */
    bool is_finding;   /* ... as a finding */
} reduction_case;

typedef enum reduction_end {
    REDUCTION_FAILED,       /* `best` is what it became */
    REDUCTION_PASSED,       /* what was given does not fail, */
    REDUCTION_DIFFERENT,    /* or as `seen` says and not as was asked */
    REDUCTION_INCONCLUSIVE, /* it failed as `seen` says, once; `limit` may say why */
    REDUCTION_STOPPED       /* before it failed twice */
} reduction_end;

/* How a reduction ended. All is borrowed. */
typedef struct reduction {
    const subject *subject;
    reduction_end end;
    bool unfinished; /* stopped by a signal, the budget or an error */
    bool tells_draws;
    signature seen;
    failure_cause limit;
    uint64_t size; /* bytes that it began from */
    reduction_case best;
    const reduction_case *others;
    size_t other_count;
    const pass_statistics *passes;
    size_t pass_count;
    progress progress;
    unsigned jobs;
} reduction;

/* Bytes of a result that are shown whole, as hex. */
enum { REDUCTION_SHORT_MAX = 64 };

/* One line for a new best, or for a failure of another signature. */
void reduction_tell(const failure *f, bool is_best, const progress *p);
void reduction_tell_flaky(const failure *f);

/* What is about to be done. `digest` may be NULL. */
void reduction_tell_start(const subject *s, const char *digest, const char *mode, unsigned jobs,
                          uint64_t size);

/* The summary on standard error; with what each pass did. */
void reduction_tell_end(const reduction *r, bool with_passes);

/* The result line, for standard output, ended by a newline: size=2 hex=00ff, or where the bytes
 * are. Freed by the caller; NULL when out of memory. */
char *reduction_result_line(const reduction_case *c);

#endif
