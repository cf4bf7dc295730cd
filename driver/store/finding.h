/* finding.h: write a failure as a small JSON file, and read it. */
#ifndef FINDING_H
#define FINDING_H

#include "event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The versions of the file's format: the second if the seed is styled, so that no reader of the
 * first takes it for a plain one. A reader skips files of a later version than it expects.
 */
enum { FINDING_FORMAT_PLAIN = 1, FINDING_FORMAT_STYLED };

enum {
    FINDING_BYTES_MAX = 64 << 20,                          /* of its entropy, which is hex there */
    FINDING_SIZE_MAX = 2 * FINDING_BYTES_MAX + 1024 * 1024 /* of its file */
};

/* A failure and its target. The writer borrows the pointers. Those of a finding that was read live
 * until finding_free, and are NULL where the file has no value. */
typedef struct finding {
    uint64_t format; /* of the file, as the next */
    uint64_t expand, status;
    const char *sut;        /* path of the target, as the user wrote it */
    const char *sut_digest; /* hex BLAKE2b-256 of the target's file */
    const char **args;      /* arguments of the target, ended by NULL */
    seed_input input;       /* its size is the size of `bytes`, unless that is NULL */
    const uint8_t *bytes;   /* the entropy, or NULL: expand the seed */
    bool is_reduced;        /* the bytes are the result of a whole reduction */
    seed_input from;        /* the seed of the input that was reduced; its size is 0 if unknown */
    signature signature;
    const char *site; /* file:line of the assertion */
    unsigned reruns, repeated;
    const char *when; /* UTC, ISO 8601 */
    remarks remarks;  /* what each draw means; may be none */
    void *owned;      /* private to finding.c */
} finding;

/* True if `a` is the answer rather than `b`, another finding of its bug: one that always failed,
 * then the smaller one, then the simpler one (a result of a reduction, other bytes, a seed), then
 * the one with more reruns. All lists, pages and reports use this order. */
bool finding_is_better(const finding *a, const finding *b);

/* True if a finding is of this program and these arguments. Programs are compared by file name,
 * without their folders. */
bool finding_has_subject(const finding *f, const char *sut, const char *const *args);

/* Return the finding as JSON text, ended by a newline, which the caller frees. NULL when out of
 * memory. */
char *finding_to_json(const finding *f);

/* Parse `size` bytes. On failure return false; *why is a short constant text for the user. */
bool finding_from_json(const char *text, size_t size, finding *f, const char **why);

/* Read and parse a file of at most FINDING_SIZE_MAX bytes; once more if it is gone, or was replaced
 * meanwhile. The rest is as above; on failure errno is as in
 * atomic_file_read, or 0. */
bool finding_read(int folder_fd, const char *path, finding *f, const char **why);

/* Free a finding that was read. */
void finding_free(finding *f);

/* Return the hex BLAKE2b-256 of a file, which the caller frees. On failure return NULL with errno:
 * as regular_open, EFBIG if it has more than REGULAR_SIZE_MAX bytes, EINTR if reading has to stop
 * (regular_should_stop). */
char *finding_digest(const char *path);

#endif
