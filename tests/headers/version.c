/* FRNG_VERSION is the version of the project that it was built from. */
#include "frng.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    if (strcmp(FRNG_VERSION, PROJECT_VERSION) == 0) return 0;
    fprintf(stderr, "frng.h says %s, meson.build %s\n", FRNG_VERSION, PROJECT_VERSION);
    return 1;
}
