/* trace.h: the draws of a run as a table. */
#ifndef TRACE_H
#define TRACE_H

#include "frng_protocol.h"

#include <stdint.h>
#include <stdio.h>

/* Everything in the records is untrusted, and is shown as what it claims to be. `entropy` of
 * `size` bytes is what the run was given; `told` is how many records it told, of which `count`
 * were kept. */
void trace_print(FILE *out, const frng_trace_record *records, uint64_t count, uint64_t told,
                 const uint8_t *entropy, uint64_t size);

#endif
