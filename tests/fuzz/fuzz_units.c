/* Sizes, durations, counts, seeds, signatures: what is taken is printed as what is taken again, and
 * nothing is taken that has more in it than a number and its unit. */
#include "failure.h"
#include "fuzz.h"
#include "seed_input.h"
#include "units.h"

enum { UNTOUCHED = 12345 };

/* What decimal digits and nothing else stand for; false for anything else, or more than 64 bits. */
static bool decimal(const char *text, uint64_t *value) {
    uint64_t sum = 0;
    const size_t length = strlen(text);
    if (length == 0 || strspn(text, "0123456789") != length) return false;
    for (size_t i = 0; i < length; i++) {
        const uint64_t digit = (uint64_t)(text[i] - '0');
        if (__builtin_mul_overflow(sum, 10, &sum)) return false;
        if (__builtin_add_overflow(sum, digit, &sum)) return false;
    }
    *value = sum;
    return true;
}

/* The same with k, M or G behind them, which stand for powers of 1000. */
static bool counted(const char *text, uint64_t *value) {
    static const char suffixes[] = "kMG";
    char *digits = strdup(text);
    FUZZ_HOLDS(digits != NULL);
    const size_t length = strlen(digits);
    const char *suffix = length > 0 ? strchr(suffixes, digits[length - 1]) : NULL;
    if (suffix != NULL) digits[length - 1] = '\0';
    bool ok = decimal(digits, value);
    for (const char *at = suffixes; ok && suffix != NULL && at <= suffix; at++) {
        ok = !__builtin_mul_overflow(*value, 1000, value);
    }
    free(digits);
    return ok;
}

static void check_count(const char *text) {
    uint64_t told = UNTOUCHED, expected = UNTOUCHED;
    const bool ok = counted(text, &expected);
    FUZZ_HOLDS(units_parse_count(text, &told) == ok);
    FUZZ_HOLDS(told == (ok ? expected : UNTOUCHED));
}

static void check_seed(const char *text) {
    uint64_t told = UNTOUCHED, again = 0;
    char written[32];
    if (!units_parse_seed(text, &told)) {
        FUZZ_HOLDS(told == UNTOUCHED);
        return;
    }
    snprintf(written, sizeof written, "%#llx", (unsigned long long)told);
    FUZZ_HOLDS(units_parse_seed(written, &again) && again == told);
    snprintf(written, sizeof written, "%llu", (unsigned long long)told);
    FUZZ_HOLDS(units_parse_seed(written, &again) && again == told);
}

/* A seed is written as one text, which says the same. A plain one is a number. */
static void check_seed_text(const char *text) {
    seed_input told = {.size = UNTOUCHED, .seed = UNTOUCHED}, again;
    char written[SEED_TEXT_MAX];
    uint64_t number = UNTOUCHED;
    if (!seed_text_parse(text, &told)) {
        FUZZ_HOLDS(told.seed == UNTOUCHED && told.style == SEED_PLAIN);
        FUZZ_HOLDS(!units_parse_seed(text, &number));
        return;
    }
    FUZZ_HOLDS(told.size == UNTOUCHED);
    const bool is_number = told.style == SEED_PLAIN;
    FUZZ_HOLDS(units_parse_seed(text, &number) == is_number);
    FUZZ_HOLDS(!is_number || number == told.seed);
    FUZZ_HOLDS(seed_text_parse(seed_text_format(written, &told), &again));
    FUZZ_HOLDS(again.seed == told.seed && again.style == told.style);
}

static void check_size(const char *text) {
    uint64_t told = UNTOUCHED, again = 0;
    char written[UNITS_TEXT_MAX];
    if (!units_parse_size(text, &told)) {
        FUZZ_HOLDS(told == UNTOUCHED);
        return;
    }
    FUZZ_HOLDS(units_parse_size(units_format_size(written, told), &again) && again == told);
}

static void check_duration(const char *text) {
    int64_t told = UNTOUCHED, again = 0;
    char written[UNITS_TEXT_MAX];
    if (!units_parse_duration(text, &told)) {
        FUZZ_HOLDS(told == UNTOUCHED);
        return;
    }
    FUZZ_HOLDS(told > 0);
    FUZZ_HOLDS(units_parse_duration(units_format_duration(written, told), &again));
    FUZZ_HOLDS(again == told);
    units_format_elapsed(written, told);
}

static void check_signature(const char *text) {
    char written[SIGNATURE_TEXT_MAX];
    signature id = {SIGNATURE_EXIT, UNTOUCHED}, again;
    if (!signature_parse(text, &id)) {
        FUZZ_HOLDS(id.value == UNTOUCHED);
        return;
    }
    FUZZ_HOLDS(signature_parse(signature_format(id, written), &again));
    FUZZ_HOLDS(signature_equal(id, again));
    FUZZ_HOLDS(signature_shell_status(id) > 0 && signature_shell_status(id) < 256);
}

/* A text that is taken is not with anything before or behind it that is no part of a number. */
static void check_whole(const char *text) {
    static const char *const dirt[] = {" ", "+", "-", "\n", "_", "\xff"};
    const size_t room = strlen(text) + 8;
    char *longer = malloc(room);
    FUZZ_HOLDS(longer != NULL);
    for (size_t i = 0; i < 2 * sizeof dirt / sizeof *dirt; i++) {
        uint64_t number;
        int64_t duration;
        signature id;
        const char *some = dirt[i / 2];
        snprintf(longer, room, "%s%s%s", i % 2 == 0 ? some : "", text, i % 2 == 1 ? some : "");
        FUZZ_HOLDS(!units_parse_count(longer, &number));
        FUZZ_HOLDS(!units_parse_seed(longer, &number));
        FUZZ_HOLDS(!seed_text_parse(longer, &(seed_input){.size = 0}));
        FUZZ_HOLDS(!units_parse_size(longer, &number));
        FUZZ_HOLDS(!units_parse_duration(longer, &duration));
        FUZZ_HOLDS(!signature_parse(longer, &id));
    }
    free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_input in = {bytes, size};
    char *text = fuzz_text(&in);
    check_count(text);
    check_seed(text);
    check_seed_text(text);
    check_size(text);
    check_duration(text);
    check_signature(text);
    check_whole(text);
    free(text);
    return 0;
}
