/* cobs.c: consistent overhead byte stuffing (Cheshire and Baker, 1999), there and back.
 *
 * COBS takes the zeros out of a packet, so that a zero can mark its end on the wire. The packet is
 * cut at its zeros into blocks: a code byte, which is the count of the bytes that follow plus 1,
 * and these bytes. After each block but the last the decoder puts a zero. A block of 254 bytes,
 * code 255, is full: it ends without a zero, because there may be none.
 *
 * The encoder works byte by byte, as a driver does, with a few bytes of state.
 *
 * The bug: a flag that lives too long. See cobs.md. Build with -DFIXED for the version without it.
 *
 * This program has a main of its own: `cobs 11 22 00` is a tool, `cobs` alone is the test. */
#include <frng_main.h>

enum { CODE_FULL = 255, PACKET_MAX = 1024, TEXT_MAX = 64, CHUNKS_MAX = 16 };

typedef struct encoder {
    uint8_t *out;    /* the caller's, with room for cobs_bound() */
    size_t size;     /* written, the open block's code too */
    size_t code;     /* where the open block's code goes */
    bool after_full; /* the block before was full, and the open one has nothing to say */
} encoder;

/* At most this many bytes come out of a packet of `size` bytes. */
static size_t cobs_bound(size_t size) { return size + size / (CODE_FULL - 1) + 1; }

static void block_open(encoder *e) { e->code = e->size++; }

static void block_close(encoder *e) { e->out[e->code] = (uint8_t)(e->size - e->code); }

static encoder cobs_begin(uint8_t *out) {
    encoder e = {.out = out};
    block_open(&e);
    return e;
}

static void cobs_put(encoder *e, uint8_t byte) {
#ifdef FIXED
    e->after_full = false;
#endif
    if (byte == 0) {
        block_close(e);
        block_open(e);
        return;
    }
    e->after_full = false;
    e->out[e->size++] = byte;
    if (e->size - e->code == CODE_FULL) {
        block_close(e);
        block_open(e);
        e->after_full = true;
    }
}

/* The size of what was written. A last block that is empty stands for a zero before it, unless a
 * full block is before it: then it stands for nothing, and is left out. */
static size_t cobs_end(encoder *e) {
    if (e->after_full) return e->size - 1;
    block_close(e);
    return e->size;
}

/* False if `in` is no COBS; else *out_size bytes are in `out`, which has room for `size`. */
static bool cobs_decode(const uint8_t *in, size_t size, uint8_t *out, size_t *out_size) {
    *out_size = 0;
    for (size_t at = 0; at < size;) {
        const uint8_t code = in[at];
        if (code == 0 || code > size - at) return false;
        memcpy(out + *out_size, in + at + 1, (size_t)code - 1);
        *out_size += (size_t)code - 1;
        at += code;
        if (code != CODE_FULL && at < size) out[(*out_size)++] = 0;
    }
    return true;
}

static uint8_t *allocate(size_t size) {
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        perror("cobs");
        exit(FRNG_EXIT_CANNOT_JUDGE); /* the machine's fault, not a finding */
    }
    return bytes;
}

/* ---- The test ---- */

typedef struct packet {
    size_t size;
    uint8_t bytes[PACKET_MAX + TEXT_MAX];
} packet;

/* Encode, decode, compare. Owns memory, so it draws nothing; the sizes are exact, so that a
 * sanitizer sees the first byte out of bounds. */
static void check_round_trip(const packet *p) {
    uint8_t *encoded = allocate(cobs_bound(p->size));
    encoder e = cobs_begin(encoded);
    for (size_t i = 0; i < p->size; i++) cobs_put(&e, p->bytes[i]);
    const size_t size = cobs_end(&e);

    uint8_t *decoded = allocate(size + 1);
    size_t decoded_size;
    FRNG_ASSERT(memchr(encoded, 0, size) == NULL, "a zero in the code of %zu bytes", p->size);
    FRNG_ASSERT(cobs_decode(encoded, size, decoded, &decoded_size), "%zu bytes became no COBS",
                p->size);
    FRNG_ASSERT(decoded_size == p->size, "%zu bytes went in, %zu came out", p->size, decoded_size);
    FRNG_ASSERT(memcmp(decoded, p->bytes, p->size) == 0, "%zu bytes came out changed", p->size);
    free(decoded);
    free(encoded);
}

/* A few zeros, or a stretch of text: a byte drawn for a length reaches much further than a byte
 * drawn for a byte. */
static bool draw_chunk(frng *f, packet *p) {
    uint8_t kind, count, first;
    frng_note(f, "text or zeros");
    FRNG_TRY(frng_u8_max(f, 3, &kind));
    frng_note(f, "count");
    if (kind == 0) {
        FRNG_TRY(frng_u8_range(f, 1, 4, &count));
        while (count-- > 0) p->bytes[p->size++] = 0;
        return true;
    }
    FRNG_TRY(frng_u8_range(f, 1, TEXT_MAX, &count));
    frng_note(f, "first byte");
    FRNG_TRY(frng_u8_range(f, 1, UINT8_MAX, &first));
    while (count-- > 0) {
        p->bytes[p->size++] = first;
        first = first == UINT8_MAX ? 1 : (uint8_t)(first + 1);
    }
    return true;
}

static bool step(frng *f) {
    packet p;
    uint8_t chunks;
    p.size = 0;
    frng_note(f, "chunks");
    FRNG_TRY(frng_u8_max(f, CHUNKS_MAX, &chunks));
    while (chunks-- > 0 && p.size < PACKET_MAX) FRNG_TRY(draw_chunk(f, &p));
    check_round_trip(&p);
    return true;
}

static bool test(frng *f) {
    for (;;) FRNG_TRY(step(f));
}

/* ---- The program ---- */

/* Print the code of the packet that the arguments spell in hex. */
static int encode_arguments(int count, char **arguments) {
    uint8_t *out = allocate(cobs_bound((size_t)count));
    encoder e = cobs_begin(out);
    for (int i = 0; i < count; i++) cobs_put(&e, (uint8_t)strtoul(arguments[i], NULL, 16));
    const size_t size = cobs_end(&e);
    for (size_t i = 0; i < size; i++) printf("%02x%c", out[i], i + 1 < size ? ' ' : '\n');
    free(out);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) return encode_arguments(argc - 1, argv + 1);
    return frng_run(test);
}
