/* messages: up to 100 messages in each of many sessions, of a kind, 4 bytes and a priority. Fails
 * when a message has the kind and the checksum of two before it, the sum of their bytes modulo 32,
 * but not their bytes, and all three have a priority of 10 or more: it is dropped.
 *
 * Smallest: no two messages are enough. Of three, the first two have the simplest bytes, and the
 * third has the simplest others with their checksum. Kinds and priorities are the least.
 *
 *     messages            0 00000000 10, 0 00000000 10, 0 00000020 10
 *         100000000000501000000000005010000000002050
 */
#include "challenge.h"

enum { MESSAGES_MAX = 100, PRIORITY = 10, LENGTH = 4 };

typedef struct message {
    uint8_t kind, priority;
    const uint8_t *bytes;
} message;

static bool draw_message(frng *f, message *m) {
    FRNG_TRY(frng_u8_max(f, 3, &m->kind) && frng_bytes(f, LENGTH, &m->bytes));
    return frng_u8_max(f, 31, &m->priority);
}

static unsigned checksum(const message *m) {
    return ((unsigned)m->bytes[0] + m->bytes[1] + m->bytes[2] + m->bytes[3]) % 32u;
}

/* True if two messages that are not alike are taken for one. */
static bool is_taken_for(const message *a, const message *b) {
    if (a->kind != b->kind || memcmp(a->bytes, b->bytes, LENGTH) == 0) return false;
    return a->priority >= PRIORITY && checksum(a) == checksum(b);
}

static bool receive(frng *f) {
    message messages[MESSAGES_MAX];
    for (size_t count = 0;; count++) {
        bool more;
        unsigned others = 0;
        message *now = &messages[count];
        FRNG_TRY(frng_more(f, count, 0, MESSAGES_MAX, &more));
        if (!more) return true;
        FRNG_TRY(draw_message(f, now));
        for (size_t i = 0; i < count; i++) others += is_taken_for(&messages[i], now);
        FRNG_ASSERT(others < 2 || now->priority < PRIORITY, "message %zu is dropped", count);
    }
}

TEST_AGAIN(receive)
