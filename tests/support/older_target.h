/* older_target.h: frng_main.h as a target of before, which lacks abilities. Include it in place of
 * frng_main.h, and set older_target_lacks before frng_run. */
#ifndef OLDER_TARGET_H
#define OLDER_TARGET_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

static ssize_t older_target_send(int fd, const void *message, size_t size, int flags);
static ssize_t older_target_recv(int fd, void *message, size_t size, int flags);
#define send older_target_send
#define recv older_target_recv
#include "frng_main.h"
#undef send
#undef recv

/* Flags of HELLO that it does not send. RUN has the same numbers for what they allow, and
 * FRNG_HALF_STYLED, which FRNG_CAN_STYLE allows, too. */
static uint64_t older_target_lacks;

static ssize_t older_target_send(int fd, const void *message, size_t size, int flags) {
    frng_message m;
    memcpy(&m, message, sizeof m);
    if (m.type == FRNG_HELLO) m.flags &= ~older_target_lacks;
    return send(fd, &m, size, flags);
}

/* Abort at an order that needs an ability that is lacking. */
static ssize_t older_target_recv(int fd, void *message, size_t size, int flags) {
    const ssize_t received = recv(fd, message, size, flags);
    const bool has_styles = (older_target_lacks & FRNG_CAN_STYLE) == 0;
    frng_message m;
    memcpy(&m, message, sizeof m);
    if (received > 0 && (m.flags & older_target_lacks) != 0) abort();
    if (received > 0 && !has_styles && (m.flags & FRNG_HALF_STYLED) != 0) abort();
    return received;
}

#endif
