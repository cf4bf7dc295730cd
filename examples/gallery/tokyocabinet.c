/* tokyocabinet: the year 3868.
 *
 * Library: Tokyo Cabinet's dates
 * Bug: a date in 1968 is read back as one in 3868
 * Packages: libtokyocabinet-dev
 * Link: -ltokyocabinet
 *
 * tcutil.h: tcdatestrwww is to "format a date as a string in W3CDTF", tcdatestrhttp is to "format a
 * date as a string in RFC 1123 format", of a time "in seconds from the epoch", and tcstrmktime is
 * to "get the time value of a date string", which "specifies the date string in decimal,
 * hexadecimal, W3CDTF, or RFC 822 (1123)". So what one function writes, another one reads.
 *
 * The times are those of 32 bits: 1901 to 2038.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <tcutil.h>

enum { TEXT_SIZE = 48 }; /* "equal to or more than 48 bytes" */

static void round_trip(int32_t time, int zone, bool is_rfc1123) {
    char text[TEXT_SIZE];
    if (is_rfc1123) {
        tcdatestrhttp(time, zone, text);
    } else {
        tcdatestrwww(time, zone, text);
    }
    const int64_t back = tcstrmktime(text);
    int year = 0;
    tccalendar(back, 0, &year, NULL, NULL, NULL, NULL, NULL);
    FRNG_ASSERT(back == time, "%d is \"%s\", which is read as %lld, in the year %d", time, text,
                (long long)back, year);
}

static bool test(frng *f) {
    int32_t time;
    int8_t zone;
    bool is_rfc1123;
    for (;;) {
        frng_note(f, "RFC 1123, not W3CDTF");
        FRNG_TRY(frng_bool(f, &is_rfc1123));
        frng_note(f, "hours from Greenwich");
        FRNG_TRY(frng_i8_range(f, -12, 12, &zone));
        frng_note(f, "seconds from 1970");
        FRNG_TRY(frng_i32(f, &time));
        round_trip(time, zone * 3600, is_rfc1123);
    }
}

FRNG_MAIN(test)
