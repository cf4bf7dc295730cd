/* rapidjson: zero is not zero.
 *
 * Library: RapidJSON's numbers
 * Bug: in full precision, `0.0e-308` is no zero, but -8.8e+304
 * Packages: rapidjson-dev
 *
 * reader.h: kParseFullPrecisionFlag is to "parse number in full precision (but slower)". The model
 * is strtod, which rounds exactly in glibc.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <cstdio>
#include <cstdlib>
#include <rapidjson/document.h>

static bool test(frng *f) {
    uint8_t whole, fraction;
    int16_t exponent;
    char text[64];
    for (;;) {
        frng_note(f, "whole");
        FRNG_TRY(frng_u8_max(f, 9, &whole));
        frng_note(f, "decimals");
        FRNG_TRY(frng_u8_max(f, 99, &fraction));
        frng_note(f, "exponent");
        FRNG_TRY(frng_i16_range(f, -300, 300, &exponent));
        snprintf(text, sizeof text, "%d.%de%d", whole, fraction, exponent);
        rapidjson::Document document;
        document.Parse<rapidjson::kParseFullPrecisionFlag>(text);
        FRNG_ASSERT(document.IsDouble(), "%s is no double", text);
        const double got = document.GetDouble(), wanted = std::strtod(text, nullptr);
        FRNG_ASSERT(got == wanted, "%s is %g, not %g", text, got, wanted);
    }
}

FRNG_MAIN(test)
