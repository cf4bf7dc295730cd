/* known.h: digests of what is known to be of no interest, kept in a file from one reduction to the
 * next. A process that can write the file can hide candidates by it, and do nothing worse. */
#ifndef KNOWN_H
#define KNOWN_H

#include <stddef.h>
#include <stdint.h>

/* The question that the digests hold for, and the program it was asked of. A file with another key
 * is of no use. */
enum { KNOWN_KEY_SIZE = 32 };

typedef struct known_key {
    uint8_t bytes[KNOWN_KEY_SIZE];
} known_key;

/* Zeroed it is the key of nothing. All parts that are added count, in their order. */
void known_key_add(known_key *key, const void *part, size_t size);

/* More digests than this are not kept, nor read. */
enum { KNOWN_COUNT_MAX = 1 << 22 };

/* Zeroed it is empty. None is 0. */
typedef struct known {
    uint64_t *digests;
    size_t count;
} known;

/* Read a file of an open folder; what is none, is broken, or has another key, is as good as empty.
 */
void known_read(known *k, int folder_fd, const char *name, const known_key *key);
void known_finish(known *k);

/* Replace the file as a whole (atomic_file.h). Returns 0 or an errno: EEXIST where something else
 * is in its place, which stays. */
int known_write(int folder_fd, const char *name, const known_key *key, const uint64_t *digests,
                size_t count);

/* Remove the file; what is in its place and no such file stays. */
void known_remove(int folder_fd, const char *name);

#endif
