/* fmt: `{:#.2g}` of 12.3 is "12.0".
 *
 * Library: {fmt}
 * Bug: `{:#.2g}` of 12.3 is `12.0`: a third digit, and a wrong one
 * Packages: libfmt-dev
 * Link: -lfmt
 *
 * "Format String Syntax", on the presentation type g: "For a given precision p >= 1, this rounds
 * the number to p significant digits and then formats the result in either fixed-point format or
 * in scientific notation". On "#": the result always contains "a decimal-point character, even if
 * no digits follow it. [...] for 'g' and 'G' conversions, trailing zeros are not removed". So there
 * are p digits, and the point follows the last of them if it has to.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <fmt/format.h>
#include <string>

/* The digits of a text without an exponent, from the first that is not zero. */
static int significant_digits(const std::string &text) {
    int count = 0;
    for (const char c : text) {
        if (c == 'e') break;
        if (c >= '0' && c <= '9' && (count > 0 || c != '0')) count++;
    }
    return count;
}

static bool test(frng *f) {
    uint16_t cents;
    uint8_t precision;
    for (;;) {
        frng_note(f, "precision");
        FRNG_TRY(frng_u8_range(f, 1, 9, &precision));
        frng_note(f, "cents");
        FRNG_TRY(frng_u16_range(f, 1, 9999, &cents));
        const double x = cents / 100.0;
        const std::string text = fmt::format("{:#.{}g}", x, precision);
        FRNG_ASSERT(significant_digits(text) == precision, "{:#.%dg} of %.9g is %s", precision, x,
                    text.c_str());
    }
}

FRNG_MAIN(test)
