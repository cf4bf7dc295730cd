/* libbsd: 113 is 0 K where there is room for 113.
 *
 * Library: libbsd's `humanize_number`
 * Bug: a number that fits exactly is divided by 1024
 * Packages: libbsd-dev
 * Link: -lbsd
 *
 * humanize_number(3bsd): "A space and then suffix is appended to the end. [...] If the formatted
 * number (including suffix) would be too long to fit into buffer, then divide number by 1024 until
 * it will." SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <bsd/stdlib.h>

static void check(int number, int room) {
    char text[8] = "", plain[16];
    const int length = snprintf(plain, sizeof plain, "%d ", number);
    if (length >= room) return; /* it is to be divided */
    const int got = humanize_number(text, (size_t)room, number, "", HN_AUTOSCALE, 0);
    FRNG_ASSERT(got == length && strcmp(text, plain) == 0, "%d in %d bytes is '%s'", number, room,
                text);
}

static bool test(frng *f) {
    int16_t number;
    uint8_t room;
    for (;;) {
        frng_note(f, "number");
        FRNG_TRY(frng_i16_range(f, -999, 999, &number));
        frng_note(f, "bytes");
        FRNG_TRY(frng_u8_range(f, 5, 8, &room));
        check(number, room);
    }
}

FRNG_MAIN(test)
