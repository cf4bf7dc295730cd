#include "seed_text.h"

#include "units.h"

#include <inttypes.h>
#include <stdio.h>

static const char style_mark = 's'; /* no digit, not in hex either */

bool seed_text_parse(const char *text, seed_input *t) {
    uint64_t seed;
    if (!units_scan_seed(&text, &seed)) return false;
    const bool is_styled = *text == style_mark;
    if (text[is_styled] != '\0') return false;
    t->seed = seed;
    t->style = is_styled ? SEED_STYLED : SEED_PLAIN;
    return true;
}

const char *seed_text_expansion(seed_expansion e) {
    static const char *const names[] = {
        [EXPAND_UNIFORM] = "uniform", [EXPAND_STYLED] = "styled", [EXPAND_BOTH] = "both"};
    return names[e];
}

const char *seed_text_format(char text[SEED_TEXT_MAX], const seed_input *t) {
    snprintf(text, SEED_TEXT_MAX, "%" PRIu64 "%s", t->seed, t->style == SEED_STYLED ? "s" : "");
    return text;
}
