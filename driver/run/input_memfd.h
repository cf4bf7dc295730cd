/* input_memfd.h: the input of a run in a memory file, mapped once and rewritten for each run. */
#ifndef INPUT_MEMFD_H
#define INPUT_MEMFD_H

#include "seed_input.h"

#include <stdbool.h>
#include <stdint.h>

enum { INPUT_MEMFD_NAME_MAX = 16 };

typedef struct input_memfd {
    int fd;
    uint8_t *bytes;    /* a mapping of size_max bytes; only those in the file may be touched */
    uint64_t size_max; /* bytes */
    int folder_fd;     /* the folder of `name`; a whole path takes three times as long to open */
    char name[INPUT_MEMFD_NAME_MAX]; /* opens the file anew, at offset 0 */
} input_memfd;

/* Returns 0 or an errno. Only this mapping can write the bytes (F_SEAL_FUTURE_WRITE), but a process
 * that opens the path can change the file's length. Therefore this process handles SIGBUS from now
 * on, and may use only one input_memfd at a time. */
int input_memfd_init(input_memfd *e, uint64_t size_max);
void input_memfd_finish(input_memfd *e);

/* Set the file to a copy of bytes, at most size_max. Returns 0 or an errno; EIO if another process
 * kept truncating the file. */
int input_memfd_copy(input_memfd *e, uint64_t size, const uint8_t *bytes);

/* Set the file to the inputs of a batch. With a table, as FRNG_GIVEN expects them: their ends,
 * relative to the end of the table, then their bytes. *size is set to the file's size, at most
 * size_max. Each input of a batch of seeds takes input_memfd_row_bytes of it, with its end. */
int input_memfd_write(input_memfd *e, const batch *b, bool has_table, uint64_t *size);
static inline uint64_t input_memfd_row_bytes(uint64_t size) { return sizeof(uint64_t) + size; }

#endif
