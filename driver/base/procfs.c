#include "procfs.h"

#include <fcntl.h>
#include <unistd.h>

static int held = -1;

void procfs_hold(void) {
    if (held < 0) held = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void procfs_drop(void) {
    if (held >= 0) close(held);
    held = -1;
}

FILE *procfs_open(const char *path) {
    procfs_hold();
    const int fd = openat(held, path, O_RDONLY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && file == NULL) close(fd);
    return file;
}

DIR *procfs_open_threads(pid_t pid) {
    char path[32];
    procfs_hold();
    snprintf(path, sizeof path, "%d/task", (int)pid);
    const int fd = openat(held, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && list == NULL) close(fd);
    return list;
}
