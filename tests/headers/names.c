/* names.c: a test of a simulated network, which gives names of <sys/socket.h> other meanings. The
 * headers must leave them to it. SPDX-License-Identifier: MIT */
#include "frng_main.h"

typedef struct peer {
    int queue[4], count;
    bool is_open;
} peer;

static peer *socket(peer *p) {
    p->count = 0;
    p->is_open = false;
    return p;
}

static bool bind(peer *p) { return (p->is_open = true); }
static bool listen(const peer *p) { return p->is_open; }
static bool connect(const peer *p, const peer *to) { return p != to && listen(to); }
static bool accept(const peer *p) { return listen(p); }
static void shutdown(peer *p) { p->is_open = false; }

static bool send(peer *to, int message) {
    if (!accept(to) || to->count == 4) return false;
    to->queue[to->count++] = message;
    return true;
}

static int recv(peer *p) { return p->count > 0 ? p->queue[--p->count] : -1; }
static bool sendto(peer *to, int message) { return send(to, message); }
static int recvfrom(peer *p) { return recv(p); }

static bool test(frng *f) {
    peer a, b;
    uint8_t message;
    FRNG_TRY(frng_u8(f, &message));
    socket(&a);
    FRNG_ASSERT(bind(socket(&b)) && connect(&a, &b));
    FRNG_ASSERT(sendto(&b, message) && recvfrom(&b) == message);
    shutdown(&b);
    return !send(&b, message);
}

FRNG_MAIN(test)
