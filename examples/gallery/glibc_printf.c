/* glibc_printf: "%#.2g" prints one digit.
 *
 * Library: the GNU C Library's printf
 * Bug: `%#.2g` of 99.5 is `1.e+02`
 * Packages: libc6-dev
 *
 * C17, 7.21.6.1, on the conversion g: "Let P equal the precision if nonzero, 6 if the precision is
 * omitted, or 1 if the precision is zero. Then, if a conversion with style E would have an exponent
 * of X: if P > X >= -4, the conversion is with style f and precision P - (X + 1). Otherwise, the
 * conversion is with style e and precision P - 1. Finally, unless the # flag is used, any trailing
 * zeros are removed". So printf itself says what "%#.*g" has to print.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of at most five digits, divided by a power of ten. */
static bool draw_number(frng *f, double *x) {
    uint16_t digits;
    uint8_t places;
    frng_note(f, "places");
    FRNG_TRY(frng_u8_max(f, 8, &places));
    frng_note(f, "digits");
    FRNG_TRY(frng_u16(f, &digits));
    *x = digits;
    while (places-- > 0) *x /= 10;
    return true;
}

/* Store what "%#.*g" should print, by the words of the standard. */
static void expect(char *text, size_t size, int precision, double x) {
    char style_e[64];
    const int p = precision == 0 ? 1 : precision;
    snprintf(style_e, sizeof style_e, "%.*e", p - 1, x);
    const int exponent = atoi(strchr(style_e, 'e') + 1);
    if (p > exponent && exponent >= -4) {
        snprintf(text, size, "%#.*f", p - 1 - exponent, x);
    } else {
        snprintf(text, size, "%#.*e", p - 1, x);
    }
}

static bool test(frng *f) {
    uint8_t precision;
    double x;
    for (;;) {
        frng_note(f, "precision");
        FRNG_TRY(frng_u8_max(f, 9, &precision));
        FRNG_TRY(draw_number(f, &x));
        char got[64], wanted[64];
        snprintf(got, sizeof got, "%#.*g", precision, x);
        expect(wanted, sizeof wanted, precision, x);
        FRNG_ASSERT(strcmp(got, wanted) == 0, "%%#.%dg of %.17g prints %s, not %s", precision, x,
                    got, wanted);
    }
}

FRNG_MAIN(test)
