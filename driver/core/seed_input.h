/* seed_input.h: a size and a seed, which define one run, and a batch, which is a row of them. */
#ifndef SEED_INPUT_H
#define SEED_INPUT_H

#include <stdint.h>

/* The most bytes of entropy of a run: 8 GiB, ten digits, as names of findings have; 1 GiB where the
 * driver and a target could not both map more. */
#if SIZE_MAX > UINT32_MAX
#define INPUT_SIZE_MAX (UINT64_C(8) << 30)
#else
#define INPUT_SIZE_MAX (UINT64_C(1) << 30)
#endif

/* One run: `size` bytes of entropy expanded from `seed`. They suffice to replay it. */
typedef struct seed_input {
    uint64_t size; /* bytes */
    uint64_t seed;
} seed_input;

struct candidate_set;

/* `count` runs of `size` bytes each, with the seeds first_seed, first_seed + 1, ..., up to and
 * including the first that does not pass. With `given`: `count` test cases of a candidate set, in
 * its order. */
typedef struct batch {
    uint64_t first_seed;         /* with `given`: index of the first test case in the candidate
                                    set */
    uint32_t count;              /* at least 1 */
    uint64_t size;               /* bytes; with `given`: 0, because each test case has its own
                                    size */
    struct candidate_set *given; /* NULL: expand seeds */
} batch;

#endif
