/* codec: runs of bytes are packed and unpacked. A run of 128 to 160 after a literal of more than
 * two bytes is packed into a count that does not fit. Texts have runs: a byte and how many. */
#include <frng_main.h>

enum { TEXT = 2048 };

typedef struct text {
    uint8_t bytes[3 * TEXT];
    size_t size;
} text;

static void put(text *t, uint8_t byte) { t->bytes[t->size++] = byte; }

static void pack(const text *in, text *out) {
    size_t literal = 0;
    out->size = 0;
    for (size_t at = 0, run; at < in->size; at += run) {
        for (run = 1; at + run < in->size && in->bytes[at + run] == in->bytes[at]; run++) {
        }
        const size_t limit = literal > 2 ? 160 : 127;
        if (run > limit) run = limit;
        literal = run == 1 ? literal + 1 : 0;
        put(out, (uint8_t)(run > 1 ? 0x80 | (run & 0x7f) : 1));
        put(out, in->bytes[at]);
    }
}

static void unpack(const text *in, text *out) {
    out->size = 0;
    for (size_t at = 0; at + 1 < in->size; at += 2) {
        const size_t run = in->bytes[at] & 0x7f;
        for (size_t i = 0; i < run; i++) put(out, in->bytes[at + 1]);
    }
}

static bool draw_text(frng *f, text *t) {
    t->size = 0;
    for (;;) {
        bool more;
        uint8_t byte, count;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) return true;
        FRNG_TRY(frng_u8(f, &byte));
        FRNG_TRY(frng_u8_max(f, 3, &count));
        if (count == 3) FRNG_TRY(frng_u8(f, &count));
        if (t->size + count >= TEXT) return true;
        for (int i = 0; i <= count; i++) put(t, byte);
    }
}

static bool test(frng *f) {
    static text in, packed, out;
    FRNG_TRY(draw_text(f, &in));
    pack(&in, &packed);
    unpack(&packed, &out);
    FRNG_ASSERT(in.size == out.size && memcmp(in.bytes, out.bytes, in.size) == 0,
                "%zu bytes are %zu", in.size, out.size);
    return true;
}

FRNG_MAIN(test)
