/* older_target.h: frng_main.h as a target of before, which lacks abilities. Include it in place of
 * frng_main.h, and set older_target_lacks before frng_run. */
#ifndef OLDER_TARGET_H
#define OLDER_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static ssize_t older_target_write(int fd, const void *message, size_t size);
static ssize_t older_target_read(int fd, void *message, size_t size);
#define write older_target_write
#define read older_target_read
#include "frng_main.h"
#undef write
#undef read

/* Flags of HELLO that it does not send. RUN has the same numbers for what they allow, and
 * FRNG_HALF_STYLED, which FRNG_CAN_STYLE allows, too. */
static uint64_t older_target_lacks;

/* True for a message: the report and the entropy are files. */
static bool older_target_is_message(int fd, size_t size) {
    struct stat s;
    return size == sizeof(frng_message) && fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode);
}

static ssize_t older_target_write(int fd, const void *message, size_t size) {
    frng_message m;
    if (!older_target_is_message(fd, size)) return write(fd, message, size);
    memcpy(&m, message, sizeof m);
    if (m.type == FRNG_HELLO) m.flags &= ~older_target_lacks;
    return write(fd, &m, size);
}

/* Abort at an order that needs an ability that is lacking. */
static ssize_t older_target_read(int fd, void *message, size_t size) {
    const bool is_message = older_target_is_message(fd, size);
    const ssize_t received = read(fd, message, size);
    const bool has_styles = (older_target_lacks & FRNG_CAN_STYLE) == 0;
    frng_message m;
    if (!is_message || received <= 0) return received;
    memcpy(&m, message, sizeof m);
    if ((m.flags & older_target_lacks) != 0) abort();
    if (!has_styles && (m.flags & FRNG_HALF_STYLED) != 0) abort();
    return received;
}

#endif
