/* libcbor: small half-precision numbers lose their last bits.
 *
 * Library: libcbor's encoder
 * Bug: a half-precision number below 2^-14 that is read is written as another one
 * Packages: libcbor-dev
 * Link: -lcbor
 *
 * cbor.h: cbor_load "Loads data item from a buffer", cbor_serialize "Serialize the given item". RFC
 * 8949 gives each of the 2^16 half-precision numbers three bytes; so what was read comes back.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <cbor.h>
#include <math.h>

static void check(uint16_t half) {
    const uint8_t bytes[3] = {0xf9, (uint8_t)(half >> 8), (uint8_t)half};
    uint8_t back[9] = {0};
    struct cbor_load_result result;
    cbor_item_t *item = cbor_load(bytes, sizeof bytes, &result);
    FRNG_ASSERT(item != NULL, "%04x cannot be read", half);
    const double value = cbor_float_get_float(item);
    const size_t size = cbor_serialize(item, back, sizeof back);
    FRNG_ASSERT(isnan(value) || (size == 3 && memcmp(back, bytes, 3) == 0),
                "%04x is read as %g, and written as %02x%02x", half, value, back[1], back[2]);
    cbor_decref(&item);
}

static bool test(frng *f) {
    uint16_t half;
    for (;;) {
        FRNG_TRY(frng_u16(f, &half));
        check(half);
    }
}

FRNG_MAIN(test)
