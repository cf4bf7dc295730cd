/* trace.h: the draws of a run as a table. */
#ifndef TRACE_H
#define TRACE_H

#include "frng_protocol.h"

#include <stdint.h>
#include <stdio.h>

/* Print the table. The records are untrusted and shown as they are. `entropy` is the run's input
 * of `size` bytes. The run reported `told` records, of which `records` holds the first `count`. */
void trace_print(FILE *out, const frng_trace_record *records, uint64_t count, uint64_t told,
                 const uint8_t *entropy, uint64_t size);

#endif
