/* record_check.h: checks the records of a trace, by a target, against the bytes of its run. */
#pragma once

#include "failure.h"
#include "frng_protocol.h"

typedef enum record_error {
    RECORD_RIGHT,  /* the bytes encode what the record says, or its kind is unknown here */
    RECORD_PLACE,  /* it does not begin where the one before it ends */
    RECORD_BEYOND, /* it ends after the bytes of the run */
    RECORD_BOUNDS, /* no draw of its kind has this width and these bounds */
    RECORD_LENGTH, /* a draw takes another count of these bytes */
    RECORD_VALUE   /* the bytes encode another value */
} record_error;

/* The first wrong record of a run. */
typedef struct wrong_record {
    record_error error;       /* RECORD_RIGHT: all are right, and the other fields are 0 */
    frng_trace_record record; /* as reported; untrusted */
    char note[32];            /* the note or the step just before it; "" for none; untrusted */
    uint64_t right; /* VALUE: the value that the bytes encode, as a record has it. PLACE: where the
                       record must begin. BEYOND: bytes of the run. LENGTH: bytes that the draw
                       takes, or 0 if it needs more than the record says */
} wrong_record;

/* Make the draw of each record again, from the bytes of the run, and return the first record that
 * differs. Records of kinds that are unknown here can only be in a wrong place. */
wrong_record record_check(const uint8_t *bytes, size_t size, const frng_trace_record *records,
                          size_t count);

/* Move each draw that chose a step into the step, for readers. */
void records_settle(frng_trace_record *records, size_t count);

/* Return the first draws among the records of a run, `most` at most. */
draws_seen records_draws(const frng_trace_record *records, size_t count, uint64_t most);

/* True if a run is known to have made other draws first than these: it reported `reported` records,
 * and those beyond `count` found no room. */
bool records_draw_others(const frng_trace_record *records, size_t count, uint64_t reported,
                         draws_seen than);
