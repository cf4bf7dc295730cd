#include "evidence.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIGNATURES_MAX = 64,
    ASIDE_MAX = 1024, /* only the prefixes of one seed, and the findings, come again */
    UNRELIABLE_MAX = 64
};

/* Failures of one signature. */
typedef struct signature_evidence {
    signature signature;
    char site[FAILURE_SITE_MAX];
    bool is_site_known;
    rerun_count count;
} signature_evidence;

struct evidence {
    size_t signature_count, aside_count, unreliable_count;
    signature_evidence signatures[SIGNATURES_MAX];
    seed_input aside[ASIDE_MAX];               /* a ring */
    uint64_t unreliable_sizes[UNRELIABLE_MAX]; /* a ring */
};

evidence *evidence_create(void) { return calloc(1, sizeof(evidence)); }

void evidence_destroy(evidence *e) { free(e); }

static bool is_alike(const signature_evidence *s, const failure *f) {
    return signature_equal(s->signature, f->signature) &&
           site_may_equal(s->site, s->is_site_known, f->site, f->is_site_known);
}

/* Return the index of the signature and site of f, the same ones before those that may be;
 * signature_count if it is new; the last index if there is no room for it. */
static size_t find(const evidence *e, const failure *f) {
    size_t alike = e->signature_count;
    for (size_t i = e->signature_count; i > 0; i--) {
        const signature_evidence *s = &e->signatures[i - 1];
        if (!is_alike(s, f)) continue;
        alike = i - 1;
        if (strcmp(s->site, f->site) == 0) return alike;
    }
    return alike < SIGNATURES_MAX ? alike : SIGNATURES_MAX - 1;
}

void evidence_add(evidence *e, const failure *f, rerun_count more) {
    const size_t i = find(e, f);
    signature_evidence *s = &e->signatures[i];
    if (i == e->signature_count) {
        s->signature = f->signature;
        e->signature_count++;
    }
    if (s->site[0] == '\0') {
        memcpy(s->site, f->site, sizeof s->site);
        s->is_site_known = f->is_site_known;
    }
    s->count.reruns += more.reruns;
    s->count.repeated += more.repeated;
}

rerun_count evidence_of(const evidence *e, const failure *f) {
    const size_t i = find(e, f);
    return i < e->signature_count ? e->signatures[i].count : (rerun_count){0, 0};
}

void evidence_set_aside(evidence *e, seed_input t) {
    if (!evidence_was_set_aside(e, t)) e->aside[e->aside_count++ % ASIDE_MAX] = t;
}

bool evidence_was_set_aside(const evidence *e, seed_input t) {
    for (size_t i = 0; i < e->aside_count && i < ASIDE_MAX; i++) {
        const seed_input known = e->aside[i];
        if (known.size == 0 && t.size == 0) return true;
        if (seed_input_equal(known, t)) return true;
    }
    return false;
}

void evidence_add_unreliable_size(evidence *e, uint64_t size) {
    if (!evidence_is_unreliable_size(e, size))
        e->unreliable_sizes[e->unreliable_count++ % UNRELIABLE_MAX] = size;
}

bool evidence_is_unreliable_size(const evidence *e, uint64_t size) {
    for (size_t i = 0; i < e->unreliable_count && i < UNRELIABLE_MAX; i++) {
        if (e->unreliable_sizes[i] == size) return true;
    }
    return false;
}
