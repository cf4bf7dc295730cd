/* feature_map.h: what runs show: pairs of draws, and edges of the program (frng_guide.h). */
#ifndef FEATURE_MAP_H
#define FEATURE_MAP_H

#include "frng_protocol.h"

#include <stdint.h>

/* The features that a search has seen, not 0 each. */
typedef struct feature_map {
    uint8_t seen[FRNG_FEATURES];
} feature_map;

/* Features, and the runs that showed them first, in the order of these runs. */
typedef struct feature_list {
    uint32_t count;
    frng_feature_record records[FRNG_FEATURES];
} feature_list;

/* What splices found: runs that go on from the prefix of another one. */
typedef struct run_guide {
    uint64_t fresh, spliced; /* prefixes of fresh runs and of splices that showed something new */
} run_guide;

#endif
