/* connection: four connections, with operations on one of them each. Fails when an answer comes to
 * a connection that was closed while it waited for one, and opened again.
 *
 * Smallest: nothing but these five, on connection 0.
 *
 *     connection          open 0, send 0 0, close 0, open 0, answer 0
 *         0100340000670001009a00
 */
#include "challenge.h"

enum { CONNECTIONS = 4 };

typedef enum operation { OPEN, SEND, CLOSE, ANSWER, TICK, OPERATIONS } operation;

typedef struct connection {
    bool is_open, waits, is_stale;
} connection;

static bool send_to(frng *f, connection *c) {
    uint8_t length;
    FRNG_TRY(frng_u8(f, &length));
    if (c->is_open) c->waits = true;
    return true;
}

static void answer(connection *c) {
    if (!c->is_open) return;
    FRNG_ASSERT(!c->is_stale, "an answer from before");
    c->waits = false;
}

static bool operate(frng *f, connection *connections) {
    uint8_t drawn, at;
    FRNG_TRY(frng_u8_max(f, OPERATIONS - 1, &drawn));
    FRNG_TRY(frng_u8_max(f, CONNECTIONS - 1, &at));
    connection *c = &connections[at];
    switch ((operation)drawn) {
    case OPEN:
        if (!c->is_open) *c = (connection){.is_open = true, .is_stale = c->waits};
        return true;
    case SEND: return send_to(f, c);
    case CLOSE: c->is_open = false; return true;
    case ANSWER: answer(c); return true;
    case TICK:
    case OPERATIONS: break;
    }
    for (size_t i = 0; i < CONNECTIONS; i++) connections[i].is_stale = false;
    return true;
}

static bool test(frng *f) {
    connection connections[CONNECTIONS] = {{0}};
    for (;;) FRNG_TRY(operate(f, connections));
}
