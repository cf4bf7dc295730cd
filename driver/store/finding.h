/* finding.h: a failure as a small JSON file, and back. */
#ifndef FINDING_H
#define FINDING_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of the file's format. A reader skips files of a later one. */
enum { FINDING_FORMAT = 1 };

enum {
    FINDING_BYTES_MAX = 64 << 20,                          /* of entropy in it, as hex */
    FINDING_SIZE_MAX = 2 * FINDING_BYTES_MAX + 1024 * 1024 /* of a file */
};

/* A failure, and the program that it was found in. Pointers are borrowed when it is written; when
 * it was read they live until finding_free. NULL where the file said nothing. */
typedef struct finding {
    const char *sut;        /* as the user named it */
    const char *sut_digest; /* hex BLAKE2b-256 of its file */
    const char **args;      /* ended by NULL */
    seed_input input;       /* size is that of the bytes where there are bytes */
    const uint8_t *bytes;   /* the entropy itself, or NULL: expand the seed */
    signature signature;
    const char *site; /* file:line of the assertion */
    unsigned reruns, repeated;
    const char *when; /* UTC, ISO 8601 */
    void *owned;      /* private to finding.c */
} finding;

/* JSON text, ended by a newline; freed by the caller. NULL when out of memory. */
char *finding_to_json(const finding *f);

/* Parse `size` bytes. On failure false, and *why is a few constant words for a person. */
bool finding_from_json(const char *text, size_t size, finding *f, const char **why);

/* The same for a file, of at most FINDING_SIZE_MAX bytes. */
bool finding_read(int folder_fd, const char *path, finding *f, const char **why);

void finding_free(finding *f); /* one that was read */

/* Hex BLAKE2b-256 of a file, freed by the caller; NULL with errno: EINVAL for what is no regular
 * file, EFBIG for one of more than REGULAR_SIZE_MAX bytes, EINTR when reading has to stop
 * (regular_should_stop). */
char *finding_digest(const char *path);

#endif
