#include "failure.h"

#include <stdlib.h>

void failure_keep(failure *to, const failure *from) {
    bytes_tail *output = to->output;
    if (output == NULL && from->output != NULL) output = malloc(sizeof *output);
    if (output != NULL && output != from->output)
        *output = from->output != NULL ? *from->output : (bytes_tail){0};
    *to = *from;
    to->output = output;
}

void failure_drop(failure *f) {
    free(f->output);
    *f = (failure){0};
}
