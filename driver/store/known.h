/* known.h: a file that keeps the digests of uninteresting test cases from one reduction to the
 * next. A process that can write the file can use it to hide candidates, and for nothing worse. */
#ifndef KNOWN_H
#define KNOWN_H

#include <stddef.h>
#include <stdint.h>

/* A hash of all that the digests depend on: the target, its settings and the input. A file with a
 * different key is useless. */
enum { KNOWN_KEY_SIZE = 32 };

typedef struct known_key {
    uint8_t bytes[KNOWN_KEY_SIZE];
} known_key;

/* Add a part to a key, which begins zeroed. The key depends on all parts and on their order. */
void known_key_add(known_key *key, const void *part, size_t size);

/* The limit of digests in a file. More are not written; a file with more is not read. */
enum { KNOWN_COUNT_MAX = 1 << 22 };

/* A list of digests, none of which is 0; empty when zeroed. */
typedef struct known {
    uint64_t *digests;
    size_t count;
} known;

/* Read a file of an open folder. The list is empty if the file is missing, is broken, or has a
 * different key. */
void known_read(known *k, int folder_fd, const char *name, const known_key *key);
void known_finish(known *k);

/* Replace the file as a whole (atomic_file.h). Return 0 or an errno. EEXIST: a file of another kind
 * has the name, and stays. */
int known_write(int folder_fd, const char *name, const known_key *key, const uint64_t *digests,
                size_t count);

/* Remove the file. A file of another kind stays. */
void known_remove(int folder_fd, const char *name);

#endif
