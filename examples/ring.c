/* ring.c: the receive buffer of a serial port, shared by an interrupt and a main loop.
 *
 * A single-producer, single-consumer ring without locks: the interrupt alone moves `tail`, the
 * main loop alone moves `head`. Both run freely through all values of a byte, which a small
 * processor loads and stores in one piece, and are cut down to the size of the ring where they
 * index it. So head == tail is empty, tail - head is how many bytes wait, and no slot is wasted.
 *
 * The main loop's read is cut where an interrupt can come: entropy decides who runs next.
 *
 * The bug: the test for "full". See ring.md. Build with -DFIXED for the version without it. */
#include <frng_main.h>

enum { RING_SIZE = 64, BURST_MAX = 24, READ_MAX = 48 };

typedef struct ring {
    uint8_t slots[RING_SIZE];
    uint8_t head; /* the next byte to read; the main loop's */
    uint8_t tail; /* the next slot to fill; the interrupt's */
} ring;

static bool ring_full(const ring *r) {
#ifdef FIXED
    return (uint8_t)(r->tail - r->head) >= RING_SIZE;
#else
    return r->tail - r->head >= RING_SIZE;
#endif
}

/* The interrupt: a byte has come in. False when there is no room, and the sender has to wait. */
static bool ring_put(ring *r, uint8_t byte) {
    if (ring_full(r)) return false;
    r->slots[r->tail % RING_SIZE] = byte;
    r->tail++;
    return true;
}

/* ---- The main loop's read, as the steps between which an interrupt can come ---- */

typedef enum read_phase { READ_IDLE, READ_COPY, READ_RELEASE } read_phase;

typedef struct reader {
    read_phase phase;
    uint8_t at;  /* the next byte to copy; becomes `head` when the read is done */
    uint8_t end; /* copy no further: `tail` when the read began, or as much as was asked for */
} reader;

static void reader_begin(reader *d, const ring *r, uint8_t count_max) {
    d->at = r->head;
    d->end = r->head;
    while (d->end != r->tail && count_max-- > 0) d->end++;
    d->phase = READ_COPY;
}

static uint8_t reader_copy(reader *d, const ring *r) {
    const uint8_t byte = r->slots[d->at % RING_SIZE];
    d->at++;
    return byte;
}

static void reader_release(reader *d, ring *r) {
    r->head = d->at;
    d->phase = READ_IDLE;
}

/* ---- The test ---- */

typedef struct line {
    ring ring;
    reader reader;
    uint64_t sent; /* bytes that the ring has taken */
    uint64_t read;
} line;

/* The n-th byte of the stream. 251 is prime, so that a byte from another lap of the ring, or of
 * the indices, is another byte. */
static uint8_t stream_byte(uint64_t n) { return (uint8_t)(n % 251); }

/* Some bytes come in, all before the main loop gets to run again. */
static bool step_interrupts(frng *f, line *l) {
    uint8_t count;
    uint64_t before = l->sent;
    frng_note(f, "burst");
    FRNG_TRY(frng_u8_range(f, 1, BURST_MAX, &count));
    while (count-- > 0 && ring_put(&l->ring, stream_byte(l->sent))) l->sent++;
    frng_say(f, "interrupt: takes %u, tail = %u", (unsigned)(l->sent - before), l->ring.tail);
    return true;
}

static void check_copy(line *l) {
    const uint8_t want = stream_byte(l->read);
    const uint8_t got = reader_copy(&l->reader, &l->ring);
    FRNG_ASSERT(got == want, "byte %llu is %u and was sent as %u: overwritten before it was read",
                (unsigned long long)l->read, got, want);
    l->read++;
}

/* The main loop goes on, some bytes further. */
static bool step_main_loop(frng *f, line *l) {
    reader *d = &l->reader;
    uint8_t count;
    switch (d->phase) {
    case READ_IDLE:
        frng_note(f, "read at most");
        FRNG_TRY(frng_u8_range(f, 1, READ_MAX, &count));
        reader_begin(d, &l->ring, count);
        frng_say(f, "main: reads from %u up to %u", d->at, d->end);
        break;
    case READ_COPY:
        frng_note(f, "copy");
        FRNG_TRY(frng_u8_range(f, 1, READ_MAX, &count));
        while (d->at != d->end && count-- > 0) check_copy(l);
        if (d->at == d->end) d->phase = READ_RELEASE;
        frng_say(f, "main: has copied up to %u", d->at);
        break;
    case READ_RELEASE:
        reader_release(d, &l->ring);
        frng_say(f, "main: releases, head = %u", l->ring.head);
        break;
    }
    return true;
}

static bool step(frng *f, line *l) {
    bool interrupt;
    frng_note(f, "interrupt");
    FRNG_TRY(frng_bool(f, &interrupt));
    return interrupt ? step_interrupts(f, l) : step_main_loop(f, l);
}

/* Everything is on the stack and nothing is owned, so that FRNG_TRY may return from here. */
static bool test(frng *f) {
    line l = {.sent = 0};
    for (;;) FRNG_TRY(step(f, &l));
}

FRNG_MAIN(test)
