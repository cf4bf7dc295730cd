/* dates: cards, each of a day of issue and the years until it is renewed, at most 30. Fails when a
 * card of 29 February is renewed in a year that has no such day.
 *
 * Smallest: 29 February 2000, renewed a year later.
 *
 *     dates               2000-02-29 1
 *         0b0f010009
 */
#include "challenge.h"

enum { YEARS_MAX = 30 };

static bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static bool renew(frng *f) {
    int year, month, day;
    uint8_t years;
    FRNG_TRY(frng_date(f, &year, &month, &day) && frng_u8_max(f, YEARS_MAX, &years));
    FRNG_ASSERT(month != 2 || day != 29 || is_leap(year + years), "%d", year + years);
    return true;
}

TEST_AGAIN(renew)
