/* input_source.h: the input of a replay or a reduction: from a seed, hex, a file or a finding. */
#pragma once

#include "options.h"
#include "store.h"

typedef struct input_source {
    finding finding; /* zeroed without --finding */
    uint8_t *bytes;  /* not NULL after a successful read */
    size_t size;
    failure known; /* of these bytes; without reruns: nothing is known. Owned */
} input_source;

/* Read at most size_max bytes, or print an error. Call input_source_finish in any case. */
bool input_source_read(input_source *in, const input_options *o, uint64_t size_max);
void input_source_finish(input_source *in);
