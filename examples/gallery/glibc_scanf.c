/* glibc_scanf: "100ergs" is no number.
 *
 * Library: the GNU C Library's scanf
 * Bug: `%lf` takes `1e` for a number
 * Packages: libc6-dev
 *
 * C17, 7.21.6.2: "An input item is defined as the longest sequence of input characters which does
 * not exceed any specified field width and which is, or is a prefix of, a matching input sequence.
 * [...] If the input item is not a matching sequence, the execution of the directive fails". Its
 * third example reads "100ergs of energy" with "%f%20s of %20s": "100e" is a prefix of a number and
 * no number, so `count = 0`. glibc returns 3.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <stdio.h>

/* Skip digits, and return whether there were any. */
static bool skip_digits(const char **text) {
    const char *start = *text;
    while (**text >= '0' && **text <= '9') ++*text;
    return *text > start;
}

static void skip_sign(const char **text) {
    if (**text == '+' || **text == '-') ++*text;
}

/* Whether the longest prefix of a number at the start of `text` is a number. */
static bool begins_with_number(const char *text) {
    skip_sign(&text);
    bool digits = skip_digits(&text);
    if (*text == '.') {
        text++;
        if (skip_digits(&text)) digits = true;
    }
    if (!digits || *text != 'e') return digits;
    text++;
    skip_sign(&text);
    return skip_digits(&text);
}

static bool draw_text(frng *f, char *text) {
    static const char alphabet[] = "1.e+-z";
    uint8_t length, index;
    frng_note(f, "length");
    FRNG_TRY(frng_u8_max(f, 8, &length));
    frng_note(f, "character");
    while (length-- > 0) {
        FRNG_TRY(frng_u8_max(f, sizeof alphabet - 2, &index));
        *text++ = alphabet[index];
    }
    *text = '\0';
    return true;
}

static bool test(frng *f) {
    char text[16];
    for (;;) {
        double x;
        FRNG_TRY(draw_text(f, text));
        const int got = sscanf(text, "%lf", &x), wanted = begins_with_number(text) ? 1 : 0;
        FRNG_ASSERT((got == 1) == (wanted == 1), "sscanf(\"%s\", \"%%lf\") returns %d, not %d",
                    text, got, wanted);
    }
}

FRNG_MAIN(test)
