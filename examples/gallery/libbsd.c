/* libbsd: 0 is too large for 1.
 *
 * Library: libbsd's `strtonum`
 * Bug: in a range of one number, smaller numbers are "too large"
 * Packages: libbsd-dev
 * Link: -lbsd
 *
 * strtonum(3bsd): "The strtonum() function returns the result of the conversion, unless the value
 * would exceed the provided bounds or is invalid. On error, 0 is returned, errno is set, and errstr
 * will point to an error message", such as "too large: The result was larger than the provided
 * maximum value" and "too small: The result was smaller than the provided minimum value".
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <bsd/stdlib.h>

/* The message that the manual promises; NULL for success. */
static const char *expect(int value, int min, int max) {
    if (value < min) return "too small";
    return value > max ? "too large" : NULL;
}

static void check(int value, int min, int max) {
    char text[16];
    const char *message, *wanted = expect(value, min, max);
    snprintf(text, sizeof text, "%d", value);
    const long long got = strtonum(text, min, max, &message);
    FRNG_ASSERT(got == (wanted == NULL ? value : 0), "%s in %d..%d is %lld", text, min, max, got);
    if (message == NULL) message = "fine";
    if (wanted == NULL) wanted = "fine";
    FRNG_ASSERT(strcmp(message, wanted) == 0, "%s in %d..%d is %s, not %s", text, min, max, message,
                wanted);
}

static bool step(frng *f) {
    int8_t value, min, max;
    frng_note(f, "value");
    FRNG_TRY(frng_i8(f, &value));
    frng_note(f, "minimum");
    FRNG_TRY(frng_i8(f, &min));
    frng_note(f, "maximum");
    FRNG_TRY(frng_i8_range(f, min, INT8_MAX, &max));
    check(value, min, max);
    return true;
}

static bool test(frng *f) {
    for (;;) FRNG_TRY(step(f));
}

FRNG_MAIN(test)
