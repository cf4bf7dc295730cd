/* format: numbers are padded, signed and grouped by thousands, and read again. Zeros that pad a
 * negative number of whole hundreds, to a width beyond its groups, are one too many. */
#include <frng_main.h>

typedef struct style {
    uint8_t width;
    bool has_zeros, has_plus, has_groups;
} style;

static size_t digits_of(uint32_t number, bool has_groups, char *text) {
    size_t length = 0, digits = 0;
    do {
        if (has_groups && digits > 0 && digits % 3 == 0) text[length++] = ',';
        text[length++] = (char)('0' + number % 10);
        digits++;
    } while ((number /= 10) > 0);
    return length; /* backwards */
}

static void format(const style *s, int32_t value, char *text) {
    char digits[32];
    const uint32_t number = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
    size_t length = digits_of(number, s->has_groups, digits), at = 0;
    const char sign = value < 0 ? '-' : s->has_plus ? '+' : '\0';
    size_t pad = s->width > length + (sign != 0) ? s->width - length - (sign != 0) : 0;
    if (!s->has_zeros)
        for (; pad > 0; pad--) text[at++] = ' ';
    if (sign != 0) text[at++] = sign;
    if (s->has_groups && pad > 2 && value < 0 && number >= 1000000 && number % 100 == 0)
        pad++; /* the bug */
    for (; pad > 0; pad--) text[at++] = '0';
    while (length > 0) text[at++] = digits[--length];
    text[at] = '\0';
}

static bool test(frng *f) {
    for (;;) {
        style s;
        int32_t value;
        char text[64];
        FRNG_TRY(frng_u8_max(f, 15, &s.width));
        FRNG_TRY(frng_bool(f, &s.has_zeros));
        FRNG_TRY(frng_bool(f, &s.has_plus));
        FRNG_TRY(frng_bool(f, &s.has_groups));
        FRNG_TRY(frng_i32_range(f, -10000000, 10000000, &value));
        format(&s, value, text);
        FRNG_ASSERT(strlen(text) <= s.width || text[0] != '-' || text[1] != '0', "'%s'", text);
    }
}

FRNG_MAIN(test)
