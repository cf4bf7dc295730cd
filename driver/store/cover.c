#include "cover.h"

#include "failure.h"

#include <stdlib.h>
#include <string.h>

/* ---- Doubts ---- */

void cover_doubts_finish(cover_doubts *d) {
    free(d->names);
    *d = (cover_doubts){NULL, 0};
}

static size_t place_of(const cover_doubts *d, const char *name) {
    size_t i = 0;
    while (i < d->count && strcmp(d->names[i], name) != 0) i++;
    return i;
}

bool cover_is_doubted(const cover_doubts *d, const char *name) {
    return place_of(d, name) < d->count;
}

void cover_doubt(cover_doubts *d, const char *name) {
    if (cover_is_doubted(d, name)) return;
    char(*longer)[STORE_NAME_MAX] = realloc(d->names, (d->count + 1) * sizeof *longer);
    if (longer == NULL) return;
    d->names = longer;
    memcpy(d->names[d->count++], name, strlen(name) + 1);
}

void cover_trust(cover_doubts *d, const char *name) {
    const size_t i = place_of(d, name);
    if (i == d->count) return;
    d->count--;
    memmove(d->names[i], d->names[i + 1], (d->count - i) * sizeof d->names[0]);
}

/* ---- Covers ---- */

static bool has_proof(const finding *f, cover_proof proof) {
    const bool is_hang = f->signature.kind == SIGNATURE_TIMEOUT;
    const unsigned final = is_hang ? FAILURE_RERUNS_OF_HANG : FAILURE_RERUNS;
    return f->reruns >= (proof == COVER_PROVEN ? final : 1) && f->repeated == f->reruns;
}

static bool is_same_failure(const kept *e, const finding *f) {
    const char *site = f->site != NULL ? f->site : "";
    return signature_equal(e->signature, f->signature) && strcmp(e->site, site) == 0 &&
           f->sut_digest != NULL && strcmp(e->digest, f->sut_digest) == 0;
}

static bool is_cover(const kept *e, const finding *f, cover_proof proof) {
    return f->bytes == NULL && seed_input_less(f->input, e->input) && is_same_failure(e, f) &&
           has_proof(f, proof) && kept_has_subject(e, f);
}

static bool reads_as_cover(store *s, const char *name, const kept *e, cover_proof proof) {
    const char *why;
    finding f;
    if (!store_read(s, name, &f, &why)) return false;
    const bool covers = is_cover(e, &f, proof);
    finding_free(&f);
    return covers;
}

bool cover_is_there(store *s, const kept *e, const cover_doubts *d, cover_proof proof) {
    store_names names;
    size_t reads = 0;
    bool covers = false;
    if (e->has_bytes || e->digest[0] == '\0' || store_list(s, &names) != 0) return false;
    for (size_t i = 0; i < names.count && reads < COVER_READS && !covers; i++) {
        const char *name = names.list[i];
        if (store_name_size(name) > e->input.size) break;
        if (strcmp(name, e->file) == 0 || cover_is_doubted(d, name)) continue;
        reads++;
        covers = reads_as_cover(s, name, e, proof);
    }
    store_names_free(&names);
    return covers;
}
