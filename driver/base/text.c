#include "text.h"

#include <string.h>

const char *path_base(const char *path) {
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

bool text_equal(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

size_t text_count(char *const *list) {
    size_t count = 0;
    while (list[count] != NULL) count++;
    return count;
}
