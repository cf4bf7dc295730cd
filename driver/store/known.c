#include "known.h"

#include "atomic_file.h"
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file consists of these bytes, the last of which is the version of the format; the key; the
 * count; and the digests. The count and each digest take 8 bytes, little-endian. */
static const uint8_t magic[8] = {'f', 'r', 'n', 'g', 'k', 'n', 'w', 1};

enum { WORD = 8, HEAD_SIZE = sizeof magic + KNOWN_KEY_SIZE + WORD };

static void put_word(uint8_t *to, uint64_t value) {
    for (int i = 0; i < WORD; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get_word(const uint8_t *from) {
    uint64_t value = 0;
    for (int i = 0; i < WORD; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

/* ---- Keys ---- */

void known_key_add(known_key *key, const void *part, size_t size) {
    const known_key before = *key;
    crypto_generichash(key->bytes, sizeof key->bytes, part, size, before.bytes,
                       sizeof before.bytes);
}

/* ---- Files ---- */

/* Read the digests of a file that has `size` bytes after its head, by its count. */
static void read_digests(known *k, int fd, uint64_t size) {
    uint8_t *bytes = malloc(size);
    k->digests = malloc(size);
    if (bytes != NULL && k->digests != NULL &&
        regular_read(fd, HEAD_SIZE, bytes, size) == (ssize_t)size) {
        for (uint64_t at = 0; at < size; at += WORD) {
            const uint64_t digest = get_word(bytes + at);
            if (digest != 0) k->digests[k->count++] = digest;
        }
    }
    free(bytes);
}

static void read_file(known *k, int fd, uint64_t size, const known_key *key) {
    uint8_t head[HEAD_SIZE];
    if (regular_read(fd, 0, head, sizeof head) != HEAD_SIZE) return;
    const uint64_t count = get_word(head + HEAD_SIZE - WORD);
    if (memcmp(head, magic, sizeof magic) != 0) return;
    if (memcmp(head + sizeof magic, key->bytes, KNOWN_KEY_SIZE) != 0) return;
    if (count == 0 || count > KNOWN_COUNT_MAX) return;
    if (size != HEAD_SIZE + count * WORD) return;
    read_digests(k, fd, count * WORD);
}

void known_read(known *k, int folder_fd, const char *name, const known_key *key) {
    uint64_t size;
    *k = (known){NULL, 0};
    const int fd = regular_open(folder_fd, name, O_NOFOLLOW, &size);
    if (fd < 0) return;
    read_file(k, fd, size, key);
    close(fd);
    if (k->count == 0) known_finish(k);
}

void known_finish(known *k) {
    free(k->digests);
    *k = (known){NULL, 0};
}

/* True if the name is free or is that of a file by known_write, of any version, even one cut short
 * at any byte. */
static bool is_free_or_ours(int folder_fd, const char *name) {
    uint8_t head[sizeof magic - 1]; /* without the version */
    struct stat status;
    uint64_t whole;
    const int fd = regular_open(folder_fd, name, O_NOFOLLOW, &whole);
    if (fd < 0) return fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0;
    const ssize_t size = regular_read(fd, 0, head, sizeof head);
    close(fd);
    return size >= 0 && memcmp(head, magic, (size_t)size) == 0;
}

void known_remove(int folder_fd, const char *name) {
    if (is_free_or_ours(folder_fd, name)) unlinkat(folder_fd, name, 0);
}

int known_write(int folder_fd, const char *name, const known_key *key, const uint64_t *digests,
                size_t count) {
    if (count > KNOWN_COUNT_MAX) count = KNOWN_COUNT_MAX;
    if (!is_free_or_ours(folder_fd, name)) return EEXIST;
    const size_t size = HEAD_SIZE + count * WORD;
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) return ENOMEM;
    memcpy(bytes, magic, sizeof magic);
    memcpy(bytes + sizeof magic, key->bytes, KNOWN_KEY_SIZE);
    put_word(bytes + HEAD_SIZE - WORD, count);
    for (size_t i = 0; i < count; i++) put_word(bytes + HEAD_SIZE + i * WORD, digests[i]);
    const int error = atomic_file_write(folder_fd, name, bytes, size);
    free(bytes);
    return error;
}
