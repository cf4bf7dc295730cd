/* yajl: the smallest integer does not fit.
 *
 * Library: YAJL
 * Bug: -9223372036854775808, which yajl_gen_integer writes, cannot be parsed: overflow
 * Packages: libyajl-dev
 * Link: -lyajl
 *
 * yajl_parse.h: the callback yajl_integer takes a `long long integerVal`, and yajl_gen.h writes one
 * by yajl_gen_integer(yajl_gen, long long). So each long long that is written can be parsed.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <stdio.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

/* Numbers near powers of two, of both signs. */
static bool draw_number(frng *f, long long *number) {
    uint8_t bits;
    int8_t beside;
    frng_note(f, "power of two");
    FRNG_TRY(frng_u8_max(f, 63, &bits));
    frng_note(f, "beside it");
    FRNG_TRY(frng_i8_range(f, -2, 2, &beside));
    *number = (long long)((1ULL << bits) + (uint64_t)beside);
    return true;
}

static int on_integer(void *context, long long value) {
    *(long long *)context = value;
    return 1;
}

/* Parse a text that is a number; false if YAJL refuses it. */
static bool parse(const unsigned char *text, size_t length, long long *number) {
    const yajl_callbacks callbacks = {.yajl_integer = on_integer};
    yajl_handle parser = yajl_alloc(&callbacks, NULL, number);
    const bool parsed = yajl_parse(parser, text, length) == yajl_status_ok &&
                        yajl_complete_parse(parser) == yajl_status_ok;
    yajl_free(parser);
    return parsed;
}

static void check(long long number) {
    const unsigned char *text;
    size_t length;
    long long back = 0;
    yajl_gen writer = yajl_gen_alloc(NULL);
    yajl_gen_integer(writer, number);
    yajl_gen_get_buf(writer, &text, &length);
    FRNG_ASSERT(parse(text, length, &back), "YAJL writes %s, and cannot parse it", text);
    FRNG_ASSERT(back == number, "YAJL writes %s, and parses %lld", text, back);
    yajl_gen_free(writer);
}

static bool test(frng *f) {
    long long number;
    for (;;) {
        FRNG_TRY(draw_number(f, &number));
        check(number);
    }
}

FRNG_MAIN(test)
