/* jsonl.h: a search as JSON Lines, for programs. Each line is an object with an `event`. */
#ifndef JSONL_H
#define JSONL_H

#include "observer.h"
#include "subject.h"

#include <stdio.h>

typedef struct jsonl {
    FILE *out;          /* borrowed; NULL: nobody reads, and nothing is written */
    const char *mode;   /* how runs are made; borrowed */
    uint64_t last_size; /* of the last `size` event */
    bool has_size;
    int error; /* errno of the first line that could not be written, or 0 */
} jsonl;

typedef struct jsonl_start {
    const subject *subject;
    const char *version, *strategy;
    uint64_t attempts, size_max, rng_seed;
    unsigned jobs;
} jsonl_start;

void jsonl_write_start(jsonl *j, const jsonl_start *start);

/* A size that the search has come to. While nothing has failed only sizes larger than any before
 * are told, later each change. */
void jsonl_write_size(jsonl *j, const progress *p);

/* A new best, or the smallest failure of another identity (event `other`). */
void jsonl_write_failure(jsonl *j, const failure *f, bool is_best, const progress *p);

/* The last line. `best` is NULL where there is none; outcome is pass, fail, inconclusive or
 * interrupted. */
void jsonl_write_done(jsonl *j, const char *outcome, const failure *best, const progress *p);

/* False when a line could not be written; errno says why. */
bool jsonl_finish(jsonl *j);

#endif
