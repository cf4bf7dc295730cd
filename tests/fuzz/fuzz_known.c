/* The file of digests that a reduction leaves: broken it is as good as empty, whole it is the same
 * when written again. The first byte says whether its key is that of the question. */
#include "fuzz.h"
#include "known.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_AT = 8 };

static int folder = -1;

static void remove_folder(void) {
    char path[64], target[4096];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length > 0) target[length] = '\0';
    unlinkat(folder, "known", 0);
    if (length > 0) rmdir(target);
}

static void make_folder(void) {
    char shared_memory[] = "/dev/shm/frng-fuzz-XXXXXX", disk[] = "/tmp/frng-fuzz-XXXXXX";
    const char *path = mkdtemp(shared_memory);
    if (path == NULL) path = mkdtemp(disk);
    FUZZ_HOLDS(path != NULL);
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    FUZZ_HOLDS(folder >= 0);
    atexit(remove_folder);
}

static void put_file(const uint8_t *bytes, size_t size) {
    const int fd = openat(folder, "known", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_HOLDS(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    known_key key = {{0}};
    known first, second;
    if (folder < 0) make_folder();
    fuzz_input in = {bytes, size};
    const bool is_ours = fuzz_u8(&in) % 8 != 0;
    if (is_ours && in.size >= KEY_AT + KNOWN_KEY_SIZE) {
        memcpy(key.bytes, in.bytes + KEY_AT, KNOWN_KEY_SIZE);
    }
    put_file(in.bytes, in.size);
    known_read(&first, folder, "known", &key);
    FUZZ_HOLDS(first.count <= KNOWN_COUNT_MAX && first.count <= in.size / sizeof(uint64_t));
    FUZZ_HOLDS((first.count == 0) == (first.digests == NULL));
    for (size_t i = 0; i < first.count; i++) FUZZ_HOLDS(first.digests[i] != 0);
    if (first.count > 0) {
        FUZZ_HOLDS(known_write(folder, "known", &key, first.digests, first.count) == 0);
        known_read(&second, folder, "known", &key);
        FUZZ_HOLDS(second.count == first.count);
        FUZZ_HOLDS(memcmp(first.digests, second.digests, first.count * sizeof(uint64_t)) == 0);
        known_finish(&second);
        known_key_add(&key, "x", 1); /* another question */
        known_read(&second, folder, "known", &key);
        FUZZ_HOLDS(second.count == 0);
    }
    known_finish(&first);
    return 0;
}
