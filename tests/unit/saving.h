/* saving.h: for unit tests: write a finding, as another process does. */
#ifndef SAVING_H
#define SAVING_H

#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Return 0 when the finding is on disk, else an errno. */
static inline int save_finding(const char *folder, const finding *f) {
    char name[STORE_NAME_MAX];
    char *text = finding_to_json(f);
    if (text == NULL) return ENOMEM;
    store_name(f, name);
    const int error = store_write(folder, NULL, name, text, strlen(text));
    free(text);
    return error;
}

#endif
