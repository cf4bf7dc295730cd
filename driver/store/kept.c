#include "kept.h"

#include "bytes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void destroy(kept *e) {
    if (e != NULL) free(e->text);
    free(e);
}

void kept_list_finish(kept_list *l) {
    for (size_t i = 0; i < l->count; i++) destroy(l->list[i]);
    free(l->list);
    *l = (kept_list){NULL, 0};
}

kept *kept_list_find(const kept_list *l, const char *name) {
    for (size_t i = l->count; i > 0; i--) {
        if (strcmp(l->list[i - 1]->name, name) == 0) return l->list[i - 1];
    }
    return NULL;
}

static size_t index_of(const kept_list *l, const kept *e) {
    size_t i = 0;
    while (i < l->count && l->list[i] != e) i++;
    assert(i < l->count);
    return i;
}

void kept_list_drop(kept_list *l, const kept *e) {
    const size_t i = index_of(l, e);
    destroy(l->list[i]);
    l->count--;
    memmove(&l->list[i], &l->list[i + 1], (l->count - i) * sizeof l->list[0]);
}

/* ---- One finding ---- */

static void copy(char *to, size_t max, const char *from) {
    snprintf(to, max, "%s", from != NULL ? from : "");
}

static bool is_of_other_build(const kept *e, const finding *f) {
    return e->writer != KEPT_OF_OTHERS && f->sut_digest != NULL &&
           strcmp(e->digest, f->sut_digest) != 0;
}

/* Take the build, signature and site of a finding: they are of its latest failure. */
static void describe(kept *e, const finding *f) {
    e->is_outdated |= is_of_other_build(e, f);
    e->signature = f->signature;
    copy(e->site, sizeof e->site, f->site);
    copy(e->digest, sizeof e->digest, f->sut_digest);
}

bool kept_rewrite(kept *e, const finding *f) {
    finding dated = *f;
    dated.when = e->when;
    char *text = finding_to_json(&dated);
    if (text == NULL) return false;
    free(e->text);
    e->text = text;
    e->is_reduced = f->is_reduced;
    e->has_seed = f->from.size > 0 || f->is_reduced;
    e->reruns = f->reruns;
    e->repeated = f->repeated;
    return true;
}

bool kept_is_news(const kept *e, const finding *f) {
    return e->reruns != f->reruns || e->repeated != f->repeated || f->remarks.count > 0 ||
           e->is_reduced != f->is_reduced || (f->from.size > 0 && !e->has_seed);
}

static kept *create(const finding *f) {
    kept *e = calloc(1, sizeof *e);
    if (e == NULL) return NULL;
    store_name(f, e->name);
    store_name(f, e->file);
    e->input = f->input;
    e->has_bytes = f->bytes != NULL;
    copy(e->when, sizeof e->when, f->when);
    describe(e, f);
    if (kept_rewrite(e, f)) return e;
    destroy(e);
    return NULL;
}

static bool append(kept_list *l, kept *e) {
    kept **longer = realloc(l->list, (l->count + 1) * sizeof(kept *));
    if (longer == NULL) return false;
    l->list = longer;
    l->list[l->count++] = e;
    return true;
}

kept *kept_list_put(kept_list *l, const finding *f) {
    char name[STORE_NAME_MAX];
    store_name(f, name);
    kept *e = kept_list_find(l, name);
    if (e != NULL) {
        describe(e, f);
        const bool has_text = e->place == KEPT_ON_DISK && !e->is_outdated;
        return has_text || kept_rewrite(e, f) ? e : NULL;
    }
    e = create(f);
    if (e != NULL && append(l, e)) return e;
    destroy(e);
    return NULL;
}

/* ---- Comparing ---- */

static bool is_same_subject(const finding *a, const finding *b) {
    size_t i = 0;
    if (a->sut == NULL || b->sut == NULL) return false;
    if (strcmp(path_base(a->sut), path_base(b->sut)) != 0) return false;
    while (a->args[i] != NULL && b->args[i] != NULL && strcmp(a->args[i], b->args[i]) == 0) i++;
    return a->args[i] == NULL && b->args[i] == NULL;
}

bool kept_has_subject(const kept *e, const finding *other) {
    const char *why;
    finding own;
    assert(e->text != NULL);
    if (!finding_from_json(e->text, strlen(e->text), &own, &why)) return false;
    const bool is_same = is_same_subject(&own, other);
    finding_free(&own);
    return is_same;
}

bool kept_set_apart(kept *e) {
    const char *why;
    finding own;
    if (strcmp(e->file, e->name) != 0) return false;
    if (!finding_from_json(e->text, strlen(e->text), &own, &why)) return false;
    store_name_apart(&own, e->file);
    finding_free(&own);
    return true;
}

static bool is_alike(const kept *a, const kept *b) {
    return signature_equal(a->signature, b->signature) && strcmp(a->site, b->site) == 0 &&
           strcmp(a->digest, b->digest) == 0;
}

static bool is_flaky(const kept *e) { return e->repeated < e->reruns; }

bool kept_replaces(const kept_list *l, const kept *a, const kept *b) {
    if (a == b || (is_flaky(a) && !is_flaky(b)) || !is_alike(a, b)) return false;
    if (!a->has_bytes && !b->has_bytes) return seed_input_less(a->input, b->input);
    if (a->has_bytes && !b->has_bytes && !a->has_seed) return false;
    if (a->input.size != b->input.size) return a->input.size < b->input.size;
    return a->has_bytes && (!b->has_bytes || index_of(l, a) > index_of(l, b));
}
