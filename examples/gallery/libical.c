/* libical: in 2100, weeks start on the wrong day.
 *
 * Library: libical
 * Bug: from March 2100 on, `icaltime_start_doy_week` is a day off
 * Packages: libical-dev
 * Link: -lical
 *
 * icaltime.h: icaltime_start_doy_week "returns the day of the year for the first day of the week
 * that the given time is within". That is the day itself if it is the first of its week, the day
 * before if it is the second, and so on, by what icaltime_day_of_week and icaltime_day_of_year say.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <libical/ical.h>

enum { DAYS_OF_WEEK = 7 };

static bool test(frng *f) {
    uint8_t years, first;
    uint16_t day;
    for (;;) {
        frng_note(f, "year");
        FRNG_TRY(frng_u8(f, &years));
        frng_note(f, "day");
        FRNG_TRY(frng_u16_range(f, 1, 365, &day));
        frng_note(f, "first of a week");
        FRNG_TRY(frng_u8_range(f, 1, DAYS_OF_WEEK, &first)); /* Sunday is 1 */
        const struct icaltimetype time = icaltime_from_day_of_year(day, 2000 + years);
        const int since = (icaltime_day_of_week(time) - first + DAYS_OF_WEEK) % DAYS_OF_WEEK;
        const int wanted = icaltime_day_of_year(time) - since;
        const int got = icaltime_start_doy_week(time, first);
        FRNG_ASSERT(got == wanted, "%04d-%02d-%02d: its week starts on day %d, not %d", time.year,
                    time.month, time.day, got, wanted);
    }
}

FRNG_MAIN(test)
