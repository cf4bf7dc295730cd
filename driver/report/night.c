#include "night.h"

#include <stdlib.h>
#include <string.h>

char *night_text(night *n, const char *text) {
    char *copy = strndup(text, NIGHT_TEXT_MAX);
    if (copy == NULL) n->failed = true;
    return copy;
}

/* Make room for one more item of `size` bytes. The items may move. */
static void *grow(night *n, void *items, size_t count, size_t *room, size_t size) {
    if (count < *room) return items;
    const size_t more = *room == 0 ? 8 : 2 * *room;
    void *grown = realloc(items, more * size);
    if (grown == NULL) {
        n->failed = true;
        return NULL;
    }
    *room = more;
    return grown;
}

/* ---- Failures ---- */

void night_failure_finish(night_failure *f) {
    free(f->seed);
    free(f->hex);
    free(f->signature);
    free(f->site);
    free(f->output);
    free(f->flaky);
    free(f->replay);
    free(f->finding);
    *f = (night_failure){.is_known = false};
}

/* Copy a text that may be NULL, and may be hex of many bytes. */
static char *copy_of(night *n, const char *text) {
    char *copy = strdup(text != NULL ? text : "");
    if (copy == NULL) n->failed = true;
    return copy;
}

void night_failure_set(night *n, night_failure *to, const night_failure *from) {
    night_failure copy = *from;
    copy.seed = copy_of(n, from->seed);
    copy.hex = copy_of(n, from->hex);
    copy.signature = copy_of(n, from->signature);
    copy.site = copy_of(n, from->site);
    copy.output = copy_of(n, from->output);
    copy.flaky = copy_of(n, from->flaky);
    copy.replay = copy_of(n, from->replay);
    copy.finding = copy_of(n, from->finding);
    night_failure_finish(to);
    *to = copy;
    if (n->failed) night_failure_finish(to);
}

/* ---- Signatures ---- */

static night_signature *find_signature(night_program *p, const char *signature) {
    for (size_t i = 0; i < p->signature_count; i++) {
        if (strcmp(p->signatures[i].smallest.signature, signature) == 0) return &p->signatures[i];
    }
    return NULL;
}

/* True if of two failures of the same bytes this one says more: its reruns, then its command. */
static bool says_more(const night_failure *f, const night_failure *than) {
    if (!f->reruns.is_known || f->reruns.value < than->reruns.value) return false;
    return f->reruns.value > than->reruns.value ||
           (f->replay[0] != '\0' && than->replay[0] == '\0');
}

static bool is_better(const night_failure *f, const night_failure *than) {
    if (f->size != than->size) return f->size < than->size;
    if (f->hex[0] == '\0' || than->hex[0] == '\0') return f->claim.is_known || f->hex[0] != '\0';
    const int order = strcmp(f->hex, than->hex);
    return order < 0 || (order == 0 && says_more(f, than));
}

void night_add_failure(night *n, night_program *p, const night_failure *f) {
    if (!f->is_known || f->signature == NULL || f->signature[0] == '\0') return;
    night_signature *s = find_signature(p, f->signature);
    if (s == NULL && p->signature_count == NIGHT_SIGNATURES_MAX) {
        p->signatures_left_out++;
        return;
    }
    if (s == NULL) {
        night_signature *grown =
            grow(n, p->signatures, p->signature_count, &p->signature_room, sizeof *grown);
        if (grown == NULL) return;
        p->signatures = grown;
        s = &p->signatures[p->signature_count];
        *s = (night_signature){.seen = 1};
        night_failure_set(n, &s->smallest, f);
        if (!n->failed) p->signature_count++;
        return;
    }
    s->seen++;
    if (is_better(f, &s->smallest)) night_failure_set(n, &s->smallest, f);
}

/* ---- Programs and their works ---- */

const char *night_base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

night_program *night_find_program(night *n, const char *path, const char *args) {
    for (size_t i = 0; i < n->program_count; i++) {
        night_program *p = &n->programs[i];
        if (strcmp(night_base_of(p->name), night_base_of(path)) == 0 && strcmp(p->args, args) == 0)
            return p;
    }
    if (n->programs == NULL) n->programs = calloc(NIGHT_PROGRAMS_MAX, sizeof *n->programs);
    if (n->programs == NULL) n->failed = true;
    if (n->program_count == NIGHT_PROGRAMS_MAX) n->programs_left_out++;
    if (n->failed || n->program_count == NIGHT_PROGRAMS_MAX) return NULL;
    night_program *p = &n->programs[n->program_count];
    p->name = night_text(n, path);
    p->args = night_text(n, args);
    if (n->failed) return NULL;
    n->program_count++;
    return p;
}

night_work *night_add_work(night *n, night_program *p, night_task task) {
    if (p->work_count == NIGHT_WORKS_MAX) {
        p->works_left_out++;
        return NULL;
    }
    night_work *grown = grow(n, p->works, p->work_count, &p->work_room, sizeof *grown);
    if (grown == NULL) return NULL;
    p->works = grown;
    night_work *w = &p->works[p->work_count++];
    *w = (night_work){.task = task, .seconds = -1};
    return w;
}

void night_add_each(night *n, night_work *w, const night_failure *f) {
    if (!f->is_known || w->each_count == NIGHT_EACH_MAX) return;
    night_failure *grown = grow(n, w->each, w->each_count, &w->each_room, sizeof *grown);
    if (grown == NULL) return;
    w->each = grown;
    w->each[w->each_count] = (night_failure){.is_known = false};
    night_failure_set(n, &w->each[w->each_count++], f);
}

void night_end(night *n) {
    for (size_t i = 0; i < n->program_count; i++) {
        night_program *p = &n->programs[i];
        if (p->signature_count > 0) continue;
        for (size_t k = 0; k < p->work_count; k++) night_add_failure(n, p, &p->works[k].best);
    }
}

/* ---- The end ---- */

static void finish_work(night_work *w) {
    char *const texts[] = {w->source, w->version,  w->mode,    w->host,    w->digest, w->when,
                           w->file,   w->rng_seed, w->command, w->outcome, w->end,    w->reason};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) free(texts[i]);
    for (size_t i = 0; i < w->pass_count; i++) free(w->passes[i].name);
    free(w->passes);
    series_finish(&w->points);
    for (size_t i = 0; i < w->each_count; i++) night_failure_finish(&w->each[i]);
    free(w->each);
    night_failure_finish(&w->first);
    night_failure_finish(&w->best);
    story_finish(&w->story);
}

static void finish_program(night_program *p) {
    for (size_t i = 0; i < p->work_count; i++) finish_work(&p->works[i]);
    for (size_t i = 0; i < p->signature_count; i++)
        night_failure_finish(&p->signatures[i].smallest);
    free(p->works);
    free(p->signatures);
    size_table_finish(&p->sizes);
    free(p->name);
    free(p->args);
}

void night_finish(night *n) {
    for (size_t i = 0; i < n->program_count; i++) finish_program(&n->programs[i]);
    free(n->programs);
    *n = (night){.programs = NULL};
}
