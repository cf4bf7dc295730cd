/* An input is a size and a seed, or bytes that are kept here once and named by their digest. */
#include "seed_input.h"

#include "frng_expand.h"
#include "memory.h"
#include "numbers.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void seed_input_expand(const seed_input *t, uint8_t *bytes) {
    switch (t->style) {
    case SEED_PLAIN: frng_expand(t->seed, bytes, t->size); return;
    case SEED_STYLED: frng_expand_styled(t->seed, bytes, t->size); return;
    case SEED_GIVEN: memcpy(bytes, seed_input_bytes(t), t->size); return;
    }
}

/* ---- Explicit bytes ---- */

enum { KEPT_MAX = 1024 };

/* Blocks of bytes, by their digests. */
static struct {
    uint64_t digest, size;
    uint8_t *bytes;
} kept[KEPT_MAX];
static size_t kept_count;

bool seed_input_keep(const uint8_t *bytes, uint64_t size, seed_input *t) {
    uint64_t digest;
    size_t i = 0;
    uint8_t whole[crypto_generichash_BYTES_MIN];
    crypto_generichash(whole, sizeof whole, bytes, size, NULL, 0); /* as in names of findings */
    memcpy(&digest, whole, sizeof digest);
    while (i < kept_count && kept[i].digest != digest) i++;
    if (i == KEPT_MAX) return false;
    if (i == kept_count) {
        kept[i].bytes = memory_new(size + 1);
        memcpy(kept[i].bytes, bytes, size);
        kept[i].digest = digest;
        kept[i].size = size;
        kept_count++;
    }
    *t = (seed_input){size, digest, SEED_GIVEN};
    return true;
}

void seed_input_forget(bool (*is_needed)(void *context, seed_input t), void *context) {
    const size_t count = kept_count;
    kept_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_needed(context, (seed_input){kept[i].size, kept[i].digest, SEED_GIVEN}))
            kept[kept_count++] = kept[i];
        else
            free(kept[i].bytes);
    }
}

const uint8_t *seed_input_bytes(const seed_input *t) {
    if (t->style != SEED_GIVEN) return NULL;
    for (size_t i = 0; i < kept_count; i++) {
        if (kept[i].digest == t->seed && t->size <= kept[i].size) return kept[i].bytes;
    }
    assert(false); /* no digest comes from elsewhere */
    return NULL;
}

/* A bijection in which each bit of the input changes about half of the output bits. */
static uint64_t mix(uint64_t x) { return frng__splitmix64(&x); }

uint64_t seed_input_fresh(uint64_t master_seed, uint64_t size, uint64_t number) {
    return mix(mix(master_seed) ^ size) + number;
}

uint64_t seed_input_resumed(seed_input best) {
    /* A search that does not resume never makes 2^62 runs. */
    const uint64_t seed = mix(best.seed) ^ (best.style == SEED_STYLED ? UINT64_MAX : 0);
    return (UINT64_C(1) << 62) | (mix(seed ^ best.size) >> 2);
}

/* ---- Texts ---- */

static const char style_mark = 's'; /* no digit, not in hex either */

bool seed_text_parse(const char *text, seed_input *t) {
    uint64_t seed;
    if (!numbers_scan_seed(&text, &seed)) return false;
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
    if (t->style == SEED_GIVEN) return strcpy(text, "none"); /* bytes are printed elsewhere */
    snprintf(text, SEED_TEXT_MAX, "%" PRIu64 "%s", t->seed, t->style == SEED_STYLED ? "s" : "");
    return text;
}
