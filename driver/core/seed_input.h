/* seed_input.h: a size and a seed, which are one run; a batch is a row of them. */
#ifndef SEED_INPUT_H
#define SEED_INPUT_H

#include <stdint.h>

/* The most bytes that a run can get: 8 GiB, ten digits, as names of findings have; 1 GiB where
 * the driver and a program could not both map more. */
#if SIZE_MAX > UINT32_MAX
#define INPUT_SIZE_MAX (UINT64_C(8) << 30)
#else
#define INPUT_SIZE_MAX (UINT64_C(1) << 30)
#endif

/* One run: `size` bytes of entropy expanded from `seed`. All that is needed to replay it. */
typedef struct seed_input {
    uint64_t size; /* bytes */
    uint64_t seed;
} seed_input;

struct candidate_set;

/* `count` runs of `size` bytes each, with the seeds first_seed, first_seed + 1, ..., up to and
 * including the first that fails. Or so many test cases of a candidate set, in its order. */
typedef struct batch {
    uint64_t first_seed;         /* given: the index of the first one in the candidate set */
    uint32_t count;              /* at least 1 */
    uint64_t size;               /* bytes; given: 0, each has its own */
    struct candidate_set *given; /* NULL: expand seeds */
} batch;

#endif
