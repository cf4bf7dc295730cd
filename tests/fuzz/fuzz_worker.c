/* Reports of workers: what is taken makes sense, and is the same when it was written and read
 * again. */
#include "fuzz.h"
#include "worker_file.h"

#include <math.h>

static void check_sense(const worker_file *w) {
    FUZZ_HOLDS(w->name != NULL && w->target.args != NULL && w->target.filter != NULL);
    FUZZ_HOLDS(w->state <= WORKER_FAILED);
    FUZZ_HOLDS(isfinite(w->every) && w->every > 0 && isfinite(w->rate) && w->rate >= 0);
    FUZZ_HOLDS(isfinite(w->totals.seconds) && w->totals.seconds >= 0);
    FUZZ_HOLDS(w->evidence.counted <= w->evidence.passed);
    FUZZ_HOLDS(w->evidence.counted == 0 || w->evidence.stretches > 0);
    FUZZ_HOLDS(!w->best.is_known || w->best.input.size <= INPUT_SIZE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const char *why = NULL;
    worker_file w, again;
    if (!worker_file_from_json((const char *)bytes, size, &w, &why)) {
        FUZZ_HOLDS(why != NULL && w.owned == NULL);
        return 0;
    }
    check_sense(&w);
    char *text = worker_file_to_json(&w);
    FUZZ_HOLDS(text != NULL);
    FUZZ_HOLDS(worker_file_from_json(text, strlen(text), &again, &why));
    char *same = worker_file_to_json(&again);
    FUZZ_HOLDS(same != NULL && strcmp(text, same) == 0);
    free(text);
    free(same);
    worker_file_free(&again);
    worker_file_free(&w);
    return 0;
}
