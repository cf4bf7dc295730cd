/* without.c: frng-reduce and frng-search without the passes that FRNG_WITHOUT names (separated by
 * commas), to measure what each gains. The linker puts this function in the place of the driver's
 * own. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

const pass *const *__real_passes_for(const testcase *t, bool is_file);
const pass *const *__wrap_passes_for(const testcase *t, bool is_file);

static bool is_left_out(const char *name) {
    const char *list = getenv("FRNG_WITHOUT");
    const size_t length = strlen(name);
    while (list != NULL && *list != '\0') {
        const size_t word = strcspn(list, ",");
        if (word == length && strncmp(list, name, word) == 0) return true;
        list += list[word] == ',' ? word + 1 : word;
    }
    return false;
}

const pass *const *__wrap_passes_for(const testcase *t, bool is_file) {
    static const pass *left[PASS_MAX + 1];
    size_t count = 0;
    for (const pass *const *p = __real_passes_for(t, is_file); *p != NULL; p++) {
        if (!is_left_out((*p)->name)) left[count++] = *p;
    }
    left[count] = NULL;
    return left;
}
