/* parcel.h: test cases on their way to be run, and what came back: memory that the driver and its
 * workers share. The driver fills the first part before it hands out the ticket, the worker the
 * second one before it answers. */
#ifndef PARCEL_H
#define PARCEL_H

#include "frng_protocol.h"
#include "generator.h"
#include "outcome.h"
#include "trial.h"

#include <stdbool.h>
#include <stdint.h>

enum { PARCEL_COUNT_MAX = 256 };

/* What a run that passed told of itself. */
typedef struct parcel_pass {
    uint64_t drawn; /* bytes, or OUTCOME_DRAWN_UNKNOWN */
    bool ran_out;   /* it ended because it was out of entropy; meaningless where drawn is unknown */
} parcel_pass;

#define PARCEL_PASS_UNKNOWN ((parcel_pass){OUTCOME_DRAWN_UNKNOWN, false})

typedef struct parcel {
    uint32_t count;                  /* test cases, at most PARCEL_COUNT_MAX */
    uint64_t ends[PARCEL_COUNT_MAX]; /* test case i ends before bytes[ends[i]] */
    uint64_t bytes_max;              /* room at `bytes` */
    uint8_t *bytes;
    const generator *generator; /* NULL: the test cases are run. Or this changes the only one ... */
    uint64_t number;            /* ... by its instance `number` */

    parcel_pass passes[PARCEL_COUNT_MAX]; /* of the runs before the last one that was made, and of
                                             the last one if it passed */
    uint64_t told;              /* records that the last run told, those that found no room too */
    uint64_t record_count;      /* records of the last run made */
    uint64_t records_max;       /* room at `records` */
    frng_trace_record *records; /* copies: nobody changes them, but what is in them is untrusted */
    generator_answer answer;    /* of the generator; where it made something, that is test case 0 */
} parcel;

static inline uint64_t parcel_start(const parcel *p, uint32_t i) {
    return i == 0 ? 0 : p->ends[i - 1];
}

static inline uint64_t parcel_size(const parcel *p, uint32_t i) {
    return p->ends[i] - parcel_start(p, i);
}

static inline const uint8_t *parcel_bytes(const parcel *p, uint32_t i) {
    return p->bytes + parcel_start(p, i);
}

/* Run `i` of a ticket. The seed of a test case is its index in the parcel. */
static inline trial ticket_trial(const ticket *runs, uint64_t i) {
    const uint64_t seed = runs->first_seed + i;
    return (trial){runs->given != NULL ? parcel_size(runs->given, (uint32_t)seed) : runs->size,
                   seed};
}

#endif
