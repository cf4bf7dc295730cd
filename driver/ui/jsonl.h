/* jsonl.h: a search or a reduction as JSON Lines, for programs. Each line is an object with an
 * `event`. */
#ifndef JSONL_H
#define JSONL_H

#include "event.h"
#include "file_report.h"
#include "reduction.h"
#include "subject.h"

#include <stdio.h>

typedef struct jsonl {
    FILE *out;               /* borrowed; NULL: nobody reads, and nothing is written */
    const char *mode;        /* how runs are made; borrowed */
    const char *containment; /* of workers, in words; NULL: not told */
    uint64_t last_size;      /* of the last `size` event */
    bool has_size;
    int error; /* errno of the first line that could not be written, or 0 */
} jsonl;

typedef struct jsonl_start {
    const subject *subject;
    const char *version;
    uint64_t attempts, size_max, rng_seed;
    unsigned jobs;
} jsonl_start;

void jsonl_write_start(jsonl *j, const jsonl_start *start);

/* A size that the search has come to. While nothing has failed only sizes larger than any before
 * are told, later each change. */
void jsonl_write_size(jsonl *j, const progress *p);

/* A new best, or the smallest failure of another signature (event `other`). */
void jsonl_write_failure(jsonl *j, const failure *f, bool is_best, const progress *p);

/* The last line. `best` is NULL where there is none; outcome is pass, fail, inconclusive or
 * interrupted; an inconclusive one has a `reason`: flaky, timeout or memory, by best->cause, or
 * unconfirmed where it was never run again. */
void jsonl_write_done(jsonl *j, const char *outcome, const failure *best, const progress *p);

/* ---- A reduction ---- */

typedef struct jsonl_reduction_start {
    const subject *subject;
    const char *version;
    uint64_t size; /* bytes that it begins from */
    unsigned jobs;
} jsonl_reduction_start;

/* Bytes of an event that are in it, as hex. */
enum { JSONL_HEX_MAX = 4096 };

void jsonl_write_reduction_start(jsonl *j, const jsonl_reduction_start *start);

/* A new best, or a failure of another signature (event `other`). */
void jsonl_write_reduced(jsonl *j, const reduction_case *c, bool is_best, const progress *p);

/* The last line. outcome is fail, pass, inconclusive, interrupted or error. */
void jsonl_write_reduction_done(jsonl *j, const char *outcome, const reduction *r);

/* ---- A file ---- */

/* Subjects are predicates, as in file_report.h. */
typedef struct jsonl_file_start {
    const subject *subject;
    const char *file, *output, *version;
    uint64_t size; /* bytes of the file */
    unsigned jobs;
} jsonl_file_start;

void jsonl_write_file_start(jsonl *j, const jsonl_file_start *start);

/* The output of an earlier reduction, of so many bytes, is what it begins from. */
void jsonl_write_file_resumed(jsonl *j, const char *output, uint64_t size);

void jsonl_write_file_best(jsonl *j, const reduction_case *c, const progress *p);

/* The last line. outcome is interesting, uninteresting, inconclusive, interrupted or error; without
 * a best (NULL failure) what is told of it is null. */
void jsonl_write_file_done(jsonl *j, const char *outcome, const file_report *r);

/* False when a line could not be written; errno says why. */
bool jsonl_finish(jsonl *j);

#endif
