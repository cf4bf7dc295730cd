/* input_memfd.h: the bytes that a run reads: a memory file, mapped once and rewritten for each run.
 */
#ifndef INPUT_MEMFD_H
#define INPUT_MEMFD_H

#include <stdbool.h>
#include <stdint.h>

enum { INPUT_MEMFD_NAME_MAX = 16 };

typedef struct input_memfd {
    int fd;
    uint8_t *bytes;    /* size_max bytes are mapped, those below the file's length may be touched */
    uint64_t size_max; /* bytes */
    int folder_fd;     /* in which `name` opens the file anew, at its start: a third of the cost */
    char name[INPUT_MEMFD_NAME_MAX]; /* of a whole path */
} input_memfd;

/* Returns 0 or an errno. Only this mapping can write the bytes (F_SEAL_FUTURE_WRITE), but a process
 * that opens the path can change the file's length, so this process handles SIGBUS from then on:
 * one at a time may be used. */
int input_memfd_init(input_memfd *e, uint64_t size_max);
void input_memfd_finish(input_memfd *e);

/* Make it the `size` bytes (at most size_max) expanded from `seed`, or copied from `bytes`.
 * Returns 0 or an errno; EIO where another process kept truncating the file meanwhile. */
int input_memfd_expand(input_memfd *e, uint64_t size, uint64_t seed);
int input_memfd_copy(input_memfd *e, uint64_t size, const uint8_t *bytes);

/* Or a row of `count` cases, as FRNG_GIVEN has it: a table of where they end, behind the table,
 * then their bytes. Case i is bytes[ends[i - 1]] to before bytes[ends[i]], the first one begins at
 * `start`. *size becomes the file's, at most size_max. */
int input_memfd_copy_row(input_memfd *e, const uint8_t *bytes, uint64_t start, const uint64_t *ends,
                         uint32_t count, uint64_t *size);

#endif
