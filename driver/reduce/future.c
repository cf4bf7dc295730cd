#include "future.h"

#include <stdlib.h>

future *future_of(const testcase *t) {
    future *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->owners = 1;
    if (testcase_copy(&f->bytes, t)) return f;
    free(f);
    return NULL;
}

future *future_patched(const testcase *t, const patch *edits) {
    future *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->owners = 1;
    if (patch_apply(edits, t, &f->bytes)) return f;
    future_release(f);
    return NULL;
}

future *future_share(future *f) {
    if (f != NULL) f->owners++;
    return f;
}

void future_release(future *f) {
    if (f == NULL || --f->owners > 0) return;
    testcase_finish(&f->bytes);
    prefix_hashes_finish(&f->prefix_hashes);
    free(f);
}

uint64_t future_digest(future *f, const patch *edits) {
    if (!f->is_outlined && !prefix_hashes_make(&f->prefix_hashes, &f->bytes)) return 0;
    f->is_outlined = true;
    return prefix_hashes_patched(&f->prefix_hashes, &f->bytes, edits);
}
