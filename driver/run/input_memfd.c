#include "input_memfd.h"

#include "candidate_set.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Handles SIGBUS. A target can open its stdin for writing and truncate it. A straggler of an
 * earlier run may do so while this process writes the next run's bytes; the write then raises
 * SIGBUS. */
static sigjmp_buf truncated;
static volatile sig_atomic_t writing;

static void on_bus_error(int number) {
    if (writing) siglongjmp(truncated, 1);
    signal(number, SIG_DFL);
    raise(number);
}

int input_memfd_init(input_memfd *e, uint64_t size_max) {
    const struct sigaction action = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};
    e->size_max = size_max;
    e->bytes = NULL;
    e->fd = memfd_create("entropy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (e->fd < 0) return errno;
    void *mapping = mmap(NULL, size_max > 0 ? size_max : 1, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_NORESERVE, e->fd, 0);
    e->folder_fd =
        mapping != MAP_FAILED ? open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (e->folder_fd < 0) {
        const int error = errno;
        if (mapping != MAP_FAILED) munmap(mapping, size_max > 0 ? size_max : 1);
        close(e->fd);
        return error;
    }
    e->bytes = mapping;
    fcntl(e->fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE); /* old kernels lack this seal */
    fcntl(e->fd, F_ADD_SEALS, F_SEAL_SEAL); /* or a run may seal the length for all later runs */
    snprintf(e->name, sizeof e->name, "%d", e->fd);
    sigaction(SIGBUS, &action, NULL);
    return 0;
}

void input_memfd_finish(input_memfd *e) {
    munmap(e->bytes, e->size_max > 0 ? e->size_max : 1);
    close(e->folder_fd);
    close(e->fd);
}

/* What is written; all but one member are NULL. */
typedef struct source {
    const uint8_t *copied; /* bytes */
    const seed_input *expanded;
    const batch *row; /* a table of ends comes before its inputs */
} source;

/* Write input `i` of a batch. Returns its size. */
static uint64_t write_input(const batch *b, uint32_t i, uint8_t *bytes) {
    const candidate_set *set = b->candidates;
    if (set == NULL) {
        const seed_input t = batch_input(b, i);
        seed_input_expand(&t, bytes);
        return t.size;
    }
    const uint32_t at = (uint32_t)b->first_seed + i;
    const uint64_t size = candidate_set_size(set, at);
    if (size > 0) memcpy(bytes, candidate_set_bytes(set, at), size);
    return size;
}

static void write_row(const input_memfd *e, const batch *b) {
    uint8_t *bytes = e->bytes + b->count * sizeof(uint64_t);
    uint64_t end = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        end += write_input(b, i, bytes + end);
        memcpy(e->bytes + i * sizeof end, &end, sizeof end);
    }
}

/* Return the bytes of all inputs of a batch. */
static uint64_t row_bytes(const batch *b) {
    const candidate_set *set = b->candidates;
    if (set == NULL) return b->count * b->size;
    const uint32_t first = (uint32_t)b->first_seed;
    return set->ends[first + b->count - 1] - candidate_set_start(set, first);
}

/* Write the bytes. A function of its own, so that no value in a register lives across the jump. */
static __attribute__((noinline)) void write_bytes(const input_memfd *e, uint64_t size,
                                                  const source *from) {
    if (from->row != NULL) {
        write_row(e, from->row);
    } else if (from->expanded != NULL) {
        seed_input_expand(from->expanded, e->bytes);
    } else if (size > 0) {
        memcpy(e->bytes, from->copied, size);
    }
}

static bool write_once(input_memfd *e, uint64_t size, const source *from) {
    if (sigsetjmp(truncated, 0) != 0) {
        writing = 0;
        return false;
    }
    writing = 1;
    write_bytes(e, size, from);
    writing = 0;
    return true;
}

static int write_all(input_memfd *e, uint64_t size, const source *from) {
    enum { TRIES = 100 };
    assert(size <= e->size_max);
    for (int i = 0; i < TRIES; i++) {
        if (ftruncate(e->fd, (off_t)size) != 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        if (write_once(e, size, from)) return 0;
    }
    return EIO;
}

int input_memfd_expand(input_memfd *e, const seed_input *t) {
    return write_all(e, t->size, &(source){.expanded = t});
}

int input_memfd_copy(input_memfd *e, uint64_t size, const uint8_t *bytes) {
    return write_all(e, size, &(source){.copied = bytes});
}

int input_memfd_row(input_memfd *e, const batch *b, uint64_t *size) {
    *size = b->count * sizeof(uint64_t) + row_bytes(b);
    return write_all(e, *size, &(source){.row = b});
}
