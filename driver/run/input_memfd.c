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

/* Write the inputs of a batch, perhaps behind a table of their ends. A function of its own, so that
 * no value in a register lives across the jump. */
static __attribute__((noinline)) void write_bytes(const input_memfd *e, const batch *b,
                                                  bool has_table) {
    uint64_t end = 0;
    uint8_t *bytes = e->bytes + (has_table ? b->count * sizeof end : 0);
    for (uint32_t i = 0; i < b->count; i++) {
        end += write_input(b, i, bytes + end);
        if (has_table) memcpy(e->bytes + i * sizeof end, &end, sizeof end);
    }
}

static bool write_once(const input_memfd *e, const batch *b, bool has_table) {
    if (sigsetjmp(truncated, 0) != 0) {
        writing = 0;
        return false;
    }
    writing = 1;
    write_bytes(e, b, has_table);
    writing = 0;
    return true;
}

/* Return the bytes of all inputs of a batch. */
static uint64_t bytes_of(const batch *b) {
    const candidate_set *set = b->candidates;
    if (set == NULL) return b->count * b->size;
    const uint32_t first = (uint32_t)b->first_seed;
    return set->ends[first + b->count - 1] - candidate_set_start(set, first);
}

int input_memfd_write(input_memfd *e, const batch *b, bool has_table, uint64_t *size) {
    enum { TRIES = 100 };
    *size = bytes_of(b) + (has_table ? b->count * sizeof(uint64_t) : 0);
    assert(*size <= e->size_max);
    for (int i = 0; i < TRIES; i++) {
        if (ftruncate(e->fd, (off_t)*size) != 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        if (write_once(e, b, has_table)) return 0;
    }
    return EIO;
}

int input_memfd_copy(input_memfd *e, uint64_t size, const uint8_t *bytes) {
    candidate_set one = {.count = 1, .ends = {size}, .bytes = (uint8_t *)(uintptr_t)bytes};
    const batch b = {.count = 1, .candidates = &one};
    return input_memfd_write(e, &b, false, &size);
}
