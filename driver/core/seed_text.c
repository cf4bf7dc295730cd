#include "seed_text.h"

#include "units.h"

#include <inttypes.h>
#include <stdio.h>

static const char style_mark = 's'; /* no digit, not in hex either */

/* Parse the seed and the style of a link, and move *text past them. */
static bool scan_link(const char **text, seed_link *link) {
    if (!units_scan_seed(text, &link->seed)) return false;
    link->style = **text == style_mark ? SEED_STYLED : SEED_PLAIN;
    *text += link->style == SEED_STYLED;
    return true;
}

/* Parse the size of a link and what separates it from the next one. */
static bool scan_size(const char **text, seed_link *link) {
    if (**text != ':') return false;
    ++*text;
    if (**text < '0' || **text > '9' || !units_scan_seed(text, &link->size)) return false;
    if (link->size == 0 || link->size > INPUT_SIZE_MAX || **text != ',') return false;
    ++*text;
    return true;
}

bool seed_text_parse(const char *text, seed_input *t) {
    seed_input chain = {.size = t->size};
    seed_link link = {0};
    for (;;) {
        if (!scan_link(&text, &link)) return false;
        if (*text == '\0') break;
        if (chain.prefix.count == SEED_LINKS_MAX - 1 || !scan_size(&text, &link)) return false;
        chain.prefix.links[chain.prefix.count++] = link;
    }
    chain.seed = link.seed;
    chain.style = link.style;
    *t = chain;
    return true;
}

const char *seed_text_expansion(seed_expansion e) {
    static const char *const names[] = {
        [EXPAND_UNIFORM] = "uniform", [EXPAND_STYLED] = "styled", [EXPAND_BOTH] = "both"};
    return names[e];
}

static const char *mark_of(seed_style style) { return style == SEED_STYLED ? "s" : ""; }

const char *seed_text_format(char text[SEED_TEXT_MAX], const seed_input *t) {
    size_t at = 0;
    for (uint32_t i = 0; i < t->prefix.count; i++) {
        const seed_link *link = &t->prefix.links[i];
        at += (size_t)snprintf(text + at, SEED_TEXT_MAX - at, "%" PRIu64 "%s:%" PRIu64 ",",
                               link->seed, mark_of(link->style), link->size);
    }
    snprintf(text + at, SEED_TEXT_MAX - at, "%" PRIu64 "%s", t->seed, mark_of(t->style));
    return text;
}
