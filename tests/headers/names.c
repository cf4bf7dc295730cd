/* names.c: a test of a simulated network, which gives names of <sys/socket.h> other meanings. The
 * headers must leave them to it. SPDX-License-Identifier: MIT */
#include "frng_main.h"

static int inbox;
static bool is_open;

static bool socket(void) { return !is_open; }
static bool bind(void) { return is_open = socket(); }
static bool listen(void) { return is_open; }
static bool accept(void) { return listen(); }
static bool connect(void) { return accept(); }
static bool send(int message) { return is_open && (inbox = message) >= 0; }
static bool sendto(int message) { return send(message); }
static int recv(void) { return inbox; }
static int recvfrom(void) { return recv(); }
static void shutdown(void) { is_open = false; }

static bool test(frng *f) {
    uint8_t message;
    FRNG_TRY(frng_u8(f, &message));
    FRNG_ASSERT(bind() && connect() && sendto(message) && recvfrom() == message);
    shutdown();
    return !send(message);
}

FRNG_MAIN(test)
