/* run_length: up to 64 bytes of eight values, encoded and decoded. A run of two bytes or more is
 * the byte twice, then how many more there are. The decoder takes that count for a byte that the
 * next may repeat. Fails when what comes out is not what went in.
 *
 * Smallest: [1, 1, 0]. The count after the pair is 0, and the 0 behind it looks like its second. A
 * run of two zeros has the count 0 as well, but no zero can follow it.
 *
 *     run_length      [1, 1, 0]  000000002000000000200000000000000000e0
 */
#include "challenge.h"

enum { BYTES_MAX = 64 };

typedef struct buffer {
    uint8_t bytes[2 * BYTES_MAX];
    size_t size;
} buffer;

static void encode(const buffer *in, buffer *out) {
    size_t run;
    out->size = 0;
    for (size_t i = 0; i < in->size; i += run) {
        for (run = 1; i + run < in->size && in->bytes[i + run] == in->bytes[i];) run++;
        out->bytes[out->size++] = in->bytes[i];
        if (run == 1) continue;
        out->bytes[out->size++] = in->bytes[i];
        out->bytes[out->size++] = (uint8_t)(run - 2);
    }
}

/* False if that is no code, or too long. */
static bool decode(const buffer *in, buffer *out) {
    int previous = -1;
    out->size = 0;
    for (size_t i = 0; i < in->size; i++) {
        const uint8_t byte = in->bytes[i];
        if (out->size == sizeof out->bytes) return false;
        out->bytes[out->size++] = byte;
        if (byte == previous) {
            if (++i == in->size || in->bytes[i] > sizeof out->bytes - out->size) return false;
            memset(out->bytes + out->size, byte, in->bytes[i]);
            out->size += in->bytes[i];
        }
        previous = in->bytes[i];
    }
    return true;
}

static bool test(frng *f) {
    buffer in, code, out;
    for (in.size = 0; in.size < BYTES_MAX; in.size++) {
        bool more;
        FRNG_TRY(frng_chance(f, 7, 8, &more));
        if (!more) break;
        FRNG_TRY(frng_u8_max(f, 7, &in.bytes[in.size]));
    }
    encode(&in, &code);
    const bool decoded = decode(&code, &out);
    FRNG_ASSERT(decoded && out.size == in.size && memcmp(out.bytes, in.bytes, in.size) == 0,
                "%zu bytes went in", in.size);
    return true;
}
