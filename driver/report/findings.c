#include "findings.h"

#include "failure_fields.h"
#include "store.h"
#include "subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Return the arguments as words for a shell. The caller frees them. */
static char *words_of(const char *const *args) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    for (size_t i = 0; args != NULL && args[i] != NULL; i++) {
        if (i > 0) putc(' ', out);
        subject_put_word(out, args[i]);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static void take(night *n, const char *folder, const finding *f) {
    char name[STORE_NAME_MAX];
    char *path = NULL, *args = words_of((const char *const *)f->args);
    night_failure found;
    store_name(f, name);
    if (asprintf(&path, "%s/%s", folder, name) < 0) path = NULL;
    if (path == NULL || args == NULL) n->failed = true;
    night_program *p = n->failed ? NULL : night_find_program(n, f->sut != NULL ? f->sut : "", args);
    if (p != NULL) {
        p->findings++;
        failure_fields_of_finding(n, f, path, &found);
        night_add_failure(n, p, &found);
        night_failure_finish(&found);
    }
    free(path);
    free(args);
}

/* Read a file of the folder. */
static void read_one(night *n, store *s, const char *name, const findings_folder *from) {
    finding f;
    const char *why;
    if (store_read(s, name, &f, &why)) {
        take(n, from->path, &f);
        finding_free(&f);
    } else if (why != NULL) {
        from->skipped.take(from->skipped.context, name, why);
    }
}

int findings_read(night *n, const findings_folder *from) {
    store_names names = {.list = NULL};
    store *s = store_open_there(from->path);
    if (s == NULL) return errno;
    const int error = store_list(s, &names);
    for (size_t i = 0; i < names.count && !n->failed; i++) read_one(n, s, names.list[i], from);
    store_names_free(&names);
    store_close(s);
    return n->failed ? ENOMEM : error;
}
