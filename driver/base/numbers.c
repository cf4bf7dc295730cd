/* How numbers of people are read and written.
 *
 * A parser takes the whole text or nothing, and never a number that it would have to round: a size
 * that is cut, or a duration that is off by a unit, would be found out hours later. Each scanner
 * moves a cursor past what it took, and checks for overflow before it multiplies.
 *
 * What is written can be read back, since it is a part of the commands that replay a failure. Only
 * what a person looks at while it changes (counts, rates, elapsed times) is shorter than that. */
#include "numbers.h"

#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

/* Parse the number at the beginning of *text, and move *text past it. False if there is none, or it
 * overflows. */
static bool scan_number(const char **text, uint64_t base, uint64_t *value) {
    const char *at = *text;
    uint64_t sum = 0;
    for (; (uint64_t)digit_value(*at) < base; at++) {
        const uint64_t digit = (uint64_t)digit_value(*at);
        if (sum > (UINT64_MAX - digit) / base) return false;
        sum = sum * base + digit;
    }
    if (at == *text) return false;
    *text = at;
    *value = sum;
    return true;
}

/* Move *text past a letter of either case. False if it is another one. */
static bool scan_letter(const char **text, char lower) {
    const bool is_there = (**text | 0x20) == lower;
    *text += is_there;
    return is_there;
}

/* Parse a number with k, M or G for powers of `factor`; one of bytes may end in B, or iB behind
 * these. */
static bool parse_scaled(const char *text, uint64_t factor, bool is_bytes, uint64_t *value) {
    uint64_t number;
    if (!scan_number(&text, 10, &number)) return false;
    int power = scan_letter(&text, 'k')   ? 1
                : scan_letter(&text, 'm') ? 2
                                          : 3 * scan_letter(&text, 'g');
    if (is_bytes && power > 0) scan_letter(&text, 'i');
    if (is_bytes) scan_letter(&text, 'b');
    if (*text != '\0') return false;
    for (; power > 0; power--) {
        if (number > UINT64_MAX / factor) return false;
        number *= factor;
    }
    *value = number;
    return true;
}

bool numbers_parse_count(const char *text, uint64_t *value) {
    return parse_scaled(text, 1000, false, value);
}

bool numbers_parse_size(const char *text, uint64_t *bytes) {
    return parse_scaled(text, 1024, true, bytes);
}

bool numbers_scan_seed(const char **text, uint64_t *value) {
    const char *at = *text;
    const bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    if (is_hex) at += 2;
    if (!scan_number(&at, is_hex ? 16 : 10, value)) return false;
    *text = at;
    return true;
}

bool numbers_parse_seed(const char *text, uint64_t *value) {
    uint64_t number;
    if (!numbers_scan_seed(&text, &number) || *text != '\0') return false;
    *value = number;
    return true;
}

/* Parse a fraction: ".25" is 250000000 billionths. More than nine digits are junk. */
static bool scan_fraction(const char **text, uint64_t *billionths) {
    *billionths = 0;
    if (**text != '.') return true;
    const char *start = ++*text;
    if (!scan_number(text, 10, billionths) || *text - start > 9) return false;
    for (ptrdiff_t digits = *text - start; digits < 9; digits++) *billionths *= 10;
    return true;
}

static const struct {
    const char *name;
    uint64_t unit_ns;
} durations[] = {{"ms", 1000000},
                 {"s", 1000000000},
                 {"m", UINT64_C(60000000000)},
                 {"h", UINT64_C(3600000000000)}};
enum { DURATION_COUNT = sizeof durations / sizeof durations[0] };

/* Parse one number with its unit, such as 1.5h. */
static bool scan_span(const char **text, size_t *unit, uint64_t *span_ns, bool *has_fraction) {
    uint64_t whole, billionths;
    if (!scan_number(text, 10, &whole)) return false;
    *has_fraction = **text == '.';
    if (!scan_fraction(text, &billionths)) return false;
    size_t i = 0, length = 0;
    while (i < DURATION_COUNT && /* "ms" comes before "m" */
           strncmp(*text, durations[i].name, length = strlen(durations[i].name)) != 0)
        i++;
    if (i == DURATION_COUNT) return false;
    *text += length;
    *unit = i;
    const uint64_t unit_ns = durations[i].unit_ns;
    if (whole >= (uint64_t)INT64_MAX / unit_ns) return false;
    *span_ns = whole * unit_ns + billionths * (unit_ns / 1000000) / 1000;
    return true;
}

/* The units descend, and only the last number has a fraction. */
bool numbers_parse_duration(const char *text, int64_t *duration_ns) {
    uint64_t sum_ns = 0, span_ns;
    size_t unit, unit_before = DURATION_COUNT;
    bool has_fraction;
    do {
        if (!scan_span(&text, &unit, &span_ns, &has_fraction)) return false;
        if (unit >= unit_before || (has_fraction && *text != '\0')) return false;
        if (span_ns > (uint64_t)INT64_MAX - sum_ns) return false;
        sum_ns += span_ns;
        unit_before = unit;
    } while (*text != '\0');
    if (sum_ns == 0) return false;
    *duration_ns = (int64_t)sum_ns;
    return true;
}

const char *numbers_format_count(char text[NUMBERS_TEXT_MAX], uint64_t value) {
    char digits[NUMBERS_TEXT_MAX];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

const char *numbers_format_rate(char text[NUMBERS_TEXT_MAX], double rate, const char *noun) {
    enum { SLOW = 2 };
    char count[NUMBERS_TEXT_MAX];
    if (rate > 0 && rate < SLOW) {
        snprintf(text, NUMBERS_TEXT_MAX, "%.1f s/%s", 1 / (rate > 1e-9 ? rate : 1e-9), noun);
    } else {
        numbers_format_count(count, rate < 1e18 ? (uint64_t)rate : UINT64_C(1000000000000000000));
        snprintf(text, NUMBERS_TEXT_MAX, "%.28s/s", count);
    }
    return text;
}

const char *numbers_format_size(char text[NUMBERS_TEXT_MAX], uint64_t bytes) {
    int power = 0;
    while (power < 3 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        power++;
    }
    snprintf(text, NUMBERS_TEXT_MAX, power == 0 ? "%" PRIu64 : "%" PRIu64 "%c", bytes,
             " KMG"[power]);
    return text;
}

const char *numbers_format_clock(char text[NUMBERS_TEXT_MAX], int64_t span_ns) {
    const int64_t seconds = span_ns / CLOCK_NS_PER_S;
    if (seconds < 3600) {
        snprintf(text, NUMBERS_TEXT_MAX, "%d:%02d", (int)(seconds / 60), (int)(seconds % 60));
    } else {
        snprintf(text, NUMBERS_TEXT_MAX, "%" PRId64 ":%02d:%02d", seconds / 3600,
                 (int)(seconds / 60 % 60), (int)(seconds % 60));
    }
    return text;
}

const char *numbers_format_elapsed(char text[NUMBERS_TEXT_MAX], int64_t span_ns) {
    if (span_ns >= 10 * CLOCK_NS_PER_S) return numbers_format_clock(text, span_ns);
    /* hundredths are truncated like whole seconds: 9.999 does not become 10.00 */
    const int hundredths = (int)(span_ns / (10 * CLOCK_NS_PER_MS));
    snprintf(text, NUMBERS_TEXT_MAX, "%d.%02d s", hundredths / 100, hundredths % 100);
    return text;
}

const char *numbers_format_duration(char text[NUMBERS_TEXT_MAX], int64_t span_ns) {
    size_t best = 0;
    for (size_t i = 0; i < DURATION_COUNT; i++) {
        if ((uint64_t)span_ns % durations[i].unit_ns == 0) best = i;
    }
    const uint64_t unit_ns = durations[best].unit_ns, rest_ns = (uint64_t)span_ns % unit_ns;
    int length = snprintf(text, NUMBERS_TEXT_MAX, "%" PRIu64, (uint64_t)span_ns / unit_ns);
    if (rest_ns > 0) { /* a fraction of the smallest unit, which has six digits */
        length +=
            snprintf(text + length, NUMBERS_TEXT_MAX - (size_t)length, ".%06" PRIu64, rest_ns);
        while (text[length - 1] == '0') length--;
    }
    snprintf(text + length, NUMBERS_TEXT_MAX - (size_t)length, "%s", durations[best].name);
    return text;
}
