/* claims.c: a test that reports a draw as it likes, as a port of frng.h does that is not finished.
 *
 *     sut-claims CLAIM
 *
 * Between coins it draws a byte, and fails if it is 7 modulo 10. It reports this byte as a draw of
 * 0..9 with that value, which is false, or as CLAIM says; with `two`, half of the failures are of
 * another signature. SPDX-License-Identifier: MIT */
#include "frng_assert.h"
#include "frng_main.h"

#include <unistd.h>

static const char *claim = "modulo";
static frng_host *heard_by; /* the driver's ear */

static bool is(const char *name) { return strcmp(claim, name) == 0; }

/* Report the byte at `start`, which was just drawn. */
static void report(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min, uint64_t max,
                   uint64_t value) {
    const uint64_t byte = value;
    if (is("silent")) return;
    if (!is("honest")) max = 9, value = is("modulo") || is("two") ? byte % 10 : byte * 10 >> 8;
    if (is("later") && byte < 128) value = byte % 10;
    if (is("unknown")) kind = (frng_kind)200, width = 99;
    if (is("back")) start--;
    if (is("nothing")) start = f->used;
    if (is("beyond")) start = SIZE_MAX - 3;
    if (is("wide")) width = 2;
    if (is("width")) width = 9;
    if (is("bounds")) max = 300;
    if (is("huge")) value = UINT64_MAX;
    heard_by->drawn(f, kind, start, width, min, max, value);
}

static bool draw_byte(frng *f, uint8_t *byte) {
    static frng_host says;
    frng_host *host = heard_by = f->host;
    if (host != NULL) {
        says = *host;
        if (host->drawn != NULL) says.drawn = report;
        f->host = &says;
    }
    const bool ok = frng_u8(f, byte);
    f->host = host;
    return ok;
}

static bool test(frng *f) {
    for (;;) {
        uint8_t byte;
        bool coin;
        FRNG_TRY(frng_bool(f, &coin));
        frng_note(f, "digit");
        FRNG_TRY(draw_byte(f, &byte));
        if (is("two") && coin && byte % 10 == 7) _exit(3);
        FRNG_ASSERT(byte % 10 != 7);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) claim = argv[1];
    return frng_run(test);
}
