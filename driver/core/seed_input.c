#include "seed_input.h"

#include "frng_expand.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>

void seed_input_expand(const seed_input *t, uint8_t *bytes) {
    switch (t->style) {
    case SEED_PLAIN: frng_expand(t->seed, bytes, t->size); return;
    case SEED_STYLED: frng_expand_styled(t->seed, bytes, t->size); return;
    }
}

bool seed_input_equal(seed_input a, seed_input b) {
    return a.size == b.size && a.seed == b.seed && a.style == b.style;
}

bool seed_input_less(seed_input a, seed_input b) {
    if (a.size != b.size) return a.size < b.size;
    return a.seed != b.seed ? a.seed < b.seed : a.style < b.style;
}

/* ---- Texts ---- */

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
