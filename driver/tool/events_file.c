#include "events_file.h"

#include "files.h"
#include "messages.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* True if a file may end in the middle of a line: it does, or it cannot be read. */
static bool ends_in_line(const char *name, int fd) {
    struct stat status;
    uint64_t size;
    char last = '\0';
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return false;
    const int readable = regular_open(AT_FDCWD, name, 0, &size);
    if (readable < 0) return true;
    if (size > 0) regular_read(readable, size - 1, &last, 1);
    close(readable);
    return size > 0 && last != '\n';
}

bool events_file_open(json_output *o, const char *name) {
    sigset_t held;
    if (strcmp(name, "-") == 0) {
        *o = json_output_on(STDOUT_FILENO, false);
        return true;
    }
    tool_let_through(&held); /* a pipe may have no reader yet */
    const int fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    tool_hold_back(&held);
    if (fd < 0) {
        message_error(errno, "%s: cannot be opened", name);
        return false;
    }
    *o = json_output_on(fd, ends_in_line(name, fd));
    return true;
}

bool events_file_is_stdout(const json_output *o) { return o != NULL && o->fd == STDOUT_FILENO; }

void events_file_close(const json_output *o) {
    if (o != NULL && o->fd != STDOUT_FILENO) close(o->fd);
}
